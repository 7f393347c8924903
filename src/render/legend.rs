//! The names of pieces that orthodox chess does not have.

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
    let entry = |piece: Piece| Some(LegendEntry { piece, words: words(piece.kind)? });
    shown.into_iter().flatten().filter_map(entry).collect()
}

/// The name of a kind that orthodox chess does not have, and how it moves.
fn words(kind: PieceKind) -> Option<&'static str> {
    Some(match kind {
        PieceKind::Brawn => "brawn: a pawn with more captures",
        PieceKind::Unicorn => "unicorn: slides along three axes at once",
        PieceKind::Dragon => "dragon: slides along all four axes at once",
        PieceKind::Princess => "princess: slides as a rook or a bishop",
        PieceKind::RoyalQueen => "royal queen: a queen that can be mated",
        PieceKind::CommonKing => "common king: a king that may be captured",
        PieceKind::Pawn
        | PieceKind::Knight
        | PieceKind::Bishop
        | PieceKind::Rook
        | PieceKind::Queen
        | PieceKind::King => return None,
    })
}
