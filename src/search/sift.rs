//! The legal actions of a position of which something is true.

use std::collections::BTreeMap;

use super::listed::{Cut, Listed};
use super::prover::Prover;
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The legal actions of a position of which something is true.
pub(super) struct Sifted<T> {
    /// The first of them in canonical order, each with what is true.
    pub(super) first: Listed<(Action, T)>,
    /// The number of them, as far as the search came.
    pub(super) count: u64,
    /// The number of all legal actions, as far as the search came.
    pub(super) seen: u64,
}

impl Prover<'_> {
    /// Goes through the legal actions until the question has an answer for `most` of them, and one more.
    pub(super) fn few<T>(
        &mut self,
        position: &Position,
        most: usize,
        mut question: impl FnMut(&mut Self, &Position, &Action) -> Result<Option<T>, Undecided>,
    ) -> Listed<T> {
        self.ask_about(position);
        let mut listed = Listed::default();
        let mut after = position.clone();
        let mut legal = self.actions(position);
        loop {
            let answer = match self.next_action(&mut legal) {
                Ok(None) => return listed,
                Ok(Some(action)) => {
                    after.play_unchecked(&action);
                    let answer = question(self, &after, &action);
                    after.undo_unchecked(&action);
                    answer
                }
                Err(why) => Err(why),
            };
            match answer {
                Ok(None) => {}
                Ok(Some(item)) if listed.items.len() < most => listed.items.push(item),
                Ok(Some(_)) => {
                    listed.cut = Some(Cut::More(1));
                    return listed;
                }
                Err(why) => {
                    listed.cut = Some(Cut::Undecided(why));
                    return listed;
                }
            }
        }
    }

    /// Goes through all legal actions and keeps the first `most` that the question about the position after them has an answer to.
    pub(super) fn sift<T>(
        &mut self,
        position: &Position,
        most: usize,
        mut question: impl FnMut(&mut Self, &Position) -> Result<Option<T>, Undecided>,
    ) -> Sifted<T> {
        self.ask_about(position);
        let mut first = BTreeMap::new();
        let (mut count, mut seen) = (0, 0);
        let mut after = position.clone();
        let mut legal = self.actions(position);
        let ended = loop {
            let action = match self.next_action(&mut legal) {
                Ok(Some(action)) => action,
                Ok(None) => break None,
                Err(why) => break Some(why),
            };
            after.play_unchecked(&action);
            let answer = question(self, &after);
            after.undo_unchecked(&action);
            match answer {
                Ok(Some(answer)) => {
                    count += 1;
                    if first.len() < most
                        && let Err(why) = self.charge_memory(&action)
                    {
                        break Some(why);
                    }
                    first.insert(action, answer);
                    if first.len() > most {
                        first.pop_last();
                    }
                }
                Ok(None) => {}
                Err(why) => break Some(why),
            }
            seen += 1;
        };
        let mut first = Listed::of(first.into_iter().collect(), count);
        first.cut = ended.map(Cut::Undecided).or(first.cut);
        Sifted { first, count, seen }
    }
}
