//! Lines and columns of a text, and an index that finds them quickly.

use std::fmt;

use super::work::look_at;

/// Line and column of a byte, both counted from 1. A column is a character; in a source without lines, a
/// byte. A byte order mark takes no column, since no editor shows one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl Location {
    /// Line and column of byte `offset` of `text`. An offset beyond the end means the end.
    ///
    /// This reads the text up to there. To look up many places, use a [`LineIndex`].
    pub fn of(text: &str, offset: usize) -> Location {
        let before = after_mark(&text[..floor_char_boundary(text, offset)]);
        look_at(before.len());
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Location {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The number of bytes between two marks of an index, and the most that are read after a mark.
const STEP: usize = 256;

/// The state of the count at a byte of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Mark {
    /// The number of line ends before it.
    lines: usize,
    /// The byte at which its line begins.
    line_start: usize,
    /// The number of characters that begin before it.
    characters: usize,
}

/// An index of a text: finds the line and column of a byte without reading the whole text before it.
///
/// Every query needs the text again; it must be the text of which the index was made. To find a single place,
/// [`Location::of`] is as good.
///
/// ```
/// use worldlines::notation::{LineIndex, Location};
///
/// let text = "1. e4 / e5\n2. Nf3 / Nc6\n";
/// let lines = LineIndex::of(text);
/// assert_eq!(lines.location(text, 14), Location { line: 2, column: 4 });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIndex {
    /// The marks at every [`STEP`] bytes, from byte 0 on.
    marks: Vec<Mark>,
}

impl LineIndex {
    /// The index of a text.
    pub fn of(text: &str) -> LineIndex {
        look_at(text.len());
        let mut marks = Vec::with_capacity(text.len() / STEP + 1);
        let mut mark = Mark { line_start: mark_length(text), ..Mark::default() };
        marks.push(mark);
        for (index, part) in text.as_bytes().chunks_exact(STEP).enumerate() {
            mark.pass(part, index * STEP);
            marks.push(mark);
        }
        LineIndex { marks }
    }

    /// Line and column of byte `offset` of the text. An offset beyond the end means the end.
    pub fn location(&self, text: &str, offset: usize) -> Location {
        let offset = floor_char_boundary(text, offset);
        let here = self.at(text, offset);
        let begin = self.at(text, here.line_start);
        Location { line: here.lines + 1, column: here.characters.saturating_sub(begin.characters) + 1 }
    }

    /// The byte at which the line of byte `offset` begins.
    pub fn line_start(&self, text: &str, offset: usize) -> usize {
        self.at(text, floor_char_boundary(text, offset)).line_start
    }

    /// The mark for byte `offset`: the one before it, counted on.
    fn at(&self, text: &str, offset: usize) -> Mark {
        let index = (offset / STEP).min(self.marks.len() - 1);
        let mut mark = self.marks[index];
        let part = text.as_bytes().get(index * STEP..offset).unwrap_or_default();
        look_at(part.len());
        mark.pass(part, index * STEP);
        mark
    }
}

impl Mark {
    /// Counts on over the next `bytes` of the text, which begin at byte `start`.
    fn pass(&mut self, bytes: &[u8], start: usize) {
        self.lines += bytes.iter().filter(|&&byte| byte == b'\n').count();
        // The other bytes of a character are 0b10......
        self.characters += bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        if let Some(newline) = bytes.iter().rposition(|&byte| byte == b'\n') {
            self.line_start = start + newline + 1;
        }
    }
}

/// The text after its byte order mark, if it has one.
pub(crate) fn after_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The number of bytes of the byte order mark of a text, 0 without one.
pub(crate) fn mark_length(text: &str) -> usize {
    text.len() - after_mark(text).len()
}

/// The last beginning of a character at or before `offset`, or the end of the text.
pub(crate) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::work::looked_at;

    /// A text with lines of all lengths around [`STEP`], and characters of all widths.
    fn text() -> String {
        let line = |length: usize| "aé例🙂".chars().cycle().take(length).collect::<String>();
        [0, 1, 5, 63, 64, 100, 0, 255, 256, 257, 700, 0, 0, 3].map(line).join("\n") + "\r\n"
    }

    #[test]
    fn every_byte_is_where_reading_from_the_beginning_finds_it() {
        let marked = format!("\u{feff}{}{}", "x".repeat(STEP), text());
        for text in [text(), String::new(), "\n".repeat(2 * STEP), "x".repeat(STEP), marked] {
            let lines = LineIndex::of(&text);
            for offset in 0..text.len() + 3 {
                let location = lines.location(&text, offset);
                assert_eq!(location, Location::of(&text, offset), "{offset}");
                let start = lines.line_start(&text, offset);
                assert!(start == mark_length(&text) || text.as_bytes()[start - 1] == b'\n');
                assert_eq!(lines.location(&text, start), Location { column: 1, ..location });
            }
        }
    }

    #[test]
    fn a_question_does_not_read_the_text() {
        for text in ["a\n".repeat(1 << 16), "é".repeat(1 << 16)] {
            let lines = LineIndex::of(&text);
            let (_, looked) = looked_at(|| lines.location(&text, text.len() - 1));
            assert!(looked <= 2 * STEP, "{looked}");
        }
    }

    #[test]
    fn another_text_gets_a_wrong_answer_and_no_panic() {
        let lines = LineIndex::of(&text());
        lines.location("", 5_000);
        LineIndex::of("").location(&text(), 1_000);
    }

    #[test]
    fn locations_count_characters() {
        assert_eq!(Location::of("é\nab", 4).to_string(), "2:2");
        assert_eq!(Location::of("é\nab", 99).to_string(), "2:3");
        assert_eq!(Location::of("é", 1).to_string(), "1:1");
        assert_eq!(Location::of("\u{feff}ab", 4).to_string(), "1:2");
    }
}
