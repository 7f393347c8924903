//! Text to values and back, one file per notation, with the place of the error in every error.
//!
//! | notation | module | what it holds |
//! |---|---|---|
//! | 5DFEN | [`fen5d`] | boards |
//! | 5DPGN | [`pgn5d`] | a game: headers, boards, actions |
//! | CHESS64 | [`chess64`] | moves of [orthodox] chess |
//! | FEN | [`fen`] | one board of [orthodox] chess |
//! | PGN | [`pgn`] | a game of [orthodox] chess |
//!
//! Reading has three ways to fail, and says which: the text is *malformed*, *illegal* or *ambiguous*. See [`ReadError`].

pub mod chess64;
mod cursor;
mod error;
pub mod fen;
pub mod fen5d;
pub mod format;
mod game;
pub mod orthodox;
pub mod pgn;
pub mod pgn5d;
mod play;
pub mod simplified;

pub use cursor::{Label, Sign};
pub use error::{Excerpt, Issue, Location, ReadError, Span, text_of};
pub use format::Format;
pub use game::{Game, GameResult, Loss, MAX_ACTIONS, MAX_INPUT_BYTES, Reading, Unwritable, Written};
