//! `worldlines lint`: an editor's objections to puzzles.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::ci::{self, Case, Ended, Level, Note, Place};
use super::command::Command;
use super::exit::{Exit, Failure};
use super::finds::{Known, are_twins, likenesses, merit_of};
use super::input::{Limits, Proving, Selecting};
use super::json::{Head, Spent, VERSION};
use super::output::{Format, Shape, print_json};
use super::page::{self, escaped};
use super::terminal::{cut, say, width_of_terminal};
use super::verify;
use worldlines::compose::NEAR_DUPLICATE;
use worldlines::notation::{Location, Span, printable};
use worldlines::puzzle::{
    self, Answer, Document, Filter, Finding, Goal, Objection, Remark, Review, Support, review,
};
use worldlines::types::{Partition, counted};

/// Review puzzles as an editor does: false claims, duals, superfluous pieces and boards, misleading names and points
///
/// The claims of each puzzle are proved as by `worldlines verify`. Then this command checks that an editor would
/// print it. It removes each piece of the last boards, and each older board, and proves the mate again.
///
/// It also says when a puzzle has the start and the goal of an earlier one, and repeats the warnings of
/// `worldlines verify`. Warnings do not change the exit code.
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
  worldlines lint --format html my-puzzles > review.html
  worldlines lint --near-duplicates my-puzzles
  worldlines lint --table --score my-puzzles
  worldlines lint --partition hash:1/4 --format json puzzles > part-1.json

Objections: copy (an earlier puzzle has the same start and goal), leak (the id or title gives the solution away), king-capturable, few-actions,
point, several-keys, dual, short-mate, idle-history, idle-piece, no-threat (a defence that nothing misses), and with --near-duplicates near-duplicate
and tail.

Each objection has the place of the field that it is about. A claim that is false is a finding, by the name that `worldlines verify` gives it.

Exit codes: 0 no objection, 1 objections, a false claim, or a puzzle that cannot be read, 2 a file cannot be read, 3 the budget was spent first, 4 nothing selected.")]
pub struct Arguments {
    /// Files and folders
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selecting: Selecting,
    /// Review only one of N parts of the puzzles, `hash:M/N` with M from 1 to N; `worldlines report merge` merges their reports
    #[arg(long, value_name = "PART")]
    partition: Option<Partition>,
    /// Also compare each mate, helpmate and selfmate with all of its kind and length that come before it, as `worldlines
    /// similar` does, and with the tails of all longer ones: positions after their key and a defence. Each part of a run
    /// compares its own with all
    #[arg(long)]
    near_duplicates: bool,
    /// Print one line for each puzzle: its id, difficulty, whether its claims are proved, the codes of its objections, and its title
    #[arg(long, conflicts_with = "format")]
    table: bool,
    /// The widest line of the table, in characters; what does not fit is cut [default: the terminal's width, or else nothing is cut]
    #[arg(long, value_name = "N", requires = "table", value_parser = clap::value_parser!(u16).range(60..))]
    width: Option<u16>,
    /// Also score each mate, helpmate and selfmate: its merit by a formula, its difficulty and a signature of its idea;
    /// `spec/merit.md` explains them. A table then has the best first
    #[arg(long)]
    score: bool,
    #[command(flatten)]
    proving: Proving,
    /// Format of the objections
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shape,
}

pub const SCHEMA: &str = "worldlines/lint-1";

/// The widths of columns of the table, in characters: the id, and the codes of objections.
const ID_WIDTH: usize = 32;
const SAID_WIDTH: usize = 36;

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
    /// The number of puzzles with a claim that is false.
    failing: usize,
    /// The number of puzzles of which every claim is proved by evidence.
    by_evidence: usize,
    /// The number of puzzles that are refused: they cannot be read, or repeat an id.
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
    title: Option<String>,
    /// The difficulty, from 1 to 5, if the file has one.
    difficulty: Option<u32>,
    /// The answer of `worldlines verify`: `pass`, `fail`, `undecided` or `skipped`.
    answer: &'static str,
    /// Whether every claim is proved by evidence.
    by_evidence: bool,
    /// The reason why it cannot be read: the message of the first finding.
    unreadable: Option<String>,
    /// The claims that are false, and other faults that `worldlines verify` reports: all of them where the puzzle cannot be read.
    findings: Vec<Objected>,
    objections: Vec<Objected>,
    /// The warnings of `worldlines verify` that are no objections.
    warnings: Vec<Objected>,
    /// The merit of a mate, helpmate or selfmate, with --score.
    merit: Option<Scored>,
    /// The question at which a limit ended the search. It and later questions are not answered.
    open: Option<&'static str>,
    /// The limit that ended the search.
    undecided: Option<Spent>,
}

/// The merit of a mate, helpmate or selfmate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Scored {
    /// The score: of two puzzles the one with more is the better, as far as a formula can say.
    score: f64,
    /// The points of which the score is the sum, by name.
    parts: BTreeMap<&'static str, f64>,
    /// The difficulty, which has no upper end.
    difficulty: f64,
    /// The idea in short, as `spec/merit.md` explains it.
    signature: String,
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

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let filter = Filter::new(&self.selecting.filter);
        let mut documents = Vec::new();
        for path in verify::files(&self.paths)? {
            documents.extend(verify::load_file(&path)?);
        }
        puzzle::refuse_repeated_ids(&mut documents);
        let everything = verify::everything(&documents);
        let Pairs { alike, undecided } =
            if self.near_duplicates { self.near_duplicates()? } else { Pairs::default() };
        let copies = copies(&documents);
        let is_here =
            |document: &Document| self.partition.is_none_or(|partition| partition.contains(&document.id));
        let width = self.width.map(usize::from).or_else(width_of_terminal).unwrap_or(usize::MAX);
        let (mut puzzles, mut summary) = (Vec::new(), Summary::default());
        for (index, document) in (1..).zip(&documents).filter(|(_, document)| is_here(document)) {
            if !filter.selects(document) {
                summary.filtered += 1;
                continue;
            }
            let mut reviewed = Reviewed::of(index, document, &self.proving);
            if self.score {
                reviewed.merit = scored(document, &self.proving);
            }
            let line = reviewed.line;
            let objected =
                |(code, message): &Said| Objected { code, line, column: 1, message: message.clone() };
            reviewed.objections.extend(copies.get(&index).map(objected));
            reviewed.objections.extend(alike.get(&place_of(document)).into_iter().flatten().map(objected));
            if self.table && !self.score {
                writeln!(out, "{}", reviewed.row(false, width))?;
                out.flush()?;
            } else if !self.table && self.format == Shape::Text {
                reviewed.print(out)?;
                out.flush()?;
            }
            summary.add(&reviewed);
            puzzles.push(reviewed);
        }
        if self.table && self.score {
            puzzles.sort_by(Reviewed::by_merit);
            puzzles.iter().try_for_each(|reviewed| writeln!(out, "{}", reviewed.row(true, width)))?;
        }
        // An empty part is no mistake: a hash of its id decides the part of a puzzle.
        let nothing = (puzzles.is_empty() && self.partition.is_none()).then_some(Exit::NothingSelected);
        let not_compared = (undecided > 0).then_some(Exit::Undecided);
        let exit = Exit::worst(puzzles.iter().map(Reviewed::exit).chain(nothing).chain(not_compared));
        if undecided > 0 {
            say(&format!("not compared within the limits: {undecided}"));
        }
        if let (Some(partition), true) = (self.partition, puzzles.is_empty()) {
            say(&format!("note: there is no puzzle in part {} of {}", partition.part(), partition.of()));
        }
        let cases = || puzzles.iter().map(Reviewed::case).collect::<Vec<_>>();
        match self.format {
            Shape::Json => {
                let head = Head::new(SCHEMA, self.as_json(), everything, self.partition, exit.code());
                print_json(out, &Report { head, puzzles, summary })?;
            }
            Shape::Text => writeln!(out, "{}", summary.text())?,
            Shape::Html => print_page(&puzzles, &summary, out)?,
            Shape::Junit => ci::junit("worldlines lint", &cases(), out)?,
            Shape::Github => {
                ci::github(&cases(), out)?;
                writeln!(out, "{}", summary.text())?;
            }
        }
        Ok(exit)
    }

    fn format(&self) -> Format {
        self.format.of_errors()
    }
}

/// Prints a page with a row for each puzzle.
fn print_page(puzzles: &[Reviewed], summary: &Summary, out: &mut dyn Write) -> Result<(), Failure> {
    const TITLE: &str = "worldlines lint";
    let head = "<tr><th>puzzle</th><th>title</th><th>file</th><th>difficulty</th><th>claims</th><th>objections</th></tr>";
    write!(out, "{}<h1>{TITLE}</h1>\n<p>{}</p>\n", page::begin(TITLE), escaped(&summary.text()))?;
    writeln!(out, "<table>\n<thead>{head}</thead>\n<tbody>")?;
    for puzzle in puzzles {
        let place = format!("{}:{}", puzzle.file, puzzle.line);
        let grade = puzzle.difficulty.map_or(String::new(), |grade| grade.to_string());
        let class = match puzzle.answer {
            "pass" if puzzle.objections.is_empty() => "right",
            "fail" => "wrong",
            _ => "known",
        };
        let file = format!("{}:", printable(&puzzle.file));
        let lines: Vec<String> = puzzle
            .lines()
            .iter()
            .map(|line| format!("<li>{}</li>", escaped(line.strip_prefix(&*file).unwrap_or(line))))
            .collect();
        writeln!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{grade}</td><td class=\"{class}\">{}</td><td><ul>{}</ul></td></tr>",
            escaped(&puzzle.id),
            escaped(puzzle.title.as_deref().unwrap_or_default()),
            escaped(&place),
            puzzle.claims(),
            lines.join("\n")
        )?;
    }
    write!(out, "</tbody>\n</table>\n{}", page::END)?;
    Ok(())
}

/// The merit of a mate, helpmate or selfmate, if the limits suffice to study it.
fn scored(document: &Document, proving: &Proving) -> Option<Scored> {
    let clock = proving.limits.time.start();
    let merit = merit_of(document, proving.options(Some(clock.stop()))).ok().flatten()?;
    Some(Scored {
        score: merit.score(),
        parts: merit.parts.iter().map(|part| (part.name, part.points)).collect(),
        difficulty: merit.difficulty,
        signature: merit.signature,
    })
}

/// A path, a byte in the file, and an id.
type PlaceOf = (String, usize, String);

/// The code of an objection, and its message.
type Said = (&'static str, String);

/// The place and the id of a puzzle: no other document has the same, since twins have their own ids.
fn place_of(document: &Document) -> PlaceOf {
    (document.file.path.clone(), document.range.start, document.id.clone())
}

/// For the number of each puzzle that has the start and the goal of an earlier one, the code and the message that say which.
fn copies(documents: &[Document]) -> BTreeMap<usize, Said> {
    let mut first = HashMap::new();
    let mut copies = BTreeMap::new();
    for (index, document) in (1..).zip(documents) {
        let (Ok(puzzle), Ok(game)) = (&document.puzzle, document.game()) else { continue };
        let goal = &puzzle.goal.value;
        let status = match goal {
            Goal::Status(word) => Some(word.value.status()),
            _ => None,
        };
        match first.entry((game.end(), goal.name(), goal.length(), status)) {
            Entry::Vacant(entry) => _ = entry.insert(document),
            Entry::Occupied(entry) => {
                let Document { id, file, .. } = entry.get();
                copies.insert(
                    index,
                    ("copy", format!("the start and the goal are those of {id} in {}", file.path)),
                );
            }
        }
    }
    copies
}

/// Puzzles that are like one another.
#[derive(Default)]
struct Pairs {
    /// For each puzzle that is like an earlier one or the tail of a longer one, codes and messages that say which.
    alike: BTreeMap<PlaceOf, Vec<Said>>,
    /// The number of puzzles and files that were not compared within the limits.
    undecided: usize,
}

impl Arguments {
    /// Compares each puzzle of this part with all others.
    fn near_duplicates(&self) -> Result<Pairs, Failure> {
        let clock = self.proving.limits.time.start();
        let paths = verify::files(&self.paths)?;
        let (known, unread) = likenesses(&paths, self.proving.options(Some(clock.stop())))?;
        let is_here = |known: &&Known| self.partition.is_none_or(|part| part.contains(&known.document.id));
        let undecided = unread + known.iter().filter(is_here).filter(|known| known.likeness.is_err()).count();
        let mut pairs = Pairs { undecided, ..Pairs::default() };
        for (number, one) in known.iter().enumerate().filter(|(_, known)| is_here(known)) {
            let others = known.iter().enumerate();
            let others = others.filter(|(_, other)| !are_twins(&one.document, &other.document));
            let messages =
                others.filter_map(|(other_number, other)| compared(one, other, other_number < number));
            pairs.alike.insert(place_of(&one.document), messages.collect());
        }
        Ok(pairs)
    }

    fn as_json(&self) -> Run<'_> {
        let Proving { budget, limits: Limits { time, memory, evidence_budget } } = &self.proving;
        Run {
            version: VERSION,
            filter: &self.selecting.filter,
            budget: *budget,
            time: time.seconds(),
            memory: memory.mib(),
            evidence_budget: *evidence_budget,
        }
    }
}

/// Says that a puzzle is like an earlier one, or the tail of a longer one.
fn compared(one: &Known, other: &Known, is_earlier: bool) -> Option<Said> {
    let (Ok(likeness), Ok(others)) = (&one.likeness, &other.likeness) else { return None };
    let (id, file) = (&other.document.id, &other.document.file.path);
    if likeness.is_tail_of(others) {
        return Some(("tail", format!("the last actions of {id} in {file}")));
    }
    let like = likeness.to(others);
    let message = || format!("{like:.2} like {id} in {file}");
    (is_earlier && like >= NEAR_DUPLICATE).then(|| ("near-duplicate", message()))
}

impl Reviewed {
    fn of(index: usize, document: &Document, proving: &Proving) -> Reviewed {
        let place = |span: Span| document.file.location(document.in_file(span).range().start);
        let puzzle = document.puzzle.as_ref().ok();
        let mut reviewed = Reviewed {
            index,
            id: document.id.clone(),
            file: document.file.path.clone(),
            line: document.file.location(document.start()).line,
            title: puzzle.map(|puzzle| puzzle.title.value.clone()),
            difficulty: puzzle.and_then(|puzzle| puzzle.difficulty.as_ref()).map(|grade| grade.value),
            answer: Answer::Fail.name(),
            by_evidence: false,
            unreadable: None,
            findings: Vec::new(),
            objections: Vec::new(),
            warnings: Vec::new(),
            merit: None,
            open: None,
            undecided: None,
        };
        let start = document.puzzle.as_ref().map_err(Clone::clone).and_then(|_| document.game());
        if let Err(findings) = start {
            if let Some(first) = findings.first() {
                reviewed.line = place(first.span).line;
                reviewed.unreadable = Some(first.message.clone());
            }
            let objected = |Finding { code, span, message, remarks, .. }: &Finding| {
                let Location { line, column } = place(*span);
                let hints = remarks.iter().filter_map(|remark| match remark {
                    Remark::Hint(hint) => Some(&**hint),
                    Remark::Note(_) => None,
                });
                let message = std::iter::once(&**message).chain(hints).collect::<Vec<_>>().join("; ");
                Objected { code, line, column, message }
            };
            reviewed.findings = findings.iter().map(objected).collect();
            return reviewed;
        }
        reviewed.prove(document, proving);
        // Words about a false solution would be about nothing.
        if !reviewed.findings.is_empty() {
            return reviewed;
        }
        let clock = proving.limits.time.start();
        let Review { objections, open } = review(document, proving.options(Some(clock.stop())));
        let objected = objections.into_iter().map(|Objection { code, span, message, .. }| {
            let Location { line, column } = place(span);
            Objected { code, line, column, message }
        });
        reviewed.objections = objected.collect();
        let objections = &reviewed.objections;
        reviewed.warnings.retain(|warning| objections.iter().all(|objection| objection.code != warning.code));
        (reviewed.open, reviewed.undecided) = open.map(|(question, why)| (question, why.into())).unzip();
        reviewed
    }

    /// Proves the claims of the puzzle.
    fn prove(&mut self, document: &Document, proving: &Proving) {
        let clock = proving.limits.time.start();
        let report = puzzle::verify(document, proving.options(Some(clock.stop())));
        self.answer = report.answer().name();
        self.by_evidence = report.grounds() == Some(Support::Evidence);
        let objected = |finding: &Finding| {
            let Location { line, column } = report.location(finding);
            Objected { code: finding.code, line, column, message: finding.message.clone() }
        };
        self.findings = report.findings.iter().map(objected).collect();
        self.warnings = report.warnings.iter().map(objected).collect();
        if let Some(bug) = report.bug() {
            let message = format!("a bug in worldlines: {bug}");
            self.findings.push(Objected { code: "bug", line: self.line, column: 1, message });
        }
    }

    /// A word for how far the claims of the puzzle are true.
    fn claims(&self) -> &'static str {
        match (self.answer, self.by_evidence) {
            ("pass", true) => "proved",
            ("pass", false) => "searched",
            _ if self.unreadable.is_some() => "refused",
            ("fail", _) if self.findings.iter().all(|finding| finding.code == "repeated-id") => "refused",
            ("fail", _) => "false",
            _ => "open",
        }
    }

    /// The report, line by line, each with the place in the file.
    fn lines(&self) -> Vec<String> {
        let (id, file) = (&self.id, &self.file);
        let at = |line: usize, said: &str| format!("{file}:{line}: {id}: {said}");
        let mut lines = Vec::new();
        if self.answer == Answer::Undecided.name() {
            lines.push(at(self.line, "the limits are too narrow to prove its claims"));
        }
        for Objected { code, line, message, .. } in self.findings.iter().chain(&self.objections) {
            lines.push(at(*line, &format!("{code}: {message}")));
        }
        for Objected { code, line, message, .. } in &self.warnings {
            lines.push(at(*line, &format!("warning: {code}: {message}")));
        }
        if let Some(Scored { score, difficulty, signature, .. }) = &self.merit {
            lines.push(at(self.line, &format!("score {score:.1}, difficulty {difficulty:.1}, {signature}")));
        }
        if let (Some(question), Some(why)) = (self.open, &self.undecided) {
            lines.push(at(self.line, &format!("`{question}` and what comes after it was not asked: {why}")));
        }
        lines
    }

    fn print(&self, out: &mut dyn Write) -> Result<(), Failure> {
        self.lines().iter().try_for_each(|line| Ok(writeln!(out, "{}", printable(line))?))
    }

    /// The order of a table with scores: the best first, puzzles without a score after them, and those with a finding last.
    fn by_merit(&self, other: &Reviewed) -> Ordering {
        let key = |one: &Reviewed| (one.answer == Answer::Fail.name(), one.merit.is_none());
        let score = |one: &Reviewed| one.merit.as_ref().map_or(0.0, |merit| merit.score);
        key(self).cmp(&key(other)).then(score(other).total_cmp(&score(self)))
    }

    /// The codes of findings and objections, and what keeps others from being found.
    fn codes(&self) -> String {
        let mut codes: Vec<String> = Vec::new();
        let all: Vec<&str> =
            self.findings.iter().chain(&self.objections).map(|objected| objected.code).collect();
        for same in all.chunk_by(|one, other| one == other) {
            let times = if same.len() > 1 { format!(" x{}", same.len()) } else { String::new() };
            codes.push(format!("{}{times}", same[0]));
        }
        codes.extend(self.open.map(|question| format!("undecided: {question}")));
        if codes.is_empty() { "ok".to_owned() } else { codes.join(", ") }
    }

    /// The puzzle on one line of at most `width` characters. The place in the file is cut first, and then the title.
    fn row(&self, scores: bool, width: usize) -> String {
        let grade = self.difficulty.map_or("-".to_owned(), |grade| grade.to_string());
        let (id, title) = (printable(&self.id), printable(self.title.as_deref().unwrap_or_default()));
        let score = match (&self.merit, scores) {
            (_, false) => String::new(),
            (None, true) => format!("  {:>4}  {:>4}", "-", "-"),
            (Some(merit), true) => format!("  {:>4.1}  {:>4.1}", merit.score, merit.difficulty),
        };
        let place = format!("{}:{}", self.file, self.line);
        let id_width = ID_WIDTH.min(width / 3);
        // Nothing is cut in a table without a width.
        let fitting =
            |text: &str, most: usize| if width == usize::MAX { text.to_owned() } else { cut(text, most) };
        let row = format!("{:<id_width$} {grade}{score}  {:<8}  ", fitting(&id, id_width), self.claims());
        let said_width = SAID_WIDTH.min(width.saturating_sub(row.chars().count()));
        let said = fitting(&self.codes(), said_width);
        let row = fitting(&format!("{row}{said:<said_width$} {title}  ({})", printable(&place)), width);
        row.trim_end().to_owned()
    }

    fn case(&self) -> Case {
        let place = |line, column| Some(Place { file: self.file.clone(), line, column });
        let note = |level, objected: &Objected| Note {
            level,
            code: objected.code.to_owned(),
            message: objected.message.clone(),
            place: place(objected.line, Some(objected.column)),
        };
        let of_puzzle = |level, code: &str, message: &str| Note {
            level,
            code: code.to_owned(),
            message: message.to_owned(),
            place: place(self.line, None),
        };
        let findings = self.findings.iter().map(|finding| note(Level::Error, finding));
        let objections =
            self.objections.iter().chain(&self.warnings).map(|objection| note(Level::Warning, objection));
        let open = self.open.iter().map(|question| {
            of_puzzle(
                Level::Warning,
                "undecided",
                &format!("the limits are too narrow for the question `{question}`"),
            )
        });
        Case {
            suite: self.file.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned(),
            name: self.id.clone(),
            file: self.file.clone(),
            ended: match self.exit() {
                Exit::Ok => Ended::Passed,
                Exit::Undecided => Ended::Error,
                _ => Ended::Failed,
            },
            notes: findings.chain(objections).chain(open).collect(),
            text: self.lines().join("\n"),
        }
    }

    fn exit(&self) -> Exit {
        let is_open = self.open.is_some() || self.answer == Answer::Undecided.name();
        let is_right = self.unreadable.is_none() && self.findings.is_empty() && self.objections.is_empty();
        Exit::worst([
            if is_right { Exit::Ok } else { Exit::Findings },
            if is_open { Exit::Undecided } else { Exit::Ok },
        ])
    }
}

impl Summary {
    fn add(&mut self, reviewed: &Reviewed) {
        self.puzzles += 1;
        self.objections += reviewed.objections.len();
        self.unreadable += usize::from(reviewed.claims() == "refused");
        self.failing += usize::from(reviewed.claims() == "false");
        self.by_evidence += usize::from(reviewed.by_evidence);
    }

    /// The numbers on one line, for people.
    fn text(&self) -> String {
        let unreadable = match self.unreadable {
            0 => String::new(),
            more => format!("; {more} refused"),
        };
        let failing = match self.failing {
            0 => String::new(),
            more => format!("; {} with a false claim", counted(more, "puzzle")),
        };
        let (all, objections) = (counted(self.puzzles, "puzzle"), counted(self.objections, "objection"));
        format!("{all}: {objections}; {} proved by evidence{failing}{unreadable}", self.by_evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_explains_every_objection() {
        let page = include_str!("../../spec/puzzle-files.md");
        let command = <Arguments as clap::Args>::augment_args(clap::Command::new("lint"));
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let (_, list) = help.split_once("Objections: ").expect("the list of objections");
        let (list, _) = list.split_once(".\n").expect("its end");
        let is_code =
            |word: &&str| word.contains('-') || ["copy", "leak", "point", "dual", "tail"].contains(word);
        let codes: Vec<&str> =
            list.split([' ', ',', '\n']).filter(is_code).filter(|word| !word.starts_with('-')).collect();
        assert!(codes.len() > 10, "{codes:?}");
        for code in codes {
            assert!(page.contains(&format!("\n| `{code}` |")), "no row for {code}");
        }
    }

    #[test]
    fn rows_fit_their_width_and_nothing_is_cut_without_one() {
        let objected = |code| Objected { code, line: 1, column: 1, message: String::new() };
        let row = Reviewed {
            index: 1,
            id: "a-puzzle-with-a-name-of-more-than-thirty-two-letters".to_owned(),
            file: "a/folder/of/puzzles/file.yaml".to_owned(),
            line: 7,
            title: Some("A title of some length".to_owned()),
            difficulty: Some(3),
            answer: Answer::Pass.name(),
            by_evidence: true,
            unreadable: None,
            findings: Vec::new(),
            objections: ["idle-piece", "idle-piece", "dual", "idle-history", "several-keys"]
                .map(objected)
                .into(),
            warnings: Vec::new(),
            merit: None,
            open: None,
            undecided: None,
        };
        for width in [60, 100] {
            let text = row.row(true, width);
            assert_eq!(text.chars().count(), width, "{text}");
            assert!(
                text.ends_with('…') && text.contains("proved") && text.contains("idle-piece x2"),
                "{text}"
            );
        }
        let text = row.row(false, usize::MAX);
        assert!(
            text.starts_with(&row.id)
                && text.ends_with("A title of some length  (a/folder/of/puzzles/file.yaml:7)")
        );
        assert!(text.contains("idle-piece x2, dual, idle-history, several-keys"), "{text}");
    }
}
