//! The variations of a mate: the answers to each defence, and the duals among them.

use super::listed::{Cut, Listed};
use super::prover::Prover;
use super::{Candidates, Defence, KeyClass};
use crate::state::Position;
use crate::types::{Action, Because, Undecided};

/// A defence with everything that answers it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// The defender's action.
    pub defence: Action,
    /// The number of actions, at least 1, in which the attacker mates after it.
    pub mates_in: u32,
    /// The actions that mate in this number, by class.
    pub answers: Vec<KeyClass>,
}

/// A defence that has answers of several classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dual {
    /// The actions from the start of the puzzle up to the defence: key, defence, and for longer mates answer, defence and so on.
    pub line: Vec<Action>,
    /// The number of actions in which the attacker mates after it.
    pub mates_in: u32,
    /// The actions that mate in this number, by class: at least two classes.
    pub answers: Vec<KeyClass>,
}

impl Prover<'_> {
    /// The actions of the player to move that mate as soon as possible, by class, and in how many actions
    /// they mate. `None` if there is no mate in `n`.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub(crate) fn shortest_mates(
        &mut self,
        position: &Position,
        n: u32,
    ) -> Result<Option<(u32, Vec<KeyClass>)>, Undecided> {
        self.ask_about(position);
        for length in 1..=n {
            // A mate that is known already may be a longer one, so the lengths are asked for one after another.
            if self.mate(position, length, Candidates::Complete)?.is_some() {
                let mut keys = Vec::new();
                self.keys(position, length, &mut keys)?;
                return Ok(Some((length, self.classes(position, length, &keys)?)));
            }
        }
        Ok(None)
    }

    /// The legal actions of the player to move, who defends after a mating action, each with everything that answers it; at most
    /// `most`, in canonical order. A defence without a mate in `left` is a contradiction.
    pub(super) fn variations(&mut self, position: &Position, left: u32, most: usize) -> Listed<Variation> {
        let mut listed = Listed::default();
        let defences = self.sift(position, most, |_, _| Ok(Some(()))).first;
        let mut after = position.clone();
        for (defence, ()) in defences.items {
            after.play_unchecked(&defence);
            let answers = self.shortest_mates(&after, left);
            after.undo_unchecked(&defence);
            let why = match answers {
                Ok(Some((mates_in, answers))) => {
                    listed.items.push(Variation { defence, mates_in, answers });
                    continue;
                }
                Ok(None) => {
                    self.contradict(position, &defence, "a mating action is said to leave this defence");
                    Undecided { steps: self.steps(), because: Because::Unconfirmed }
                }
                Err(why) => why,
            };
            listed.cut = Some(Cut::Undecided(why));
            return listed;
        }
        listed.cut = defences.cut;
        listed
    }

    /// Every defence with answers of several classes, after an action that mates in `n` or less. The lines
    /// continue with one answer of each class. `None` if the action does not mate in time. `each` sees the answers to every defence, with
    /// the position after it.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    ///
    /// # Panics
    ///
    /// When `key` cannot be played.
    pub(crate) fn duals(
        &mut self,
        position: &Position,
        n: u32,
        key: &Action,
        mut each: impl FnMut(&mut Self, &Position, &Variation) -> Result<(), Undecided>,
    ) -> Result<Option<Vec<Dual>>, Undecided> {
        self.ask_about(position);
        let mut after = position.clone();
        after.play_unchecked(key);
        if self.defence(&after, n - 1, Candidates::Complete)?.is_some() {
            return Ok(None);
        }
        let mut duals = Vec::new();
        // The lines still to be followed, each with the number of actions that the attacker has left.
        let mut open = vec![(vec![key.clone()], n - 1)];
        while let Some((line, left)) = open.pop() {
            let mut after = position.clone();
            line.iter().for_each(|action| after.play_unchecked(action));
            for variation in self.variations(&after, left, usize::MAX).found()? {
                after.play_unchecked(&variation.defence);
                each(self, &after, &variation)?;
                after.undo_unchecked(&variation.defence);
                let Variation { defence, mates_in, answers } = variation;
                let line = [&line[..], &[defence]].concat();
                for class in answers.iter().filter(|_| mates_in > 1) {
                    self.charge_memory(class.key())?;
                    open.push(([&line[..], &[class.key().clone()]].concat(), mates_in - 1));
                }
                if answers.len() > 1 {
                    duals.push(Dual { line, mates_in, answers });
                }
            }
        }
        duals.sort_by(|a, b| (a.line.len(), &a.line).cmp(&(b.line.len(), &b.line)));
        Ok(Some(duals))
    }

    /// The legal actions of the player to move after which the opponent cannot force mate in `n`, in
    /// canonical order, and the number of other legal actions that were met. The search stops at `most`
    /// surviving actions; then that number is incomplete.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub(crate) fn surviving_actions(
        &mut self,
        position: &Position,
        n: u32,
        most: usize,
    ) -> Result<(Vec<Action>, u64), Undecided> {
        self.ask_about(position);
        let (mut surviving, mut losing) = (Vec::new(), 0);
        let mut after = position.clone();
        let mut actions = self.actions(position);
        while let Some(action) = self.next_action(&mut actions)? {
            after.play_unchecked(&action);
            let mate = self.answer(&after, n, Candidates::Complete);
            let confirmed = match &mate {
                Ok(Some(mate)) => self.confirm_mate(&after, mate, n),
                _ => Ok(()),
            };
            after.undo_unchecked(&action);
            if mate?.is_some() {
                confirmed?;
                losing += 1;
                continue;
            }
            self.charge_memory(&action)?;
            surviving.push(action);
            if surviving.len() >= most {
                break;
            }
        }
        surviving.sort_unstable();
        Ok((surviving, losing))
    }

    /// The best refutation by the player to move of an action that does not mate; `None` if there is none. It
    /// is the reply after which the attacker mates latest, as far as `more` further actions and `steps` show,
    /// and of equal ones the first in canonical order.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub(crate) fn best_refutation(
        &mut self,
        position: &Position,
        left: u32,
        more: u32,
        steps: u64,
    ) -> Result<Option<Defence>, Undecided> {
        self.ask_about(position);
        let Some(first) = self.defence(position, left, Candidates::Complete)? else { return Ok(None) };
        let searched = self.within(steps, |prover| -> Result<Option<Action>, Undecided> {
            let mut best: Option<(u32, Action)> = None;
            let mut after = position.clone();
            let mut replies = prover.actions(position);
            while let Some(reply) = prover.next_action(&mut replies)? {
                after.play_unchecked(&reply);
                let lasts =
                    (1..=left + more).find_map(|n| match prover.mate(&after, n, Candidates::Complete) {
                        Ok(None) => None,
                        Ok(Some(_)) => Some(Ok(n)),
                        Err(undecided) => Some(Err(undecided)),
                    });
                after.undo_unchecked(&reply);
                let lasts = lasts.transpose()?.unwrap_or(u32::MAX);
                let is_better = |(most, action): &(u32, Action)| (lasts, action) > (*most, &reply);
                if lasts > left && best.as_ref().is_none_or(is_better) {
                    best = Some((lasts, reply));
                }
            }
            Ok(best.map(|(_, reply)| reply))
        });
        match searched {
            Ok(Some(reply)) => Ok(Some(Defence::Action(reply))),
            Ok(None) => Ok(Some(first)),
            Err(undecided) if self.left() == 0 => Err(undecided),
            Err(_) => Ok(Some(first)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;

    #[test]
    fn duals_are_the_variations_with_several_classes() {
        let position = fen5d::parse("[4/KR1R/4/2k1:0:1:w]").into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        let (_, keys) = prover.shortest_mates(&position, 2).unwrap().expect("a mate");
        let key = keys[0].key();
        let mut after = position.clone();
        after.play(key).unwrap();
        let variations = prover.variations(&after, 1, usize::MAX).found().unwrap();
        let expected: Vec<Vec<Action>> = variations
            .iter()
            .filter(|variation| variation.answers.len() > 1)
            .map(|variation| vec![key.clone(), variation.defence.clone()])
            .collect();
        let duals = prover.duals(&position, 2, key, |_, _, _| Ok(())).unwrap().expect("it mates");
        assert_eq!(duals.iter().map(|dual| dual.line.clone()).collect::<Vec<_>>(), expected);
        let wrong = position.legal_actions().find(|action| keys.iter().all(|class| !class.contains(action)));
        assert_eq!(prover.duals(&position, 2, &wrong.unwrap(), |_, _, _| Ok(())), Ok(None));
        assert!(Prover::new(Budget::steps(3)).duals(&position, 2, key, |_, _, _| Ok(())).is_err());
    }

    #[test]
    fn the_best_refutation_lasts_longest() {
        let position = fen5d::parse("[5/5/4k/5/1K1R1:0:1:w]").into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        let mut better = 0;
        for action in position.legal_actions().collect::<Vec<_>>() {
            let mut after = position.clone();
            after.play(&action).unwrap();
            let Some(Defence::Action(any)) = prover.surviving_defence(&after, 1).unwrap() else { continue };
            let best = prover.best_refutation(&after, 1, 1, 200_000).unwrap();
            let Some(Defence::Action(best)) = best else { panic!("there is a refutation") };
            let mut lasts = |reply: &Action| {
                let mut replied = after.clone();
                replied.play(reply).unwrap();
                prover.mating_answer(&replied, 2).unwrap().is_none()
            };
            assert!(lasts(&best) || !lasts(&any), "{action}");
            better += usize::from(lasts(&best) && !lasts(&any));
        }
        assert!(better > 0, "some first refutation was not the best");
    }
}
