//! Input of the object API: games, actions and moves as text and JSON, and starts.

use super::error::Error;
use super::game::{Chess, promoting};
use super::spelling;
use crate::notation::chessjs::input::{self, ActionInput, is_json};
use crate::notation::chessjs::{self, Edition, Raw, schema};
use crate::notation::{ErrorClass, Format, Game, Issue, Options, ParseError, Parsed, Span, pgn5d};
use crate::rules::variants;
use crate::state::Position;
use crate::types::{Coordinate, Move};

/// The game of a text in 5DPGN.
fn parse_5dpgn(edition: Edition, text: &str) -> Parsed {
    let usual = pgn5d::parse_changing(text, |start, says_promotions| {
        if says_promotions {
            return start;
        }
        let promotions = Chess::usual_promotions(edition, &start);
        promoting(start, promotions)
    });
    if usual.error.is_none() {
        return usual;
    }
    // A text of another program, in which every pawn becomes a queen.
    let queens = pgn5d::parse(text);
    if queens.error.is_none() { queens } else { usual }
}

/// Whether a text in 5DPGN gives the boards of its start.
fn has_boards(text: &str) -> bool {
    let is_board = |line: &str| line.starts_with('[') && line.contains(':') && !line.contains('"');
    text.lines().any(|line| is_board(line.trim_ascii_start()))
}

/// The error for a text of moves.
fn of_move(error: ParseError) -> Error {
    match error.class {
        ErrorClass::Malformed => Error::Text(error),
        ErrorClass::Illegal | ErrorClass::Ambiguous => Error::InMove(error),
    }
}

impl Chess {
    /// Makes a move, as text or JSON.
    ///
    /// # Errors
    ///
    /// When the text is not one move that can be made now; then nothing changes.
    pub fn make(&mut self, text: &str) -> Result<(), Error> {
        let m = self.read_move(text)?;
        // The move is pseudo-legal, but there may be no room for another timeline.
        self.under_way.push(m).map_err(Error::Move)
    }

    /// Whether [`Chess::make`] would make this move.
    pub fn moveable(&self, text: &str) -> bool {
        self.read_move(text).is_ok_and(|m| self.under_way.position().check_move(&m).is_ok())
    }

    /// Makes the moves of a text or JSON and submits them.
    ///
    /// # Errors
    ///
    /// When a move cannot be made, or they are not a legal action with those already made; then nothing
    /// changes.
    pub fn act(&mut self, text: &str) -> Result<(), Error> {
        let before = self.under_way.clone();
        let made =
            self.read_and_make(text).and_then(|passes| if passes { self.pass() } else { self.submit() });
        if made.is_err() {
            self.under_way = before;
        }
        made
    }

    /// Whether [`Chess::act`] would play this action.
    pub fn actionable(&self, text: &str) -> bool {
        self.clone().act(text).is_ok()
    }

    /// A new game from a start: the name of a variant, or JSON of a Board object or of the arrays of its
    /// numbers.
    ///
    /// # Errors
    ///
    /// When there is no such variant, or the boards make no game.
    pub fn start(edition: Edition, variant: &str) -> Result<Chess, Error> {
        if is_json(variant) {
            let game = if variant.trim_ascii_start().starts_with('{') {
                let board = schema::Board::parse(variant).map_err(Error::Text)?;
                board.game().map_err(Error::Boards)?
            } else {
                let raw = Raw::parse_for(edition, variant).map_err(Error::Text)?;
                raw.game_for(edition).map_err(Error::Boards)?
            };
            let promotions = Chess::usual_promotions(edition, &game.start);
            let start = promoting(game.start.clone(), promotions);
            return Ok(Chess::of_start(edition, Game { start, ..game }, true));
        }
        let Some(found) = variants::by_name(variant) else {
            let closest = variants::closest(variant).map(|variant| variant.name);
            return Err(Error::UnknownVariant { name: variant.to_owned(), closest });
        };
        let start = Position::from_setup(&found.setup()).expect("variants are positions");
        let promotions = Chess::usual_promotions(edition, &start);
        Ok(Chess::of_start(edition, Game::new(promoting(start, promotions), Vec::new()), false))
    }

    /// The game of a text in any notation, or of JSON: actions as objects or arrays of numbers. If the text
    /// does not say its start, `variant` gives it, as for [`Chess::start`]; by default it is the standard
    /// game. The last action may be unfinished.
    ///
    /// # Errors
    ///
    /// When the text cannot be read to its end.
    pub fn import(edition: Edition, text: &str, variant: Option<&str>) -> Result<Chess, Error> {
        // The library uses this name for a text with boards.
        let variant = variant.filter(|name| !name.eq_ignore_ascii_case("custom"));
        if !is_json(text) {
            let read = Chess::import_text(edition, text, variant);
            return read.or_else(|error| match spelling::without_false_jumps(text) {
                Some(text) => Chess::import_text(edition, &text, variant).map_err(|_| error),
                None => Err(error),
            });
        }
        if let Some(saved) = Chess::load(edition, text)? {
            return Ok(saved);
        }
        let actions = input::parse_actions(text).map_err(Error::Text)?;
        let mut chess = match variant {
            Some(variant) => Chess::start(edition, variant)?,
            None => Chess::new(edition),
        };
        let kinds = actions.iter().flat_map(|action| &action.moves).filter_map(|m| m.promotion());
        let start = &chess.start.start;
        let set = kinds.fold(start.profile().promotions, |set, kind| set.with(kind).unwrap_or(set));
        if set != start.profile().promotions {
            let start = Game { start: promoting(start.clone(), set), ..chess.start.clone() };
            chess = Chess::of_start(edition, start, chess.is_custom);
        }
        chess.play_all(&actions)?;
        Ok(chess)
    }

    /// Plays actions. The last may be left unfinished.
    pub(super) fn play_all(&mut self, actions: &[ActionInput]) -> Result<(), Error> {
        for (index, action) in actions.iter().enumerate() {
            action.check_player(&self.begun).map_err(Error::Text)?;
            for m in &action.moves {
                self.make_input(m)?;
            }
            if action.passes || action.moves.is_empty() {
                self.pass()?;
            } else if index + 1 < actions.len() || self.submittable() {
                self.submit()?;
            }
        }
        Ok(())
    }

    /// The game of a text that [`Chess::save`] wrote; `None` for another text.
    fn load(edition: Edition, text: &str) -> Result<Option<Chess>, Error> {
        let Some(saved) = input::parse_saved(text).map_err(Error::Text)? else { return Ok(None) };
        let mut start = pgn5d::parse(&saved.start).into_result().map_err(Error::Text)?;
        start.result = None;
        for at in &saved.moved {
            let at: Coordinate = at.parse().map_err(|error| Error::Boards(format!("`{at}`: {error}")))?;
            start.also_moved.push(at);
        }
        let mut chess = Chess::of_start(Edition::Current, start, saved.is_custom);
        // Every action is finished here.
        for action in &saved.actions {
            for m in &action.moves {
                chess.make_input(m)?;
            }
            if action.passes {
                // The pass was checked when it was made.
                let asks = std::mem::replace(&mut chess.skip_detection, true);
                chess.pass()?;
                chess.skip_detection = asks;
            } else {
                chess.submit()?;
            }
        }
        for m in &saved.moves {
            chess.make_input(m)?;
        }
        Ok(Some(Chess { edition, ..chess }))
    }

    fn import_text(edition: Edition, text: &str, variant: Option<&str>) -> Result<Chess, Error> {
        let says_start = text.lines().any(|line| line.trim_ascii_start().starts_with('['));
        let given = match variant.filter(|_| !says_start) {
            Some(variant) => Some(Chess::start(edition, variant)?),
            None => None,
        };
        let format = Format::detect(text.as_bytes()).unwrap_or(Format::Pgn5d);
        let mut parsed = match (format, &given) {
            (Format::Pgn5d | Format::Fen5d, Some(given)) => {
                let start = &given.start;
                let parsed = pgn5d::parse_changing(text, |_, _| start.start.clone());
                parsed.map(|game| Game { also_moved: start.also_moved.clone(), ..game })
            }
            (Format::Pgn5d | Format::Fen5d, None) => parse_5dpgn(edition, text),
            (_, given) => {
                let start = given.as_ref().map(|chess| chess.start.start.clone());
                format.parse(text.as_bytes(), &Options { start, ..Options::default() })
            }
        };
        let error = parsed.error.take();
        let Some(game) = parsed.value.take() else {
            return Err(Error::Text(error.expect("a text without a value has an error")));
        };
        let is_custom = given.as_ref().map_or(has_boards(text), |chess| chess.is_custom);
        let mut chess = Chess { is_custom, ..Chess::of(edition, &game) };
        let Some(error) = error else { return Ok(chess) };
        // If an action is complete but cannot be submitted, and it is the last one, its moves go into the
        // move buffer.
        let span = error.span();
        let is_last = text.get(span.range().end..).is_some_and(|rest| rest.trim().is_empty());
        let is_unfinished = matches!(error.issue.code, "present-stays" | "royal-exposed");
        let has_moves = matches!(format, Format::Pgn5d | Format::ChessJs | Format::ChessJsShort);
        if is_last && is_unfinished && has_moves && chess.make_all(span.of(text)).is_ok() {
            return Ok(chess);
        }
        Err(Error::Text(error))
    }

    /// The move of a text, as the next move.
    pub(super) fn read_move(&self, text: &str) -> Result<Move, Error> {
        if is_json(text) {
            let input = input::parse_move(text).map_err(Error::Text)?;
            return self.meant(&input);
        }
        let read = self.only_move(text);
        // The library reads more spellings than 5DPGN has.
        read.or_else(|error| match spelling::of_move(text) {
            Some(usual) => self.only_move(&usual).map_err(|_| error),
            None => Err(error),
        })
    }

    /// The move of a text that has only one.
    fn only_move(&self, text: &str) -> Result<Move, Error> {
        let moves = self.moves_of(text)?;
        match moves[..] {
            [only] => Ok(only),
            _ => {
                let message = format!("expected one move, but found {}", moves.len());
                Err(Error::Text(Issue::new("not-a-move", Span::new(0, text.len()), message).malformed()))
            }
        }
    }

    /// The moves of a text that is not JSON, one after another.
    fn moves_of(&self, text: &str) -> Result<Vec<Move>, Error> {
        let position = self.under_way.position();
        let moves = if chessjs::is_move(text) {
            chessjs::parse_moves(position, chessjs::turn_offset(&self.start.start), text)
        } else {
            pgn5d::moves_at(position, text)
        };
        moves.map_err(of_move)
    }

    /// Makes the moves of a text or JSON. Returns whether the player then passes.
    pub(super) fn read_and_make(&mut self, text: &str) -> Result<bool, Error> {
        if !is_json(text) {
            return self.make_all(text).map(|()| false);
        }
        let action = input::parse_action(text).map_err(Error::Text)?;
        action.check_player(&self.begun).map_err(Error::Text)?;
        for m in &action.moves {
            self.make_input(m)?;
        }
        Ok(action.passes)
    }

    fn make_all(&mut self, text: &str) -> Result<(), Error> {
        let read = self.moves_of(text).or_else(|error| match spelling::without_false_jumps(text) {
            Some(usual) => self.moves_of(&usual).map_err(|_| error),
            None => Err(error),
        });
        for m in read? {
            self.under_way.push(m).map_err(Error::Move)?;
        }
        Ok(())
    }

    pub(super) fn make_input(&mut self, input: &input::MoveInput) -> Result<(), Error> {
        let m = self.meant(input)?;
        self.under_way.push(m).map_err(Error::Move)
    }

    fn meant(&self, input: &input::MoveInput) -> Result<Move, Error> {
        let position = self.under_way.position();
        input.meant(position, self.numbering(), self.begins_at_turn_zero()).map_err(of_move)
    }

    /// Whether raw arrays begin with turn 0.
    pub(super) fn begins_at_turn_zero(&self) -> bool {
        self.edition == Edition::Current
            && self.start.start.multiverse().boards().any(|(at, _)| at.half_turn.turn() < 1)
    }
}
