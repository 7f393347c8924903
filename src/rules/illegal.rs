//! Reasons why an action, or a move of it, is illegal. Begin at [`IllegalAction`].

use std::fmt;

use super::attacks::Check;
use crate::state::{MAX_TIMELINES, Position};
use crate::types::{Move, MoveKind};

/// The reason why an action may not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalAction {
    /// The action has no move.
    NoMove,
    /// A move of the action cannot be made.
    IllegalMove {
        /// The number of the move; the first move in canonical order is number 1.
        number: usize,
        /// The move.
        m: Move,
        /// The reason, in the position after the moves before it.
        why: IllegalMove,
    },
    /// The present stays the mover's: a mandatory board was not played.
    PresentNotAdvanced,
    /// The opponent could capture a royal piece of the mover.
    Exposed(Check),
}

impl IllegalAction {
    /// The name of the reason in errors of notations.
    pub const fn code(&self) -> &'static str {
        match self {
            IllegalAction::NoMove => "no-move",
            IllegalAction::IllegalMove { .. } => "illegal-action",
            IllegalAction::PresentNotAdvanced => "present-stays",
            IllegalAction::Exposed(_) => "royal-exposed",
        }
    }
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalAction::NoMove => f.write_str("an action needs at least one move"),
            IllegalAction::IllegalMove { number, m, why } => {
                write!(f, "move {number}, {m}, cannot be made: {why}")
            }
            IllegalAction::PresentNotAdvanced => {
                f.write_str("the action cannot be submitted: a mandatory board has not been played")
            }
            IllegalAction::Exposed(_) => {
                f.write_str("the action cannot be submitted: the opponent could capture a royal piece")
            }
        }
    }
}

impl std::error::Error for IllegalAction {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            IllegalAction::IllegalMove { why, .. } => Some(why),
            IllegalAction::NoMove | IllegalAction::PresentNotAdvanced | IllegalAction::Exposed(_) => None,
        }
    }
}

/// The reason why a move cannot be made, apart from check: the first that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The board on which it starts does not exist, has been played, or is the opponent's to play.
    NotPlayable,
    /// No piece of the player stands where it starts.
    NoPiece,
    /// The board to which it goes does not exist, or is one on which the opponent is to move.
    NoTarget,
    /// The kind of the move does not fit its target board; this kind would.
    WrongKind(MoveKind),
    /// The promotion is missing, or the pawn cannot become this piece now.
    WrongPromotion,
    /// The piece cannot go there.
    Unreachable,
    /// The game would have more than [`MAX_TIMELINES`].
    TooLarge,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMove::NotPlayable => "the board where it begins is not playable now",
            IllegalMove::NoPiece => "no piece of the player stands where it begins",
            IllegalMove::NoTarget => {
                "the board to which it goes does not exist, or the opponent is to move on it"
            }
            IllegalMove::WrongKind(MoveKind::Physical) => "it stays on its board, so it is a physical move",
            IllegalMove::WrongKind(MoveKind::Hop) => "a move to that board is a hop: it creates no timeline",
            IllegalMove::WrongKind(MoveKind::Branch) => {
                "a move to that board is a branch: it creates a timeline"
            }
            IllegalMove::WrongPromotion => "its promotion is missing or is not allowed",
            IllegalMove::Unreachable => "the piece cannot go there",
            IllegalMove::TooLarge => {
                return write!(f, "the game would have more than {MAX_TIMELINES} timelines");
            }
        })
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Checks that the player to move can make this move now, apart from check.
    ///
    /// # Errors
    ///
    /// When it is not pseudo-legal, or the position would be too large.
    pub fn check_move(&self, m: &Move) -> Result<(), IllegalMove> {
        if self.has_room_for(m) && self.is_pseudo_legal(m) { Ok(()) } else { Err(self.why_illegal(m)) }
    }

    /// The reason why a move is refused, which must be one that cannot be made.
    #[cold]
    pub(super) fn why_illegal(&self, m: &Move) -> IllegalMove {
        if !self.has_room_for(m) {
            return IllegalMove::TooLarge;
        }
        let at = m.from.board;
        if self.playable(at.timeline) != Some(at) {
            return IllegalMove::NotPlayable;
        }
        let piece = self.board(at).and_then(|board| board.get(m.from.square));
        if piece.is_none_or(|piece| piece.color != self.to_move()) {
            return IllegalMove::NoPiece;
        }
        match self.move_kind(at, m.to.board) {
            None => return IllegalMove::NoTarget,
            Some(kind) if kind != m.kind => return IllegalMove::WrongKind(kind),
            Some(_) => {}
        }
        let mut moves = Vec::new();
        self.pseudo_legal_moves_between(m.from, m.to, &mut moves);
        if moves.is_empty() { IllegalMove::Unreachable } else { IllegalMove::WrongPromotion }
    }
}
