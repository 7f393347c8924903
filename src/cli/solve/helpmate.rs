//! The lines of a helpmate.

use std::io::{self, Write};

use serde::Serialize;

use super::parts::{Question, Verdict};
use worldlines::notation::pgn5d::line_texts;
use worldlines::search::Analysis;
use worldlines::types::{Undecided, counted};

/// The most lines that are listed.
const MOST: usize = 1_000;

/// The answer about a helpmate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Helpmate {
    pub verdict: Verdict,
    /// The helpmate that was asked for.
    pub mate_in: u32,
    /// The smallest number of actions that mates, if one does.
    pub shortest: Option<u32>,
    /// Lines of that length, of both players' actions.
    pub lines: Vec<Vec<String>>,
    /// Whether there are no lines but these.
    pub complete: bool,
}

impl Helpmate {
    /// Finds a shortest helpmate, or all of them.
    pub fn find(analysis: &mut Analysis<'_, '_>, all: bool) -> (Helpmate, Option<Undecided>) {
        let (mate_in, start) = (analysis.n(), analysis.start());
        let of = |verdict| Helpmate { verdict, mate_in, shortest: None, lines: Vec::new(), complete: false };
        let shortest = match analysis.shortest_helpmate() {
            Ok(Some(shortest)) => shortest,
            Ok(None) => return (Helpmate { complete: true, ..of(Verdict::Refuted) }, None),
            Err(why) => return (of(Verdict::Undecided), Some(why)),
        };
        let help = Analysis::new(analysis.prover(), start, shortest).helpmates(if all { MOST } else { 1 });
        let lines = help.lines.iter().map(|line| line_texts(start, line).0).collect();
        let found = of(Verdict::Proven);
        (Helpmate { shortest: Some(shortest), lines, complete: help.complete, ..found }, help.undecided)
    }

    pub fn print(&self, question: &Question<'_>, out: &mut dyn Write) -> io::Result<()> {
        question.print_verdict(self.verdict, "helpmate", self.shortest.unwrap_or(self.mate_in), out)?;
        for line in &self.lines {
            writeln!(out, "  {}", line.join(" / "))?;
        }
        let steps = counted(question.steps, "search step");
        match (&question.undecided, self.verdict) {
            (Some(spent), _) => writeln!(out, "{spent}"),
            (None, Verdict::Proven) => {
                let at_least = if self.complete { "" } else { "at least " };
                writeln!(out, "{at_least}{}; {steps}", counted(self.lines.len() as u64, "line"))
            }
            (None, _) => writeln!(out, "{steps}"),
        }
    }
}
