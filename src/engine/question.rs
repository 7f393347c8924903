//! The input and the result of the search.

use std::fmt;

use crate::state::Position;
use crate::types::{Action, Move};

/// The input of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The position before the action.
    pub position: Position,
    /// The moves of the action that are already made, in order; the result contains them.
    pub made: Vec<Move>,
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The length of a mate to look for first.
    pub mate_in: Option<u32>,
    /// The seed; with another one than 0 the engine chooses differently between nearly equal actions.
    pub seed: u64,
    /// The memory to use, in bytes, approximately.
    pub memory: u64,
}

impl Question {
    /// The search for the best action in a position, with 64 MiB of memory.
    pub fn new(position: Position) -> Question {
        Question { position, made: Vec::new(), depth: None, mate_in: None, seed: 0, memory: 64 << 20 }
    }
}

/// The score of a position for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// The score in hundredths of a pawn.
    Pawns(i32),
    /// A forced mate in so many actions of the player who mates; negative if the player to move is mated.
    Mate(i32),
}

/// The score of a mate if not every defence was examined.
pub(super) const LIKELY_MATE: i32 = 20_000;

impl Score {
    /// Whether it stands for a mate of either player that was found and not proved, since not every defence was looked at.
    pub const fn is_likely_mate(self) -> bool {
        matches!(self, Score::Pawns(score) if score.abs() >= LIKELY_MATE / 2)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Pawns(score) => write!(f, "cp {score}"),
            Score::Mate(actions) => write!(f, "mate {actions}"),
        }
    }
}

/// The state of the search after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The depth in plies.
    pub depth: u32,
    /// The number of search steps so far.
    pub steps: u64,
    /// The score of the best action.
    pub score: Score,
    /// The best action and the expected actions after it.
    pub line: Vec<Action>,
}

/// The reason why there is no action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The player to move is checkmated.
    Checkmate,
    /// The player to move has no legal action and is not in check.
    Stalemate,
    /// The moves that are made cannot be completed to a legal action.
    DeadEnd,
    /// No legal action was found within the limit.
    Unknown,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Checkmate => "checkmate",
            Ending::Stalemate => "stalemate",
            Ending::DeadEnd => "no legal action has these moves",
            Ending::Unknown => "no legal action was found in time",
        })
    }
}

/// The result of the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The best action, which is legal.
    pub best: Option<Action>,
    /// The reason if there is none.
    pub ending: Option<Ending>,
    /// The score of the action, if the search got that far.
    pub score: Option<Score>,
    /// The expected line, from the best action on.
    pub line: Vec<Action>,
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// The number of search steps.
    pub steps: u64,
    /// The length of the mate that was asked for, if there is none.
    pub no_mate_in: Option<u32>,
}
