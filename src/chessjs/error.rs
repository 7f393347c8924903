//! Errors of the object API, with the messages of the library where it has them.

use std::fmt;

use crate::notation::{ParseError, Span};
use crate::rules::{IllegalAction, IllegalMove};
use crate::types::Undecided;

/// The reason why a call failed. The game is unchanged then.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A text that cannot be read.
    Text(ParseError),
    /// A text with a move that cannot be made.
    InMove(ParseError),
    /// A move that cannot be made.
    Move(IllegalMove),
    /// There is no move to undo.
    NothingToUndo,
    /// More moves are needed before the action can be submitted.
    Unfinished(IllegalAction),
    /// The opponent could capture a royal piece.
    InCheck,
    /// The player is mated.
    InCheckmate,
    /// The player has no legal action.
    InStalemate,
    /// There is no answer within the search steps.
    Undecided(Undecided),
    /// Boards that make no game, with the reason in words.
    Boards(String),
    /// There is no such variant.
    UnknownVariant {
        /// The name.
        name: String,
        /// A similar name.
        closest: Option<&'static str>,
    },
    /// The game has a pass, and the format has no way to write it.
    Pass,
    /// The edition has no numbers for the boards.
    NoNumbers,
    /// The position would be larger than is supported.
    TooLarge,
}

impl Error {
    /// The name of the kind of error; for a text, the code of its [issue](crate::notation::Issue).
    pub fn code(&self) -> &'static str {
        match self {
            Error::Text(error) | Error::InMove(error) => error.issue.code,
            Error::Move(_) => "no-such-move",
            Error::NothingToUndo => "nothing-to-undo",
            Error::Unfinished(why) => why.code(),
            Error::InCheck => "in-check",
            Error::InCheckmate => "in-checkmate",
            Error::InStalemate => "in-stalemate",
            Error::Undecided(_) => "undecided",
            Error::Boards(_) => "no-multiverse",
            Error::UnknownVariant { .. } => "unknown-variant",
            Error::Pass => "pass",
            Error::NoNumbers => "no-numbers",
            Error::TooLarge => "too-large",
        }
    }

    /// The range of the text that is wrong.
    pub fn span(&self) -> Option<Span> {
        match self {
            Error::Text(error) | Error::InMove(error) => Some(error.span()),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(error) => write!(f, "Notation invalid: {}", said(error)),
            Error::InMove(error) => write!(f, "Move is invalid: {}", said(error)),
            Error::Move(why) => write!(f, "Move is invalid: {why}"),
            Error::NothingToUndo => f.write_str("No moves to undo."),
            Error::Unfinished(why) => {
                write!(f, "Action is not complete, more moves are needed: {why}")
            }
            Error::InCheck => f.write_str("Cannot submit, currently in check."),
            Error::InCheckmate => f.write_str("Cannot submit, currently in checkmate."),
            Error::InStalemate => f.write_str("Cannot submit, currently in stalemate."),
            Error::Undecided(undecided) => undecided.fmt(f),
            Error::Boards(why) => write!(f, "the boards make no game: {why}"),
            Error::UnknownVariant { name, closest } => {
                write!(f, "there is no variant `{}`", crate::notation::printable(name))?;
                closest.map_or(Ok(()), |closest| write!(f, "; did you mean `{closest}`?"))
            }
            Error::Pass => {
                f.write_str("a player has passed, which this format cannot say: export as objects or JSON")
            }
            Error::NoNumbers => f.write_str("5d-chess-js 0.3.6 has no numbers for these boards"),
            Error::TooLarge => f.write_str("the position would be larger than is supported"),
        }
    }
}

/// The message of a text error, with its hint.
fn said(error: &ParseError) -> String {
    let issue = &error.issue;
    match &issue.hint {
        Some(hint) => format!("{} ({hint})", issue.message),
        None => issue.message.clone(),
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Text(error) | Error::InMove(error) => Some(error),
            Error::Move(why) => Some(why),
            Error::Unfinished(why) => Some(why),
            Error::Undecided(undecided) => Some(undecided),
            _ => None,
        }
    }
}

impl From<Undecided> for Error {
    fn from(undecided: Undecided) -> Error {
        Error::Undecided(undecided)
    }
}
