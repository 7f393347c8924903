//! `worldlines fmt`: the canonical form of puzzle files.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files::{self, Held, STDIN, shown};
use super::output::{Format, print_json};
use super::patch::unified;
use super::{shipped, verify};
use worldlines::notation::printable;
use worldlines::puzzle;

/// Write puzzle files in canonical form: order of fields, lists and rows as blocks, quotes; comments are kept
///
/// A file is replaced in one step or not at all, and only if its meaning stays the same.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines fmt my-puzzle.yaml
  worldlines fmt --check puzzles
  worldlines fmt --check --format json puzzles
  worldlines fmt - < draft.yaml > my-puzzle.yaml

Exit codes: 0 all are in canonical form now, 1 some are not with --check, or cannot be, 2 a file cannot be read or written.")]
pub struct Arguments {
    /// Files and folders; `-` reads standard input and prints the result
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Change nothing; print what would change in files that are not in canonical form
    #[arg(long)]
    check: bool,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub const SCHEMA: &str = "worldlines/fmt-1";

/// The results of formatting.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    files: Vec<Formatted>,
}

/// The result for a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Formatted {
    file: String,
    answer: Answer,
    /// The reason why it cannot be formatted.
    why: Option<String>,
    /// The canonical text, if standard input was read.
    text: Option<String>,
    /// The change that --check found, in the unified form of differences.
    diff: Option<String>,
}

#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Answer {
    /// It already was in canonical form.
    Canonical,
    /// It was changed to canonical form; for standard input, `text` has it.
    Formatted,
    /// It is not in canonical form, and was not changed.
    NotCanonical,
    /// It cannot be formatted, and was not changed.
    Refused,
}

/// The first fault of the YAML of a file, as a message with its place, and as `worldlines verify` shows it.
fn fault(name: &str, bytes: &[u8]) -> Option<(String, String)> {
    let documents = puzzle::load(name, bytes);
    let faults =
        documents.iter().filter_map(|document| Some((document, document.puzzle.as_ref().err()?.first()?)));
    let (document, fault) = faults.into_iter().find(|(_, finding)| finding.code == "yaml")?;
    let place = document.file.location(document.in_file(fault.span).range().start);
    Some((format!("{}:{place}: {}", document.file.path, fault.message), document.show("error", fault)))
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let mut exit = Exit::Ok;
        let is_text = self.format == Format::Text;
        let mut report = Report { schema: SCHEMA, files: Vec::new() };
        for path in verify::files(&self.paths)? {
            let name = shown(&path);
            let cannot = |what: &str, error: &std::io::Error| {
                Failure::new(format_args!("cannot {what} {name}: {error}"))
            };
            let is_input = path == Path::new(STDIN);
            let changes = !self.check && !is_input;
            if changes && shipped::read(&path).is_some() && !path.exists() {
                return Err(Failure::new(format_args!(
                    "{name} is a part of the program and cannot be changed"
                )));
            }
            let held = if changes {
                Some(
                    Held::within(files::home(&path, &self.paths), &path)
                        .map_err(|error| cannot("change", &error))?,
                )
            } else {
                None
            };
            let bytes = match &held {
                Some(held) => held.loaded().unwrap_or_default().to_vec(),
                None => files::read(&path).map_err(|error| cannot("read", &error))?,
            };
            let file = puzzle::File::new(files::name(&path), &bytes);
            let formatted = match &file.unreadable {
                Some(why) => Err(why.message.clone()),
                None => puzzle::format(&file.text).map_err(|why| why.to_string()),
            };
            let mut done = Formatted {
                file: files::name(&path),
                answer: Answer::Canonical,
                why: None,
                text: None,
                diff: None,
            };
            match (formatted, held) {
                (Err(why), _) => {
                    let fault = fault(&done.file, &bytes);
                    if is_text {
                        match &fault {
                            Some((_, excerpt)) => {
                                writeln!(out, "not formatted {name}:\n{}", excerpt.trim_end())?
                            }
                            None => writeln!(out, "not formatted {name}: {}", printable(&why))?,
                        }
                    }
                    exit = Exit::Findings;
                    (done.answer, done.why) =
                        (Answer::Refused, Some(fault.map_or(why, |(message, _)| message)));
                }
                (Ok(text), _) if is_input && !self.check => {
                    if text.as_bytes() != bytes {
                        done.answer = Answer::Formatted;
                    }
                    if is_text {
                        out.write_all(text.as_bytes())?;
                    }
                    done.text = Some(text);
                }
                (Ok(text), _) if text.as_bytes() == bytes => {}
                (Ok(text), Some(held)) => {
                    held.replace(&text).map_err(|error| cannot("change", &error))?;
                    if is_text {
                        writeln!(out, "formatted {name}")?;
                    }
                    done.answer = Answer::Formatted;
                }
                (Ok(text), None) => {
                    let diff = unified(&done.file, &file.text, &text);
                    if is_text {
                        writeln!(out, "not in canonical form: {name}\n{diff}")?;
                    }
                    exit = Exit::Findings;
                    (done.answer, done.diff) = (Answer::NotCanonical, Some(diff));
                }
            }
            report.files.push(done);
        }
        if !is_text {
            print_json(out, &report)?;
        }
        Ok(exit)
    }

    fn format(&self) -> Format {
        self.format
    }
}
