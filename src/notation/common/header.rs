//! Headers `[Name "value"]`, which several notations share: reading, also for detection, and writing.

use std::borrow::Cow;

use super::cursor::Cursor;
use super::error::ParseError;
use super::game::Loss;
use super::json::Json;
use super::span::Span;

/// `[key "value"]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// All of it.
    pub span: Span,
    /// The name.
    pub key: Span,
    /// The part between the quotation marks.
    pub value: Span,
}

impl Header {
    /// Reads the header at the cursor, which stands at its bracket. A name consists of visible characters
    /// without brackets and quotation marks; the value ends at the end of the line at the latest.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Header, ParseError> {
        Header::read_with(cursor, |cursor, _| {
            skip_value(cursor);
            Ok(())
        })
    }

    /// Like [`Header::read`], but the value of `Variant` may be a board as JSON, with unescaped quotation
    /// marks.
    pub(crate) fn read_with_json(cursor: &mut Cursor<'_>) -> Result<Header, ParseError> {
        Header::read_with(cursor, |cursor, key| {
            if cursor.peek() == Some(b'{') && key.eq_ignore_ascii_case("variant") {
                let start = cursor.at;
                let mut json = Json::at(cursor.text, start);
                json.skip()?;
                cursor.at = json.span_from(start).range().end;
            } else {
                skip_value(cursor);
            }
            Ok(())
        })
    }

    /// Like [`Header::read`], but `skip_value` steps over the value of the header; it is given the name.
    fn read_with<'t>(
        cursor: &mut Cursor<'t>,
        skip_value: impl FnOnce(&mut Cursor<'t>, &str) -> Result<(), ParseError>,
    ) -> Result<Header, ParseError> {
        let start = cursor.at;
        cursor.at += 1;
        cursor.skip_blanks();
        let key_start = cursor.at;
        cursor.skip_while(is_name_byte);
        let key = cursor.span_from(key_start);
        cursor.skip_blanks();
        if key.start == key.end || !cursor.eat("\"") {
            let issue = cursor.expected("malformed-header", "a name and a value in quotation marks");
            return Err(issue.hint("a header reads `[Mode \"5D\"]`").malformed());
        }
        let value_start = cursor.at;
        skip_value(cursor, key.of(cursor.text))?;
        let value = cursor.span_from(value_start);
        if !cursor.eat("\"") {
            let issue = cursor.expected("unclosed-header", "`\"` after the value of the header");
            return Err(issue.malformed());
        }
        cursor.skip_blanks();
        if !cursor.eat("]") {
            return Err(cursor.expected("unclosed-header", "`]` after the header").malformed());
        }
        Ok(Header { span: cursor.span_from(start), key, value })
    }

    /// The value, with `\"` and `\\` undone.
    pub fn value<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let raw = self.value.of(text);
        if !raw.contains('\\') {
            return Cow::Borrowed(raw);
        }
        let mut value = String::with_capacity(raw.len());
        let mut rest = raw.chars().peekable();
        while let Some(c) = rest.next() {
            let escaped = if c == '\\' { rest.next_if(|&next| next == '"' || next == '\\') } else { None };
            value.push(escaped.unwrap_or(c));
        }
        Cow::Owned(value)
    }
}

/// The headers that a game keeps: all but those that describe its start.
pub(crate) fn kept(
    headers: &[Header],
    text: &str,
    is_about_start: impl Fn(&Header, &str) -> bool,
) -> Vec<(String, String)> {
    let kept = headers.iter().filter(|header| !is_about_start(header, text));
    kept.map(|header| (header.key.of(text).to_owned(), header.value(text).into_owned())).collect()
}

/// Whether the name of a header may hold this byte.
fn is_name_byte(byte: u8) -> bool {
    !matches!(byte, b' ' | b'"' | b'[' | b']') && !byte.is_ascii_control()
}

/// Steps over the value of a header, up to its quotation mark or the end of the line. `\"` and `\\` stand for
/// one character.
fn skip_value(cursor: &mut Cursor<'_>) {
    loop {
        cursor.skip_while(|byte| !matches!(byte, b'"' | b'\\' | b'\n' | b'\r'));
        match cursor.peek() {
            Some(b'\\') if matches!(cursor.peek_at(1), Some(b'"' | b'\\')) => cursor.at += 2,
            Some(b'\\') => cursor.at += 1,
            _ => return,
        }
    }
}

/// Writes a line `[key "value"]`. Line ends in the value become blanks.
pub(crate) fn write(text: &mut String, key: &str, value: &str) {
    text.push('[');
    text.push_str(key);
    text.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' | '\r' => text.push(' '),
            _ => text.push(c),
        }
    }
    text.push_str("\"]\n");
}

/// Writes a header of a game. Records a loss if it is left out, because its name cannot be read again or
/// `is_reserved` for another meaning, and if its value loses line ends.
pub(crate) fn write_kept(
    text: &mut String,
    (key, value): (&str, &str),
    is_reserved: bool,
    losses: &mut Vec<Loss>,
) {
    if is_reserved || key.is_empty() || !key.bytes().all(is_name_byte) {
        losses.push(Loss::new(format!("the header `{key}`")));
        return;
    }
    if value.contains(['\n', '\r']) {
        losses.push(Loss::new(format!("the line breaks in the header `{key}`")));
    }
    write(text, key, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, String), String> {
        let mut cursor = Cursor::new(text);
        let header = Header::read(&mut cursor).map_err(|error| error.issue.code.to_string())?;
        assert_eq!(header.span.of(text), text);
        Ok((header.key.of(text).to_string(), header.value(text).into_owned()))
    }

    #[test]
    fn what_is_kept_reads_back() {
        for (key, value, kept, lost) in [
            ("Event", "a \"b\" \\ \\\" é", "a \"b\" \\ \\\" é", None),
            ("Ort-é", "", "", None),
            ("Event", "two\r\nlines", "two  lines", Some("the line breaks in the header `Event`")),
        ] {
            let (mut text, mut losses) = (String::new(), Vec::new());
            write_kept(&mut text, (key, value), false, &mut losses);
            assert_eq!(read(text.trim_end_matches('\n')), Ok((key.to_string(), kept.to_string())));
            assert_eq!(losses.first().map(|loss| &*loss.what), lost);
        }
        for key in ["", "a b", "a\u{1}", "a]", "[a", "a\"", "a\u{7f}"] {
            let (mut text, mut losses) = (String::new(), Vec::new());
            write_kept(&mut text, (key, "value"), false, &mut losses);
            assert_eq!((text.as_str(), losses.len()), ("", 1), "{key:?}");
        }
    }

    #[test]
    fn what_is_no_header_is_refused() {
        for (text, code) in [
            ("[]", "malformed-header"),
            ("[\"value\"]", "malformed-header"),
            ("[Ev\u{1}ent \"value\"]", "malformed-header"),
            ("[Event \"value", "unclosed-header"),
            ("[Event \"value\\\"]", "unclosed-header"),
            ("[Event \"value\n\"]", "unclosed-header"),
            ("[Event \"value\" x]", "unclosed-header"),
        ] {
            assert_eq!(read(text), Err(code.to_string()), "{text}");
        }
    }
}
