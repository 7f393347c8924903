//! The names of pieces and how they move, for those that a reader may not know.

use crate::types::{Color, Piece, PieceKind};

/// A piece of a picture that its reader may not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LegendEntry {
    /// The piece: the white one, if both are there.
    pub piece: Piece,
    /// Its name, and how it moves.
    pub words: &'static str,
}

/// An entry for each kind of these pieces that orthodox chess does not have, in the order of
/// [`PieceKind::ALL`].
pub(super) fn legend(pieces: impl IntoIterator<Item = Piece>) -> Vec<LegendEntry> {
    let mut shown = [None::<Piece>; PieceKind::ALL.len()];
    for piece in pieces {
        let best = &mut shown[piece.kind as usize];
        if best.is_none_or(|best| best.color == Color::Black) {
            *best = Some(piece);
        }
    }
    let entry = |piece: Piece| LegendEntry { piece, words: how_it_moves(piece.kind) };
    shown.into_iter().flatten().filter(|piece| !is_orthodox(piece.kind)).map(entry).collect()
}

/// The name of a kind of piece, and how it moves along files, ranks, turns and timelines, the four axes.
pub const fn how_it_moves(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => {
            "pawn: steps along ranks or timelines towards the opponent, at first also two; captures a file and a rank ahead, or a timeline \
             ahead and a turn back"
        }
        PieceKind::Knight => "knight: leaps two along one axis and one along another",
        PieceKind::Bishop => "bishop: slides along two axes at once",
        PieceKind::Rook => "rook: slides along one axis",
        PieceKind::Queen => "queen: slides along any number of axes at once",
        PieceKind::King => "king: one step along any number of axes; it must not be captured",
        PieceKind::Brawn => "brawn: a pawn with more captures",
        PieceKind::Unicorn => "unicorn: slides along three axes at once",
        PieceKind::Dragon => "dragon: slides along all four axes at once",
        PieceKind::Princess => "princess: slides as a rook or a bishop",
        PieceKind::RoyalQueen => "royal queen: a queen that can be mated",
        PieceKind::CommonKing => "common king: a king that may be captured",
    }
}

/// Whether orthodox chess has this kind, so that a picture need not explain it.
const fn is_orthodox(kind: PieceKind) -> bool {
    use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};
    matches!(kind, Pawn | Knight | Bishop | Rook | Queen | King)
}
