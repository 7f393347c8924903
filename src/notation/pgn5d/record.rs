//! What a 5DPGN text says, before anyone has asked what it means.

use std::ops::Range;

use crate::notation::common::boards::Block;
use crate::notation::common::start::StartText;
use crate::notation::common::{GameResult, Header, MAX_INPUT_BYTES};
use crate::notation::common::{Label, Span};
use crate::types::{Color, PieceKind, Square};

/// A game as it is written. Every part knows its place in the text, so nothing is lost.
#[derive(Clone, Debug)]
pub struct Record<'t> {
    /// The text that everything here points into.
    pub text: &'t str,
    /// The headers, in order.
    pub headers: Vec<Header>,
    /// The start boards, in order.
    pub boards: Vec<Block<'t>>,
    /// The actions, in order. One that is announced and not written is empty.
    pub actions: Vec<ActionText>,
    /// The moves of all actions, in order.
    pub moves: Vec<MoveText>,
    /// The comments with their marks, wherever they stand.
    pub comments: Vec<Span>,
    /// The variations, in the order in which they begin: a tree, since each one knows in which other it stands.
    pub variations: Vec<Variation>,
    /// Null moves at turn zero before the first action, `0. (0T0)0000`.
    pub passes: Option<Span>,
    /// The result at the end of the moves.
    pub result: Option<(GameResult, Span)>,
}

impl<'t> Record<'t> {
    /// The record of an empty text, which is to be filled.
    pub(in crate::notation) fn new(text: &'t str) -> Record<'t> {
        Record {
            text,
            headers: Vec::new(),
            boards: Vec::new(),
            // Most actions and moves take more bytes than this.
            actions: Vec::with_capacity(text.len().min(MAX_INPUT_BYTES) / 24),
            moves: Vec::with_capacity(text.len().min(MAX_INPUT_BYTES) / 16),
            comments: Vec::new(),
            variations: Vec::new(),
            passes: None,
            result: None,
        }
    }

    /// The moves of one of its actions.
    pub fn moves_of(&self, action: &ActionText) -> &[MoveText] {
        &self.moves[action.moves.start as usize..action.moves.end as usize]
    }

    /// What says where the game starts.
    pub(super) fn start(&self) -> StartText<'t, '_> {
        StartText { text: self.text, headers: &self.headers, boards: &self.boards }
    }
}

/// A variation, `( … )`: other actions than those that follow it, or than the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variation {
    /// With its parentheses.
    pub span: Span,
    /// The variation in which it stands, by its place in [`Record::variations`]; `None` in the game itself.
    pub parent: Option<u32>,
    /// How many actions of the game stand before it.
    pub after: u32,
}

/// The moves that one player makes in a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionText {
    /// From its number or slash to its last move.
    pub span: Span,
    /// The number in front of it.
    pub number: Option<u32>,
    /// The player whom number and letter name; `None` after a slash, which only says that the next one acts.
    pub color: Option<Color>,
    /// Which of [`Record::moves`] are its.
    pub moves: Range<u32>,
}

/// One move as it is written. What is left out is `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// From the board to the last mark.
    pub span: Span,
    /// The board in front.
    pub from: Option<BoardText>,
    /// What moves where.
    pub shape: Shape,
    /// `=Q`
    pub promotion: Option<PieceKind>,
    /// `e.p.`
    pub en_passant: bool,
    /// `+`, `*` or `#`
    pub check: Option<CheckMark>,
    /// `~`: the present moves to the timeline that the move creates.
    pub rewinds: bool,
    /// `(>L1)`: the timeline that the move creates.
    pub creates: Option<Label>,
    /// `(~T3)`: the turn at which the present is afterwards.
    pub present: Option<i16>,
}

impl MoveText {
    /// The square from which the piece comes, if both halves of it are written.
    pub(super) fn origin(&self) -> Option<Square> {
        match self.shape {
            Shape::Piece { file: Some(file), rank: Some(rank), .. } => Square::new(file, rank),
            _ => None,
        }
    }
}

/// What moves where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `O-O`: the king moves two squares to the right.
    CastlingRight,
    /// `O-O-O`: the king moves two squares to the left.
    CastlingLeft,
    /// Everything else.
    Piece {
        /// The letter.
        kind: Option<PieceKind>,
        /// The file from which it comes, counted from 0.
        file: Option<u8>,
        /// The rank from which it comes, counted from 0.
        rank: Option<u8>,
        /// `>` or `>>`.
        jump: Option<Jump>,
        /// The board to which it goes.
        target: Option<Target>,
        /// `x`
        capture: bool,
        /// Where it goes.
        to: Square,
    },
}

/// How a jump is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// `>`
    Hop,
    /// `>>`
    Branch,
}

/// The board to which a piece goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// `(1T3)`
    Board(BoardText),
    /// `$(L+1T-2)`: so many timelines and turns away. What is left out may be anything.
    Relative {
        /// Timelines, upwards.
        timelines: Option<i16>,
        /// Turns, into the future.
        turns: Option<i16>,
    },
}

/// `(0T1)`, `(L1)`, `(T3b)`: a board as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardText {
    /// With its parentheses.
    pub span: Span,
    /// The timeline.
    pub timeline: Option<Label>,
    /// The turn.
    pub turn: Option<i16>,
    /// The player to move on it.
    pub color: Option<Color>,
}

/// What the author says that the move does to the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckMark {
    /// `+`
    Check,
    /// `*`, directly after the move.
    Softmate,
    /// `#`
    Checkmate,
}
