//! Asks implementations of the rules what they say about a position, and finds where two of them part.
//!
//! An [`Oracle`] is anything that answers [questions](Question) about positions: this library ([`Own`]), its naive second set
//! of rules ([`Slow`]), or another program ([`Program`]), which is spoken to in JSON lines (`spec/oracle-protocol.md`). What an
//! oracle says counts only after it has shown which position it talks about: an [`Answer`] repeats the boards, and a wrong
//! echo makes everything else in it void.
//!
//! [`compare`] finds the [differences](Difference) between two answers, and [`shrink`] makes the position with a difference
//! small. [`record`] keeps figures in files.

mod compare;
pub mod known;
mod own;
mod program;
mod protocol;
pub mod record;
mod shrink;
mod walk;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use crate::notation::Game;
use crate::rules::variants;
use crate::state::Position;
use crate::types::{Action, Status};

pub use compare::{Class, Difference, Feature, compare};
pub use own::{Own, Slow};
pub use program::{Program, StartError};
pub use protocol::{move_text, read_action, read_answer};
pub use shrink::{Shrunk, shrink};
pub use walk::{Asking, Divergence, Walked};

/// An implementation of the rules.
pub trait Oracle {
    /// What it is and what it can be asked.
    fn manifest(&self) -> &Manifest;

    /// What it says about a position.
    fn ask(&mut self, question: &Question<'_>) -> Answer;

    /// What it says about a position that is chosen to show a fault again. Such a fault does not count toward those after which an
    /// oracle is asked no more.
    fn provoke(&mut self, question: &Question<'_>) -> Answer {
        self.ask(question)
    }

    /// What was asked and answered so far, if that is kept.
    fn recording(&self) -> Option<&str> {
        None
    }

    /// What it makes of a text: the number of actions and the boards at the end, or a refusal.
    ///
    /// Oracles that read no notation leave it out.
    fn read(&mut self, _notation: &str, _text: &str) -> Option<Answer> {
        None
    }

    /// The text that it writes for a game.
    ///
    /// Oracles that write no notation leave it out.
    fn write(&mut self, _notation: &str, _question: &Question<'_>) -> Option<Result<String, Answer>> {
        None
    }
}

/// What an oracle is and what it can be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// Its name and version.
    pub name: String,
    /// Which figures it gives.
    pub features: BTreeSet<Feature>,
    /// The verdicts that it tells apart. One that has no word for a softmate calls it ongoing.
    pub statuses: BTreeSet<String>,
    /// The variants that it can start from by name; all positions can be given as boards unless [`Manifest::boards`] is false.
    pub variants: Vec<String>,
    /// Whether a start may be given as boards.
    pub boards: bool,
    /// Whether its boards say which pieces have never moved.
    pub marks: bool,
    /// The notations that it reads.
    pub reads: Vec<String>,
    /// The notations that it writes.
    pub writes: Vec<String>,
}

impl Manifest {
    /// Whether it can be asked about games with this start.
    pub fn takes(&self, start: &Position) -> bool {
        let name = || variants::by_setup(&start.to_setup()).map(|variant| variant.name);
        self.boards || name().is_some_and(|name| self.variants.iter().any(|known| known == name))
    }
}

/// A question about the position at the end of a game.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The game that leads there.
    pub game: &'a Game,
    /// The position itself.
    pub position: &'a Position,
    /// The most actions that are listed, and up to which they are counted.
    pub cap: u64,
    /// Actions of which the oracle should say whether they may be played.
    pub tries: &'a [Action],
    /// How long it may think.
    pub time: Duration,
}

/// What an oracle says.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Figures about the position whose boards it has repeated.
    Figures(Box<Figures>),
    /// It does not accept the start, or one of the actions that lead to the position.
    Refused {
        /// Which action of the game, from 0; nothing if it is the start.
        action: Option<usize>,
        /// What it says about it.
        message: String,
    },
    /// It ended without an answer.
    Crash(String),
    /// It gave no answer in time.
    TimeOut(String),
    /// It answered, but not about this position, or in a way that cannot be understood.
    Void(String),
    /// It cannot be asked this.
    NotAsked(String),
}

/// Facts about a position. Each may be unknown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures {
    /// The position that they are about, as far as the oracle shows it.
    pub position: Option<Position>,
    /// Whether the player to move is in check.
    pub in_check: Option<bool>,
    /// How the game stands.
    pub status: Option<Status>,
    /// How many legal actions there are.
    pub legal_actions: Option<Count>,
    /// The legal actions, all of them if `legal_actions` is exact and says the same number.
    pub actions: Option<BTreeSet<Action>>,
    /// How many of the actions it lists again.
    pub repeated: u64,
    /// Whether it accepts each of the actions that were tried, as far as it says.
    pub accepts: Option<Vec<Option<bool>>>,
    /// The hash `5dfen-md5` of the position.
    pub hash: Option<String>,
    /// How many actions a text has that was read.
    pub played: Option<u64>,
}

/// A number, or a lower bound of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The number.
    pub count: u64,
    /// Whether there are no more.
    pub exact: bool,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = if self.exact { "" } else { "at least " };
        write!(f, "{least}{}", self.count)
    }
}
