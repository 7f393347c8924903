//! The record: the parts of a 5DPGN text, before their moves are looked up.

use std::ops::Range;

use crate::notation::common::boards::Block;
use crate::notation::common::passes::Pass;
use crate::notation::common::start::StartText;
use crate::notation::common::{GameResult, Header, MAX_INPUT_BYTES, MoveText, Span};
use crate::types::Color;

/// A game as it is written. Every part knows its place in the text, so nothing is lost.
#[derive(Clone, Debug)]
pub struct Record<'t> {
    /// The text into which all spans point.
    pub text: &'t str,
    /// The headers, in order.
    pub headers: Vec<Header>,
    /// The start boards, in order.
    pub boards: Vec<Block<'t>>,
    /// The actions, in order. A number or `/` without moves gives an empty one.
    pub actions: Vec<ActionText>,
    /// The moves of all actions, in order.
    pub moves: Vec<MoveText>,
    /// The comments with their marks, in order.
    pub comments: Vec<Span>,
    /// The variations, in the order in which they begin. They form a tree: each knows its parent.
    pub variations: Vec<Variation>,
    /// The null moves before the first action, `0. (0T0)0000`, in order.
    pub passes: Vec<Pass>,
    /// The result at the end of the moves.
    pub result: Option<(GameResult, Span)>,
}

impl<'t> Record<'t> {
    /// An empty record of a text.
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
            passes: Vec::new(),
            result: None,
        }
    }

    /// The moves of an action of this record.
    pub fn moves_of(&self, action: &ActionText) -> &[MoveText] {
        &self.moves[action.moves.start as usize..action.moves.end as usize]
    }

    /// The headers and boards that describe the start.
    pub(super) fn start(&self) -> StartText<'t, '_> {
        StartText { text: self.text, headers: &self.headers, boards: &self.boards }
    }
}

/// A variation, `( … )`: actions that replace those after it, or the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The variation with its parentheses.
    pub span: Span,
    /// The enclosing variation, by its index in [`Record::variations`]; `None` in the game itself.
    pub parent: Option<u32>,
    /// The number of actions of the game before it.
    pub after: u32,
}

/// The moves that one player makes in a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionText {
    /// The span from the number or slash to the last move.
    pub span: Span,
    /// The number in front of it.
    pub number: Option<u32>,
    /// The player whom number and letter name; `None` after a slash, which only means the next player.
    pub color: Option<Color>,
    /// The range of its moves in [`Record::moves`].
    pub moves: Range<u32>,
}
