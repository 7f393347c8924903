//! `worldlines lint`

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{Proving, Selecting};
use super::json::Spent;
use super::output::{Format, print_json};
use super::verify;
use worldlines::notation::printable;
use worldlines::puzzle::{Filter, Objection, Review, review};

/// Read puzzles as an editor does: duals, pieces and boards that are not needed, names and points that are not right
///
/// `worldlines verify` says whether the claims of a puzzle are true; this says whether it is one that an editor would print. Each piece
/// of the last boards is taken off, each older board left out, and the mate proved again; what the `point` says is compared with the
/// proof as far as a program can judge it.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines lint my-puzzle.yaml
  worldlines lint --filter promotion puzzles
  worldlines lint --format json puzzles

Objections: leak (the id or title gives the solution away), few-actions, point, several-keys, dual, short-mate, idle-history, idle-piece,
no-threat (a defence that nothing misses).

Exit codes: 0 no objection, 1 objections, 2 a file cannot be read, 3 the budget was spent first, 4 nothing selected.")]
pub struct Arguments {
    /// Files and folders
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selecting: Selecting,
    #[command(flatten)]
    proving: Proving,
    /// How to print the objections
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const SCHEMA: &str = "worldlines/lint-1";

/// What an editor objects to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    puzzles: Vec<Reviewed>,
    /// How many objections there are.
    objections: usize,
}

/// A puzzle that was read.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Reviewed {
    id: String,
    file: String,
    /// Why it cannot be read.
    unreadable: Option<String>,
    objections: Vec<Objected>,
    /// The question with which the search ended, if it ended early; later ones were not asked.
    open: Option<&'static str>,
    /// What ended it.
    undecided: Option<Spent>,
}

/// Something that an editor objects to.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Objected {
    /// A stable name for it.
    code: &'static str,
    message: String,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let filter = Filter::new(&arguments.selecting.filter);
    let mut exits = Vec::new();
    let is_text = arguments.format == Format::Text;
    let mut report = Report { schema: SCHEMA, puzzles: Vec::new(), objections: 0 };
    for path in verify::files(&arguments.paths)? {
        for document in verify::load_file(&path)?.iter().filter(|document| filter.selects(document)) {
            let id = printable(&document.id);
            let mut reviewed = Reviewed {
                id: document.id.clone(),
                file: document.file.path.clone(),
                unreadable: None,
                objections: Vec::new(),
                open: None,
                undecided: None,
            };
            if let Err(findings) = document.game() {
                let first = findings.first().map(|finding| finding.message.clone()).unwrap_or_default();
                if is_text {
                    let first = printable(&first);
                    writeln!(out, "{id}: cannot be read: {first}; worldlines verify says more")?;
                }
                reviewed.unreadable = Some(first);
                report.puzzles.push(reviewed);
                exits.push(Exit::Findings);
                continue;
            }
            let clock = arguments.proving.time.start();
            let Review { objections: found, open } =
                review(document, arguments.proving.options(Some(clock.stop())));
            report.objections += found.len();
            exits.extend((!found.is_empty()).then_some(Exit::Findings));
            for Objection { code, message } in found {
                if is_text {
                    writeln!(out, "{id}: {code}: {}", printable(&message))?;
                }
                reviewed.objections.push(Objected { code, message });
            }
            if let Some((question, why)) = open {
                if is_text {
                    writeln!(out, "{id}: {why}, so `{question}` and what comes after it was not asked")?;
                }
                (reviewed.open, reviewed.undecided) = (Some(question), Some(why.into()));
                exits.push(Exit::Undecided);
            }
            report.puzzles.push(reviewed);
            if is_text {
                out.flush()?;
            }
        }
    }
    let (puzzles, objections) = (report.puzzles.len(), report.objections);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    match arguments.format {
        Format::Json => print_json(out, &report)?,
        Format::Text => {
            writeln!(
                out,
                "{puzzles} puzzle{}: {objections} objection{}",
                plural(puzzles),
                plural(objections)
            )?;
        }
    }
    Ok(Exit::worst(exits.into_iter().chain((puzzles == 0).then_some(Exit::NothingSelected))))
}
