//! One square of one board.

use std::fmt;

/// A square of a board: file `a`..`h` and rank 1..8.
///
/// Boards smaller than 8x8 use the squares of the corner at `a1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square on `file` (0 = `a`) and `rank` (0 = rank 1), or `None` beyond 8x8.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 { Some(Square(rank * 8 + file)) } else { None }
    }

    /// The square number `index`: file + 8 * rank. Bits above the lowest six are ignored.
    pub const fn from_index(index: u32) -> Square {
        Square(index as u8 & 63)
    }

    /// The number of the square: file + 8 * rank, from 0 to 63.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file; 0 is file `a`.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank; 0 is rank 1.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set with only this square.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The square `files` to the right and `ranks` up, or `None` outside 8x8.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 0 || rank < 0 { None } else { Square::new(file as u8, rank as u8) }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The width and height of all boards of a game, each 1..=[`BoardSize::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardSize {
    width: u8,
    height: u8,
}

impl BoardSize {
    /// The longest side that is supported.
    pub const MAX: u8 = 8;
    /// 8x8.
    pub const STANDARD: BoardSize = BoardSize { width: 8, height: 8 };

    /// A size, or `None` when a side is 0 or above [`BoardSize::MAX`].
    pub const fn new(width: u8, height: u8) -> Option<BoardSize> {
        if width == 0 || height == 0 || width > Self::MAX || height > Self::MAX {
            None
        } else {
            Some(BoardSize { width, height })
        }
    }

    /// The number of files.
    pub const fn width(self) -> u8 {
        self.width
    }

    /// The number of ranks.
    pub const fn height(self) -> u8 {
        self.height
    }

    /// Whether the square lies on a board of this size.
    pub const fn contains(self, square: Square) -> bool {
        square.file() < self.width && square.rank() < self.height
    }

    /// The set of all squares of a board of this size.
    pub const fn squares(self) -> u64 {
        let row = (1u64 << self.width) - 1;
        let mut set = 0;
        let mut rank = 0;
        while rank < self.height {
            set |= row << (8 * rank);
            rank += 1;
        }
        set
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}
