//! Text to values and back, one file per notation, with the place of the error in every error.
//!
//! | notation | module | what it holds |
//! |---|---|---|
//! | 5DFEN | [`fen5d`] | boards |
//! | 5DPGN | [`pgn5d`] | a game: headers, boards, actions |
//!
//! Reading has three ways to fail, and says which: the text is *malformed*, *illegal* or *ambiguous*. See [`ReadError`].

pub mod ceo;
pub mod chessjs;
mod cursor;
mod error;
pub mod fen5d;
pub mod format;
mod game;
pub mod hash;
mod json;
mod md5;
pub mod pgn5d;
mod play;
pub mod simplified;

pub use cursor::{Label, Sign};
pub use error::{Excerpt, Issue, Location, ReadError, Span, text_of};
pub use format::Format;
pub use game::{Game, GameResult, Loss, MAX_ACTIONS, MAX_INPUT_BYTES, Reading, Unwritable, Written};
