//! Options and helpers of the commands that ask other implementations of the rules.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::ci::Ended;
use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::json::{Everything, Head};
use super::time::seconds;
use worldlines::notation::{MAX_INPUT_BYTES, printable};
use worldlines::oracle::known::{Known, Reason};
use worldlines::oracle::{Oracle, Program, Slow};
use worldlines::types::Partition;

/// The most search steps for one figure of a position.
pub const STEPS: u64 = 2_000_000;
/// The number of beginnings of actions that the naive rules try for one position.
const PATIENCE: usize = 20_000;

/// The options for asking an implementation, in all commands that ask one.
#[derive(clap::Args)]
pub struct Terms {
    /// A file of known differences, each with a reason. Listed differences are accepted. An entry that no
    /// longer differs is a finding
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,
    /// Write the questions and answers of the implementation into a new file, for --oracle replay:FILE
    #[arg(long, value_name = "FILE", requires = "oracle")]
    pub record: Option<PathBuf>,
    /// Seconds for each question to the implementation
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub time: Duration,
    /// Ask only about one of N parts, `hash:M/N` with M from 1 to N; `worldlines report merge` puts the JSON
    /// of all parts together
    #[arg(long, value_name = "PART")]
    pub partition: Option<Partition>,
}

impl Terms {
    /// Reads the files of --known. Fails if the file of --record exists already.
    pub fn begin(&self) -> Result<Vec<Known>, Failure> {
        match &self.record {
            Some(path) if path.exists() => Err(Failure::new(format_args!(
                "{} is there already; --record needs the name of a new file",
                shown(path)
            ))),
            _ => known(&self.known),
        }
    }

    /// The seconds of --time, unless they are the default.
    pub fn other_time(&self) -> Option<f64> {
        (self.time != Duration::from_secs(10)).then_some(self.time.as_secs_f64())
    }

    /// The beginning of a report.
    pub fn head<R>(&self, schema: &'static str, run: R, input: Everything, exit: Exit) -> Head<R> {
        Head::new(schema, run, input, self.partition, exit.code())
    }
}

/// The result of an implementation in a case.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The answer is right.
    Right,
    /// The answer is wrong.
    Wrong,
    /// The answer is wrong, and that is known.
    Known,
    /// The answer was known to be wrong, but is right.
    Surprise,
    /// The implementation cannot be asked.
    NotAsked,
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Wrong => "WRONG",
            Verdict::Known => "known",
            Verdict::Surprise => "SURPRISE",
            Verdict::NotAsked => "not asked",
        }
    }

    /// The verdict for a case in which a difference is known.
    pub const fn of_known(self) -> Verdict {
        match self {
            Verdict::Wrong => Verdict::Known,
            Verdict::Right => Verdict::Surprise,
            verdict => verdict,
        }
    }

    /// Whether it counts as a finding.
    pub const fn is_finding(self) -> bool {
        matches!(self, Verdict::Wrong | Verdict::Surprise)
    }

    /// The result for CI servers.
    pub const fn ended(self) -> Ended {
        match self {
            Verdict::Right => Ended::Passed,
            Verdict::Wrong | Verdict::Surprise => Ended::Failed,
            Verdict::Known | Verdict::NotAsked => Ended::Skipped,
        }
    }
}

/// The oracle with this name.
pub fn open(name: &str) -> Result<Box<dyn Oracle>, Failure> {
    let command = match name {
        "slow" => return Ok(Box::new(Slow::new(PATIENCE))),
        "5d-chess-js" => {
            let script = "oracles/5d-chess-js/oracle.mjs";
            if !Path::new(script).exists() {
                return Err(Failure::new(format_args!(
                    "there is no {script} here; run this in the folder of the repository, or give the command with cmd:"
                )));
            }
            format!("node {script}")
        }
        _ if name.starts_with("replay:") => {
            let path = Path::new(&name["replay:".len()..]);
            let cannot = |why: String| Failure::new(format_args!("cannot use {}: {why}", shown(path)));
            let bytes = files::read(path).map_err(|error| cannot(error.to_string()))?;
            let program = Program::replay(&String::from_utf8_lossy(&bytes));
            return Ok(Box::new(program.map_err(|error| cannot(printable(&error.to_string()).to_string()))?));
        }
        _ => match name.strip_prefix("cmd:") {
            Some(command) => command.to_owned(),
            None => {
                let is_command = name.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '\\' | '.'));
                let meant = if is_command {
                    format!("; did you mean `cmd:{}`?", printable(name))
                } else {
                    String::new()
                };
                return Err(Failure::new(format_args!(
                    "there is no oracle `{}`; there are 5d-chess-js, slow, cmd:COMMAND and replay:FILE{meant}",
                    printable(name)
                )));
            }
        },
    };
    let program = Program::start(&command);
    let program = program.map_err(|error| {
        Failure::new(format_args!("the oracle cannot be asked: {}", printable(&error.to_string())))
    })?;
    Ok(Box::new(program))
}

/// Reads files of known differences.
pub fn known(paths: &[PathBuf]) -> Result<Vec<Known>, Failure> {
    let known = paths.iter().map(|path| {
        let text = files::text(path, MAX_INPUT_BYTES as u64)?;
        Known::read(&text).map_err(|error| Failure::new(format_args!("{}: {error}", shown(path))))
    });
    known.collect()
}

/// The reason why a case of this oracle is known to differ, with a link to its description.
pub fn reason(known: &[Known], oracle: &str, case: &str) -> Option<String> {
    let mut about = known.iter().filter(|known| known.is_about(oracle));
    let Reason { reason, link } = about.find_map(|known| known.cases.get(case))?;
    Some(format!("{reason} ({link})"))
}

/// Writes the questions to an oracle, and its answers.
pub fn write_recording(path: Option<&Path>, oracle: &dyn Oracle) -> Result<(), Failure> {
    let (Some(path), Some(recording)) = (path, oracle.recording()) else { return Ok(()) };
    files::create(path, recording)
}

/// Reads files in the same folder as `path`, by their names.
pub fn beside(path: &Path) -> impl Fn(&str) -> Result<Vec<u8>, String> + use<'_> {
    move |name| {
        let is_plain = Path::new(name).file_name() == Some(name.as_ref());
        let read = if is_plain {
            files::read(&path.with_file_name(name)).map_err(|error| error.to_string())
        } else {
            Err("it is not beside this file".into())
        };
        read.map_err(|error| format!("cannot read {}: {error}", printable(name)))
    }
}
