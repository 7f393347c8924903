//! One proof by several tasks, each of which refutes first actions. The caller runs them, on threads or one
//! after the other.
//!
//! First actions are taken in their order, a batch at a time, and each task always gets the same places of a
//! batch. So the same number of tasks gives the same answer. Another number gives the same verdict, and the
//! same keys if all are wanted; the key that is found first and the number of steps may differ.

use super::prover::{Helpers, Prover, RunAll};
use super::{Budget, Candidates};
use crate::rules::{ActionSieve, Basis};
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate, Undecided};

/// The first actions of a batch that each task gets.
const BATCH_PER_TASK: usize = 8;

/// The shortest mate that is searched in parallel.
const MIN_LENGTH: u32 = 3;

/// The number of comparisons with refuted actions that count as one step.
const COMPARED_PER_STEP: u64 = 16;

/// A first action that was refuted.
struct Refuted {
    made: Vec<(BoardCoordinate, Board)>,
    basis: Basis,
}

impl Refuted {
    fn bytes(&self) -> u64 {
        size_of::<Refuted>() as u64 + size_of_val(&*self.made) as u64 + self.basis.bytes()
    }
}

impl Prover<'static> {
    /// A prover that divides the work on mates in 3 and more among `tasks` tasks, which `run_all` runs. With
    /// one task it works alone. The budget is for all tasks together; the memory is divided among them.
    pub fn on_threads(budget: Budget, tasks: usize, run_all: RunAll) -> Prover<'static> {
        if tasks < 2 {
            return Prover::new(budget);
        }
        let memory = budget.memory / (tasks as u64 + 1);
        let mut prover = Prover::new(Budget { memory, ..budget });
        let helper = || Prover::new(Budget { steps: u64::MAX, memory, ..budget });
        prover.helpers = Some(Helpers { run_all, provers: (0..tasks).map(|_| helper()).collect() });
        prover
    }
}

impl<'s> Prover<'s> {
    /// [`Prover::mate`] for the first position, where the caller knows that there is no shorter mate.
    pub(super) fn first_mate(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        if self.helpers.is_none() || n < MIN_LENGTH || tier == Candidates::Checks {
            return self.mate(position, n, tier);
        }
        if let Some(known) = self.known_mate(position, n) {
            return Ok(Some(known));
        }
        let mut helpers = self.helpers.take().expect("there are some");
        helpers.provers.iter_mut().for_each(|helper| helper.ask_about(position));
        let found = self.share(position, n, &mut helpers);
        self.helpers = Some(helpers);
        let found = found?.map(|action| (n, action));
        if let Some((length, action)) = &found {
            self.note_mate(position, n, *length, action);
        }
        Ok(found)
    }

    /// The first action, in their order, that no defence refutes. The work is divided among the helpers.
    fn share(
        &mut self,
        position: &Position,
        n: u32,
        helpers: &mut Helpers<'s>,
    ) -> Result<Option<Action>, Undecided> {
        let defender = !position.to_move();
        let mut actions = ActionSieve::new(position);
        let mut refuted: Vec<Refuted> = Vec::new();
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH_PER_TASK * helpers.provers.len() && self.advance(&mut actions)? {
                self.charge_trial()?;
                let made = actions.made();
                self.charge(refuted.len() as u64 / COMPARED_PER_STEP)?;
                let same = |known: &&Refuted| known.basis.agree(&known.made, &made, defender);
                match refuted.iter().find(same) {
                    Some(known) => actions.exclude_agreeing(&known.basis, defender),
                    None => {
                        batch.push((actions.action().clone(), made));
                        actions.exclude_current();
                    }
                }
            }
            if batch.is_empty() {
                return Ok(None);
            }
            let refutations = self.refute_all(position, n - 1, &batch, helpers)?;
            for ((action, made), refutation) in batch.into_iter().zip(refutations) {
                match refutation {
                    None => return Ok(Some(action)),
                    Some(basis) if basis.is_everything() => {}
                    Some(basis) => {
                        let known = Refuted { made, basis };
                        // Without room for it, what it would leave out is searched.
                        if self.take_memory(known.bytes()) {
                            refuted.push(known);
                        }
                    }
                }
            }
        }
    }

    /// The dependencies of the refutation of each action; `None` for those that are not refuted.
    fn refute_all(
        &mut self,
        position: &Position,
        left: u32,
        batch: &[(Action, Vec<(BoardCoordinate, Board)>)],
        helpers: &mut Helpers<'s>,
    ) -> Result<Vec<Option<Basis>>, Undecided> {
        let tasks = helpers.provers.len();
        let allowance = self.left() / tasks as u64;
        let spent = |helpers: &Helpers<'s>| helpers.provers.iter().map(Prover::steps).sum::<u64>();
        let before = spent(helpers);
        let mut shares: Vec<Result<Vec<Option<Basis>>, Undecided>> = vec![Ok(Vec::new()); tasks];
        let start = |((first, helper), share)| {
            let helper: &mut Prover<'s> = helper;
            let share: &mut Result<Vec<Option<Basis>>, Undecided> = share;
            let own = batch.iter().skip(first).step_by(tasks);
            let end = helper.steps().saturating_add(allowance);
            let refute = move |(action, _): &(Action, _)| {
                let mut after = position.clone();
                after.play_unchecked(action);
                let refutation = helper.within(end.saturating_sub(helper.steps()), |helper| {
                    helper.refute(&after, left, Candidates::Complete)
                })?;
                Ok(refutation.map(|(_, basis)| basis))
            };
            Box::new(move || *share = own.map(refute).collect()) as Box<dyn FnOnce() + Send + '_>
        };
        let places = helpers.provers.iter_mut().enumerate().zip(&mut shares);
        (helpers.run_all)(places.map(start).collect());
        self.charge(spent(helpers) - before)?;
        let mut shares = shares
            .into_iter()
            .map(|share| share.map(Vec::into_iter).map_err(|undecided| self.undecided(undecided.because)))
            .collect::<Result<Vec<_>, _>>()?;
        let in_order = (0..batch.len()).map(|index| shares[index % tasks].next());
        Ok(in_order.map(|refutation| refutation.expect("each task answers for its places")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Verdict;

    fn at_once(tasks: Vec<Box<dyn FnOnce() + Send + '_>>) {
        std::thread::scope(|scope| tasks.into_iter().for_each(|task| drop(scope.spawn(task))));
    }

    #[test]
    fn threads_change_no_verdict() {
        let texts = [
            "[4/P3/4/1K2/2k1:0:1:w]",
            "[4k/5/5/5/K4:0:1:w][4k/5/5/5/K4:1:1:w][4k/5/5/5/K4:1:1:b][4k/5/2R2/2N2/K4:1:2:w]",
            "[2k2/5/5/R4/R3K:0:1:w]",
            "[8/8/4k3/8/R7/1R6/8/K7:0:1:w]",
        ];
        let mut refuted_among_many = 0;
        for text in texts {
            let position = fen5d::parse(text).into_result().unwrap();
            let alone = Prover::new(Budget::default()).solve(&position, 3, true);
            let several_batches = position.legal_actions().nth(2 * 3 * BATCH_PER_TASK).is_some();
            refuted_among_many += usize::from(alone.verdict == Verdict::Refuted && several_batches);
            let mut steps = Vec::new();
            for _ in 0..2 {
                let together = Prover::on_threads(Budget::default(), 3, at_once).solve(&position, 3, true);
                assert_eq!(together.verdict, alone.verdict, "{text}");
                assert_eq!((&together.keys, together.shortest), (&alone.keys, alone.shortest), "{text}");
                steps.push(together.steps);
            }
            assert_eq!(steps[0], steps[1], "the same each time");
            let scarce = Budget::steps(alone.steps / 3);
            let open = Prover::on_threads(scarce, 2, at_once).solve(&position, 3, true);
            assert!([Verdict::Undecided, alone.verdict].contains(&open.verdict), "{text}");
        }
        assert_eq!(refuted_among_many, 1);
    }
}
