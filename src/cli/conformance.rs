//! `worldlines conformance`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::json::{Everything, Part};
use super::oracle::{self, STEPS, beside};
use super::output::print_json;
use super::page::{self, escaped};
use super::time::seconds;
use worldlines::notation::{Format as GameNotation, Game, Options, printable};
use worldlines::oracle::known::Known;
use worldlines::oracle::record;
use worldlines::oracle::{Answer, Asking, Class, Difference, Feature, Oracle, Own};
use worldlines::types::Partition;

/// Ask implementations of the rules about every case of the corpus, and say which they get right
///
/// The cases are positions with recorded figures, and texts in the notations that an implementation reads. Differences that
/// are known, with a reason, count as known; a known difference that is not there any more is a finding.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines conformance --oracle 5d-chess-js --known oracles/5d-chess-js/known.yaml
  worldlines conformance --oracle slow --oracle 'cmd:python3 my-oracle.py' --format html corpus > matrix.html

spec/testing-a-library.md shows how to test a library of your own.

Exit codes: 0 no difference but known ones, 1 a difference or a surprise, 2 a file or an oracle cannot be used, 4 no case.")]
pub struct Arguments {
    /// Files of figures, files of cases, and folders of both [default: the folder corpus]
    #[arg(value_name = "PATH", default_value = "corpus")]
    paths: Vec<PathBuf>,
    /// An implementation to ask; see `worldlines diff --help`
    #[arg(long, value_name = "ORACLE", required = true)]
    oracle: Vec<String>,
    /// A file of known differences
    #[arg(long, value_name = "FILE")]
    known: Vec<PathBuf>,
    /// Ask only about part M of N of the cases, as hash:M/N; `worldlines report merge` puts the parts together
    #[arg(long, value_name = "PART", value_parser = str::parse::<Partition>)]
    partition: Option<Partition>,
    /// Write what the implementation was asked and answered into a new file, for --oracle replay:FILE
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// How many seconds an implementation may think about a case
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    time: Duration,
    /// How to print the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// How a matrix is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
    /// A page
    Html,
}

impl Arguments {
    /// Whether failures are given to programs.
    pub fn format(&self) -> super::output::Format {
        match self.format {
            Format::Json => super::output::Format::Json,
            Format::Text | Format::Html => super::output::Format::Text,
        }
    }
}

/// Up to how many actions are listed and counted.
const CAP: u64 = 1_000;
/// How many legal actions of a position are tried.
const TRIES: usize = 16;

pub const SCHEMA: &str = "worldlines/conformance-1";

/// Which cases implementations get right.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// What was asked for.
    run: Settings,
    /// The cases that were read, those of other parts too.
    input: Everything,
    /// Which part this is, of a run with `--partition`.
    partition: Option<Part>,
    /// The exit code of the command.
    exit_code: u32,
    /// The cases, in the order of their files.
    cases: Vec<Row>,
    summary: Summary,
}

/// What has an influence on the answers, besides the cases.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Settings {
    /// The version of worldlines.
    version: &'static str,
    /// Who was asked.
    oracles: Vec<String>,
    /// How many differences are known, in all files of --known.
    known: usize,
    /// The seconds of `--time`.
    time: f64,
}

/// How many there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    cases: usize,
    /// What came of asking each implementation.
    oracles: BTreeMap<String, Asked>,
}

/// What came of asking an implementation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Asked {
    /// How many cases it gets right.
    right: usize,
    /// In how many it differs.
    wrong: usize,
    /// In how many it differs as is known.
    known: usize,
    /// In how many it was known to differ, and does not.
    surprises: usize,
    /// How many it could not be asked about.
    not_asked: usize,
}

/// A case, with the result of each implementation.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Row {
    /// Its number among all cases that were read, from 1.
    index: usize,
    /// The file, the id of the case, and the position where there are several.
    case: String,
    results: Vec<Cell>,
}

/// What an implementation makes of a case.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Cell {
    result: Verdict,
    /// The class of the difference.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    class: Option<&'static str>,
    /// What differs, why it could not be asked, or why the difference is known.
    why: Option<String>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    /// It says what is true.
    Right,
    /// It says something else.
    Wrong,
    /// It says something else, as is known.
    Known,
    /// It was known to say something else, and does not.
    Surprise,
    /// It cannot be asked.
    NotAsked,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Wrong => "WRONG",
            Verdict::Known => "known",
            Verdict::Surprise => "SURPRISE",
            Verdict::NotAsked => "not asked",
        }
    }
}

/// What an implementation is asked.
struct Case {
    name: String,
    question: Question,
}

enum Question {
    /// About a position of a game.
    Position { game: Game, index: usize },
    /// The text of a game, which must mean this game, to everybody and to itself.
    Writing { game: Game },
    /// What a text means: how many actions, or that it is refused.
    Text { notation: String, text: String, expected: Option<Game> },
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    if arguments.record.is_some() && arguments.oracle.len() > 1 {
        return Err(Failure::new("--record takes what one oracle says; there is more than one --oracle"));
    }
    oracle::refuse_existing(arguments.record.as_deref())?;
    let mut cases = Vec::new();
    for path in &arguments.paths {
        for file in files_of(path)? {
            read(&file, &mut cases)?;
        }
    }
    let known = arguments.known.iter().map(|path| {
        let text = text(path)?;
        Known::read(&text).map_err(|error| Failure::new(format_args!("{}: {error}", shown(path))))
    });
    let known: Vec<Known> = known.collect::<Result<_, _>>()?;
    let texts: Vec<String> = cases.iter().map(Case::text).collect();
    let input = Everything::of(cases.len(), texts.iter().map(String::as_str));
    let mut numbered: Vec<(usize, Case)> = (1..).zip(cases).collect();
    if let Some(partition) = arguments.partition {
        numbered.retain(|(_, case)| partition.contains(&case.name));
    }
    let row =
        |(index, case): &(usize, Case)| Row { index: *index, case: case.name.clone(), results: Vec::new() };
    let mut rows: Vec<Row> = numbered.iter().map(row).collect();
    let mut oracles: Vec<String> = Vec::new();
    for name in &arguments.oracle {
        let mut asked = oracle::open(name)?;
        let name = asked.manifest().name.clone();
        for ((_, case), row) in numbered.iter().zip(&mut rows) {
            let cell = case.ask(&mut *asked, arguments.time);
            let reason = known
                .iter()
                .filter(|known| known.is_about(&name))
                .find_map(|known| known.cases.get(&case.name));
            row.results.push(match reason {
                None => cell,
                Some(reason) => cell.known(&reason.reason, &reason.link),
            });
        }
        if oracles.contains(&name) {
            return Err(Failure::new(format_args!("two oracles are called {}", printable(&name))));
        }
        oracles.push(name);
        oracle::write_recording(arguments.record.as_deref(), &*asked)?;
    }
    let asked = (0..).zip(&oracles).map(|(column, name)| (name.clone(), Asked::new(&rows, column)));
    let summary = Summary { cases: rows.len(), oracles: asked.collect() };
    let exits = [
        (rows.is_empty() && arguments.partition.is_none()).then_some(Exit::NothingSelected),
        summary.oracles.values().any(|asked| asked.wrong + asked.surprises > 0).then_some(Exit::Findings),
    ];
    let exit = Exit::worst(exits.into_iter().flatten());
    let settings = Settings {
        version: env!("CARGO_PKG_VERSION"),
        oracles,
        known: known.iter().map(|known| known.cases.len()).sum(),
        time: arguments.time.as_secs_f64(),
    };
    let report = Report {
        schema: SCHEMA,
        run: settings,
        input,
        partition: arguments.partition.map(Part::from),
        exit_code: exit.code().into(),
        cases: rows,
        summary,
    };
    match arguments.format {
        Format::Json => print_json(out, &report)?,
        Format::Text => report.print(out)?,
        Format::Html => out.write_all(report.html().as_bytes())?,
    }
    Ok(exit)
}

impl Asked {
    /// The counts of the oracle in this column.
    fn new(rows: &[Row], column: usize) -> Asked {
        let count = |verdict| rows.iter().filter(|row| row.results[column].result == verdict).count();
        Asked {
            right: count(Verdict::Right),
            wrong: count(Verdict::Wrong),
            known: count(Verdict::Known),
            surprises: count(Verdict::Surprise),
            not_asked: count(Verdict::NotAsked),
        }
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    let cannot = |why: String| Failure::new(format_args!("cannot read {}: {why}", shown(path)));
    let bytes = files::read(path).map_err(|error| cannot(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| cannot("it is not UTF-8".into()))
}

/// The files of figures and of cases of a path.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    files::in_folder(path, |file| {
        let is_yaml = file.extension().is_some_and(|ending| ending == "yaml");
        is_yaml && text(file).is_ok_and(|text| is_of_cases(&text))
    })
}

fn is_of_cases(text: &str) -> bool {
    record::is_figures(text) || text.trim_start().starts_with(&format!("schema: {CASES}"))
}

const CASES: &str = "worldlines/cases-1";

/// What is of interest here of a file of cases; the tests of the corpus read all of it.
#[derive(Deserialize)]
struct CaseFile {
    cases: Vec<TextCase>,
}

#[derive(Deserialize)]
struct TextCase {
    id: String,
    from: String,
    input: Option<String>,
    file: Option<String>,
    result: String,
    start: Option<String>,
    #[serde(default)]
    zero_based: bool,
    unmoved_pawns: Option<String>,
    profile: Option<String>,
}

fn read(path: &Path, cases: &mut Vec<Case>) -> Result<(), Failure> {
    let contents = text(path)?;
    let file = files::name(path);
    let wrong = |error: String| Failure::new(format_args!("{}: {error}", shown(path)));
    let beside = beside(path);
    if record::is_figures(&contents) {
        for record in record::read(&contents, &beside).map_err(wrong)? {
            for (index, _) in &record.positions {
                let game = record.game.until(*index);
                let name = format!("{file}#{}@{index}", record.id);
                cases.push(Case { name, question: Question::Position { game, index: *index } });
            }
            let plain = Game::new(record.game.start.clone(), record.game.actions.clone());
            if let Ok(written) = GameNotation::Pgn5d.write(&plain) {
                let name = format!("{file}#{} from {WRITTEN}", record.id);
                let (notation, text) = (WRITTEN.to_owned(), written.into_text());
                let expected = Some(plain);
                cases.push(Case { name, question: Question::Text { notation, text, expected } });
            }
            if !record.game.actions.is_empty() {
                let name = format!("{file}#{} as {WRITTEN}", record.id);
                let game = Game::new(record.game.start, record.game.actions);
                cases.push(Case { name, question: Question::Writing { game } });
            }
        }
        return Ok(());
    }
    let read: CaseFile = serde_saphyr::from_str(&contents).map_err(|error| wrong(error.to_string()))?;
    for case in read.cases {
        // What the text does not say, a reader of the text alone cannot know.
        let is_alone = case.start.is_none()
            && !case.zero_based
            && case.unmoved_pawns.is_none()
            && case.profile.is_none();
        let (true, Ok(format)) = (is_alone, case.from.parse::<GameNotation>()) else { continue };
        let bytes = match (case.input, case.file) {
            (Some(input), None) => input.into_bytes(),
            (None, Some(name)) => beside(&name).map_err(wrong)?,
            _ => continue,
        };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let parsed = format.parse(text.as_bytes(), &Options::default());
        let game = parsed.value.filter(|_| parsed.error.is_none());
        let expected = match (case.result.as_str(), game) {
            ("valid", Some(game)) => Some(game),
            ("valid", None) => continue,
            _ => None,
        };
        let question = Question::Text { notation: case.from, text, expected };
        cases.push(Case { name: format!("{file}#{}", case.id), question });
    }
    Ok(())
}

impl Case {
    /// Everything that the case asks.
    fn text(&self) -> String {
        let Case { name, question } = self;
        match question {
            Question::Position { game, .. } | Question::Writing { game } => {
                format!("{name}\n{}\n{:?}", game.start, game.actions)
            }
            Question::Text { text, .. } => format!("{name}\n{text}"),
        }
    }

    fn ask(&self, oracle: &mut dyn Oracle, time: Duration) -> Cell {
        match &self.question {
            Question::Position { game, index } => {
                let asking = Asking { cap: CAP, tries: TRIES, time, shrinking: 0 };
                let walked = asking.first_divergence(oracle, &Own::new(None, STEPS), game, [*index]);
                match (walked.divergences.first(), walked.not_asked.into_iter().next()) {
                    (Some(divergence), _) => Cell::wrong(&divergence.differences[0]),
                    (None, Some(why)) => Cell::not_asked(why),
                    (None, None) => Cell::RIGHT,
                }
            }
            Question::Writing { game } => writing(oracle, game, time),
            Question::Text { notation, text, expected } => match oracle.read(notation, text) {
                None => Cell::not_asked(format!("it does not read {notation}")),
                Some(answer) => reading(expected.as_ref(), &answer),
            },
        }
    }
}

/// The notation in which implementations are asked to write games.
const WRITTEN: &str = "5dpgn";

/// What comes of the text that an oracle writes for a game.
fn writing(oracle: &mut dyn Oracle, game: &Game, time: Duration) -> Cell {
    let position = game.end();
    let question = worldlines::oracle::Question { game, position: &position, cap: 0, tries: &[], time };
    let text = match oracle.write(WRITTEN, &question) {
        None => return Cell::not_asked(format!("it does not write {WRITTEN}")),
        Some(Ok(text)) => text,
        Some(Err(answer)) => return reading(Some(game), &answer),
    };
    let parsed = GameNotation::Pgn5d.parse(text.as_bytes(), &Options::default());
    let wrong = |found: String| {
        Cell::wrong(&Difference::new(Class::Notation, Feature::Writes, "the game that was asked for", found))
    };
    match (parsed.value, parsed.error) {
        (_, Some(error)) => return wrong(format!("a text that cannot be read: {}", error.issue().message)),
        (Some(read), None) if read.end().to_string() != position.to_string() => {
            return wrong(format!("another game, of {} actions", read.actions.len()));
        }
        _ => {}
    }
    match oracle.read(WRITTEN, &text) {
        Some(Answer::Figures(figures))
            if figures.played.is_some_and(|played| played != game.actions.len() as u64) =>
        {
            let read = figures.played.unwrap_or_default();
            let expected = format!("{} actions when it reads what it wrote", game.actions.len());
            Cell::wrong(&Difference::new(
                Class::SelfContradiction,
                Feature::Writes,
                expected,
                format!("{read} actions"),
            ))
        }
        Some(Answer::Refused { message, .. }) => {
            let expected = "that it reads what it wrote";
            Cell::wrong(&Difference::new(Class::SelfContradiction, Feature::Writes, expected, message))
        }
        _ => Cell::RIGHT,
    }
}

/// What comes of the meaning that an oracle gives to a text.
fn reading(expected: Option<&Game>, answer: &Answer) -> Cell {
    let wrong = |class, expected: &str, found: String| {
        Cell::wrong(&Difference::new(class, Feature::Reads, expected, found))
    };
    match (expected, answer) {
        (_, Answer::Crash(how)) => wrong(Class::Crash, "an answer", how.clone()),
        (_, Answer::TimeOut(how)) => wrong(Class::TimeOut, "an answer", how.clone()),
        (_, Answer::Void(why)) => wrong(Class::Void, "an answer", why.clone()),
        (_, Answer::NotAsked(why)) => Cell::not_asked(why.clone()),
        (None, Answer::Refused { .. }) => Cell::RIGHT,
        (None, Answer::Figures(figures)) => {
            let played = figures.played.map_or_else(|| "some".to_owned(), |played| played.to_string());
            wrong(Class::Notation, "the text is refused", format!("takes it for a game of {played} actions"))
        }
        (Some(game), Answer::Refused { message, .. }) => {
            let expected = format!("{} actions", game.actions.len());
            wrong(Class::Notation, &expected, format!("refuses it: {message}"))
        }
        (Some(game), Answer::Figures(figures)) => {
            let actions = game.actions.len() as u64;
            match &figures.position {
                _ if figures.played.is_some_and(|played| played != actions) => {
                    let found = figures.played.unwrap_or_default();
                    wrong(Class::Notation, &format!("{actions} actions"), format!("{found} actions"))
                }
                Some(position) if position.to_string() != game.end().to_string() => {
                    wrong(Class::Notation, "the boards at the end", "other boards".into())
                }
                _ => Cell::RIGHT,
            }
        }
    }
}

impl Cell {
    const RIGHT: Cell = Cell { result: Verdict::Right, class: None, why: None };

    fn not_asked(why: String) -> Cell {
        Cell { result: Verdict::NotAsked, class: None, why: Some(why) }
    }

    fn wrong(difference: &Difference) -> Cell {
        let Difference { class, about, expected, found, .. } = difference;
        let why = if expected.contains('\n') {
            format!("{about}: other boards")
        } else {
            format!("{about}: expected {expected}, but found {found}")
        };
        Cell { result: Verdict::Wrong, class: Some(class.name()), why: Some(why) }
    }

    /// The same result of a case in which a difference is known.
    fn known(self, reason: &str, link: &str) -> Cell {
        let why = Some(format!("{reason} ({link})"));
        match self.result {
            Verdict::Wrong => Cell { result: Verdict::Known, why, ..self },
            Verdict::Right => Cell { result: Verdict::Surprise, why, ..self },
            Verdict::Known | Verdict::Surprise | Verdict::NotAsked => self,
        }
    }
}

impl Report {
    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        for (column, name) in self.run.oracles.iter().enumerate() {
            for row in &self.cases {
                let cell = &row.results[column];
                if matches!(cell.result, Verdict::Wrong | Verdict::Known | Verdict::Surprise) {
                    let class = cell.class.map(|class| format!(" {class}")).unwrap_or_default();
                    let why = cell.why.as_deref().unwrap_or_default();
                    writeln!(
                        out,
                        "{}{class}: {}: {}",
                        cell.result.name(),
                        printable(&row.case),
                        printable(why)
                    )?;
                }
            }
            let Some(asked) = self.summary.oracles.get(name) else { continue };
            let Asked { right, wrong, known, surprises, not_asked } = asked;
            let name = printable(name);
            writeln!(
                out,
                "{name}: {} cases: {right} right, {wrong} wrong, {known} known, {surprises} surprises, {not_asked} not asked",
                self.cases.len()
            )?;
        }
        Ok(())
    }

    /// A page with the matrix, which needs no other file.
    fn html(&self) -> String {
        let mut page = page::begin("Conformance");
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "<h1>Conformance</h1>\n<p>{} cases.</p>\n<table>\n<thead><tr><th scope=\"col\">Case</th>",
            self.cases.len()
        );
        for name in &self.run.oracles {
            let _ = write!(page, "<th scope=\"col\">{}</th>", escaped(name));
        }
        page.push_str("</tr></thead>\n<tbody>\n");
        for (index, label) in ["right", "wrong", "known", "surprises", "not asked"].into_iter().enumerate() {
            let _ = write!(page, "<tr class=\"total\"><th scope=\"row\">{label}</th>");
            for name in &self.run.oracles {
                let count = self.summary.oracles.get(name).map_or(0, |asked| asked.counts()[index]);
                let _ = write!(page, "<td>{count}</td>");
            }
            page.push_str("</tr>\n");
        }
        for row in &self.cases {
            let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(&row.case));
            for cell in &row.results {
                let kind = cell.result.name().to_lowercase().replace(' ', "-");
                let class = cell.class.unwrap_or_default();
                let why = cell.why.as_deref().unwrap_or_default();
                let _ = write!(
                    page,
                    "<td class=\"{kind}\">{} {class}<small>{}</small></td>",
                    cell.result.name().to_lowercase(),
                    escaped(why)
                );
            }
            page.push_str("</tr>\n");
        }
        page.push_str("</tbody>\n</table>\n");
        page.push_str(page::END);
        page
    }
}

impl Asked {
    fn counts(&self) -> [usize; 5] {
        [self.right, self.wrong, self.known, self.surprises, self.not_asked]
    }
}
