//! Moves, actions and places: values that never change.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock, Weak};

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyAny, PyIterator, PyString, PyTuple, PyType};
use worldlines::notation::pgn5d;
use worldlines::rules::IllegalAction;
use worldlines::types::{BoardCoordinate, Color, Coordinate, MoveKind, ParseValueError, PieceKind, Square};

use crate::errors::{Input, record, text_error, unreadable, wrong_type};

/// The largest turn that a half-turn has room for.
const MOST_TURN: i16 = i16::MAX / 2 - 1;

/// The hash of a value, the same in every run.
pub fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The name of a player, as in all texts.
pub fn color_name(color: Color) -> &'static str {
    if color == Color::White { "white" } else { "black" }
}

/// The record of a board's place.
pub fn board_at<'py>(py: Python<'py>, at: BoardCoordinate) -> PyResult<Bound<'py, PyAny>> {
    record(py, "BoardAt", (at.timeline.0, at.half_turn.turn(), color_name(at.color())))
}

/// The record of a square's place.
pub fn square_at<'py>(py: Python<'py>, at: Coordinate) -> PyResult<Bound<'py, PyAny>> {
    record(py, "SquareAt", (board_at(py, at.board)?, at.square.file(), at.square.rank()))
}

/// A place that Python gives: a record, a tuple like it, or its text such as `(0T1w)`.
pub struct Board(pub BoardCoordinate);

impl<'py> FromPyObject<'_, 'py> for Board {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Board> {
        let no_board = |why: &dyn std::fmt::Display| PyValueError::new_err(why.to_string());
        if let Ok(text) = object.extract::<String>() {
            return text.parse().map(Board).map_err(|error: ParseValueError| no_board(&error));
        }
        let (timeline, turn, color): (i16, i16, String) = object.extract()?;
        if turn.unsigned_abs() > MOST_TURN.unsigned_abs() {
            return Err(no_board(&format!("there is no turn {turn}")));
        }
        let color = color.parse().map_err(|error: ParseValueError| no_board(&error))?;
        Ok(Board(BoardCoordinate::new(timeline, turn, color)))
    }
}

/// A place of a square that Python gives.
pub struct Place(pub Coordinate);

impl<'py> FromPyObject<'_, 'py> for Place {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Place> {
        let (Board(board), file, rank): (Board, u8, u8) = object.extract()?;
        let square = Square::new(file, rank).ok_or_else(|| {
            PyValueError::new_err(format!("there is no square with file {file} and rank {rank}"))
        })?;
        Ok(Place(Coordinate { board, square }))
    }
}

/// A move of one piece. Its text is `(0T1w)e2e4`, `(0T2w)f3>(1T2w)f5` (a hop to another timeline), `(0T2w)f3>>(0T1w)f5` (a branch into
/// the past) or `(0T9w)a7a8=Q`.
#[pyclass(frozen, module = "worldlines", from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(pub worldlines::Move);

#[pymethods]
impl Move {
    /// The move of a text.
    #[new]
    fn new(py: Python<'_>, text: &str) -> PyResult<Move> {
        text.parse().map(Move).map_err(|error: ParseValueError| unreadable(py, "not-a-move", &error, text))
    }

    /// The square that the piece leaves.
    #[getter]
    fn origin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_at(py, self.0.from)
    }

    /// The square that it enters.
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        square_at(py, self.0.to)
    }

    /// `physical`, `hop` or `branch`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.kind {
            MoveKind::Physical => "physical",
            MoveKind::Hop => "hop",
            MoveKind::Branch => "branch",
        }
    }

    /// The name of the piece that a pawn becomes, if it does.
    #[getter]
    fn promotion(&self) -> Option<&'static str> {
        self.0.promotion.map(PieceKind::name)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match other.cast::<Move>() {
            Ok(other) => {
                Ok(op.matches(self.cmp(other.get())).into_pyobject(py)?.to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Move>(), (self.0.to_string(),))
    }
}

/// The moves of one player's turn, in canonical order: two spellings of one action are equal. Made of moves; `Position.parse_action`
/// reads the notations.
#[pyclass(frozen, module = "worldlines")]
#[derive(Clone)]
pub struct Action(pub worldlines::Action, Known);

/// A position where an action is known to be legal, so that this is not checked again. It is not a part of the value.
type Known = OnceLock<Weak<worldlines::Position>>;

impl From<worldlines::Action> for Action {
    fn from(action: worldlines::Action) -> Action {
        Action(action, Known::new())
    }
}

impl Action {
    /// A legal action of a position.
    pub fn of(position: &Arc<worldlines::Position>, action: worldlines::Action) -> Action {
        Action(action, Known::from(Arc::downgrade(position)))
    }

    /// An error unless the action is legal in a position. The positions that Python holds never change, so the answer holds as long as the
    /// object of the position does; the weak pointer keeps its address from being used again.
    pub fn check_legal(&self, position: &Arc<worldlines::Position>) -> Result<(), IllegalAction> {
        if self.1.get().is_some_and(|known| Weak::as_ptr(known) == Arc::as_ptr(position)) {
            return Ok(());
        }
        (**position).clone().play(&self.0)?;
        let _ = self.1.set(Arc::downgrade(position));
        Ok(())
    }
}

#[pymethods]
impl Action {
    /// The action of these moves, which may be in any order in which they can be played.
    #[new]
    fn new(moves: &Bound<'_, PyAny>) -> PyResult<Action> {
        let mut list = Vec::new();
        for item in moves.try_iter()? {
            let item = item?;
            let Ok(m) = item.cast::<Move>() else {
                return Err(PyTypeError::new_err(format!(
                    "expected moves, but found {}",
                    item.get_type().name()?
                )));
            };
            list.push(m.get().0);
        }
        Ok(Action::from(worldlines::Action::new(list)))
    }

    /// The moves.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.moves().iter().map(|m| Move(*m)).collect::<Vec<_>>())
    }

    fn __len__(&self) -> usize {
        self.0.moves().len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Move> {
        let moves = self.0.moves();
        let from_end =
            if index < 0 { moves.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
        let found = from_end.and_then(|index| moves.get(index));
        found.map(|m| Move(*m)).ok_or_else(|| PyIndexError::new_err("there is no such move"))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.moves(py)?.try_iter()
    }

    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        item.cast::<Move>().is_ok_and(|m| self.0.moves().contains(&m.get().0))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Action {}>", self.0)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match other.cast::<Action>() {
            Ok(other) => {
                Ok(op.matches(self.0.cmp(&other.get().0)).into_pyobject(py)?.to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyTuple>,))> {
        Ok((py.get_type::<Action>(), (self.moves(py)?,)))
    }
}

/// A tuple of actions.
pub fn tuple<'py>(
    py: Python<'py>,
    actions: impl IntoIterator<Item = worldlines::Action>,
) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, actions.into_iter().map(Action::from).collect::<Vec<_>>())
}

/// An action that Python gives: as it is, or as a text of 5DPGN.
pub enum ActionLike<'py> {
    Action(Bound<'py, Action>),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for ActionLike<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<ActionLike<'py>> {
        if let Ok(action) = object.cast::<Action>() {
            return Ok(ActionLike::Action(action.to_owned()));
        }
        if object.is_instance_of::<PyString>() {
            return Ok(ActionLike::Text(object.extract()?));
        }
        let hint =
            if object.is_instance_of::<Move>() { "; an action of one move is `Action([move])`" } else { "" };
        Err(wrong_type("an Action or a text", object, hint))
    }
}

impl ActionLike<'_> {
    /// The action in this position.
    pub fn action(&self, py: Python<'_>, position: &worldlines::Position) -> PyResult<worldlines::Action> {
        match self {
            ActionLike::Action(action) => Ok(action.get().0.clone()),
            ActionLike::Text(text) => {
                pgn5d::parse_action(position, text).map_err(|error| text_error(py, &error, Input::Text(text)))
            }
        }
    }
}

/// A position: all boards of all timelines, and whose turn it is. Positions never change: `play` returns another one. Two are equal if all
/// their boards are, the past ones too: after the same moves in another order they differ.
///
/// `Position()` is the standard start, `Position(text)` the position at the end of a game or boards in any notation. `notation` names the
/// notation, `rules` the rules: `default` or `orthodox`, then switches such as `+en-passant-onto-vacated`; without it those of the text
/// hold. `promotions` are the letters of what a pawn may become, such as `Q,N`.
#[pyclass(frozen, module = "worldlines", from_py_object)]
#[derive(Clone)]
pub struct Position(pub Arc<worldlines::Position>);

impl From<worldlines::Position> for Position {
    fn from(position: worldlines::Position) -> Position {
        Position(Arc::new(position))
    }
}
