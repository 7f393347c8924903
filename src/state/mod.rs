//! The state of a game: boards, timelines, the multiverse and the position. The terms are those of chapters
//! 1, 3 and 4 of `spec/`.
//!
//! | file | question |
//! |---|---|
//! | `board` | what stands on one board? |
//! | `multiverse` | which timelines and boards are there, which are active, where is the present? |
//! | `position` | whose turn is it, and what is the game after an action? |
//! | `make` | which boards does a move make? |
//! | `setup` | are these boards a position? |
//! | `rows` | how are rows of pieces read? |
//!
//! A [`Setup`] has unchecked boards. A [`Position`] can be played. [`Position::from_setup`] checks a setup
//! and makes a position. Begin at [`Position`].

mod board;
mod make;
mod multiverse;
mod position;
mod rows;
mod setup;

pub use board::Board;
#[cfg(debug_assertions)]
pub(crate) use board::Cell;
pub(crate) use board::squares_of;
pub use multiverse::Multiverse;
pub(crate) use position::LAST_TURN;
pub use position::{Position, Undo, UndoError};
pub use rows::{Rows, RowsError, RowsProblem};
pub use setup::{MAX_BOARDS, MAX_TIMELINES, MAX_TURN, Setup, SetupError, SetupProblem};
