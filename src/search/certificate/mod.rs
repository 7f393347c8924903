//! Certificates: why a mate is a mate, in a form that is checked without searching for it.
//!
//! After the attacker's action the defender has a handful to thousands of actions. A certificate does not list them. It
//! names captures of royal pieces, the *threats*, such that hardly any action parries them all; and for each action that
//! does, the answer that mates. `spec/certificates.md` says what exactly a certificate claims.
//!
//! | file | holds |
//! |---|---|
//! | `capture` | what one capture of a royal piece needs |
//! | `cover` | the actions of a player that parry all of some threats |
//! | `check` | the checker: is everything true that a certificate says? |
//! | `build` | making a certificate for a mate whose answers are known |
//!
//! The first three are all that has to be trusted. They use the boards of a position and the moves of pieces, and nothing else of
//! the rules: not the legal actions, the checks or the outcome, which are found by other means in `rules`.

mod build;
mod capture;
mod check;
mod cover;

pub use build::{Answers, BuildError, certify};
pub use check::{Flaw, Rejection, Verdict, check};

use super::Class;
use crate::types::{Action, Place};

/// A capture of a royal piece, which the attacker makes unless the defender prevents it.
///
/// Which piece captures does not matter, as long as it can go from the one square to the other. The square may lie on a
/// board that the defender's action makes, and then the threat exists only after some actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Threat {
    /// The square of the attacker's piece.
    pub from: Place,
    /// The square of the royal piece.
    pub to: Place,
}

/// Why the player to move, the defender, is mated: at once, or after any action.
///
/// Every action of the defender leaves one of the threats, or is answered in exactly one of the rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The threats that no other action parries all.
    pub threats: Vec<Threat>,
    /// The answers to the legal actions. Empty when there are none, which is mate.
    pub replies: Vec<Reply>,
}

impl Node {
    /// In how many of his actions the attacker mates, with the one that led here.
    pub fn mate_in(&self) -> u32 {
        1 + self.replies.iter().map(|reply| reply.node.mate_in()).max().unwrap_or(0)
    }
}

/// The answer to one action of the defender or to several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Which actions it answers.
    pub when: When,
    /// The attacker's action.
    pub answer: Action,
    /// Why it mates, whichever of the actions it answered.
    pub node: Node,
}

/// Which actions of the defender a row is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum When {
    /// This one.
    If(Action),
    /// Those of a class.
    Class(Class),
    /// All that no other row of the same list is about.
    Otherwise,
}

impl When {
    /// Whether the row is about this action, if it is for no other row.
    pub fn holds(&self, action: &Action) -> bool {
        match self {
            When::If(only) => only == action,
            When::Class(class) => class.contains(action),
            When::Otherwise => true,
        }
    }
}
