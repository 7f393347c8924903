//! The keys of a selfmate.

use std::io::{self, Write};

use serde::Serialize;

use super::parts::{Class, Question, Verdict, Wrong};
use crate::cli::json::Number;
use worldlines::notation::pgn5d::action_text;
use worldlines::search::Analysis;
use worldlines::types::{Undecided, counted};

/// The answer about a selfmate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Selfmate {
    pub verdict: Verdict,
    /// The selfmate that was asked for.
    pub mate_in: u32,
    /// The smallest number of replies that mates, when it is known.
    pub shortest: Option<u32>,
    /// First actions that force it and have no part that does: one of each class.
    pub keys: Vec<String>,
    /// The classes of these keys in full.
    pub classes: Vec<Class>,
    /// The number of first actions that force it, of those that were looked at.
    pub forcing_actions: u64,
    /// The number of first actions that were looked at.
    pub legal_actions: Number,
    /// Whether every first action was looked at, so that there are no keys but these.
    pub complete: bool,
    /// A first action that leaves few replies, if nothing forces it.
    pub near_miss: Option<Wrong>,
}

impl Selfmate {
    /// Finds an action that forces it, or all keys.
    pub fn find(analysis: &mut Analysis<'_, '_>, all: bool) -> (Selfmate, Option<Undecided>) {
        let found = if all { analysis.selfmates().clone() } else { analysis.selfmate() };
        let start = analysis.start();
        let mut classes = Vec::new();
        for class in &found.keys {
            let line = analysis.selfmate_line(class.key()).unwrap_or(None);
            classes.push(Class::of(start, class, line.as_deref()));
        }
        let selfmate = Selfmate {
            verdict: found.verdict.into(),
            mate_in: analysis.n(),
            shortest: found.shortest,
            keys: found.keys.iter().map(|class| action_text(start, class.key())).collect(),
            classes,
            forcing_actions: found.forcing_actions,
            legal_actions: found.legal_actions.into(),
            complete: found.complete,
            near_miss: found.near_miss.as_ref().map(|wrong| Wrong::of(start, wrong)),
        };
        (selfmate, found.undecided)
    }

    pub fn print(&self, question: &Question<'_>, out: &mut dyn Write) -> io::Result<()> {
        question.print_verdict(self.verdict, "selfmate", self.shortest.unwrap_or(self.mate_in), out)?;
        for class in &self.classes {
            let shown = class.line.as_ref().map_or_else(|| class.key.clone(), |line| line.join(" / "));
            writeln!(out, "  {shown}{}", class.others())?;
        }
        if let Some(Wrong { action, reply }) = &self.near_miss {
            writeln!(out, "  {action} is refuted by {}", reply.as_deref().unwrap_or("the end of the game"))?;
        }
        let steps = counted(question.steps, "search step");
        match (&question.undecided, self.verdict) {
            (Some(spent), _) => writeln!(out, "{spent}"),
            (None, Verdict::Proven) if self.complete => {
                let (count, at_least) = (self.forcing_actions, self.legal_actions.at_least());
                writeln!(
                    out,
                    "{count} of {at_least}{} first actions force it; {steps}",
                    self.legal_actions.count
                )
            }
            (None, Verdict::Proven) => writeln!(out, "not all other first actions were examined; {steps}"),
            (None, _) => writeln!(out, "{steps}"),
        }
    }
}
