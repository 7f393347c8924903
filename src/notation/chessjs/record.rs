//! What a text says, before anyone has asked what it means.

use crate::notation::common::Header;
use crate::notation::common::boards::Block;
use crate::notation::common::{Issue, Label, Span};
use crate::types::{Color, PieceKind, Square};

/// A game as it is written. Every part knows its place in the text, so nothing is lost.
#[derive(Clone, Debug)]
pub struct Record<'t> {
    /// The text that everything here points into.
    pub text: &'t str,
    /// The tags, in order, wherever they stand.
    pub tags: Vec<Header>,
    /// The start boards, in order.
    pub boards: Vec<Block<'t>>,
    /// The moves, in order.
    pub moves: Vec<MoveText>,
}

impl Record<'_> {
    /// The moves of each action: those that follow each other with the same number and colour.
    pub fn actions(&self) -> impl Iterator<Item = &[MoveText]> {
        self.moves.chunk_by(|a, b| (a.number, a.color) == (b.number, b.color))
    }

    /// The tags whose name or value has a character that the README does not list: letters, digits, `_`, `-` and `.`
    /// in names, also `/`, `*` and blanks in values.
    ///
    /// The README itself recommends values with commas and `?`, and 5d-chess-js 0.3.6 drops such tags in silence.
    pub fn tags_outside_the_readme(&self) -> Vec<Issue> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let wide = |byte: u8| plain(byte) || matches!(byte, b'/' | b'*' | b' ');
        let outside = |tag: &&Header| {
            !tag.key.of(self.text).bytes().all(plain) || !tag.value.of(self.text).bytes().all(wide)
        };
        let issue = |tag: &Header| {
            let message = "the tag has a character that the README does not allow: 5d-chess-js drops it";
            Issue::new("tag-characters", tag.span, message)
        };
        self.tags.iter().filter(outside).map(issue).collect()
    }
}

/// One move as it is written. What is left out is `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// From its number to its mark.
    pub span: Span,
    /// The number of its action.
    pub number: u32,
    /// The player.
    pub color: Color,
    /// The turn of the board from which it goes.
    pub turn: i16,
    /// The timeline of that board.
    pub timeline: Option<Label>,
    /// What moves where.
    pub shape: Shape,
    /// `+`, `#` or `=`
    pub mark: Option<Mark>,
}

/// What moves where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `0-0`
    CastlingKingside,
    /// `0-0-0`
    CastlingQueenside,
    /// Everything else.
    Piece {
        /// The letter.
        kind: Option<PieceKind>,
        /// The square of origin.
        from: Square,
        /// `<…>` and the board after it.
        target: Option<Target>,
        /// `x`
        capture: bool,
        /// The letter before the square.
        promotion: Option<PieceKind>,
        /// The square to which it goes.
        to: Square,
        /// `e.p.`
        en_passant: bool,
    },
}

/// `<+1>2-1`: the board to which a piece goes. What is left out is the same as at the origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The timeline that the move creates.
    pub creates: Option<Label>,
    /// The turn.
    pub turn: Option<i16>,
    /// The timeline.
    pub timeline: Option<Label>,
}

/// What the author says that the action does to the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `+`
    Check,
    /// `#`
    Checkmate,
    /// `=`
    Stalemate,
}

impl Mark {
    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::Check => "+",
            Mark::Checkmate => "#",
            Mark::Stalemate => "=",
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Check => "check",
            Mark::Checkmate => "checkmate",
            Mark::Stalemate => "stalemate",
        }
    }
}
