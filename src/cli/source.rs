//! Reads games from files, in any notation. Begin at [`Source::read`].

use std::cell::OnceCell;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::ValueEnum;

use super::exit::Failure;
use super::files::{self, STDIN, shown};
use super::json::{self, ErrorClass};
use super::notation::{Notation, Player, Reading, in_doubt, notation};
use super::shipped;
use super::slips;
use super::terminal::say;
use worldlines::notation::{
    Format as GameNotation, Game, Issue, LineIndex, Location, Options, ParseError, Parsed, Source as Shown,
    Span, UnmovedPawns, printable,
};
use worldlines::puzzle::{self, Document, Finding, Puzzle};
use worldlines::rules::variants::{self, Variant};
use worldlines::state::Position;
use worldlines::types::counted;

/// A file with games, and the options for reading it.
#[derive(clap::Args)]
pub struct Source {
    /// A game or a position in any notation, or a puzzle: as FILE#ID if the file holds several, or by the id of a shipped one; `-` reads
    /// standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The notation of the file [default: detected]
    #[arg(long, value_name = "NOTATION", value_parser = notation())]
    from: Option<Notation>,
    /// The player to move, for a drawing that does not say it [default: white]
    #[arg(long, value_name = "COLOUR")]
    to_move: Option<Player>,
    /// Read a drawing of boards. The old name of `--from drawing`
    #[arg(long, hide = true, conflicts_with = "from")]
    drawn: bool,
    /// Use the part before the first error of a text, which is still reported
    #[arg(long)]
    before_error: bool,
    /// Start of the game, for notations that leave it out: the end of the game in this file
    #[arg(long, value_name = "FILE")]
    start: Option<String>,
    /// Count coordinates from 0 in the notations `raw` and `gui-fen`, for reading and writing
    #[arg(long)]
    zero_based: bool,
    /// Pawns that count as unmoved, in the notation `gui-fen`
    #[arg(long, value_name = "WHICH", default_value = "start-rank")]
    unmoved_pawns: Unmoved,
    /// Check that marks of check and mate are right
    #[arg(long)]
    check_marks: bool,
    /// Number of the game in the file, from 1 [default: all games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    /// The file, once it was opened, and the index of its current game.
    #[arg(skip)]
    opened: Option<(Opened, usize)>,
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

/// The content of a file, for messages.
pub struct Content {
    /// The name of the file, as messages show it.
    pub name: String,
    bytes: Vec<u8>,
    /// Whether excerpts show it as text, and not as bytes.
    is_text: bool,
    /// The content as text; other bytes are replaced.
    text: String,
    /// The places of the lines in the text, found when they are first needed.
    lines: OnceCell<LineIndex>,
}

impl Content {
    /// The form in which errors show the content.
    fn source(&self) -> Shown<'_> {
        if self.is_text {
            Shown::Indexed(&self.text, self.lines.get_or_init(|| LineIndex::of(&self.text)))
        } else {
            Shown::Bytes(&self.bytes)
        }
    }

    fn location(&self, issue: &Issue) -> Location {
        self.source().location(issue.span.range().start)
    }

    /// An error with its place in the file, for people and for programs.
    pub fn failure(&self, error: &ParseError) -> Failure {
        let issue = &error.issue;
        let Location { line, column } = self.location(issue);
        let class = error.class.into();
        Failure {
            shown: error.excerpt(&self.name, self.source()).to_string(),
            error: Box::new(json::Error {
                class,
                code: Some(issue.code),
                message: issue.message.clone(),
                hint: issue.hint.clone(),
                line: Some(line),
                column: Some(column),
            }),
        }
    }

    /// Prints a warning, and returns it for the report.
    fn warn(&self, issue: &Issue) -> json::Warning {
        say(&issue.excerpt(&self.name, self.source()).to_string());
        let Location { line, column } = self.location(issue);
        json::Warning {
            code: issue.code,
            message: issue.message.clone(),
            hint: issue.hint.clone(),
            line: Some(line),
            column: Some(column),
        }
    }
}

/// The result of reading a game of a file.
pub struct Read {
    pub content: Rc<Content>,
    /// The notation of the game; `None` for puzzle files, and if it is not known.
    pub notation: Option<Notation>,
    pub reading: Parsed,
    /// The puzzle, if it is one.
    pub puzzle: Option<Puzzle>,
    /// The place of the game in the file, and the options with which it was read.
    part: Span,
    options: Reading,
}

/// A file in which the games have been found.
struct Opened {
    content: Rc<Content>,
    /// The id of the puzzle, if the file has puzzles and an id was given.
    id: Option<String>,
    is_puzzle: bool,
    notation: Option<Notation>,
    /// The places of its games; at least one.
    games: Vec<Span>,
}

impl Source {
    /// The name of the file as it was given.
    pub fn name(&self) -> &str {
        &self.file
    }

    /// The options for writing a notation.
    pub fn options_of_writing(&self) -> Options {
        Options { zero_based: self.zero_based, ..Options::default() }
    }

    /// Opens the file. Returns the indices of the selected games, and the number of games in the file.
    pub fn open(&mut self) -> Result<(Range<usize>, usize), Failure> {
        let from = if self.drawn { Some(Notation::Drawing) } else { self.from };
        let opened = Opened::of(&self.file, from)?;
        let count = opened.games.len();
        let chosen = opened.chosen(self.game)?;
        self.opened = Some((opened, chosen.start));
        Ok((chosen, count))
    }

    /// Makes the game with this index the current one.
    pub fn choose(&mut self, game: usize) {
        if let Some((_, current)) = &mut self.opened {
            *current = game;
        }
    }

    /// Reads the current game as far as it can be read.
    ///
    /// # Panics
    ///
    /// If the file has not been opened.
    pub fn read(&self) -> Result<Read, Failure> {
        let start = match &self.start {
            None => None,
            Some(file) => {
                let opened = Opened::of(file, None)?;
                if opened.games.len() > 1 {
                    let (name, count) = (&opened.content.name, opened.games.len());
                    return Err(Failure::new(format_args!(
                        "{name} holds {count} games, but --start needs a file with one"
                    )));
                }
                let read = opened.read(0, &Reading::default())?;
                match (&read.reading.value, &read.reading.error) {
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
        let notations =
            Options { start, zero_based: self.zero_based, unmoved_pawns, check_marks: self.check_marks };
        let (opened, game) = self.opened.as_ref().expect("a file is opened before it is read");
        let mut read = opened.read(*game, &Reading { notations, to_move: self.to_move })?;
        if self.before_error && read.reading.value.is_some() && read.reading.error.is_some() {
            say(&read.failure().shown);
            read.reading.error = None;
        }
        Ok(read)
    }
}

impl Opened {
    fn of(file: &str, from: Option<Notation>) -> Result<Opened, Failure> {
        let (name, bytes, id) = bytes_of(file)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let is_puzzle = from.is_none() && puzzle::is_puzzle_file(&text);
        if let (Some(id), false) = (id, is_puzzle) {
            let id = printable(id);
            return Err(Failure::new(format_args!("{name} is no puzzle file, so it has no puzzle `{id}`")));
        }
        let notation = if is_puzzle { None } else { from.or_else(|| Notation::detect(&bytes)) };
        let games = match notation {
            Some(Notation::Games(format)) => format.games(&bytes),
            None if !is_puzzle => GameNotation::Pgn5d.games(&bytes),
            _ => vec![Span::new(0, bytes.len())],
        };
        let is_text = is_puzzle || notation.is_some() || std::str::from_utf8(&bytes).is_ok();
        let is_binary = notation == Some(Notation::Games(GameNotation::Chess64Binary));
        let content = Content { name, bytes, is_text: is_text && !is_binary, text, lines: OnceCell::new() };
        let content = Rc::new(content);
        Ok(Opened { content, id: id.map(str::to_owned), is_puzzle, notation, games })
    }

    /// The indices of all games, or of the one with this number, from 1.
    fn chosen(&self, number: Option<u32>) -> Result<Range<usize>, Failure> {
        let count = self.games.len();
        match number.map(|number| number as usize) {
            None => Ok(0..count),
            Some(number @ 1..) if number <= count => Ok(number - 1..number),
            Some(number) => {
                let name = &self.content.name;
                let games = counted(count, "game");
                Err(Failure::new(format_args!("--game asks for game {number}, but {name} has {games}")))
            }
        }
    }

    /// The game with this number, from 0.
    fn read(&self, game: usize, options: &Reading) -> Result<Read, Failure> {
        let (part, options) = (self.games[game], options.clone());
        let (content, name) = (Rc::clone(&self.content), &self.content.name);
        if self.is_puzzle {
            let (game, puzzle) = read_puzzle(name, &content.bytes, self.id.as_deref())?;
            let reading = Parsed { value: Some(game), ..Parsed::default() };
            return Ok(Read { content, notation: None, reading, puzzle: Some(puzzle), part, options });
        }
        let range = part.range();
        let bytes = &content.bytes[range.clone()];
        let notation = match self.notation {
            Some(notation) => Some(notation),
            None => in_doubt(name, bytes, &options)?,
        };
        let reading = Notation::parse(notation, bytes, &options).at(range.start);
        Ok(Read { content, notation, reading, puzzle: None, part, options })
    }
}

/// The name of a file for messages, its content, and the id after a `#`, if there is one.
fn bytes_of(file: &str) -> Result<(String, Vec<u8>, Option<&str>), Failure> {
    let shipped = shipped_file(file);
    let (file, id) = match (shipped, file.rsplit_once('#')) {
        (Some(path), _) => (path, Some(file)),
        (None, Some((path, id))) if !Path::new(file).exists() => (path, Some(id)),
        _ => (file, None),
    };
    let name = if file == STDIN { "<stdin>".to_owned() } else { shown(Path::new(file)) };
    let bytes = match (files::read(Path::new(file)), shipped) {
        // A folder `puzzles` of the user's own does not hide the shipped ones.
        (Err(_), Some(path)) => Ok(shipped::content(path).to_vec()),
        (read, _) => read,
    };
    let bytes = bytes.map_err(|error| {
        let meant = shipped::closest(file).filter(|_| !Path::new(file).exists());
        let meant = meant.map(|id| format!("; did you mean the puzzle `{id}`?")).unwrap_or_default();
        if is_id(file) && error.kind() == io::ErrorKind::NotFound {
            return Failure::new(format_args!(
                "there is no file `{name}`, and no shipped puzzle has this id{meant}"
            ));
        }
        Failure::new(format_args!("cannot read {name}: {error}{meant}"))
    })?;
    Ok((name, bytes, id))
}

/// Whether a word can be the id of a puzzle.
fn is_id(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && word != STDIN
}

/// The file of the shipped puzzle with this id, unless there is a file of this name.
fn shipped_file(name: &str) -> Option<&'static str> {
    if is_id(name) && !Path::new(name).exists() { shipped::file_of(name) } else { None }
}

/// The puzzle of a file: FILE, FILE#ID, or the id of a shipped puzzle.
pub fn document(file: &str) -> Result<Document, Failure> {
    let (name, bytes, id) = bytes_of(file)?;
    document_in(&name, &bytes, id)
}

/// The games of a file. Fails if one of them has an error.
pub fn games(file: &str) -> Result<Vec<Game>, Failure> {
    games_in(file, None)
}

/// The games of a file in this notation.
fn games_in(file: &str, from: Option<Notation>) -> Result<Vec<Game>, Failure> {
    let opened = Opened::of(file, from)?;
    let count = opened.games.len();
    let read = (0..count).map(|game| {
        let mut read = opened.read(game, &Reading::default())?;
        match (read.reading.value.take(), &read.reading.error) {
            (Some(game), None) => Ok(game),
            _ => Err(read.failure()),
        }
    });
    read.collect()
}

/// The games of a file, or the one with this number, as far as each can be read, with the reason why one cannot be read to its end.
///
/// # Errors
///
/// When the file cannot be read, or not even the start of a game.
pub fn readable_games(
    file: &str,
    number: Option<u32>,
    check_marks: bool,
) -> Result<Vec<(Game, Option<Failure>)>, Failure> {
    let opened = Opened::of(file, None)?;
    let reading = Reading { notations: Options { check_marks, ..Options::default() }, ..Reading::default() };
    let read = opened.chosen(number)?.map(|game| {
        let mut read = opened.read(game, &reading)?;
        read.warnings();
        match read.reading.value.take() {
            Some(game) => Ok((game, read.reading.error.is_some().then(|| read.failure()))),
            None => Err(read.failure()),
        }
    });
    read.collect()
}

/// The files at these paths: of folders, those whose names end as files of games do.
pub fn files_of_games(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let is_game = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("5dpgn" | "pgn" | "txt" | "json" | "chess64"))
    };
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(files::in_folder(path, is_game)?);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// The starts of games: the start of the variant with this name, or the positions at the ends of the games of
/// a file, in this notation or in the one that is detected.
pub fn starts(name: &str, from: Option<Notation>) -> Result<Vec<Game>, Failure> {
    let mut starts = match variants::by_name(name) {
        Some(variant) => vec![Game::new(position_of(variant), Vec::new())],
        None if Path::new(name).exists()
            || name == STDIN
            || name.contains('#')
            || shipped_file(name).is_some() =>
        {
            games_in(name, from)?
        }
        None => {
            let variant = variants::closest(name).map(|variant| format!("variant `{}`", variant.name));
            let hint = variant.or_else(|| shipped::closest(name).map(|id| format!("puzzle `{id}`")));
            let hint = hint.map(|it| format!("; did you mean the {it}?"));
            return Err(Failure::new(format_args!(
                "there is neither a variant nor a file `{}`{}",
                printable(name),
                hint.unwrap_or_default()
            )));
        }
    };
    for start in &mut starts {
        (start.headers, start.result) = (Vec::new(), None);
    }
    Ok(starts)
}

/// The variants with these names.
pub fn variants_of(names: &[String]) -> Result<Vec<&'static Variant>, Failure> {
    let named = names.iter().map(|name| {
        variants::by_name(name).ok_or_else(|| {
            let hint = variants::closest(name).map(|variant| format!("; did you mean `{}`?", variant.name));
            Failure::new(format_args!(
                "there is no variant `{}`{}",
                printable(name),
                hint.unwrap_or_default()
            ))
        })
    });
    named.collect()
}

/// The start of a variant.
pub fn position_of(variant: &Variant) -> Position {
    Position::from_setup(&variant.setup()).expect("variants are positions")
}

/// Whether this file contains puzzles.
pub fn is_puzzle(file: &str) -> bool {
    let path =
        file.rsplit_once('#').map_or(file, |(path, _)| if Path::new(file).exists() { file } else { path });
    (Path::new(path).is_file() || shipped::read(Path::new(path)).is_some() || shipped_file(file).is_some())
        && Opened::of(file, None).is_ok_and(|opened| opened.is_puzzle)
}

/// Whether this file contains a game or position, as far as its beginning makes that certain.
pub fn is_game(file: &str) -> bool {
    let opened = (file != STDIN).then(|| Opened::of(file, None).ok()).flatten();
    opened.is_some_and(|opened| !opened.is_puzzle && opened.notation.is_some())
}

/// The only puzzle of a file, or the one with this id, and the game that leads to its start.
fn read_puzzle(name: &str, bytes: &[u8], id: Option<&str>) -> Result<(Game, Puzzle), Failure> {
    let document = document_in(name, bytes, id)?;
    let read = document.game().and_then(|game| Ok((game, document.draft()?.into_owned())));
    read.map_err(|findings| unreadable(&document, &findings))
}

/// The failure for a puzzle that cannot be read.
pub fn unreadable(document: &Document, findings: &[Finding]) -> Failure {
    let shown: Vec<String> = findings.iter().map(|finding| document.show("error", finding)).collect();
    let first = findings.first().map(|finding| {
        let (file, span) = document.place(finding);
        let Location { line, column } = file.location(span.range().start);
        Box::new(json::Error {
            class: ErrorClass::Malformed,
            code: Some(finding.code),
            message: finding.message.clone(),
            hint: None,
            line: Some(line),
            column: Some(column),
        })
    });
    let error = first.unwrap_or_else(|| Failure::new("the puzzle cannot be read").error);
    Failure { shown: shown.join("\n"), error }
}

/// The only puzzle of a file, or the one with this id.
fn document_in(name: &str, bytes: &[u8], id: Option<&str>) -> Result<Document, Failure> {
    let mut documents = puzzle::load(name, bytes);
    // A twin is selected only by its id; without an id its puzzle is meant.
    let is_wanted = |document: &Document| match id {
        Some(id) => document.id == id,
        None => document.twin_of.is_none(),
    };
    let mut wanted = (0..documents.len()).filter(|&index| is_wanted(&documents[index]));
    match (wanted.next(), wanted.next()) {
        (Some(index), None) => Ok(documents.swap_remove(index)),
        (first, _) => {
            let ids: Vec<String> =
                documents.iter().take(NAMED_IDS).map(|document| printable(&document.id)).collect();
            let more = if documents.len() > NAMED_IDS { ", …" } else { "" };
            let problem = match (first, id) {
                (None, Some(id)) => format!("{name} has no puzzle `{}`", printable(id)),
                _ => format!("{name} holds several puzzles: choose one as {name}#ID"),
            };
            Err(Failure::new(format_args!("{problem}; the ids are {}{more}", ids.join(", "))))
        }
    }
}

/// The most ids that are listed if the puzzle is not clear.
const NAMED_IDS: usize = 10;

impl Read {
    /// The file as text; other bytes are replaced.
    pub fn text(&self) -> &str {
        &self.content.text
    }

    /// Prints the warnings about the text, and returns them for the report.
    pub fn warnings(&self) -> Vec<json::Warning> {
        self.reading.warnings.iter().map(|warning| self.content.warn(warning)).collect()
    }

    /// The reasons why the file could not be read to its end: its first error, and those that would follow if every word with
    /// an error were the one that was meant.
    pub fn failure(&self) -> Failure {
        let Some(first) = &self.reading.error else { return Failure::new("the text holds no game") };
        let Range { start, end } = self.part.range();
        let Ok(text) = std::str::from_utf8(&self.content.bytes[start..end]) else {
            return self.content.failure(first);
        };
        let moved = |issue: Issue| Issue { span: issue.span.at(start), ..issue };
        let read = |text: &str| Notation::parse(self.notation, text.as_bytes(), &self.options).error;
        let errors = slips::errors(text, read).into_iter().map(|error| error.map(moved));
        let mut failures: Vec<Failure> = errors.map(|error| self.content.failure(&error)).collect();
        let shown: Vec<String> = failures.iter().map(|failure| failure.shown.clone()).collect();
        match failures.is_empty() {
            true => self.content.failure(first),
            false => Failure { shown: shown.join("\n"), error: failures.swap_remove(0).error },
        }
    }
}
