//! Changes of a text that leave all its other bytes as they are.

use std::borrow::Cow;
use std::ops::Range;

/// Changes of a text, which must not touch each other.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes something else in place of a range.
    pub fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.0.push((range, by.into()));
    }

    /// Takes out the lines of a range, which holds nothing else but a comment at its end.
    pub fn remove_lines(&mut self, text: &str, range: &Range<usize>) {
        self.0.push((line_start(text, range.start)..line_end(text, range.end), String::new()));
    }

    /// Adds lines after the line in which something ends. Each ends with a line break, the last line of the text only if it did before.
    pub fn insert_after_line(&mut self, text: &str, at: usize, lines: String) {
        let at = line_end(text, at);
        let broken = text[..at].ends_with('\n');
        self.0.push((at..at, if broken { lines } else { format!("\n{}", lines.trim_end_matches('\n')) }));
    }

    /// Adds lines before the line in which something begins.
    pub fn insert_before_line(&mut self, text: &str, at: usize, lines: String) {
        let at = line_start(text, at);
        self.0.push((at..at, lines));
    }

    /// The text with all changes. Those at one place come in the order in which they were made.
    pub fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut changed = String::with_capacity(text.len());
        let mut at = 0;
        for (range, by) in self.0 {
            changed.push_str(&text[at.min(range.start)..range.start]);
            let by: Cow<'_, str> =
                if line_break(text) == "\r\n" { by.replace('\n', "\r\n").into() } else { by.into() };
            changed.push_str(&by);
            at = range.end.max(at);
        }
        changed.push_str(&text[at..]);
        changed
    }
}

/// The line break of a text.
fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1)
}

/// The distance of a place from the beginning of its line.
pub(super) fn column(text: &str, at: usize) -> usize {
    at - line_start(text, at)
}
