//! One board: 64 squares in eight bit planes, which is one cache line.

use crate::types::{BoardSize, Color, Piece, PieceKind, Square};

/// The content of one board.
///
/// A set of squares is a `u64` in which bit `square.index()` stands for the square. Squares outside a board
/// smaller than 8x8 are *walls*: they belong to both colours at once and to no kind of piece. So every test
/// for own or any pieces stops there without knowing the size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Board {
    planes: [u64; 8],
}

/// The piece on one square of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    pub piece: Piece,
    pub unmoved: bool,
}

// The planes. A slider has `SPECIAL` clear and a bit for every number of axes along which it can slide at
// once. The other pieces have `SPECIAL` set and reuse the four planes: `ONE` king step, `TWO` knight, `THREE`
// pawn or brawn; `FOUR` distinguishes king from common king and brawn from pawn. The royal queen is special
// with all four.
const WHITE: usize = 0;
const BLACK: usize = 1;
const SPECIAL: usize = 2;
const ONE: usize = 3;
const TWO: usize = 4;
const THREE: usize = 5;
const FOUR: usize = 6;
const UNMOVED: usize = 7;

/// `SPECIAL` and the four axis planes of a kind, as five bits.
const fn code(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Rook => 0b00010,
        PieceKind::Bishop => 0b00100,
        PieceKind::Unicorn => 0b01000,
        PieceKind::Dragon => 0b10000,
        PieceKind::Princess => 0b00110,
        PieceKind::Queen => 0b11110,
        PieceKind::RoyalQueen => 0b11111,
        PieceKind::King => 0b10011,
        PieceKind::CommonKing => 0b00011,
        PieceKind::Knight => 0b00101,
        PieceKind::Pawn => 0b01001,
        PieceKind::Brawn => 0b11001,
    }
}

/// The inverse of [`code`].
const KINDS: [Option<PieceKind>; 32] = {
    let mut table = [None; 32];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        table[code(PieceKind::ALL[i]) as usize] = Some(PieceKind::ALL[i]);
        i += 1;
    }
    table
};

impl Board {
    /// A board of this size without pieces.
    pub const fn empty(size: BoardSize) -> Board {
        let walls = !size.squares();
        let mut planes = [0; 8];
        planes[WHITE] = walls;
        planes[BLACK] = walls;
        Board { planes }
    }

    /// The squares of the board.
    pub const fn squares(&self) -> u64 {
        !(self.planes[WHITE] & self.planes[BLACK])
    }

    /// The piece on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.cell(square).map(|cell| cell.piece)
    }

    /// Whether the piece on this square is unmoved. Kept for pawns, brawns, kings and rooks only.
    pub const fn is_unmoved(&self, square: Square) -> bool {
        self.planes[UNMOVED] & square.bit() != 0
    }

    pub(crate) fn cell(&self, square: Square) -> Option<Cell> {
        let at = |plane: usize| (self.planes[plane] >> square.index() & 1) as usize;
        let kind = KINDS[at(SPECIAL) | at(ONE) << 1 | at(TWO) << 2 | at(THREE) << 3 | at(FOUR) << 4]?;
        let color = if at(WHITE) == 1 { Color::White } else { Color::Black };
        Some(Cell { piece: Piece { color, kind }, unmoved: at(UNMOVED) == 1 })
    }

    /// Puts a piece on a square in place of the one there. `unmoved` is ignored for kinds for which it never
    /// matters.
    ///
    /// A square outside the board is left as it is.
    pub fn put(&mut self, square: Square, piece: Piece, unmoved: bool) {
        if self.squares() & square.bit() == 0 {
            return;
        }
        let bits = code(piece.kind) as u64;
        let values = [
            (piece.color == Color::White) as u64,
            (piece.color == Color::Black) as u64,
            bits & 1,
            bits >> 1 & 1,
            bits >> 2 & 1,
            bits >> 3 & 1,
            bits >> 4 & 1,
            (unmoved && piece.kind.tracks_unmoved()) as u64,
        ];
        for (plane, value) in values.into_iter().enumerate() {
            self.planes[plane] = self.planes[plane] & !square.bit() | value << square.index();
        }
    }

    /// Empties a square.
    pub fn remove(&mut self, square: Square) {
        if self.squares() & square.bit() != 0 {
            self.clear(square.bit());
        }
    }

    /// The pieces, from `a1` to `h8` rank by rank.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        squares_of(self.occupied() & self.squares()).filter_map(|square| Some((square, self.get(square)?)))
    }

    pub(super) fn clear(&mut self, bits: u64) {
        for plane in &mut self.planes {
            *plane &= !bits;
        }
    }

    /// Puts the piece on `from` of `source` on `to`, as moved, and empties the squares of `emptied`.
    #[inline(never)]
    pub(super) fn set_from(&mut self, to: Square, source: &Board, from: Square, emptied: u64) {
        let keep = !(to.bit() | emptied);
        // Shifts in both directions, one of them by 0: the compiler vectorises two planes at a time, which it
        // does not do for a rotation.
        let up = to.index().saturating_sub(from.index()) & 63;
        let down = from.index().saturating_sub(to.index()) & 63;
        // By index: where no code is optimised at link time, `zip` is a call.
        for plane in 0..UNMOVED {
            self.planes[plane] =
                self.planes[plane] & keep | (source.planes[plane] & from.bit()) << up >> down;
        }
        self.planes[UNMOVED] &= keep;
    }

    #[inline(never)]
    pub(super) fn promote(&mut self, square: Square, kind: PieceKind) {
        let bits = code(kind) as u64;
        for (i, plane) in self.planes[SPECIAL..=FOUR].iter_mut().enumerate() {
            *plane = *plane & !square.bit() | (bits >> i & 1) << square.index();
        }
    }

    /// Whether the square has a piece that is not a slider, or a royal queen.
    pub(super) const fn is_special(&self, square: Square) -> bool {
        self.planes[SPECIAL] & square.bit() != 0
    }

    // Sets of squares. A set of one colour contains the walls only if its comment says so.

    /// Squares that a piece of `color` cannot enter: its own pieces and the walls.
    pub(crate) const fn blocked_for(&self, color: Color) -> u64 {
        self.planes[color.index()]
    }

    /// Pieces of `color`, without walls.
    pub(crate) const fn by_color(&self, color: Color) -> u64 {
        self.planes[color.index()] & !self.planes[color.index() ^ 1]
    }

    /// All pieces and the walls.
    pub(crate) const fn occupied(&self) -> u64 {
        self.planes[WHITE] | self.planes[BLACK]
    }

    /// Pieces that slide along `axes` (1..=4) axes at once, of both colours.
    pub(crate) const fn sliders(&self, axes: usize) -> u64 {
        let [_, _, special, one, two, three, four, _] = self.planes;
        self.planes[ONE - 1 + axes] & (!special | one & two & three & four)
    }

    /// Those of `pieces` that slide along one, two, three and four axes at once.
    pub(crate) const fn sliders_by_axes(&self, pieces: u64) -> [u64; 4] {
        [
            self.sliders(1) & pieces,
            self.sliders(2) & pieces,
            self.sliders(3) & pieces,
            self.sliders(4) & pieces,
        ]
    }

    /// Kings and royal queens of both colours.
    pub(crate) const fn royals(&self) -> u64 {
        self.planes[SPECIAL] & self.planes[ONE] & self.planes[FOUR]
    }

    /// Kings, which castle and are royal, without common kings and royal queens.
    pub(crate) const fn kings(&self) -> u64 {
        self.royals() & !self.planes[TWO]
    }

    /// Kings and common kings.
    pub(crate) const fn king_steppers(&self) -> u64 {
        self.planes[SPECIAL] & self.planes[ONE] & !self.planes[TWO]
    }

    pub(crate) const fn knights(&self) -> u64 {
        self.planes[SPECIAL] & self.planes[TWO] & !self.planes[ONE]
    }

    /// Pawns and brawns.
    pub(crate) const fn pawns(&self) -> u64 {
        self.planes[SPECIAL] & self.planes[THREE] & !self.planes[ONE]
    }

    pub(crate) const fn brawns(&self) -> u64 {
        self.pawns() & self.planes[FOUR]
    }

    pub(crate) const fn unmoved(&self) -> u64 {
        self.planes[UNMOVED]
    }

    /// Rooks (not princesses or queens).
    pub(crate) const fn rooks(&self) -> u64 {
        self.planes[ONE] & !self.planes[SPECIAL] & !self.planes[TWO]
    }

    /// A simple hash of the planes.
    pub(crate) fn mixed(&self) -> u64 {
        let planes = self.planes.iter();
        planes.fold(0, |sum: u64, plane| (sum ^ plane).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
    }

    /// The squares on which the two boards have different pieces, or only one has a piece. Marks of unmoved
    /// pieces are ignored.
    pub fn differing_squares(&self, other: &Board) -> u64 {
        (0..UNMOVED).fold(0, |squares, plane| squares | self.planes[plane] ^ other.planes[plane])
    }
}

/// The squares of a set, lowest first.
pub(crate) fn squares_of(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = Square::from_index(set.trailing_zeros());
            set &= set - 1;
            square
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back_and_stands_in_its_sets() {
        for kind in PieceKind::ALL {
            for color in Color::ALL {
                let mut board = Board::empty(BoardSize::new(5, 4).unwrap());
                let square = Square::new(3, 2).unwrap();
                board.put(square, Piece { color, kind }, true);
                assert_eq!(board.cell(square).unwrap().piece, Piece { color, kind });
                assert_eq!(board.is_unmoved(square), kind.tracks_unmoved());
                assert_eq!(board.royals() != 0, kind.is_royal());
                assert_eq!(board.pawns() != 0, kind.is_pawn_like());
                assert_eq!(board.kings() != 0, kind == PieceKind::King);
                assert_eq!(board.rooks() != 0, kind == PieceKind::Rook);
                assert_eq!(board.by_color(!color), 0);
                board.remove(square);
                assert_eq!(board, Board::empty(BoardSize::new(5, 4).unwrap()));
            }
        }
    }

    #[test]
    fn walls_stay_walls() {
        let mut board = Board::empty(BoardSize::new(3, 3).unwrap());
        let outside = Square::new(3, 0).unwrap();
        board.put(outside, Piece { color: Color::White, kind: PieceKind::Queen }, false);
        board.remove(outside);
        assert_eq!(board, Board::empty(BoardSize::new(3, 3).unwrap()));
        assert_eq!(board.get(outside), None);
        assert_eq!(size_of::<Board>(), 64);
    }
}
