//! What a 5DPGN text says, before anyone has asked what it means.

use std::ops::Range;

use crate::notation::common::boards::Block;
use crate::notation::common::passes::Pass;
use crate::notation::common::start::StartText;
use crate::notation::common::{GameResult, Header, MAX_INPUT_BYTES, MoveText, Span};
use crate::types::Color;

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
    /// The null moves before the first action, `0. (0T0)0000`, in order.
    pub passes: Vec<Pass>,
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
            passes: Vec::new(),
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
