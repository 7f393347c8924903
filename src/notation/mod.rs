//! Notations: text to values and back, one file or folder per notation, with a place for every error.
//!
//! | notation | module | content |
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
//! | Hexicube's notation | [`hexicube`] | actions |
//! | the notation of cwmtt, `.tn` | [`tn`] | a game: headers, actions |
//! | JSON of variants | [`variants_json`] | boards |
//! | Chess Evolved Online | [`ceo`] | moves of another game |
//!
//! Each has `parse`, which returns a [`Parsed`] value, and `write`, which returns a [`Written`] text. [`Format`] lists the notations of games by name, detects the notation of a text, and
//! parses and writes with [`Options`]. All of them read and write a [`Game`]; a part of it that a notation
//! cannot say is a [`Loss`]. [`hash`] computes the hashes that other programs use for positions.
//!
//! Reading can fail in three ways: the text is *malformed*, *illegal* or *ambiguous*. See [`ParseError`].
//! Text that is understood but is not in the form that `write` prints gives a warning:
//! [`Parsed::into_result`] accepts it, [`Parsed::strict`] refuses it.
//!
//! # Layers
//!
//! `common/` is shared by the notations: places in a text, headers, the replay of moves, and grammars that
//! are part of several notations. Notations import `common/` and not each other. The registry in
//! [`mod@format`] imports all of them, and so does [`ActionWriter`], which writes single actions.
//! `spec/notations.md` says how to add a notation.

mod actions;
pub mod ceo;
pub mod chess64;
pub mod chessjs;
mod common;
mod corrections;
#[cfg(test)]
mod doubled;
pub mod fen;
pub mod fen5d;
pub mod format;
pub mod gui_fen;
pub mod hash;
pub mod hexicube;
pub mod pgn;
pub mod pgn5d;
#[cfg(test)]
mod properties;
pub mod raw;
pub mod simplified;
pub mod tn;
pub mod uci5d;
pub mod variants_json;
#[cfg(test)]
mod whole_texts;

pub use actions::{ActionWriter, parse_actions};
pub use common::excerpt::{Excerpt, Source, printable};
pub use common::game::{MAX_ACTIONS, MAX_INPUT_BYTES};
pub use common::header::Header;
pub use common::label::{Label, Sign};
pub use common::lines::{LineIndex, Location};
#[cfg(test)]
pub(crate) use common::samples;
#[cfg(feature = "puzzle")]
pub(crate) use common::work;
pub use common::{
    BoardText, CheckMark, ErrorClass, Game, GameResult, Issue, Jump, Loss, MoveText, Note, Notes, Number,
    Options, ParseError, Parsed, Place, Shape, Span, Target, UnmovedPawns, Variation, WriteError, Written,
    games, glyph_mark, orthodox, text_of,
};
#[cfg(feature = "puzzle")]
pub(crate) use common::{describe::is_en_passant, excerpt::is_hidden};
pub use corrections::{Correction, corrections, did_you_mean};
pub use format::{Format, UnknownFormat};
