//! The game or position that a command is about.

use std::cell::OnceCell;
use std::fmt;
use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::files::{self, STDIN, shown};
use super::time::{Clock, Time};
use super::{Format, complain};
use worldlines::notation::format::{self, Options, UnmovedPawns};
use worldlines::notation::{
    Format as Notation, Game, Issue, LineIndex, Location, ReadError, Reading, Source as Shown, printable,
};
use worldlines::puzzle;
use worldlines::search::Budget;
use worldlines::state::Position;
use worldlines::types::{Because, Color, Limit, Undecided};

/// The search steps for one position unless the command line says otherwise: about a second. The widest games on record take
/// fewer to count a million actions.
const DEFAULT_STEPS: u64 = 200_000;

/// A file with a game, and what is to be known to read it.
#[derive(clap::Args)]
pub struct Source {
    /// A game or a position in any notation, or a puzzle, as FILE#ID if the file holds several; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The notation of the file [default: detected]
    #[arg(long, value_name = "NOTATION", value_parser = notation)]
    from: Option<Notation>,
    /// Where the game starts, for notations that do not say it: the end of the game in this file
    #[arg(long, value_name = "FILE")]
    start: Option<String>,
    /// Coordinates count from 0, in the notations `raw` and `gui-fen`
    #[arg(long)]
    zero_based: bool,
    /// Which pawns have never moved, in the notation `gui-fen`
    #[arg(long, value_name = "WHICH", default_value = "start-rank")]
    unmoved_pawns: Unmoved,
    /// Compare marks of check and mate with what is the case
    #[arg(long)]
    check_marks: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unmoved {
    /// Those on their player's second rank
    StartRank,
    /// All of them
    All,
    /// None of them
    None,
}

/// The notation of this name, for the command line.
pub fn notation(name: &str) -> Result<Notation, String> {
    Notation::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Notation::all().map(Notation::name).collect();
        format!("there is no such notation; there are {}", names.join(", "))
    })
}

/// What is in a file.
struct Content {
    /// The name of the file as people see it.
    name: String,
    /// As text, whatever it is.
    text: String,
    /// Where the lines of the text are, for those who ask.
    lines: OnceCell<LineIndex>,
    /// As bytes, if the notation is no text, or nothing but bytes is known.
    bytes: Option<Vec<u8>>,
}

impl Content {
    fn new(name: String, text: String, bytes: Option<Vec<u8>>) -> Content {
        Content { name, text, lines: OnceCell::new(), bytes }
    }

    /// What errors are shown in.
    fn source(&self) -> Shown<'_> {
        match &self.bytes {
            Some(bytes) => Shown::Bytes(bytes),
            None => Shown::Indexed(&self.text, self.lines.get_or_init(|| LineIndex::of(&self.text))),
        }
    }

    fn excerpt(&self, error: &ReadError) -> String {
        error.excerpt(&self.name, self.source()).to_string()
    }

    /// The error, for JSON.
    fn report(&self, error: &ReadError) -> ErrorReport {
        let issue = error.issue();
        let Location { line, column } = self.source().location(issue.span.range().start);
        ErrorReport {
            class: error.class(),
            code: issue.code,
            message: issue.message.clone(),
            hint: issue.hint.clone(),
            line,
            column,
        }
    }
}

/// What a file says.
pub struct Read {
    content: Content,
    /// Which notation it is in, if that is known.
    pub notation: Option<Notation>,
    pub reading: Reading,
}

impl Source {
    /// Reads the file as far as it can be read.
    pub fn read(&self) -> Result<Read, Failure> {
        let start = match &self.start {
            None => None,
            Some(file) => {
                let options = Options::default();
                let read = read_file(file, None, &options)?;
                match (&read.reading.game, &read.reading.error) {
                    (Some(game), None) => Some(game.end()),
                    _ => return Err(read.failure()),
                }
            }
        };
        let unmoved_pawns = match self.unmoved_pawns {
            Unmoved::StartRank => UnmovedPawns::StartRank,
            Unmoved::All => UnmovedPawns::All,
            Unmoved::None => UnmovedPawns::None,
        };
        let options =
            Options { start, zero_based: self.zero_based, unmoved_pawns, check_marks: self.check_marks };
        read_file(&self.file, self.from, &options)
    }
}

fn read_file(file: &str, from: Option<Notation>, options: &Options) -> Result<Read, Failure> {
    let (file, id) = match file.rsplit_once('#') {
        Some((path, id)) if !Path::new(file).exists() => (path, Some(id)),
        _ => (file, None),
    };
    let name = if file == STDIN { "<stdin>".to_owned() } else { shown(Path::new(file)) };
    let bytes = files::read(Path::new(file))
        .map_err(|error| Failure::usage(format_args!("cannot read {name}: {error}")))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if from.is_none() && puzzle::is_puzzle_file(&text) {
        let game = read_puzzle(&name, &bytes, id)?;
        let reading = Reading { game: Some(game), ..Reading::default() };
        let content = Content::new(name, text, None);
        return Ok(Read { content, notation: None, reading });
    }
    if let Some(id) = id {
        let id = printable(id);
        return Err(Failure::usage(format_args!("{name} is no puzzle file, so it has no puzzle `{id}`")));
    }
    let notation = from.or_else(|| format::detect(&bytes));
    // What no notation claims may still be a part of the one that most texts are in.
    let reading = format::read_with(&bytes, notation.unwrap_or(Notation::Pgn5d), options);
    if notation.is_none() {
        let names: Vec<&str> = Notation::all().map(Notation::name).collect();
        let names = names.join(", ");
        let is_empty = |game: &Game| game.actions.is_empty() && game.headers.is_empty();
        match &reading {
            Reading { error: None, game: Some(game), .. } if is_empty(game) => {
                let message = format_args!("{name} holds no game: no header, no board and no move");
                return Err(Failure::usage(message));
            }
            Reading { error: None, .. } => {
                let message = format_args!(
                    "{name} may be in more than one notation, so that --from has to name it: one of {names}"
                );
                return Err(Failure::usage(message));
            }
            _ => {}
        }
        complain(&format!(
            "note: {name} is read as 5DPGN, since its beginning is open; --from names one of {names}"
        ));
    }
    let is_text = notation.is_some() || std::str::from_utf8(&bytes).is_ok();
    let bytes = (notation == Some(Notation::Chess64Binary) || !is_text).then_some(bytes);
    Ok(Read { content: Content::new(name, text, bytes), notation, reading })
}

/// The game that leads to the start of a puzzle: of the only one of its file, or of the one with this id.
fn read_puzzle(name: &str, bytes: &[u8], id: Option<&str>) -> Result<Game, Failure> {
    let documents = puzzle::load(name, bytes);
    let mut wanted = documents.iter().filter(|document| id.is_none_or(|id| document.id == id));
    match (wanted.next(), wanted.next()) {
        (Some(document), None) => document.game().map_err(|findings| {
            let shown: Vec<String> = findings.iter().map(|finding| document.show("error", finding)).collect();
            Failure::Usage(shown.join("\n"))
        }),
        (first, _) => {
            let ids: Vec<String> =
                documents.iter().take(NAMED_IDS).map(|document| printable(&document.id)).collect();
            let more = if documents.len() > NAMED_IDS { ", …" } else { "" };
            let problem = match (first, id) {
                (None, Some(id)) => format!("{name} has no puzzle `{}`", printable(id)),
                _ => format!("{name} holds several puzzles; {name}#ID means one of them"),
            };
            Err(Failure::usage(format_args!("{problem}; there are {}{more}", ids.join(", "))))
        }
    }
}

/// How many puzzles of a file are named when it is not clear which one is meant.
const NAMED_IDS: usize = 10;

impl Read {
    /// The file as text, whatever it is.
    pub fn text(&self) -> &str {
        &self.content.text
    }

    /// Says what is wrong without preventing anything.
    pub fn complain_warnings(&self) {
        for warning in &self.reading.warnings {
            complain(&warning.excerpt(&self.content.name, self.content.source()).to_string());
        }
    }

    /// Why the file could not be read to its end.
    pub fn failure(&self) -> Failure {
        match &self.reading.error {
            Some(error) => Failure::Usage(self.content.excerpt(error)),
            None => Failure::usage("there is no game"),
        }
    }

    /// The warnings, for JSON.
    pub fn warning_reports(&self) -> Vec<WarningReport> {
        let report = |issue: &Issue| {
            let Location { line, column } = self.content.source().location(issue.span.range().start);
            WarningReport { code: issue.code, message: issue.message.clone(), line, column }
        };
        self.reading.warnings.iter().map(report).collect()
    }

    /// The error, for JSON.
    pub fn error_report(&self) -> Option<ErrorReport> {
        self.reading.error.as_ref().map(|error| self.content.report(error))
    }
}

/// A warning about the input, for JSON.
#[derive(Serialize)]
pub struct WarningReport {
    code: &'static str,
    message: String,
    line: usize,
    column: usize,
}

/// Arguments of every command that answers for one game.
#[derive(clap::Args)]
pub struct GameFile {
    #[command(flatten)]
    source: Source,
    /// Stop after this many actions of the game
    #[arg(long, value_name = "N", visible_alias = "at")]
    ply: Option<usize>,
    /// How to print the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// What a search may cost, for commands whose answer needs one.
#[derive(clap::Args)]
pub struct Effort {
    /// The most search steps for one position; an answer that needs more is undecided
    #[arg(long = "budget", value_name = "STEPS", default_value_t = DEFAULT_STEPS)]
    steps: u64,
    #[command(flatten)]
    time: Time,
}

impl Effort {
    /// Starts the clock for the whole answer.
    pub fn start(&self) -> Clock {
        self.time.start()
    }

    /// Where the search about one position ends.
    pub fn limit<'c>(&self, clock: &'c Clock) -> Limit<'c> {
        Limit::steps(self.steps).or_when(clock.stop())
    }
}

/// What a proof may remember, for commands that prove mates.
#[derive(clap::Args)]
pub struct Memory {
    /// How many mebibytes the search may use to remember positions
    #[arg(long = "memory", value_name = "MIB", default_value_t = Budget::default().memory >> 20, value_parser = clap::value_parser!(u64).range(..=1 << 20))]
    mib: u64,
}

impl Memory {
    /// The same in bytes.
    pub fn bytes(&self) -> u64 {
        self.mib << 20
    }
}

/// What was spent before the answer was known.
#[derive(Serialize)]
pub struct Spent {
    steps: u64,
    /// `budget`, `time`, `memory` or `size`.
    because: &'static str,
}

impl From<Undecided> for Spent {
    fn from(Undecided { steps, because }: Undecided) -> Spent {
        let because = match because {
            Because::Budget => "budget",
            Because::Stopped => "time",
            Because::Memory => "memory",
            _ => "size",
        };
        Spent { steps, because }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} search steps", self.steps)?;
        if self.because == "budget" { Ok(()) } else { write!(f, ": {}", self.reason()) }
    }
}

impl Spent {
    /// Why there is no answer, in words.
    pub fn reason(&self) -> &'static str {
        match self.because {
            "budget" => "the budget is spent",
            "time" => "the time is up",
            "memory" => "the memory is spent",
            _ => "it depends on actions beyond the largest position supported",
        }
    }
}

/// A game, as far as it could be read.
pub struct Input {
    content: Content,
    game: Game,
    error: Option<ReadError>,
}

/// A position of a game.
pub struct Moment<'a> {
    /// How many actions were played before.
    pub index: usize,
    /// The number that White's and Black's next action share.
    pub action: usize,
    /// The boards.
    pub position: &'a Position,
}

/// An error in the input, for JSON.
#[derive(Serialize)]
pub struct ErrorReport {
    class: &'static str,
    code: &'static str,
    message: String,
    hint: Option<String>,
    line: usize,
    column: usize,
}

impl GameFile {
    /// Reads the game. When there is not even a start position, that is a failure.
    pub fn read(&self) -> Result<Input, Failure> {
        let mut read = self.source.read()?;
        let Some(mut game) = read.reading.game.take() else {
            return Err(read.failure());
        };
        read.complain_warnings();
        let Read { content, reading, .. } = read;
        let mut error = reading.error;
        if let Some(ply) = self.ply {
            let actions = game.actions.len();
            if ply <= actions {
                // What comes later was not asked for, so what is wrong there does not matter.
                error = None;
                game.actions.truncate(ply);
            } else if error.is_none() {
                let message =
                    format_args!("{} has {actions} actions, but {ply} were asked for", content.name);
                return Err(Failure::usage(message));
            }
        }
        Ok(Input { content, game, error })
    }
}

impl Input {
    /// Visits the positions from the start to the end, or the end alone.
    pub fn visit(
        &self,
        each: bool,
        mut visitor: impl FnMut(Moment<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut position = self.game.start.clone();
        let mut action = 1;
        for (index, next) in self.game.actions.iter().enumerate() {
            if each {
                visitor(Moment { index, action, position: &position })?;
            }
            action += usize::from(position.to_move() == Color::Black);
            position.play_unchecked(next);
        }
        visitor(Moment { index: self.game.actions.len(), action, position: &position })
    }

    /// The game as far as it could be read.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The position at the end.
    pub fn end(&self) -> Position {
        self.game.end()
    }

    /// What is wrong after the part that could be read.
    pub fn error(&self) -> Option<ErrorReport> {
        self.error.as_ref().map(|error| self.content.report(error))
    }

    /// How a command ends that has answered for the part that could be read: says what is wrong with the rest.
    pub fn finish(&self, out: &mut impl Write) -> Result<Exit, Failure> {
        let Some(error) = &self.error else { return Ok(Exit::Ok) };
        out.flush()?;
        complain(&self.content.excerpt(error));
        Ok(Exit::Usage)
    }

    /// For commands that answer for the end of the game only: a game that cannot be read to its end has no answer.
    pub fn refuse_errors(&self) -> Result<(), Failure> {
        match &self.error {
            Some(error) => Err(Failure::Usage(self.content.excerpt(error))),
            None => Ok(()),
        }
    }
}
