//! What a game looks like now: boards, timelines, the multiverse, a position, and its hash.
//! The words are those of chapters 1, 3 and 4 of `spec/`.
//!
//! [`Setup`] is what somebody wrote and promises nothing; [`Position`] is what can be played, and
//! [`Position::from_setup`] is the only door between the two.

mod board;
mod multiverse;
mod position;
mod rows;
mod setup;

pub use board::Board;
pub(crate) use board::squares_of;
pub use multiverse::Multiverse;
pub(crate) use position::LAST_TURN;
pub use position::Position;
pub use rows::{Rows, RowsError, RowsProblem};
pub use setup::{MAX_BOARDS, MAX_TIMELINES, MAX_TURN, Setup, SetupError};
