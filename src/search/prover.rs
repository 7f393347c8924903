//! Who proves: what may be spent, what was learnt, and the searches for actions that are paid from it.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::table::Table;
use super::{Budget, Progress};
use crate::notation::{fen5d, pgn5d};
use crate::rules::{Exploration, LegalActions};
use crate::state::Position;
use crate::types::{Action, Because, Limit, Undecided};

/// How many replies that answered or refuted an action are remembered.
const REMEMBERED: usize = 24;

/// How many defences are put in order.
const IN_ORDER: usize = 256;

/// On how many timelines, and beside how many boards, an action is tried for one step. Trying it looks at all timelines, and now
/// and then at all boards.
const TIMELINES_PER_STEP: usize = 32;
const BOARDS_PER_STEP: usize = 512;

/// How many steps more than usual it is worth to look at a whole position: none on the boards of most games.
pub(crate) fn cost_of_size(position: &Position) -> u64 {
    let (timelines, boards) = (position.multiverse().timelines().count(), position.multiverse().count());
    (timelines / TIMELINES_PER_STEP + boards / BOARDS_PER_STEP) as u64
}

/// Proves and refutes mates. What it has learnt about positions serves its next questions about positions that follow from
/// the first, and all of them are paid from one budget.
pub struct Prover<'s> {
    steps: u64,
    limit: u64,
    /// The steps that evidence took, and how many it may take.
    for_evidence: (u64, u64),
    /// Contradictions, if they are to be noted.
    contradictions: Option<Vec<Contradiction>>,
    stop: Option<&'s AtomicBool>,
    progress: Option<&'s Progress>,
    /// How many defences are put in order, before an answer leaves out other defences with the one that it answers.
    pub(super) in_order: usize,
    /// The cost of trying an action in the current position.
    pub(super) trial_cost: u64,
    /// The bytes that lists of actions may still take.
    room: u64,
    pub(super) table: Table,
    /// Replies that were legal after an attacker's last action.
    pub(super) replies: Killers,
    /// By the number of actions left to the attacker: defences that refuted, answers that mated.
    defences: Vec<Killers>,
    answers: Vec<Killers>,
    /// Those who refute first actions at the same time: see [`Prover::on_threads`].
    pub(super) helpers: Option<Helpers<'s>>,
}

/// Does all these tasks, at the same time where it can, and returns when they are done. Threads belong to whoever asks the prover.
pub type RunAll = for<'t> fn(Vec<Box<dyn FnOnce() + Send + 't>>);

/// Those who share a proof.
pub(super) struct Helpers<'s> {
    pub(super) run_all: RunAll,
    pub(super) provers: Vec<Prover<'s>>,
}

impl<'s> Helpers<'s> {
    /// The same helpers, who stop with their prover.
    fn or_when<'t>(self, stop: Option<&'t AtomicBool>) -> Helpers<'t>
    where
        's: 't,
    {
        let provers = self.provers.into_iter().map(|prover| prover.or_when(stop)).collect();
        Helpers { run_all: self.run_all, provers }
    }
}

/// Two opinions of this program that exclude each other. That is a bug, whatever the position.
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

    /// Puts an action first, whether it was known or not.
    fn put_first(&mut self, action: &Action) {
        match self.0.iter().position(|known| known == action) {
            Some(index) => self.promote(index),
            None => self.remember(action.clone()),
        }
    }

    pub(super) fn promote(&mut self, index: usize) {
        self.0[..=index].rotate_right(1);
    }

    /// Those of a level, of which there are as many as were needed so far.
    fn at(levels: &mut Vec<Killers>, level: u32) -> &mut Killers {
        let level = level as usize;
        if levels.len() <= level {
            levels.resize_with(level + 1, Killers::default);
        }
        &mut levels[level]
    }
}

/// The legal actions of a position, for which a prover pays: see [`Prover::actions`].
pub struct PaidActions<'a> {
    actions: LegalActions<'a>,
    paid: u64,
}

impl Prover<'static> {
    /// A prover that may spend this much in all.
    pub fn new(budget: Budget) -> Prover<'static> {
        Prover {
            steps: 0,
            limit: budget.steps,
            for_evidence: (0, budget.evidence),
            contradictions: None,
            stop: None,
            progress: None,
            in_order: IN_ORDER,
            trial_cost: 1,
            room: budget.memory.max(Budget::LEAST_FOR_LISTS),
            table: Table::new(budget.memory),
            replies: Killers::default(),
            defences: Vec::new(),
            answers: Vec::new(),
            helpers: None,
        }
    }
}

impl<'s> Prover<'s> {
    /// The same prover, which leaves every question undecided as soon as `stop` is true. Another thread may set it at any time.
    pub fn or_when<'t>(self, stop: Option<&'t AtomicBool>) -> Prover<'t>
    where
        's: 't,
    {
        let helpers = self.helpers.map(|helpers| helpers.or_when(stop));
        Prover { stop, helpers, ..self }
    }

    /// The same prover, which says how far it has come.
    pub fn showing<'t>(self, progress: &'t Progress) -> Prover<'t>
    where
        's: 't,
    {
        Prover { progress: Some(progress), ..self }
    }

    /// The same prover, which puts so many defences in order (at least 1), and looks at others only if no answer to another one answers
    /// them too. Usually they are as many as a small position has; with fewer a test sees more of what is left out.
    #[cfg(any(test, feature = "oracle"))]
    pub fn putting_in_order(self, defences: usize) -> Prover<'s> {
        Prover { in_order: defences.max(1), ..self }
    }

    /// Says which mate is looked for now.
    pub(super) fn show_length(&self, mate_in: u32) {
        if let Some(progress) = self.progress {
            progress.mate_in.store(mate_in, Ordering::Relaxed);
        }
    }

    /// How many steps were spent so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The same prover, which notes contradictions for whoever asks for them, instead of a panic.
    #[must_use]
    pub fn noting(mut self) -> Prover<'s> {
        self.contradictions = Some(Vec::new());
        self
    }

    /// The first contradiction that was [noted](Prover::noting).
    pub fn contradiction(&self) -> Option<&Contradiction> {
        self.contradictions.as_ref()?.first()
    }

    /// Notes that two opinions exclude each other about an action, or panics.
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

    /// The steps that evidence took, which [`Prover::steps`] does not count.
    pub fn evidence_steps(&self) -> u64 {
        self.for_evidence.0
    }

    /// From here on the other budget pays: that for evidence, or again that of the search.
    pub(super) fn change_accounts(&mut self) {
        let of_search = (self.steps, self.limit);
        (self.steps, self.limit) = self.for_evidence;
        self.for_evidence = of_search;
    }

    /// How many steps are left of the budget.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.steps)
    }

    /// Where a search ends that is paid from what is left of the budget.
    pub fn limit(&self) -> Limit<'s> {
        Limit::steps(self.left()).or_when(self.stop)
    }

    /// Pays for work that was done elsewhere for the same purpose.
    ///
    /// # Errors
    ///
    /// When that exceeds the budget.
    pub fn spend(&mut self, steps: u64) -> Result<(), Undecided> {
        self.steps = self.steps.saturating_add(steps);
        if let Some(progress) = self.progress {
            progress.steps.store(self.steps, Ordering::Relaxed);
        }
        if self.steps > self.limit { Err(self.undecided(Because::Budget)) } else { Ok(()) }
    }

    /// Pays for trying an action in the current position.
    pub(crate) fn spend_trial(&mut self) -> Result<(), Undecided> {
        self.spend(self.trial_cost)
    }

    /// Pays for a search that was made within [`Prover::limit`], as far as it went.
    ///
    /// # Errors
    ///
    /// What the search failed for.
    pub fn pay<T>(&mut self, searched: Result<(T, u64), Undecided>) -> Result<T, Undecided> {
        match searched {
            Ok((found, steps)) => self.spend(steps).map(|()| found),
            Err(undecided) => {
                self.steps = self.steps.saturating_add(undecided.steps);
                Err(self.undecided(undecided.because))
            }
        }
    }

    /// Makes room for an action in a list.
    pub(crate) fn hold(&mut self, action: &Action) -> Result<(), Undecided> {
        let bytes = (size_of::<Action>() + size_of_val(action.moves())) as u64;
        self.room = self.room.checked_sub(bytes).ok_or(self.undecided(Because::Memory))?;
        Ok(())
    }

    /// Takes this many bytes of the room for lists, if there are so many left.
    pub(super) fn take_room(&mut self, bytes: u64) -> bool {
        let left = self.room.checked_sub(bytes);
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    pub(super) fn undecided(&self, because: Because) -> Undecided {
        Undecided { steps: self.steps, because }
    }

    /// Makes ready for a question about this position and those that follow from it.
    pub(crate) fn ask_about(&mut self, position: &Position) {
        self.table.ask_about(position);
        self.trial_cost = 1 + cost_of_size(position);
    }

    /// Asks a `question` with at most this many steps.
    pub(crate) fn within<T>(&mut self, steps: u64, question: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limit;
        self.limit = limit.min(self.steps.saturating_add(steps));
        let answer = question(self);
        self.limit = limit;
        answer
    }

    /// The legal actions of a position, to be gone through with [`Prover::next_action`].
    pub fn actions<'p>(&self, position: &'p Position) -> PaidActions<'p> {
        PaidActions { actions: position.legal_actions(), paid: 0 }
    }

    /// The next of the legal actions, each of which costs a step beside the search for it. `None` when there are no more.
    ///
    /// # Errors
    ///
    /// When the budget is spent before that is known.
    pub fn next_action<'p>(&mut self, list: &mut PaidActions<'p>) -> Result<Option<Action>, Undecided>
    where
        's: 'p,
    {
        list.actions.end_at(Limit::steps(list.paid.saturating_add(self.left())).or_when(self.stop));
        let action = list.actions.next();
        let steps = list.actions.steps() - list.paid;
        list.paid += steps;
        match (action, list.actions.end()) {
            (Some(action), _) => self.spend(steps + self.trial_cost).map(|()| Some(action)),
            (None, Some(Err(undecided))) => self.pay(Err(Undecided { steps, ..undecided })),
            (None, _) => self.spend(steps).map(|()| None),
        }
    }

    /// Goes on to another action and pays for the way.
    pub(super) fn advance(&mut self, actions: &mut Exploration<'_>) -> Result<bool, Undecided> {
        let before = actions.steps();
        let more = actions.advance(Limit::steps(before.saturating_add(self.left())).or_when(self.stop));
        let steps = actions.steps() - before;
        self.pay(more.map(|more| (more, steps)).map_err(|undecided| Undecided { steps, ..undecided }))
    }

    /// A mate in `n` or less by the player to move that is known, and its length.
    pub(super) fn known_mate(&mut self, position: &Position, n: u32) -> Option<(u32, Action)> {
        let key = self.table.key(position)?;
        self.table.mate(&key, n).map(|(length, action)| (length, action.clone()))
    }

    /// Remembers a mate in `length` that was found when the attacker had `left` actions.
    pub(super) fn note_mate(&mut self, position: &Position, left: u32, length: u32, action: &Action) {
        if let Some(key) = self.table.key(position) {
            self.table.prove(&key, length, action);
        }
        self.remember_answer(left, action);
    }

    /// Actions that mated elsewhere when the attacker had so many left.
    pub(super) fn answers(&self, left: u32) -> &[Action] {
        self.answers.get(left as usize).map_or(&[], |answers| &answers.0)
    }

    pub(super) fn remember_answer(&mut self, left: u32, answer: &Action) {
        Killers::at(&mut self.answers, left).put_first(answer);
    }

    /// Defences that refuted elsewhere when the attacker had so many actions left.
    pub(super) fn defences(&self, left: u32) -> &[Action] {
        self.defences.get(left as usize).map_or(&[], |defences| &defences.0)
    }

    pub(super) fn remember_defence(&mut self, left: u32, defence: &Action) {
        Killers::at(&mut self.defences, left).put_first(defence);
    }

    /// There is as much room for lists as there was: those that were made since then are gone.
    pub(super) fn room_again(&mut self, room: u64) {
        self.room = room;
    }

    /// The bytes that may be taken by what is only kept to save work.
    pub(crate) fn room(&self) -> u64 {
        self.room
    }

    /// A legal action of the player to move.
    pub(super) fn legal_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        let searched = position.first_legal_action(self.limit());
        self.pay(searched)
    }

    /// A reply that is likely to answer many other actions too, if one is found quickly: a jump far into the past
    /// depends little on the other boards. Without it, a search through the actions with several branches did not end
    /// in a position with eighteen timelines.
    pub(super) fn rewinding_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        const WORTH: u64 = 60;
        let limit = Limit::steps(WORTH.min(self.left())).or_when(self.stop);
        match position.first_rewinding_action(limit) {
            Ok((action, steps)) => self.spend(steps).map(|()| action),
            Err(undecided) => self.spend(undecided.steps).map(|()| None),
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
                match prover.hold(&action) {
                    Ok(()) => held += 1,
                    Err(undecided) => break undecided.because,
                }
            };
            assert_eq!(because, Because::Memory);
            let bytes = held * (size_of::<Action>() + size_of_val(action.moves()));
            let room = memory.max(Budget::LEAST_FOR_LISTS) as usize;
            assert!(bytes <= room && room < bytes + 200, "{bytes} of {room}");
        }
    }

    #[test]
    fn a_prover_that_is_stopped_knows_nothing() {
        let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().unwrap();
        let stop = AtomicBool::new(false);
        let mut prover = Prover::new(Budget::default()).or_when(Some(&stop));
        assert_eq!(prover.solve(&position, 2, true).undecided, None);
        stop.store(true, Ordering::Relaxed);
        let mut prover = Prover::new(Budget::default()).or_when(Some(&stop));
        let solution = prover.solve(&position, 2, true);
        assert_eq!(solution.verdict, crate::search::Verdict::Undecided);
        assert_eq!(solution.undecided.map(|undecided| undecided.because), Some(Because::Stopped));
    }
}
