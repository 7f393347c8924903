//! The pieces of one board as text: ranks from the top down, as in `r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/…`.
//!
//! A capital letter is a white piece, a small one a black piece, `*` after it marks it as unmoved, a number
//! counts empty squares and `/` ends a rank.

use std::fmt;
use std::ops::Range;

use super::Board;
use crate::types::{BoardSize, Piece, Square, counted};

/// The reason why a text is not a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowsError {
    /// The bytes of the text that are wrong.
    pub at: Range<usize>,
    /// The problem with these bytes.
    pub problem: RowsProblem,
}

/// A problem in the text of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RowsProblem {
    /// A character without a meaning.
    UnknownPiece(char),
    /// A `*` that does not follow a piece.
    LoneStar,
    /// A number of empty squares that is 0 or starts with 0.
    ZeroSquares,
    /// More files or ranks than [`BoardSize::MAX`].
    TooLarge,
    /// A rank whose number of squares differs from the number of files.
    RankLength {
        /// The number of files.
        expected: u8,
        /// The number of squares in the rank.
        found: usize,
    },
    /// A number of ranks that differs from that of the board.
    RankCount {
        /// The number of ranks of the board.
        expected: u8,
        /// The number of ranks in the text.
        found: usize,
    },
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problem {
            RowsProblem::UnknownPiece(c) => {
                f.write_str("expected the letter of a piece, a number or `/`, but found ")?;
                if c.is_control() || c.is_whitespace() { write!(f, "{c:?}") } else { write!(f, "`{c}`") }
            }
            RowsProblem::LoneStar => f.write_str("expected the letter of a piece before `*`"),
            RowsProblem::ZeroSquares => {
                f.write_str("expected a number of empty squares that does not begin with 0")
            }
            RowsProblem::TooLarge => {
                let max = BoardSize::MAX;
                write!(f, "expected a board of at most {max}x{max} squares: larger ones are not supported")
            }
            RowsProblem::RankLength { expected, found } => {
                write!(f, "expected {} in the rank, but found {found}", counted(expected, "square"))
            }
            RowsProblem::RankCount { expected, found } => {
                write!(f, "expected {}, but found {found}", counted(expected, "rank"))
            }
        }
    }
}

impl std::error::Error for RowsError {}

impl Board {
    /// The board of a text. Without a `size`, the first rank and the number of ranks decide.
    ///
    /// A `*` after a piece for which it does not matter is dropped.
    ///
    /// # Errors
    ///
    /// When the text has an unknown character, or its ranks do not make a board of that size.
    pub fn from_rows(text: &str, size: Option<BoardSize>) -> Result<Board, RowsError> {
        let whole = |problem| RowsError { at: 0..text.len(), problem };
        let ranks = text.bytes().filter(|&byte| byte == b'/').count() + 1;
        let size = match size {
            Some(size) => size,
            None => {
                let first = &text[..text.find('/').unwrap_or(text.len())];
                let files = read_rank(first, 0, |_, _, _| {})?;
                let within = |n| u8::try_from(n).ok().filter(|&n| n <= BoardSize::MAX);
                match (within(files), within(ranks)) {
                    (Some(width), Some(height)) => BoardSize::new(width, height)
                        .ok_or_else(|| whole(RowsProblem::RankLength { expected: 1, found: 0 }))?,
                    _ => return Err(whole(RowsProblem::TooLarge)),
                }
            }
        };
        if ranks != usize::from(size.height()) {
            return Err(whole(RowsProblem::RankCount { expected: size.height(), found: ranks }));
        }
        let mut board = Board::empty(size);
        let mut start = 0;
        for (rank, row) in (0..size.height()).rev().zip(text.split('/')) {
            let squares = read_rank(row, start, |file, piece, unmoved| {
                if let Some(square) = u8::try_from(file).ok().and_then(|file| Square::new(file, rank)) {
                    board.put(square, piece, unmoved);
                }
            })?;
            if squares != usize::from(size.width()) {
                return Err(RowsError {
                    at: start..start + row.len(),
                    problem: RowsProblem::RankLength { expected: size.width(), found: squares },
                });
            }
            start += row.len() + 1;
        }
        Ok(board)
    }

    /// The pieces as text, to be shown with [`fmt::Display`]. [`Board::from_rows`] reads it back.
    pub fn rows(&self) -> Rows<'_> {
        Rows(self)
    }

    /// The number of files and ranks.
    pub fn size(&self) -> BoardSize {
        let squares = self.squares();
        let width = (squares & 0xff).count_ones() as u8;
        let height = (squares & 0x0101_0101_0101_0101).count_ones() as u8;
        BoardSize::new(width, height).expect("a board is made with a valid size")
    }
}

/// Reads one rank that starts at byte `start` of the whole text, and returns its number of squares.
fn read_rank(row: &str, start: usize, mut place: impl FnMut(usize, Piece, bool)) -> Result<usize, RowsError> {
    let mut file = 0usize;
    let mut rest = row.char_indices().peekable();
    while let Some((i, c)) = rest.next() {
        let error = |end: usize, problem| RowsError { at: start + i..start + end, problem };
        if let Some(digit) = c.to_digit(10) {
            let mut empty = digit as usize;
            let mut end = i + 1;
            while let Some((at, digit)) = rest.next_if(|(_, next)| next.is_ascii_digit()) {
                empty = empty.saturating_mul(10).saturating_add(digit as usize - '0' as usize);
                end = at + 1;
            }
            if digit == 0 {
                return Err(error(end, RowsProblem::ZeroSquares));
            }
            file = file.saturating_add(empty);
        } else if let Ok(piece) = Piece::try_from(c) {
            let unmoved = rest.next_if(|&(_, next)| next == '*').is_some();
            place(file, piece, unmoved);
            file = file.saturating_add(1);
        } else if c == '*' {
            return Err(error(i + 1, RowsProblem::LoneStar));
        } else {
            return Err(error(i + c.len_utf8(), RowsProblem::UnknownPiece(c)));
        }
    }
    Ok(file)
}

/// The text of a board, made by [`Board::rows`].
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a>(&'a Board);

impl fmt::Display for Rows<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.size();
        for rank in (0..size.height()).rev() {
            let mut empty = 0;
            for square in (0..size.width()).filter_map(|file| Square::new(file, rank)) {
                let Some(cell) = self.0.cell(square) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                let star = if cell.unmoved { "*" } else { "" };
                write!(f, "{}{star}", cell.piece.letter())?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_and_written_back() {
        for text in [
            "r*nbqk*bnr*/p*p*p*p*p*p*p*p*/8/8/8/8/P*P*P*P*P*P*P*P*/R*NBQK*BNR*",
            "kyqsnbrc/udp*p*w*w*du/8/8/8/8/UDP*P*W*W*DU/KYQSNBRC",
            "2k*/3/K*2",
            "1",
            "p1/1P/2",
        ] {
            let board = Board::from_rows(text, None).unwrap();
            assert_eq!(board.rows().to_string(), text);
            assert_eq!(Board::from_rows(text, Some(board.size())), Ok(board));
        }
        assert_eq!(Board::from_rows("Q*11", None).unwrap_err().problem, RowsProblem::TooLarge);
        assert_eq!(Board::from_rows("Q*1", None).unwrap().rows().to_string(), "Q1");
    }

    #[test]
    fn errors_point_at_the_bytes() {
        let refused = |text, size| Board::from_rows(text, size).map(|_| ()).unwrap_err();
        let five = BoardSize::new(5, 5);
        assert_eq!(
            refused("4k/5/5/5/K1R", five),
            RowsError { at: 9..12, problem: RowsProblem::RankLength { expected: 5, found: 3 } }
        );
        assert_eq!(refused("5/5/5", five).problem, RowsProblem::RankCount { expected: 5, found: 3 });
        assert_eq!(refused("k1/1é", None), RowsError { at: 4..6, problem: RowsProblem::UnknownPiece('é') });
        assert_eq!(refused("*k", None), RowsError { at: 0..1, problem: RowsProblem::LoneStar });
        assert_eq!(refused("k0", None).problem, RowsProblem::ZeroSquares);
        assert_eq!(refused("k08", None), RowsError { at: 1..3, problem: RowsProblem::ZeroSquares });
        assert_eq!(refused("9", None).problem, RowsProblem::TooLarge);
        assert_eq!(refused("99999999999999999999999", None).problem, RowsProblem::TooLarge);
        assert_eq!(refused("", None).problem, RowsProblem::RankLength { expected: 1, found: 0 });
        assert_eq!(refused("8/8/8/8/8/8/8/8/8", None).problem, RowsProblem::TooLarge);
    }
}
