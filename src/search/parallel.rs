//! Several threads in one proof: each refutes first actions.
//!
//! The first actions are gone through in their order, a batch at a time, and each thread always gets the same places of a batch. So with
//! the same number of threads the same question has the same answer. With another number the verdict is the same, and so are all keys
//! where they are asked for; which of the keys is found first may differ, and how many steps it takes.

use std::panic::resume_unwind;
use std::thread;

use super::prover::Prover;
use super::{Budget, Candidates};
use crate::rules::{Basis, Exploration};
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate, Undecided};

/// How many first actions of a batch each thread gets.
const EACH: usize = 8;

/// From which length on threads are worth their while.
const WORTH: u32 = 3;

/// A first action that was refuted.
struct Refuted {
    made: Vec<(BoardCoordinate, Board)>,
    basis: Basis,
}

impl Prover<'static> {
    /// A prover that looks for mates with so many threads, at least one, where that is worth it: mates in 3 and more. The budget is
    /// that of all of them together; the memory is divided among them.
    pub fn on_threads(budget: Budget, threads: usize) -> Prover<'static> {
        if threads < 2 {
            return Prover::new(budget);
        }
        let memory = budget.memory / (threads as u64 + 1);
        let mut prover = Prover::new(Budget { memory, ..budget });
        prover.helpers = (0..threads).map(|_| Prover::new(Budget { steps: u64::MAX, memory })).collect();
        prover
    }
}

impl<'s> Prover<'s> {
    /// [`Prover::mate`] for the first position, of which it is known that there is no shorter mate.
    pub(super) fn first_mate(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        if self.helpers.is_empty() || n < WORTH || tier == Candidates::Checks {
            return self.mate(position, n, tier);
        }
        if let Some(known) = self.known_mate(position, n) {
            return Ok(Some(known));
        }
        let mut helpers = std::mem::take(&mut self.helpers);
        helpers.iter_mut().for_each(|helper| helper.ask_about(position));
        let found = self.share(position, n, &mut helpers);
        self.helpers = helpers;
        let found = found?.map(|action| (n, action));
        if let Some((length, action)) = &found {
            self.note_mate(position, n, *length, action);
        }
        Ok(found)
    }

    /// The first action, in their order, that no defence refutes.
    fn share(
        &mut self,
        position: &Position,
        n: u32,
        helpers: &mut [Prover<'s>],
    ) -> Result<Option<Action>, Undecided> {
        let defender = !position.to_move();
        let mut actions = Exploration::new(position);
        let mut refuted: Vec<Refuted> = Vec::new();
        loop {
            let mut batch = Vec::new();
            while batch.len() < EACH * helpers.len() && self.advance(&mut actions)? {
                self.spend_trial()?;
                let made = actions.made();
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
                    Some(basis) => refuted.push(Refuted { made, basis }),
                }
            }
        }
    }

    /// On what the refutation of each action relies; `None` for those that are not refuted.
    fn refute_all(
        &mut self,
        position: &Position,
        left: u32,
        batch: &[(Action, Vec<(BoardCoordinate, Board)>)],
        helpers: &mut [Prover<'s>],
    ) -> Result<Vec<Option<Basis>>, Undecided> {
        let threads = helpers.len();
        let worth = self.left() / threads as u64;
        let spent = |helpers: &[Prover<'s>]| helpers.iter().map(Prover::steps).sum::<u64>();
        let before = spent(helpers);
        let shares: Vec<Result<Vec<Option<Basis>>, Undecided>> = thread::scope(|scope| {
            let mut running = Vec::new();
            for (first, helper) in helpers.iter_mut().enumerate() {
                let own = batch.iter().skip(first).step_by(threads);
                let end = helper.steps().saturating_add(worth);
                let refute = move |(action, _): &(Action, _)| {
                    let mut after = position.clone();
                    after.play_unchecked(action);
                    let refutation = helper.within(end.saturating_sub(helper.steps()), |helper| {
                        helper.refute(&after, left, Candidates::Complete)
                    })?;
                    Ok(refutation.map(|(_, basis)| basis))
                };
                running.push(scope.spawn(move || own.map(refute).collect()));
            }
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why))).collect()
        });
        self.spend(spent(helpers) - before)?;
        let mut shares = shares
            .into_iter()
            .map(|share| share.map(Vec::into_iter).map_err(|undecided| self.undecided(undecided.because)))
            .collect::<Result<Vec<_>, _>>()?;
        let in_order = (0..batch.len()).map(|index| shares[index % threads].next());
        Ok(in_order.map(|refutation| refutation.expect("each thread answers for its places")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Verdict;

    #[test]
    fn threads_change_no_verdict() {
        let texts = [
            "[4/P3/4/1K2/2k1:0:1:w]",
            "[k2/n2/K1R:0:1:w]",
            "[2k2/5/5/R4/R3K:0:1:w]",
            "[8/8/4k3/8/R7/1R6/8/K7:0:1:w]",
        ];
        let mut refuted = 0;
        for text in texts {
            let position = fen5d::parse(text).into_result().unwrap();
            let alone = Prover::new(Budget::default()).solve(&position, 3, true);
            refuted += usize::from(alone.verdict == Verdict::Refuted);
            let mut steps = Vec::new();
            for _ in 0..2 {
                let together = Prover::on_threads(Budget::default(), 3).solve(&position, 3, true);
                assert_eq!(together.verdict, alone.verdict, "{text}");
                assert_eq!((&together.keys, together.shortest), (&alone.keys, alone.shortest), "{text}");
                steps.push(together.steps);
            }
            assert_eq!(steps[0], steps[1], "the same each time");
            let scarce = Budget::steps(alone.steps / 3);
            let open = Prover::on_threads(scarce, 2).solve(&position, 3, true);
            assert!([Verdict::Undecided, alone.verdict].contains(&open.verdict), "{text}");
        }
        assert_eq!(refuted, 1);
    }
}
