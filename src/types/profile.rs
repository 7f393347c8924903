//! Rules that no source settles, as named switches.

use std::fmt;

use super::PieceKind;

/// The kinds that a pawn or brawn may become: a set that holds neither king nor royal queen nor pawns.
///
/// The queen comes first when moves are listed, then the others in the order of [`PieceKind`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Promotions(u16);

impl Promotions {
    /// The original game: always a queen.
    pub const QUEEN: Promotions = Promotions(1 << PieceKind::Queen as u16);

    /// Nothing; a pawn can then not enter its last rank. Start of a set built with [`Promotions::with`].
    pub const NONE: Promotions = Promotions(0);

    /// This set and `kind`; `None` when a pawn may never become that.
    pub fn with(self, kind: PieceKind) -> Option<Promotions> {
        (!kind.is_royal() && !kind.is_pawn_like()).then_some(Promotions(self.0 | 1 << kind as u16))
    }

    /// Whether a pawn may become `kind`.
    pub const fn contains(self, kind: PieceKind) -> bool {
        self.0 >> kind as u16 & 1 == 1
    }

    /// The kinds of the set, queen first.
    pub fn iter(self) -> impl Iterator<Item = PieceKind> {
        let queen = self.contains(PieceKind::Queen).then_some(PieceKind::Queen);
        let others =
            PieceKind::ALL.into_iter().filter(move |&kind| kind != PieceKind::Queen && self.contains(kind));
        queen.into_iter().chain(others)
    }
}

impl fmt::Display for Promotions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, kind) in self.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { "," }, kind.letter())?;
        }
        Ok(())
    }
}

/// The switches for rules on which sources disagree or are silent, and the promotion set of the game.
///
/// `RuleProfile::default()` is the choice that `spec/` describes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleProfile {
    /// What pawns and brawns may become.
    pub promotions: Promotions,
    /// Whether a king may castle with a rook that stands only two files away, landing on its square.
    pub castling_at_distance_two: bool,
}

impl Default for RuleProfile {
    fn default() -> RuleProfile {
        RuleProfile { promotions: Promotions::QUEEN, castling_at_distance_two: true }
    }
}
