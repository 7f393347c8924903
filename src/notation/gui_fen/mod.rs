//! The FEN of an open GUI for engines, in the three forms that it had: boards by timeline, and raw coordinate
//! moves.
//!
//! ```text
//! 4;4;2;0;b;F
//! r2k/4/4/P2K;;-;w1;3;(1,1,1,0)(1,2,1,0);(1,4,1,0)(3,4,1,0);(4,1,2,0)(3,2,1,0)
//! r2k/4/2K1/P2K;;-;b1;2;(1,4,1,1)(1,2,1,1);(3,2,2,1)(2,3,2,1)
//! ```
//!
//! The *seed* form has a line for each timeline: its first board, castling rights, en passant square, start,
//! number of moves, and the moves, each of which adds a board to *this* timeline. A timeline that a move
//! creates has its own line, whose board must be the one that the move makes. Its header is
//! `width;height;timelines;lowest timeline;player to move;T or F`, with `T` for two start timelines. The
//! later *origins* form lists the start boards only and all moves in one last line; its header is
//! `width;height;0 or 1;start timelines;lowest timeline;player to move`. The grammar is in
//! `spec/notation-gui-fen.md`.
//!
//! The seed form has no hops to another timeline, and does not say which moves form one action where this is
//! not clear. So [`write()`] writes the seed form when reading it leads back to the same game, and otherwise
//! the origins form.
//!
//! # Losses
//!
//! * The unmoved pawns: [`Options::unmoved_pawns`] decides. Kings and rooks go by the castling rights.
//! * Boards of a timeline before its first one, so a game cannot start in the middle. There are two
//!   exceptions. A timeline that starts at `b0` has the same board at turn 1 too. An en passant square on
//!   which a pawn can capture adds the two earlier boards, with the other pawn on its start square, and a
//!   warning: pieces can move back to them.
//!
//! # Relaxations
//!
//! * Headers of four fields (`8;8;1;0`: the start of the first line says who moves) and of five (no `T` or
//!   `F`).
//! * Starts as `1w`; numbers alone in front of the start, which are left from other programs' clocks; no
//!   number of moves.
//! * `-` for no castling rights, nothing for no en passant square, numbers of empty squares above 8.
//! * Everything that [`raw`](super::raw) accepts in moves, coordinates from 0 too.
//! * `>` in front of lines, empty lines, `;` at the end of a line.
//! * With a warning: a header whose player to move is not the one after the moves, castling rights without
//!   king or rook, castling rights and en passant squares of a created timeline that differ from the board
//!   that its move makes.

mod board;
mod replay;
mod syntax;
mod write;

use crate::notation::common::coordinates::Element;
use crate::notation::common::{Cursor, Label};
use crate::notation::common::{ErrorClass, ParseError, Parsed, Span};
use crate::notation::common::{Head, Options, UnmovedPawns};
use crate::types::{BoardSize, Color, HalfTurn, Parity, Square};
use replay::RecordReplay;

pub use write::write;
pub(super) use write::write_with;

/// The two forms of the notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generation {
    /// Moves by timeline, with created timelines as lines of their own.
    Seed,
    /// Start boards, and all moves in the last line.
    Origins,
}

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The span of the line.
    pub span: Span,
    /// The form of the text.
    pub generation: Generation,
    /// The size of the boards.
    pub size: BoardSize,
    /// The number of timelines that are listed.
    pub timelines: usize,
    /// The lowest of these timelines.
    pub lowest: Label,
    /// The player to move at the end.
    pub to_move: Option<Color>,
    /// Whether there are two start timelines.
    pub parity: Parity,
}

/// The line of a timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The span of the line.
    pub span: Span,
    /// The pieces.
    pub rows: Span,
    /// The castling rights.
    pub castling: Span,
    /// The field for the en passant square.
    pub en_passant: Span,
    /// The square that a pawn has just skipped.
    pub skipped: Option<Square>,
    /// The half-turn of the first board.
    pub start: HalfTurn,
    /// The moves.
    pub elements: Vec<Element>,
}

/// The parts of a text, before its boards are read and its moves are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// A line for each timeline.
    pub lines: Vec<Line>,
    /// The moves of the last line.
    pub moves: Vec<Element>,
}

impl Record {
    /// Parses a text.
    ///
    /// # Errors
    ///
    /// When it does not parse.
    pub fn parse(text: &str) -> Result<Record, ParseError> {
        syntax::parse(text)
    }
}

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::gui_fen;
///
/// let text = "4;4;2;-0;w;T\nnbru/4/4/KPPP;;-;w1;0;\nkppp/4/4/NBRU;;-;b1;0;\n";
/// let start = gui_fen::parse(text).value.unwrap().start;
/// assert_eq!(start.count_legal_actions(100).count, 4);
/// ```
pub fn parse(text: &str) -> Parsed {
    parse_with(text, &Options::default())
}

/// Like [`parse`], with options for the parts that the notation leaves out.
pub(super) fn parse_with(text: &str, options: &Options) -> Parsed {
    let record = match Record::parse(text) {
        Ok(record) => record,
        Err(error) => return Parsed::refused(error),
    };
    let mut warnings = Vec::new();
    match RecordReplay::start(text, &record, options, &mut warnings) {
        Err(error) => Parsed { warnings, error: Some(error), ..Parsed::default() },
        Ok(mut replay) => {
            let error = replay.play().err();
            let complete = error.is_none();
            if complete {
                replay.check_player();
            }
            let error = error.map(|error| with_other_pawns(error, text, options));
            let reading = replay.player.finish(error);
            warnings.extend(reading.warnings);
            Parsed { warnings, losses: replay.losses, ..reading }
        }
    }
}

/// Adds a hint to the error of a text if it could be read to its end with all pawns unmoved.
fn with_other_pawns(error: ParseError, text: &str, options: &Options) -> ParseError {
    if options.unmoved_pawns == UnmovedPawns::All || error.class != ErrorClass::Illegal {
        return error;
    }
    let all = Options { unmoved_pawns: UnmovedPawns::All, ..options.clone() };
    if parse_with(text, &all).error.is_some() {
        return error;
    }
    error.map(|issue| {
        issue.hint("the whole text can be read when all pawns count as unmoved: `--unmoved-pawns all`")
    })
}

/// Whether a text with this beginning is in this notation: two numbers and `;`.
pub(super) fn detect(head: &Head<'_>) -> bool {
    let text = head.text.trim_start_matches(|c: char| c == '>' || c.is_ascii_whitespace());
    let mut cursor = Cursor::new(text);
    (0..2).all(|_| {
        cursor.skip_blanks();
        let number = cursor.number().is_some();
        cursor.skip_blanks();
        number && cursor.eat(";")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_needs_unmoved_pawns_says_so() {
        let text = "3;6;1;0;b;F\nk2/3/3/P2/3/2K;;-;w1;1;(1,3,1,0)(1,5,1,0)\n";
        let hint = |text: &str| parse(text).error.and_then(|error| error.issue.hint.clone());
        assert!(hint(text).is_some_and(|hint| hint.contains("--unmoved-pawns all")));
        let all = Options { unmoved_pawns: UnmovedPawns::All, ..Options::default() };
        assert_eq!(parse_with(text, &all).error, None);
        // A rook's move that no option repairs.
        assert_eq!(hint(&text.replace("P2", "R2").replace("(1,5,", "(2,5,")), None);
    }
}
