//! The values that every notation reads and writes: a [`Game`], the result of reading ([`Parsed`]) and of
//! writing ([`Written`]).

use std::fmt;

use super::error::{Issue, ParseError};
use super::excerpt::printable;
use super::notes::{Notes, glyph_mark};
use super::result::GameResult;
use super::span::Span;
use crate::state::Position;
use crate::types::{Action, Coordinate, Promotions, RuleProfile};

/// The length in bytes of the longest text that is read.
pub const MAX_INPUT_BYTES: usize = 16 << 20;
/// The largest number of actions of a game.
pub const MAX_ACTIONS: usize = 100_000;

/// A game: its start position, its actions and its result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// A name of the start position that is not the name of a variant.
    pub name: Option<String>,
    /// The headers that do not describe the start position, in order.
    pub headers: Vec<(String, String)>,
    /// The start position.
    pub start: Position,
    /// Pieces of the start that are known to have moved although the rules never ask that of their kind:
    /// bishops, knights, queens and so on. In order of boards and squares. Only the
    /// [hash](crate::notation::hash) and the Board objects of 5d-chess-js depend on them.
    pub also_moved: Vec<Coordinate>,
    /// The actions, in order, all of them legal.
    pub actions: Vec<Action>,
    /// The comments, judgements and variations beside the actions. Only [5DPGN](crate::notation::pgn5d) keeps them.
    pub notes: Notes,
    /// The result, if the text gives one.
    pub result: Option<GameResult>,
}

impl Game {
    /// A game of these actions, which must be legal, without headers and result.
    pub fn new(start: Position, actions: Vec<Action>) -> Game {
        let (name, headers, also_moved, notes) = (None, Vec::new(), Vec::new(), Notes::new());
        Game { name, headers, start, also_moved, actions, notes, result: None }
    }

    /// The value of the first header with this name, in capitals or not.
    ///
    /// ```
    /// use worldlines::notation::pgn5d;
    ///
    /// let game = pgn5d::parse("[White \"Ada\"]\n\n1. e4").into_result()?;
    /// assert_eq!((game.header("white"), game.header("Black")), (Some("Ada"), None));
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }

    /// The same game without comments, judgements and variations.
    #[must_use]
    pub fn without_notes(self) -> Game {
        Game { notes: Notes::new(), ..self }
    }

    /// The losses of this game in a notation without comments, judgements and variations. A loss is about the action before the note.
    pub(crate) fn losses_of_notes(&self) -> impl Iterator<Item = Loss> + '_ {
        self.notes.iter().flat_map(|(&after, note)| {
            let glyphs = note.glyphs.iter().map(|&number| match glyph_mark(number) {
                Some(mark) => format!("the judgement `{mark}`"),
                None => format!("the annotation `${number}`"),
            });
            let comments = note.comments.iter().map(|_| "a comment".to_owned());
            let variations = note.variations.iter().map(|_| "a variation".to_owned());
            glyphs
                .chain(comments)
                .chain(variations)
                .map(move |what| Loss { action: after.checked_sub(1), ..Loss::new(what) })
        })
    }

    /// The losses of this game in a notation without headers.
    pub fn losses_of_headers(&self) -> Vec<Loss> {
        let name = self.name.iter().map(|name| Loss::new(format!("the name of the start, `{name}`")));
        let headers = self.headers.iter().map(|(key, _)| Loss::new(format!("the header `{key}`")));
        name.chain(headers).collect()
    }

    /// The loss of this game in a notation without results.
    pub fn loss_of_result(&self) -> Option<Loss> {
        self.result.map(|result| Loss::new(format!("the result `{result}`")))
    }

    /// The loss of this game in a notation that does not keep [`Game::also_moved`].
    pub(crate) fn loss_of_moved(&self) -> Option<Loss> {
        let lost =
            "which pieces other than kings, rooks, pawns and brawns are unmoved, on which a hash depends";
        (!self.also_moved.is_empty()).then(|| Loss::new(lost))
    }

    /// The loss of this game in a notation that says nothing about the rules, except by the promotions
    /// `shown`.
    pub(crate) fn loss_of_rules(&self, shown: Promotions) -> Option<Loss> {
        let plain = RuleProfile { promotions: shown, ..RuleProfile::default() };
        (self.start.profile() != plain).then(|| Loss::new("the rules in force, such as promotions"))
    }

    /// The promotions that the actions of the game show: to a queen, and those that occur.
    pub(crate) fn promotions_shown(&self) -> Promotions {
        let made = self.actions.iter().flat_map(|action| action.moves()).filter_map(|m| m.promotion);
        made.fold(Promotions::QUEEN, |set, kind| set.with(kind).unwrap_or(set))
    }

    /// The same game with only its first `actions` actions.
    #[must_use]
    pub fn until(&self, actions: usize) -> Game {
        let mut game = self.clone();
        game.actions.truncate(actions);
        game.notes.retain(|&after, _| after <= actions);
        game
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

/// The result of reading a text, the same for every notation: a value up to the first error, and all messages
/// about it.
///
/// [`Parsed::into_result`] accepts every text that can be understood, [`Parsed::strict`] only the form that
/// is written.
#[derive(Clone, Debug)]
#[must_use]
pub struct Parsed<T = Game> {
    /// The game or other value up to the error, if there is one; `None` if nothing could be read.
    pub value: Option<T>,
    /// The range of the text for each action of the game, or for each part of another value.
    pub spans: Vec<Span>,
    /// Problems that do not prevent reading, in the order in which they were found.
    pub warnings: Vec<Issue>,
    /// Parts of the text that the game does not keep, such as comments.
    pub losses: Vec<Loss>,
    /// The error that stopped reading before the end of the text.
    pub error: Option<ParseError>,
}

impl<T> Default for Parsed<T> {
    fn default() -> Parsed<T> {
        Parsed { value: None, spans: Vec::new(), warnings: Vec::new(), losses: Vec::new(), error: None }
    }
}

impl<T> Parsed<T> {
    /// The result for a text that is refused as a whole.
    pub fn refused(error: ParseError) -> Parsed<T> {
        Parsed { error: Some(error), ..Parsed::default() }
    }

    /// The result for a value or an error, with the warnings before it.
    pub(crate) fn new(value: Result<T, ParseError>, warnings: Vec<Issue>) -> Parsed<T> {
        match value {
            Ok(value) => Parsed { value: Some(value), warnings, ..Parsed::default() },
            Err(error) => Parsed { warnings, ..Parsed::refused(error) },
        }
    }

    /// Shifts all places by `start` bytes, for a text that is a part of another one and begins there.
    pub fn at(mut self, start: usize) -> Parsed<T> {
        self.spans.iter_mut().for_each(|span| *span = span.at(start));
        self.warnings.iter_mut().for_each(|warning| warning.span = warning.span.at(start));
        let moved = |error: ParseError| error.map(|issue| Issue { span: issue.span.at(start), ..issue });
        Parsed { error: self.error.map(moved), ..self }
    }

    /// Replaces the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Parsed<U> {
        let Parsed { value, spans, warnings, losses, error } = self;
        Parsed { value: value.map(change), spans, warnings, losses, error }
    }

    /// The value, if the text could be parsed to its end. Warnings do not count.
    ///
    /// # Errors
    ///
    /// The first thing that is malformed, illegal or ambiguous.
    pub fn into_result(self) -> Result<T, ParseError> {
        match (self.value, self.error) {
            (Some(value), None) => Ok(value),
            (_, error) => Err(error.expect("a text without a value has an error")),
        }
    }

    /// The value, if the text is in the strict form of its notation. A warning counts as an error.
    ///
    /// # Errors
    ///
    /// The warning or error that comes first in the text.
    pub fn strict(self) -> Result<T, ParseError> {
        let first = self.warnings.into_iter().min_by_key(|warning| warning.span);
        match (self.value, first.map(Issue::malformed), self.error) {
            (_, Some(warning), Some(error)) if error.span() < warning.span() => Err(error),
            (_, Some(error), _) | (_, None, Some(error)) => Err(error),
            (value, None, None) => Ok(value.expect("a text without a value has an error")),
        }
    }
}

/// A part of a game that its text in a notation does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// The part that is lost: a lowercase phrase, as `the header Event`.
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

impl fmt::Display for Loss {
    /// The part that is lost, and the number of the action that loses it, from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            None => f.write_str(&self.what),
            Some(index) => write!(f, "{} (action {})", self.what, index + 1),
        }
    }
}

/// A game written in a notation; the same type for every notation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[must_use]
pub struct Written {
    /// The text, or the bytes of a binary notation.
    pub bytes: Vec<u8>,
    /// The parts of the game that the text does not say. Without losses, reading it gives an equal game.
    pub losses: Vec<Loss>,
}

impl Written {
    /// A text with its losses.
    pub fn new(text: impl Into<String>, losses: Vec<Loss>) -> Written {
        Written { bytes: text.into().into_bytes(), losses }
    }

    /// The text. For a binary notation this is of no use: invalid bytes become U+FFFD.
    #[must_use]
    pub fn into_text(self) -> String {
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// The reason why a notation cannot hold a game at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteError {
    /// The reason: a lowercase phrase.
    pub reason: String,
    /// The action at fault, by its index, if it is one.
    pub action: Option<usize>,
}

impl WriteError {
    /// A reason in the game as a whole.
    pub fn new(reason: impl Into<String>) -> WriteError {
        WriteError { reason: printable(&reason.into()), action: None }
    }

    /// A reason in one action, by its index.
    pub fn at(action: usize, reason: impl Into<String>) -> WriteError {
        WriteError { reason: printable(&reason.into()), action: Some(action) }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for WriteError {}

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
            let reading: Parsed = Parsed {
                warnings: warnings.into_iter().map(|at| issue("warning", at)).collect(),
                error: error.map(|at| issue("error", at).illegal()),
                ..Parsed::default()
            };
            let refused = reading.strict().unwrap_err();
            assert_eq!((refused.issue.code, refused.span().range().start), (first, 2));
        }
    }
}
