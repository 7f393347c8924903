//! One proof by several provers: they refute first actions, and confirm keys, at the same time. The caller provides the threads.
//!
//! Helpers share the memory of results, the list of first actions, the refutations that leave further actions out, and the budget. Which
//! of them comes first is a matter of chance, so the number of steps differs from run to run. The verdict, the length and all keys do not:
//! each action is refuted, agrees with one that is, contains a key, or mates. One helper begins with a turn of the search for long
//! mates ([`Beside`]), which alone would take its turns between the others.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::prover::{Helpers, Prover, RunAll};
use super::team::{Membership, Team};
use super::tree::Tree;
use super::{Budget, Candidates, Evidence};
use crate::rules::{ActionSieve, Basis};
use crate::state::{Board, Position};
use crate::types::{Action, Because, BoardCoordinate, Undecided};

/// The shortest mate whose first actions are shared. For shorter ones, comparing an action with all that are refuted takes longer than
/// refuting it: `ActionSieve` leaves them out by the thousand, but only around the action that it stands at.
const MIN_LENGTH: u32 = 3;

/// The number of comparisons with refuted actions that count as one step.
const COMPARED_PER_STEP: u64 = 16;

/// A turn of the search for a long mate by checks, which one helper takes while others refute first actions.
#[derive(Default)]
pub(super) struct Beside<'t> {
    /// The tree, until the turn ends.
    tree: Option<&'t mut Tree>,
    /// The steps of the turn, and how many of them are spent.
    steps: u64,
    spent: u64,
    /// The answer of [`Prover::grow`], after its turn.
    grown: Option<Result<Option<(u32, Action)>, Undecided>>,
}

impl<'t> Beside<'t> {
    /// A turn of so many steps.
    pub(super) fn turn(tree: &'t mut Tree, steps: u64) -> Beside<'t> {
        Beside { tree: Some(tree), steps, ..Beside::default() }
    }

    /// The steps that are left of the turn: none after its end.
    fn left(&self) -> u64 {
        if self.tree.is_some() { self.steps.saturating_sub(self.spent) } else { 0 }
    }

    /// Takes the turn, or goes on with it.
    fn grow(&mut self, prover: &mut Prover<'_>, position: &Position) {
        let (before, left) = (prover.steps(), self.left());
        let Some(tree) = self.tree.take() else { return };
        let grown = prover.within(left, |prover| prover.grow(tree, position));
        self.spent += prover.steps() - before;
        match grown {
            // It goes on beside the next work.
            Err(_) if prover.membership.as_ref().is_some_and(Membership::is_over) => self.tree = Some(tree),
            grown => self.grown = Some(grown),
        }
    }
}

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

/// The question about the first actions, with the answer so far.
enum Wanted {
    /// One that mates: the first in their order, with its place.
    First(Option<(usize, Action)>),
    /// Every key.
    Keys(Vec<Action>),
    /// The number of those that mate, each of which contains one of these keys.
    Number(Vec<Action>, u64),
}

/// The first actions that helpers share. One helper at a time takes one, or notes an answer.
struct FirstActions<'p> {
    position: &'p Position,
    n: u32,
    actions: ActionSieve<'p>,
    taken: usize,
    /// The number of actions that are taken and have no answer yet.
    open: usize,
    /// Whether every action was taken or left out.
    is_listed: bool,
    refuted: Vec<Refuted>,
    /// The bytes that further refutations may take.
    memory_left: u64,
    wanted: Wanted,
    /// The reason why there is no answer.
    failed: Option<Because>,
}

/// A first action that one helper examines.
struct Task<'p> {
    position: &'p Position,
    n: u32,
    place: usize,
    action: Action,
    made: Vec<(BoardCoordinate, Board)>,
    is_key_wanted: bool,
}

/// The answer to a task.
enum Examined {
    /// The action does not mate, and this is what that relies on.
    Refuted(Basis),
    /// This action mates: the one examined, or a key that it contains.
    Mates(Action),
}

impl Prover<'static> {
    /// A prover with this many helpers, which `run_all` runs: they share the search for mates in 3 and more, and the evidence where there
    /// are several keys. With one task it works alone. Budget and memory are for all together.
    pub fn on_threads(budget: Budget, tasks: usize, run_all: RunAll) -> Prover<'static> {
        let mut prover = Prover::new(budget);
        if tasks > 1 {
            let provers = (0..tasks).map(|_| prover.helper()).collect();
            prover.helpers = Some(Helpers { run_all, provers });
        }
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
        beside: &mut Beside<'_>,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        if !self.shares(n) || tier == Candidates::Checks {
            return self.mate(position, n, tier);
        }
        if let Some(known) = self.known_mate(position, n) {
            return Ok(Some(known));
        }
        let (wanted, ended) = self.share(position, n, Wanted::First(None), beside);
        ended?;
        let Wanted::First(found) = wanted else { unreachable!("it stays what it was") };
        let found = found.map(|(_, action)| (n, action));
        if let Some((length, action)) = &found {
            self.note_mate(position, n, *length, action);
        }
        Ok(found)
    }

    /// Whether the work on mates of this length is shared.
    pub(super) fn shares(&self, n: u32) -> bool {
        n >= MIN_LENGTH && self.helpers.is_some()
    }

    /// Every key, as [`Prover::keys`] finds it alone.
    pub(super) fn shared_keys(
        &mut self,
        position: &Position,
        n: u32,
        keys: &mut Vec<Action>,
    ) -> Result<(), Undecided> {
        let (wanted, ended) = self.share(position, n, Wanted::Keys(Vec::new()), &mut Beside::default());
        if let Wanted::Keys(found) = wanted {
            for key in &found {
                self.charge_memory(key)?;
            }
            *keys = found;
        }
        ended
    }

    /// The number of mating actions, as [`Prover::count_mating_actions`] finds it alone.
    pub(super) fn shared_number(
        &mut self,
        position: &Position,
        n: u32,
        keys: &[Action],
    ) -> Result<u64, Undecided> {
        let (wanted, ended) =
            self.share(position, n, Wanted::Number(keys.to_vec(), 0), &mut Beside::default());
        let Wanted::Number(_, number) = wanted else { unreachable!("it stays what it was") };
        ended.map(|()| number)
    }

    /// The answer of a turn, which is taken now unless that was done beside other work.
    pub(super) fn end_turn(
        &mut self,
        mut beside: Beside<'_>,
        position: &Position,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        let paid = self.charge(beside.spent);
        beside.grow(self, position);
        match beside.grown.expect("the turn was taken") {
            Err(why) => Err(self.undecided(why.because)),
            Ok(None) => paid.map(|()| None),
            found => found,
        }
    }

    /// Divides the first actions among the helpers. One of them gives the other search its turn first.
    fn share(
        &mut self,
        position: &Position,
        n: u32,
        wanted: Wanted,
        beside: &mut Beside<'_>,
    ) -> (Wanted, Result<(), Undecided>) {
        let spent_before = beside.spent;
        let team = Arc::new(Team::new(self.steps(), self.left().saturating_add(beside.left())));
        let work = Mutex::new(FirstActions {
            position,
            n,
            actions: self.sieve(position),
            taken: 0,
            open: 0,
            is_listed: false,
            refuted: Vec::new(),
            memory_left: self.share_of_memory(),
            wanted,
            failed: None,
        });
        let waiting = Mutex::new(Some(&mut *beside));
        self.employ(&team, |helper| {
            let first = locked(&waiting).take();
            if let Some(beside) = first {
                beside.grow(helper, position);
            }
            helper.work_off(&work);
        });
        let spent_beside = beside.spent - spent_before;
        // The answer counts even if the last steps paid for it.
        let _ = self.charge(team.spent() - spent_beside);
        let FirstActions { wanted, failed, .. } = work.into_inner().unwrap_or_else(PoisonError::into_inner);
        let ended = match (&wanted, failed) {
            (Wanted::First(None) | Wanted::Keys(_) | Wanted::Number(..), Some(because)) => {
                Err(self.undecided(because))
            }
            _ => Ok(()),
        };
        (wanted, ended)
    }

    /// Confirms each of these mates, given by key and length.
    pub(super) fn confirm_each(
        &mut self,
        position: &Position,
        mates: &[(Action, u32)],
    ) -> Vec<Result<Evidence, Undecided>> {
        if mates.len() < 2 || self.helpers.is_none() {
            return mates.iter().map(|(key, n)| self.confirm(position, key, *n)).collect();
        }
        let team = Arc::new(self.on_evidence(|prover| Team::new(prover.steps(), prover.left())));
        let (next, confirmed) = (AtomicUsize::new(0), Mutex::new(vec![None; mates.len()]));
        self.employ(&team, |helper| {
            while let index = next.fetch_add(1, Ordering::Relaxed)
                && let Some((key, n)) = mates.get(index)
            {
                let evidence = helper.confirm(position, key, *n);
                locked(&confirmed)[index] = Some(evidence);
            }
        });
        // The answers count even if the last steps paid for them.
        let _ = self.on_evidence(|prover| prover.charge(team.spent()));
        let confirmed = confirmed.into_inner().unwrap_or_else(PoisonError::into_inner);
        let in_order = confirmed.into_iter().map(|evidence| evidence.expect("a helper took it"));
        in_order.map(|evidence| evidence.map_err(|why| self.undecided(why.because))).collect()
    }

    /// The bytes for lists, divided among the helpers and the work that they share.
    fn share_of_memory(&self) -> u64 {
        let helpers = self.helpers.as_ref().map_or(0, |helpers| helpers.provers.len() as u64);
        self.memory_left() / (helpers + 1)
    }

    /// Lets every helper do this job.
    fn employ(&mut self, team: &Arc<Team>, job: impl Fn(&mut Prover<'s>) + Sync) {
        let memory = self.share_of_memory();
        let mut helpers = self.helpers.take().expect("there are some");
        let start = |helper| {
            let helper: &mut Prover<'s> = helper;
            helper.join(self, Membership::of(team), memory);
            let job = &job;
            let help = move || {
                job(helper);
                helper.membership = None;
            };
            Box::new(help) as Box<dyn FnOnce() + Send + '_>
        };
        (helpers.run_all)(helpers.provers.iter_mut().map(start).collect());
        helpers.provers.iter_mut().for_each(|helper| self.take_notes_of(helper));
        self.helpers = Some(helpers);
    }

    /// Takes first actions as long as there are any.
    fn work_off(&mut self, work: &Mutex<FirstActions<'_>>) {
        loop {
            let taken = locked(work).take(self);
            let Some(task) = taken else { break };
            let answer = self.examine(&task);
            locked(work).note(&task, answer, self);
        }
    }

    /// Finds out whether an action mates.
    fn examine(&mut self, task: &Task<'_>) -> Result<Examined, Undecided> {
        let mut after = task.position.clone();
        after.play_unchecked(&task.action);
        match self.refute(&after, task.n - 1, Candidates::Complete)? {
            Some((_, basis)) => Ok(Examined::Refuted(basis)),
            None if task.is_key_wanted => {
                Ok(Examined::Mates(self.minimized(task.position, task.n, task.action.clone())?))
            }
            None => Ok(Examined::Mates(task.action.clone())),
        }
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'p> FirstActions<'p> {
    /// Another action to examine; `None` if there is none, or none is needed.
    fn take(&mut self, helper: &mut Prover<'_>) -> Option<Task<'p>> {
        if self.is_listed || self.failed.is_some() || matches!(self.wanted, Wanted::First(Some(_))) {
            return None;
        }
        match self.next(helper) {
            Ok(Some(task)) => {
                self.open += 1;
                return Some(task);
            }
            Ok(None) => self.is_listed = true,
            Err(why) => self.failed = Some(why.because),
        }
        self.end_if_done(helper);
        None
    }

    /// Ends the search beside this one if every action has its answer.
    fn end_if_done(&self, helper: &Prover<'_>) {
        if self.is_listed && self.open == 0 {
            helper.membership.iter().for_each(|membership| membership.end_at(0));
        }
    }

    fn next(&mut self, helper: &mut Prover<'_>) -> Result<Option<Task<'p>>, Undecided> {
        let defender = !self.position.to_move();
        while helper.advance(&mut self.actions)? {
            helper.charge_trial()?;
            let actions = &mut self.actions;
            match &self.wanted {
                Wanted::Keys(keys) if keys.iter().any(|key| actions.exclude_containing(key)) => continue,
                Wanted::Number(keys, _) if !keys.iter().any(|key| actions.action().contains(key)) => continue,
                _ => {}
            }
            let made = actions.made();
            helper.charge(self.refuted.len() as u64 / COMPARED_PER_STEP)?;
            let agrees = |known: &&Refuted| known.basis.agree(&known.made, &made, defender);
            if let Some(known) = self.refuted.iter().find(agrees) {
                actions.exclude_agreeing(&known.basis, defender);
                continue;
            }
            let action = actions.action().clone();
            actions.exclude_current();
            self.taken += 1;
            let place = self.taken;
            helper.membership.iter_mut().for_each(|membership| membership.take(place));
            let is_key_wanted = matches!(self.wanted, Wanted::Keys(_));
            return Ok(Some(Task { position: self.position, n: self.n, place, action, made, is_key_wanted }));
        }
        Ok(None)
    }

    /// Notes the answer to a task.
    fn note(&mut self, task: &Task<'_>, answer: Result<Examined, Undecided>, helper: &Prover<'_>) {
        self.open -= 1;
        self.end_if_done(helper);
        match (answer, &mut self.wanted) {
            (Ok(Examined::Refuted(basis)), _) => self.note_refuted(task, basis),
            (Ok(Examined::Mates(action)), Wanted::First(first)) => {
                if first.as_ref().is_none_or(|(place, _)| task.place < *place) {
                    *first = Some((task.place, action));
                    helper.membership.iter().for_each(|membership| membership.end_at(task.place));
                }
            }
            (Ok(Examined::Mates(key)), Wanted::Keys(keys)) => {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            (Ok(Examined::Mates(_)), Wanted::Number(_, number)) => *number += 1,
            // An action before this one mates.
            (Err(_), Wanted::First(Some((place, _)))) if *place < task.place => {}
            (Err(why), _) => self.failed = self.failed.or(Some(why.because)),
        }
    }

    fn note_refuted(&mut self, task: &Task<'_>, basis: Basis) {
        if basis.is_everything() {
            return;
        }
        let known = Refuted { made: task.made.clone(), basis };
        // Without room for it, the actions that it would leave out are searched.
        if let Some(left) = self.memory_left.checked_sub(known.bytes()) {
            self.memory_left = left;
            self.refuted.push(known);
        }
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
            let many = position.legal_actions().nth(48).is_some();
            refuted_among_many += usize::from(alone.verdict == Verdict::Refuted && many);
            for tasks in [2, 3] {
                let together =
                    Prover::on_threads(Budget::default(), tasks, at_once).solve(&position, 3, true);
                assert_eq!(together.verdict, alone.verdict, "{text}");
                assert_eq!((&together.keys, together.shortest), (&alone.keys, alone.shortest), "{text}");
                assert_eq!(together.mating_actions, alone.mating_actions, "{text}");
            }
            let scarce = Budget::steps(alone.steps / 3);
            let open = Prover::on_threads(scarce, 2, at_once).solve(&position, 3, true);
            assert!([Verdict::Undecided, alone.verdict].contains(&open.verdict), "{text}");
            assert!(
                open.steps <= scarce.steps + scarce.steps / 10 + 100,
                "{} of {}",
                open.steps,
                scarce.steps
            );
        }
        assert_eq!(refuted_among_many, 1);
    }

    /// The first actions are refuted for mates in 3 while the other search has its turn, which goes on beside those for mates in 4.
    #[test]
    fn a_turn_goes_on_beside_the_next_work() {
        let game = include_str!("../../corpus/games/ending-check-24.5dpgn");
        let position = crate::notation::pgn5d::parse(game).into_result().unwrap().end();
        let question =
            |tasks| Prover::on_threads(Budget::default(), tasks, at_once).solve(&position, 4, false);
        assert_eq!([1, 2, 3].map(|tasks| question(tasks).verdict), [Verdict::Refuted; 3]);
    }

    /// The first action of the list that mates is found, whichever helper is the first to find one. Each class has its evidence.
    #[test]
    fn helpers_find_what_one_finds_alone() {
        let position = fen5d::parse("[3k1/5/5/R4/R3K:0:1:w]").into_result().unwrap();
        let alone = Prover::new(Budget::default()).solve(&position, 3, true);
        assert!(alone.keys.len() > 3, "{}", alone.keys.len());
        for _ in 0..3 {
            let mut prover = Prover::on_threads(Budget::default(), 4, at_once);
            let first = prover.solve(&position, 3, false).soonest;
            assert!(first.is_some_and(|first| alone.keys.iter().any(|class| class.contains(&first))));
            let all = Prover::on_threads(Budget::default(), 4, at_once).solve(&position, 3, true);
            assert_eq!(all.keys, alone.keys);
            assert!(
                all.complete
                    && all
                        .keys
                        .iter()
                        .all(|class| { all.evidence.iter().any(|evidence| evidence.key == *class.key()) })
            );
        }
    }

    #[test]
    fn helpers_stop_with_their_prover() {
        let position = fen5d::parse("[8/8/4k3/8/R7/1R6/8/K7:0:1:w]").into_result().unwrap();
        let stop = std::sync::atomic::AtomicBool::new(true);
        let mut prover = Prover::on_threads(Budget::default(), 2, at_once).stopping_on(Some(&stop));
        let solution = prover.solve(&position, 4, true);
        assert_eq!(solution.undecided.map(|undecided| undecided.because), Some(Because::Stopped));
    }
}
