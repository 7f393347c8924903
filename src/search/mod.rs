//! Proving mates.
//!
//! | file | question |
//! |---|---|
//! | [`certificate`] | how does anybody check that a mate is one, without searching? |
//! | `class` | which actions does a row of a table stand for? [`Class`] |
//! | `mate` | is there a mate in N, and by which keys? [`Prover::solve`] |
//! | `keys` | which mating actions are one idea? [`KeyClass`] |
//! | `tries` | which reply refutes a wrong action? [`Prover::wrong_actions`] |
//! | `prover` | the search: the actions of both sides, what is tried first |
//! | `table` | what is known of positions, in bounded memory |

pub mod certificate;
mod class;
mod keys;
mod mate;
mod prover;
mod table;
mod tries;

use std::fmt;

pub use class::{Class, Start};
pub use keys::KeyClass;
pub use mate::{Solution, Solve, solve};
#[cfg(feature = "puzzle")]
pub(crate) use prover::cost_of_size;
pub use prover::{PaidActions, Prover};
pub use tries::{Refutations, Try, passed};

use crate::types::Action;

/// How much work and memory a proof may take.
///
/// A node is one combination of moves that was looked at in search of a legal action, or one legal action that was
/// tried, whichever side makes it; on hundreds of timelines, where either takes longer, it counts as several nodes. The same
/// question with the same budget has the same answer on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most nodes.
    pub nodes: u64,
    /// The most bytes for what is remembered of positions, and again for lists of actions. With less memory for positions
    /// a proof takes more nodes; a list that has no room is undecided.
    pub memory: u64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { nodes: 2_000_000, memory: 256 << 20 }
    }
}

impl Budget {
    /// The bytes for lists of actions that there are in any case.
    pub const LEAST_FOR_LISTS: u64 = 16 << 20;

    /// This many nodes, and the default memory.
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes, ..Budget::default() }
    }
}

/// What is known of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It holds.
    Proven,
    /// It does not hold.
    Refuted,
    /// The budget was spent first.
    Undecided,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Proven => "proven",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "undecided",
        })
    }
}

/// Which of the attacker's actions a search looks at.
///
/// A mate that is found in either tier is a mate. That there is none follows from a complete search only: a quiet action
/// can force mate, as nobody may pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tier {
    /// Only actions that give check.
    Checks,
    /// Every action.
    Complete,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::Checks => "checks",
            Tier::Complete => "complete",
        })
    }
}

/// Why an attacker's action does not mate in the actions that are left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defence {
    /// This legal action of the defender leaves no mate in time.
    Action(Action),
    /// The defender has no legal action but is not in check: stalemate.
    Stalemate,
}
