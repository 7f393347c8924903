//! Any text is read as 5DFEN or refused with its place, and what is read is written and read back equal.

use std::borrow::Cow;

use arbitrary::Result;
use worldlines::notation::{ReadError, fen5d};
use worldlines::state::Position;

use super::assert_has_place;

/// Reads the text.
///
/// # Errors
///
/// Never: every text is an input.
///
/// # Panics
///
/// When reading panics, an error has no place, or writing loses something.
pub fn run(bytes: &[u8]) -> Result<()> {
    let text = text_of(bytes);
    check(&text, fen5d::read, fen5d::write);
    Ok(())
}

/// The text of these bytes, as a program sees it that asks for text first.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match worldlines::notation::text_of(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            let span = error.span().range();
            assert!(span.start < span.end && span.end <= bytes.len(), "{span:?} is no part of the bytes");
            String::from_utf8_lossy(bytes)
        }
    }
}

fn check(
    text: &str,
    read: fn(&str) -> std::result::Result<Position, ReadError>,
    write: fn(&Position) -> String,
) {
    let position = match read(text) {
        Ok(position) => position,
        Err(error) => return assert_has_place(text, error.span(), &error.excerpt("x", text)),
    };
    assert_eq!(position.hash(), position.hash_from_scratch(), "the hash of {text}");
    let canonical = write(&position);
    match read(&canonical) {
        Ok(again) => assert!(again == position, "{text}\nreads back as another position from\n{canonical}"),
        Err(error) => panic!("{text}\nis written as\n{canonical}which is refused: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{flags, smoke_text};

    const SAMPLES: [&str; 3] = [
        "[r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]",
        "[4k/5/5/p4/4K:-0:1:w]\n[4k/5/5/p4/3K1:-0:1:b]\n[4k/5/5/P4/4K:+0:1:w]\n",
        "[k2/3/2K:+1:1:W][k2/3/2K:0:1:w]\r\n\t[k2/3/2K:-1:1:w] ",
    ];
    const TOKENS: [&str; 16] =
        ["[", "]", ":", "/", "*", "-0", "+0", "-32768", "8001", "9", "w", "b", "é", "\r", "\0", "y"];

    #[test]
    fn smoke() {
        smoke_text(&SAMPLES, &TOKENS, 20_000, run);
        run(b"[k:0:1:w]\xff").expect("every text is an input");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        check(SAMPLES[0], fen5d::read, fen5d::write);
        let forgets_moves = |position: &Position| fen5d::write(position).replace('*', "");
        assert!(flags(|| check(SAMPLES[0], fen5d::read, forgets_moves)));
        // The error of another text, whose place is beyond the end of this one.
        let elsewhere = |_: &str| fen5d::read("[k:0:1:w] and something else");
        assert!(flags(|| check("short", elsewhere, fen5d::write)));
    }
}
