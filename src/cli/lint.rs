//! `worldlines lint`: an editor's objections to puzzles.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{Proving, Selecting};
use super::json::Spent;
use super::output::{Format, print_json};
use super::verify;
use worldlines::notation::{Location, Span, printable};
use worldlines::puzzle::{Document, Filter, Objection, Review, review};

/// Review puzzles as an editor does: duals, superfluous pieces and boards, misleading names and points
///
/// `worldlines verify` checks that the claims of a puzzle are true; this command checks that an editor would
/// print it. It removes each piece of the last boards, and each older board, and proves the mate again.
///
/// It compares these statements of the `point` of a mate with the solutions, the proof and the listed tries:
/// that a key is quiet, waits or is a sacrifice; that there are no duals; that a solution is the only one;
/// the number of actions of the mate; that a piece moves, captures, promotes, gives check or mates; that a
/// player castles, captures or gives check; and `en passant`. Sentences with a condition, a doubt or a denial
/// are skipped, and so is everything else.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines lint my-puzzle.yaml
  worldlines lint --filter promotion puzzles
  worldlines lint --format json puzzles

Objections: leak (the id or title gives the solution away), few-actions, point, several-keys, dual, short-mate, idle-history, idle-piece,
no-threat (a defence that nothing misses).

Each objection has the place of the field that it is about.

Exit codes: 0 no objection, 1 objections, or a puzzle that cannot be read, 2 a file cannot be read, 3 the budget was spent first, 4 nothing selected.")]
pub struct Arguments {
    /// Files and folders
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selecting: Selecting,
    #[command(flatten)]
    proving: Proving,
    /// Format of the objections
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const SCHEMA: &str = "worldlines/lint-1";

/// An editor's objections to puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    puzzles: Vec<Reviewed>,
    /// The number of objections.
    objections: usize,
    /// The number of puzzles that cannot be read.
    unreadable: usize,
}

/// A puzzle with its objections, or the reason why it cannot be read.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Reviewed {
    id: String,
    file: String,
    /// The line of the file where the puzzle begins, or where it cannot be read, from 1.
    line: usize,
    /// The reason why it cannot be read.
    unreadable: Option<String>,
    objections: Vec<Objected>,
    /// The question at which a limit ended the search. It and later questions are not answered.
    open: Option<&'static str>,
    /// The limit that ended the search.
    undecided: Option<Spent>,
}

/// An objection of an editor.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Objected {
    /// A stable name for its kind.
    code: &'static str,
    /// The line of the field that it is about, from 1.
    line: usize,
    /// The character of the line, from 1.
    column: usize,
    message: String,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let filter = Filter::new(&arguments.selecting.filter);
    let mut report = Report { schema: SCHEMA, puzzles: Vec::new(), objections: 0, unreadable: 0 };
    for path in verify::files(&arguments.paths)? {
        for document in verify::load_file(&path)?.iter().filter(|document| filter.selects(document)) {
            let reviewed = Reviewed::of(document, &arguments.proving);
            if arguments.format == Format::Text {
                reviewed.print(out)?;
                out.flush()?;
            }
            report.add(reviewed);
        }
    }
    match arguments.format {
        Format::Json => print_json(out, &report)?,
        Format::Text => writeln!(out, "{}", report.summary())?,
    }
    Ok(report.exit())
}

impl Reviewed {
    fn of(document: &Document, proving: &Proving) -> Reviewed {
        let place = |span: Span| document.file.location(document.in_file(span).range().start);
        let mut reviewed = Reviewed {
            id: document.id.clone(),
            file: document.file.path.clone(),
            line: document.file.location(document.start()).line,
            unreadable: None,
            objections: Vec::new(),
            open: None,
            undecided: None,
        };
        let start = document.puzzle.as_ref().map_err(Clone::clone).and_then(|_| document.game());
        if let Err(findings) = start {
            if let Some(first) = findings.first() {
                reviewed.line = place(first.span).line;
                reviewed.unreadable = Some(first.message.clone());
            }
            return reviewed;
        }
        let clock = proving.limits.time.start();
        let Review { objections, open } = review(document, proving.options(Some(clock.stop())));
        let objected = objections.into_iter().map(|Objection { code, span, message, .. }| {
            let Location { line, column } = place(span);
            Objected { code, line, column, message }
        });
        reviewed.objections = objected.collect();
        (reviewed.open, reviewed.undecided) = open.map(|(question, why)| (question, why.into())).unzip();
        reviewed
    }

    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let (id, file) = (printable(&self.id), printable(&self.file));
        if let Some(why) = &self.unreadable {
            let (line, why) = (self.line, printable(why));
            writeln!(out, "{file}:{line}: {id} cannot be read: {why}; worldlines verify says more")?;
        }
        for Objected { code, line, message, .. } in &self.objections {
            writeln!(out, "{file}:{line}: {id}: {code}: {}", printable(message))?;
        }
        if let (Some(question), Some(why)) = (self.open, &self.undecided) {
            let line = self.line;
            writeln!(out, "{file}:{line}: {id}: `{question}` and what comes after it was not asked: {why}")?;
        }
        Ok(())
    }

    fn exit(&self) -> Exit {
        let is_right = self.unreadable.is_none() && self.objections.is_empty();
        let of_objections = if is_right { Exit::Ok } else { Exit::Findings };
        Exit::worst([of_objections, if self.open.is_some() { Exit::Undecided } else { Exit::Ok }])
    }
}

impl Report {
    fn add(&mut self, reviewed: Reviewed) {
        self.objections += reviewed.objections.len();
        self.unreadable += usize::from(reviewed.unreadable.is_some());
        self.puzzles.push(reviewed);
    }

    /// The numbers on one line, for people.
    fn summary(&self) -> String {
        let counted =
            |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let read = self.puzzles.len() - self.unreadable;
        let unreadable = match self.unreadable {
            0 => String::new(),
            more => format!("; {} that cannot be read", counted(more, "puzzle")),
        };
        format!("{}: {}{unreadable}", counted(read, "puzzle"), counted(self.objections, "objection"))
    }

    fn exit(&self) -> Exit {
        let nothing = self.puzzles.is_empty().then_some(Exit::NothingSelected);
        Exit::worst(self.puzzles.iter().map(Reviewed::exit).chain(nothing))
    }
}
