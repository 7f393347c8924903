//! The keys of a selfmate.

use std::io::{self, Write};

use super::report::{Answer, Class, Report, Wrong};
use crate::cli::json::Number;
use worldlines::notation::pgn5d::action_text;
use worldlines::search::Analysis;
use worldlines::types::counted;

/// Finds an action that forces it, or all keys.
pub fn find(report: &mut Report, analysis: &mut Analysis<'_, '_>, all: bool) {
    let found = if all { analysis.selfmates().clone() } else { analysis.selfmate() };
    let start = analysis.start();
    report.verdict = found.verdict.into();
    report.complete = found.complete;
    (report.mates_in, report.shortest) = (found.shortest, found.shortest);
    report.mating_actions = Number { count: found.forcing_actions, exact: found.complete };
    report.legal_actions = Some(found.legal_actions.into());
    report.keys = found.keys.iter().map(|class| action_text(start, class.key())).collect();
    report.near_miss = found.near_miss.as_ref().map(|wrong| Wrong::of(start, wrong));
    for class in &found.keys {
        let line = analysis.selfmate_line(class.key()).unwrap_or(None);
        report.classes.push(Class::of(start, class, line.as_deref()));
    }
    report.undecided = found.undecided.map(Into::into);
}

pub fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    report.print_verdict("selfmate", out)?;
    report.print_lines(out)?;
    if let Some(Wrong { action, reply }) = &report.near_miss {
        writeln!(out, "  {action} is refuted by {}", reply.as_deref().unwrap_or("the end of the game"))?;
    }
    let steps = counted(report.search_steps, "search step");
    match (&report.undecided, &report.verdict, &report.legal_actions) {
        (Some(spent), ..) => writeln!(out, "{spent}"),
        (None, Answer::Proven, Some(legal)) if report.complete => {
            let (count, at_least) = (report.mating_actions.count, legal.at_least());
            writeln!(out, "{count} of {at_least}{} first actions force it; {steps}", legal.count)
        }
        (None, Answer::Proven, _) => writeln!(out, "not all other first actions were examined; {steps}"),
        (None, ..) => writeln!(out, "{steps}"),
    }
}
