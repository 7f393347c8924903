//! A move as it is written: one type for all notations that write moves with letters and squares.

use super::cursor::Cursor;
use super::error::Issue;
use super::label::Label;
use super::span::Span;
use crate::types::{BoardCoordinate, Color, Move, MoveKind, Parity, PieceKind, Square};

/// One move as it is written. Parts that are left out, or that the notation never writes, are `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveText {
    /// All of it.
    pub span: Span,
    /// The number in front, in notations that number moves and not only actions.
    pub number: Option<Number>,
    /// The board on which it starts.
    pub from: Option<BoardText>,
    /// The piece and its squares, or castling.
    pub shape: Shape,
    /// `=Q`
    pub promotion: Option<PieceKind>,
    /// `e.p.`
    pub en_passant: bool,
    /// `+`, `*`, `#` or `=`
    pub check: Option<CheckMark>,
    /// `!`, `?` and their pairs, by their numbers in PGN: 1 to 6.
    pub glyph: Option<u8>,
    /// `~`: the present moves to the timeline that the move creates.
    pub rewinds: bool,
    /// `(>L1)`: the timeline that the move creates.
    pub creates: Option<Label>,
    /// `(~T3)`: the turn at which the present is afterwards.
    pub present: Option<i16>,
}

/// A number in front of a move, with the player whom it names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number with its letter or dots.
    pub span: Span,
    /// The number.
    pub value: u32,
    /// The player.
    pub color: Color,
}

/// The piece and its squares, or castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `O-O`: the king moves two squares to the right.
    CastlingRight,
    /// `O-O-O`: the king moves two squares to the left.
    CastlingLeft,
    /// Every other move.
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
        /// The square that it enters.
        to: Square,
    },
}

/// The mark of a jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// `>`
    Hop,
    /// `>>`
    Branch,
}

/// `(0T1)`, `(L1)`, `(T3b)`: a board as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardText {
    /// The board with its parentheses.
    pub span: Span,
    /// The timeline.
    pub timeline: Option<Label>,
    /// The turn.
    pub turn: Option<i16>,
    /// The player to move on it.
    pub color: Option<Color>,
}

/// The board to which a piece goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// All of it.
    pub span: Span,
    /// The timeline.
    pub timeline: Option<Place<Label>>,
    /// The turn.
    pub turn: Option<Place<i16>>,
    /// The player to move on it.
    pub color: Option<Color>,
}

/// A timeline or a turn to which a piece goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place<T> {
    /// The one with this name: `(1T3)`.
    At(T),
    /// A distance from the board where the move starts, in timelines upwards or in turns: `$(L+1T-2)`.
    Away(i16),
}

/// The effect of a move on the opponent, as its author marks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckMark {
    /// `+`
    Check,
    /// `*`, directly after the move.
    Softmate,
    /// `#`
    Checkmate,
    /// `=`
    Stalemate,
}

impl MoveText {
    /// A move with nothing else written.
    pub(crate) fn new(span: Span, from: Option<BoardText>, shape: Shape) -> MoveText {
        MoveText {
            span,
            number: None,
            from,
            shape,
            promotion: None,
            en_passant: false,
            check: None,
            glyph: None,
            rewinds: false,
            creates: None,
            present: None,
        }
    }

    /// The square from which the piece comes, if both halves of it are written.
    pub(crate) fn origin(&self) -> Option<Square> {
        match self.shape {
            Shape::Piece { file: Some(file), rank: Some(rank), .. } => Square::new(file, rank),
            _ => None,
        }
    }
}

impl Shape {
    /// The number of files that the king goes to the right when castling.
    pub(crate) fn castling(self) -> Option<i8> {
        match self {
            Shape::CastlingRight => Some(2),
            Shape::CastlingLeft => Some(-2),
            Shape::Piece { .. } => None,
        }
    }
}

impl Jump {
    /// Whether a move can be marked like this.
    pub(crate) fn is_of(self, m: &Move) -> bool {
        m.kind == if self == Jump::Hop { MoveKind::Hop } else { MoveKind::Branch }
    }
}

impl From<BoardText> for Target {
    fn from(BoardText { span, timeline, turn, color }: BoardText) -> Target {
        Target { span, timeline: timeline.map(Place::At), turn: turn.map(Place::At), color }
    }
}

impl Target {
    /// Whether these boards are possible for a move to this target. Parts that are left out may be anything.
    pub(crate) fn fits(self, parity: Parity, from: BoardCoordinate, to: BoardCoordinate) -> bool {
        let away = |start: i16, by: i16| i32::from(start) + i32::from(by);
        self.timeline.is_none_or(|timeline| match timeline {
            Place::At(label) => label.timeline(parity) == Some(to.timeline),
            Place::Away(by) => away(from.timeline.0, by) == i32::from(to.timeline.0),
        }) && self.turn.is_none_or(|turn| match turn {
            Place::At(turn) => turn == to.half_turn.turn(),
            Place::Away(by) => away(from.half_turn.turn(), by) == i32::from(to.half_turn.turn()),
        }) && self.color.is_none_or(|color| color == to.color())
    }
}

impl CheckMark {
    /// The mark as it is written.
    pub const fn text(self) -> &'static str {
        match self {
            CheckMark::Check => "+",
            CheckMark::Softmate => "*",
            CheckMark::Checkmate => "#",
            CheckMark::Stalemate => "=",
        }
    }

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            CheckMark::Check => "check",
            CheckMark::Softmate => "softmate",
            CheckMark::Checkmate => "checkmate",
            CheckMark::Stalemate => "stalemate",
        }
    }
}

/// Message for a null move in a game.
pub(crate) const NO_PASS: &str = "expected a move, but found a null move: no player may pass";
/// Messages for `>>` at a hop, and for `>` at a branch.
pub(crate) const HOP_NOT_BRANCH: &str = "`>>` marks a branch, but this is a hop, which is written `>`";
pub(crate) const BRANCH_NOT_HOP: &str = "`>` marks a hop, but this is a branch, which is written `>>`";
/// Hint for those two: the definition of hop and branch.
pub(crate) const HOP_OR_BRANCH: &str =
    "a hop goes to the last board of another timeline, a branch to an earlier board";
/// Message for castling that is not possible.
pub(crate) const NO_CASTLING: &str = "no king can castle to that side";
/// Message for a variation, which only a few notations keep.
pub(crate) const VARIATION: &str = "the variation is left out, because it is not part of the game";

/// The spellings of castling, the longer ones first.
pub(crate) const CASTLING: [(&str, Shape); 4] = [
    ("O-O-O", Shape::CastlingLeft),
    ("0-0-0", Shape::CastlingLeft),
    ("O-O", Shape::CastlingRight),
    ("0-0", Shape::CastlingRight),
];

/// The parts of moves that notations share.
impl Cursor<'_> {
    /// Steps over castling, if it comes next.
    pub fn castling(&mut self) -> Option<Shape> {
        if !matches!(self.peek(), Some(b'O' | b'0')) {
            return None;
        }
        CASTLING.into_iter().find(|(form, _)| self.eat(form)).map(|(_, shape)| shape)
    }

    /// Steps over the capital letter of a piece, if one comes next.
    pub fn piece_letter(&mut self) -> Option<PieceKind> {
        let letter = self.peek().filter(u8::is_ascii_uppercase)?;
        let kind = PieceKind::try_from(char::from(letter)).ok()?;
        self.at += 1;
        Some(kind)
    }

    /// Steps over `>` or `>>`, if it comes next.
    pub fn jump(&mut self) -> Option<Jump> {
        let jumps = self.eat(">");
        jumps.then(|| if self.eat(">") { Jump::Branch } else { Jump::Hop })
    }

    /// The issue that no piece stands after `=`.
    pub fn missing_promotion(&self) -> Issue {
        self.expected("missing-promotion", "the letter of a piece after `=`")
    }

    /// The issue that the square is missing to which a piece goes.
    pub fn missing_destination(&self) -> Issue {
        self.expected("missing-destination", "the square to which the piece goes")
    }
}
