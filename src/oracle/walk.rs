//! Asks an oracle about the positions of a game, and stops where it parts from the rules.

use std::time::Duration;

use super::{Answer, Difference, Oracle, Own, Question, Shrunk, compare, shrink};
use crate::notation::Game;
use crate::state::Position;
use crate::types::Action;

/// How an oracle is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// The most actions that are listed for a position, and up to which they are counted.
    pub cap: u64,
    /// The most legal actions of a position of which the oracle is asked whether they may be played.
    pub tries: usize,
    /// How long the oracle may think about a position.
    pub time: Duration,
    /// The most questions that it takes to make a position with a difference smaller; with 0 it stays as it is.
    pub shrinking: u64,
}

/// A position about which an oracle says something else.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// How many actions of the game come before it.
    pub index: usize,
    /// The position.
    pub position: Position,
    /// What differs; the most telling difference first.
    pub differences: Vec<Difference>,
    /// The position made smaller, where that was possible.
    pub shrunk: Option<Shrunk>,
}

/// What came of the questions about a game.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    /// About how many positions the oracle has said something that could be compared.
    pub compared: u64,
    /// Why it could not be asked about others.
    pub not_asked: Vec<String>,
    /// Where it differs.
    pub divergences: Vec<Divergence>,
}

impl Asking {
    /// Asks about the positions after so many actions, in their order, up to the first one where the oracle says something else.
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

    /// Asks about the position after so many actions.
    fn position(&self, oracle: &mut dyn Oracle, own: &Own, game: &Game, index: usize, walked: &mut Walked) {
        let prefix = game.until(index);
        let position = prefix.end();
        let expected = own.figures(&position, self.cap);
        let tries = spread(expected.actions.iter().flatten(), self.tries);
        let question =
            Question { game: &prefix, position: &position, cap: self.cap, tries: &tries, time: self.time };
        let answer = oracle.ask(&question);
        if let Answer::NotAsked(why) = answer {
            walked.not_asked.push(why);
            return;
        }
        walked.compared += 1;
        let differences = compare(&question, &expected, oracle.manifest(), &answer);
        let Some(first) = differences.first() else { return };
        let shrunk =
            if self.shrinking == 0 { None } else { shrink(oracle, own, &question, first, self.shrinking) };
        walked.divergences.push(Divergence { index, position, differences, shrunk });
    }
}

/// At most so many of these, from everywhere in their order.
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
