//! `worldlines lint`: an editor's objections to puzzles.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{Limits, Proving, Selecting};
use super::json::{Head, Spent};
use super::output::{Format, print_json};
use super::terminal::say;
use super::verify;
use worldlines::notation::{Location, Span, printable};
use worldlines::puzzle::{Document, Filter, Objection, Review, review};
use worldlines::types::Partition;

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
  worldlines lint --partition hash:1/4 --format json puzzles > part-1.json

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
    /// Review only one of N parts of the puzzles, `hash:M/N` with M from 1 to N; `worldlines report merge` merges their reports
    #[arg(long, value_name = "PART")]
    partition: Option<Partition>,
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
pub struct Report<'a> {
    #[serde(flatten)]
    head: Head<Run<'a>>,
    puzzles: Vec<Reviewed>,
    summary: Summary,
}

/// The settings on which the answers depend, besides the puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run<'a> {
    /// The version of worldlines.
    version: &'static str,
    /// The terms of `--filter`.
    filter: &'a str,
    /// The search steps for a puzzle, if not those of its file.
    budget: Option<u64>,
    /// The seconds for a puzzle.
    time: Option<f64>,
    /// The memory of the search, in mebibytes.
    memory: u64,
    /// The search steps for evidence.
    evidence_budget: u64,
}

/// Numbers about all puzzles.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    /// The number of puzzles, with those that cannot be read.
    puzzles: usize,
    objections: usize,
    /// The number of puzzles that cannot be read.
    unreadable: usize,
    /// The number of puzzles that the filter leaves out.
    filtered: usize,
}

/// A puzzle with its objections, or the reason why it cannot be read.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Reviewed {
    /// The number of the puzzle among all that were read, from 1.
    index: usize,
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
    let mut documents = Vec::new();
    for path in verify::files(&arguments.paths)? {
        documents.extend(verify::load_file(&path)?);
    }
    let everything = verify::everything(&documents);
    let is_here = |document: &Document| {
        arguments.partition.is_none_or(|partition| partition.contains(&document.id))
    };
    let (mut puzzles, mut summary) = (Vec::new(), Summary::default());
    for (index, document) in (1..).zip(&documents).filter(|(_, document)| is_here(document)) {
        if !filter.selects(document) {
            summary.filtered += 1;
            continue;
        }
        let reviewed = Reviewed::of(index, document, &arguments.proving);
        if arguments.format == Format::Text {
            reviewed.print(out)?;
            out.flush()?;
        }
        summary.add(&reviewed);
        puzzles.push(reviewed);
    }
    // An empty part is no mistake: a hash of its id decides the part of a puzzle.
    let nothing = (puzzles.is_empty() && arguments.partition.is_none()).then_some(Exit::NothingSelected);
    let exit = Exit::worst(puzzles.iter().map(Reviewed::exit).chain(nothing));
    if let (Some(partition), true) = (arguments.partition, puzzles.is_empty()) {
        say(&format!("note: there is no puzzle in part {} of {}", partition.part(), partition.of()));
    }
    match arguments.format {
        Format::Json => {
            let head = Head::new(SCHEMA, arguments.as_json(), everything, arguments.partition, exit.code());
            print_json(out, &Report { head, puzzles, summary })?;
        }
        Format::Text => writeln!(out, "{}", summary.text())?,
    }
    Ok(exit)
}

impl Arguments {
    fn as_json(&self) -> Run<'_> {
        let Proving { budget, limits: Limits { time, memory, evidence_budget } } = &self.proving;
        Run {
            version: env!("CARGO_PKG_VERSION"),
            filter: &self.selecting.filter,
            budget: *budget,
            time: time.seconds(),
            memory: memory.mib(),
            evidence_budget: *evidence_budget,
        }
    }
}

impl Reviewed {
    fn of(index: usize, document: &Document, proving: &Proving) -> Reviewed {
        let place = |span: Span| document.file.location(document.in_file(span).range().start);
        let mut reviewed = Reviewed {
            index,
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

impl Summary {
    fn add(&mut self, reviewed: &Reviewed) {
        self.puzzles += 1;
        self.objections += reviewed.objections.len();
        self.unreadable += usize::from(reviewed.unreadable.is_some());
    }

    /// The numbers on one line, for people.
    fn text(&self) -> String {
        let counted =
            |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let read = self.puzzles - self.unreadable;
        let unreadable = match self.unreadable {
            0 => String::new(),
            more => format!("; {} that cannot be read", counted(more, "puzzle")),
        };
        format!("{}: {}{unreadable}", counted(read, "puzzle"), counted(self.objections, "objection"))
    }
}
