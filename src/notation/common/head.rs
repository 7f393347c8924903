//! The beginning of a text, from which its notation is detected.

use super::cursor::Cursor;
use super::header::Header;
use super::lines::after_mark;
use super::work::look_at;

/// The number of bytes at the beginning of a text that detection reads.
pub const DETECTION_BYTES: usize = 1 << 16;

/// The beginning of a text, split into headers, boards and moves without knowledge of the notation.
pub(crate) struct Head<'t> {
    /// The bytes as they are, for notations that are not text.
    pub bytes: &'t [u8],
    /// The text from its first significant character on: after a byte order mark and white space.
    pub text: &'t str,
    /// The headers `[Name "value"]` at the beginning.
    pub headers: Vec<(&'t str, &'t str)>,
    /// Whether boards `[rows:timeline:turn:colour]` follow.
    pub has_boards: bool,
    /// The rest after headers, boards and comments in braces.
    pub moves: &'t str,
}

impl<'t> Head<'t> {
    /// The first lines of the moves that are not empty, however lines end.
    pub(crate) fn lines(&self, most: usize) -> impl Iterator<Item = &'t str> + use<'t> {
        self.moves.split(['\n', '\r']).filter(|line| !line.is_empty()).take(most)
    }

    pub(crate) fn of(bytes: &'t [u8]) -> Head<'t> {
        let shown = &bytes[..bytes.len().min(DETECTION_BYTES)];
        look_at(shown.len());
        // The cut may fall inside a character.
        let text = match std::str::from_utf8(shown) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => {
                std::str::from_utf8(&shown[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => "",
        };
        let text = after_mark(text).trim_ascii_start();
        let mut head = Head { bytes, text, headers: Vec::new(), has_boards: false, moves: text };
        head.take_apart();
        head
    }

    /// Steps over headers, boards and comments and keeps the headers.
    fn take_apart(&mut self) {
        loop {
            let rest = self.moves.trim_ascii_start();
            self.moves = rest;
            let after = match rest.bytes().next() {
                Some(b'{') => comment_end(rest),
                Some(b'[') => self.header(rest).or_else(|| self.board(rest)),
                _ => None,
            };
            let Some(after) = after else { return };
            look_at(after);
            self.moves = &rest[after..];
        }
    }

    fn header(&mut self, text: &'t str) -> Option<usize> {
        let mut cursor = Cursor::new(text);
        let header = Header::read(&mut cursor).ok()?;
        self.headers.push((header.key.of(text), header.value.of(text)));
        Some(cursor.at)
    }

    fn board(&mut self, text: &str) -> Option<usize> {
        look_at(text.find(']').unwrap_or(text.len()));
        let end = text.find(']')?;
        let inner = &text[1..end];
        let is_board = inner.bytes().filter(|&byte| byte == b':').count() == 3
            && !inner.bytes().any(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'{' | b'['));
        self.has_boards |= is_board;
        is_board.then_some(end + 1)
    }

    /// The value of a header; the case of its name does not matter.
    pub fn header_value(&self, name: &str) -> Option<&'t str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }

    /// Whether there is a header that only 5DPGN has.
    pub(crate) fn has_5d_header(&self) -> bool {
        let own = ["Size", "Timelines", "Timeline", "Rules", "Puzzle"];
        // In PGN, `Board` is the number of a board in a match.
        let names_a_start = self.header_value("Board").is_some_and(|name| name.parse::<u32>().is_err());
        names_a_start || own.iter().any(|name| self.header_value(name).is_some())
    }
}

/// The end of the comment that begins here. Braces in it are in pairs, as in 5DPGN; where they are not, the first closing one
/// ends it, as in PGN.
fn comment_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    let nested = text.bytes().position(|byte| {
        depth += i32::from(byte == b'{') - i32::from(byte == b'}');
        depth == 0
    });
    nested.or_else(|| text.find('}')).map(|end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_text_is_taken_apart() {
        let head =
            Head::of(b"\xef\xbb\xbf [A \"b \\\"c\\\"\"] [D \"\"]\r\n[k1/1K:0:1:w] {x [y] z} 1. e4 [z]");
        assert_eq!(head.headers, [("A", "b \\\"c\\\""), ("D", "")]);
        assert_eq!((head.has_boards, head.moves), (true, "1. e4 [z]"));
        assert_eq!(head.header_value("a"), Some("b \\\"c\\\""));
        assert_eq!(Head::of(b"[{\"a\":1}]").moves, "[{\"a\":1}]");
        assert_eq!(Head::of(b"{a {b} 1. e4} c").moves, "c");
        assert_eq!(Head::of(b"{a {b} 1. e4").moves, "1. e4");
        assert_eq!(Head::of(b"\xff\xfe").text, "");
    }
}
