//! The parts of answers that several goals share.

use std::io::{self, Write};

use serde::Serialize;

use crate::cli::json::Spent;
use worldlines::notation::pgn5d::{action_text, board_text, line_texts};
use worldlines::search::{self, Defence, KeyClass, Try};
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate};

/// The position and the limits that the text of an answer speaks of.
pub struct Question<'r> {
    /// The position, as `3b`.
    pub at: &'r str,
    /// The player to move, inside a sentence.
    pub player: &'static str,
    /// The limit that ended a search which left something open.
    pub undecided: Option<Spent>,
    /// The search steps spent.
    pub steps: u64,
}

impl Question<'_> {
    /// The first line of the text of a helpmate or selfmate in `n`.
    pub fn print_verdict(&self, verdict: Verdict, what: &str, n: u32, out: &mut dyn Write) -> io::Result<()> {
        let Question { at, player, .. } = self;
        match verdict {
            Verdict::Proven => writeln!(out, "{at}: proven: {what} in {n} with {player} to move"),
            Verdict::Refuted => writeln!(out, "{at}: refuted: no {what} in {n} with {player} to move"),
            Verdict::Undecided => writeln!(out, "{at}: undecided: a {what} in {n} with {player} to move"),
        }
    }
}

/// Whether a claim is true.
#[derive(PartialEq, Eq, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// There is a mate.
    Proven,
    /// There is none.
    Refuted,
    /// The search ended first.
    Undecided,
}

impl From<search::Verdict> for Verdict {
    fn from(verdict: search::Verdict) -> Verdict {
        match verdict {
            search::Verdict::Proven => Verdict::Proven,
            search::Verdict::Refuted => Verdict::Refuted,
            search::Verdict::Undecided => Verdict::Undecided,
        }
    }
}

/// Keys that are one idea.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Class {
    /// One of them.
    pub key: String,
    /// The number of its keys.
    pub size: usize,
    /// The boards on which a key may play anything.
    pub free: Vec<String>,
    /// The number of actions in which it mates at the latest; `null` when that was not found out.
    pub mates_in: Option<u32>,
    /// The mate if the defender resists as long as possible; `null` when the search for it ended first.
    pub line: Option<Vec<String>>,
}

impl Class {
    pub fn of(position: &Position, class: &KeyClass, line: Option<&[Action]>) -> Class {
        let board = |at: &BoardCoordinate| board_text(position, *at);
        Class {
            key: action_text(position, class.key()),
            size: class.keys().len(),
            free: class.free().iter().map(board).collect(),
            mates_in: line.map(length),
            line: line.map(|line| line_texts(position, line).0),
        }
    }

    /// The number of other keys, and the boards where anything may be played, for the eye.
    pub fn others(&self) -> String {
        let free = &self.free;
        let more = match self.size {
            1 => String::new(),
            2 => "  and 1 more key".to_owned(),
            size => format!("  and {} more keys", size - 1),
        };
        if free.is_empty() { more } else { format!("{more}, anything on {}", free.join(" ")) }
    }
}

/// The number of actions of each player in a line, the last one counted for both.
fn length(line: &[Action]) -> u32 {
    line.len().div_ceil(2) as u32
}

/// A first action that does not force mate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wrong {
    pub action: String,
    /// The reply that refutes it; `null` when the action stalemates, or, in a selfmate, ends the game.
    pub reply: Option<String>,
}

impl Wrong {
    pub fn of(position: &Position, wrong: &Try) -> Wrong {
        let mut after = position.clone();
        after.play(&wrong.action).expect("a legal action");
        Wrong {
            action: action_text(position, &wrong.action),
            reply: match &wrong.refutation {
                Defence::Action(reply) => Some(action_text(&after, reply)),
                Defence::Stalemate => None,
            },
        }
    }
}
