//! The FEN of an open GUI for engines, in the three forms that it had: boards by timeline, and raw coordinate moves.
//!
//! ```text
//! 4;4;2;0;b;F
//! r2k/4/4/P2K;;-;w1;3;(1,1,1,0)(1,2,1,0);(1,4,1,0)(3,4,1,0);(4,1,2,0)(3,2,1,0)
//! r2k/4/2K1/P2K;;-;b1;2;(1,4,1,1)(1,2,1,1);(3,2,2,1)(2,3,2,1)
//! ```
//!
//! The *seed* form has a line for each timeline: its first board, castling rights, en passant square, when it starts, how
//! many moves follow, and the moves, each of which adds a board to *this* timeline. A timeline that a move creates is a
//! line of its own, whose board must be the one that the move makes. Its header is `width;height;timelines;lowest
//! timeline;player to move;T or F`, with `T` for two start timelines. The later *origins* form lists the start boards only
//! and all moves in one last line; its header is `width;height;0 or 1;start timelines;lowest timeline;player to move`. The
//! grammar is in `spec/notation-gui-fen.md`.
//!
//! The seed form cannot say a move to the last board of another timeline, nor which action a move belongs to where that
//! does not follow. So [`write_game`] writes the seed form when reading it leads back to the same game, and otherwise the
//! origins form.
//!
//! # What the notation leaves out
//!
//! * Which pawns have never moved: [`Options::unmoved_pawns`] decides. Kings and rooks go by the castling rights.
//! * Boards of a timeline before its first one, so a game cannot start in the middle. There are two exceptions. A timeline
//!   that starts at `b0` has the same board at turn 1 too. With an en passant square come the two boards before, on which
//!   the pawn still stands at its start.
//!
//! # Relaxations
//!
//! * Headers of four fields (`8;8;1;0`: the start of the first line says who moves) and of five (no `T` or `F`).
//! * Starts as `1w`; numbers alone in front of the start, which other programs' clocks left behind; no number of moves.
//! * `-` for no castling rights, nothing for no en passant square, numbers of empty squares above 8.
//! * Everything that [`raw`](super::raw) accepts in moves, coordinates from 0 too.
//! * `>` in front of lines, empty lines, `;` at the end of a line.
//! * With a warning: another player to move in the header than is to move after the moves, castling rights without king
//!   or rook, castling rights and en passant squares of a created timeline that differ from what its move makes of it.

mod board;
mod replay;
mod syntax;
mod write;

use super::cursor::{Cursor, Label};
use super::format::{Head, Options};
use super::raw::Element;
use super::{Reading, Span};
use crate::types::{BoardSize, Color, HalfTurn, Parity, Square};
use replay::Replay;

pub use syntax::parse;
pub use write::{write, write_game};

/// The forms that the notation had.
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
    /// All of it.
    pub span: Span,
    /// Which form follows.
    pub generation: Generation,
    /// The size of the boards.
    pub size: BoardSize,
    /// How many timelines are listed.
    pub timelines: usize,
    /// The lowest of them.
    pub lowest: Label,
    /// Who is to move at the end.
    pub to_move: Option<Color>,
    /// Whether there are two start timelines.
    pub parity: Parity,
}

/// The line of a timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// All of it.
    pub span: Span,
    /// The pieces.
    pub rows: Span,
    /// The castling rights.
    pub castling: Span,
    /// The field for the en passant square.
    pub en_passant: Span,
    /// The square that a pawn has just skipped.
    pub skipped: Option<Square>,
    /// When it starts.
    pub start: HalfTurn,
    /// The moves.
    pub elements: Vec<Element>,
}

/// What a text says, before anyone has asked what it means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// A line for each timeline.
    pub lines: Vec<Line>,
    /// The moves of the last line.
    pub moves: Vec<Element>,
}

/// The game of a text, as far as it can be read.
///
/// ```
/// use worldlines::notation::{format::Options, gui_fen};
///
/// let text = "4;4;2;-0;w;T\nnbru/4/4/KPPP;;-;w1;0;\nkppp/4/4/NBRU;;-;b1;0;\n";
/// let start = gui_fen::read(text, &Options::default()).game.unwrap().start;
/// assert_eq!(start.count_legal_actions(100).count, 4);
/// ```
pub fn read(text: &str, options: &Options) -> Reading {
    let record = match parse(text) {
        Ok(record) => record,
        Err(error) => return Reading::refused(error),
    };
    let mut warnings = Vec::new();
    match Replay::start(text, &record, options, &mut warnings) {
        Err(error) => Reading { warnings, error: Some(error), ..Reading::default() },
        Ok(mut replay) => {
            let error = replay.play().err();
            let complete = error.is_none();
            if complete {
                replay.check_player();
            }
            let reading = replay.player.finish(error);
            warnings.extend(reading.warnings);
            Reading { warnings, ..reading }
        }
    }
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
