//! Splits a text into the games that it contains.

use std::collections::BTreeSet;

use super::cursor::Cursor;
use super::header::Header;
use super::lines::after_mark;
use super::span::Span;

/// The games of a text, one after the other. A new game begins at a header line if moves stand before it, or
/// if an empty line does and the game has a header of that name already. So one game may have empty lines
/// between its headers, but no repeated header after one.
///
/// ```
/// use worldlines::notation::games;
///
/// let text = "[White \"Ada\"]\n1. e4 / e5\n\n[White \"Bob\"]\n1. d4\n";
/// let parts: Vec<&str> = games(text).into_iter().map(|game| game.of(text)).collect();
/// assert_eq!(parts, ["[White \"Ada\"]\n1. e4 / e5\n\n", "[White \"Bob\"]\n1. d4\n"]);
/// ```
pub fn games(text: &str) -> Vec<Span> {
    let mut begins = vec![0];
    let mut headers: BTreeSet<&str> = BTreeSet::new();
    let (mut has_moves, mut after_empty_line, mut in_comment) = (false, false, false);
    for (at, line) in lines(text) {
        if let Some(key) = header_name(line).filter(|_| !in_comment) {
            if has_moves || after_empty_line && headers.contains(key) {
                begins.push(at);
                headers.clear();
                has_moves = false;
            }
            headers.insert(key);
        } else {
            has_moves |= !matches!(first_outside_comments(line, &mut in_comment), None | Some(b'['));
        }
        after_empty_line = line.trim().is_empty();
    }
    begins.push(text.len());
    begins.windows(2).map(|ends| Span::new(ends[0], ends[1])).collect()
}

/// The lines of a text, each with the byte at which it begins. A byte order mark at the beginning of a line
/// is left out: joined files may have several.
pub(in crate::notation) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let parts = text.split_inclusive(['\n', '\r']).map(move |line| {
        at += line.len();
        (at - line.len(), after_mark(line))
    });
    // The second half of `\r\n` is no line.
    parts.filter(|&(at, line)| line != "\n" || !text[..at].ends_with('\r'))
}

/// The name of the header with which a line begins.
fn header_name(line: &str) -> Option<&str> {
    let mut cursor = Cursor::new(line);
    cursor.skip_whitespace();
    if cursor.peek() != Some(b'[') {
        return None;
    }
    let header = Header::read(&mut cursor.clone()).or_else(|_| Header::read_with_json(&mut cursor));
    header.ok().map(|header| header.key.of(line))
}

/// The first visible byte of a line outside comments (in braces, or after `;`). `in_comment` says whether a
/// comment in braces is open, before the line and then after it.
fn first_outside_comments(line: &str, in_comment: &mut bool) -> Option<u8> {
    let mut first = None;
    for byte in line.bytes() {
        match (*in_comment, byte) {
            (true, b'}') => *in_comment = false,
            (true, _) => {}
            (false, b'{') => *in_comment = true,
            (false, b';') => break,
            (false, byte) if !byte.is_ascii_whitespace() => first = first.or(Some(byte)),
            (false, _) => {}
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        games(text).into_iter().map(|game| game.of(text)).collect()
    }

    #[test]
    fn a_game_without_headers_is_one_game() {
        for text in ["", "1. e4 / e5", "1. e4\n\n1. d4", "[k2/3/K2:0:1:w]\n1. Kb1\n[k2/3/K2:0:1:w]"] {
            assert_eq!(parts(text), [text]);
        }
    }

    #[test]
    fn headers_of_one_game_may_be_divided() {
        let text =
            "{ a } [White \"A\"]\n\n[Black \"B\"]\n; [Event \"x\"]\n[k2/3/K2:0:1:w]\n[Result \"*\"]\n1. Kb1";
        assert_eq!(parts(text), [text]);
    }

    #[test]
    fn a_comment_holds_no_header() {
        let text = "1. e4 {\n[White \"A\"]\n} / e5 ; {\n";
        assert_eq!(parts(text), [text]);
        assert_eq!(parts(&format!("{text}[White \"B\"]\n")), [text, "[White \"B\"]\n"]);
    }

    #[test]
    fn a_header_may_hold_a_board_as_json() {
        let one = "[Variant \"{\"action\":1,\"timelines\":[]}\"]\n1w. 1:e2:e3\n\n";
        assert_eq!(parts(&one.repeat(3)), [one; 3]);
    }

    #[test]
    fn positions_without_moves_are_games_too() {
        let one = "[Board \"custom\"]\n[k2/3/K2:0:1:w]\n\n";
        assert_eq!(parts(&one.repeat(3)), [one; 3]);
        // Without an empty line it is a header that was repeated.
        assert_eq!(parts("[Mode \"5D\"]\n[Mode \"5D\"]\n").len(), 1);
    }
}
