//! `worldlines lint`

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

/// Read puzzles as an editor does: duals, pieces and boards that are not needed, names and points that are not right
///
/// `worldlines verify` says whether the claims of a puzzle are true; this says whether it is one that an editor would print. Each piece
/// of the last boards is taken off, each older board left out, and the mate proved again.
///
/// Of the `point` of a mate these statements are compared with the solutions, the proof and the listed tries: that a key is quiet, waits or is a
/// sacrifice; that there are no duals; that a solution is the only one; that it mates in more actions than it does; that a piece moves,
/// captures, promotes, gives check or mates; that a player castles, captures or gives check; and `en passant`. Sentences with a condition, a
/// doubt or a denial are passed over, as is everything else.
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
    /// The number of puzzles that cannot be read.
    unreadable: usize,
}

/// A puzzle that was read, or cannot be.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Reviewed {
    id: String,
    file: String,
    /// The line of the file where it begins, or where it cannot be read, from 1.
    line: usize,
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
    /// The line of the file where the field stands that it is about, from 1.
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
        let clock = proving.time.start();
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

    /// On one line, for people.
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
