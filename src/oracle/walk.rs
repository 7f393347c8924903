//! Asks an oracle about the positions of a game, and stops at the first difference.

use std::time::Duration;

use super::{Answer, Difference, Oracle, Own, Question, Shrunk, compare, shrink};
use crate::notation::Game;
use crate::state::Position;
use crate::types::Action;

/// The settings for questions to an oracle.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// The most actions to list for a position, and the number up to which they are counted.
    pub cap: u64,
    /// The most legal actions of a position to test: the oracle says whether they may be played.
    pub tries: usize,
    /// The time of the oracle for a position.
    pub time: Duration,
    /// The most questions for making a position with a difference smaller; with 0 this is not tried.
    pub shrinking: u64,
}

/// A position with differences.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The number of actions of the game before it.
    pub index: usize,
    /// The position.
    pub position: Position,
    /// The differences, the most telling first.
    pub differences: Vec<Difference>,
    /// The smaller position, if there is one.
    pub shrunk: Option<Shrunk>,
}

/// The result of asking about a game.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    /// The number of positions that the oracle was asked about, also if it failed to answer.
    pub compared: u64,
    /// The other positions, after so many actions of the game, and the reason why nothing was compared there.
    pub not_asked: Vec<(usize, String)>,
    /// The positions with differences.
    pub divergences: Vec<Divergence>,
}

impl Asking {
    /// Asks about the positions after these numbers of actions, in order, up to the first one with a
    /// difference.
    pub fn first_divergence(
        &self,
        oracle: &mut dyn Oracle,
        own: &Own,
        game: &Game,
        indices: impl IntoIterator<Item = usize>,
    ) -> Walked {
        let mut walked = Walked::default();
        for index in indices {
            self.position(oracle, own, game, index, &mut walked);
            if !walked.divergences.is_empty() {
                break;
            }
        }
        walked
    }

    /// Asks about the position after `index` actions.
    fn position(&self, oracle: &mut dyn Oracle, own: &Own, game: &Game, index: usize, walked: &mut Walked) {
        let prefix = game.until(index);
        let position = prefix.end();
        let expected = own.figures(&position, self.cap);
        let tries = spread(expected.actions.iter().flatten(), self.tries);
        let question =
            Question { game: &prefix, position: &position, cap: self.cap, tries: &tries, time: self.time };
        let answer = oracle.ask(&question);
        let differences = compare(&question, &expected, oracle.manifest(), &answer);
        match answer {
            Answer::NotAsked(why) => return walked.not_asked.push((index, why)),
            Answer::Figures(figures) if differences.is_empty() && figures.is_empty() => {
                return walked.not_asked.push((index, "it gives no figures, only the boards".to_owned()));
            }
            _ => walked.compared += 1,
        }
        let Some(first) = differences.first() else { return };
        let shrunk =
            if self.shrinking == 0 { None } else { shrink(oracle, own, &question, first, self.shrinking) };
        walked.divergences.push(Divergence { index, position, differences, shrunk });
    }
}

/// At most `most` of these actions, spread evenly over their order.
fn spread<'a>(actions: impl Iterator<Item = &'a Action>, most: usize) -> Vec<Action> {
    let all: Vec<&Action> = actions.collect();
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(step).take(most).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_comes_from_everywhere_in_the_list() {
        let all: Vec<Action> = Position::default().legal_actions().collect();
        assert_eq!(all.len(), 20);
        for (most, places) in [(4, vec![0, 5, 10, 15]), (7, vec![0, 3, 6, 9, 12, 15, 18]), (0, vec![])] {
            let expected: Vec<Action> = places.into_iter().map(|place: usize| all[place].clone()).collect();
            assert_eq!(spread(all.iter(), most), expected, "{most}");
        }
        assert_eq!(spread(all.iter(), 30), all);
    }
}
