//! Positions: values with questions about them. Begin at [`Position`].

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};
use worldlines::notation::{ActionWriter, Format, Options, hash, parse_actions, pgn5d};
use worldlines::render::{self, Frame, Layout, Marks, why};
use worldlines::rules::variants;
use worldlines::state::Setup;
use worldlines::types::{BoardCoordinate, Limit, ParseValueError, Status};

use crate::actions::{LegalActions, PartialAction};
use crate::errors::{Input, illegal, raise, record, text_error, unreadable};
use crate::reading::{self, Text, format_of};
use crate::values::{Action, ActionLike, Board, Move, Position, board_at, color_name, hash_of, square_at};
use crate::work::{ask, deadline, run};

/// The bytes of memory for reasons.
const MEMORY: u64 = 256 << 20;

/// The place of a board from which the player can move.
pub fn playable(
    py: Python<'_>,
    position: &worldlines::Position,
    Board(at): Board,
) -> PyResult<BoardCoordinate> {
    if position.playable(at.timeline) == Some(at) {
        return Ok(at);
    }
    let message = format!("{} cannot move from a board {at}", position.to_move());
    Err(raise(py, "IllegalActionError", "not-playable", &message))
}

#[pymethods]
impl Position {
    /// The standard start, or the position at the end of a text in any notation. `rules` is the name of a rule profile.
    /// Without a name the rules of the text hold. `promotions` are the letters of what a pawn may become, such as `Q,N`.
    #[new]
    #[pyo3(signature = (text = None, *, notation = None, rules = None, promotions = None))]
    fn new(
        py: Python<'_>,
        text: Option<Text>,
        notation: Option<&str>,
        rules: Option<&str>,
        promotions: Option<&str>,
    ) -> PyResult<Position> {
        let position = match text {
            None => worldlines::Position::default(),
            Some(text) => reading::read(py, text.input(), notation, &Options::default())?.0.end(),
        };
        if rules.is_none() && promotions.is_none() {
            return Ok(position.into());
        }
        let mut setup = position.to_setup();
        let wrong = |error: ParseValueError| PyValueError::new_err(error.to_string());
        if let Some(rules) = rules {
            setup.profile = rules.parse().map_err(wrong)?;
        }
        if let Some(promotions) = promotions {
            setup.profile.promotions = promotions.parse().map_err(wrong)?;
        }
        made(&setup)
    }

    /// The start of a variant, by its name: `Position.variant("Standard - Turn Zero")`.
    #[staticmethod]
    fn variant(py: Python<'_>, name: &str) -> PyResult<Position> {
        let Some(variant) = variants::by_name(name) else {
            let near = variants::closest(name).map(|near| format!("; `{}` is near", near.name));
            let message = format!("there is no variant {name:?}{}", near.unwrap_or_default());
            return Err(raise(py, "WorldlinesError", "unknown-variant", &message));
        };
        made(&variant.setup())
    }

    /// Width and height of the boards.
    #[getter]
    fn size(&self) -> (u8, u8) {
        (self.0.size().width(), self.0.size().height())
    }

    /// `white` or `black`: the player whose turn it is.
    #[getter]
    fn to_move(&self) -> &'static str {
        color_name(self.0.to_move())
    }

    /// Turn and player of the present.
    #[getter]
    fn present(&self) -> (i16, &'static str) {
        let present = self.0.present();
        (present.turn(), color_name(present.color()))
    }

    /// The name of the rule profile.
    #[getter]
    fn rules(&self) -> String {
        self.0.profile().to_string()
    }

    /// The letters of the pieces that a pawn may become.
    #[getter]
    fn promotions(&self) -> String {
        self.0.profile().promotions.to_string()
    }

    /// The timelines, lowest number first.
    fn timelines<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let multiverse = self.0.multiverse();
        let active = multiverse.active();
        let spans =
            multiverse.timelines().filter_map(|timeline| Some((timeline, multiverse.span(timeline)?)));
        let at = |timeline, half_turn| board_at(py, BoardCoordinate { timeline, half_turn });
        spans
            .map(|(timeline, (first, last))| {
                let label = self.0.parity().label(timeline).to_string();
                let active = active.contains(timeline);
                record(py, "Timeline", (timeline.0, label, at(timeline, first)?, at(timeline, last)?, active))
            })
            .collect()
    }

    /// The places of all boards, by timeline and time.
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.multiverse().boards().map(|(at, _)| board_at(py, at)).collect()
    }

    /// The boards from which the player to move can move.
    fn playable_boards<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.playable_boards().map(|at| board_at(py, at)).collect()
    }

    /// The boards that must be played, unless a branch moves the present back.
    fn mandatory_boards<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.0.mandatory_boards().map(|at| board_at(py, at)).collect()
    }

    /// The pieces of a board, by the names of their squares.
    fn pieces<'py>(&self, py: Python<'py>, board: Board) -> PyResult<Bound<'py, PyDict>> {
        let Some(content) = self.0.board(board.0) else {
            return Err(raise(py, "WorldlinesError", "no-board", &format!("there is no board {}", board.0)));
        };
        let pieces = PyDict::new(py);
        for (square, piece) in content.pieces() {
            let (kind, color, letter) = (piece.kind.name(), color_name(piece.color), piece.letter());
            let piece = record(py, "Piece", (kind, color, letter, content.is_unmoved(square)))?;
            pieces.set_item(square.to_string(), piece)?;
        }
        Ok(pieces)
    }

    /// The legal actions, found one after another. After `steps` search steps or `time` seconds the list ends with an `UndecidedError`.
    #[pyo3(signature = (*, steps = None, time = None))]
    fn legal_actions(&self, steps: Option<u64>, time: Option<f64>) -> PyResult<LegalActions> {
        Ok(LegalActions::new(Arc::clone(&self.0), steps, deadline(time)?))
    }

    /// The number of legal actions, counted up to `cap`.
    #[pyo3(signature = (cap = u64::MAX, *, steps = None, time = None))]
    fn count_actions<'py>(
        &self,
        py: Python<'py>,
        cap: u64,
        steps: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let count = ask(py, steps, time, |limit| self.0.count_legal_actions_within(cap, limit))?;
        record(py, "Count", (count.count, count.capped))
    }

    /// The moves with which a legal action can begin; with `board`, those from one board.
    #[pyo3(signature = (board = None, *, steps = None, time = None))]
    fn legal_moves(
        &self,
        py: Python<'_>,
        board: Option<Board>,
        steps: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Vec<Move>> {
        let board = board.map(|board| playable(py, &self.0, board)).transpose()?;
        let moves = ask(py, steps, time, |limit| match board {
            Some(at) => self.0.legal_moves_from_within(at, limit),
            None => worldlines::PartialAction::new((*self.0).clone()).legal_moves_within(limit),
        })?;
        Ok(moves.into_iter().map(Move).collect())
    }

    /// The moves that can be made next, whether or not they lead to a legal action.
    #[pyo3(signature = (board = None))]
    fn pseudo_legal_moves(&self, py: Python<'_>, board: Option<Board>) -> PyResult<Vec<Move>> {
        let moves = match board {
            None => self.0.pseudo_legal_moves(),
            Some(board) => {
                let mut moves = Vec::new();
                self.0.pseudo_legal_moves_from(playable(py, &self.0, board)?, &mut moves);
                moves
            }
        };
        Ok(moves.into_iter().map(Move).collect())
    }

    /// Whether an action may be played.
    fn is_legal(&self, action: &Action) -> bool {
        action.check_legal(&self.0).is_ok()
    }

    /// The position after an action, which is an `Action` or a text of 5DPGN.
    fn play(&self, py: Python<'_>, action: ActionLike<'_>) -> PyResult<Position> {
        let action = action.action(py, &self.0)?;
        let mut after = (*self.0).clone();
        after.play(&action).map_err(|error| illegal(py, &error))?;
        Ok(after.into())
    }

    /// An action of this position that is entered move by move.
    fn begin(&self) -> PartialAction {
        PartialAction::new(&self.0)
    }

    /// `ongoing`, `softmate`, `checkmate` or `stalemate`.
    #[pyo3(signature = (*, steps = None, time = None))]
    fn status(&self, py: Python<'_>, steps: Option<u64>, time: Option<f64>) -> PyResult<String> {
        let outcome = ask(py, steps, time, |limit| self.0.outcome_within(limit))?;
        Ok(outcome.status.to_string())
    }

    /// The status with its evidence: a check, and a legal action if there is one; the winner and the result, if the game is over.
    #[pyo3(signature = (*, steps = None, time = None))]
    fn outcome<'py>(
        &self,
        py: Python<'py>,
        steps: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let outcome = ask(py, steps, time, |limit| self.0.outcome_within(limit))?;
        let escape = outcome.escape.map(|action| Action::of(&self.0, action));
        let winner = (outcome.status == Status::Checkmate).then(|| color_name(!self.0.to_move()));
        record(py, "Outcome", (outcome.status.to_string(), outcome.in_check, escape, outcome.steps, winner))
    }

    /// Whether the player to move has no legal action: checkmate or stalemate.
    fn is_game_over(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(matches!(self.status(py, None, None)?.as_str(), "checkmate" | "stalemate"))
    }

    /// Whether the player to move has lost.
    fn is_checkmate(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.status(py, None, None)? == "checkmate")
    }

    /// Whether the player to move has no legal action and is not in check.
    fn is_stalemate(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.status(py, None, None)? == "stalemate")
    }

    /// Whether the opponent could capture a royal piece if the player passed.
    fn is_check(&self) -> bool {
        self.0.is_in_check()
    }

    /// The captures of royal pieces that the opponent threatens, at most `limit`.
    #[pyo3(signature = (limit = 1000))]
    fn checks<'py>(&self, py: Python<'py>, limit: usize) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (checks, _) = self.0.first_checks(limit);
        checks
            .iter()
            .map(|check| record(py, "Check", (square_at(py, check.from)?, square_at(py, check.to)?)))
            .collect()
    }

    /// The reasons in words why actions are illegal: checks, and what is wrong with every action that is not legal.
    #[pyo3(signature = (*, steps = 2_000_000, time = None))]
    fn why<'py>(&self, py: Python<'py>, steps: u64, time: Option<f64>) -> PyResult<Bound<'py, PyAny>> {
        let end = deadline(time)?;
        let (checks, reasons) = run(py, end, |stop| {
            let limit = Limit::steps(steps).stopping_on(stop);
            (why::checks(&self.0), why::reasons(&self.0, limit, MEMORY))
        })?;
        let told = reasons
            .told
            .iter()
            .map(|reason| record(py, "Reason", (reason.count, &reason.why, &reason.example)));
        let told = PyTuple::new(py, told.collect::<PyResult<Vec<_>>>()?)?;
        record(py, "Reasons", (PyTuple::new(py, checks)?, told, reasons.all))
    }

    /// The action of a text. Without `notation`: 5DPGN with all its spellings, or else any notation in which actions stand alone.
    #[pyo3(signature = (text, notation = None))]
    fn parse_action(&self, py: Python<'_>, text: &str, notation: Option<&str>) -> PyResult<Action> {
        let format = notation.map(|name| format_of(py, name)).transpose()?;
        let mut actions = parse_actions(&self.0, text, format)
            .map_err(|error| text_error(py, &error, Input::Text(text)))?;
        if actions.len() > 1 {
            // The same error as for a text of 5DPGN.
            let why = format!("expected one action, but found {}", actions.len());
            return Err(unreadable(py, "more-than-one-action", &why, text));
        }
        actions
            .pop()
            .map(|action| Action::of(&self.0, action))
            .ok_or_else(|| PyValueError::new_err("expected an action"))
    }

    /// The text of a legal action: 5DPGN, or another notation in which actions stand alone.
    #[pyo3(signature = (action, notation = "5dpgn"))]
    fn action_text(&self, py: Python<'_>, action: &Action, notation: &str) -> PyResult<String> {
        let format = format_of(py, notation)?;
        action.check_legal(&self.0).map_err(|error| illegal(py, &error))?;
        if format == Format::Pgn5d {
            return Ok(pgn5d::action_text(&self.0, &action.0));
        }
        let game = worldlines::Game::new((*self.0).clone(), Vec::new());
        let Some(mut writer) = ActionWriter::new(format, &game, &Options::default()) else {
            let message = format!("no action can stand alone in {}", format.title());
            return Err(raise(py, "WriteError", "unwritable", &message));
        };
        Ok(writer.action(&action.0).to_owned())
    }

    /// The text of a move with which an action can begin, in 5DPGN.
    fn move_text(&self, py: Python<'_>, r#move: &Move) -> PyResult<String> {
        self.0.check_move(&r#move.0).map_err(|error| {
            raise(py, "IllegalActionError", "illegal-action", &format!("{}: {error}", r#move.0))
        })?;
        Ok(pgn5d::move_text(&worldlines::PartialAction::new((*self.0).clone()), &r#move.0))
    }

    /// The boards as 5DFEN.
    fn fen(&self) -> String {
        self.0.to_string()
    }

    /// The MD5 of the boards that 5d-chess-js 1.2.1 computes too.
    fn md5(&self) -> String {
        hash::fen5d_md5(&self.0)
    }

    /// The boards as text.
    #[pyo3(signature = (*, width = None))]
    fn text(&self, width: Option<usize>) -> String {
        let frame = width.map_or(Frame::ALL, |width| Frame { width, ..Frame::ALL });
        render::text(&self.0, frame)
    }

    /// The boards as a picture: SVG.
    #[pyo3(signature = (*, flipped = false, action = None, columns = None))]
    fn svg(
        &self,
        py: Python<'_>,
        flipped: bool,
        action: Option<ActionLike<'_>>,
        columns: Option<u16>,
    ) -> PyResult<String> {
        let action = action.map(|action| action.action(py, &self.0)).transpose()?;
        let mut marks = Marks::default();
        if let Some(action) = &action {
            (*self.0).clone().play(action).map_err(|error| illegal(py, &error))?;
            marks.planned(action);
        }
        marks.checks(&self.0.first_checks(CHECKS_DRAWN).0);
        Ok(render::svg(&Layout::new(
            &self.0,
            &marks,
            render::Options { flipped, columns, ..render::Options::default() },
        )))
    }

    /// A copy. Positions never change, so it is the same one.
    fn copy(slf: Py<Position>) -> Py<Position> {
        slf
    }

    fn __copy__(slf: Py<Position>) -> Py<Position> {
        slf
    }

    fn __deepcopy__(slf: Py<Position>, memo: Py<PyAny>) -> Py<Position> {
        drop(memo);
        slf
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match other.cast::<Position>() {
            Ok(other) => {
                let other = &other.get().0;
                let same = Arc::ptr_eq(&self.0, other) || self.0 == *other;
                Ok(same.into_pyobject(py)?.to_owned().into_any().unbind())
            }
            Err(_) => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self) -> u64 {
        hash_of(&*self.0)
    }

    fn __str__(&self) -> String {
        render::text(&self.0, Frame::REPORT)
    }

    fn __repr__(&self) -> String {
        let boards = self.0.multiverse().count();
        if boards > SHOWN_BOARDS {
            let timelines = self.0.multiverse().timelines().count();
            return format!(
                "<Position of {boards} boards on {timelines} timelines, {} to move>",
                self.0.to_move()
            );
        }
        format!("Position('{}')", self.fen().replace('\n', " "))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, false, None, Some(COLUMNS_DRAWN))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        self._repr_svg_(py)
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, fen: &str, rules: &str, promotions: &str) -> PyResult<Position> {
        let fen = Text::Text(fen.to_owned());
        Position::new(py, Some(fen), Some(Format::Fen5d.name()), Some(rules), Some(promotions))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String, String))> {
        let restore = py.get_type::<Position>().getattr("_restore")?;
        Ok((restore, (self.fen(), self.rules(), self.promotions())))
    }
}

/// The checks, boards and columns that are shown of a large position.
pub const CHECKS_DRAWN: usize = 50;
const SHOWN_BOARDS: usize = 3;
pub const COLUMNS_DRAWN: u16 = 12;

fn made(setup: &Setup) -> PyResult<Position> {
    let position = worldlines::Position::from_setup(setup);
    position.map(Position::from).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The named start positions.
#[pyfunction]
#[pyo3(name = "variants")]
pub fn list_variants(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let confidence = |confidence| match confidence {
        variants::Confidence::Confirmed => "confirmed",
        variants::Confidence::OneSource => "one source",
        variants::Confidence::PartlyDisputed => "partly disputed",
        variants::Confidence::Disputed => "disputed",
    };
    variants::VARIANTS
        .iter()
        .map(|variant| record(py, "Variant", (variant.name, variant.id, confidence(variant.confidence))))
        .collect()
}
