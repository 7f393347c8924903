//! Asks implementations of the rules about positions, and finds where they differ.
//!
//! An [`Oracle`] answers [questions](Question) about positions: this library ([`Own`]), its naive rules
//! ([`Slow`]), or another program ([`Program`]), over JSON lines (`spec/oracle-protocol.md`). An oracle must
//! first show which position it talks about: an [`Answer`] repeats the boards, and wrong boards make the rest
//! of it void.
//!
//! [`compare`] finds the [differences](Difference) between two answers, and [`shrink`] makes a position with
//! a difference smaller. [`record`] stores figures in files. Begin at [`Asking`].

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
    /// Its name and its abilities.
    fn manifest(&self) -> &Manifest;

    /// Asks for figures about a position.
    fn ask(&mut self, question: &Question<'_>) -> Answer;

    /// Like [`Oracle::ask`], for a position that is chosen to show a fault again. Such faults do not count
    /// towards the number after which an oracle is no longer asked.
    fn provoke(&mut self, question: &Question<'_>) -> Answer {
        self.ask(question)
    }

    /// The recording of all questions and answers so far, if one is kept.
    fn recording(&self) -> Option<&str> {
        None
    }

    /// Asks for the meaning of a text: the number of actions and the boards at the end, or a refusal.
    ///
    /// Oracles that read no notation do not implement this.
    fn read(&mut self, _notation: &str, _text: &str) -> Option<Answer> {
        None
    }

    /// Asks for the text of a game in a notation.
    ///
    /// Oracles that write no notation do not implement this.
    fn write(&mut self, _notation: &str, _question: &Question<'_>) -> Option<Result<String, Answer>> {
        None
    }
}

/// The name and the abilities of an oracle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The name and version.
    pub name: String,
    /// The figures that it gives.
    pub features: BTreeSet<Feature>,
    /// The statuses that it distinguishes. An oracle without softmate calls it ongoing.
    pub statuses: BTreeSet<String>,
    /// The variants that it can start from by name. All other starts need [`Manifest::boards`].
    pub variants: Vec<String>,
    /// Whether a start may be given as boards.
    pub boards: bool,
    /// Whether its boards mark unmoved pieces.
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
    /// The most actions to list, and the number up to which they are counted.
    pub cap: u64,
    /// Actions to test: the oracle should say whether each may be played.
    pub tries: &'a [Action],
    /// The time for an answer.
    pub time: Duration,
}

/// The answer of an oracle.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Figures about the position whose boards it has repeated.
    Figures(Box<Figures>),
    /// It refuses the start, or one of the actions that lead to the position.
    Refused {
        /// The action of the game, by its index from 0; `None` for the start.
        action: Option<usize>,
        /// The message of the oracle.
        message: String,
    },
    /// It ended without an answer.
    Crash(String),
    /// It gave no answer in time.
    TimeOut(String),
    /// It answered about another position, or with a text that cannot be understood.
    Void(String),
    /// It cannot be asked this, for this reason.
    NotAsked(String),
}

/// Facts about a position, each of which may be unknown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Figures {
    /// The position, as far as the oracle shows it.
    pub position: Option<Position>,
    /// Whether the player to move is in check.
    pub in_check: Option<bool>,
    /// The status of the game.
    pub status: Option<Status>,
    /// The number of legal actions.
    pub legal_actions: Option<Count>,
    /// The legal actions; complete if `legal_actions` is exact and has the same number.
    pub actions: Option<BTreeSet<Action>>,
    /// The number of actions that it lists more than once.
    pub repeated: u64,
    /// Whether it accepts each of the tested actions, as far as it says.
    pub accepts: Option<Vec<Option<bool>>>,
    /// The hash `5dfen-md5` of the position.
    pub hash: Option<String>,
    /// The number of actions of a text that was read.
    pub played: Option<u64>,
}

impl Figures {
    /// Whether nothing is known but the boards.
    pub fn is_empty(&self) -> bool {
        let Figures { in_check, status, legal_actions, actions, accepts, hash, .. } = self;
        let accepts = accepts.iter().flatten().flatten().next();
        in_check.is_none()
            && status.is_none()
            && legal_actions.is_none()
            && actions.is_none()
            && accepts.is_none()
            && hash.is_none()
    }
}

/// A number, exact or a lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The number.
    pub count: u64,
    /// Whether the number is exact.
    pub exact: bool,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = if self.exact { "" } else { "at least " };
        write!(f, "{least}{}", self.count)
    }
}
