//! 5DFEN: the boards of a position, each as `[rows:timeline:turn:colour]`.
//!
//! ```text
//! [r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]
//! ```
//!
//! Rows go from the top rank down: a letter is a piece (capital for White), `*` after it marks it as unmoved,
//! a number counts empty squares. A game with two start timelines labels them `-0` and `+0`; these labels
//! tell it from other games.
//!
//! # Relaxations
//!
//! [`write()`] prints one form of each position. The readers accept more:
//!
//! * blocks in any order, with or without white space between them;
//! * labels with or without `+`, other than `+0` where there is another timeline;
//! * the colour as a capital;
//! * `*` after a piece for which it does not matter: it is dropped.
//!
//! All but the order and the white space give the warning `other-spelling`.
//!
//! Blanks inside a block are refused. The size of the boards is that of the first block unless something
//! else, such as a header, gives it; up to 8x8.

use std::collections::HashSet;
use std::str::FromStr;

use crate::notation::common::{Game, Label, Loss, ParseError, Parsed, Sign, Span, Written, lines};
use crate::state::Position;
use crate::types::Promotions;

pub use super::common::boards::{Block, Given, blocks, position, setup, spelling};

/// The position of the blocks in `text`, under the default rules. A block that [`write()`] would spell otherwise gives a warning.
///
/// ```
/// use worldlines::notation::fen5d;
///
/// let position = fen5d::parse("[2k/3/K2:0:1:w]").into_result().unwrap();
/// assert_eq!(fen5d::write(&position), "[2k/3/K2:0:1:w]\n");
/// ```
///
/// To give the rules or other properties of the position, pass the [`blocks`] to [`position`].
pub fn parse(text: &str) -> Parsed<Position> {
    let read = || {
        let blocks = blocks(text)?;
        let position = position(&blocks, Given::default())?;
        let warnings = spelling(&blocks, &position);
        Ok((position, warnings))
    };
    match read() {
        Ok((position, warnings)) => Parsed::new(Ok(position), warnings),
        Err(error) => Parsed::refused(error),
    }
}

/// The boards of a position, one in each line, by timeline and time. [`parse`] reads it back.
///
/// The rules in force are not part of 5DFEN.
pub fn write(position: &Position) -> String {
    format!("{position}\n")
}

/// The positions of a text, one after the other. A new one begins after an empty line if its
/// first board has the timeline and turn of a board before. So one position may have empty lines between its boards.
///
/// ```
/// use worldlines::notation::fen5d;
///
/// let text = "[2k/3/K2:0:1:w]\n\n[2k/3/1K1:0:1:w]\n";
/// assert_eq!(fen5d::positions(text).len(), 2);
/// ```
pub fn positions(text: &str) -> Vec<Span> {
    let mut begins = vec![0];
    let mut seen = HashSet::new();
    for paragraph in paragraphs(text) {
        // The boards of a paragraph that cannot be read belong to the position before, whose reader tells why.
        let boards = blocks(paragraph.of(text)).unwrap_or_default();
        let place = |block: &Block<'_>| {
            let Label { sign, number } = block.timeline;
            (sign == Some(Sign::Minus), number, block.turn, block.color)
        };
        if boards.first().is_some_and(|block| seen.contains(&place(block))) {
            begins.push(paragraph.range().start);
            seen.clear();
        }
        seen.extend(boards.iter().map(place));
    }
    begins.push(text.len());
    begins.windows(2).map(|ends| Span::new(ends[0], ends[1])).collect()
}

/// The parts of a text between empty lines.
fn paragraphs(text: &str) -> Vec<Span> {
    let (mut paragraphs, mut begin) = (Vec::new(), None);
    for (at, line) in lines(text).chain([(text.len(), "")]) {
        if !line.trim().is_empty() {
            begin = begin.or(Some(at));
        } else if let Some(start) = begin.take() {
            paragraphs.push(Span::new(start, at));
        }
    }
    paragraphs
}

/// Reads what `Display` writes: 5DFEN, under the default rules, as [`parse`] does.
impl FromStr for Position {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Position, ParseError> {
        parse(text).into_result()
    }
}

/// The boards of a text as a game without actions.
pub(super) fn parse_game(text: &str) -> Parsed {
    parse(text).map(|start| Game::new(start, Vec::new()))
}

/// The boards at the end of a game; the rest of it is lost.
pub(super) fn write_game(game: &Game) -> Written {
    let mut losses = game.losses_of_headers();
    losses.extend(game.loss_of_result());
    losses.extend(game.loss_of_rules(Promotions::QUEEN));
    if !game.actions.is_empty() {
        let how = "how the position was reached: the actions are not written, their boards are";
        losses.push(Loss::new(how));
    }
    Written::new(write(&game.end()), losses)
}

/// A position for serde (feature `serde`): its boards as 5DFEN, and the rules, which 5DFEN does not say.
#[cfg(any(feature = "serde", all(test, feature = "puzzle")))]
mod serialize {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Given, blocks, position};
    use crate::state::Position;
    use crate::types::RuleProfile;

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "Position", deny_unknown_fields)]
    struct Text {
        boards: String,
        rules: RuleProfile,
    }

    impl Serialize for Position {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            Text { boards: self.to_string(), rules: self.profile() }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for Position {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
            let Text { boards, rules } = Text::deserialize(deserializer)?;
            let given = Given { profile: rules, ..Given::default() };
            blocks(&boards).and_then(|blocks| position(&blocks, given)).map_err(D::Error::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants::VARIANTS;
    use crate::types::{BoardSize, Parity};

    fn refused(text: &str) -> ParseError {
        parse(text).into_result().unwrap_err()
    }

    #[test]
    fn every_variant_is_written_and_read_back() {
        for variant in &VARIANTS {
            let position = Position::from_setup(&variant.setup()).unwrap();
            assert_eq!(position.to_string().parse(), Ok(position.clone()), "{}", variant.name);
            assert_eq!(parse(&write(&position)).strict(), Ok(position), "{}", variant.name);
        }
    }

    #[test]
    fn positions_are_told_apart_by_empty_lines_and_repeated_boards() {
        let two = "[2k/3/K2:0:1:w]\n[2k/3/K2:0:1:b]\n";
        let parts = |text: &str| -> Vec<String> {
            positions(text).into_iter().map(|part| part.of(text).to_owned()).collect()
        };
        let list = format!("\n{two}\n\r\n{two}\r\r[2k/3/1K1:0:1:W]");
        assert_eq!(
            parts(&list),
            [format!("\n{two}\n\r\n"), format!("{two}\r\r"), "[2k/3/1K1:0:1:W]".to_owned()]
        );
        for text in
            ["", "[2k/3/K2:0:1:w]\n\n[2k/3/K2:0:1:b]\n", "[2k/3/K2:0:1:w]\n[2k/3/K2:0:1:w]\n", "[2k\n\n[2k"]
        {
            assert_eq!(parts(text), [text]);
        }
    }

    #[test]
    fn strict_text_is_written_back_byte_for_byte() {
        let text = "[4k/5/5/p4/4K:-0:1:w]\n[4k/5/5/p4/3K1:-0:1:b]\n[4k/5/5/P4/4K:+0:1:w]\n";
        assert_eq!(write(&parse(text).into_result().unwrap()), text);
    }

    #[test]
    fn relaxed_text_means_the_same() {
        let strict = "[nk1/3/2K:-1:1:w]\n[nk1/3/2K:0:1:w]\n[nk1/3/2K:1:1:w]\n";
        let relaxed = " [n*k1/3/2K:0:1:w][nk1/3/2K:+1:1:W]\r\n\t[nk1/3/2K:-1:1:w] ";
        let read = parse(relaxed);
        let warnings: Vec<(&str, &str)> =
            read.warnings.iter().map(|warning| (warning.code, warning.span.of(relaxed))).collect();
        assert_eq!(
            warnings,
            [("other-spelling", "[n*k1/3/2K:0:1:w]"), ("other-spelling", "[nk1/3/2K:+1:1:W]")]
        );
        assert!(read.warnings[1].message.ends_with("`[nk1/3/2K:1:1:w]`"), "{:?}", read.warnings[1]);
        assert!(read.clone().strict().is_err());
        assert_eq!(write(&read.into_result().unwrap()), strict);
        // The order of the boards and the white space between them are free.
        let order = " [nk1/3/2K:1:1:w][nk1/3/2K:0:1:w]\r\n\t[nk1/3/2K:-1:1:w]";
        assert_eq!(write(&parse(order).strict().unwrap()), strict);
    }

    #[test]
    fn every_mistake_has_its_place() {
        for (text, code, start, end) in [
            ("", "no-boards", 0, 0),
            ("x", "missing-board", 0, 1),
            ("[k:0:1:w", "unclosed-board", 8, 8),
            ("[k:0:1:x]", "missing-colour", 7, 8),
            ("[k:0:w]", "missing-turn", 5, 6),
            ("[k::1:w]", "missing-timeline", 3, 4),
            ("[k 1:0:1:w]", "missing-field", 2, 3),
            ("[k:0:16001:w]", "number-too-large", 5, 10),
            ("[k:0:9999:w]", "number-too-large", 5, 9),
            ("[kz:0:1:w]", "unknown-piece", 2, 3),
            ("[k1/1:0:1:w]", "wrong-rank-length", 4, 5),
            ("[9:0:1:w]", "board-too-large", 1, 2),
            ("[k1:0:1:w][k:1:1:w]", "wrong-rank-length", 11, 12),
            ("[k:-0:1:w][k:0:1:w]", "unsigned-zero", 10, 19),
            ("[k:-0:1:w]", "no-multiverse", 0, 10),
            ("[k:+0:1:w][k:1:1:w]", "no-multiverse", 0, 19),
            ("[k:0:1:w][k:0:1:w]", "no-multiverse", 9, 18),
        ] {
            let error = refused(text);
            let span = error.span();
            assert_eq!((error.issue.code, span.start, span.end), (code, start, end), "{text}");
        }
    }

    #[test]
    fn what_is_given_wins_or_contradicts() {
        let given = |size: Option<(u8, u8)>, parity| Given {
            size: size.and_then(|(w, h)| BoardSize::new(w, h)),
            parity,
            ..Given::default()
        };
        let code = |text: &str, given| {
            blocks(text)
                .and_then(|blocks| position(&blocks, given))
                .map_err(|error| error.issue.code)
                .map(|_| ())
        };
        assert_eq!(code("[k1:0:1:w]", given(Some((2, 1)), None)), Ok(()));
        assert_eq!(code("[k1:0:1:w]", given(Some((2, 2)), None)), Err("wrong-rank-count"));
        assert_eq!(code("[k1:0:1:w]", given(None, Some(Parity::Even))), Err("unsigned-zero"));
        assert_eq!(code("[k1:-0:1:w]", given(None, Some(Parity::Odd))), Err("parity-contradicted"));
    }

    #[cfg(feature = "puzzle")]
    #[test]
    fn a_position_keeps_its_rules_as_json() {
        let rules = "default +en-passant-onto-vacated".parse().unwrap();
        for variant in &VARIANTS {
            let mut setup = variant.setup();
            setup.profile = rules;
            let position = Position::from_setup(&setup).unwrap();
            let json = serde_json::to_string(&position).unwrap();
            assert_eq!(serde_json::from_str::<Position>(&json).unwrap(), position, "{json}");
        }
        let broken = r#"{"boards":"[9:0:1:w]","rules":{"name":"default","promotions":"Q"}}"#;
        assert!(serde_json::from_str::<Position>(broken).unwrap_err().to_string().contains("board"));
    }
}
