//! What goes wrong when text is read, and how to show it.
//!
//! An [`Issue`] says what is wrong and where. Every reader refuses its input with a [`ReadError`], which sorts the issue
//! into one of three classes; an issue that does not prevent reading is a warning. An [`Excerpt`] shows either in its
//! text, and knows nothing about notations, so that it serves any text with lines.

use std::fmt;
use std::ops::Range;

/// A range of bytes of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`. Offsets beyond 4 GiB are not supported and stop there.
    pub fn new(start: usize, end: usize) -> Span {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text of the range; empty when the range does not fit `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// The range of both and of what lies between them.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Something to say about a range of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issue {
    /// A stable name for the kind of issue, such as `missing-destination`.
    pub code: &'static str,
    /// Where in the text it is.
    pub span: Span,
    /// What it is: a lowercase phrase without a full stop.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
}

impl Issue {
    /// An issue without a hint.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Issue {
        Issue { code, span, message: message.into(), hint: None }
    }

    /// The issue with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Issue {
        self.hint = Some(hint.into());
        self
    }

    /// The error of a text that cannot be parsed because of this.
    pub fn malformed(self) -> ReadError {
        ReadError::Malformed(self)
    }

    /// The error of a text that breaks a rule in this way.
    pub fn illegal(self) -> ReadError {
        ReadError::Illegal(self)
    }

    /// The error of a text that can be understood in more than one way.
    pub fn ambiguous(self) -> ReadError {
        ReadError::Ambiguous(self)
    }

    /// The issue as a warning, shown in its text, which came from the file or place `name`.
    pub fn excerpt<'a>(&self, name: &'a str, text: &'a str) -> Excerpt<'a> {
        Excerpt {
            name,
            text,
            span: self.span,
            title: format!("warning[{}]: {}", self.code, self.message),
            notes: self.hint.iter().map(|hint| format!("hint: {hint}")).collect(),
        }
    }
}

/// Why a text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// The text does not parse.
    Malformed(Issue),
    /// The text parses and breaks a rule of the game.
    Illegal(Issue),
    /// The text parses and fits more than one move or position.
    Ambiguous(Issue),
}

impl ReadError {
    /// What is wrong.
    pub fn issue(&self) -> &Issue {
        match self {
            ReadError::Malformed(issue) | ReadError::Illegal(issue) | ReadError::Ambiguous(issue) => issue,
        }
    }

    /// The same class of error with another issue.
    pub(super) fn map(self, change: impl FnOnce(Issue) -> Issue) -> ReadError {
        match self {
            ReadError::Malformed(issue) => ReadError::Malformed(change(issue)),
            ReadError::Illegal(issue) => ReadError::Illegal(change(issue)),
            ReadError::Ambiguous(issue) => ReadError::Ambiguous(change(issue)),
        }
    }

    /// `malformed`, `illegal` or `ambiguous`.
    pub fn class(&self) -> &'static str {
        match self {
            ReadError::Malformed(_) => "malformed",
            ReadError::Illegal(_) => "illegal",
            ReadError::Ambiguous(_) => "ambiguous",
        }
    }

    /// Where in the text it is.
    pub fn span(&self) -> Span {
        self.issue().span
    }

    /// The error shown in its text, which came from the file or place `name`.
    pub fn excerpt<'a>(&self, name: &'a str, text: &'a str) -> Excerpt<'a> {
        let Issue { code, message, hint, .. } = self.issue();
        Excerpt {
            name,
            text,
            span: self.span(),
            title: format!("error[{code}]: {}: {message}", self.class()),
            notes: hint.iter().map(|hint| format!("hint: {hint}")).collect(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class(), self.issue().message)
    }
}

impl std::error::Error for ReadError {}

/// The text of these bytes.
///
/// # Errors
///
/// When they are not UTF-8. The span is the first wrong byte.
pub fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let span = Span::new(at, at + error.error_len().unwrap_or(bytes.len() - at));
        let message = format!("expected UTF-8 text, but found the byte {:#04x}", bytes[at]);
        Issue::new("not-utf-8", span, message).malformed()
    })
}

/// Line and column of a byte, both counted from 1. A column is a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Location {
    /// The line.
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl Location {
    /// Where byte `offset` of `text` is. An offset beyond the end means the end.
    pub fn of(text: &str, offset: usize) -> Location {
        let before = &text[..floor_char_boundary(text, offset)];
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
#[derive(Clone, Debug)]
pub struct Excerpt<'a> {
    /// Where the text came from, such as a path.
    pub name: &'a str,
    /// The whole text.
    pub text: &'a str,
    /// What to mark.
    pub span: Span,
    /// The first line.
    pub title: String,
    /// More lines, after the marks.
    pub notes: Vec<String>,
}

/// The most columns of a line that are shown.
const SHOWN_COLUMNS: usize = 100;

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = floor_char_boundary(self.text, self.span.start as usize);
        let end = floor_char_boundary(self.text, self.span.end as usize).max(start);
        let location = Location::of(self.text, start);
        let line_start = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
        let line = self.text[line_start..line_end].trim_end_matches('\r');
        let (shown, marked) = window(line, start - line_start, end.min(line_end) - line_start);

        let number = location.line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(f, "{}", printable(&self.title))?;
        writeln!(f, "{margin}--> {}:{location}", printable(self.name))?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{number} | {shown}")?;
        write!(f, "{margin} | {}{}", " ".repeat(marked.start), "^".repeat(marked.len().max(1)))?;
        for note in &self.notes {
            write!(f, "\n{margin} = {}", printable(note))?;
        }
        Ok(())
    }
}

/// The part of a line around the bytes `start..end` as a terminal shows it, and the columns that they take.
fn window(line: &str, start: usize, end: usize) -> (String, Range<usize>) {
    let columns = |text: &str| text.chars().map(width).sum::<usize>();
    let start = start.min(line.len());
    let end = end.clamp(start, line.len());
    let is_long = columns(line) > SHOWN_COLUMNS;
    let cut = if is_long { last_columns(&line[..start], SHOWN_COLUMNS / 3) } else { 0 };

    let mut shown = String::new();
    let mut column = 0;
    if cut > 0 {
        shown.push('…');
        column += 1;
    }
    let first = column + columns(&line[cut..start]);
    let last = (column + columns(&line[cut..end])).min(SHOWN_COLUMNS);
    for c in line[cut..].chars() {
        column += width(c);
        if column > SHOWN_COLUMNS {
            shown.push('…');
            break;
        }
        push_printable(&mut shown, c);
    }
    (shown, first..last.max(first))
}

/// Where the last so many columns of a text begin.
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

/// What is shown for a tab.
const TAB: &str = "    ";

/// The text without what a terminal would obey.
pub(super) fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| push_printable(&mut shown, c));
    shown
}

/// A text must not be able to move the cursor of a terminal or to turn the direction of writing round.
fn push_printable(shown: &mut String, c: char) {
    match c {
        '\t' => shown.push_str(TAB),
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => shown.push('\u{fffd}'),
        c if c.is_control() => shown.push('\u{fffd}'),
        c => shown.push(c),
    }
}

/// The columns that a character takes on a terminal, nearly: exact for what notations use.
fn width(c: char) -> usize {
    match c as u32 {
        0x09 => TAB.len(),
        0x0300..=0x036f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str, start: usize, end: usize) -> String {
        let excerpt =
            Excerpt { name: "x", text, span: Span::new(start, end), title: "error: t".into(), notes: vec![] };
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
    fn bytes_that_are_not_text_are_refused_at_their_offset() {
        assert_eq!(text_of(b"1. e4"), Ok("1. e4"));
        assert_eq!(text_of(b"1. \xff e4").unwrap_err().span(), Span::new(3, 4));
        assert_eq!(text_of(b"1. \xe2\x82").unwrap_err().span(), Span::new(3, 5));
    }

    #[test]
    fn locations_count_characters() {
        assert_eq!(Location::of("é\nab", 4).to_string(), "2:2");
        assert_eq!(Location::of("é\nab", 99).to_string(), "2:3");
        assert_eq!(Location::of("é", 1).to_string(), "1:1");
    }
}
