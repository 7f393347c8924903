//! Excerpts: messages with the line of a text, or the row of a hex dump, that they are about.
//!
//! Nothing here knows about notations: it works for any text with lines.
//!
//! The excerpts are written here and not with a crate such as `annotate-snippets`: the library has no dependencies, a line of
//! megabytes must cost no more than what is shown of it, and bytes that are not text are shown as a hex dump.

use std::fmt;
use std::ops::Range;

use super::lines::{LineIndex, Location, floor_char_boundary, mark_length};
use super::span::Span;
use super::work::look_at;

/// The input that an [`Excerpt`] shows a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source<'a> {
    /// Text with lines.
    Text(&'a str),
    /// Text with lines, and an index of them.
    Indexed(&'a str, &'a LineIndex),
    /// Bytes that are not text.
    Bytes(&'a [u8]),
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(text: &'a str) -> Source<'a> {
        Source::Text(text)
    }
}

impl<'a> From<&'a String> for Source<'a> {
    fn from(text: &'a String) -> Source<'a> {
        Source::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Source<'a> {
    /// Text if the bytes are UTF-8, as those of most files are.
    fn from(bytes: &'a [u8]) -> Source<'a> {
        std::str::from_utf8(bytes).map_or(Source::Bytes(bytes), Source::Text)
    }
}

impl Source<'_> {
    /// Line and column of a byte. Bytes that are not text count as one line.
    pub fn location(self, offset: usize) -> Location {
        match self {
            Source::Text(text) => Location::of(text, offset),
            Source::Indexed(text, lines) => lines.location(text, offset),
            Source::Bytes(bytes) => Location { line: 1, column: offset.min(bytes.len()) + 1 },
        }
    }
}

/// A place in a text, shown as its first line with marks under it:
///
/// ```text
/// error[missing-destination]: malformed: expected a square, but found end of line
///   --> game.5dpgn:3:9
///   |
/// 3 | 1. e4 / N
///   |         ^
///   = hint: write the target square, such as `Nf6`
/// ```
///
/// For bytes, it shows the row of sixteen that contains the first marked one, as a hex dump, with its offset
/// from 0 in front:
///
/// ```text
/// error[no-such-move]: illegal: action 4b: `V4` is a move from f3, where a white knight stands, and black is to move
///         --> game.chess64: byte 17
///          |
/// 00000010 | 1c 75 78 b7 80 ff 82 ff  e7                       |.ux......|
///          |    ^^ ^^
/// ```
#[derive(Clone, Debug)]
pub struct Excerpt<'a> {
    /// The name of the source, such as a path.
    pub name: &'a str,
    /// The source, of which an excerpt shows a part.
    pub source: Source<'a>,
    /// The range to mark.
    pub span: Span,
    /// The first line.
    pub title: String,
    /// More lines, after the marks.
    pub notes: Vec<String>,
}

/// The most columns of a line that are shown.
const SHOWN_COLUMNS: usize = 100;

/// The most bytes of a line that are read on each side of a place. Some characters take no column, so this
/// exceeds the columns.
const SHOWN_BYTES: usize = 8 * SHOWN_COLUMNS;

/// The bytes in one row of a hex dump.
const ROW: usize = 16;

/// A line with a marked range.
struct Line {
    /// The place, as it is printed after the name of the source: line and column, or the byte.
    place: String,
    /// The number in front of the line: of the line, or the offset of the row.
    number: String,
    /// The line, cut if it is too long.
    shown: String,
    /// The marked columns, counted from 0.
    marked: Range<usize>,
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { place, number, shown, marked } = match self.source {
            Source::Text(text) => line_of_text(text, self.source, self.span),
            Source::Indexed(text, _) => line_of_text(text, self.source, self.span),
            Source::Bytes(bytes) => row_of_bytes(bytes, self.span),
        };
        let margin = " ".repeat(number.len());
        writeln!(f, "{}", printable(&self.title))?;
        writeln!(f, "{margin}--> {}{place}", printable(self.name))?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{number} | {shown}")?;
        write!(f, "{margin} | {}{}", " ".repeat(marked.start), "^".repeat(marked.len().max(1)))?;
        for note in &self.notes {
            write!(f, "\n{margin} = {}", printable(note))?;
        }
        Ok(())
    }
}

/// The line in which a span begins.
fn line_of_text(text: &str, source: Source<'_>, span: Span) -> Line {
    let start = floor_char_boundary(text, span.start as usize).max(mark_length(text));
    let end = floor_char_boundary(text, span.end as usize).max(start);
    let location = source.location(start);
    let line_start = match source {
        Source::Indexed(text, lines) => lines.line_start(text, start),
        _ => text[..start].rfind('\n').map_or(mark_length(text), |newline| newline + 1),
    };
    let (shown, marked) = window(text, line_start, start..end);
    Line { place: format!(":{location}"), number: location.line.to_string(), shown, marked }
}

/// The row of a hex dump in which a span begins.
fn row_of_bytes(bytes: &[u8], span: Span) -> Line {
    let start = (span.start as usize).min(bytes.len());
    // A span after the last byte is marked in the last row, not in an empty row of its own.
    let first = start.min(bytes.len().saturating_sub(1)) / ROW * ROW;
    let row = &bytes[first..bytes.len().min(first + ROW)];
    let column = |byte: usize| byte * 3 + usize::from(byte >= ROW / 2);
    let mut shown = String::new();
    for (index, byte) in row.iter().enumerate() {
        shown.push_str(&" ".repeat(column(index) - shown.len()));
        shown.push_str(&format!("{byte:02x}"));
    }
    shown.push_str(&" ".repeat(column(ROW) + 1 - shown.len()));
    shown.push('|');
    shown.extend(row.iter().map(|&byte| if matches!(byte, b' '..=b'~') { char::from(byte) } else { '.' }));
    shown.push('|');
    let end = (span.end as usize).min(first + row.len()).max(start + 1);
    let marked = column(start - first)..column(end - 1 - first) + 2;
    Line { place: format!(": byte {start}"), number: format!("{first:08x}"), shown, marked }
}

/// The part of a line around `range` as a terminal shows it, and the columns that the range takes. The line
/// begins at `line_start` and may be very long; bytes outside the window are not read.
fn window(text: &str, line_start: usize, range: Range<usize>) -> (String, Range<usize>) {
    let columns = |text: &str| text.chars().map(width).sum::<usize>();
    let (line, is_whole) = front_of_line(&text[line_start..]);
    let is_long = !is_whole || columns(line) > SHOWN_COLUMNS;
    let start = if is_whole { range.start.min(line_start + line.len()) } else { range.start };
    let cut = if is_long { cut_before(text, line_start, start) } else { line_start };
    let (line, is_whole) = front_of_line(&text[cut..]);
    let start = start.min(cut + line.len());
    let end = range.end.clamp(start, cut + line.len());

    let mut shown = String::new();
    let mut column = 0;
    if cut > line_start {
        shown.push('…');
        column += 1;
    }
    let first = column + columns(&text[cut..start]);
    let last = (column + columns(&text[cut..end])).min(SHOWN_COLUMNS);
    let mut is_cut = !is_whole;
    for c in line.chars() {
        column += width(c);
        if column > SHOWN_COLUMNS {
            is_cut = true;
            break;
        }
        push_printable(&mut shown, c);
    }
    if is_cut {
        shown.push('…');
    }
    (shown, first..last.max(first))
}

/// The beginning of the first line of a text, at most `2 * SHOWN_BYTES` bytes of it, and whether the line
/// ends there.
fn front_of_line(text: &str) -> (&str, bool) {
    let front = &text[..floor_char_boundary(text, 2 * SHOWN_BYTES)];
    look_at(front.len());
    match front.find('\n') {
        Some(newline) => (front[..newline].trim_end_matches('\r'), true),
        None if front.len() == text.len() => (front.trim_end_matches('\r'), true),
        None => (front, false),
    }
}

/// The byte at which the shown part of a long line begins, if `start` is to be visible.
fn cut_before(text: &str, line_start: usize, start: usize) -> usize {
    let back = floor_char_boundary(text, start.saturating_sub(SHOWN_BYTES)).max(line_start);
    look_at(start - back);
    back + last_columns(&text[back..start], SHOWN_COLUMNS / 3)
}

/// The byte at which the last `columns` columns of a text begin.
fn last_columns(text: &str, columns: usize) -> usize {
    let mut left = columns;
    for (i, c) in text.char_indices().rev() {
        match left.checked_sub(width(c)) {
            Some(rest) => left = rest,
            None => return i + c.len_utf8(),
        }
    }
    0
}

/// The replacement of a tab.
const TAB: &str = "    ";

/// A text from outside, such as part of a file or its name, made safe to print: on one line, without control
/// characters.
///
/// A tab becomes blanks. Every other character that is invisible or would control the terminal becomes
/// U+FFFD.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| push_printable(&mut shown, c));
    shown
}

fn push_printable(shown: &mut String, c: char) {
    match c {
        '\t' => shown.push_str(TAB),
        c if is_hidden(c) => shown.push(char::REPLACEMENT_CHARACTER),
        c => shown.push(c),
    }
}

/// Whether a character moves the cursor of a terminal, breaks the line, changes the direction of writing or
/// is invisible. Such a character can make a text look like another one.
pub(crate) fn is_hidden(c: char) -> bool {
    match c {
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' => true,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// The number of columns that a character takes on a terminal: exact for all characters of notations, else
/// approximate.
fn width(c: char) -> usize {
    match c as u32 {
        0x09 => TAB.len(),
        0x0300..=0x036f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Issue;
    use crate::notation::common::work::looked_at;

    fn marks<'a>(source: impl Into<Source<'a>>, start: usize, end: usize) -> String {
        let span = Span::new(start, end);
        let excerpt =
            Excerpt { name: "x", source: source.into(), span, title: "error: t".into(), notes: vec![] };
        excerpt.to_string().lines().skip(3).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn an_error_shows_its_line() {
        let text = "[Mode \"5D\"]\r\n\r\n1. e4 / N\r\n";
        let issue =
            Issue::new("missing-destination", Span::new(23, 24), "expected a square").hint("as `Nf6`");
        assert_eq!(
            issue.malformed().excerpt("game.5dpgn", text).to_string(),
            "error[missing-destination]: malformed: expected a square\n \
             --> game.5dpgn:3:9\n  \
             |\n\
             3 | 1. e4 / N\n  \
             |         ^\n  \
             = hint: as `Nf6`"
        );
    }

    #[test]
    fn marks_stand_under_tabs_and_wide_characters() {
        assert_eq!(marks("\tab", 1, 2), "1 |     ab\n  |     ^");
        assert_eq!(marks("例x", 3, 4), "1 | 例x\n  |   ^");
        assert_eq!(marks("例x", 0, 3), "1 | 例x\n  | ^^");
        assert_eq!(marks("", 0, 0), "1 | \n  | ^");
        assert_eq!(marks("a\nbc", 1, 4), "1 | a\n  |  ^");
        assert_eq!(marks("ab", 9, 12), "1 | ab\n  |   ^");
    }

    #[test]
    fn a_text_cannot_command_the_terminal() {
        assert_eq!(marks("a\x1b[2Jb\u{202e}", 1, 2), "1 | a\u{fffd}[2Jb\u{fffd}\n  |  ^");
        let issue = Issue::new("code", Span::new(0, 0), "found `\x1b[2J`");
        assert!(!issue.malformed().excerpt("x", "").to_string().contains('\x1b'));
    }

    #[test]
    fn what_is_not_to_be_seen_is_shown() {
        let hidden = "\n\r\u{7f}\u{9b}\u{ad}\u{61c}\u{180e}\u{200b}\u{200f}\u{2028}\u{2029}\u{202a}\u{202e}\u{2060}\u{2066}\
                      \u{feff}\u{fff9}\u{fffb}\u{e0000}\u{e007f}";
        for c in hidden.chars() {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
        }
        assert_eq!(printable("é\t例 ♔ e\u{301}"), "é    例 ♔ e\u{301}");
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let line = "a".repeat(500) + "X" + &"b".repeat(500);
        let shown = marks(&line, 500, 501);
        let (first, second) = shown.split_once('\n').unwrap();
        assert!(first.chars().count() <= SHOWN_COLUMNS + 6 && first.ends_with('…') && first.contains("…a"));
        assert_eq!(first.chars().position(|c| c == 'X'), second.chars().position(|c| c == '^'));
        assert_eq!(second.matches('^').count(), 1);
        assert!(marks(&line, 0, 900).matches('^').count() <= SHOWN_COLUMNS);
    }

    #[test]
    fn an_index_changes_nothing_but_the_work() {
        let line = "a".repeat(500) + "X\u{301}例\t" + &"b".repeat(500);
        for text in [line.clone(), format!("{line}\r\n{line}\n"), "\u{301}".repeat(2_000), "\r".repeat(3_000)]
        {
            let lines = LineIndex::of(&text);
            for start in (0..text.len() + 2).step_by(7) {
                let span = Span::new(start, start + 9);
                let shown = |source| {
                    Excerpt { name: "x", source, span, title: "t".into(), notes: vec![] }.to_string()
                };
                assert_eq!(shown(Source::Indexed(&text, &lines)), shown(Source::Text(&text)));
            }
        }
    }

    #[test]
    fn what_is_not_shown_of_a_line_is_not_looked_at() {
        for part in ["a", "\u{301}", "例", "a\n", "\r"] {
            let text = part.repeat(100_000);
            let lines = LineIndex::of(&text);
            for place in [0, 1, 30_000, 99_990] {
                let issue = Issue::new("code", Span::new(place * part.len(), text.len()), "m");
                let excerpt = issue.excerpt("x", Source::Indexed(&text, &lines));
                let (shown, looked) = looked_at(|| excerpt.to_string());
                assert!(looked < 8_000 && shown.len() < 6_000, "{part:?}: {looked}, {}", shown.len());
            }
        }
    }

    #[test]
    fn bytes_are_shown_as_a_hex_dump() {
        let bytes = b"CHESS64\x33\x99\xb8\x19\x56\xec\x17\x57\xed\x1c\x75\xff";
        let rows = |start, end| marks(&bytes[..], start, end);
        assert_eq!(
            rows(7, 9),
            "00000000 | 43 48 45 53 53 36 34 33  99 b8 19 56 ec 17 57 ed  |CHESS643...V..W.|\n         \
             |                      ^^^^^^"
        );
        // Marks end with the row, and the mark of a span at the end stands after the last byte.
        assert!(rows(15, 18).ends_with(" ^^"));
        assert_eq!(
            rows(19, 19),
            "00000010 | 1c 75 ff                                          |.u.|\n         |          ^^"
        );
        assert_eq!(marks(&bytes[..16], 16, 16).lines().last().map(str::len), Some(11 + 49 + 2));
        assert_eq!(marks(Source::Bytes(b""), 0, 4).lines().last(), Some("         | ^^"));
        let excerpt = Issue::new("code", Span::new(17, 18), "m").excerpt("x", &bytes[..]).to_string();
        assert!(excerpt.starts_with("warning[code]: m\n        --> x: byte 17\n         |\n00000010 | "));
    }

    #[test]
    fn bytes_have_one_line() {
        assert_eq!(Source::Bytes(b"a\nb").location(2), Location { line: 1, column: 3 });
        assert_eq!(Source::Text("a\nb").location(2), Location { line: 2, column: 1 });
    }
}
