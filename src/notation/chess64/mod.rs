//! CHESS64: orthodox chess in two characters of Base64 a move, and packed into bytes.
//!
//! ```text
//! M5m4GVbsF1ftHHjrV4t4D/gv/n
//! ```
//!
//! Each square has a character; White's half of the board has capitals, odd digits and `+`, Black's has small
//! letters, even digits and `/`:
//!
//! ```text
//! 8  a b c d e f g h
//! 7  i j k l m n o p
//! 6  q r s t u v w x
//! 5  y z 0 2 4 6 8 /
//! 4  Y Z 1 3 5 7 9 +
//! 3  Q R S T U V W X
//! 2  I J K L M N O P
//! 1  A B C D E F G H
//!    a b c d e f g h
//! ```
//!
//! A token of two characters is a move, from square to square, White first. A token of two equal characters
//! has its own meaning: `RR NN BB QQ` after a pawn has reached its last rank is its promotion; `AA` and `HH`
//! is castling towards the rook on the a-file or the h-file; `KK` and `kk` means that White or Black resigns;
//! `DD` and `dd` is a draw. The case is that of the player: capitals for White. The notation has nothing
//! else: no start position but the usual one, no headers, and no result other than mate, stalemate,
//! resignation and draw.
//!
//! The binary form, a file `.chess64`, is `CHESS64` and then the characters as Base64 reads them, six bits
//! each. A token has twelve bits. If the number of tokens is odd, the bits do not fill whole bytes, and four
//! zero bits follow. The grammar is in `spec/notation-chess64.md`.
//!
//! # Relaxations
//!
//! Each gives a warning; [`Parsed::strict`] refuses them.
//!
//! * White space between characters, `-` and `_` for `+` and `/` as in addresses, `=` at the end of the text.
//! * `CHESS64` in front of a text, and a `.chess64` file that is text without it.
//! * Castling as the king's move of two squares, `EG EC eg ec`.
//! * A promotion in the opponent's case; without its token, to a queen.
//! * A draw in the case of the player who is not to move.
//! * A binary whose last token has lost four bits, as ordinary Base64 decoders drop them, if only one way to
//!   complete it is legal.

mod decode;
mod encode;
mod table;
#[cfg(test)]
mod tests;

use crate::notation::common::Head;
use crate::notation::common::work::look_at;
use crate::notation::common::{GameResult, Issue, Parsed, Span};
use crate::types::{Color, Status};

use decode::{Decoder, is_ornament};
use table::square_of;

pub use encode::{write, write_binary};
pub use table::{character, square};

/// The first bytes of a binary.
pub const HEADER: &[u8; 7] = b"CHESS64";

/// The game of a text.
///
/// ```
/// use worldlines::notation::chess64;
///
/// let game = chess64::parse("M5m4GVbsF1ftHHjrV4t4D/gv/n").into_result().unwrap();
/// assert_eq!(game.actions.len(), 13);
/// assert_eq!(game.result.unwrap().text(), "1-0");
/// ```
///
pub fn parse(text: &str) -> Parsed {
    let mut decoder = Decoder::new(text.len() / 2);
    let error = decoder.text(text).err();
    decoder.finish(error)
}

/// The game of a binary as far as it can be read, with warnings. Spans are bytes of the binary.
pub fn parse_binary(bytes: &[u8]) -> Parsed {
    let Some(payload) = bytes.strip_prefix(HEADER) else {
        return without_header(bytes);
    };
    let mut decoder = Decoder::new(payload.len() * 2 / 3);
    let error = decoder.binary(payload).err();
    decoder.finish(error)
}

/// Reads a file without the header of a binary, which may be text.
fn without_header(bytes: &[u8]) -> Parsed {
    let is_text = bytes.iter().all(|&byte| is_ornament(byte) || square_of(byte).is_some());
    match std::str::from_utf8(bytes) {
        Ok(text) if is_text && !bytes.is_empty() => {
            let mut reading = parse(text);
            let message = "read as text: a binary begins with `CHESS64`";
            reading.warnings.insert(0, Issue::new("missing-header", Span::new(0, 0), message));
            reading
        }
        _ => {
            let span = Span::new(0, bytes.len().min(HEADER.len()));
            let message = "expected `CHESS64` at the beginning of the binary form";
            Parsed::refused(Issue::new("missing-header", span, message).malformed())
        }
    }
}

/// Whether a text with this beginning is CHESS64.
pub(super) fn detect(head: &Head<'_>) -> bool {
    begins_like_a_game(head.text.strip_prefix("CHESS64").unwrap_or(head.text))
}

/// Whether these bytes are a binary.
pub(super) fn detect_binary(head: &Head<'_>) -> bool {
    let is_text = |payload| std::str::from_utf8(payload).is_ok_and(begins_like_a_game);
    head.bytes.strip_prefix(HEADER).is_some_and(|payload| !is_text(payload))
}

/// Whether the text has only characters of squares, and the first two are a move from the start position, or
/// the end of a game without moves.
fn begins_like_a_game(text: &str) -> bool {
    look_at(text.len());
    let mut squares = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let (Some(from), Some(to)) = (squares.next(), squares.next()) else { return false };
    let ends = from == to && b"KkDd".contains(&from);
    let opens = match (square_of(from), square_of(to)) {
        (Some(from), Some(to)) => {
            let (files, ranks) =
                (from.file().abs_diff(to.file()), i16::from(to.rank()) - i16::from(from.rank()));
            from.rank() == 1 && files == 0 && matches!(ranks, 1 | 2)
                || from.rank() == 0 && matches!(from.file(), 1 | 6) && files == 1 && ranks == 2
        }
        _ => false,
    };
    (ends || opens) && text.bytes().all(|byte| is_ornament(byte) || square_of(byte).is_some())
}

/// The result of a game that ended with this status.
pub(super) fn result_of(over: Option<Status>, to_move: Color) -> Option<GameResult> {
    match (over?, to_move) {
        (Status::Checkmate, Color::White) => Some(GameResult::BlackWins),
        (Status::Checkmate, Color::Black) => Some(GameResult::WhiteWins),
        _ => Some(GameResult::Draw),
    }
}
