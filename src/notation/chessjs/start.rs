//! The start of a game of 5d-chess-js: its five variants with their numbers and promotions, and positions of one's own.

use crate::rules::variants::{self, Variant};
use crate::state::{Position, Setup};
use crate::types::{HalfTurn, PieceKind, Promotions, RuleProfile};

/// A variant that 5d-chess-js 0.3.6 knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    Standard,
    DefendedPawn,
    HalfReflected,
    Princess,
    TurnZero,
}

impl Named {
    pub const ALL: [Named; 5] =
        [Named::Standard, Named::DefendedPawn, Named::HalfReflected, Named::Princess, Named::TurnZero];

    /// Its name there.
    pub const fn tag(self) -> &'static str {
        match self {
            Named::Standard => "standard",
            Named::DefendedPawn => "defended_pawn",
            Named::HalfReflected => "half_reflected",
            Named::Princess => "princess",
            Named::TurnZero => "turn_zero",
        }
    }

    /// Whether the library has White's queen or princess as moved from the beginning.
    pub fn has_moved_queen(self) -> bool {
        self != Named::DefendedPawn
    }

    /// The variant of the game.
    pub fn variant(self) -> &'static Variant {
        variants::by_name(self.tag()).expect("the five names are spellings of variants")
    }

    /// The variant that starts like this.
    pub fn of(start: &Position) -> Option<Named> {
        // A position late in a game has thousands of boards to copy, and more than one timeline.
        if start.multiverse().range().len() != 1 {
            return None;
        }
        let variant = variants::by_setup(&start.to_setup())?;
        Named::ALL.into_iter().find(|named| std::ptr::eq(named.variant(), variant))
    }
}

/// The pieces that pawns may become when nothing is said: queen, rook, bishop or knight, and in `princess` a princess in place of
/// the queen.
pub(crate) fn usual_promotions(start: &Position) -> Promotions {
    let highest =
        if Named::of(start) == Some(Named::Princess) { PieceKind::Princess } else { PieceKind::Queen };
    [highest, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight]
        .into_iter()
        .fold(Promotions::NONE, |set, kind| set.with(kind).unwrap_or(set))
}

/// The position where pawns may become these.
pub(super) fn with_promotions(position: &Position, promotions: Promotions) -> Position {
    position.clone().with_profile(RuleProfile { promotions, ..position.profile() })
}

/// The name of the rules in force, unless they are the usual ones.
pub(super) fn rules_of(start: &Position) -> Option<String> {
    let profile = start.profile();
    let plain = RuleProfile { promotions: profile.promotions, ..RuleProfile::default() };
    (profile != plain).then(|| profile.to_string())
}

/// The number that this notation adds to turns: one in `turn_zero`, whose extra board is its turn 1.
pub(crate) fn turn_offset(start: &Position) -> i16 {
    i16::from(Named::of(start) == Some(Named::TurnZero))
}

/// The boards, moved one turn back if that makes them `turn_zero`.
pub(super) fn renumbered(setup: Setup) -> Setup {
    if setup.boards.len() != 2 {
        return setup;
    }
    let mut earlier = setup.clone();
    for (at, _) in &mut earlier.boards {
        at.half_turn = HalfTurn(at.half_turn.0 - 2);
    }
    let is_turn_zero =
        variants::by_setup(&earlier).is_some_and(|variant| std::ptr::eq(variant, Named::TurnZero.variant()));
    if is_turn_zero { earlier } else { setup }
}
