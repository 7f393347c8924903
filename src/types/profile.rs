//! Rule profiles: named switches for rules that no source settles.

use std::fmt;

use super::PieceKind;

/// The pieces to which a pawn or brawn may promote: a set without king, royal queen and pawns.
///
/// The queen comes first when moves are listed, then the others in the order of [`PieceKind`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Promotions(u16);

impl Promotions {
    /// The original game: always a queen.
    pub const QUEEN: Promotions = Promotions(1 << PieceKind::Queen as u16);

    /// No promotion; a pawn can then not enter its last rank. A set built with [`Promotions::with`] starts
    /// from it.
    pub const NONE: Promotions = Promotions(0);

    /// This set and `kind`; `None` if no pawn may ever promote to it.
    pub fn with(self, kind: PieceKind) -> Option<Promotions> {
        (!kind.is_royal() && !kind.is_pawn_like()).then_some(Promotions(self.0 | 1 << kind as u16))
    }

    /// Whether a pawn may promote to `kind`.
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
/// `RuleProfile::default()` is the choice that `spec/` describes; `spec/experiments.md` has a position for
/// every switch. Start positions on which sources disagree have no switch: each reading is a variant with a
/// name of its own (`spec/07-variants.md`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RuleProfile {
    /// The pieces to which pawns and brawns may promote (R-2.14).
    pub promotions: Promotions,
    /// Whether a king may castle with a rook that stands only two files away, landing on its square (R-2.15).
    pub castling_at_distance_two: bool,
    /// Whether a double step on the second board of a new timeline can be captured en passant, although the
    /// board one turn earlier, with the pawn on its start square, is on another timeline (R-2.13).
    pub en_passant_on_new_timelines: bool,
    /// Whether a double step can be captured en passant on a square that the capturer's side vacated with its
    /// last move. Orthodox chess allows it (R-2.13).
    pub en_passant_onto_vacated: bool,
    /// Whether "in check" means that the player passes on every playable board, not only on the mandatory
    /// ones. It never changes which actions are legal (R-6.4).
    pub check_passes_every_board: bool,
    /// Whether pieces move and attack along turns and timelines. `false` is orthodox chess.
    pub time_travel: bool,
}

impl Default for RuleProfile {
    fn default() -> RuleProfile {
        RuleProfile {
            promotions: Promotions::QUEEN,
            castling_at_distance_two: true,
            en_passant_on_new_timelines: false,
            en_passant_onto_vacated: false,
            check_passes_every_board: false,
            time_travel: true,
        }
    }
}

/// A switch of [`RuleProfile`], with its name in files.
type Switch = (&'static str, fn(&mut RuleProfile) -> &mut bool);

const SWITCHES: [Switch; 4] = [
    ("castling-at-distance-two", |profile| &mut profile.castling_at_distance_two),
    ("en-passant-on-new-timelines", |profile| &mut profile.en_passant_on_new_timelines),
    ("en-passant-onto-vacated", |profile| &mut profile.en_passant_onto_vacated),
    ("check-passes-every-board", |profile| &mut profile.check_passes_every_board),
];

impl RuleProfile {
    /// Orthodox chess: no time travel, en passant judged by the previous board, promotion to queen, rook,
    /// bishop or knight.
    pub fn orthodox() -> RuleProfile {
        let kinds = [PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];
        let promotions = kinds.into_iter().fold(Promotions::QUEEN, |set, kind| set.with(kind).unwrap_or(set));
        RuleProfile {
            promotions,
            // En passant depends only on the previous board, even if the game has no earlier one.
            en_passant_on_new_timelines: true,
            en_passant_onto_vacated: true,
            time_travel: false,
            ..RuleProfile::default()
        }
    }

    /// The names of the switches, as they are written in the name of a profile.
    pub fn switch_names() -> impl Iterator<Item = &'static str> {
        SWITCHES.iter().map(|(name, _)| *name)
    }

    /// The profile with this name; `None` when there is none.
    pub(super) fn read_name(name: &str) -> Option<RuleProfile> {
        let mut words = name.split_ascii_whitespace();
        let mut profile = match words.next()? {
            "default" => RuleProfile::default(),
            "orthodox" => RuleProfile::orthodox(),
            _ => return None,
        };
        for word in words {
            let on = word.starts_with('+');
            let wanted = word.strip_prefix(['+', '-'])?;
            let (_, switch) = SWITCHES.iter().find(|(name, _)| *name == wanted)?;
            *switch(&mut profile) = on;
        }
        Some(profile)
    }
}

/// Writes the name: `default` or `orthodox` and the switches that differ. [`RuleProfile::promotions`] are not
/// part of it.
///
/// ```
/// use worldlines::types::RuleProfile;
///
/// let profile: RuleProfile = "default -castling-at-distance-two".parse()?;
/// assert!(!profile.castling_at_distance_two);
/// assert_eq!(profile.to_string(), "default -castling-at-distance-two");
/// assert!("default +teleports".parse::<RuleProfile>().is_err());
/// # Ok::<(), worldlines::types::ParseValueError>(())
/// ```
impl fmt::Display for RuleProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, mut of_base) = if self.time_travel {
            ("default", RuleProfile::default())
        } else {
            ("orthodox", RuleProfile::orthodox())
        };
        f.write_str(base)?;
        let mut mine = *self;
        for (name, switch) in SWITCHES {
            let on = *switch(&mut mine);
            if on != *switch(&mut of_base) {
                write!(f, " {}{name}", if on { '+' } else { '-' })?;
            }
        }
        Ok(())
    }
}
