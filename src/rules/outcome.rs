//! Whether an action is legal, and how a game stands.

use std::fmt;

use super::Check;
use crate::state::Position;
use crate::types::{Action, Move};

/// Why an action may not be submitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalAction {
    /// What is wrong.
    pub reason: IllegalReason,
}

/// What is wrong with an action.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum IllegalReason {
    /// The action has no move.
    NoMove,
    /// This move of the action, by its index in canonical order, cannot be made.
    NotAMove(usize, Move),
    /// The present stays the mover's: a board of the present was not dealt with.
    PresentStays,
    /// A royal piece could be captured.
    Exposed(Check),
    /// The game would have more boards or timelines than are supported.
    TooLarge,
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            IllegalReason::NoMove => f.write_str("an action needs at least one move"),
            IllegalReason::NotAMove(index, _) => write!(f, "move {} cannot be made", index + 1),
            IllegalReason::PresentStays => f.write_str(
                "the present stays with the player who moved: a board that must be played was not",
            ),
            IllegalReason::Exposed(_) => f.write_str("a royal piece could be captured"),
            IllegalReason::TooLarge => {
                f.write_str("the game has more boards or timelines than are supported")
            }
        }
    }
}

impl std::error::Error for IllegalAction {}

impl Position {
    /// Plays an action if it is legal; otherwise the position stays as it is.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, in the order: no move, a move that cannot be made, the present, check.
    pub fn play(&mut self, action: &Action) -> Result<(), IllegalAction> {
        let refuse = |reason| Err(IllegalAction { reason });
        if action.is_empty() {
            return refuse(IllegalReason::NoMove);
        }
        let mut made = 0;
        let mut wrong = None;
        for (index, m) in action.moves().iter().enumerate() {
            if !self.has_room_for(m) {
                wrong = Some(IllegalReason::TooLarge);
            } else if !self.is_pseudo_legal(m) {
                wrong = Some(IllegalReason::NotAMove(index, *m));
            }
            if wrong.is_some() {
                break;
            }
            self.push(m);
            made += 1;
        }
        if let Some(reason) = wrong.or_else(|| self.submit_obstacle()) {
            for m in action.moves()[..made].iter().rev() {
                self.pop(m);
            }
            return refuse(reason);
        }
        self.submit_unchecked();
        Ok(())
    }

    /// Why the action under way may not be submitted now, if it may not.
    ///
    /// Only what is seen at the end of an action: the present and check. That each move could be made is not asked
    /// again.
    pub fn submit_obstacle(&self) -> Option<IllegalReason> {
        if self.present().color() == self.to_move() {
            return Some(IllegalReason::PresentStays);
        }
        self.exposed_royal().map(IllegalReason::Exposed)
    }
}
