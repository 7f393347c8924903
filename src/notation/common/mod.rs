//! Code that all notations share. Nothing here imports a notation.
//!
//! | files | hold |
//! |---|---|
//! | [`span`], [`lines`], [`excerpt`], [`error`] | places in a text, and messages about them |
//! | [`cursor`], [`label`], [`header`], [`json`], [`move_text`] | a cursor over a text, and the parts that several notations share |
//! | [`game`], [`result`], [`notes`], [`games`], [`options`], [`head`] | input and output of every notation |
//! | [`describe`], [`passes`], [`replay`], [`shorthand`], [`en_passant`], [`orthodox`] | positions, and replaying the moves of a text |
//! | [`boards`], [`start`], [`coordinates`], [`fen`] | grammars that are part of several notations |

pub(crate) mod boards;
pub(crate) mod coordinates;
pub(crate) mod cursor;
pub(crate) mod describe;
pub(crate) mod en_passant;
pub(crate) mod error;
pub(crate) mod excerpt;
pub(crate) mod fen;
pub(crate) mod game;
pub(crate) mod games;
pub(crate) mod head;
pub(crate) mod header;
pub(crate) mod json;
pub(crate) mod label;
pub(crate) mod lines;
pub(crate) mod md5;
pub(crate) mod move_text;
pub(crate) mod notes;
pub(crate) mod options;
pub mod orthodox;
pub(crate) mod passes;
pub(crate) mod replay;
pub(crate) mod result;
#[cfg(test)]
pub(crate) mod samples;
pub(crate) mod shorthand;
pub(crate) mod span;
pub(crate) mod start;
pub(crate) mod work;

pub(crate) use cursor::Cursor;
pub use error::{ErrorClass, Issue, ParseError, text_of};
pub use game::{Game, Loss, MAX_ACTIONS, MAX_INPUT_BYTES, Parsed, WriteError, Written};
pub use games::games;
pub(super) use games::lines;
pub(crate) use head::Head;
pub use header::Header;
pub use label::{Label, Sign};
pub use move_text::{BoardText, CheckMark, Jump, MoveText, Number, Place, Shape, Target};
pub use notes::{Note, Notes, Variation, glyph_mark};
pub use options::{Options, UnmovedPawns};
pub use result::GameResult;
pub use span::Span;
