//! What an engine is asked, and what it answers.

use std::fmt;

use crate::state::Position;
use crate::types::{Action, Move};

/// What an engine is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The position before the action.
    pub position: Position,
    /// The moves of the action that are made already, in their order; the answer contains them.
    pub made: Vec<Move>,
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// To look for a mate in so many actions before anything else.
    pub mate_in: Option<u32>,
    /// With another seed than 0 the engine prefers another one of actions that are nearly equal.
    pub seed: u64,
    /// About how many bytes to use.
    pub memory: u64,
}

impl Question {
    /// The question for the best action in a position, with 64 MiB of memory.
    pub fn new(position: Position) -> Question {
        Question { position, made: Vec::new(), depth: None, mate_in: None, seed: 0, memory: 64 << 20 }
    }
}

/// How good a position is for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In hundredths of a pawn.
    Pawns(i32),
    /// A forced mate in so many actions of the player who mates; negative if the player to move is mated.
    Mate(i32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Pawns(score) => write!(f, "cp {score}"),
            Score::Mate(actions) => write!(f, "mate {actions}"),
        }
    }
}

/// What the search knows after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How many plies were looked ahead.
    pub depth: u32,
    /// How many search steps were taken so far.
    pub steps: u64,
    /// How good the best action is.
    pub score: Score,
    /// The best action and what is expected after it.
    pub line: Vec<Action>,
}

/// Why there is no action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The player to move is checkmated.
    Checkmate,
    /// The player to move has no legal action and is not in check.
    Stalemate,
    /// The moves that are made cannot become a legal action.
    DeadEnd,
    /// No legal action was found in time.
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

/// What came of thinking.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// A legal action.
    pub best: Option<Action>,
    /// If there is none: why.
    pub ending: Option<Ending>,
    /// How good the action is, if the search got that far.
    pub score: Option<Score>,
    /// The last line that was reported.
    pub line: Vec<Action>,
    /// The deepest iteration that was finished.
    pub depth: u32,
    /// How many search steps were taken.
    pub steps: u64,
    /// It was asked for a mate in so many, and there is none.
    pub no_mate_in: Option<u32>,
}
