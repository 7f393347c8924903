//! The words of the game: values only, no rules and no storage.
//!
//! | word | type |
//! |---|---|
//! | colour | [`Color`], [`ByColor`] |
//! | piece | [`PieceKind`], [`Piece`] |
//! | square of one board | [`Square`], [`BoardSize`] |
//! | timeline | [`Timeline`], [`Parity`] |
//! | time | [`HalfTurn`] |
//! | one board of the multiverse | [`BoardCoordinate`] |
//! | one square of the multiverse | [`Place`] |
//! | what one piece does | [`Move`], [`MoveKind`] |
//! | what one player does in a turn | [`Action`] |
//! | how a game stands | [`Status`] |
//! | what an answer may cost, and why there is none | [`Limit`], [`Undecided`] |
//! | rules that no source settles | [`RuleProfile`], [`Promotions`] |

mod action;
mod color;
mod coordinate;
mod limit;
mod piece;
mod profile;
mod square;
mod status;

pub use action::{Action, Move, MoveKind};
pub use color::{ByColor, Color};
pub use coordinate::{BoardCoordinate, HalfTurn, Parity, Place, Timeline};
pub use limit::{Because, Limit, Undecided};
pub use piece::{Piece, PieceKind};
pub use profile::{Promotions, RuleProfile};
pub use square::{BoardSize, Square};
pub use status::Status;
