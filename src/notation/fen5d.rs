//! 5DFEN: the boards of a position, one `[rows:timeline:turn:colour]` for each.
//!
//! ```text
//! [r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*:0:1:w]
//! ```
//!
//! Rows go from the top rank down: a letter is a piece (capital for White), `*` after it says that it has never moved, a
//! number counts empty squares. A game with two start timelines labels them `-0` and `+0`, and that is how it is told
//! from others.
//!
//! # Relaxations
//!
//! [`write()`] prints one form of each position. The readers accept more:
//!
//! * blocks in any order, with or without white space between them;
//! * labels with or without `+`, other than `+0`;
//! * the colour as a capital;
//! * `*` after a piece for which it does not matter: it is dropped.
//!
//! Blanks inside a block are refused. The size of the boards is that of the first block unless something else, such as a
//! header, gives it; up to 8x8.

use std::fmt::{self, Write as _};

use super::cursor::{Cursor, Label};
use super::{Game, Issue, Loss, ReadError, Reading, Span, Unwritable, Written};
use crate::state::{Board, MAX_BOARDS, MAX_TURN, Position, RowsProblem, Setup, SetupError};
use crate::types::{BoardCoordinate, BoardSize, Color, Parity, RuleProfile};

/// One block as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block<'t> {
    /// The block with its brackets.
    pub span: Span,
    /// The pieces, which start one byte after the block.
    pub rows: &'t str,
    /// The timeline.
    pub timeline: Label,
    /// The turn.
    pub turn: i16,
    /// The player to move on the board.
    pub color: Color,
}

/// What is known about a position before its blocks are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The size of the boards; the first board decides when it is not given.
    pub size: Option<BoardSize>,
    /// The parity; the labels decide when it is not given.
    pub parity: Option<Parity>,
    /// The rules in force.
    pub profile: RuleProfile,
}

/// The position of the blocks in `text`, under the default rules.
///
/// ```
/// use worldlines::notation::fen5d;
///
/// let position = fen5d::read("[2k/3/K2:0:1:w]").unwrap();
/// assert_eq!(fen5d::write(&position), "[2k/3/K2:0:1:w]\n");
/// ```
///
/// # Errors
///
/// When something else than blocks is in the text, a block is malformed, or the boards make no multiverse.
pub fn read(text: &str) -> Result<Position, ReadError> {
    read_with(text, Given::default())
}

/// As [`read`], with something known beforehand.
///
/// # Errors
///
/// As [`read`], and when the text contradicts what is given.
pub fn read_with(text: &str, given: Given) -> Result<Position, ReadError> {
    position(&blocks(text)?, given)
}

/// The blocks of `text`, before anything is known about the game.
///
/// # Errors
///
/// When something else than blocks is in the text.
pub fn blocks(text: &str) -> Result<Vec<Block<'_>>, ReadError> {
    let mut cursor = Cursor::new(text);
    let mut blocks = Vec::new();
    cursor.skip_whitespace();
    while !cursor.is_at_end() {
        read_next(&mut cursor, &mut blocks)?;
        cursor.skip_whitespace();
    }
    Ok(blocks)
}

/// Steps over one block and adds it to those before it.
pub(super) fn read_next<'t>(cursor: &mut Cursor<'t>, blocks: &mut Vec<Block<'t>>) -> Result<(), ReadError> {
    if blocks.len() == MAX_BOARDS {
        let message = format!("expected at most {MAX_BOARDS} boards");
        return Err(Issue::new("too-many-boards", cursor.span_here(), message).malformed());
    }
    blocks.push(read_block(cursor)?);
    Ok(())
}

/// Steps over one block.
pub(super) fn read_block<'t>(cursor: &mut Cursor<'t>) -> Result<Block<'t>, ReadError> {
    let start = cursor.at;
    if !cursor.eat("[") {
        return Err(cursor.expected("missing-board", "a board in brackets").malformed());
    }
    cursor.skip_while(|byte| !matches!(byte, b':' | b'[' | b']') && !byte.is_ascii_whitespace());
    let rows = &cursor.text[start + 1..cursor.at];
    let colon = |cursor: &mut Cursor<'t>, after: &str| {
        let hint = "a board reads `[rows:timeline:turn:colour]`, without blanks";
        let missing =
            |cursor: &Cursor<'t>| cursor.expected("missing-field", &format!("`:` after the {after}"));
        if cursor.eat(":") { Ok(()) } else { Err(missing(cursor).hint(hint).malformed()) }
    };
    colon(cursor, "pieces")?;
    let Some(timeline) = cursor.label()? else {
        return Err(cursor.expected("missing-timeline", "a timeline number").malformed());
    };
    colon(cursor, "timeline")?;
    let turn = cursor.turn()?;
    colon(cursor, "turn")?;
    let Some(color) = cursor.color() else {
        return Err(cursor.expected("missing-colour", "`w` or `b`").malformed());
    };
    if !cursor.eat("]") {
        return Err(cursor.expected("unclosed-board", "`]`").malformed());
    }
    Ok(Block { span: cursor.span_from(start), rows, timeline, turn, color })
}

/// The position of these blocks.
///
/// # Errors
///
/// When the pieces of a block are malformed, the labels fit no parity, or the boards make no multiverse. The span lies
/// within that of the block that is to blame.
pub fn position(blocks: &[Block<'_>], given: Given) -> Result<Position, ReadError> {
    let setup = setup(blocks, given)?;
    Position::from_setup(&setup).map_err(|error| {
        let at = match error {
            SetupError::TurnOutOfRange(at) | SetupError::WrongSize(at) | SetupError::Repeated(at) => Some(at),
            _ => None,
        };
        // Of two boards at one place the later one is too many.
        let blamed = setup.boards.iter().rposition(|(place, _)| Some(*place) == at);
        let span = match blamed {
            Some(index) => blocks[index].span,
            None => whole(blocks),
        };
        Issue::new("no-multiverse", span, error.describe(setup.parity)).illegal()
    })
}

/// The boards of these blocks, in their order, before anyone has asked whether they make a multiverse.
///
/// # Errors
///
/// When the pieces of a block are malformed, or the labels fit no parity.
pub fn setup(blocks: &[Block<'_>], given: Given) -> Result<Setup, ReadError> {
    let parity = parity(blocks, given.parity)?;
    let mut size = given.size;
    let mut boards = Vec::with_capacity(blocks.len());
    for block in blocks {
        let board = Board::from_rows(block.rows, size).map_err(|error| {
            let start = block.span.start as usize + 1;
            let code = match error.problem {
                RowsProblem::TooLarge => "board-too-large",
                RowsProblem::RankLength { .. } => "wrong-rank-length",
                RowsProblem::RankCount { .. } => "wrong-rank-count",
                _ => "unknown-piece",
            };
            let span = Span::new(start + error.at.start, start + error.at.end);
            Issue::new(code, span, error.to_string()).malformed()
        })?;
        size.get_or_insert(board.size());
        let Some(timeline) = block.timeline.timeline(parity) else {
            let message = "expected `-0` or `+0`: this game has both";
            return Err(Issue::new("unsigned-zero", block.span, message).ambiguous());
        };
        if block.turn > MAX_TURN {
            let message = format!("expected a turn up to {MAX_TURN}");
            return Err(Issue::new("number-too-large", block.span, message).malformed());
        }
        boards.push((BoardCoordinate::new(timeline.0, block.turn, block.color), board));
    }
    let Some(size) = size else {
        return Err(Issue::new("no-boards", whole(blocks), "expected at least one board").malformed());
    };
    Ok(Setup { size, parity, profile: given.profile, boards })
}

/// Whether `-0` and `+0` are used, unless that is given.
fn parity(blocks: &[Block<'_>], given: Option<Parity>) -> Result<Parity, ReadError> {
    let signed = blocks.iter().find(|block| block.timeline.is_signed_zero());
    match (given, signed) {
        (None, None) => Ok(Parity::Odd),
        (None, Some(_)) => Ok(Parity::Even),
        (Some(Parity::Odd), Some(block)) => {
            let message = "expected the label `0`: an odd number of start timelines has no `-0` and `+0`";
            Err(Issue::new("parity-contradicted", block.span, message).malformed())
        }
        (Some(parity), _) => Ok(parity),
    }
}

/// From the first block to the last one.
fn whole(blocks: &[Block<'_>]) -> Span {
    blocks.iter().map(|block| block.span).reduce(Span::to).unwrap_or_default()
}

/// The boards of a position, one in each line, by timeline and time. [`read`] reads it back.
///
/// The rules in force are not part of 5DFEN.
pub fn write(position: &Position) -> String {
    let mut text = String::new();
    for (at, board) in position.multiverse().boards() {
        let label = position.parity().label(at.timeline);
        let color = at.color().letter();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{}:{label}:{}:{color}]", board.rows(), at.half_turn.turn());
    }
    text
}

/// The boards of a text as a game without actions.
pub fn read_game(text: &str) -> Reading {
    match read(text) {
        Ok(start) => Reading { game: Some(Game::new(start, Vec::new())), ..Reading::default() },
        Err(error) => Reading::refused(error),
    }
}

/// The boards at the end of a game.
///
/// # Errors
///
/// Never: everything else about the game is lost.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    let mut losses = game.losses_of_headers();
    losses.extend(game.loss_of_result());
    let end = game.end();
    if end.profile() != RuleProfile::default() {
        losses.push(Loss::new("the rules in force, such as promotions"));
    }
    if !game.actions.is_empty() {
        let how = "how the position was reached: the actions are not written, their boards are";
        losses.push(Loss::new(how));
    }
    Ok(Written::new(write(&end), losses))
}

/// Shown as 5DFEN, one board in each line, so that what a message shows can be pasted into a command.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(write(self).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants::VARIANTS;

    fn refused(text: &str) -> ReadError {
        read(text).unwrap_err()
    }

    #[test]
    fn every_variant_is_written_and_read_back() {
        for variant in &VARIANTS {
            let position = Position::from_setup(&variant.setup()).unwrap();
            assert_eq!(read(&write(&position)), Ok(position), "{}", variant.name);
        }
    }

    #[test]
    fn strict_text_is_written_back_byte_for_byte() {
        let text = "[4k/5/5/p4/4K:-0:1:w]\n[4k/5/5/p4/3K1:-0:1:b]\n[4k/5/5/P4/4K:+0:1:w]\n";
        assert_eq!(write(&read(text).unwrap()), text);
    }

    #[test]
    fn relaxed_text_means_the_same() {
        let strict = "[k2/3/2K:-1:1:w]\n[k2/3/2K:0:1:w]\n[k2/3/2K:1:1:w]\n";
        let relaxed = " [k*2/3/2K:+1:1:W][k2/3/2K:0:1:w]\r\n\t[k2/3/2K:-1:1:w] ";
        let relaxed = read(relaxed.replace("k*", "k").as_str()).unwrap();
        assert_eq!(write(&relaxed), strict);
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
            ("[k:0:9999:w]", "number-too-large", 0, 12),
            ("[kz:0:1:w]", "unknown-piece", 2, 3),
            ("[k1/1:0:1:w]", "wrong-rank-length", 4, 5),
            ("[9:0:1:w]", "board-too-large", 1, 2),
            ("[k1:0:1:w][k:1:1:w]", "wrong-rank-length", 11, 12),
            ("[k:-0:1:w][k:0:1:w]", "unsigned-zero", 10, 19),
            ("[k:+0:1:w]", "no-multiverse", 0, 10),
            ("[k:0:1:w][k:0:1:w]", "no-multiverse", 9, 18),
        ] {
            let error = refused(text);
            let span = error.span();
            assert_eq!((error.issue().code, span.start, span.end), (code, start, end), "{text}");
        }
    }

    #[test]
    fn what_is_given_wins_or_contradicts() {
        let given = |size: Option<(u8, u8)>, parity| Given {
            size: size.and_then(|(w, h)| BoardSize::new(w, h)),
            parity,
            ..Given::default()
        };
        let code = |text: &str, given| read_with(text, given).map_err(|error| error.issue().code).map(|_| ());
        assert_eq!(code("[k1:0:1:w]", given(Some((2, 1)), None)), Ok(()));
        assert_eq!(code("[k1:0:1:w]", given(Some((2, 2)), None)), Err("wrong-rank-count"));
        assert_eq!(code("[k1:0:1:w]", given(None, Some(Parity::Even))), Err("unsigned-zero"));
        assert_eq!(code("[k1:+0:1:w]", given(None, Some(Parity::Odd))), Err("parity-contradicted"));
    }
}
