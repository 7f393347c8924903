//! JSON, read without building a tree: the reader of a notation asks for the values that it expects, and
//! every error has its place.
//!
//! The library has no dependencies, and the objects of 5d-chess-js are few and flat, so this is all that it
//! needs. Reading is strict RFC 8259, and a repeated name in an object is refused, since programs disagree on
//! which one counts. Nesting is limited. Memory is linear in the text, and so is time, apart from the lookup
//! of names of an object.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use super::cursor::Cursor;
use super::error::{Issue, ParseError};
use super::span::Span;

/// The maximum nesting depth of arrays and objects.
pub(crate) const MAX_DEPTH: usize = 32;

/// The type of the next value, as its first byte shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
    Other,
}

/// A reader at a place in a JSON text.
pub(crate) struct Json<'t> {
    cursor: Cursor<'t>,
    depth: usize,
    /// Whether a comma may stand after the last part of an array or object.
    allows_trailing_commas: bool,
    /// The first comma of this kind.
    trailing_comma: Option<Span>,
}

impl<'t> Json<'t> {
    /// The beginning of a text.
    pub fn new(text: &'t str) -> Result<Json<'t>, ParseError> {
        let mut json = Json::at(text, 0);
        json.cursor.begin()?;
        json.space();
        Ok(json)
    }

    /// A reader for a value within a text that is not JSON as a whole.
    pub fn at(text: &'t str, at: usize) -> Json<'t> {
        Json { cursor: Cursor { text, at }, depth: 0, allows_trailing_commas: false, trailing_comma: None }
    }

    /// Allows a comma after the last part of an array or object, as some programs write and read it.
    pub fn with_trailing_commas(self) -> Json<'t> {
        Json { allows_trailing_commas: true, ..self }
    }

    /// The first comma after the last part of an array or object, if there was one.
    pub fn trailing_comma(&self) -> Option<Span> {
        self.trailing_comma
    }

    /// The byte at which the next value begins, after white space.
    pub fn offset(&self) -> usize {
        self.cursor.at
    }

    /// The span from `start` to the end of the value that was read last, without white space after it.
    pub fn span_from(&self, start: usize) -> Span {
        let end = self.cursor.text[start..self.cursor.at].trim_ascii_end().len();
        Span::new(start, start + end)
    }

    /// The span of the next character.
    pub fn here(&self) -> Span {
        self.cursor.span_here()
    }

    /// The type of the next value.
    pub fn kind(&self) -> Kind {
        match self.cursor.peek() {
            Some(b'n') => Kind::Null,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b'"') => Kind::String,
            Some(b'[') => Kind::Array,
            Some(b'{') => Kind::Object,
            _ => Kind::Other,
        }
    }

    /// Checks that the text ends here.
    pub fn end(&mut self) -> Result<(), ParseError> {
        if self.cursor.is_at_end() { Ok(()) } else { Err(self.expected("the end of the text")) }
    }

    /// The error that `what` was expected here.
    pub fn expected(&self, what: &str) -> ParseError {
        self.cursor.expected("unexpected-json", what).malformed()
    }

    /// Steps over `null` if it comes next.
    pub fn null(&mut self) -> bool {
        self.word("null")
    }

    pub fn boolean(&mut self) -> Result<bool, ParseError> {
        if self.word("true") {
            Ok(true)
        } else if self.word("false") {
            Ok(false)
        } else {
            Err(self.expected("`true` or `false`"))
        }
    }

    /// A number without fraction and exponent. A number that is too large or too small becomes the nearest
    /// `i64`.
    pub fn integer(&mut self) -> Result<(i64, Span), ParseError> {
        let start = self.cursor.at;
        let (text, span) = self.number()?;
        if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
            return Err(Issue::new("not-an-integer", span, "expected a whole number").malformed());
        }
        let limit = if self.cursor.text.as_bytes()[start] == b'-' { i64::MIN } else { i64::MAX };
        Ok((text.parse().unwrap_or(limit), span))
    }

    /// A string and its place, which includes the quotation marks.
    pub fn string(&mut self) -> Result<(Cow<'t, str>, Span), ParseError> {
        let start = self.cursor.at;
        if !self.cursor.eat("\"") {
            return Err(self.expected("a string"));
        }
        let first = self.cursor.at;
        let mut changed: Option<String> = None;
        loop {
            let plain = self.cursor.at;
            self.cursor.skip_while(|byte| byte != b'"' && byte != b'\\' && byte >= b' ');
            if let Some(text) = &mut changed {
                text.push_str(&self.cursor.text[plain..self.cursor.at]);
            }
            match self.cursor.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let so_far = &self.cursor.text[first..self.cursor.at];
                    let c = self.escape()?;
                    changed.get_or_insert_with(|| so_far.to_owned()).push(c);
                }
                Some(_) => {
                    return Err(
                        self.expected("a character of the string, or an escape such as `\\n` or `\\t`")
                    );
                }
                None => return Err(self.expected("`\"` at the end of the string")),
            }
        }
        let text = match changed {
            Some(text) => Cow::Owned(text),
            None => Cow::Borrowed(&self.cursor.text[first..self.cursor.at]),
        };
        self.cursor.at += 1;
        let span = self.cursor.span_from(start);
        self.space();
        Ok((text, span))
    }

    /// Reads an array; `item` reads each of its values.
    pub fn array(
        &mut self,
        mut item: impl FnMut(&mut Json<'t>) -> Result<(), ParseError>,
    ) -> Result<Span, ParseError> {
        let start = self.open("[", "an array")?;
        let mut is_first = true;
        while !self.cursor.eat("]") {
            if self.separator(&mut is_first, "]", "`,` or `]`")? {
                item(self)?;
            }
        }
        Ok(self.close(start))
    }

    /// Reads an object; `field` reads the value of each name and is given the name and its place.
    pub fn object(
        &mut self,
        mut field: impl FnMut(&mut Json<'t>, &str, Span) -> Result<(), ParseError>,
    ) -> Result<Span, ParseError> {
        let start = self.open("{", "an object")?;
        let mut is_first = true;
        let mut names = BTreeSet::new();
        while !self.cursor.eat("}") {
            if !self.separator(&mut is_first, "}", "`,` or `}`")? {
                continue;
            }
            let (name, span) = self.string()?;
            if !names.insert(name.clone()) {
                let message = format!("the key `{name}` is written twice");
                return Err(Issue::new("repeated-name", span, message).malformed());
            }
            if !self.cursor.eat(":") {
                return Err(self.expected("`:` after the key"));
            }
            self.space();
            field(self, &name, span)?;
        }
        Ok(self.close(start))
    }

    /// Steps over any value.
    pub fn skip(&mut self) -> Result<(), ParseError> {
        match self.kind() {
            Kind::Null if self.null() => Ok(()),
            Kind::Boolean => self.boolean().map(drop),
            Kind::Number => self.number().map(drop),
            Kind::String => self.string().map(drop),
            Kind::Array => self.array(Json::skip).map(drop),
            Kind::Object => self.object(|json, _, _| json.skip()).map(drop),
            Kind::Null | Kind::Other => Err(self.expected("a value")),
        }
    }

    fn open(&mut self, bracket: &str, what: &str) -> Result<usize, ParseError> {
        let start = self.cursor.at;
        if self.depth == MAX_DEPTH {
            let message = format!("expected at most {MAX_DEPTH} levels of nesting");
            return Err(Issue::new("nested-too-deeply", self.here(), message).malformed());
        }
        if !self.cursor.eat(bracket) {
            return Err(self.expected(what));
        }
        self.depth += 1;
        self.space();
        Ok(start)
    }

    fn close(&mut self, start: usize) -> Span {
        self.depth -= 1;
        let span = self.cursor.span_from(start);
        self.space();
        span
    }

    /// Steps over a comma, unless this is the first part, and returns whether a part follows.
    fn separator(&mut self, is_first: &mut bool, end: &str, what: &str) -> Result<bool, ParseError> {
        if std::mem::take(is_first) {
            return Ok(true);
        }
        let start = self.cursor.at;
        if !self.cursor.eat(",") {
            return Err(self.expected(what));
        }
        let comma = self.cursor.span_from(start);
        self.space();
        if self.allows_trailing_commas && self.cursor.rest().starts_with(end.as_bytes()) {
            self.trailing_comma.get_or_insert(comma);
            return Ok(false);
        }
        Ok(true)
    }

    fn number(&mut self) -> Result<(&'t str, Span), ParseError> {
        let start = self.cursor.at;
        let digit = |byte: u8| byte.is_ascii_digit();
        self.cursor.eat("-");
        let whole = self.cursor.at;
        self.cursor.skip_while(digit);
        let leading_zero = self.cursor.at > whole + 1 && self.cursor.text.as_bytes()[whole] == b'0';
        if self.cursor.at == whole {
            return Err(self.expected("a number"));
        }
        if leading_zero {
            let message = "expected a number without leading zeros";
            return Err(Issue::new("unexpected-json", self.cursor.span_from(start), message).malformed());
        }
        if self.cursor.eat(".") {
            self.digits()?;
        }
        if matches!(self.cursor.peek(), Some(b'e' | b'E')) {
            self.cursor.at += 1;
            if matches!(self.cursor.peek(), Some(b'+' | b'-')) {
                self.cursor.at += 1;
            }
            self.digits()?;
        }
        let span = self.cursor.span_from(start);
        self.space();
        Ok((span.of(self.cursor.text), span))
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let start = self.cursor.at;
        self.cursor.skip_while(|byte| byte.is_ascii_digit());
        if self.cursor.at == start { Err(self.expected("a digit")) } else { Ok(()) }
    }

    /// The character that an escape stands for.
    fn escape(&mut self) -> Result<char, ParseError> {
        let start = self.cursor.at;
        self.cursor.at += 1;
        let c = match self.cursor.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => c as char,
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.cursor.at += 1;
                return self.unicode(start);
            }
            _ => {
                self.cursor.at = start;
                return Err(self.expected("an escape such as `\\n` or `\\u0041`"));
            }
        };
        self.cursor.at += 1;
        Ok(c)
    }

    /// Reads `\u0041`, or two of these for a surrogate pair.
    fn unicode(&mut self, start: usize) -> Result<char, ParseError> {
        let first = self.hexadecimal()?;
        let code = if (0xd800..0xdc00).contains(&first) && self.cursor.eat("\\u") {
            let second = self.hexadecimal()?;
            let low = second.checked_sub(0xdc00).filter(|&low| low < 0x400);
            low.map(|low| 0x1_0000 + ((first - 0xd800) << 10) + low)
        } else {
            Some(first)
        };
        code.and_then(char::from_u32).ok_or_else(|| {
            let message = "this escape is half of a character that takes two of them";
            Issue::new("unexpected-json", self.cursor.span_from(start), message).malformed()
        })
    }

    fn hexadecimal(&mut self) -> Result<u32, ParseError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.cursor.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else { return Err(self.expected("a hexadecimal digit")) };
            code = code << 4 | digit;
            self.cursor.at += 1;
        }
        Ok(code)
    }

    fn word(&mut self, word: &str) -> bool {
        let comes = self.cursor.rest().starts_with(word.as_bytes())
            && !self.cursor.peek_at(word.len()).is_some_and(|byte| byte.is_ascii_alphanumeric());
        if comes {
            self.cursor.at += word.len();
            self.space();
        }
        comes
    }

    fn space(&mut self) {
        self.cursor.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }
}

/// Writes a string with its quotation marks.
pub(crate) fn write_string(text: &mut String, value: &str) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{:04x}", c as u32);
            }
            c => text.push(c),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a text is JSON; the error has its code and its place.
    fn check(text: &str) -> Result<(), (&'static str, u32)> {
        let whole = || {
            let mut json = Json::new(text)?;
            json.skip()?;
            json.end()
        };
        whole().map_err(|error: ParseError| (error.issue.code, error.span().start))
    }

    #[test]
    fn escapes_mean_their_characters() {
        for (text, value) in [
            (r#""\u00e9\ud83d\ude00""#, "é😀"),
            (r#""\ud800\udc00\udbff\udfff""#, "\u{10000}\u{10ffff}"),
            (r#""\\\"\/\b\f\n\r\t""#, "\\\"/\u{8}\u{c}\n\r\t"),
        ] {
            let (read, _) = Json::new(text).unwrap().string().unwrap();
            assert_eq!(&*read, value, "{text}");
        }
    }

    #[test]
    fn values_are_told_from_what_is_none() {
        for text in [
            "null",
            " true ",
            "false",
            "0",
            "-0",
            "12",
            "-1.5e+10",
            "1E-2",
            "\"\"",
            "\"a\\n\\u00e9\\ud83d\\ude00\"",
            "[]",
            "[ ]",
            "[1,[2,{}],\"x\"]",
            "{}",
            "{\"a\":1,\"b\":{\"a\":[]}}",
            "\u{feff}[1]",
            "\"é\u{7f}\"",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let unexpected = |at| Err(("unexpected-json", at));
        for (text, result) in [
            ("", unexpected(0)),
            ("nul", unexpected(0)),
            ("nulls", unexpected(0)),
            ("01", unexpected(0)),
            ("-", unexpected(1)),
            ("1.", unexpected(2)),
            ("1e", unexpected(2)),
            ("+1", unexpected(0)),
            ("\"", unexpected(1)),
            ("\"\n\"", unexpected(1)),
            ("\"\\x\"", unexpected(1)),
            ("\"\\u12g4\"", unexpected(5)),
            ("\"\\ud800\"", unexpected(1)),
            ("\"\\ud800\\u0041\"", unexpected(1)),
            ("\"\\udc00\"", unexpected(1)),
            ("[1", unexpected(2)),
            ("[1,]", unexpected(3)),
            ("[1 2]", unexpected(3)),
            ("{1:2}", unexpected(1)),
            ("{\"a\" 1}", unexpected(5)),
            ("{\"a\":1,}", unexpected(7)),
            ("[] x", unexpected(3)),
            ("'a'", unexpected(0)),
            ("{\"a\":1,\"\\u0061\":2}", Err(("repeated-name", 7))),
        ] {
            assert_eq!(check(text), result, "{text}");
        }
    }

    #[test]
    fn a_comma_after_the_last_part_is_allowed_on_request() {
        let check = |text: &str| -> Result<Option<u32>, u32> {
            let mut json = Json::new(text).unwrap().with_trailing_commas();
            json.skip().and_then(|()| json.end()).map_err(|error| error.span().start)?;
            Ok(json.trailing_comma().map(|comma| comma.start))
        };
        assert_eq!(check("[1,2]"), Ok(None));
        assert_eq!(check("[[1 , ], {\"a\":1,},]"), Ok(Some(4)));
        assert_eq!(check("[,]"), Err(1));
        assert_eq!(check("[1,,]"), Err(3));
        assert_eq!(check("{,}"), Err(1));
        assert_eq!(check("[1,}"), Err(3));
    }

    #[test]
    fn values_are_read() {
        let string = |text: &str| Json::new(text).unwrap().string().map(|(value, _)| value.into_owned());
        assert_eq!(string(r#""a\"\\\/\b\f\n\r\tA😀b""#).unwrap(), "a\"\\/\u{8}\u{c}\n\r\tA😀b");
        let integer = |text: &str| Json::new(text).unwrap().integer().map(|(value, _)| value);
        assert_eq!(integer("-12"), Ok(-12));
        assert_eq!(integer("99999999999999999999"), Ok(i64::MAX));
        assert_eq!(integer("-99999999999999999999"), Ok(i64::MIN));
        assert_eq!(integer("1.0").unwrap_err().issue.code, "not-an-integer");
        let mut json = Json::new("{ \"a\" : [ 1 , 2 ] , \"b\" : true } ").unwrap();
        let mut found = Vec::new();
        let span = json.object(|json, name, span| {
            found.push((name.to_owned(), span.start));
            json.skip()
        });
        assert_eq!(span, Ok(Span::new(0, 32)));
        assert_eq!(found, [("a".to_owned(), 2), ("b".to_owned(), 20)]);
        assert_eq!(json.end(), Ok(()));
    }

    #[test]
    fn strings_are_written_and_read_back() {
        for value in ["", "plain", "a\"b\\c/d", "\n\r\t\u{0}\u{1f}", "é😀\u{2028}"] {
            let mut text = String::new();
            write_string(&mut text, value);
            assert!(text.bytes().all(|byte| byte >= b' '));
            assert_eq!(Json::new(&text).unwrap().string().unwrap().0, value);
        }
    }

    #[test]
    fn nesting_is_limited_and_long_objects_are_linear() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(check(&nested(MAX_DEPTH)), Ok(()));
        assert_eq!(check(&nested(MAX_DEPTH + 1)), Err(("nested-too-deeply", MAX_DEPTH as u32)));
        assert_eq!(check(&nested(1_000_000)).unwrap_err().0, "nested-too-deeply");
        let names: Vec<String> = (0..50_000).map(|n| format!("\"{n}\":0")).collect();
        assert_eq!(check(&format!("{{{}}}", names.join(","))), Ok(()));
        assert_eq!(check(&format!("{{{},\"49999\":1}}", names.join(","))).unwrap_err().0, "repeated-name");
    }
}
