//! `worldlines verify --engine COMMAND --compliance`: checks that an engine keeps to the protocol.

use std::io::Write;

use serde::Serialize;

use super::super::super::ci::{self, Case, Ended, Note};
use super::super::super::exit::{Exit, Failure};
use super::super::super::output::{Shape, print_json};
use super::Examining;
use worldlines::host::{Kept, compliance};
use worldlines::notation::printable;

pub const SCHEMA: &str = "worldlines/compliance-1";

/// The report on whether an engine keeps to the protocol.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compliance {
    schema: &'static str,
    /// The name of the engine.
    engine: String,
    /// The exit code of the command.
    exit_code: u32,
    checks: Vec<Checked>,
}

/// A check of one requirement of the protocol.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Checked {
    /// The requirement.
    check: &'static str,
    /// Whether the engine meets it; `null` if it was not checked.
    kept: Option<bool>,
    /// The kind of its fault.
    fault: Option<&'static str>,
    /// The behaviour of the engine, or the reason why it was not checked.
    why: Option<String>,
    /// The end of the transcript.
    transcript: Vec<String>,
}

/// Checks whether an engine keeps to the protocol.
pub(in super::super) fn comply(
    arguments: &Examining,
    command: &str,
    shape: Shape,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    if command.starts_with("replay:") {
        return Err(Failure::new("a recording has no protocol; --compliance needs the engine itself"));
    }
    let checks = compliance(command, &arguments.settings(), arguments.time_per_action)
        .map_err(|error| Failure::new(printable(&error.to_string())))?;
    let checked = checks.into_iter().map(|check| {
        let (kept, fault, why) = match &check.kept {
            Kept::Yes => (Some(true), None, None),
            Kept::No(fault) => (Some(false), Some(fault.name()), Some(printable(&fault.to_string()))),
            Kept::NotAsked(why) => (None, None, Some((*why).to_owned())),
        };
        let transcript = check.transcript.iter().map(|line| printable(line)).collect();
        Checked { check: check.name, kept, fault, why, transcript }
    });
    let checks: Vec<Checked> = checked.collect();
    let is_kept = checks.iter().all(|check| check.kept != Some(false));
    let exit = if is_kept { Exit::Ok } else { Exit::Findings };
    let exit_code = exit.code().into();
    let report = Compliance { schema: SCHEMA, engine: arguments.name(), exit_code, checks };
    match shape {
        Shape::Text => report.print(out)?,
        Shape::Json => print_json(out, &report)?,
        Shape::Junit => ci::junit(&report.engine, &report.cases(), out)?,
        Shape::Github => {
            ci::github(&report.cases(), out)?;
            writeln!(out, "{}", report.summary())?;
        }
        Shape::Html => ci::html(&report.engine, &report.summary(), &report.cases(), out)?,
    }
    Ok(exit)
}

impl Compliance {
    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for (index, checked) in self.checks.iter().enumerate() {
            let Checked { check, kept, fault, why, transcript } = checked;
            let word = match kept {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "-",
            };
            write!(out, "{word:<4}{check}")?;
            // An engine that cannot be started has the same fault in every check.
            let same = |earlier: &&Checked| {
                fault.is_some()
                    && (&earlier.fault, &earlier.why, &earlier.transcript) == (fault, why, transcript)
            };
            if let Some(earlier) = self.checks[..index].iter().find(same) {
                writeln!(out, ": the same as in: {}", earlier.check)?;
                continue;
            }
            if let Some(fault) = fault {
                write!(out, ": {fault}")?;
            }
            writeln!(out, "{}", why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())?;
            for line in transcript {
                writeln!(out, "      {line}")?;
            }
        }
        writeln!(out, "{}", self.summary())?;
        Ok(())
    }

    /// The numbers of checks on one line.
    fn summary(&self) -> String {
        let number = |wanted| self.checks.iter().filter(|check| check.kept == wanted).count();
        let (yes, no) = (number(Some(true)), number(Some(false)));
        format!("{}: {yes} kept, {no} not, {} not asked", self.engine, number(None))
    }

    /// The checks for CI servers.
    fn cases(&self) -> Vec<Case> {
        let case = |checked: &Checked| Case {
            suite: self.engine.clone(),
            name: checked.check.to_owned(),
            file: String::new(),
            ended: match checked.kept {
                Some(true) => Ended::Passed,
                Some(false) => Ended::Failed,
                None => Ended::Skipped,
            },
            notes: checked
                .why
                .iter()
                .map(|why| Note::error(checked.fault.unwrap_or("not-asked"), why))
                .collect(),
            text: checked.transcript.join("\n"),
        };
        self.checks.iter().map(case).collect()
    }
}
