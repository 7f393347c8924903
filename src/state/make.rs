//! The boards after a move, with castling, en passant and promotion.

use super::Board;
use crate::types::{PieceKind, Square};

impl Board {
    /// This board after a move within it: with the rook's step when castling, without the captured pawn after
    /// en passant, with the promoted piece.
    #[inline]
    pub(crate) fn after_physical(&self, from: Square, to: Square, promotion: Option<PieceKind>) -> Board {
        let mut board = *self;
        // Only kings and pawns ever change more than two squares.
        if self.is_special(from) {
            // The rook first: the king may land on the square where it stood.
            if let Some((rook, crossed)) = self.castling_rook(from, to) {
                board.set_from(crossed, self, rook, rook.bit());
            }
            let is_pawn = self.pawns() & from.bit() != 0;
            if is_pawn && from.file() != to.file() && self.occupied() & to.bit() == 0 {
                board.clear(Board::en_passant_victim(from, to).bit());
            }
        }
        board.set_from(to, self, from, from.bit());
        if let Some(kind) = promotion {
            board.promote(to, kind);
        }
        board
    }

    /// This board after a piece has left it.
    #[inline]
    pub(crate) fn after_departure(&self, from: Square) -> Board {
        let mut board = *self;
        board.clear(from.bit());
        board
    }

    /// This board after the piece on `from` of `source` has arrived on `to`.
    #[inline]
    pub(crate) fn after_arrival(
        &self,
        source: &Board,
        from: Square,
        to: Square,
        promotion: Option<PieceKind>,
    ) -> Board {
        let mut board = *self;
        board.set_from(to, source, from, 0);
        if let Some(kind) = promotion {
            board.promote(to, kind);
        }
        board
    }

    /// The square of the pawn that is captured en passant when a pawn goes from `from` to the empty square
    /// `to`.
    pub(crate) const fn en_passant_victim(from: Square, to: Square) -> Square {
        Square::from_index((from.rank() * 8 + to.file()) as u32)
    }

    /// For castling, a king's move of two files along a rank: the first square with a piece in its direction,
    /// which must be the rook, and the square that the king crosses, where the rook goes.
    pub(crate) fn castling_rook(&self, from: Square, to: Square) -> Option<(Square, Square)> {
        if self.kings() & from.bit() == 0 || from.rank() != to.rank() || from.file().abs_diff(to.file()) != 2
        {
            return None;
        }
        let step = if to.file() > from.file() { 1 } else { -1 };
        let crossed = from.offset(step, 0)?;
        let mut rook = crossed;
        while self.occupied() & rook.bit() == 0 {
            rook = rook.offset(step, 0)?;
        }
        Some((rook, crossed))
    }
}
