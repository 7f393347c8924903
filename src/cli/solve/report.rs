//! The report of `solve`.

use std::io::{self, Write};

use serde::Serialize;

use super::SCHEMA;
use super::helpmate::Helpmate;
use super::mate::Mate;
use super::parts::{Question, Verdict};
use super::selfmate::Selfmate;
use crate::cli::input::Input;
use crate::cli::json::{PositionName, Rules, Spent, Warning};
use crate::cli::terminal::say;
use worldlines::puzzle::FALSE_HEADER;

/// The answer to one question.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    pub schema: &'static str,
    #[serde(flatten)]
    pub rules: Rules,
    #[serde(flatten)]
    pub name: PositionName,
    #[serde(flatten)]
    pub answer: Answer,
    /// The limit that ended a search which left something open.
    pub undecided: Option<Spent>,
    /// The search steps spent.
    pub search_steps: u64,
    /// Things in the game that look wrong.
    pub warnings: Vec<Warning>,
}

/// The kind of mate that was asked for, and the answer about it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "asks", rename_all = "lowercase")]
pub enum Answer {
    /// The player to move mates, whatever the opponent does.
    Mate(Mate),
    /// Both players play for the mate of the player to move, who begins.
    Helpmate(Helpmate),
    /// The player to move forces the opponent to mate him.
    Selfmate(Selfmate),
}

impl Report {
    /// The report of an answer about the end of a game.
    pub fn of(answer: Answer, undecided: Option<Spent>, search_steps: u64, input: &Input) -> Report {
        let (rules, name, warnings) = (input.rules(), input.end_name(), input.warnings());
        Report { schema: SCHEMA, rules, name, answer, undecided, search_steps, warnings }
    }

    /// Whether what was asked for was shown.
    pub fn verdict(&self) -> Verdict {
        match &self.answer {
            Answer::Mate(mate) => mate.verdict,
            Answer::Helpmate(helpmate) => helpmate.verdict,
            Answer::Selfmate(selfmate) => selfmate.verdict,
        }
    }

    /// Warns if a header of the game announces a mate that is not there, or that comes sooner. Returns whether it did.
    pub fn warn_of_false_header(&mut self) -> bool {
        let Answer::Mate(mate) = &self.answer else { return false };
        let Some(message) = mate.false_header() else { return false };
        say(&format!("warning[{FALSE_HEADER}]: {message}"));
        self.warnings.push(Warning { code: FALSE_HEADER, message, hint: None, line: None, column: None });
        true
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let (player, undecided, steps) = (self.name.to_move.word(), self.undecided, self.search_steps);
        let asked = Question { at: &self.name.at, player, undecided, steps };
        match &self.answer {
            Answer::Mate(mate) => mate.print(&asked, out),
            Answer::Helpmate(helpmate) => helpmate.print(&asked, out),
            Answer::Selfmate(selfmate) => selfmate.print(&asked, out),
        }
    }
}
