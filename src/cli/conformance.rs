//! `worldlines conformance`: compares implementations of the rules on every case of the corpus.

mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::ci;
use super::command::Command;
use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::json::{Everything, VERSION};
use super::oracle::{self, STEPS, beside};
use super::output::{Format, Shape, print_json};
use super::terminal;
use worldlines::notation::{
    Format as GameNotation, Game, LineIndex, MAX_INPUT_BYTES, Options, Source, printable,
};
use worldlines::oracle::record;
use worldlines::oracle::{Answer, Asking, Class, Difference, Feature, Oracle, Own};
use worldlines::puzzle::{Spanned, from_yaml};

use report::{Cell, Row, Settings, Summary};
pub use report::{Report, SCHEMA};

/// Ask implementations of the rules about every case of the corpus, and report which they get right
///
/// The cases are positions with recorded figures, and texts in the notations that an implementation reads.
/// Differences from a file of --known, each with a reason, are accepted; one that no longer occurs is a
/// finding.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines conformance --oracle 5d-chess-js --known oracles/5d-chess-js/known.yaml
  worldlines conformance --oracle slow --oracle 'cmd:python3 my-oracle.py' --format html corpus > matrix.html

spec/testing-a-library.md shows how to test a library of your own.

Exit codes: 0 no difference but known ones, 1 a difference or a surprise, 2 a file or an oracle cannot be used, 4 no case.")]
pub struct Arguments {
    /// Files of figures, files of cases, and folders of both [default: the folder corpus]
    #[arg(value_name = "PATH", default_value = CORPUS)]
    paths: Vec<PathBuf>,
    /// An implementation to ask; see `worldlines diff --help`
    #[arg(long, value_name = "ORACLE", required = true)]
    oracle: Vec<String>,
    #[command(flatten)]
    terms: oracle::Terms,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shape,
}

/// The most actions that are listed and counted.
const CAP: u64 = 1_000;
/// The number of legal actions of a position that are tried.
const TRIES: usize = 16;

/// A question to an implementation, with its name and place.
struct Case {
    name: String,
    /// The line of the file, from 1.
    line: usize,
    question: Question,
}

enum Question {
    /// The figures of a position in a game.
    Position { game: Game, index: usize },
    /// The text that the implementation writes for a game. It must mean this game, both to this program and
    /// to the implementation.
    Writing { game: Game },
    /// The meaning of a text: the number of its actions, or that it is refused.
    Text { notation: String, text: String, expected: Option<Game> },
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let terms = &self.terms;
        if terms.record.is_some() && self.oracle.len() > 1 {
            return Err(Failure::new("--record takes what one oracle says; there is more than one --oracle"));
        }
        let known = terms.begin()?;
        let mut cases = Vec::new();
        for path in &self.paths {
            if path == Path::new(CORPUS) && !path.exists() {
                return Err(Failure::new(
                    "there is no folder `corpus` here: it is part of the repository, not of the program; name it, or files of cases",
                ));
            }
            for file in files_of(path)? {
                read(&file, &mut cases)?;
            }
        }
        let texts: Vec<String> = cases.iter().map(Case::text).collect();
        let input = Everything::of(cases.len(), texts.iter().map(String::as_str));
        let mut numbered: Vec<(usize, Case)> = (1..).zip(cases).collect();
        if let Some(partition) = terms.partition {
            numbered.retain(|(_, case)| partition.contains(&case.name));
        }
        let mut rows: Vec<Row> = numbered.iter().map(|(index, case)| case.row(*index)).collect();
        let mut oracles: Vec<String> = Vec::new();
        for name in &self.oracle {
            let mut asked = oracle::open(name)?;
            let name = asked.manifest().name.clone();
            let bar = terminal::progress(numbered.len(), "cases");
            for ((_, case), row) in numbered.iter().zip(&mut rows) {
                let cell = case.ask(&mut *asked, terms.time);
                row.results.push(cell.known(oracle::reason(&known, &name, &case.name)));
                bar.inc(1);
            }
            if oracles.contains(&name) {
                return Err(Failure::new(format_args!("two oracles are called {}", printable(&name))));
            }
            oracles.push(name);
            oracle::write_recording(terms.record.as_deref(), &*asked)?;
        }
        let has_findings = rows.iter().flat_map(|row| &row.results).any(|cell| cell.result.is_finding());
        let exits = [
            (rows.is_empty() && terms.partition.is_none()).then_some(Exit::NothingSelected),
            has_findings.then_some(Exit::Findings),
        ];
        let exit = Exit::worst(exits.into_iter().flatten());
        let summary = Summary::new(&rows, &oracles);
        let settings = Settings {
            version: VERSION,
            oracles,
            known: known.iter().map(|known| known.cases.len()).sum(),
            time: terms.time.as_secs_f64(),
        };
        let report = Report { head: terms.head(SCHEMA, settings, input, exit), cases: rows, summary };
        match self.format {
            Shape::Json => print_json(out, &report)?,
            Shape::Text => report.print(out)?,
            Shape::Html => out.write_all(report.html().as_bytes())?,
            Shape::Junit => ci::junit("worldlines conformance", &report.ci_cases(), out)?,
            Shape::Github => {
                ci::github(&report.ci_cases(), out)?;
                out.write_all(report.last_lines().as_bytes())?;
            }
        }
        Ok(exit)
    }

    fn format(&self) -> Format {
        self.format.of_errors()
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    files::text(path, MAX_INPUT_BYTES as u64)
}

/// The files of figures and cases at a path.
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

/// The folder of the repository whose cases are asked if no path is given.
const CORPUS: &str = "corpus";

/// The fields of a file of cases that matter here. The tests of the corpus read all of it.
#[derive(Deserialize)]
struct CaseFile {
    cases: Vec<TextCase>,
}

#[derive(Deserialize)]
struct TextCase {
    id: Spanned<String>,
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
                let (name, line) = (format!("{file}#{}@{index}", record.id), record.line);
                cases.push(Case { name, line, question: Question::Position { game, index: *index } });
            }
            let plain = Game::new(record.game.start.clone(), record.game.actions.clone());
            if let Ok(written) = GameNotation::Pgn5d.write(&plain) {
                let (name, line) = (format!("{file}#{} from {WRITTEN}", record.id), record.line);
                let (notation, text) = (WRITTEN.to_owned(), written.into_text());
                let expected = Some(plain);
                cases.push(Case { name, line, question: Question::Text { notation, text, expected } });
            }
            if !record.game.actions.is_empty() {
                let (name, line) = (format!("{file}#{} as {WRITTEN}", record.id), record.line);
                let game = Game::new(record.game.start, record.game.actions);
                cases.push(Case { name, line, question: Question::Writing { game } });
            }
        }
        return Ok(());
    }
    let lines = LineIndex::of(&contents);
    let read: CaseFile = from_yaml(&contents).map_err(wrong)?;
    for case in read.cases {
        // A case with information beside its text cannot be asked: the implementation sees only the text.
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
        let line = Source::Indexed(&contents, &lines).location(case.id.span.range().start).line;
        cases.push(Case { name: format!("{file}#{}", case.id.value), line, question });
    }
    Ok(())
}

impl Case {
    /// The row of the case, without results so far.
    fn row(&self, index: usize) -> Row {
        let file = self.name.split('#').next().unwrap_or_default().to_owned();
        Row { index, case: self.name.clone(), results: Vec::new(), place: (file, self.line) }
    }

    /// The whole question as text, to compare runs.
    fn text(&self) -> String {
        let Case { name, question, .. } = self;
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
                    (None, Some((_, why))) => Cell::not_asked(why),
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

/// The notation of the games that implementations write.
const WRITTEN: &str = "5dpgn";

/// The result for the text that an oracle writes for a game.
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
        (_, Some(error)) => return wrong(format!("a text that cannot be read: {}", error.issue.message)),
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

/// The result for the meaning that an oracle gives to a text.
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
