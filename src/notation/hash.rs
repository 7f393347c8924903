//! Hashes of positions that other programs compute too. They tell whether two programs mean the same
//! position.
//!
//! | hash | of | program |
//! |---|---|---|
//! | [`fen5d_md5`] | a position | 5d-chess-js 1.2.1 |
//! | [`chessjs_036`] | a game | 5d-chess-js 0.3.6 |
//!
//! Both are MD5 digests, as 32 hexadecimal digits. The first depends only on the boards as the rules see
//! them. The second depends also on whether a knight, bishop or queen has ever moved, which no rule asks:
//! equal positions may differ in it, and it needs the game.

use std::fmt::Write;

use super::chessjs::Raw;
use crate::notation::common::{Game, md5};
use crate::state::Position;
use crate::types::Parity;

/// The MD5 of the boards as 5DFEN: `[rows:timeline:turn:colour]` for each, lowest timeline first and by time,
/// with `+` before the number of White's timelines, and nothing in between.
///
/// ```
/// use worldlines::notation::{hash, pgn5d};
///
/// let standard = pgn5d::parse("").into_result().unwrap();
/// assert_eq!(hash::fen5d_md5(&standard.start), "d574889fd9da3f2bc65249ff27249b00");
/// ```
pub fn fen5d_md5(position: &Position) -> String {
    let mut text = String::new();
    for (at, board) in position.multiverse().boards() {
        let plus = if position.parity() == Parity::Odd && at.timeline.0 > 0 { "+" } else { "" };
        let label = position.parity().label(at.timeline);
        let color = at.color().letter();
        // Writing to a string cannot fail.
        let _ = write!(text, "[{}:{plus}{label}:{}:{color}]", board.rows(), at.half_turn.turn());
    }
    md5::hex(text.as_bytes())
}

/// The `hash` of 5d-chess-js 0.3.6 at the end of a game: the MD5 of [raw numbers](Raw::of_library) as
/// letters.
///
/// `None` when that program has no numbers for the boards: pieces that it does not know, `-0` and `+0`, or a
/// turn 0 in a custom position. In a custom position every knight, bishop, princess and queen counts as
/// unmoved.
///
/// ```
/// use worldlines::notation::{hash, pgn5d};
///
/// let standard = pgn5d::parse("").into_result().unwrap();
/// assert_eq!(hash::chessjs_036(&standard).as_deref(), Some("9c8463c2e92f183d58a7d7412171fd98"));
/// ```
pub fn chessjs_036(game: &Game) -> Option<String> {
    Some(md5::hex(Raw::of_library(game)?.key().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pgn5d;

    fn hashes(text: &str) -> (String, Option<String>) {
        let game = pgn5d::parse(text).into_result().unwrap_or_else(|error| panic!("{text}: {error}"));
        (fen5d_md5(&game.end()), chessjs_036(&game))
    }

    #[test]
    fn start_positions_have_the_hashes_of_the_programs() {
        for (variant, hash) in [
            ("Standard", "9c8463c2e92f183d58a7d7412171fd98"),
            ("Standard - Defended Pawn", "2e427fe2c3062b32d053dc63891cab02"),
            ("Standard - Half Reflected", "649b88347ad842378793185ed7f34400"),
            ("Standard - Princess", "ab33a363df55238777a20fae2966e4ad"),
            ("Standard - Turn Zero", "3b6148ada09192b7894882927430564c"),
        ] {
            assert_eq!(hashes(&format!("[Board \"{variant}\"]")).1.as_deref(), Some(hash), "{variant}");
        }
        assert_eq!(hashes("").0, "d574889fd9da3f2bc65249ff27249b00");
        let two = hashes("[Board \"Standard - Two Timelines\"]");
        assert_eq!(two, ("3672761404ffcd15ae644c75401812be".to_owned(), None));
    }

    #[test]
    fn games_have_the_hashes_of_the_programs() {
        let mate = "1. e3 / f6 2. Qe2 / Nc6 3. Qh5";
        let check =
            "1. e3 / f6 2. Nb1>>(0T1)b3 / (1T1)a6 3. (1T2)c3 / (0T2)Nc6 (1T2)Nc6 4. (0T3)Qh5 (1T3)Qc2";
        for (text, fen, js) in [
            ("1. e3", "", "55a4bab0ae41039d1c26b25142aeaa34"),
            ("1. e3 / f6", "", "ff8352e54a486f69637e9eeafa5f3159"),
            (mate, "f2842c74db711815acfaf6d6b1bb956c", "3370eaa42355dd543598d3c9a9927365"),
            (check, "", "8048de452b714859b78d813254d21386"),
            (
                "1. Nf3 / Nf6 2. Nf3>>(0T1)f5 / (1T1)e6 3. (1T2)e3 / (0T2)Nf6>>(0T1)f4",
                "742c67d336efcf175be025a970455a95",
                "",
            ),
        ] {
            let (own_fen, own_js) = hashes(text);
            assert!(fen.is_empty() || own_fen == fen, "{text}: {own_fen}");
            assert!(js.is_empty() || own_js.as_deref() == Some(js), "{text}: {own_js:?}");
        }
    }
}
