//! `worldlines lint`

use std::io::Write;
use std::path::PathBuf;

use super::exit::{Exit, Failure};
use super::input::{Proving, Selecting};
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
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let filter = Filter::new(&arguments.selecting.filter);
    let mut exits = Vec::new();
    let (mut puzzles, mut objections) = (0, 0);
    for path in verify::files(&arguments.paths)? {
        for document in verify::load_file(&path)?.iter().filter(|document| filter.selects(document)) {
            puzzles += 1;
            let id = printable(&document.id);
            if let Err(findings) = document.game() {
                let first = findings.first().map(|finding| printable(&finding.message)).unwrap_or_default();
                writeln!(out, "{id}: cannot be read: {first}; worldlines verify says more")?;
                exits.push(Exit::Findings);
                continue;
            }
            let clock = arguments.proving.time.start();
            let Review { objections: found, open } =
                review(document, arguments.proving.options(Some(clock.stop())));
            objections += found.len();
            for Objection { code, message } in &found {
                writeln!(out, "{id}: {code}: {}", printable(message))?;
            }
            exits.extend((!found.is_empty()).then_some(Exit::Findings));
            if let Some((question, why)) = open {
                writeln!(out, "{id}: {why}, so `{question}` and what comes after it was not asked")?;
                exits.push(Exit::Undecided);
            }
            out.flush()?;
        }
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    writeln!(out, "{puzzles} puzzle{}: {objections} objection{}", plural(puzzles), plural(objections))?;
    Ok(Exit::worst(exits.into_iter().chain((puzzles == 0).then_some(Exit::NothingSelected))))
}
