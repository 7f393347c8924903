//! The basic types of the game: values only, without rules and without storage.
//!
//! `FromStr` reads back what `Display` shows, and serde uses the same text (feature `serde`):
//!
//! ```
//! use worldlines::types::{Action, Move, MoveKind, Square};
//!
//! let square: Square = "e4".parse()?;
//! let jump: Move = "(0T2w)f3>>(0T1w)f5".parse()?;
//! assert_eq!(jump.kind, MoveKind::Branch);
//! let action: Action = "(0T2w)f3>>(0T1w)f5 (1T2w)e2e4".parse()?;
//! assert_eq!(action.to_string(), "(1T2w)e2e4 (0T2w)f3>>(0T1w)f5", "the order is canonical");
//! # Ok::<(), worldlines::types::ParseValueError>(())
//! ```
//!
//! | word | type |
//! |---|---|
//! | colour | [`Color`], [`ByColor`] |
//! | piece | [`PieceKind`], [`Piece`] |
//! | square of one board | [`Square`], [`BoardSize`] |
//! | timeline | [`Timeline`], [`TimelineRange`], [`Parity`] |
//! | time | [`HalfTurn`] |
//! | one board of the multiverse | [`BoardCoordinate`] |
//! | one square of the multiverse | [`Coordinate`] |
//! | move of one piece | [`Move`], [`MoveKind`] |
//! | action of one player | [`Action`] |
//! | status of a game | [`Status`] |
//! | limit of a search, and why it has no answer | [`Limit`], [`Undecided`] |
//! | one part of divided work | [`Partition`] |
//! | error of a text that is none of these values | [`ParseValueError`] |
//! | number with its noun, for messages | [`counted`] |
//! | rules that no source settles | [`RuleProfile`], [`Promotions`] |

mod action;
mod color;
mod coordinate;
mod limit;
mod partition;
mod piece;
mod profile;
#[cfg(any(feature = "serde", all(test, feature = "puzzle")))]
mod serialize;
mod square;
mod status;
mod text;

pub use action::{Action, Move, MoveKind};
pub use color::{ByColor, Color};
pub use coordinate::{BoardCoordinate, Coordinate, HalfTurn, Parity, Timeline, TimelineRange};
pub use limit::{Because, Limit, Undecided};
pub use partition::{Partition, fnv1a};
pub use piece::{Piece, PieceKind};
pub use profile::{Promotions, RuleProfile};
pub use square::{BoardSize, Square};
pub use status::Status;
pub use text::{ParseValueError, counted};
