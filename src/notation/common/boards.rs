//! Blocks `[rows:timeline:turn:colour]`: the boards of 5DFEN, which several notations contain.

use super::cursor::Cursor;
use super::error::{Issue, ParseError};
use super::label::{Label, Sign};
use super::span::Span;
use crate::state::{Board, MAX_BOARDS, MAX_TURN, Position, RowsProblem, Setup, SetupProblem};
use crate::types::{BoardCoordinate, BoardSize, Color, Parity, RuleProfile};

/// One block as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block<'t> {
    /// The place of the block, with its brackets.
    pub span: Span,
    /// The block as it is written, with its brackets.
    pub text: &'t str,
    /// The pieces. They stand after the opening bracket.
    pub rows: &'t str,
    /// The timeline.
    pub timeline: Label,
    /// The turn.
    pub turn: i16,
    /// The player to move on the board.
    pub color: Color,
}

/// Properties of a position that are known before its blocks are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The size of the boards. `None`: the first board decides.
    pub size: Option<BoardSize>,
    /// The parity. `None`: the labels decide.
    pub parity: Option<Parity>,
    /// The rules in force.
    pub profile: RuleProfile,
}

/// Reads the blocks of `text`. Does not check that they fit together.
///
/// # Errors
///
/// When the text contains anything but blocks.
pub fn blocks(text: &str) -> Result<Vec<Block<'_>>, ParseError> {
    let mut cursor = Cursor::new(text);
    let mut blocks = Vec::new();
    cursor.begin()?;
    cursor.skip_whitespace();
    while !cursor.is_at_end() {
        read_next(&mut cursor, &mut blocks)?;
        cursor.skip_whitespace();
    }
    Ok(blocks)
}

/// Reads one block and appends it to `blocks`.
pub(crate) fn read_next<'t>(cursor: &mut Cursor<'t>, blocks: &mut Vec<Block<'t>>) -> Result<(), ParseError> {
    if blocks.len() == MAX_BOARDS {
        let message = format!("expected at most {MAX_BOARDS} boards");
        return Err(Issue::new("too-many-boards", cursor.span_here(), message).malformed());
    }
    blocks.push(read_block(cursor)?);
    Ok(())
}

/// Reads one block.
pub(crate) fn read_block<'t>(cursor: &mut Cursor<'t>) -> Result<Block<'t>, ParseError> {
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
    let begin = cursor.at;
    let turn = cursor.turn()?;
    if turn > MAX_TURN {
        return Err(too_late(cursor.span_from(begin)));
    }
    colon(cursor, "turn")?;
    let Some(color) = cursor.color() else {
        return Err(cursor.expected("missing-colour", "`w` or `b` for the player to move").malformed());
    };
    if !cursor.eat("]") {
        return Err(cursor.expected("unclosed-board", "`]` at the end of the board").malformed());
    }
    let span = cursor.span_from(start);
    Ok(Block { span, text: span.of(cursor.text), rows, timeline, turn, color })
}

/// The refusal of a turn. A game goes further, but does not begin there.
fn too_late(span: Span) -> ParseError {
    let message = format!("expected the turn of a start board, up to {MAX_TURN}");
    Issue::new("number-too-large", span, message).malformed()
}

/// The position of these blocks.
///
/// # Errors
///
/// When the pieces of a block are malformed, the labels fit no parity, or the boards make no multiverse. The
/// span lies within the block at fault.
pub fn position(blocks: &[Block<'_>], given: Given) -> Result<Position, ParseError> {
    let setup = setup(blocks, given)?;
    Position::from_setup(&setup).map_err(|error| {
        let at = match error.problem {
            SetupProblem::TurnOutOfRange(at) | SetupProblem::WrongSize(at) | SetupProblem::Repeated(at) => {
                Some(at)
            }
            _ => None,
        };
        // If two boards have the same coordinate, the error points at the later one.
        let blamed = setup.boards.iter().rposition(|(place, _)| Some(*place) == at);
        let span = match blamed {
            Some(index) => blocks[index].span,
            None => whole(blocks),
        };
        Issue::new("no-multiverse", span, error.to_string()).illegal()
    })
}

/// The boards of these blocks, in their order. Does not check that they make a multiverse.
///
/// # Errors
///
/// When the pieces of a block are malformed, or the labels fit no parity.
pub fn setup(blocks: &[Block<'_>], given: Given) -> Result<Setup, ParseError> {
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
                RowsProblem::UnknownPiece(_) | RowsProblem::LoneStar | RowsProblem::ZeroSquares => {
                    "unknown-piece"
                }
            };
            let span = Span::new(start + error.at.start, start + error.at.end);
            Issue::new(code, span, error.to_string()).malformed()
        })?;
        size.get_or_insert(board.size());
        let timeline = block.timeline.timeline_at(parity, block.span)?;
        // A block that no text has may say anything.
        if block.turn > MAX_TURN {
            return Err(too_late(block.span));
        }
        boards.push((BoardCoordinate::new(timeline.0, block.turn, block.color), board));
    }
    let Some(size) = size else {
        return Err(Issue::new("no-boards", whole(blocks), "expected at least one board").malformed());
    };
    Ok(Setup { size, parity, profile: given.profile, boards })
}

/// Warnings about the blocks that a writer of 5DFEN would spell otherwise, each with that spelling. The order of the blocks and the white
/// space between them are free.
pub fn spelling(blocks: &[Block<'_>], position: &Position) -> Vec<Issue> {
    let other = |block: &Block<'_>| {
        let timeline = block.timeline.timeline_at(position.parity(), block.span).ok()?;
        let at = BoardCoordinate::new(timeline.0, block.turn, block.color);
        let written = position.multiverse().board(at).map(|board| position.block(at, board).to_string())?;
        let warning = || Issue::new("other-spelling", block.span, format!("read as `{written}`"));
        (written != block.text).then(warning)
    };
    blocks.iter().filter_map(other).collect()
}

/// The parity: as given, or else even if a label is `-0` or `+0`.
fn parity(blocks: &[Block<'_>], given: Option<Parity>) -> Result<Parity, ParseError> {
    // If all boards are on `+0`, the sign says nothing: every label may have one.
    let is_single = blocks.iter().all(|block| block.timeline == Label { sign: Some(Sign::Plus), number: 0 });
    let signed = blocks.iter().find(|block| !is_single && block.timeline.is_signed_zero());
    match (given, signed) {
        (None, None) => Ok(Parity::Odd),
        (None, Some(_)) => Ok(Parity::Even),
        (Some(Parity::Odd), Some(block)) => {
            let message =
                "expected the label `0`: a start with an odd number of timelines has no `-0` and `+0`";
            Err(Issue::new("parity-contradicted", block.span, message).malformed())
        }
        (Some(parity), _) => Ok(parity),
    }
}

/// The span from the first block to the last one.
fn whole(blocks: &[Block<'_>]) -> Span {
    blocks.iter().map(|block| block.span).reduce(Span::to).unwrap_or_default()
}

/// The board size that is written at `span`.
pub(crate) fn board_size(width: u64, height: u64, span: Span) -> Result<BoardSize, ParseError> {
    let side = |n| u8::try_from(n).unwrap_or(u8::MAX);
    BoardSize::new(side(width), side(height)).ok_or_else(|| too_large(span))
}

/// The error for a board size at `span` that is larger than is supported.
pub(crate) fn too_large(span: Span) -> ParseError {
    let max = BoardSize::MAX;
    let message = format!("expected a board of at most {max}x{max} squares: larger ones are not supported");
    Issue::new("board-too-large", span, message).malformed()
}
