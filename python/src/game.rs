//! Games: a start with the actions that were played, read and written in every notation. Begin at [`Game`].

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyMappingProxy, PyTuple};
use worldlines::notation::{Format, GameResult, Issue, Loss, Notes, Options, UnmovedPawns, hash, pgn5d};
use worldlines::render::{self, Layout, Marks};
use worldlines::state::Undo;

use crate::errors::{Input, illegal, issue, record, text_error, unwritable};
use crate::notes::{Reader, comment_of, judgement_of, notes_dict, place, result_of};
use crate::position::{CHECKS_DRAWN, COLUMNS_DRAWN};
use crate::reading::{LONG, Reading, Text, format_of, notation_of, read};
use crate::values::{Action, ActionLike, Place, Position, square_at, tuple};
use crate::work::run;

fn losses<'py>(py: Python<'py>, losses: &[Loss]) -> PyResult<Bound<'py, PyTuple>> {
    let all = losses.iter().map(|loss| record(py, "Loss", (&loss.what, loss.action)));
    PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)
}

fn issues<'py>(py: Python<'py>, warnings: &[Issue], input: Input<'_>) -> PyResult<Bound<'py, PyTuple>> {
    let all = warnings.iter().map(|warning| issue(py, warning, input));
    PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)
}

/// The options of `Game.parse` and its like.
fn options_of(start: Option<Position>, zero_based: bool, unmoved_pawns: Option<&str>) -> PyResult<Options> {
    let unmoved_pawns = match unmoved_pawns {
        None | Some("start-rank") => UnmovedPawns::StartRank,
        Some("all") => UnmovedPawns::All,
        Some("none") => UnmovedPawns::None,
        Some(other) => {
            let message = format!("unmoved_pawns is start-rank, all or none, but not {other:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    let start = start.map(|position| (*position.0).clone());
    Ok(Options { start, zero_based, unmoved_pawns, ..Options::default() })
}

/// A text or bytes for Python.
fn written_text<'py>(py: Python<'py>, format: Format, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    if format == Format::Chess64Binary {
        return Ok(PyBytes::new(py, bytes).into_any());
    }
    Ok(String::from_utf8_lossy(bytes).as_ref().into_pyobject(py)?.into_any())
}

/// A game: a start, the actions that were played, notes beside them, headers and a result. It begins at the standard start or at a position; actions are
/// played with `push` and taken back with `pop`.
#[pyclass(module = "worldlines")]
pub struct Game {
    game: worldlines::Game,
    now: Arc<worldlines::Position>,
    undos: Vec<Undo>,
    /// The warnings and losses of reading the text.
    warnings: Py<PyTuple>,
    losses: Py<PyTuple>,
}

impl Game {
    /// A game that was read, whose actions are legal.
    pub fn of(py: Python<'_>, game: worldlines::Game) -> PyResult<Game> {
        let mut now = game.start.clone();
        let mut undos = Vec::with_capacity(game.actions.len());
        for action in &game.actions {
            undos.push(now.play(action).map_err(|error| illegal(py, &error))?);
        }
        let nothing = PyTuple::empty(py).unbind();
        Ok(Game { game, now: Arc::new(now), undos, warnings: nothing.clone_ref(py), losses: nothing })
    }

    /// The game of the library.
    pub fn game(&self) -> &worldlines::Game {
        &self.game
    }

    fn of_reading(py: Python<'_>, (game, warnings, lost, _): &Reading, input: Input<'_>) -> PyResult<Game> {
        let game = Game::of(py, game.clone())?;
        Ok(Game {
            warnings: issues(py, warnings, input)?.unbind(),
            losses: losses(py, lost)?.unbind(),
            ..game
        })
    }

    fn clone_ref(&self, py: Python<'_>) -> PyResult<Game> {
        let copy = Game::of(py, self.game.clone())?;
        Ok(Game { warnings: self.warnings.clone_ref(py), losses: self.losses.clone_ref(py), ..copy })
    }

    /// The same game with only its first actions.
    fn up_to(&self, py: Python<'_>, actions: usize) -> PyResult<Game> {
        let mut game = self.game.until(actions);
        if actions < self.game.actions.len() {
            game.result = None;
        }
        Game::of(py, game)
    }
}

#[pymethods]
impl Game {
    /// A game that begins in this position, without actions.
    #[new]
    #[pyo3(signature = (start = None))]
    fn new(py: Python<'_>, start: Option<Position>) -> PyResult<Game> {
        let start = start.map_or_else(worldlines::Position::default, |position| (*position.0).clone());
        Game::of(py, worldlines::Game::new(start, Vec::new()))
    }

    /// The game of a text in any notation, which is detected unless it is named. `start` is the start for notations that do not say it,
    /// `zero_based` says that coordinates count from 0, and `unmoved_pawns` (`start-rank`, `all`, `none`) which pawns have not moved.
    #[staticmethod]
    #[pyo3(signature = (text, notation = None, *, start = None, zero_based = false, unmoved_pawns = None))]
    fn parse(
        py: Python<'_>,
        text: Text,
        notation: Option<&str>,
        start: Option<Position>,
        zero_based: bool,
        unmoved_pawns: Option<&str>,
    ) -> PyResult<Game> {
        let options = options_of(start, zero_based, unmoved_pawns)?;
        let reading = read(py, text.input(), notation, &options)?;
        Game::of_reading(py, &reading, text.input())
    }

    /// The position in which the game begins.
    #[getter]
    fn start(&self) -> Position {
        self.game.start.clone().into()
    }

    /// The position now.
    #[getter]
    fn position(&self) -> Position {
        Position(Arc::clone(&self.now))
    }

    /// The actions that were played.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, self.game.actions.iter().cloned())
    }

    /// The texts of the actions in 5DPGN.
    fn action_texts(&self) -> Vec<String> {
        pgn5d::line_texts(&self.game.start, &self.game.actions).0
    }

    /// The positions of the game: its start, and the one after each action.
    fn positions(&self, py: Python<'_>) -> PyResult<Vec<Position>> {
        let mut position = self.game.start.clone();
        let mut all = vec![Position::from(position.clone())];
        for action in &self.game.actions {
            position.play(action).map_err(|error| illegal(py, &error))?;
            all.push(position.clone().into());
        }
        Ok(all)
    }

    /// The headers that do not describe the start: `game.headers["White"] = "Anna"` sets one.
    #[getter]
    fn headers<'py>(slf: Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        record(slf.py(), "Headers", (slf,))
    }

    fn _headers(&self) -> Vec<(String, String)> {
        self.game.headers.clone()
    }

    /// Sets a header in the place of the first with this name. Others of the same name are removed.
    fn _set_header(&mut self, key: &str, value: String) -> PyResult<()> {
        let is_plain = |text: &str| !text.chars().any(char::is_control);
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if key.is_empty() || !key.chars().all(name) || !is_plain(&value) {
            let message = "a header has a name of letters and digits, and a value of one line";
            return Err(PyValueError::new_err(message));
        }
        let headers = &mut self.game.headers;
        let first = headers.iter().position(|(known, _)| known == key).unwrap_or(headers.len());
        headers.retain(|(known, _)| known != key);
        headers.insert(first, (key.to_owned(), value));
        Ok(())
    }

    /// Removes the headers of a name.
    fn _remove_header(&mut self, key: &str) -> PyResult<()> {
        let before = self.game.headers.len();
        self.game.headers.retain(|(known, _)| known != key);
        if self.game.headers.len() == before { Err(PyKeyError::new_err(key.to_owned())) } else { Ok(()) }
    }

    /// `1-0`, `0-1`, `1/2-1/2`, `*`, or None.
    #[getter]
    fn result(&self) -> Option<&'static str> {
        self.game.result.map(GameResult::text)
    }

    #[setter]
    fn set_result(&mut self, result: Option<&str>) -> PyResult<()> {
        self.game.result = result.map(result_of).transpose()?;
        Ok(())
    }

    /// The name of the start, if the text gives one that is not that of a variant.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.game.name.as_deref()
    }

    /// The odd things in the text that was read.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> Py<PyTuple> {
        self.warnings.clone_ref(py)
    }

    /// The parts of the text that the game does not keep.
    #[getter]
    fn losses(&self, py: Python<'_>) -> Py<PyTuple> {
        self.losses.clone_ref(py)
    }

    /// The comments, judgements and variations, by the number of actions before them. The mapping cannot be changed: set another one, or use
    /// `annotate` and `add_variation`. Variations that are set have to be legal.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMappingProxy>> {
        Ok(PyMappingProxy::new(py, notes_dict(py, &self.game.notes)?.as_mapping()))
    }

    #[setter]
    fn set_notes(&mut self, notes: &Bound<'_, PyAny>) -> PyResult<()> {
        self.game.notes = Reader::new().notes(notes, &self.game.start, &self.game.actions)?;
        Ok(())
    }

    /// Adds a comment, a judgement such as `!?` or `$14`, or both, after so many actions. A judgement is about the action before.
    #[pyo3(signature = (after, *, comment = None, judgement = None))]
    fn annotate(&mut self, after: usize, comment: Option<&str>, judgement: Option<&str>) -> PyResult<()> {
        place(after, self.game.actions.len())?;
        let judgement = judgement.map(judgement_of).transpose()?;
        if comment.is_none() && judgement.is_none() {
            return Err(PyValueError::new_err("expected a comment or a judgement"));
        }
        let note = self.game.notes.entry(after).or_default();
        note.glyphs.extend(judgement);
        note.comments.extend(comment.map(comment_of));
        Ok(())
    }

    /// Adds a line that leaves the game after so many actions. Its actions have to be legal; its own notes count from its start.
    #[pyo3(signature = (after, actions, *, notes = None, result = None))]
    fn add_variation(
        &mut self,
        after: usize,
        actions: Vec<ActionLike<'_>>,
        notes: Option<&Bound<'_, PyAny>>,
        result: Option<&str>,
    ) -> PyResult<()> {
        place(after, self.game.actions.len())?;
        let position = self.game.until(after).end();
        let variation = Reader::new().variation(&position, &actions, notes, result)?;
        self.game.notes.entry(after).or_default().variations.push(variation);
        Ok(())
    }

    /// Plays an action, given as an `Action` or as a text of 5DPGN, and returns it. The result of the game is removed.
    fn push(&mut self, py: Python<'_>, action: ActionLike<'_>) -> PyResult<Action> {
        let action = action.action(py, &self.now)?;
        // A position that Python still holds is left alone.
        let undo = Arc::make_mut(&mut self.now).play(&action).map_err(|error| illegal(py, &error))?;
        self.undos.push(undo);
        self.game.actions.push(action.clone());
        self.game.result = None;
        Ok(action.into())
    }

    /// Takes the last action back with the notes after it, and returns it. The result of the game is removed.
    fn pop(&mut self) -> PyResult<Action> {
        let (Some(undo), Some(action)) = (self.undos.pop(), self.game.actions.pop()) else {
            return Err(PyIndexError::new_err("there is no action to take back"));
        };
        let undone = Arc::make_mut(&mut self.now).undo(undo);
        debug_assert!(undone.is_ok(), "the last action is taken back first");
        self.game.notes.split_off(&(self.game.actions.len() + 1));
        self.game.result = None;
        Ok(action.into())
    }

    /// The same game with only its first `actions` actions.
    fn until(&self, py: Python<'_>, actions: usize) -> PyResult<Game> {
        self.up_to(py, actions)
    }

    /// The game in a notation, with what is lost.
    #[pyo3(signature = (notation = "5dpgn", *, zero_based = false))]
    fn write<'py>(&self, py: Python<'py>, notation: &str, zero_based: bool) -> PyResult<Bound<'py, PyAny>> {
        let format = format_of(py, notation)?;
        let options = Options { zero_based, ..Options::default() };
        let game = &self.game;
        let written = if game.actions.len() > LONG / 100 {
            run(py, None, |_| format.write_with(game, &options))?
        } else {
            format.write_with(game, &options)
        };
        let written = written.map_err(|error| unwritable(py, &error))?;
        let lost = losses(py, &written.losses)?;
        record(py, "Written", (written_text(py, format, &written.bytes)?, lost))
    }

    /// The hash of 5d-chess-js 0.3.6; None if that program has no numbers for the boards.
    fn md5_036(&self) -> Option<String> {
        hash::chessjs_036(&self.game)
    }

    /// The boards as a picture with the last action: SVG.
    #[pyo3(signature = (*, flipped = false, columns = None))]
    fn svg(&self, flipped: bool, columns: Option<u16>) -> String {
        let mut marks = Marks::of_game(&self.game);
        marks.checks(&self.now.first_checks(CHECKS_DRAWN).0);
        render::svg(&Layout::new(
            &self.now,
            &marks,
            render::Options { flipped, columns, ..render::Options::default() },
        ))
    }

    /// An independent game in the same state.
    fn copy(&self, py: Python<'_>) -> PyResult<Game> {
        self.clone_ref(py)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Game> {
        self.clone_ref(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, memo: Py<PyAny>) -> PyResult<Game> {
        drop(memo);
        self.clone_ref(py)
    }

    fn __len__(&self) -> usize {
        self.game.actions.len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match other.cast::<Game>() {
            Ok(other) => {
                let same = match other.try_borrow() {
                    Ok(other) => self.game == other.game,
                    Err(error) => return Err(error.into()),
                };
                Ok(same.into_pyobject(py)?.to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __str__(&self) -> String {
        pgn5d::write(&self.game, pgn5d::Marks::None).into_text()
    }

    fn __repr__(&self) -> String {
        let (actions, player) = (self.game.actions.len(), self.now.to_move());
        let plural = if actions == 1 { "" } else { "s" };
        format!("<Game of {actions} action{plural}, {player} to move>")
    }

    pub fn _repr_svg_(&self) -> String {
        self.svg(false, Some(COLUMNS_DRAWN))
    }

    fn _repr_html_(&self) -> String {
        self._repr_svg_()
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "the parts of a game")]
    fn _restore(
        py: Python<'_>,
        start: &Position,
        actions: Vec<Bound<'_, Action>>,
        headers: Vec<(String, String)>,
        name: Option<String>,
        result: Option<&str>,
        also_moved: Vec<Place>,
        notes: &Bound<'_, PyAny>,
        told: (Py<PyTuple>, Py<PyTuple>),
    ) -> PyResult<Game> {
        let game = worldlines::Game {
            name,
            headers,
            start: (*start.0).clone(),
            also_moved: also_moved.into_iter().map(|Place(at)| at).collect(),
            actions: actions.iter().map(|action| action.get().0.clone()).collect(),
            notes: Notes::new(),
            result: None,
        };
        let mut game = Game::of(py, game)?;
        game.set_notes(notes)?;
        game.set_result(result)?;
        Ok(Game { warnings: told.0, losses: told.1, ..game })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.get_type::<Game>().getattr("_restore")?;
        let worldlines::Game { name, headers, also_moved, .. } = &self.game;
        let moved: Vec<_> = also_moved.iter().map(|at| square_at(py, *at)).collect::<PyResult<_>>()?;
        let told = (self.warnings.clone_ref(py), self.losses.clone_ref(py));
        let (actions, notes) = (self.actions(py)?, notes_dict(py, &self.game.notes)?);
        let state = (self.start(), actions, headers.clone(), name.clone(), self.result(), moved, notes, told);
        Ok((restore, state.into_pyobject(py)?))
    }
}

/// The games of a text, which may hold several.
#[pyfunction]
#[pyo3(signature = (text, notation = None, *, start = None, zero_based = false, unmoved_pawns = None))]
pub fn read_games(
    py: Python<'_>,
    text: Text,
    notation: Option<&str>,
    start: Option<Position>,
    zero_based: bool,
    unmoved_pawns: Option<&str>,
) -> PyResult<Vec<Game>> {
    let options = options_of(start, zero_based, unmoved_pawns)?;
    let input = text.input();
    let format = notation_of(py, input, notation)?;
    let spans = format.games(input.bytes());
    let mut games = Vec::with_capacity(spans.len());
    for span in spans {
        let part = &input.bytes()[span.range()];
        let parsed = run(py, None, |_| format.parse(part, &options))?.at(span.range().start);
        let (warnings, lost) = (parsed.warnings.clone(), parsed.losses.clone());
        let game = parsed.into_result().map_err(|error| text_error(py, &error, input))?;
        games.push(Game::of_reading(py, &(game, warnings, lost, format), input)?);
    }
    Ok(games)
}

/// A text in another notation, with what is lost.
#[pyfunction]
#[pyo3(signature = (text, to, notation = None, *, start = None, zero_based = false, unmoved_pawns = None))]
pub fn convert<'py>(
    py: Python<'py>,
    text: Text,
    to: &str,
    notation: Option<&str>,
    start: Option<Position>,
    zero_based: bool,
    unmoved_pawns: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let to = format_of(py, to)?;
    let options = options_of(start, zero_based, unmoved_pawns)?;
    let (game, warnings, mut lost, from) = read(py, text.input(), notation, &options)?;
    let options = Options { zero_based, ..Options::default() };
    let written = run(py, None, |_| to.write_with(&game, &options))?;
    let written = written.map_err(|error| unwritable(py, &error))?;
    lost.extend(written.losses);
    let warnings = issues(py, &warnings, text.input())?;
    let fields = (written_text(py, to, &written.bytes)?, from.name(), losses(py, &lost)?, warnings);
    record(py, "Converted", fields)
}

/// The name of the notation of a text; None if its beginning is not clear.
#[pyfunction]
pub fn detect(text: Text) -> Option<&'static str> {
    Format::detect(text.input().bytes()).map(Format::name)
}

/// The notations.
#[pyfunction]
pub fn notations(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let info = |format: Format| record(py, "NotationInfo", (format.name(), format.title()));
    Format::all().map(info).collect()
}
