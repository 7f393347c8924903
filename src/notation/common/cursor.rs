//! A cursor that reads a text byte by byte, and the parts that several notations share.

use super::error::{Issue, ParseError};
use super::game::MAX_INPUT_BYTES;
use super::label::{Label, Sign};
use super::lines::{after_mark, mark_length};
use super::span::Span;
use super::work::look_at;
use crate::state::{LAST_TURN, MAX_TIMELINES};
use crate::types::{Color, Square};

/// A place in a text. Offsets are in bytes; the cursor only ever stops between characters.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl<'t> Cursor<'t> {
    pub fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// Checks the length of the text and steps over a byte order mark at its beginning.
    pub fn begin(&mut self) -> Result<(), ParseError> {
        check_length(self.text.len())?;
        self.at = mark_length(self.text);
        Ok(())
    }

    /// The part of the line that stands before this place.
    pub fn line_before(&self) -> &'t str {
        let before = after_mark(&self.text[..self.at]);
        before.rfind(['\n', '\r']).map_or(before, |end| &before[end + 1..])
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    /// The byte `ahead` bytes further on.
    #[inline]
    pub fn peek_at(&self, ahead: usize) -> Option<u8> {
        look_at(1);
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    pub fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The number of bytes from here to the first byte of this kind, or to the end.
    pub fn bytes_before(&self, kind: impl Fn(u8) -> bool) -> usize {
        let rest = self.rest();
        let bytes = rest.iter().position(|&byte| kind(byte)).unwrap_or(rest.len());
        look_at(bytes + 1);
        bytes
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Steps over this text if it comes next.
    #[inline]
    pub fn eat(&mut self, text: &str) -> bool {
        look_at(text.len());
        let comes = self.rest().starts_with(text.as_bytes());
        if comes {
            self.at += text.len();
        }
        comes
    }

    /// Steps over bytes as long as they are of this kind. The kind must not include parts of multi-byte
    /// characters.
    pub fn skip_while(&mut self, kind: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&kind) {
            self.at += 1;
        }
    }

    pub fn skip_whitespace(&mut self) {
        self.skip_while(|byte| byte.is_ascii_whitespace());
    }

    /// Steps over blanks within the line.
    pub fn skip_blanks(&mut self) {
        self.skip_while(|byte| byte == b' ' || byte == b'\t');
    }

    /// Steps over the rest of the line, up to the line end: `\n`, `\r\n`, or the `\r` of old files.
    pub fn skip_line(&mut self) {
        self.skip_while(|byte| !matches!(byte, b'\n' | b'\r'));
    }

    /// The span from `start` to here.
    pub fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// The span of the next character; empty at the end.
    pub fn span_here(&self) -> Span {
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }

    /// Names the next character, for messages that end with "but found ...".
    pub fn found(&self) -> String {
        match self.text[self.at..].chars().next() {
            None => "the end of the text".into(),
            Some('\n' | '\r') => "the end of the line".into(),
            Some(c) if c.is_whitespace() => "a blank".into(),
            Some(c) if c.is_control() => format!("{c:?}"),
            Some(c) => format!("`{c}`"),
        }
    }

    /// The issue that `what` was expected here.
    pub fn expected(&self, code: &'static str, what: &str) -> Issue {
        Issue::new(code, self.span_here(), format!("expected {what}, but found {}", self.found()))
    }

    /// A number in decimal digits; one that is too large becomes `u32::MAX`.
    pub fn number(&mut self) -> Option<u32> {
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let value = number.unwrap_or(0u32);
            number = Some(value.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
            self.at += 1;
        }
        number
    }

    /// A turn number.
    pub fn turn(&mut self) -> Result<i16, ParseError> {
        let start = self.at;
        let Some(number) = self.number() else {
            let issue = self.expected("missing-turn", "a turn number");
            let hint = "turns are counted from 1, or from 0 if the start has a turn zero";
            let is_negative = self.peek() == Some(b'-');
            return Err(if is_negative { issue.hint(hint) } else { issue }.malformed());
        };
        i16::try_from(number).ok().filter(|&turn| turn <= LAST_TURN).ok_or_else(|| {
            let message = format!("expected a turn number up to {LAST_TURN}");
            Issue::new("number-too-large", self.span_from(start), message).malformed()
        })
    }

    /// A timeline label, if digits or a sign come next.
    pub fn label(&mut self) -> Result<Option<Label>, ParseError> {
        let start = self.at;
        let sign = match self.peek() {
            Some(b'+') => Some(Sign::Plus),
            Some(b'-') => Some(Sign::Minus),
            Some(b'0'..=b'9') => None,
            _ => return Ok(None),
        };
        self.at += usize::from(sign.is_some());
        let Some(number) = self.number() else {
            return Err(self.expected("missing-timeline", "a timeline number").malformed());
        };
        match u16::try_from(number) {
            Ok(number) if usize::from(number) <= MAX_TIMELINES => Ok(Some(Label { sign, number })),
            _ => {
                let message = format!("expected a timeline number up to {MAX_TIMELINES}");
                Err(Issue::new("number-too-large", self.span_from(start), message).malformed())
            }
        }
    }

    /// A file letter, counted from 0.
    pub fn file(&mut self) -> Option<u8> {
        let file = file_of(self.peek()?)?;
        self.at += 1;
        Some(file)
    }

    /// A rank digit, counted from 0.
    pub fn rank(&mut self) -> Option<u8> {
        let rank = rank_of(self.peek()?)?;
        self.at += 1;
        Some(rank)
    }

    /// A square: a file letter and a rank digit.
    pub fn square(&mut self) -> Option<Square> {
        let file = file_of(self.peek()?)?;
        let rank = rank_of(self.peek_at(1)?)?;
        self.at += 2;
        Square::new(file, rank)
    }

    /// `w` or `b`, also as a capital.
    pub fn color(&mut self) -> Option<Color> {
        let color = match self.peek()? {
            b'w' | b'W' => Color::White,
            b'b' | b'B' => Color::Black,
            _ => return None,
        };
        self.at += 1;
        Some(color)
    }
}

/// Refuses an input that is longer than is supported.
pub(crate) fn check_length(bytes: usize) -> Result<(), ParseError> {
    if bytes <= MAX_INPUT_BYTES {
        return Ok(());
    }
    let message = format!("expected a text of at most {MAX_INPUT_BYTES} bytes");
    Err(Issue::new("text-too-long", Span::new(0, 0), message).malformed())
}

/// 0 for `a`.
pub(crate) fn file_of(byte: u8) -> Option<u8> {
    byte.checked_sub(b'a').filter(|&file| file < 8)
}

/// 0 for `1`.
pub(crate) fn rank_of(byte: u8) -> Option<u8> {
    byte.checked_sub(b'1').filter(|&rank| rank < 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Parity;

    #[test]
    fn labels_are_read_with_and_without_sign() {
        let label = |text: &str| Cursor::new(text).label();
        let timeline = |text, parity| label(text).unwrap().unwrap().timeline(parity).map(|l| l.0);
        for (text, odd, even) in [
            ("0", Some(0), None),
            ("-0", Some(0), Some(-1)),
            ("+0", Some(0), Some(0)),
            ("1", Some(1), Some(1)),
            ("+1", Some(1), Some(1)),
            ("-1", Some(-1), Some(-2)),
        ] {
            assert_eq!((timeline(text, Parity::Odd), timeline(text, Parity::Even)), (odd, even), "{text}");
        }
        assert_eq!(label("x"), Ok(None));
        assert_eq!(label("-x").unwrap_err().issue.code, "missing-timeline");
        assert_eq!(label("99999999999999").unwrap_err().issue.code, "number-too-large");
    }

    #[test]
    fn turns_are_checked_before_they_become_half_turns() {
        assert_eq!(Cursor::new("16000").turn(), Ok(16000));
        assert_eq!(Cursor::new("16001").turn().unwrap_err().issue.code, "number-too-large");
        assert_eq!(Cursor::new("99999999999").turn().unwrap_err().issue.code, "number-too-large");
        let missing = |text| Cursor::new(text).turn().unwrap_err().issue.clone();
        assert_eq!((missing("").code, missing("").hint), ("missing-turn", None));
        assert!(missing("-1").hint.is_some_and(|hint| hint.contains("turn zero")));
    }
}
