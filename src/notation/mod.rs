//! Text to values and back, one file or folder per notation, with the place of the error in every error.
//!
//! | notation | module | what it holds |
//! |---|---|---|
//! | 5DFEN | [`fen5d`] | boards |
//! | 5DPGN | [`pgn5d`] | a game: headers, boards, actions, result |
//! | Simplified 5D algebraic | [`simplified`] | actions |
//! | raw coordinate moves | [`raw`] | actions |
//! | FEN of the 5D chess GUI | [`gui_fen`] | boards, actions |
//! | 5DUCI | [`uci5d`] | boards, actions |
//! | CHESS64 | [`chess64`] | actions and result of [orthodox] chess |
//! | PGN | [`pgn`] | a game of [orthodox] chess: headers, board, actions, result |
//! | FEN | [`fen`] | one board of [orthodox] chess |
//! | 5d-chess-js, in full and short | [`chessjs`] | a game: tags, boards, actions, result |
//! | JSON of 5d-chess-js | [`chessjs::json`] | boards, actions |
//! | Chess Evolved Online | [`ceo`] | moves of another game |
//!
//! [`mod@format`] has them all by name, and tells which one a text is in. A [`Game`] is what they have in common; what a
//! notation cannot say about it is a [`Loss`]. [`hash`] names positions as other programs do.
//!
//! Reading has three ways to fail, and says which: the text is *malformed*, *illegal* or *ambiguous*. See [`ReadError`].

pub mod ceo;
pub mod chess64;
pub mod chessjs;
mod cursor;
mod double_step;
#[cfg(test)]
mod doubled;
mod error;
mod excerpt;
pub mod fen;
pub mod fen5d;
pub mod format;
mod game;
pub mod gui_fen;
pub mod hash;
mod header;
mod json;
mod lines;
mod md5;
pub mod orthodox;
pub mod pgn;
pub mod pgn5d;
mod play;
#[cfg(test)]
mod properties;
pub mod raw;
#[cfg(test)]
mod samples;
pub mod simplified;
pub mod uci5d;
pub(crate) mod work;

pub use cursor::{Label, Sign};
pub use error::{Issue, ReadError, Span, text_of};
#[cfg(feature = "puzzle")]
pub(crate) use excerpt::is_hidden;
pub use excerpt::{Excerpt, Location, Source, printable};
pub use format::Format;
pub use game::{Game, GameResult, Loss, MAX_ACTIONS, MAX_INPUT_BYTES, Reading, Unwritable, Written};
pub use header::Header;
pub use lines::LineIndex;
