//! Unchecked boards, as a file gives them.

use std::fmt;

use super::Board;
use crate::types::{BoardCoordinate, BoardSize, HalfTurn, Parity, RuleProfile, Timeline};

/// The largest number of timelines of a position.
pub const MAX_TIMELINES: usize = 2_000;
/// The latest turn of a board in a valid [`Setup`].
pub const MAX_TURN: i16 = 8_000;
/// The largest number of boards of a valid [`Setup`].
pub const MAX_BOARDS: usize = 100_000;

/// Boards with their coordinates. They need not form a multiverse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The size of every board.
    pub size: BoardSize,
    /// Whether the game started with an odd or an even number of timelines.
    pub parity: Parity,
    /// Promotions and other rules of the game.
    pub profile: RuleProfile,
    /// The boards, in any order.
    pub boards: Vec<(BoardCoordinate, Board)>,
}

/// The reason why boards do not form a multiverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The parity of the setup, which decides how the message labels timelines.
    pub parity: Parity,
    /// The problem with the boards.
    pub problem: SetupProblem,
}

/// A problem with the boards of a setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetupProblem {
    /// There is no board.
    NoBoards,
    /// There are more than [`MAX_BOARDS`].
    TooManyBoards,
    /// There are more than [`MAX_TIMELINES`].
    TooManyTimelines,
    /// A board is before turn 0 or after [`MAX_TURN`].
    TurnOutOfRange(BoardCoordinate),
    /// A board has another size than the game.
    WrongSize(BoardCoordinate),
    /// Two boards have the same coordinate.
    Repeated(BoardCoordinate),
    /// A timeline has boards before and after this one, but not this one.
    MissingBoard(BoardCoordinate),
    /// A central timeline is missing, or one between the lowest and the highest.
    MissingTimeline(Timeline),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SetupError { parity, problem } = self;
        let board = |at: BoardCoordinate| format!("({}{})", parity.label(at.timeline), at.half_turn);
        match *problem {
            SetupProblem::NoBoards => f.write_str("expected at least one board"),
            SetupProblem::TooManyBoards => write!(f, "expected at most {MAX_BOARDS} boards"),
            SetupProblem::TooManyTimelines => write!(f, "expected at most {MAX_TIMELINES} timelines"),
            SetupProblem::TurnOutOfRange(at) => {
                write!(f, "expected a turn from 0 to {MAX_TURN}, but found the board {}", board(at))
            }
            SetupProblem::WrongSize(at) => {
                write!(f, "the board {} has another size than the game", board(at))
            }
            SetupProblem::Repeated(at) => write!(f, "the board {} is given twice", board(at)),
            SetupProblem::MissingBoard(at) => {
                write!(f, "the board {} is missing: its timeline has earlier and later boards", board(at))
            }
            SetupProblem::MissingTimeline(l) => {
                let middle = if *parity == Parity::Odd { "timeline 0" } else { "the timelines -0 and +0" };
                let label = parity.label(l);
                write!(
                    f,
                    "timeline {label} is missing: a game has {middle}, and no gap between its timelines"
                )
            }
        }
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// The boards by timeline and time. An error if they do not form a multiverse.
    pub(super) fn sorted(&self) -> Result<Vec<(BoardCoordinate, Board)>, SetupError> {
        self.sorted_boards().map_err(|problem| SetupError { parity: self.parity, problem })
    }

    fn sorted_boards(&self) -> Result<Vec<(BoardCoordinate, Board)>, SetupProblem> {
        if self.boards.is_empty() {
            return Err(SetupProblem::NoBoards);
        }
        if self.boards.len() > MAX_BOARDS {
            return Err(SetupProblem::TooManyBoards);
        }
        let mut boards = self.boards.clone();
        boards.sort_by_key(|(at, _)| *at);
        for (at, board) in &boards {
            if at.half_turn.0 < 0 || at.half_turn.turn() > MAX_TURN {
                return Err(SetupProblem::TurnOutOfRange(*at));
            }
            if board.squares() != self.size.squares() {
                return Err(SetupProblem::WrongSize(*at));
            }
        }
        for pair in boards.windows(2) {
            let (a, b) = (pair[0].0, pair[1].0);
            if a == b {
                return Err(SetupProblem::Repeated(a));
            }
            if a.timeline == b.timeline && b.half_turn != a.half_turn.next() {
                return Err(SetupProblem::MissingBoard(BoardCoordinate {
                    timeline: a.timeline,
                    half_turn: HalfTurn(a.half_turn.0 + 1),
                }));
            }
            if i32::from(b.timeline.0) > i32::from(a.timeline.0) + 1 {
                return Err(SetupProblem::MissingTimeline(Timeline(a.timeline.0 + 1)));
            }
        }
        let (first, last) = (boards[0].0.timeline.0, boards[boards.len() - 1].0.timeline.0);
        if let Some(missing) = self.parity.central().iter().find(|l| !(first..=last).contains(&l.0)) {
            return Err(SetupProblem::MissingTimeline(missing));
        }
        if (i32::from(last) - i32::from(first)) as usize >= MAX_TIMELINES {
            return Err(SetupProblem::TooManyTimelines);
        }
        Ok(boards)
    }
}
