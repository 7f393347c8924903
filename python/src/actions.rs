//! Lists of legal actions, and actions that are entered move by move.

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::Instant;

use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyTuple};
use worldlines::notation::{pgn5d, uci5d};
use worldlines::rules::LegalActions as Listing;
use worldlines::types::{Because, Limit, Undecided};

use crate::errors::{Input, illegal, raise, text_error, undecided, unreadable, wrong_type};
use crate::values::{Action, Board, Move, Position, board_at, color_name};
use crate::work::{ask, run_with};

/// The actions that are listed at once on the thread that asks, and the steps that this may take: some milliseconds.
const FIRST: usize = 64;
const FIRST_STEPS: u64 = 2_000;
/// The actions that a thread which can be interrupted lists at once.
const CHUNK: usize = 1_024;

/// The position of a list, and the flag that stops the search.
struct Held {
    position: Arc<worldlines::Position>,
    stop: AtomicBool,
    steps: u64,
}

self_cell::self_cell!(
    struct Search {
        owner: Held,
        #[not_covariant]
        dependent: Listing,
    }
);

/// The end of a list.
#[derive(Clone, Copy)]
enum End {
    /// All actions were listed.
    Complete,
    Undecided(Undecided),
    /// The search was stopped by an exception, and something may be lost.
    Interrupted,
}

struct State {
    position: Arc<worldlines::Position>,
    steps: Option<u64>,
    /// Actions that were found and not given out yet.
    found: VecDeque<worldlines::Action>,
    given: u64,
    begun: bool,
    search: Option<Search>,
    end: Option<End>,
}

impl State {
    /// Lists the first actions here, where most lists end.
    fn begin(&mut self) {
        self.begun = true;
        let steps = self.steps.unwrap_or(u64::MAX);
        let mut list = self.position.legal_actions().within(FIRST_STEPS.min(steps));
        self.found.extend(list.by_ref().take(FIRST));
        match list.end() {
            Some(Ok(())) => self.end = Some(End::Complete),
            Some(Err(error)) if error.because != Because::Budget || steps <= FIRST_STEPS => {
                self.end = Some(End::Undecided(error));
            }
            _ => {}
        }
    }

    /// Lists the next actions, on a thread that Ctrl-C and the deadline interrupt.
    fn go_on(&mut self, py: Python<'_>, deadline: Option<Instant>) -> PyResult<()> {
        let given = self.given;
        let held = || Held {
            position: Arc::clone(&self.position),
            stop: AtomicBool::new(false),
            steps: self.steps.unwrap_or(u64::MAX),
        };
        let begins = self.search.is_none();
        let search = self.search.get_or_insert_with(|| {
            Search::new(held(), |held| {
                held.position.legal_actions().within(Limit::steps(held.steps).stopping_on(&held.stop))
            })
        });
        let (found, end) = search.with_dependent_mut(|held, list| {
            run_with(py, &held.stop, deadline, || {
                if begins {
                    // Those that were listed before.
                    list.by_ref().take(given as usize).for_each(drop);
                }
                let found: Vec<worldlines::Action> = list.by_ref().take(CHUNK).collect();
                (found, list.end())
            })
        })?;
        self.found.extend(found);
        self.end = end.map(|end| end.map_or_else(End::Undecided, |()| End::Complete));
        Ok(())
    }

    fn next(&mut self, py: Python<'_>, deadline: Option<Instant>) -> PyResult<Option<Action>> {
        if !self.begun {
            self.begin();
        }
        if self.found.is_empty() && self.end.is_none() {
            // An exception leaves this.
            self.end = Some(End::Interrupted);
            self.go_on(py, deadline)?;
        }
        if let Some(action) = self.found.pop_front() {
            self.given += 1;
            return Ok(Some(Action::of(&self.position, action)));
        }
        match self.end {
            Some(End::Undecided(error)) => Err(undecided(py, &error)),
            Some(End::Interrupted) => Err(interrupted(py)),
            _ => Ok(None),
        }
    }
}

fn interrupted(py: Python<'_>) -> PyErr {
    let message = "this list was interrupted: ask the position for a new one";
    raise(py, "InterruptedListError", "interrupted", message)
}

/// The legal actions of a position, found one after another. A program may stop at any of them. If the list ends early, because of a
/// limit, an `UndecidedError` is raised in place of the end.
#[pyclass(frozen, module = "worldlines")]
pub struct LegalActions {
    state: Mutex<State>,
    deadline: Option<Instant>,
}

impl LegalActions {
    pub fn new(
        position: Arc<worldlines::Position>,
        steps: Option<u64>,
        deadline: Option<Instant>,
    ) -> LegalActions {
        let state = State {
            position,
            steps,
            found: VecDeque::new(),
            given: 0,
            begun: false,
            search: None,
            end: None,
        };
        LegalActions { state: Mutex::new(state), deadline }
    }
}

#[pymethods]
impl LegalActions {
    fn __iter__(slf: Py<LegalActions>) -> Py<LegalActions> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Action>> {
        match self.state.try_lock() {
            Ok(mut state) => state.next(py, self.deadline),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("another thread is asking this list of actions"))
            }
            Err(TryLockError::Poisoned(_)) => Err(interrupted(py)),
        }
    }

    fn __repr__(&self) -> String {
        "<LegalActions>".to_owned()
    }
}

/// An action that is entered move by move, as players and protocols do. A move that cannot be made is refused and changes nothing.
#[pyclass(module = "worldlines")]
#[derive(Clone)]
pub struct PartialAction(worldlines::PartialAction);

impl PartialAction {
    pub fn new(position: &worldlines::Position) -> PartialAction {
        PartialAction(worldlines::PartialAction::new(position.clone()))
    }

    /// The position in which the action began.
    fn start(&self) -> worldlines::Position {
        self.0.clone().into_position()
    }
}

/// A move that Python gives: as it is, or as a text of 5DPGN.
enum MoveLike<'py> {
    Move(Bound<'py, Move>),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for MoveLike<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveLike<'py>> {
        if let Ok(m) = object.cast::<Move>() {
            return Ok(MoveLike::Move(m.to_owned()));
        }
        if object.is_instance_of::<PyString>() {
            return object.extract().map(MoveLike::Text);
        }
        Err(wrong_type("a Move or a text", object, ""))
    }
}

#[pymethods]
impl PartialAction {
    /// The beginning of an action in a position.
    #[new]
    fn begin(position: &Position) -> PartialAction {
        PartialAction::new(&position.0)
    }

    /// The position in which the action began.
    #[getter]
    fn position(&self) -> Position {
        self.start().into()
    }

    /// The moves made so far.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.moves().iter().map(|m| Move(*m)).collect::<Vec<_>>())
    }

    /// `white` or `black`: the player who acts.
    #[getter]
    fn to_move(&self) -> &'static str {
        color_name(self.0.to_move())
    }

    /// The boards from which the player can still move.
    fn playable_boards<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.playable_boards().map(|at| board_at(py, at)).collect()
    }

    /// The moves that can be made next, whether or not they lead to a legal action.
    fn pseudo_legal_moves(&self) -> Vec<Move> {
        self.0.pseudo_legal_moves().into_iter().map(Move).collect()
    }

    /// The moves that can be made next and lead to a legal action; with `board`, those from one board.
    #[pyo3(signature = (board = None, *, steps = None, time = None))]
    fn legal_moves(
        &self,
        py: Python<'_>,
        board: Option<Board>,
        steps: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Vec<Move>> {
        let is_playable = |Board(at): &Board| self.0.playable_boards().any(|board| board == *at);
        if let Some(board) = board.as_ref().filter(|board| !is_playable(board)) {
            let message = format!("{} cannot move from a board {} now", self.0.to_move(), board.0);
            return Err(raise(py, "IllegalActionError", "not-playable", &message));
        }
        let moves = ask(py, steps, time, |limit| match &board {
            Some(Board(at)) => self.0.legal_moves_from_within(*at, limit),
            None => self.0.legal_moves_within(limit),
        })?;
        Ok(moves.into_iter().map(Move).collect())
    }

    /// Makes a move, given as a `Move` or as a text of 5DPGN, and returns it.
    fn push(&mut self, py: Python<'_>, r#move: MoveLike<'_>) -> PyResult<Move> {
        let m = match r#move {
            MoveLike::Move(m) => m.get().0,
            MoveLike::Text(text) => {
                let moves = pgn5d::parse_moves(&self.0, &text);
                let moves = moves.map_err(|error| text_error(py, &error, Input::Text(&text)))?;
                let [only] = moves[..] else {
                    let why = format!("expected one move, but found {}", moves.len());
                    return Err(unreadable(py, "more-than-one-move", &why, &text));
                };
                only
            }
        };
        self.0.push(m).map_err(|error| {
            raise(py, "IllegalActionError", "illegal-move", &format!("{m} cannot be made: {error}"))
        })?;
        Ok(Move(m))
    }

    /// Takes the last move back, and returns it.
    fn pop(&mut self) -> PyResult<Move> {
        self.0.pop().map(Move).ok_or_else(|| PyIndexError::new_err("there is no move to take back"))
    }

    /// The reason why the moves made are no legal action yet; None if they are one.
    fn why_not(&self) -> Option<String> {
        self.0.can_submit().err().map(|error| error.to_string())
    }

    /// Ends the action, and returns it. An action of the opponent begins.
    fn submit(&mut self, py: Python<'_>) -> PyResult<Action> {
        self.0.submit().map(Action::from).map_err(|error| illegal(py, &error))
    }

    fn copy(&self) -> PartialAction {
        self.clone()
    }

    fn __copy__(&self) -> PartialAction {
        self.clone()
    }

    fn __len__(&self) -> usize {
        self.0.moves().len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PartialAction>().is_ok_and(|other| other.borrow().0 == self.0)
    }

    fn __repr__(&self) -> String {
        format!("<PartialAction {}>", worldlines::Action::new(self.0.moves().to_vec()))
    }
}

/// The next move of an action under way, as engines write it.
#[pyfunction]
pub fn uci_move(py: Python<'_>, partial: &PartialAction, text: &str) -> PyResult<Move> {
    let m = uci5d::parse_move(&partial.0, text);
    m.map(Move).map_err(|error| text_error(py, &error, Input::Text(text)))
}

/// A move as engines read it.
#[pyfunction]
pub fn uci_text(r#move: &Move) -> String {
    uci5d::move_text(&r#move.0)
}
