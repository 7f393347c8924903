//! The twelve kinds of piece.

use std::fmt;

use super::Color;

/// A kind of piece. `spec/02-pieces.md` describes the moves of each: riders, leapers and
/// pawns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PieceKind {
    /// `P`: advances along ranks and timelines, captures on two diagonals.
    Pawn,
    /// `W`: a pawn with four more captures.
    Brawn,
    /// `N`: leaps two along one axis and one along another.
    Knight,
    /// `B`: slides along exactly two axes at once.
    Bishop,
    /// `R`: slides along one axis.
    Rook,
    /// `U`: slides along exactly three axes at once.
    Unicorn,
    /// `D`: slides along all four axes at once.
    Dragon,
    /// `S`: slides as rook or bishop.
    Princess,
    /// `Q`: slides along any number of axes.
    Queen,
    /// `Y`: moves as a queen and is royal.
    RoyalQueen,
    /// `K`: one step along any number of axes; royal; castles.
    King,
    /// `C`: one step as a king, but neither royal nor castling.
    CommonKing,
}

impl PieceKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [PieceKind; 12] = [
        PieceKind::Pawn,
        PieceKind::Brawn,
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Unicorn,
        PieceKind::Dragon,
        PieceKind::Princess,
        PieceKind::Queen,
        PieceKind::RoyalQueen,
        PieceKind::King,
        PieceKind::CommonKing,
    ];

    /// The capital letter of 5DFEN and 5DPGN.
    pub const fn letter(self) -> char {
        match self {
            PieceKind::Pawn => 'P',
            PieceKind::Brawn => 'W',
            PieceKind::Knight => 'N',
            PieceKind::Bishop => 'B',
            PieceKind::Rook => 'R',
            PieceKind::Unicorn => 'U',
            PieceKind::Dragon => 'D',
            PieceKind::Princess => 'S',
            PieceKind::Queen => 'Q',
            PieceKind::RoyalQueen => 'Y',
            PieceKind::King => 'K',
            PieceKind::CommonKing => 'C',
        }
    }

    /// Whether losing a piece of this kind loses the game: king and royal queen.
    pub const fn is_royal(self) -> bool {
        matches!(self, PieceKind::King | PieceKind::RoyalQueen)
    }

    /// Whether it is a pawn or brawn.
    pub const fn is_pawn_like(self) -> bool {
        matches!(self, PieceKind::Pawn | PieceKind::Brawn)
    }

    /// Whether the rules depend on a piece of this kind being unmoved: pawn, brawn, king and rook.
    pub const fn tracks_unmoved(self) -> bool {
        matches!(self, PieceKind::Pawn | PieceKind::Brawn | PieceKind::King | PieceKind::Rook)
    }

    /// The name, as `royal queen`.
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Brawn => "brawn",
            PieceKind::Knight => "knight",
            PieceKind::Bishop => "bishop",
            PieceKind::Rook => "rook",
            PieceKind::Unicorn => "unicorn",
            PieceKind::Dragon => "dragon",
            PieceKind::Princess => "princess",
            PieceKind::Queen => "queen",
            PieceKind::RoyalQueen => "royal queen",
            PieceKind::King => "king",
            PieceKind::CommonKing => "common king",
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Piece {
    /// The owner.
    pub color: Color,
    /// The kind of piece.
    pub kind: PieceKind,
}

impl Piece {
    /// The letter of 5DFEN: a capital for White, a small letter for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color, self.kind)
    }
}
