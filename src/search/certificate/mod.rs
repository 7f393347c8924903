//! Certificates: proofs of mates that can be checked without a search.
//!
//! After the attacker's action the defender may have thousands of actions. A certificate does not list them. It names
//! captures of royal pieces, the *threats*, and gives the mating answer to each of the few actions that parry all
//! threats. `spec/certificates.md` says exactly what a certificate claims.
//!
//! | file | holds |
//! |---|---|
//! | `capture` | what one capture of a royal piece needs |
//! | `cover` | the actions of a player that parry all of some threats, or may give check |
//! | `check` | the checker: are all claims of a certificate true? |
//! | `deny` | the checker of *no*: no mate in N, no other key |
//! | `build` | making a certificate for a mate whose answers are known |
//! | `exhaust` | helpmates and selfmates, of which everything is tried |
//! | `looks` | how much work and memory both may take |
//!
//! Only the first four have to be right for the checker to be right. They use the boards of a position, the equality of positions
//! and the moves of pieces, and nothing else of the rules: not the legal actions, the checks or the outcome, which `rules` finds in
//! another way.

mod build;
mod capture;
mod check;
mod cover;
mod deny;
mod exhaust;
mod looks;

pub use build::{Answers, BuildError, LOOKS_PER_STEP, certify};
pub(super) use build::{Length, certify_at};
pub use check::{check, play_if_legal};
pub use deny::{
    Adviser, Denial, MOST_ACTIONS, RefutationTable, Standing, deny, is_mate, legal_actions, mate_in_one,
    mates_in_one, standing,
};
pub use exhaust::{SelfmateAdviser, forces_selfmate, has_no_selfmate, helpmates, selfmates};
pub use looks::Looks;

use std::fmt;

use super::{Class, Start};
use crate::types::{Action, Because, BoardCoordinate, Coordinate, Move};

/// A capture of a royal piece, which the attacker makes unless the defender prevents it.
///
/// Any piece may capture that can go from the one square to the other. The square may lie on a
/// board that the defender's action makes, and then the threat exists only after some actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Threat {
    /// The square of the attacker's piece.
    pub from: Coordinate,
    /// The square of the royal piece.
    pub to: Coordinate,
}

/// Why the player to move, the defender, is mated: at once, or after any action.
///
/// Every action of the defender leaves one of the threats, or is answered in exactly one of the rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// Threats of which at least one stands after every action that no row answers.
    pub threats: Vec<Threat>,
    /// The answers to the legal actions. Empty when there are none, which is mate.
    pub replies: Vec<Reply>,
}

impl Node {
    /// In how many of his actions the attacker mates, with the one that led here.
    pub fn mate_in(&self) -> u32 {
        1 + self.replies.iter().map(|reply| reply.node.mate_in()).max().unwrap_or(0)
    }

    /// The rows about an action of the defender: those that name it or its class, or else those for all others. In a true node it is one.
    pub fn rows_about(&self, defence: &Action) -> Vec<&Reply> {
        let is_otherwise = |row: &&Reply| matches!(row.when, When::Otherwise);
        let rows = || self.replies.iter();
        let about: Vec<&Reply> = rows().filter(|row| !is_otherwise(row) && row.when.holds(defence)).collect();
        if about.is_empty() { rows().filter(is_otherwise).collect() } else { about }
    }

    /// The only row about an action of the defender.
    pub fn reply_to(&self, defence: &Action) -> Option<&Reply> {
        match *self.rows_about(defence) {
            [row] => Some(row),
            _ => None,
        }
    }
}

/// The answer to one action of the defender or to several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The actions that it answers.
    pub when: When,
    /// The attacker's action.
    pub answer: Action,
    /// Why it mates, whichever of the actions it answered.
    pub node: Node,
}

/// The actions of the defender that a row is about.
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
    /// The lists of a class; none for the other rows.
    fn boards(&self) -> &[(BoardCoordinate, Vec<Start>)] {
        match self {
            When::Class(class) => class.boards(),
            When::If(_) | When::Otherwise => &[],
        }
    }

    /// Whether the row is about this action, if it is for no other row.
    pub fn holds(&self, action: &Action) -> bool {
        match self {
            When::If(only) => only == action,
            When::Class(class) => class.contains(action),
            When::Otherwise => true,
        }
    }
}

/// The result of checking a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// All that it says is true: the attacker mates.
    Accepted {
        /// The number of actions of the defender that were answered, over all lines.
        defences: u64,
    },
    /// Something is missing or false. That does not mean that there is no mate.
    Rejected(Rejection),
    /// It was not found out: looks or memory did not suffice, or more timelines can be made than are supported.
    Undecided(Because),
}

/// Why a certificate proves nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The actions that lead to what is wrong: the key, a defence, its answer, and so on.
    pub line: Vec<Action>,
    /// The flaw there.
    pub flaw: Flaw,
}

/// A flaw of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Flaw {
    /// The rows show a mate in so many actions, which is not what is claimed.
    Length(u32),
    /// The last action of the line is the attacker's and has no move.
    NoMove,
    /// The last action of the line is the attacker's and has a move that cannot be made.
    IllegalMove(Move),
    /// The last action of the line is the attacker's and does not pass the present on.
    PresentNotAdvanced,
    /// The last action of the line is the attacker's and leaves a royal piece of his to be captured.
    Exposed(Threat),
    /// The last action of the line is the defender's and is illegal, as it leaves this threat, which the certificate does
    /// not name.
    MissingThreat(Threat),
    /// The last action of the line is a legal action of the defender that no row is about.
    NoRow,
    /// The last action of the line is a legal action of the defender that two rows are about.
    TwoRows,
    /// The class of the row with this index, after the last action of the line, names a board that the defender cannot play.
    UnplayableBoard(usize, BoardCoordinate),
    /// A row is about no legal action of the defender, in any line that leads to it. These are the indices of the row that
    /// leads there, of the row under that one, and so on to the row itself.
    UnusedRow(Vec<usize>),
    /// After the line the defender has no legal action, but no threat named would be there if he passed: nothing shows that this
    /// is no stalemate.
    NoCheck,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Length(shown) => {
                write!(f, "the rows show a mate in {shown}, which is not the mate that is claimed")
            }
            Flaw::NoMove => f.write_str("the attacker makes no move"),
            Flaw::IllegalMove(_) => f.write_str("the attacker's action has an illegal move"),
            Flaw::PresentNotAdvanced => {
                f.write_str("the attacker's action leaves a mandatory board that has not been played")
            }
            Flaw::Exposed(_) => {
                f.write_str("the attacker's action leaves a royal piece that the defender could capture")
            }
            Flaw::MissingThreat(_) => {
                f.write_str("the defence is illegal, but the threat that makes it so is not listed")
            }
            Flaw::NoRow => f.write_str("no row answers the defence"),
            Flaw::TwoRows => f.write_str("two rows answer the defence"),
            Flaw::UnplayableBoard(..) => f.write_str("the class names a board that the defender cannot play"),
            Flaw::UnusedRow(_) => f.write_str("the row answers no legal defence"),
            Flaw::NoCheck => f.write_str("none of the listed threats gives check, so this may be stalemate"),
        }
    }
}

#[cfg(test)]
mod tests;
