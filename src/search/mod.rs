//! The prover: searches for mates, and evidence that a mate is real. Begin at [`Analysis`].
//!
//! | file | question |
//! |---|---|
//! | `analysis` | what is true of a goal in a position? [`Analysis`]: commands ask here |
//! | [`certificate`] | how can a mate be checked without a search? |
//! | `evidence` | was a certificate of the mate accepted? [`Prover::confirm`] |
//! | `verification` | is a list complete, by evidence? only puzzles are asked so |
//! | `class` | which actions does a row of a table match? [`Class`] |
//! | `mate` | is there a mate in N, and by which keys? [`Prover::solve`] |
//! | `parallel` | how do several threads share a proof? [`Prover::on_threads`] |
//! | `keys` | which keys belong to the same class? [`KeyClass`] |
//! | `tree` | is there a long mate by checks? best first |
//! | `answers` | which answers does each defence have? `Prover::variations`, `Prover::duals` |
//! | `listed` | is a list complete, or why not? [`Listed`] |
//! | `sift` | of which legal actions is something true? |
//! | `helpmate` | how do both players together mate the one who begins? [`Prover::helpmates`] |
//! | `selfmate` | can a player force the opponent to mate him? [`Prover::selfmates`] |
//! | `tries` | which reply refutes a wrong action? `Prover::wrong_actions` |
//! | `and_or` | is there a mate in the order of the lengths, and what does it rest on that there is none? |
//! | `prover` | [`Prover`]: its budget, its memory, its settings |
//! | `team` | what do provers that share a proof spend, and when is it over? |
//! | `table` | the memory of results about positions, of bounded size |
//!
//! # Who calls whom
//!
//! A file calls those that stand to its right. Nearly every function is a method of [`Prover`], which has budget and memory with it.
//!
//! ```text
//! analysis                                              commands ask here
//! ├── mate ────────┬── tree ─────┐                      mate in N and its keys
//! │                ├── parallel ─┤
//! │                └── keys ─────┤
//! ├── answers ─────┬── keys      ├──> and_or ──> rules::{ActionSieve, Basis}
//! │                └─────────────┤
//! ├── tries ─────────────────────┘                      refutations of wrong actions
//! ├── helpmate ─────── keys                             its last action is a mate in one
//! ├── selfmate                                          a search of its own
//! └── evidence ─────── certificate                      confirms what mate and answers found
//! ─────────────────────────────────────────────────────────────────────────────────────
//! table: results about positions                        prover: budget, killers, settings
//! ```
//!
//! `and_or` calls itself: `mate` asks `refute` about each action, `refute` asks `answer` about each defence, and `answer` asks for a
//! mate that is one action shorter. What it relies on is told in `spec/proofs.md`.

mod analysis;
mod and_or;
mod answers;
pub mod certificate;
mod class;
mod evidence;
mod helpmate;
mod keys;
mod listed;
mod mate;
mod parallel;
mod prover;
mod selfmate;
mod sift;
mod table;
mod team;
mod tree;
mod tries;
#[cfg(feature = "puzzle")]
mod verification;

use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64};

pub use analysis::{Analysis, Failing, Losing, SetPlay, Threat};
pub use answers::{Dual, Variation};
pub use class::{Class, Start};
pub use evidence::Evidence;
pub use helpmate::Helpmates;
#[cfg(feature = "puzzle")]
pub(crate) use helpmate::line_contains;
pub use keys::KeyClass;
pub use listed::{Cut, Listed};
pub use mate::{Solution, Solve, solve};
pub(crate) use prover::cost_of_size;
pub use prover::{Contradiction, PaidActions, Prover, RunAll};
pub use selfmate::{ForcedReply, Selfmates};
pub use tries::{Refutations, Try, after_null_action};

use crate::types::Action;

/// The limits of a proof: search steps and memory.
///
/// Steps are those of [`Limit`](crate::types::Limit). A prover takes one step for each combination of moves
/// that it examines to find a legal action, and one for each legal action of either player that it tries.
/// With hundreds of timelines, where this takes longer, it counts as several steps. The same question with
/// the same budget has the same answer on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The most steps.
    pub steps: u64,
    /// The most bytes for remembered results about positions, and the same again for lists of actions. With
    /// less memory a proof takes more steps. If a list does not fit, the answer is undecided.
    pub memory: u64,
    /// The most steps for evidence: to make certificates of the mates that are found, and to check them. A
    /// mate whose evidence needs more is undecided. The author of a puzzle cannot change this limit.
    pub evidence: u64,
}

/// The progress of a proof. Other threads may read it at any time.
#[derive(Debug, Default)]
pub struct Progress {
    /// The steps that were spent.
    pub steps: AtomicU64,
    /// The length of the mate that is being looked for.
    pub mate_in: AtomicU32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: 2_000_000, memory: 256 << 20, evidence: 20_000_000 }
    }
}

impl Budget {
    /// The smallest number of bytes for lists of actions, whatever `memory` says.
    pub const LEAST_FOR_LISTS: u64 = 16 << 20;

    /// This many steps, and the default memory.
    pub fn steps(steps: u64) -> Budget {
        Budget { steps, ..Budget::default() }
    }
}

/// The answer to a claim.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// It holds.
    Proven,
    /// It does not hold.
    Refuted,
    /// The budget ran out first.
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

/// The actions of the attacker that a search looks at.
///
/// A mate among the checks is a mate. Only a complete search can show that there is none: a quiet action can force
/// mate too, as a player may not pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Candidates {
    /// Only actions that give check.
    Checks,
    /// Every action.
    Complete,
}

impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Candidates::Checks => "checks",
            Candidates::Complete => "complete",
        })
    }
}

/// The reason why an attacker's action does not mate in the actions that are left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Defence {
    /// This legal action of the defender leaves no mate in time.
    Action(Action),
    /// The defender has no legal action but is not in check: stalemate.
    Stalemate,
}
