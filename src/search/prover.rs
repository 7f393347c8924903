//! [`Prover`]: its budget and memory, and searches for actions that are charged to the budget.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::certificate::RefutationTable;
use super::table::Table;
use super::team::Membership;
use super::{Budget, Progress};
use crate::notation::{fen5d, pgn5d};
use crate::rules::{ActionSieve, LegalActions};
use crate::state::Position;
use crate::types::{Action, Because, Limit, Undecided};

/// The part of the budget for evidence that *no mate* may take, so that mates are confirmed after it.
const DENIALS: u64 = 8;

/// The number of replies or answers that are remembered in each list.
const REMEMBERED: usize = 24;

/// The number of defences that are sorted.
const IN_ORDER: usize = 256;

/// The sizes of a position that add one step to the cost of an action: trying an action looks at all
/// timelines, and now and then at all boards.
const TIMELINES_PER_STEP: usize = 32;
const BOARDS_PER_STEP: usize = 512;

/// The steps beyond the usual that an examination of a whole position costs: 0 in most games.
pub(crate) fn cost_of_size(position: &Position) -> u64 {
    let (timelines, boards) = (position.multiverse().timelines().count(), position.multiverse().count());
    (timelines / TIMELINES_PER_STEP + boards / BOARDS_PER_STEP) as u64
}

/// Proves and refutes mates. Results about positions are kept for later questions about positions that
/// continue the first one. All questions share one budget.
pub struct Prover<'s> {
    steps: u64,
    limit: u64,
    /// The steps that evidence took, and the most that it may take.
    for_evidence: (u64, u64),
    /// The contradictions met, if they are noted instead of a panic.
    contradictions: Option<Vec<Contradiction>>,
    stop: Option<&'s AtomicBool>,
    progress: Option<&'s Progress>,
    /// The number of defences that are sorted and tried one by one. For the others, an answer to one defence
    /// excludes all that it also answers.
    pub(super) in_order: usize,
    /// Whether each action is looked at, although others showed how it ends: see [`Prover::one_by_one`].
    is_one_by_one: bool,
    /// The cost of trying an action in the current position.
    pub(super) trial_cost: u64,
    /// The bytes that lists of actions may still take.
    memory_left: u64,
    memory: Arc<Mutex<Memory>>,
    /// Replies that were legal after an attacker's last action.
    pub(super) replies: Killers,
    /// Replies that were enough where there is evidence of *no mate*, and the steps of the budget for evidence that this may still take.
    pub(super) refutation_table: RefutationTable,
    pub(super) left_for_denials: u64,
    /// Provers that refute first actions at the same time: see [`Prover::on_threads`].
    pub(super) helpers: Option<Helpers<'s>>,
    /// The part of a helper in the question that is shared now.
    pub(super) membership: Option<Membership>,
}

/// The memory that provers of one proof have in common.
pub(super) struct Memory {
    /// Results about positions.
    pub(super) table: Table,
    /// Indexed by the number of actions left to the attacker: defences that refuted, answers that mated.
    defences: Vec<Killers>,
    answers: Vec<Killers>,
}

impl Memory {
    fn new(bytes: u64) -> Memory {
        Memory { table: Table::new(bytes), defences: Vec::new(), answers: Vec::new() }
    }
}

/// Runs all these tasks, at the same time where possible, and returns when they are done. The caller of the
/// prover provides the threads.
pub type RunAll = for<'t> fn(Vec<Box<dyn FnOnce() + Send + 't>>);

/// The provers that share a proof.
pub(super) struct Helpers<'s> {
    pub(super) run_all: RunAll,
    pub(super) provers: Vec<Prover<'s>>,
}

impl<'s> Helpers<'s> {
    /// The same helpers, each of them changed.
    fn map<'t>(self, change: impl Fn(Prover<'s>) -> Prover<'t>) -> Helpers<'t> {
        Helpers { run_all: self.run_all, provers: self.provers.into_iter().map(change).collect() }
    }
}

/// Two opinions of this program that exclude each other. That is a bug in any position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// The action that they are about, in 5DPGN.
    pub about: String,
    /// The two opinions.
    pub what: String,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.about, self.what)
    }
}

/// Actions that helped before, the latest first.
#[derive(Default)]
pub(super) struct Killers(pub(super) Vec<Action>);

impl Killers {
    pub(super) fn remember(&mut self, action: Action) {
        self.0.truncate(REMEMBERED - 1);
        self.0.insert(0, action);
    }

    /// Puts an action first, known or new.
    fn put_first(&mut self, action: &Action) {
        match self.0.iter().position(|known| known == action) {
            Some(index) => self.promote(index),
            None => self.remember(action.clone()),
        }
    }

    pub(super) fn promote(&mut self, index: usize) {
        self.0[..=index].rotate_right(1);
    }

    /// The list of a level. Missing levels are added.
    fn at(levels: &mut Vec<Killers>, level: u32) -> &mut Killers {
        let level = level as usize;
        if levels.len() <= level {
            levels.resize_with(level + 1, Killers::default);
        }
        &mut levels[level]
    }
}

/// The legal actions of a position, for which a prover is charged: see [`Prover::actions`].
pub struct PaidActions<'a> {
    actions: LegalActions<'a>,
    paid: u64,
}

impl Prover<'static> {
    /// A prover with this budget for all its questions.
    pub fn new(budget: Budget) -> Prover<'static> {
        Prover {
            steps: 0,
            limit: budget.steps,
            for_evidence: (0, budget.evidence),
            contradictions: None,
            stop: None,
            progress: None,
            in_order: IN_ORDER,
            is_one_by_one: false,
            trial_cost: 1,
            memory_left: budget.memory.max(Budget::LEAST_FOR_LISTS),
            memory: Arc::new(Mutex::new(Memory::new(budget.memory))),
            replies: Killers::default(),
            refutation_table: RefutationTable::default(),
            left_for_denials: budget.evidence / DENIALS,
            helpers: None,
            membership: None,
        }
    }

    /// A prover that has the memory of results in common with this one. Its steps are limited by its [`Membership`].
    pub(super) fn helper(&self) -> Prover<'static> {
        let (memory, is_one_by_one) = (Arc::clone(&self.memory), self.is_one_by_one);
        Prover {
            memory,
            is_one_by_one,
            ..Prover::new(Budget { steps: u64::MAX, memory: 0, evidence: u64::MAX })
        }
    }
}

impl<'s> Prover<'s> {
    /// The same prover, which leaves every question undecided as soon as `stop` is true. Another thread may set it at any time.
    pub fn stopping_on<'t>(self, stop: Option<&'t AtomicBool>) -> Prover<'t>
    where
        's: 't,
    {
        let helpers = self.helpers.map(|helpers| helpers.map(|helper| helper.stopping_on(stop)));
        Prover { stop, helpers, ..self }
    }

    /// The same prover, which reports its progress.
    pub fn showing<'t>(self, progress: &'t Progress) -> Prover<'t>
    where
        's: 't,
    {
        let helpers = self.helpers.map(|helpers| helpers.map(|helper| helper.showing(progress)));
        Prover { progress: Some(progress), helpers, ..self }
    }

    /// The same prover, which sorts so many defences (at least 1) and tries them one by one; others are
    /// excluded if an answer to another defence answers them too. The default covers all defences of a small
    /// position. Tests use fewer, to exercise the exclusion.
    #[cfg(any(test, feature = "oracle"))]
    pub fn with_ordered_defences(self, defences: usize) -> Prover<'s> {
        Prover { in_order: defences.max(1), ..self }
    }

    /// The same prover, which leaves out no region of actions: neither those that a known reply answers, nor those that agree with a
    /// refuted or mating one, nor those with a known key. Slow; a comparison with it is a test of all that.
    #[cfg(any(test, feature = "oracle"))]
    pub fn one_by_one(self) -> Prover<'s> {
        Prover { is_one_by_one: true, ..self }
    }

    /// The legal actions of a position, one at a time.
    pub(super) fn sieve<'p>(&self, position: &'p Position) -> ActionSieve<'p> {
        ActionSieve::new(position).one_by_one(self.is_one_by_one)
    }

    /// The same, with the squares on which illegality and replies depend.
    pub(super) fn sieve_with_basis<'p>(&self, position: &'p Position) -> ActionSieve<'p> {
        ActionSieve::with_basis(position).one_by_one(self.is_one_by_one)
    }

    /// The legal parts of a legal action, one at a time.
    pub(super) fn sieve_of_parts<'p>(&self, position: &'p Position, whole: &Action) -> ActionSieve<'p> {
        ActionSieve::parts_of(position, whole).one_by_one(self.is_one_by_one)
    }

    /// Reports the length of the mate that is looked for now.
    pub(super) fn show_length(&self, mate_in: u32) {
        if let Some(progress) = self.progress {
            progress.mate_in.store(mate_in, Ordering::Relaxed);
        }
    }

    /// The number of steps spent so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The same prover, which notes contradictions instead of panicking: see [`Prover::contradiction`].
    #[must_use]
    pub fn noting(mut self) -> Prover<'s> {
        self.contradictions = Some(Vec::new());
        self
    }

    /// The first contradiction that was [noted](Prover::noting).
    pub fn contradiction(&self) -> Option<&Contradiction> {
        self.contradictions.as_ref()?.first()
    }

    /// Notes that two opinions about an action exclude each other, or panics.
    pub(crate) fn contradict(&mut self, position: &Position, action: &Action, what: &str) {
        let contradiction =
            Contradiction { about: pgn5d::action_text(position, action), what: what.to_owned() };
        match &mut self.contradictions {
            Some(noted) => noted.push(contradiction),
            None => {
                panic!("a contradiction: {contradiction}, in {}", fen5d::write(position).replace('\n', " "))
            }
        }
    }

    /// The steps spent on evidence. [`Prover::steps`] does not include them.
    pub fn evidence_steps(&self) -> u64 {
        self.for_evidence.0
    }

    /// Begins to help another prover with its question, with this many bytes for lists.
    pub(super) fn join(&mut self, asked: &Prover<'_>, membership: Membership, memory: u64) {
        self.trial_cost = asked.trial_cost;
        self.memory_left = memory;
        self.contradictions = asked.contradictions.as_ref().map(|_| Vec::new());
        self.membership = Some(membership);
    }

    /// Takes over the contradictions that a helper has noted.
    pub(super) fn take_notes_of(&mut self, helper: &mut Prover<'_>) {
        if let Some(noted) = &mut self.contradictions {
            noted.extend(helper.contradictions.take().into_iter().flatten());
        }
    }

    /// Switches to the other budget: from that of the search to that for evidence, or back.
    pub(super) fn change_accounts(&mut self) {
        let of_search = (self.steps, self.limit);
        (self.steps, self.limit) = self.for_evidence;
        self.for_evidence = of_search;
    }

    /// The number of steps that are left of the budget.
    pub fn left(&self) -> u64 {
        let left = self.limit.saturating_sub(self.steps);
        self.membership.as_ref().map_or(left, |membership| left.min(membership.left()))
    }

    /// The limit of a search that is charged to the rest of the budget.
    pub fn limit(&self) -> Limit<'s> {
        Limit::steps(self.left()).stopping_on(self.stop)
    }

    /// Charges steps for work that was done elsewhere for the same purpose.
    ///
    /// # Errors
    ///
    /// When that exceeds the budget.
    pub fn charge(&mut self, steps: u64) -> Result<(), Undecided> {
        let is_budget_spent = self.left() < steps;
        self.spend(steps);
        match &self.membership {
            Some(membership) if membership.is_over() => Err(self.undecided(Because::Stopped)),
            _ if is_budget_spent => Err(self.undecided(Because::Budget)),
            _ => Ok(()),
        }
    }

    fn spend(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
        let of_all = self.membership.as_ref().map_or(self.steps, |membership| membership.spend(steps));
        if let Some(progress) = self.progress {
            // Two searches at the same time do not know of each other's steps.
            progress.steps.fetch_max(of_all, Ordering::Relaxed);
        }
    }

    /// Charges the steps for trying an action in the current position.
    pub(crate) fn charge_trial(&mut self) -> Result<(), Undecided> {
        self.charge(self.trial_cost)
    }

    /// Charges the steps of a search that was made within [`Prover::limit`], as far as it went.
    ///
    /// # Errors
    ///
    /// The reason why the search failed.
    pub fn charge_for<T>(&mut self, searched: Result<(T, u64), Undecided>) -> Result<T, Undecided> {
        match searched {
            Ok((found, steps)) => self.charge(steps).map(|()| found),
            Err(undecided) => {
                self.spend(undecided.steps);
                Err(self.undecided(undecided.because))
            }
        }
    }

    /// Charges the memory for an action in a list.
    pub(crate) fn charge_memory(&mut self, action: &Action) -> Result<(), Undecided> {
        let bytes = (size_of::<Action>() + size_of_val(action.moves())) as u64;
        self.memory_left = self.memory_left.checked_sub(bytes).ok_or(self.undecided(Because::Memory))?;
        Ok(())
    }

    pub(super) fn undecided(&self, because: Because) -> Undecided {
        Undecided { steps: self.steps, because }
    }

    /// Prepares for a question about this position and those that follow from it.
    pub(crate) fn ask_about(&mut self, position: &Position) {
        self.memory().table.ask_about(position);
        self.trial_cost = 1 + cost_of_size(position);
    }

    /// The memory of this prover and its helpers. Others may change it as soon as the guard is dropped.
    pub(super) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks a `question` with at most this many steps.
    pub(crate) fn within<T>(&mut self, steps: u64, question: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limit;
        self.limit = limit.min(self.steps.saturating_add(steps));
        let answer = question(self);
        self.limit = limit;
        answer
    }

    /// The legal actions of a position. Step through them with [`Prover::next_action`].
    pub fn actions<'p>(&self, position: &'p Position) -> PaidActions<'p> {
        PaidActions { actions: position.legal_actions(), paid: 0 }
    }

    /// The next legal action; `None` if there are no more. Each costs a step beside the search for it.
    ///
    /// # Errors
    ///
    /// If the budget is spent before that is known.
    pub fn next_action<'p>(&mut self, list: &mut PaidActions<'p>) -> Result<Option<Action>, Undecided>
    where
        's: 'p,
    {
        list.actions.end_at(Limit::steps(list.paid.saturating_add(self.left())).stopping_on(self.stop));
        let action = list.actions.next();
        let steps = list.actions.steps() - list.paid;
        list.paid += steps;
        match (action, list.actions.end()) {
            (Some(action), _) => self.charge(steps + self.trial_cost).map(|()| Some(action)),
            (None, Some(Err(undecided))) => self.charge_for(Err(Undecided { steps, ..undecided })),
            (None, _) => self.charge(steps).map(|()| None),
        }
    }

    /// Goes on to another action and pays for the way.
    pub(super) fn advance(&mut self, actions: &mut ActionSieve<'_>) -> Result<bool, Undecided> {
        let before = actions.steps();
        let more = actions.advance(Limit::steps(before.saturating_add(self.left())).stopping_on(self.stop));
        let steps = actions.steps() - before;
        self.charge_for(more.map(|more| (more, steps)).map_err(|undecided| Undecided { steps, ..undecided }))
    }

    /// A known mate in `n` or less by the player to move: its length and first action.
    pub(super) fn known_mate(&mut self, position: &Position, n: u32) -> Option<(u32, Action)> {
        let table = &mut self.memory().table;
        let key = table.key(position)?;
        table.mate(&key, n).map(|(length, action)| (length, action.clone()))
    }

    /// Remembers a mate in `length` that was found when the attacker had `left` actions.
    pub(super) fn note_mate(&mut self, position: &Position, left: u32, length: u32, action: &Action) {
        let mut memory = self.memory();
        if let Some(key) = memory.table.key(position) {
            memory.table.prove(&key, length, action);
        }
        Killers::at(&mut memory.answers, left).put_first(action);
    }

    /// The actions that mated elsewhere with this many actions left to the attacker.
    pub(super) fn answers(&self, left: u32) -> Vec<Action> {
        self.memory().answers.get(left as usize).map_or(Vec::new(), |answers| answers.0.clone())
    }

    pub(super) fn remember_answer(&mut self, left: u32, answer: &Action) {
        Killers::at(&mut self.memory().answers, left).put_first(answer);
    }

    /// The defences that refuted elsewhere with this many actions left to the attacker.
    pub(super) fn defences(&self, left: u32) -> Vec<Action> {
        self.memory().defences.get(left as usize).map_or(Vec::new(), |defences| defences.0.clone())
    }

    pub(super) fn remember_defence(&mut self, left: u32, defence: &Action) {
        Killers::at(&mut self.memory().defences, left).put_first(defence);
    }

    /// Gives the memory of lists back that were made since so much was left.
    pub(super) fn restore_memory(&mut self, bytes: u64) {
        self.memory_left = bytes;
    }

    /// The bytes that lists may still take.
    pub(crate) fn memory_left(&self) -> u64 {
        self.memory_left
    }

    /// A legal action of the player to move.
    pub(super) fn legal_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        let searched = position.first_legal_action(self.limit());
        self.charge_for(searched)
    }

    /// A reply that is likely to answer many other actions too, if one is found quickly. A jump far into the
    /// past depends little on the other boards. Without it, a search through the actions with several
    /// branches did not end in a position with eighteen timelines.
    pub(super) fn rewinding_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        const MOST_STEPS: u64 = 60;
        let limit = Limit::steps(MOST_STEPS.min(self.left())).stopping_on(self.stop);
        match position.first_rewinding_action(limit) {
            Ok((action, steps)) => self.charge(steps).map(|()| action),
            Err(undecided) => self.charge(undecided.steps).map(|()| None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;

    #[test]
    fn lists_are_bounded_by_the_memory() {
        let position = fen5d::parse("[k2/3/K2:0:1:w]").into_result().unwrap();
        let action = position.legal_actions().next().unwrap();
        for memory in [0, 64 << 20] {
            let mut prover = Prover::new(Budget { steps: 10, memory, ..Budget::default() });
            let mut held = 0;
            let because = loop {
                match prover.charge_memory(&action) {
                    Ok(()) => held += 1,
                    Err(undecided) => break undecided.because,
                }
            };
            assert_eq!(because, Because::Memory);
            let bytes = held * (size_of::<Action>() + size_of_val(action.moves()));
            let most = memory.max(Budget::LEAST_FOR_LISTS) as usize;
            assert!(bytes <= most && most < bytes + 200, "{bytes} of {most}");
        }
    }

    #[test]
    fn a_prover_that_is_stopped_knows_nothing() {
        let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().unwrap();
        let stop = AtomicBool::new(false);
        let mut prover = Prover::new(Budget::default()).stopping_on(Some(&stop));
        assert_eq!(prover.solve(&position, 2, true).undecided, None);
        stop.store(true, Ordering::Relaxed);
        let mut prover = Prover::new(Budget::default()).stopping_on(Some(&stop));
        let solution = prover.solve(&position, 2, true);
        assert_eq!(solution.verdict, crate::search::Verdict::Undecided);
        assert_eq!(solution.undecided.map(|undecided| undecided.because), Some(Because::Stopped));
    }
}
