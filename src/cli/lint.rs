//! `worldlines lint`: an editor's objections to puzzles.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::finds::{Known, likenesses};
use super::input::{Limits, Proving, Selecting};
use super::json::{Head, Spent};
use super::output::{Format, print_json};
use super::terminal::say;
use super::verify;
use worldlines::compose::NEAR_DUPLICATE;
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
  worldlines lint --table puzzles
  worldlines lint --near-duplicates my-puzzles
  worldlines lint --partition hash:1/4 --format json puzzles > part-1.json

Objections: leak (the id or title gives the solution away), few-actions, point, several-keys, dual, short-mate, idle-history, idle-piece,
no-threat (a defence that nothing misses), and with --near-duplicates near-duplicate.

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
    /// Also compare each mate with all mates of the same length that come before it, as `worldlines similar` does
    #[arg(long, conflicts_with = "partition")]
    near_duplicates: bool,
    /// Print one line for each puzzle: its id, difficulty, the codes of its objections, and its title
    #[arg(long, conflicts_with = "format")]
    table: bool,
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
    let Pairs { alike, undecided } =
        if arguments.near_duplicates { arguments.near_duplicates()? } else { Pairs::default() };
    let is_here = |document: &Document| {
        arguments.partition.is_none_or(|partition| partition.contains(&document.id))
    };
    let (mut puzzles, mut summary) = (Vec::new(), Summary::default());
    for (index, document) in (1..).zip(&documents).filter(|(_, document)| is_here(document)) {
        if !filter.selects(document) {
            summary.filtered += 1;
            continue;
        }
        let mut reviewed = Reviewed::of(index, document, &arguments.proving);
        if let Some(messages) = alike.get(&place_of(document)) {
            let objected = |message: &String| Objected {
                code: "near-duplicate",
                line: reviewed.line,
                column: 1,
                message: message.clone(),
            };
            reviewed.objections.extend(messages.iter().map(objected).collect::<Vec<_>>());
        }
        if arguments.table {
            reviewed.print_row(document, out)?;
            out.flush()?;
        } else if arguments.format == Format::Text {
            reviewed.print(out)?;
            out.flush()?;
        }
        summary.add(&reviewed);
        puzzles.push(reviewed);
    }
    // An empty part is no mistake: a hash of its id decides the part of a puzzle.
    let nothing = (puzzles.is_empty() && arguments.partition.is_none()).then_some(Exit::NothingSelected);
    let not_compared = (undecided > 0).then_some(Exit::Undecided);
    let exit = Exit::worst(puzzles.iter().map(Reviewed::exit).chain(nothing).chain(not_compared));
    if undecided > 0 {
        say(&format!("not compared within the limits: {undecided}"));
    }
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

/// The place of a puzzle: no other document has the same.
fn place_of(document: &Document) -> (String, usize) {
    (document.file.path.clone(), document.range.start)
}

/// Puzzles that are like one another.
#[derive(Default)]
struct Pairs {
    /// For each puzzle that is like an earlier one, messages that say which.
    alike: BTreeMap<(String, usize), Vec<String>>,
    /// The number of mates and files that were not compared within the limits.
    undecided: usize,
}

impl Arguments {
    /// Compares all pairs of mates.
    fn near_duplicates(&self) -> Result<Pairs, Failure> {
        let clock = self.proving.limits.time.start();
        let paths = verify::files(&self.paths)?;
        let (known, unread) = likenesses(&paths, self.proving.options(Some(clock.stop())))?;
        let undecided = unread + known.iter().filter(|known| known.likeness.is_err()).count();
        let mut alike: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for (number, Known { document, likeness }) in known.iter().enumerate() {
            let Ok(likeness) = likeness else { continue };
            for Known { document: earlier, likeness: other } in &known[..number] {
                let Ok(other) = other else { continue };
                let like = likeness.to(other);
                if like >= NEAR_DUPLICATE {
                    let message = format!("{like:.2} like {} in {}", earlier.id, earlier.file.path);
                    alike.entry(place_of(document)).or_default().push(message);
                }
            }
        }
        Ok(Pairs { alike, undecided })
    }

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

    /// Prints the puzzle on one line.
    fn print_row(&self, document: &Document, out: &mut impl Write) -> Result<(), Failure> {
        let mut codes: Vec<String> = Vec::new();
        for same in self.objections.chunk_by(|one, other| one.code == other.code) {
            let times = if same.len() > 1 { format!(" x{}", same.len()) } else { String::new() };
            codes.push(format!("{}{times}", same[0].code));
        }
        codes.extend(self.unreadable.as_ref().map(|_| "cannot be read".to_owned()));
        codes.extend(self.open.map(|question| format!("undecided: {question}")));
        let said = if codes.is_empty() { "ok".to_owned() } else { codes.join(", ") };
        let puzzle = document.puzzle.as_ref().ok();
        let grade = puzzle.and_then(|puzzle| puzzle.difficulty.as_ref());
        let grade = grade.map_or("-".to_owned(), |grade| grade.value.to_string());
        let title = puzzle.map_or("", |puzzle| &puzzle.title.value);
        writeln!(out, "{:<32} {grade}  {said:<36} {}", printable(&self.id).to_string(), printable(title))?;
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
