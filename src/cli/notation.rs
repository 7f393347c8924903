//! The notation of a text: its name on the command line, detection, and reading.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::drawing;
use super::exit::Failure;
use super::terminal::say;
use worldlines::notation::{
    ActionWriter, Format as GameNotation, Game, Issue, Options, Parsed, Span, ceo, text_of,
};
use worldlines::types::Color;

/// A player, in options.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Player {
    White,
    Black,
}

impl Player {
    pub fn color(self) -> Color {
        match self {
            Player::White => Color::White,
            Player::Black => Color::Black,
        }
    }
}

/// A name for `--from` or `--to`: a notation of games, a drawing of boards, or the notation of Chess Evolved
/// Online, whose moves only `convert` reads and writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    Games(GameNotation),
    Drawing,
    ChessEvolvedOnline,
}

/// The options for reading a text in any notation.
#[derive(Clone, Default)]
pub struct Reading {
    /// The options of the library.
    pub notations: Options,
    /// The player to move in a drawing that does not say it.
    pub to_move: Option<Player>,
}

impl Notation {
    fn all() -> impl Iterator<Item = Notation> {
        GameNotation::all().map(Notation::Games).chain([Notation::Drawing, Notation::ChessEvolvedOnline])
    }

    /// The notation of a file, if its beginning makes that certain.
    pub fn detect(bytes: &[u8]) -> Option<Notation> {
        if drawing::detect(bytes) {
            return Some(Notation::Drawing);
        }
        let games = GameNotation::detect(bytes).map(Notation::Games);
        games.or_else(|| ceo::detect(bytes).then_some(Notation::ChessEvolvedOnline))
    }

    pub fn name(self) -> &'static str {
        match self {
            Notation::Games(format) => format.name(),
            Notation::Drawing => "drawing",
            Notation::ChessEvolvedOnline => "ceo",
        }
    }

    /// Reads the game of a file. A text whose notation is unknown is read as 5DPGN, the most common one.
    pub fn parse(notation: Option<Notation>, bytes: &[u8], options: &Reading) -> Parsed {
        match notation {
            None => GameNotation::Pgn5d.parse(bytes, &options.notations),
            Some(Notation::Games(format)) => format.parse(bytes, &options.notations),
            Some(Notation::Drawing) => {
                let to_move = options.to_move.map_or(Color::White, Player::color);
                text_of(bytes).map_or_else(Parsed::refused, |text| drawing::parse(text, to_move))
            }
            Some(Notation::ChessEvolvedOnline) => match text_of(bytes).map(ceo::parse) {
                Ok(Parsed { warnings, error, .. }) => {
                    let another = || Issue::new("another-game", Span::new(0, 0), ceo::ANOTHER_GAME).illegal();
                    Parsed { warnings, ..Parsed::refused(error.unwrap_or_else(another)) }
                }
                Err(error) => Parsed::refused(error),
            },
        }
    }
}

/// Reads the name of a notation on the command line, and lists the names in the help.
pub fn notation() -> impl TypedValueParser<Value = Notation> {
    one_of(Notation::all, Notation::name)
}

/// Reads the name of a notation in which single actions can be written.
pub fn notation_of_actions() -> impl TypedValueParser<Value = GameNotation> {
    one_of(ActionWriter::formats, GameNotation::name)
}

/// Reads one of these names.
fn one_of<T, All>(all: fn() -> All, name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
    All: Iterator<Item = T> + 'static,
{
    PossibleValuesParser::new(all().map(name)).map(move |given| {
        let mut named = all().filter(|one| name(*one) == given);
        named.next().expect("only these names are possible")
    })
}

/// The notation of a text whose beginning does not decide it: the only one in which it has no error. `None`
/// if there is no such notation; the text is then read as 5DPGN up to its first error. A note says which
/// notation it is.
pub fn in_doubt(name: &str, bytes: &[u8], options: &Reading) -> Result<Option<Notation>, Failure> {
    let readable = candidates(bytes, options);
    let Parsed { value, error, .. } = Notation::parse(None, bytes, options);
    if error.is_none() {
        return Err(Failure::new(match value {
            Some(game) if is_empty(&game) => format!("{name} holds no game: no header, no board and no move"),
            _ => format!(
                "the notation of {name} is in doubt: choose it with --from; without an error it can be read as {}",
                names(&readable)
            ),
        }));
    }
    let only = only(&readable);
    say(&match only {
        Some(notation) => {
            let more = if readable.len() > 1 { " and no warning" } else { "" };
            format!(
                "note: {name} is read as {}, the only notation in which it has no error{more}",
                notation.name()
            )
        }
        None if readable.is_empty() => {
            format!("note: {name} fits no notation, so it is read as 5DPGN up to its first error")
        }
        None => format!(
            "note: {name} is read as 5DPGN, since its notation is in doubt; without an error it can be read as {}: choose with --from",
            names(&readable)
        ),
    });
    Ok(only)
}

/// A notation in which a text has no error.
#[derive(Clone, Copy)]
struct Candidate {
    notation: Notation,
    has_warnings: bool,
}

/// The only candidate, or the only one without a warning.
fn only(candidates: &[Candidate]) -> Option<Notation> {
    let clean: Vec<Candidate> =
        candidates.iter().copied().filter(|candidate| !candidate.has_warnings).collect();
    match (candidates, &*clean) {
        ([only], _) | (_, [only]) => Some(only.notation),
        _ => None,
    }
}

/// Whether a game is empty: without headers and actions.
fn is_empty(game: &Game) -> bool {
    game.actions.is_empty() && game.headers.is_empty()
}

/// The notations in which these bytes are a game without an error.
fn candidates(bytes: &[u8], options: &Reading) -> Vec<Candidate> {
    let read = |notation: Notation| {
        let Parsed { value, error, warnings, .. } = Notation::parse(Some(notation), bytes, options);
        let is_game = error.is_none() && value.is_some_and(|game| !is_empty(&game));
        is_game.then_some(Candidate { notation, has_warnings: !warnings.is_empty() })
    };
    Notation::all().filter_map(read).collect()
}

/// The names of candidates, listed as in a sentence.
fn names(candidates: &[Candidate]) -> String {
    let names: Vec<&str> = candidates.iter().map(|candidate| candidate.notation.name()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
