//! The scores of engines that end a game: one player gives up, or both agree to a draw.
//!
//! The rules are those that hosts of chess engines have (`-resign` and `-draw` of cutechess and fastchess), with actions in place of moves.
//! An announced mate is better, or worse, than every value. An action without a score is passed over: engines have none where only one action is legal.

use std::fmt;

use crate::host::Score;
use crate::types::Color;

/// The scores at which a player gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resign {
    /// The value, in hundredths of a pawn: the player is as far below zero, or farther.
    pub score: i64,
    /// The number of the player's actions in a row with such a score.
    pub actions: usize,
    /// Whether the opponent must be as far above zero in as many actions.
    pub two_sided: bool,
}

/// The scores at which the players agree to a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// The farthest value from zero, in hundredths of a pawn.
    pub score: i64,
    /// The number of actions in a row of each player with such a score.
    pub actions: usize,
    /// The number of actions of both players before which no draw is agreed.
    pub after: usize,
}

impl Resign {
    /// The player who gives up after actions with these scores, if one does. `to_move` has not made the last of them.
    pub fn loser(self, scores: &[Option<Score>], to_move: Color) -> Option<Color> {
        let Resign { score, actions, two_sided } = self;
        let says = |color: Color, is_such: &dyn Fn(i64) -> bool| {
            keeps(scores, usize::from(color == to_move), actions, is_such)
        };
        let is_lost = |color: &Color| {
            says(*color, &|value| value <= -score) && (!two_sided || says(!*color, &|value| value >= score))
        };
        [!to_move, to_move].into_iter().find(is_lost)
    }
}

impl Draw {
    /// Whether the players agree to a draw after actions with these scores.
    pub fn is_agreed(self, scores: &[Option<Score>]) -> bool {
        let is_even = |value| (-self.score..=self.score).contains(&value);
        scores.len() >= self.after
            && [0, 1].into_iter().all(|player| keeps(scores, player, self.actions, is_even))
    }
}

/// Whether the last `actions` scores of a player are such: of the one with the last action (0), or of the other one (1).
fn keeps(scores: &[Option<Score>], player: usize, actions: usize, is_such: impl Fn(i64) -> bool) -> bool {
    let own = scores.iter().rev().skip(player).step_by(2).flatten().take(actions);
    let values: Vec<i64> = own.map(|score| value(*score)).collect();
    values.len() == actions && values.into_iter().all(is_such)
}

/// A score as a number.
fn value(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(1..) => i64::MAX,
        Score::Mate(_) => i64::MIN,
    }
}

/// The settings, as `worldlines match --resign` reads them.
impl fmt::Display for Resign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Resign { score, actions, two_sided } = self;
        write!(f, "score={score} actions={actions}{}", if *two_sided { " two-sided" } else { "" })
    }
}

/// The settings, as `worldlines match --draw` reads them.
impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Draw { score, actions, after } = self;
        write!(f, "score={score} actions={actions} after={after}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(text: &str) -> Vec<Option<Score>> {
        let score = |word: &str| match word.strip_prefix('#') {
            Some(mate) => Some(Score::Mate(mate.parse().unwrap())),
            None => word.parse().ok().map(Score::Centipawns),
        };
        text.split(' ').map(score).collect()
    }

    #[test]
    fn a_player_gives_up_after_a_row_of_bad_scores() {
        let resign = Resign { score: 600, actions: 2, two_sided: false };
        for (text, loser) in [
            // White has made the first action, and the last one of each odd number.
            ("-600 0 -700", Some(Color::White)),
            ("0 -600 0 -601", Some(Color::Black)),
            ("-600 0 -599", None),
            ("-600 0 ? 0 -600", Some(Color::White)),
            ("-600 0 -599 0 -600", None),
            ("-600 -600", None),
            ("#-3 50 #-2", Some(Color::White)),
            ("#3 50 #2", None),
            ("-600", None),
        ] {
            let scores = scores(text);
            let to_move = if scores.len().is_multiple_of(2) { Color::White } else { Color::Black };
            assert_eq!(resign.loser(&scores, to_move), loser, "{text}");
        }
    }

    #[test]
    fn both_sides_must_agree_where_that_is_asked() {
        let resign = Resign { score: 600, actions: 2, two_sided: true };
        assert_eq!(resign.loser(&scores("-600 0 -700"), Color::Black), None);
        assert_eq!(resign.loser(&scores("-600 600 -700"), Color::Black), None, "Black has said it once");
        assert_eq!(resign.loser(&scores("-600 600 -700 #4"), Color::White), Some(Color::White));
        assert_eq!(resign.loser(&scores("600 -600 700 -900"), Color::White), Some(Color::Black));
        assert_eq!(resign.loser(&scores("-900 -600 -700 -900"), Color::White), None);
    }

    #[test]
    fn a_draw_needs_a_row_of_both_and_its_time() {
        let draw = Draw { score: 10, actions: 2, after: 0 };
        assert!(draw.is_agreed(&scores("90 10 -10 0 3")) && draw.is_agreed(&scores("0 0 ? 0 0")));
        for text in ["10 -10 0", "10 -10 0 11", "10 ? 0 0", "0 0 11 0 0", "0 0 0 #5", "0 0 0 -11"] {
            assert!(!draw.is_agreed(&scores(text)), "{text}");
        }
        assert!(!Draw { after: 5, ..draw }.is_agreed(&scores("0 0 0 0")));
        assert!(Draw { after: 4, ..draw }.is_agreed(&scores("0 0 0 0")));
    }
}
