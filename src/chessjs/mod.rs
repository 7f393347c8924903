//! The object API of 5d-chess-js: a game that is entered move by move, queried, written and read. Begin at
//! [`Chess`].
//!
//! The library's boards, moves and actions are the objects of [`schema`], with a JSON form. Moves and actions
//! are given as text: in 5DPGN, in the library's older notation, as JSON of the objects, or as JSON of the
//! arrays of numbers. The rules are those of Worldlines: [`PartialAction`](crate::rules::PartialAction)
//! decides which moves are possible.
//!
//! ```
//! use worldlines::chessjs::{Chess, Edition, Text};
//!
//! let mut chess = Chess::new(Edition::Current);
//! for text in ["e3", "f6", "Qe2", "Nc6", "Qh5"] {
//!     chess.make(text)?;
//!     chess.submit()?;
//! }
//! assert_eq!(chess.in_checkmate(), Ok(true));
//! assert!(chess.export(Text::Pgn5d(Default::default()))?.ends_with("3. Qh5"));
//! # Ok::<(), worldlines::chessjs::Error>(())
//! ```
//!
//! # Differences from the library
//!
//! * A verdict that is not found within the [`Chess::steps`] is [`Error::Undecided`], and never a mate.
//! * A text that cannot be read is an error with its place; the part before the error is not kept. Only the
//!   last action may be unfinished: its moves are then in the move buffer, as in the library.
//! * Moves are always checked. Pieces cannot be put on the boards of a game in progress.
//! * [`Chess::actions`] lists each legal action once, whatever the order of its moves.
//! * A pass has no text in any notation, so a game with one is exported as objects only.

mod error;
mod game;
mod list;
mod order;
mod read;
mod save;
mod spelling;
#[cfg(test)]
mod tests;
mod write;

pub use crate::notation::chessjs::{Edition, Raw, schema};
pub use crate::notation::pgn5d::Tokens;
pub use error::Error;
pub use game::Chess;
pub use list::{Actions, Selection};
pub use write::{Text, names};
