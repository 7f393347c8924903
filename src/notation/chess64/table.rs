//! Tables of the characters of squares and of Base64.

use crate::types::Square;

/// The characters of the squares from a1 to h8, rank by rank.
pub(super) const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ13579+yz02468/qrstuvwxijklmnopabcdefgh";
/// The characters of Base64 by their value.
pub(super) const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// For each byte its index in a table of 64 characters, or [`NONE`].
const fn inverse(table: &[u8; 64]) -> [u8; 256] {
    let mut places = [NONE; 256];
    let mut i = 0;
    while i < 64 {
        places[table[i] as usize] = i as u8;
        i += 1;
    }
    places
}

pub(super) const NONE: u8 = 64;
pub(super) const SQUARE_OF: [u8; 256] = inverse(SQUARES);
pub(super) const VALUE_OF: [u8; 256] = inverse(BASE64);

/// The character of a square.
///
/// ```
/// use worldlines::notation::chess64::{character, square};
/// use worldlines::types::Square;
///
/// let e4 = Square::new(4, 3).unwrap();
/// assert_eq!((character(e4), square('5')), ('5', Some(e4)));
/// assert_eq!(square('='), None);
/// ```
pub fn character(square: Square) -> char {
    char::from(SQUARES[square.index()])
}

/// The square of a character.
pub fn square(character: char) -> Option<Square> {
    u8::try_from(character).ok().and_then(square_of)
}

pub(super) fn square_of(byte: u8) -> Option<Square> {
    let index = SQUARE_OF[usize::from(byte)];
    (index != NONE).then(|| Square::from_index(index.into()))
}
