//! Everything that is true of a goal in one position: keys, variations, duals, threats, tries, set play and lines.
//!
//! [`Analysis`] stands in `search` and not beside puzzle files, because `solve`, the composer and the board analyse positions that no
//! file holds. Commands ask here, so that no two of them can say different things of one position. Begin with
//! [`Analysis::solution`].
//!
//! A list is [`Listed`]: complete, or with the reason why not. Keys and duals have evidence; [`Analysis::confirms`] asks for that of
//! other answers.

use std::collections::BTreeMap;

use super::answers::{Dual, Variation};
use super::evidence::Evidence;
use super::helpmate::Helpmates;
use super::keys::KeyClass;
use super::listed::{Cut, Listed};
use super::mate::Solution;
use super::prover::Prover;
use super::selfmate::{ForcedReply, Selfmates};
use super::sift::Sifted;
use super::tries::{Refutations, Try, after_null_action};
use super::{Defence, Verdict};
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The mates that a player has if the opponent passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Threat {
    /// The opponent is in check or cannot pass, so there is nothing to threaten.
    Nothing,
    /// There is no mate in time if the opponent passes.
    Zugzwang,
    /// The actions that mate as soon as possible then, by class.
    Mates(Vec<KeyClass>),
}

/// The answers that would be there if the opponent were to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetPlay {
    /// The position after a pass of the player to move.
    pub passed: Position,
    /// The actions of the opponent that are met by a mate in time, in canonical order.
    pub met: Listed<Variation>,
    /// The number of them, as far as the search came.
    pub count: u64,
    /// The number of all actions of the opponent, as far as the search came.
    pub defences: u64,
}

/// An action that looks right and fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failing {
    /// The action.
    pub action: Action,
    /// The number of replies that refute it, if they were counted. A stalemate has none.
    pub refutations: Option<u64>,
    /// The refutation after which a mate takes longest, or stalemate.
    pub best: Defence,
}

/// An action after which the opponent mates in time, where the goal is to survive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Losing {
    /// The action.
    pub action: Action,
    /// In how many actions the opponent mates.
    pub mates_in: u32,
    /// The action with which that begins.
    pub mate: Action,
}

/// The most wrong actions that are compared for [`Analysis::tries`].
const COMPARED: usize = 400;
/// The most steps for the best refutation of a wrong action. Beyond them any refutation will do.
const BEST_STEPS: u64 = 20_000;
/// The number of actions beyond N in which a mate after a refutation is looked for: refutations that last longer are better.
const BEYOND: u32 = 1;

/// The analysis of a goal in N actions in one position. Each question is answered when it is asked; the answers that other questions
/// need are remembered.
///
/// ```
/// use worldlines::notation::fen5d;
/// use worldlines::search::{Analysis, Budget, Prover};
///
/// let position = fen5d::parse("[4/KR1R/4/2k1:0:1:w]").into_result()?;
/// let mut prover = Prover::new(Budget::default());
/// let mut analysis = Analysis::new(&mut prover, &position, 2);
/// let key = analysis.solution().keys[0].key().clone();
/// let variations = analysis.variations(&[key], 1, usize::MAX);
/// assert!(variations.is_complete() && !variations.items.is_empty());
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub struct Analysis<'a, 's> {
    /// The prover, for questions about positions that follow from this one.
    pub(crate) prover: &'a mut Prover<'s>,
    start: &'a Position,
    n: u32,
    /// The opinion of the search about all keys.
    searched: Option<Solution>,
    /// The same with evidence.
    confirmed: Option<Solution>,
    /// The evidence for single first actions.
    evidence: BTreeMap<Action, Result<Evidence, Undecided>>,
    selfmates: Option<Selfmates>,
}

impl<'a, 's> Analysis<'a, 's> {
    /// The analysis of a goal in `n` actions, at least 1, that a prover pays for.
    pub fn new(prover: &'a mut Prover<'s>, start: &'a Position, n: u32) -> Analysis<'a, 's> {
        let (searched, confirmed, selfmates) = (None, None, None);
        Analysis { prover, start, n, searched, confirmed, evidence: BTreeMap::new(), selfmates }
    }

    /// The position.
    pub fn start(&self) -> &'a Position {
        self.start
    }

    /// N of the goal.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The prover, for actions to be listed and for the steps that are left.
    pub fn prover(&mut self) -> &mut Prover<'s> {
        self.prover
    }

    /// All keys of a mate in N, with evidence: see [`Prover::solve`].
    pub fn solution(&mut self) -> &Solution {
        if self.confirmed.is_none() {
            let mut solution = self.searched().clone();
            if solution.verdict == Verdict::Proven {
                self.prover.confirm_keys(self.start, self.n, &mut solution);
            }
            self.confirmed = Some(solution);
        }
        self.confirmed.as_ref().expect("it was computed")
    }

    /// One mating action, with evidence, or that there is none: see [`Prover::solve`].
    pub fn mate(&mut self) -> Solution {
        self.prover.solve(self.start, self.n, false)
    }

    /// All keys of a mate in N in the opinion of the search, for whoever asks for [`Analysis::evidence`] of those that count.
    pub(crate) fn searched(&mut self) -> &Solution {
        let Analysis { prover, start, n, searched, .. } = self;
        searched.get_or_insert_with(|| prover.search_for(start, *n, true))
    }

    /// The evidence that a first action mates in N or fewer: that of the solution, where it is known.
    ///
    /// # Errors
    ///
    /// When there is none: see [`Prover::confirm`].
    pub fn evidence(&mut self, key: &Action) -> Result<&Evidence, Undecided> {
        let Analysis { prover, start, n, confirmed, evidence, .. } = self;
        let known = confirmed.iter().flat_map(|solution| &solution.evidence);
        if let Some(known) = known.into_iter().find(|known| known.key == *key) {
            return Ok(known);
        }
        let asked = evidence.entry(key.clone()).or_insert_with(|| prover.confirm(start, key, *n));
        asked.as_ref().map_err(|why| *why)
    }

    /// The position after some actions from the start.
    ///
    /// # Panics
    ///
    /// When they cannot be played.
    pub fn after(&self, line: &[Action]) -> Position {
        after(self.start, line)
    }

    /// A line that begins with a mating action: the opponent resists as long as possible, and the last action mates. `None` if the action
    /// does not mate in N.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn line(&mut self, key: &Action) -> Result<Option<Vec<Action>>, Undecided> {
        self.prover.line(self.start, self.n, key)
    }

    /// The defences after a line that ends with an action which mates in `left` more, each with everything that mates as soon as
    /// possible after it; at most `most`, in canonical order.
    pub fn variations(&mut self, line: &[Action], left: u32, most: usize) -> Listed<Variation> {
        let position = self.after(line);
        self.prover.variations(&position, left, most)
    }

    /// Whether a certificate of every class of answers is accepted, in the position after the defence.
    pub fn confirms(&mut self, defended: &Position, variation: &Variation) -> bool {
        let Variation { mates_in, answers, .. } = variation;
        answers.iter().all(|class| self.prover.confirm_mate(defended, class.key(), *mates_in).is_ok())
    }

    /// The defences with answers of several classes, at every turn after these keys, with evidence for each answer. Keys that do not mate in
    /// N have none.
    ///
    /// # Errors
    ///
    /// When the budget is spent first, or an answer has no evidence.
    pub fn duals(&mut self, keys: &[Action]) -> Result<Vec<Dual>, Undecided> {
        let mut all = Vec::new();
        for key in keys {
            all.extend(self.duals_after(key, |_, _, _| Ok(()))?);
        }
        Ok(all)
    }

    pub(super) fn duals_after(
        &mut self,
        key: &Action,
        each: impl FnMut(&mut Prover<'s>, &Position, &Variation) -> Result<(), Undecided>,
    ) -> Result<Vec<Dual>, Undecided> {
        let duals = self.prover.duals(self.start, self.n, key, each)?.unwrap_or_default();
        for Dual { line, mates_in, answers } in &duals {
            let position = self.after(line);
            for answer in answers.iter().flat_map(KeyClass::keys) {
                self.prover.confirm_mate(&position, answer, *mates_in)?;
            }
        }
        Ok(duals)
    }

    /// The mates that a first action threatens: those in fewer than N actions if the opponent passes after it.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn threat(&mut self, key: &Action) -> Result<Threat, Undecided> {
        let position = self.after(std::slice::from_ref(key));
        if self.n == 1 || position.is_in_check() {
            return Ok(Threat::Nothing);
        }
        let Some(passed) = after_null_action(&position) else { return Ok(Threat::Nothing) };
        let mates = self.prover.shortest_mates(&passed, self.n - 1)?;
        Ok(mates.map_or(Threat::Zugzwang, |(_, classes)| Threat::Mates(classes)))
    }

    /// The answers to the opponent's actions if the opponent were to move: those of at most `most` actions are listed. `None` for a mate in
    /// one, and where the player to move cannot pass.
    pub fn set_play(&mut self, most: usize) -> Option<SetPlay> {
        let passed = after_null_action(self.start).filter(|_| self.n > 1)?;
        let left = self.n - 1;
        let Sifted { first, count, seen } =
            self.prover.sift(&passed, most, |prover, after| prover.shortest_mates(after, left));
        let variation = |(defence, (mates_in, answers))| Variation { defence, mates_in, answers };
        let met = Listed { items: first.items.into_iter().map(variation).collect(), cut: first.cut };
        Some(SetPlay { passed, met, count, defences: seen })
    }

    /// The actions that look right and fail ([`Prover::is_plausible`]), at most `most`: first those that the fewest replies refute, and
    /// of those the first in canonical order.
    pub fn tries(&mut self, most: usize) -> Listed<Failing> {
        let wrong = match self.prover.plausible_tries(self.start, self.n, COMPARED) {
            Ok(wrong) => wrong,
            Err(why) => return Listed { items: Vec::new(), cut: Some(Cut::Undecided(why)) },
        };
        let worth = self.prover.left() / 2 / wrong.items.len().max(1) as u64;
        let count = wrong.items.len() as u64;
        let mut ranked = Vec::new();
        for Try { action, refutation } in wrong.items {
            let tried = self.after(std::slice::from_ref(&action));
            let counted = self.prover.within(worth, |prover| prover.refutations(&tried, self.n - 1));
            ranked.push((counted.map_or(u64::MAX, |refutations| refutations.count), action, refutation));
        }
        ranked.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        ranked.truncate(most);
        let items = ranked.into_iter().map(|(count, action, refutation)| {
            let tried = self.after(std::slice::from_ref(&action));
            let best = self.prover.best_refutation(&tried, self.n - 1, BEYOND, BEST_STEPS);
            let best = best.ok().flatten().unwrap_or(refutation);
            Failing { action, refutations: (count < u64::MAX).then_some(count), best }
        });
        let mut listed = Listed::of(items.collect(), count);
        listed.cut = wrong.cut.or(listed.cut);
        listed
    }

    /// The number of replies to a first action after which there is no mate in time, and of all replies.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn count_refutations(&mut self, action: &Action) -> Result<Refutations, Undecided> {
        let tried = self.after(std::slice::from_ref(action));
        self.prover.refutations(&tried, self.n - 1)
    }

    /// The replies to a first action after which there is no mate in time, at most `most`, in canonical order.
    pub fn refutations(&mut self, action: &Action, most: usize) -> Listed<Action> {
        let tried = self.after(std::slice::from_ref(action));
        let left = self.n - 1;
        let refuting = self.prover.sift(&tried, most, |prover, replied| {
            // After the last action of the attacker every legal reply refutes.
            let mate = if left == 0 { None } else { prover.mating_answer(replied, left)? };
            Ok(mate.is_none().then_some(()))
        });
        let Listed { items, cut } = refuting.first;
        Listed { items: items.into_iter().map(|(reply, ())| reply).collect(), cut }
    }

    /// Every legal first action among those `wanted` that does not mate in N, with a reply that refutes it.
    ///
    /// # Errors
    ///
    /// When the budget or the memory for lists is spent first.
    pub fn wrong_actions(
        &mut self,
        wanted: impl FnMut(&mut Prover<'s>, &Action) -> Result<bool, Undecided>,
    ) -> Result<Vec<Try>, Undecided> {
        self.prover.wrong_actions(self.start, self.n, wanted)
    }

    /// The first actions after which the opponent cannot force mate in N, and the number of other legal ones that were
    /// met before `most` were found.
    ///
    /// # Errors
    ///
    /// When the budget is spent first, or a mate has no evidence.
    pub fn surviving_actions(&mut self, most: usize) -> Result<(Vec<Action>, u64), Undecided> {
        self.prover.surviving_actions(self.start, self.n, most)
    }

    /// First actions after which the opponent mates in at most N, at most `most`.
    pub fn losing_actions(&mut self, most: usize) -> Listed<Losing> {
        let n = self.n;
        self.prover.few(self.start, most, |prover, after, action| {
            let mate = prover.shortest_mates(after, n)?;
            Ok(mate.map(|(mates_in, keys)| {
                let mate = keys[0].key().clone();
                Losing { action: action.clone(), mates_in, mate }
            }))
        })
    }

    /// First actions that do not force a selfmate in N and hold no key that does, at most `most`, each with what the opponent
    /// plays against it.
    pub fn escapes(&mut self, most: usize) -> Listed<Try> {
        let keys = self.selfmates().keys.clone();
        let left = self.n - 1;
        self.prover.few(self.start, most, |prover, after, action| {
            if keys.iter().flat_map(KeyClass::keys).any(|key| action.contains(key)) {
                return Ok(None);
            }
            let evasion = prover.selfmate_evasion(after, left)?;
            Ok(evasion.map(|refutation| Try { action: action.clone(), refutation }))
        })
    }

    /// The fewest actions, at most N, in which both players together mate the player to move.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn shortest_helpmate(&mut self) -> Result<Option<u32>, Undecided> {
        self.prover.shortest_helpmate(self.start, self.n)
    }

    /// The helpmates in N, at most `most`.
    pub fn helpmates(&mut self, most: usize) -> Helpmates {
        self.prover.helpmates(self.start, self.n, most)
    }

    /// The helpmates that there would be if the opponent began, at most `most`, and the position after a pass. `None` where the player to
    /// move cannot pass.
    pub fn set_helpmates(&mut self, most: usize) -> Option<(Position, Helpmates)> {
        let passed = after_null_action(self.start)?;
        let help = self.prover.help_from(&passed, 2 * self.n as usize - 1, most);
        Some((passed, help))
    }

    /// All keys of a selfmate in N.
    pub fn selfmates(&mut self) -> &Selfmates {
        let Analysis { prover, start, n, selfmates, .. } = self;
        selfmates.get_or_insert_with(|| prover.selfmates(start, *n, true))
    }

    /// One action that forces a selfmate in N, or that there is none.
    pub fn selfmate(&mut self) -> Selfmates {
        self.prover.selfmates(self.start, self.n, false)
    }

    /// The replies to a key of a selfmate, each with the action that goes on; at most `most` of them. Empty if the action forces none.
    pub fn forced_replies(&mut self, key: &Action, most: usize) -> Listed<ForcedReply> {
        let position = self.after(std::slice::from_ref(key));
        match self.prover.forced_replies(&position, self.n - 1) {
            Ok(replies) => {
                let mut replies = replies.unwrap_or_default();
                let count = replies.len() as u64;
                replies.truncate(most);
                Listed::of(replies, count)
            }
            Err(why) => Listed { items: Vec::new(), cut: Some(Cut::Undecided(why)) },
        }
    }

    /// A line of a selfmate that begins with this action; `None` if the action does not force it. The opponent resists as long as
    /// possible, and mates with the last action.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn selfmate_line(&mut self, key: &Action) -> Result<Option<Vec<Action>>, Undecided> {
        self.prover.selfmate_line(self.start, self.n, key)
    }
}

fn after(position: &Position, line: &[Action]) -> Position {
    let mut after = position.clone();
    line.iter().for_each(|action| after.play_unchecked(action));
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;
    use crate::types::RuleProfile;

    /// A mate in two among thousands of defences: only moves of the middle board are met when Black begins.
    fn three_boards() -> Position {
        let text = "[k7/6p1/1K5P/8/8/8/8/6R1:-1:1:w][1qr1n2k/8/8/8/8/8/4PP2/6K1:0:1:w]\
                    [1qr1n2k/8/8/8/8/8/4PP2/6K1:1:1:w]";
        let mut setup = fen5d::parse(text).into_result().unwrap().to_setup();
        setup.profile = RuleProfile::orthodox();
        Position::from_setup(&setup).unwrap()
    }

    /// The only defences that are met are none of the first thousand.
    #[test]
    fn all_set_play_is_looked_at() {
        let start = three_boards();
        let mut prover = Prover::new(Budget::steps(100_000_000));
        let found = Analysis::new(&mut prover, &start, 2).set_play(1).expect("Black can begin");
        assert_eq!((found.count, found.defences), (900, 2700));
        assert_eq!((found.met.items.len(), found.met.cut), (1, Some(Cut::More(899))));
    }

    #[test]
    fn a_list_that_the_budget_cuts_says_so() {
        let start = three_boards();
        let mut prover = Prover::new(Budget::steps(5_000));
        let found = Analysis::new(&mut prover, &start, 2).set_play(1).expect("Black can begin");
        assert!(found.met.undecided().is_some() && found.defences < 2700);
        let mut prover = Prover::new(Budget::steps(5_000));
        let mut analysis = Analysis::new(&mut prover, &start, 2);
        let key = start.legal_actions().next().unwrap();
        assert!(!analysis.refutations(&key, 10).is_complete());
        assert!(analysis.tries(10).undecided().is_some());
    }

    #[test]
    fn a_limit_keeps_the_first_and_counts_the_rest() {
        let start = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        let mut analysis = Analysis::new(&mut prover, &start, 2);
        let key = analysis.solution().keys[0].key().clone();
        let all = analysis.variations(std::slice::from_ref(&key), 1, usize::MAX);
        assert!(all.is_complete() && all.items.len() > 1);
        assert!(all.items.is_sorted_by(|one, other| one.defence < other.defence));
        let first = analysis.variations(std::slice::from_ref(&key), 1, 1);
        assert_eq!(first.items, all.items[..1]);
        assert_eq!(first.cut, Some(Cut::More(all.items.len() as u64 - 1)));
    }

    /// The listed refutations are as many as are counted.
    #[test]
    fn refutations_are_listed_and_counted_alike() {
        let start = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        let mut analysis = Analysis::new(&mut prover, &start, 2);
        let tries = analysis.tries(100);
        assert!(tries.is_complete() && !tries.items.is_empty());
        for Failing { action, refutations, best } in tries.items {
            let listed = analysis.refutations(&action, usize::MAX);
            assert_eq!(Some(listed.items.len() as u64), refutations);
            assert!(matches!(best, Defence::Action(reply) if listed.items.contains(&reply)));
        }
    }
}
