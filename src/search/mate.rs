//! Mate in N: proven against every legal defence, refuted with a defence that survives, or undecided.
//!
//! N counts the attacker's actions. The search looks at checks first; only a complete search shows that there
//! is no mate, that no mate is shorter, or that all keys were found. For mates in three and more it
//! alternates with a second search for long mates by checks (`tree`). Begin at [`Prover::solve`].
//!
//! Work is counted in search steps, so the same question with the same budget has the same answer on every
//! machine.

use super::keys::KeyClass;
use super::parallel::Beside;
use super::prover::Prover;
use super::tree::Tree;
use super::{Budget, Candidates, Defence, Evidence, Try, Verdict};
use crate::rules::Count;
use crate::state::Position;
use crate::types::{Action, Because, Undecided};

/// A question to [`solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solve {
    /// N: the number of actions that the attacker, who is to move, may use. At least 1.
    pub mate_in: u32,
    /// Whether to find every key, instead of one action that mates.
    pub all: bool,
    /// The limits of the search.
    pub budget: Budget,
}

/// The answer of [`solve`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Whether there is a mate in N. Proven means that there is evidence: see [`Solution::evidence`].
    pub verdict: Verdict,
    /// The keys that force mate in N or less, by class. If `complete` is false, the mating actions found so
    /// far, each as a class of its own. All are confirmed by evidence unless the verdict is undecided; then
    /// none is.
    pub keys: Vec<KeyClass>,
    /// An action that mates in [`Solution::mates_in`]. It may have moves that a key of a longer mate would
    /// not need.
    pub soonest: Option<Action>,
    /// The accepted certificates: of [`Solution::soonest`] and of one key of each class, as far as the budget
    /// for evidence sufficed.
    pub evidence: Vec<Evidence>,
    /// Whether every legal first action was examined, so that there are no other keys. False if the search stopped at
    /// the first mate.
    pub complete: bool,
    /// The number of legal first actions, if `complete`. A capped count means at least this many; `complete`
    /// can still be true.
    pub legal_actions: Count,
    /// The number of first actions that mate in N or less. A capped count means at least this many.
    pub mating_actions: Count,
    /// The number of actions in which the attacker mates at the latest, as far as it was shown.
    pub mates_in: Option<u32>,
    /// The smallest number of actions in which the attacker mates, if known. It is unknown if a long mate by
    /// checks was found first and the budget did not suffice to exclude shorter ones.
    pub shortest: Option<u32>,
    /// The candidates among which the mate was found, if there is one.
    pub found_by: Option<Candidates>,
    /// If there is no mate: an action that does not mate, preferably a check, and its refutation.
    pub near_miss: Option<Try>,
    /// The reason why the verdict is undecided or the keys are incomplete.
    pub undecided: Option<Undecided>,
    /// The search steps spent.
    pub steps: u64,
}

/// A mate that was found.
struct Mate {
    length: u32,
    action: Action,
    by: Candidates,
}

impl Solution {
    fn note_mate(&mut self, Mate { length, action, by }: Mate) {
        self.verdict = Verdict::Proven;
        self.mates_in = Some(length);
        self.found_by = Some(by);
        self.mating_actions.count = 1;
        self.soonest = Some(action.clone());
        self.keys = vec![KeyClass::single(action)];
    }

    fn note_shortest(&mut self, mate: Mate) {
        self.shortest = Some(mate.length);
        self.note_mate(mate);
    }

    /// The class to which this action belongs, if it is one of the keys that were found.
    pub fn class_of(&self, action: &Action) -> Option<&KeyClass> {
        self.keys.iter().find(|class| class.contains(action))
    }
}

/// [`Prover::solve`] for a single question.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use worldlines::notation::fen5d;
/// use worldlines::search::{Budget, Solve, Verdict, solve};
///
/// let position = fen5d::parse("[5k/w5/5K/1R4:0:1:w]").into_result()?;
/// let solution = solve(&position, Solve { mate_in: 1, all: true, budget: Budget::default() });
/// assert_eq!(solution.verdict, Verdict::Proven);
/// # Ok(())
/// # }
/// ```
pub fn solve(position: &Position, question: Solve) -> Solution {
    Prover::new(question.budget).solve(position, question.mate_in, question.all)
}

/// The search steps of the first turn of each of the two searches. Later turns are longer.
const FIRST_TURN: u64 = 50_000;

/// The steps that counting may take, if the answer itself took `spent` steps.
fn allowance_of_a_count(spent: u64) -> u64 {
    spent.saturating_add(5_000)
}

impl Prover<'_> {
    /// Looks for mates in `mate_in` (at least 1) by the player to move: for all keys or for one mating
    /// action. A mate counts as proven only if a certificate of it was accepted.
    ///
    /// # Panics
    ///
    /// A contradiction panics: see [`Prover::confirm`].
    pub fn solve(&mut self, position: &Position, mate_in: u32, all: bool) -> Solution {
        let mut solution = self.search_for(position, mate_in, all);
        if solution.verdict == Verdict::Proven {
            self.confirm_keys(position, mate_in, &mut solution);
        }
        solution
    }

    /// [`Prover::solve`] without evidence: the opinion of the search, for callers that confirm their results
    /// themselves.
    pub(crate) fn search_for(&mut self, position: &Position, mate_in: u32, all: bool) -> Solution {
        let before = self.steps();
        let none = Count { count: 0, capped: true };
        let mut solution = Solution {
            verdict: Verdict::Undecided,
            keys: Vec::new(),
            soonest: None,
            evidence: Vec::new(),
            complete: false,
            legal_actions: none,
            mating_actions: none,
            mates_in: None,
            shortest: None,
            found_by: None,
            near_miss: None,
            undecided: None,
            steps: 0,
        };
        self.ask_about(position);
        // If the search ends early, the fields that it has not reached stay unknown.
        solution.undecided = self.fill(position, mate_in, all, &mut solution).err();
        solution.steps = self.steps() - before;
        if solution.complete {
            solution.legal_actions = self.count(position, solution.steps);
        }
        solution
    }

    fn fill(
        &mut self,
        position: &Position,
        mate_in: u32,
        all: bool,
        solution: &mut Solution,
    ) -> Result<(), Undecided> {
        self.find(position, mate_in, all, solution)?;
        if solution.verdict == Verdict::Undecided {
            solution.verdict = Verdict::Refuted;
            solution.complete = true;
            solution.mating_actions.capped = false;
            solution.near_miss = self.near_miss(position, mate_in)?;
        } else if all {
            let mut keys = Vec::new();
            let complete = self.keys(position, mate_in, &mut keys);
            if !keys.is_empty() {
                solution.mating_actions.count = keys.len() as u64;
                solution.keys = keys.iter().cloned().map(KeyClass::single).collect();
            }
            complete?;
            solution.keys = self.classes(position, mate_in, &keys)?;
            solution.complete = true;
            // The keys are the answer. The number of all mating actions, which have further moves, may take
            // too long to count.
            let worth = allowance_of_a_count(self.steps());
            let count = self.within(worth, |prover| prover.count_mating_actions(position, mate_in, &keys))?;
            solution.mating_actions = Count { count, capped: false };
        }
        Ok(())
    }

    /// Looks for a mate with two searches by turns: by length, where the first mate found is the shortest,
    /// and best first, which finds long mates sooner.
    fn find(
        &mut self,
        position: &Position,
        mate_in: u32,
        all: bool,
        solution: &mut Solution,
    ) -> Result<(), Undecided> {
        let before = self.steps();
        let (mut refuted, mut longest) = (0, mate_in);
        let mut tree = (mate_in > 2).then(|| Tree::new(mate_in));
        let mut turn = FIRST_TURN;
        while let Some(growing) = &mut tree {
            let mut beside = Beside::turn(growing, turn.min(self.left().saturating_sub(turn)));
            let in_order =
                |prover: &mut Self| prover.find_in_order(position, longest, &mut refuted, &mut beside);
            if let Some(found) = self.turn(turn, in_order)? {
                found.into_iter().for_each(|mate| solution.note_shortest(mate));
                return Ok(());
            }
            match self.turn(turn, |prover| prover.end_turn(beside, position))? {
                None => turn = turn.saturating_mul(4),
                Some(None) => tree = None,
                Some(Some((length, action))) => {
                    solution.note_mate(Mate { length, action, by: Candidates::Checks });
                    (tree, longest) = (None, length - 1);
                }
            }
        }
        // Showing that a mate is the shortest may cost as much as finding it did, unless all mates are
        // wanted.
        let is_enough = solution.mates_in.is_some() && !all;
        let allowance = if is_enough { FIRST_TURN + self.steps() - before } else { self.left() };
        let mut alone = Beside::default();
        let in_order = |prover: &mut Self| prover.find_in_order(position, longest, &mut refuted, &mut alone);
        match self.within(allowance, in_order)? {
            Some(mate) => solution.note_shortest(mate),
            None => solution.shortest = solution.mates_in,
        }
        Ok(())
    }

    /// Confirms the mate that was found first, and one key of each class. Without any evidence the verdict is
    /// undecided; with evidence for only some, the keys are incomplete.
    pub(super) fn confirm_keys(&mut self, position: &Position, mate_in: u32, solution: &mut Solution) {
        let length = solution.mates_in.unwrap_or(mate_in);
        let soonest: Vec<_> = solution.soonest.iter().map(|key| (key.clone(), length)).collect();
        let mut confirmed = self.confirm_each(position, &soonest);
        let is_open = |class: &&KeyClass| !confirmed.iter().flatten().any(|known| known.key == *class.key());
        let others = solution.keys.iter().filter(is_open).map(|class| (class.key().clone(), mate_in));
        let others: Vec<_> = others.collect();
        confirmed.extend(self.confirm_each(position, &others));
        let open = confirmed.iter().find_map(|confirmed| confirmed.as_ref().err().copied());
        let evidence: Vec<Evidence> = confirmed.into_iter().flatten().collect();
        if !evidence.is_empty() {
            let is_confirmed = |class: &KeyClass| evidence.iter().any(|known| known.key == *class.key());
            solution.keys.retain(is_confirmed);
        }
        solution.complete &= open.is_none();
        solution.undecided = solution.undecided.or(open);
        self.compare_lengths(position, &evidence, solution);
        solution.evidence = evidence;
    }

    /// Replaces the lengths that the search named by those that evidence shows.
    fn compare_lengths(&mut self, position: &Position, evidence: &[Evidence], solution: &mut Solution) {
        let shown = evidence.iter().min_by_key(|evidence| evidence.node.mate_in());
        let Some(Evidence { key, node, .. }) = shown else {
            (solution.verdict, solution.shortest) = (Verdict::Undecided, None);
            return;
        };
        let shown = node.mate_in();
        if let Some(shortest) = solution.shortest.filter(|&shortest| shown < shortest) {
            let what =
                format!("it mates in {shown}, and the search says that no mate is shorter than {shortest}");
            self.contradict(position, key, &what);
        }
        // A shorter mate without evidence is only an opinion.
        if solution.mates_in.is_some_and(|mates_in| mates_in < shown) {
            (solution.mates_in, solution.shortest) = (Some(shown), None);
        }
    }

    /// Asks a question with at most `steps`. `None` if they are spent but the budget is not.
    fn turn<T>(
        &mut self,
        steps: u64,
        question: impl FnOnce(&mut Self) -> Result<T, Undecided>,
    ) -> Result<Option<T>, Undecided> {
        match self.within(steps, question) {
            Err(undecided) if undecided.because == Because::Budget && self.left() > 0 => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// The shortest mate of more than `refuted` and at most `longest` actions. `refuted` grows with each
    /// length that is refuted.
    fn find_in_order(
        &mut self,
        position: &Position,
        longest: u32,
        refuted: &mut u32,
        beside: &mut Beside<'_>,
    ) -> Result<Option<Mate>, Undecided> {
        while *refuted < longest {
            self.show_length(*refuted + 1);
            for by in [Candidates::Checks, Candidates::Complete] {
                if let Some((length, action)) = self.first_mate(position, *refuted + 1, by, beside)? {
                    return Ok(Some(Mate { length, action, by }));
                }
            }
            *refuted += 1;
        }
        Ok(None)
    }

    /// Counts the legal actions by multiplication, with about as many steps as the `spent` ones of the
    /// answer. In some positions that does not suffice; then some are listed and the count is capped.
    pub(super) fn count(&mut self, position: &Position, spent: u64) -> Count {
        /// The most actions that are listed if counting fails.
        const LISTED: u64 = 1000;
        let allowance = allowance_of_a_count(spent);
        let counted = self.within(allowance, |prover| {
            let counted = position.count_legal_actions_and_steps(u64::MAX, prover.limit());
            prover.charge_for(counted)
        });
        counted.unwrap_or_else(|_| {
            let mut listed = 0;
            let _ = self.within(allowance, |prover| -> Result<(), Undecided> {
                let mut actions = prover.actions(position);
                while listed < LISTED && prover.next_action(&mut actions)?.is_some() {
                    listed += 1;
                }
                Ok(())
            });
            Count { count: listed, capped: true }
        })
    }

    /// An action that does not mate in `n`, preferably a check, with its refutation.
    fn near_miss(&mut self, position: &Position, n: u32) -> Result<Option<Try>, Undecided> {
        /// The number of actions among which a check is looked for.
        const LOOKED_AT: usize = 1000;
        let mut after = position.clone();
        let mut first = None;
        let mut actions = self.actions(position);
        for _ in 0..LOOKED_AT {
            let Some(action) = self.next_action(&mut actions)? else { break };
            after.play_unchecked(&action);
            let checks = after.is_in_check();
            after.undo_unchecked(&action);
            first.get_or_insert_with(|| action.clone());
            if checks {
                first = Some(action);
                break;
            }
        }
        let Some(action) = first else { return Ok(None) };
        after.play_unchecked(&action);
        let defence = self.defence(&after, n - 1, Candidates::Complete)?;
        Ok(defence.map(|refutation| Try { action, refutation }))
    }

    /// A defence, after an action of the attacker, that leaves no mate in `left` further actions of the
    /// attacker; `None` if there is none. `left` = 0 asks whether the player to move is checkmated.
    ///
    /// # Errors
    ///
    /// When the budget is spent before the answer is known.
    pub fn surviving_defence(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<Defence>, Undecided> {
        self.ask_about(position);
        self.defence(position, left, Candidates::Complete)
    }

    /// An action of the player to move that forces mate in `n` or less, with preference for the shortest
    /// mate. Actions that answered other positions are tried first.
    ///
    /// # Errors
    ///
    /// When the budget is spent before the answer is known.
    pub fn mating_answer(&mut self, position: &Position, n: u32) -> Result<Option<Action>, Undecided> {
        self.ask_about(position);
        for tier in [Candidates::Checks, Candidates::Complete] {
            if let Some(answer) = self.answer(position, n, tier)? {
                return Ok(Some(answer));
            }
        }
        Ok(None)
    }

    /// The line of a mate in `n` or less that begins with `key`, if the defender resists as long as possible:
    /// the key, a defence, the answer, and so on to the mate. `None` if `key` does not force mate in time.
    ///
    /// Of defences that last equally long, the first in canonical order is taken.
    ///
    /// # Errors
    ///
    /// When the budget is spent before the line is known.
    ///
    /// # Panics
    ///
    /// If the key cannot be played.
    pub(crate) fn line(
        &mut self,
        position: &Position,
        n: u32,
        key: &Action,
    ) -> Result<Option<Vec<Action>>, Undecided> {
        self.ask_about(position);
        let mut after = position.clone();
        let mut line = Vec::new();
        let (mut next, mut left) = (Some(key.clone()), n);
        while let Some(action) = next {
            after.play_unchecked(&action);
            line.push(action);
            left -= 1;
            if self.defence(&after, left, Candidates::Complete)?.is_some() {
                return Ok(None);
            }
            next = self.longest_defence(&after, left)?.map(|(defence, answer)| {
                after.play_unchecked(&defence);
                line.push(defence);
                answer
            });
        }
        Ok(Some(line))
    }

    /// The defence that lasts longest against a mate in `left`, and the answer to it; `None` at the mate.
    fn longest_defence(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<(Action, Action)>, Undecided> {
        let mut defences = self.actions(position);
        let mut after = position.clone();
        let mut longest: Option<(u32, Action, Action)> = None;
        while let Some(defence) = self.next_action(&mut defences)? {
            after.play_unchecked(&defence);
            let answer = self.mate(&after, left, Candidates::Complete);
            after.undo_unchecked(&defence);
            let Some((length, answer)) = answer? else {
                self.contradict(
                    position,
                    &defence,
                    "the search says both that this defends and that nothing does",
                );
                return Err(self.undecided(Because::Unconfirmed));
            };
            let lasts_longer = |(most, first, _): &(u32, Action, Action)| {
                length > *most || length == *most && defence < *first
            };
            if longest.as_ref().is_none_or(lasts_longer) {
                longest = Some((length, defence, answer));
            }
        }
        Ok(longest.map(|(_, defence, answer)| (defence, answer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;
    use crate::types::{PieceKind, Promotions};

    fn solved(position: &Position, mate_in: u32) -> Solution {
        solve(position, Solve { mate_in, all: true, budget: Budget::default() })
    }

    #[test]
    fn a_short_mate_that_begins_quietly_comes_before_a_long_one_of_checks() {
        let position = fen5d::parse("[KB2/2k1:0:1:w]").into_result().unwrap();
        assert_eq!(solved(&position, 3).shortest, Some(2));
    }

    #[test]
    fn a_quiet_action_may_follow_a_check() {
        let position = fen5d::parse("[2bK/3b:0:1:b]").into_result().unwrap();
        let solution = solved(&position, 3);
        assert_eq!((solution.verdict, solution.keys.len()), (Verdict::Proven, 1));
    }

    #[test]
    fn another_promotion_is_another_move_of_a_free_board() {
        let mut setup = fen5d::parse("[k1K/3:0:2:b] [pn1/1K1:1:2:b]").into_result().unwrap().to_setup();
        let kinds = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight];
        setup.profile.promotions =
            kinds.into_iter().fold(Promotions::NONE, |set, kind| set.with(kind).expect("a promotion"));
        let solution = solved(&Position::from_setup(&setup).unwrap(), 1);
        let [class] = &solution.keys[..] else { panic!("{:?}", solution.keys) };
        assert_eq!((class.keys().len(), class.free().len()), (4, 1));
    }

    #[test]
    fn a_pawn_that_gives_check_on_another_board_is_captured_en_passant() {
        let text = "[4/1k2/4/4/4:-1:2:w] [4/4/4/4/3k:-1:2:b] [4/p3/4/1P*2/3K:0:1:b] [4/p3/4/1P*2/3K:0:2:w] \
                    [4/pP2/4/4/3K:0:2:b]";
        assert_eq!(fen5d::parse(text).into_result().unwrap().count_legal_actions(10).count, 2);
    }
}
