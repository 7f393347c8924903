//! The lines of a helpmate.

use std::io::{self, Write};

use super::report::{Answer, Class, Report};
use crate::cli::json::Number;
use worldlines::notation::pgn5d::action_text;
use worldlines::search::Analysis;
use worldlines::types::counted;

/// The most lines that are listed.
const MOST: usize = 1_000;

/// Finds a shortest helpmate, or all of them.
pub fn find(report: &mut Report, analysis: &mut Analysis<'_, '_>, all: bool) {
    let shortest = match analysis.shortest_helpmate() {
        Ok(Some(shortest)) => shortest,
        Ok(None) => {
            (report.verdict, report.complete) = (Answer::Refuted, true);
            return;
        }
        Err(why) => {
            report.undecided = Some(why.into());
            return;
        }
    };
    let start = analysis.start();
    let help = Analysis::new(analysis.prover(), start, shortest).helpmates(if all { MOST } else { 1 });
    report.verdict = Answer::Proven;
    (report.mates_in, report.shortest) = (Some(shortest), Some(shortest));
    report.complete = help.complete;
    report.mating_actions = Number { count: help.lines.len() as u64, exact: help.complete };
    report.keys = help.lines.iter().map(|line| action_text(start, &line[0])).collect();
    report.classes = help.lines.iter().map(|line| Class::of_line(start, line)).collect();
    report.undecided = help.undecided.map(Into::into);
}

pub fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    report.print_verdict("helpmate", out)?;
    report.print_lines(out)?;
    let steps = counted(report.search_steps, "search step");
    match (&report.undecided, &report.verdict) {
        (Some(spent), _) => writeln!(out, "{spent}"),
        (None, Answer::Proven) => {
            let Number { count, .. } = report.mating_actions;
            let lines = counted(count, "line");
            writeln!(out, "{}{lines}; {steps}", report.mating_actions.at_least())
        }
        (None, _) => writeln!(out, "{steps}"),
    }
}
