//! The wishes for a composition. Begin at [`Wishes`].

use super::line::LineGoal;
use crate::types::{BoardSize, PieceKind, Promotions};

/// The properties that a composition should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wishes {
    /// The goal, if the player to move is to be mated; `None` if it mates.
    pub line: Option<LineGoal>,
    /// N of the mate.
    pub mate_in: u32,
    /// The sizes of boards to choose from.
    pub sizes: Vec<BoardSize>,
    /// The kinds of pieces to choose from, beside kings.
    pub kinds: Vec<PieceKind>,
    /// The kinds that pawns and brawns may promote to.
    pub promotions: Promotions,
    /// Whether kings, rooks and pawns count as not moved on the boards that are set up, so that castling and double steps may be possible.
    pub unmoved: bool,
    /// The fewest pieces of a board that is set up, kings included.
    pub least_pieces: usize,
    /// The most pieces of a board that is set up, kings included.
    pub most_pieces: usize,
    /// Whether the game starts with two timelines.
    pub two_timelines: bool,
    /// Whether the game starts with two more timelines of the opponent, of which the outer one is inactive (R-4.2).
    pub inactive_timeline: bool,
    /// The most actions that are played before the position.
    pub most_history: usize,
    /// Whether pieces may travel in those actions.
    pub history_travels: bool,
    /// Themes that the solution must show: words of `puzzles/themes.toml`.
    pub themes: Vec<String>,
    /// The manner of the key.
    pub key: KeyWish,
    /// The kinds of pieces of which the key moves one; empty if any may.
    pub key_pieces: Vec<PieceKind>,
    /// The fewest legal first actions.
    pub least_first_actions: u64,
    /// The fewest defences to the key.
    pub least_defences: usize,
    /// The fewest different answers to these defences; a mate in 1 has none.
    pub least_answers: usize,
    /// The fewest tries that one reply alone refutes.
    pub least_tries: usize,
    /// The most defences that may have duals.
    pub most_duals: usize,
    /// The lowest score ([`Merit::score`](super::Merit::score)), in tenths of a point; `None` if any will do.
    pub least_score: Option<i32>,
}

/// The themes that helpmates and selfmates do not have: they tell of a key, its defences or its threats.
const OF_MATES: [&str; 11] = [
    "sacrifice",
    "zugzwang",
    "block",
    "changed-mate",
    "escape-into-the-past",
    "echo",
    "must-leave-a-board",
    "time-travel-only",
    "reactivation",
    "present-shift",
    "optional-board",
];

/// The manner of a key that is wished for; the words of `worldlines compose --key`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum KeyWish {
    /// Any key.
    Any,
    /// It does not check.
    NoCheck,
    /// It neither checks nor captures, or it offers a piece.
    Fine,
    /// It neither checks nor captures.
    Quiet,
    /// It offers a piece.
    Offer,
    /// A piece travels to another board.
    Travels,
}

/// The usual wishes for a mate in 2.
impl Default for Wishes {
    fn default() -> Wishes {
        Wishes::usual(2)
    }
}

impl Wishes {
    /// The usual wishes for a mate in `mate_in`. A mate in 1 has a key that checks, and no defences.
    pub fn usual(mate_in: u32) -> Wishes {
        let size = |side| BoardSize::new(side, side).expect("a size");
        let is_longer = mate_in > 1;
        // Long mates are endings: little material, on small boards, with a choice of moves on the way.
        let is_long = mate_in > 3;
        Wishes {
            line: None,
            mate_in,
            sizes: if is_long { vec![size(4)] } else { vec![size(4), size(5)] },
            kinds: vec![
                PieceKind::Pawn,
                PieceKind::Knight,
                PieceKind::Bishop,
                PieceKind::Rook,
                PieceKind::Unicorn,
                PieceKind::Dragon,
                PieceKind::Princess,
            ],
            promotions: Promotions::QUEEN,
            unmoved: false,
            least_pieces: 3,
            most_pieces: if is_long { 4 } else { 6 },
            two_timelines: false,
            inactive_timeline: false,
            most_history: if is_long { 0 } else { 3 },
            history_travels: false,
            themes: Vec::new(),
            key: if is_longer { KeyWish::Fine } else { KeyWish::Any },
            key_pieces: Vec::new(),
            least_first_actions: 8,
            least_defences: usize::from(is_longer),
            least_answers: if is_long { 1 } else { 2 * usize::from(is_longer) },
            least_tries: 0,
            most_duals: if is_long { 20 } else { 0 },
            least_score: None,
        }
    }

    /// The usual wishes for a goal: a helpmate or a selfmate, or else a mate. Of one line, there is nothing to wish for but where it comes from and
    /// what it shows.
    pub fn usual_of(line: Option<LineGoal>, mate_in: u32) -> Wishes {
        let usual = Wishes::usual(mate_in);
        match line {
            None => usual,
            Some(_) => Wishes { line, key: KeyWish::Any, least_defences: 0, least_answers: 0, ..usual },
        }
    }

    /// The reason why no composition can meet these wishes, if one is seen without a search.
    ///
    /// ```
    /// use worldlines::compose::Wishes;
    ///
    /// let castling = Wishes { themes: vec!["castling".to_owned()], ..Wishes::default() };
    /// assert_eq!(castling.contradiction().unwrap(), "the theme castling needs pieces that have not moved");
    /// assert_eq!(Wishes { unmoved: true, ..castling }.contradiction(), None);
    /// ```
    pub fn contradiction(&self) -> Option<String> {
        let theme = |theme: &String| {
            let why = self.why_not(theme)?;
            Some(format!("the theme {theme} needs {why}"))
        };
        self.of_numbers().map(str::to_owned).or_else(|| self.themes.iter().find_map(theme))
    }

    /// A contradiction among the wishes that are no themes.
    fn of_numbers(&self) -> Option<&'static str> {
        let is_fine_in_one = matches!(self.key, KeyWish::Any | KeyWish::Travels);
        let has_key_piece = self.key_pieces.is_empty() || self.key_pieces.iter().any(|kind| self.has(*kind));
        let of_one = self.mate_in == 1;
        let numbers = self.least_defences + self.least_answers + self.least_tries + self.most_duals;
        let has_wishes_of_mates = self.key != KeyWish::Any || !self.key_pieces.is_empty() || numbers > 0;
        [
            (self.sizes.is_empty(), "there is no size of boards to choose from"),
            (self.kinds.is_empty(), "there is no kind of pieces to choose from"),
            (self.least_pieces > self.most_pieces, "the fewest pieces are more than the most"),
            (self.line.is_some() && has_wishes_of_mates, "a helpmate or a selfmate is told by one line: no wishes for its key, defences, answers, tries and duals"),
            (of_one && !is_fine_in_one, "the key of a mate in 1 checks and can offer nothing"),
            (of_one && self.most_duals > 0, "a mate in 1 has no defences, so no duals"),
            (of_one && self.least_answers + self.least_defences > 0, "a mate in 1 has no defences"),
            (!has_key_piece, "the piece of the key is not among the kinds to choose from"),
        ]
        .into_iter()
        .find_map(|(is, why)| is.then_some(why))
    }

    /// Whether the solution must show a theme.
    pub(super) fn has_theme(&self, theme: &str) -> bool {
        self.themes.iter().any(|wished| wished == theme)
    }

    /// Whether a piece of this kind may be on the boards.
    fn has(&self, kind: PieceKind) -> bool {
        kind == PieceKind::King
            || self.kinds.contains(&kind)
            || (self.has_pawns() && self.promotions.contains(kind))
    }

    fn has_pawns(&self) -> bool {
        self.kinds.iter().any(|kind| kind.is_pawn_like())
    }

    /// The condition for a theme that these wishes exclude.
    fn why_not(&self, theme: &str) -> Option<&'static str> {
        let several = self.two_timelines || self.inactive_timeline;
        let travelled = self.history_travels && self.most_history > 0;
        let castles = self.unmoved && self.has(PieceKind::Rook);
        let (is_possible, needs) = match theme {
            "quiet" if self.line == Some(LineGoal::Helpmate) => (false, "an opponent who resists"),
            _ if self.line.is_some() && OF_MATES.contains(&theme) => (false, "a mate of the opponent"),
            "game" => (false, "a game that was played"),
            "study" => (false, "no wish: every composition has it"),
            "turn-zero" => (false, "a board of turn zero, and compositions begin at turn 1"),
            "softmate" | "stalemate" | "near-mate" => (false, "a position without a mate"),
            "only-defence" => (false, "a position to be defended"),
            "castling" if self.unmoved => (castles, "rooks among the pieces"),
            "castling" => (false, "pieces that have not moved"),
            "en-passant" if self.unmoved => (self.has_pawns(), "pawns or brawns among the pieces"),
            "en-passant" => (false, "pieces that have not moved"),
            "promotion" | "pawn" => (self.has_pawns(), "pawns or brawns among the pieces"),
            "underpromotion" if self.has_pawns() => {
                let others = self.promotions.iter().any(|kind| kind != PieceKind::Queen);
                (others, "promotions to other pieces than queens")
            }
            "underpromotion" => (false, "pawns or brawns among the pieces"),
            "two-timeline-start" => (self.two_timelines, "two timelines at the start"),
            "two-timelines" | "optional-board" | "must-leave-a-board" => {
                (several || travelled, "two timelines at the start, or actions before it that travel")
            }
            "many-timelines" => (travelled, "actions before it that travel"),
            "reactivation" if self.inactive_timeline => (self.most_history > 1, "two actions before it"),
            "reactivation" => (
                self.history_travels && self.most_history > 2,
                "a timeline that is inactive at the start, or three actions before it, which may travel",
            ),
            "sacrifice" | "zugzwang" | "block" | "changed-mate" | "escape-into-the-past" | "switchback" => {
                (self.mate_in > 1, "a mate in 2 or more")
            }
            piece => match PieceKind::ALL.into_iter().find(|kind| kind.name().replace(' ', "-") == piece) {
                Some(kind) => (self.has(kind), "that piece among the pieces"),
                None => (true, ""),
            },
        };
        (!is_possible).then_some(needs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_theme(theme: &str) -> Wishes {
        Wishes { themes: vec![theme.to_owned()], ..Wishes::default() }
    }

    #[test]
    fn a_wish_that_nothing_can_meet_is_refused_with_its_reason() {
        assert_eq!(Wishes::default().contradiction(), None);
        for theme in
            ["game", "study", "turn-zero", "stalemate", "castling", "underpromotion", "reactivation", "queen"]
        {
            let why = with_theme(theme).contradiction();
            let expected = theme != "queen"; // a pawn becomes one
            assert_eq!(why.is_some(), expected, "{theme}: {why:?}");
        }
        let rooks = Wishes { kinds: vec![PieceKind::Rook], ..with_theme("queen") };
        assert!(rooks.contradiction().unwrap().contains("that piece"));
        let inactive = Wishes { inactive_timeline: true, ..with_theme("reactivation") };
        assert_eq!(inactive.contradiction(), None);
        assert!(Wishes { most_history: 1, ..inactive }.contradiction().is_some());
        let travels = Wishes { history_travels: true, ..with_theme("reactivation") };
        assert_eq!(travels.contradiction(), None);
        assert!(Wishes { most_history: 2, ..travels }.contradiction().is_some());
        assert!(Wishes { mate_in: 1, ..Wishes::default() }.contradiction().unwrap().contains("mate in 1"));
        assert!(Wishes { least_pieces: 7, ..Wishes::default() }.contradiction().is_some());
    }

    #[test]
    fn a_line_has_no_wishes_of_mates() {
        for goal in [LineGoal::Helpmate, LineGoal::Selfmate] {
            let usual = Wishes::usual_of(Some(goal), 2);
            assert_eq!(usual.contradiction(), None);
            // Whatever the boards may be.
            let free = Wishes { two_timelines: true, history_travels: true, ..usual.clone() };
            let theme = |theme: &str| Wishes { themes: vec![theme.to_owned()], ..free.clone() };
            for of_mate in OF_MATES {
                assert!(theme(of_mate).contradiction().is_some(), "{of_mate}");
            }
            for wishes in [
                Wishes { key: KeyWish::Quiet, ..usual.clone() },
                Wishes { key_pieces: vec![PieceKind::King], ..usual.clone() },
                Wishes { least_answers: 1, ..usual.clone() },
                Wishes { most_duals: 1, ..usual.clone() },
            ] {
                assert!(wishes.contradiction().is_some(), "{wishes:?}");
            }
            assert_eq!(theme("switchback").contradiction(), None);
            assert_eq!(theme("quiet").contradiction().is_some(), goal == LineGoal::Helpmate);
        }
    }

    #[test]
    fn every_theme_is_possible_or_has_a_reason() {
        for (theme, _) in crate::puzzle::themes() {
            let free = Wishes {
                kinds: PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King).collect(),
                promotions: Promotions::QUEEN.with(PieceKind::Knight).unwrap(),
                unmoved: true,
                two_timelines: true,
                history_travels: true,
                ..with_theme(theme)
            };
            let never = ["game", "study", "turn-zero", "softmate", "stalemate", "near-mate", "only-defence"];
            assert_eq!(free.contradiction().is_some(), never.contains(&theme), "{theme}");
        }
    }
}
