//! What every notation of games reads and writes.

use std::fmt;

use super::printable;
use super::{Issue, ReadError, Span};
use crate::state::Position;
use crate::types::Action;

/// The longest text that is read.
pub const MAX_INPUT_BYTES: usize = 16 << 20;
/// The most actions of a game.
pub const MAX_ACTIONS: usize = 100_000;

/// A game: where it starts and what was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// A name of the start position that is not the name of a variant.
    pub name: Option<String>,
    /// The headers that do not describe the start position, in order.
    pub headers: Vec<(String, String)>,
    /// The start position.
    pub start: Position,
    /// The actions, in order, all of them legal.
    pub actions: Vec<Action>,
    /// How it ended, if the moves end with that.
    pub result: Option<GameResult>,
}

impl Game {
    /// The game of these actions without any header. They must be legal.
    pub fn new(start: Position, actions: Vec<Action>) -> Game {
        Game { name: None, headers: Vec::new(), start, actions, result: None }
    }

    /// What a notation without headers and results loses of this game.
    pub fn losses_of_headers(&self) -> Vec<Loss> {
        let name = self.name.iter().map(|name| Loss::new(format!("the name of the start position `{name}`")));
        let headers = self.headers.iter().map(|(key, _)| Loss::new(format!("the header `{key}`")));
        name.chain(headers).collect()
    }

    /// What a notation without results loses of this game.
    pub fn loss_of_result(&self) -> Option<Loss> {
        self.result.map(|result| Loss::new(format!("the result `{result}`")))
    }

    /// The position after the last action.
    pub fn end(&self) -> Position {
        let mut position = self.start.clone();
        for action in &self.actions {
            position.play_unchecked(action);
        }
        position
    }
}

/// How far a text could be read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The game up to the error, if there is one; nothing when even the start position is wrong.
    pub game: Option<Game>,
    /// Where each of its actions stands in the text.
    pub spans: Vec<Span>,
    /// What is wrong without preventing anything, in the order in which it was found.
    pub warnings: Vec<Issue>,
    /// What the text says and the game does not hold, such as comments.
    pub losses: Vec<Loss>,
    /// Why reading stopped before the end of the text.
    pub error: Option<ReadError>,
}

impl Reading {
    /// The reading of a text that has no game.
    pub fn refused(error: ReadError) -> Reading {
        Reading { error: Some(error), ..Reading::default() }
    }

    /// The game, if the text is in the strict form of its notation: what is otherwise a warning is an error.
    ///
    /// # Errors
    ///
    /// Whatever comes first in the text.
    pub fn strict(self) -> Result<Game, ReadError> {
        let first = self.warnings.into_iter().min_by_key(|warning| warning.span);
        match (self.game, first.map(Issue::malformed), self.error) {
            (_, Some(warning), Some(error)) if error.span() < warning.span() => Err(error),
            (_, Some(error), _) | (_, None, Some(error)) => Err(error),
            (game, None, None) => Ok(game.expect("a text without a game has an error")),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game goes on, or it is not known.
    Open,
}

impl GameResult {
    /// All four.
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Open];

    /// The one that is written exactly like this.
    pub fn from_text(text: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.text() == text)
    }

    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Open => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Something that a game has and its text in a notation does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What is lost: a lowercase phrase, as `the header Event`.
    pub what: String,
    /// The action that loses it, by its index, if it is about one.
    pub action: Option<usize>,
}

impl Loss {
    /// A loss of the game as a whole.
    pub fn new(what: impl Into<String>) -> Loss {
        Loss { what: printable(&what.into()), action: None }
    }

    /// A loss of one action, by its index.
    pub fn at(action: usize, what: impl Into<String>) -> Loss {
        Loss { what: printable(&what.into()), action: Some(action) }
    }
}

/// A game written in a notation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    /// The text, or the bytes of a binary notation.
    pub bytes: Vec<u8>,
    /// What the text does not say. Without losses, reading it gives an equal game.
    pub losses: Vec<Loss>,
}

impl Written {
    /// A text and what it does not say.
    pub fn new(text: impl Into<String>, losses: Vec<Loss>) -> Written {
        Written { bytes: text.into().into_bytes(), losses }
    }
}

/// Why a notation cannot hold a game at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unwritable {
    /// What stands in the way: a lowercase phrase.
    pub reason: String,
    /// The action that does, by its index, if it is one.
    pub action: Option<usize>,
}

impl Unwritable {
    /// A reason in the game as a whole.
    pub fn new(reason: impl Into<String>) -> Unwritable {
        Unwritable { reason: printable(&reason.into()), action: None }
    }

    /// A reason in one action, by its index.
    pub fn at(action: usize, reason: impl Into<String>) -> Unwritable {
        Unwritable { reason: printable(&reason.into()), action: Some(action) }
    }
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Unwritable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strict_form_fails_with_what_comes_first() {
        let issue = |code, at| Issue::new(code, Span::new(at, at + 1), "");
        for (warnings, error, first) in [
            (vec![5, 2], None, "warning"),
            (vec![2], Some(5), "warning"),
            (vec![5], Some(2), "error"),
            (vec![], Some(2), "error"),
        ] {
            let reading = Reading {
                warnings: warnings.into_iter().map(|at| issue("warning", at)).collect(),
                error: error.map(|at| issue("error", at).illegal()),
                ..Reading::default()
            };
            let refused = reading.strict().unwrap_err();
            assert_eq!((refused.issue().code, refused.span().range().start), (first, 2));
        }
    }
}
