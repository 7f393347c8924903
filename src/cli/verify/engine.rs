//! `worldlines verify --engine`: examines an engine.

pub mod compliance;
pub mod report;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::super::ci;
use super::super::exit::{Exit, Failure};
use super::super::files::{self, shown};
use super::super::input::engine_option;
use super::super::oracle;
use super::super::output::{Shape, print_json};
use super::super::time::seconds;
use worldlines::exam::{Case, Defences, Outcome, Rules, cases, examine};
use worldlines::host::{Fault, Player, Settings};
use worldlines::notation::printable;
use worldlines::puzzle::{Document, Options};

use compliance::comply;
pub use report::Report;
use report::{Row, SCHEMA};

/// Options for examining an engine instead of verifying the puzzles.
#[derive(clap::Args)]
#[command(next_help_heading = "Examining an engine")]
pub struct Examining {
    /// Ask this engine, which speaks 5DUCI, to solve the puzzles: a command, or replay:FILE with a file of
    /// --record. The puzzles are not verified first
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["fix", "certify", "quick", "paranoid", "partition", "strict", "limit"])]
    engine: Option<String>,
    /// Defences that it has to mate against: `longest`, `each-class`, or `sample:K` for K random ones
    #[arg(long, value_name = "WHICH", default_value = "each-class", requires = "engine")]
    defences: Chosen,
    /// Seed of the random choices: the same number chooses the same defences
    #[arg(long, value_name = "S", default_value_t = 1, requires = "engine")]
    seed: u64,
    /// Seconds for an action, all its moves together
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, requires = "engine")]
    time_per_action: Duration,
    /// The most nodes for each move that the engine is asked for, if it knows such a limit
    #[arg(long, value_name = "N", requires = "engine")]
    nodes: Option<u64>,
    /// It names all moves of an action at once and does not say `submit`
    #[arg(long, requires = "engine")]
    whole_actions: bool,
    /// Set an option of the engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "engine", value_parser = engine_option)]
    option: Vec<(String, Option<String>)>,
    /// Also ask about positions without a mate, which are made from the puzzles
    #[arg(long, requires = "engine")]
    negatives: bool,
    /// The name of the engine in reports, and in files of known failures [default: its command]
    #[arg(long, value_name = "NAME", requires = "engine")]
    name: Option<String>,
    /// An earlier report in JSON: only cases that got worse are findings
    #[arg(long, value_name = "FILE", requires = "engine")]
    baseline: Option<PathBuf>,
    /// A file of known failures, each with a reason. Listed failures are accepted. An entry that no longer
    /// fails is a finding
    #[arg(long, value_name = "FILE", requires = "engine")]
    known: Vec<PathBuf>,
    /// Write the questions and answers of the engine into a new file, for --engine replay:FILE
    #[arg(long, value_name = "FILE", requires = "engine")]
    record: Option<PathBuf>,
    /// Check only that the engine keeps to the protocol, without a puzzle
    #[arg(long, requires = "engine", conflicts_with_all = ["baseline", "known", "record", "negatives"])]
    compliance: bool,
}

/// `--defences`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Chosen {
    Longest,
    EachClass,
    Sample(u32),
}

impl FromStr for Chosen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Chosen, &'static str> {
        match (text, text.strip_prefix("sample:").and_then(|count| count.parse().ok())) {
            ("longest", _) => Ok(Chosen::Longest),
            ("each-class", _) => Ok(Chosen::EachClass),
            (_, Some(count @ 1..)) => Ok(Chosen::Sample(count)),
            _ => Err("expected `longest`, `each-class`, or `sample:K` with K from 1"),
        }
    }
}

impl std::fmt::Display for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Chosen::Longest => f.write_str("longest"),
            Chosen::EachClass => f.write_str("each-class"),
            Chosen::Sample(count) => write!(f, "sample:{count}"),
        }
    }
}

impl Examining {
    /// The engine to examine, if one was named.
    pub fn engine(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    fn settings(&self) -> Settings {
        Settings { options: self.option.clone(), whole_actions: self.whole_actions, ..Settings::default() }
    }

    fn rules(&self) -> Rules {
        let defences = match self.defences {
            Chosen::Longest => Defences::Longest,
            Chosen::EachClass => Defences::EachClass,
            Chosen::Sample(count) => Defences::Sample { count, seed: self.seed },
        };
        Rules { time: self.time_per_action, nodes: self.nodes, defences }
    }

    /// Whether no puzzle is asked.
    pub fn is_compliance(&self) -> bool {
        self.compliance
    }

    fn name(&self) -> String {
        printable(self.name.as_deref().or(self.engine()).unwrap_or_default())
    }

    fn player(&self, command: &str) -> Result<Player, Failure> {
        let player = match command.strip_prefix("replay:") {
            None => Player::new(command, &self.settings()),
            Some(file) => Player::replay(&files::text(Path::new(file), files::MAX_REPORT)?, &self.settings()),
        };
        let mut player = player.map_err(|error| Failure::new(printable(&error.to_string())))?;
        if self.record.is_some() {
            player.record();
        }
        Ok(player)
    }
}

/// Examines the engine of `--engine`.
pub(super) fn run(
    arguments: &Examining,
    command: &str,
    shape: Shape,
    jobs: usize,
    documents: &[Document],
    options: Options<'_>,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    if arguments.compliance {
        return comply(arguments, command, shape, out);
    }
    let before = arguments.baseline.as_deref().map(baseline).transpose()?;
    let known = oracle::known(&arguments.known)?;
    // The engine is started first, so that a wrong command is noticed early.
    let first = arguments.player(command)?;
    let cases = cases(documents, options, arguments.negatives);
    let examined = examine_all(arguments, command, first, &cases, jobs)?;
    let reason = |case: &str| oracle::reason(&known, &arguments.name(), case);
    let rows: Vec<Row> = cases
        .iter()
        .zip(examined.outcomes)
        .map(|(case, outcome)| Row::of(case, outcome, reason(&case.name)))
        .collect();
    let report = Report::of(arguments, rows, examined.at_the_end, before.as_ref());
    if let Some(path) = &arguments.record {
        files::create(path, &examined.recording)?;
    }
    match shape {
        Shape::Json => print_json(out, &report)?,
        Shape::Html => out.write_all(report.html().as_bytes())?,
        Shape::Junit => ci::junit(&arguments.name(), &report.cases(), out)?,
        Shape::Github => {
            ci::github(&report.cases(), out)?;
            writeln!(out, "{}", report.summary())?;
        }
        Shape::Text => report.print(out)?,
    }
    Ok(report.exit())
}

/// The results of all cases.
struct Examined {
    outcomes: Vec<Outcome>,
    at_the_end: Vec<String>,
    recording: String,
}

/// Asks about every case, with this many engines at once.
fn examine_all(
    arguments: &Examining,
    command: &str,
    first: Player,
    cases: &[Case<'_>],
    jobs: usize,
) -> Result<Examined, Failure> {
    let mut players = vec![first];
    for _ in 1..jobs.min(cases.len()) {
        players.push(arguments.player(command)?);
    }
    let (next, rules) = (AtomicUsize::new(0), arguments.rules());
    let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; cases.len()]);
    let ends: Mutex<(Vec<String>, String)> = Mutex::new((Vec::new(), String::new()));
    thread::scope(|scope| {
        for mut player in players {
            let (next, rules, outcomes, ends) = (&next, &rules, &outcomes, &ends);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    let outcome = examine(case, &mut player, rules);
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(outcome);
                }
                let recording = player.recording().unwrap_or_default();
                let fault: Option<Fault> = player.quit().err();
                let mut ends = ends.lock().unwrap_or_else(PoisonError::into_inner);
                ends.0.extend(fault.map(|fault| format!("{}: {fault}", fault.name())));
                ends.1.push_str(&recording);
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (at_the_end, recording) = ends.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Examined { outcomes: outcomes.into_iter().flatten().collect(), at_the_end, recording })
}

/// The verdicts of an earlier report, by the names of their cases.
fn baseline(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let wrong = |why: String| Failure::new(format_args!("{} is no report of an engine: {why}", shown(path)));
    let value: Value = serde_json::from_str(&files::text(path, files::MAX_REPORT)?)
        .map_err(|error| wrong(error.to_string()))?;
    if value["schema"] != SCHEMA {
        return Err(wrong(format!("its schema is not `{SCHEMA}`")));
    }
    let rows = value["cases"].as_array().ok_or_else(|| wrong("it has no cases".into()))?;
    let row = |row: &Value| Some((row["name"].as_str()?.to_owned(), row["verdict"].as_str()?.to_owned()));
    rows.iter().map(row).collect::<Option<_>>().ok_or_else(|| wrong("a case has no verdict".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defences_are_read_and_shown() {
        for text in ["longest", "each-class", "sample:3"] {
            assert_eq!(text.parse::<Chosen>().unwrap().to_string(), text);
        }
        for text in ["", "sample", "sample:0", "sample:x", "all"] {
            assert!(text.parse::<Chosen>().is_err(), "{text}");
        }
    }
}
