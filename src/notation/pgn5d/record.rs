//! The record: the parts of a 5DPGN text, before their moves are looked up.

use std::ops::Range;

use crate::notation::common::boards::Block;
use crate::notation::common::passes::Pass;
use crate::notation::common::start::StartText;
use crate::notation::common::{GameResult, Header, MAX_INPUT_BYTES, MoveText, ParseError, Span};
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
    /// The game after its start.
    pub line: LineText,
    /// The null moves before the first action, `0. (0T0)0000`, in order.
    pub passes: Vec<Pass>,
}

impl<'t> Record<'t> {
    /// An empty record of a text.
    pub(in crate::notation) fn new(text: &'t str) -> Record<'t> {
        Record {
            text,
            headers: Vec::new(),
            boards: Vec::new(),
            line: LineText {
                // Most actions and moves take more bytes than this.
                actions: Vec::with_capacity(text.len().min(MAX_INPUT_BYTES) / 24),
                moves: Vec::with_capacity(text.len().min(MAX_INPUT_BYTES) / 16),
                ..LineText::default()
            },
            passes: Vec::new(),
        }
    }

    /// The headers and boards that describe the start.
    pub(super) fn start(&self) -> StartText<'t, '_> {
        StartText { text: self.text, headers: &self.headers, boards: &self.boards }
    }
}

/// Actions that follow each other, with what stands between them: a game after its start, or a variation.
#[derive(Clone, Debug, Default)]
pub struct LineText {
    /// The actions, in order. A number or `/` without moves gives an empty one.
    pub actions: Vec<ActionText>,
    /// The moves of all actions, in order.
    pub moves: Vec<MoveText>,
    /// The comments and annotations, in order.
    pub remarks: Vec<RemarkText>,
    /// The variations, in the order in which they begin.
    pub variations: Vec<VariationText>,
    /// The result at the end of the moves.
    pub result: Option<(GameResult, Span)>,
}

impl LineText {
    /// The moves of an action of this line.
    pub fn moves_of(&self, action: &ActionText) -> &[MoveText] {
        &self.moves[action.moves.start as usize..action.moves.end as usize]
    }
}

/// A comment in braces or after `;`, or an annotation, as `$14`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemarkText {
    /// All of it, with its marks.
    pub span: Span,
    /// The number of actions of its line that begin before it.
    pub after: u32,
}

/// A variation, `( … )`: actions that replace those after it, or the one before it.
#[derive(Clone, Debug)]
pub struct VariationText {
    /// The variation with its parentheses.
    pub span: Span,
    /// The number of actions of its line that begin before it.
    pub after: u32,
    /// The text within it up to the error, if there is one.
    pub line: LineText,
    /// The reason why it cannot be read to its end.
    pub error: Option<ParseError>,
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
    /// The range of its moves in [`LineText::moves`].
    pub moves: Range<u32>,
}
