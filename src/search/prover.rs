//! The search for mates: and/or, depth first, with iterative deepening.
//!
//! For a mate in one, the search goes through the attacker's actions; each reply of the defender that it finds
//! excludes all actions that the reply answers. For longer mates it looks at every action of both players. Replies
//! that refuted, and answers that mated, at sibling nodes are tried first; then replies that leave the attacker few actions.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::table::Table;
use super::{Budget, Candidates, Defence, Progress};
use crate::rules::{Basis, Exploration, LegalActions};
use crate::state::Position;
use crate::types::{Action, Because, BoardCoordinate, Limit, MoveKind, Undecided};

/// How many replies that answered or refuted an action are remembered.
const REMEMBERED: usize = 24;

/// Among how many actions, in the order of the list, checks are looked for: if only checks are, and otherwise before all are.
const CHECKS_AMONG: usize = 2_000;
const CHECKS_FIRST_AMONG: usize = 200;

/// How many defences are put in order at a time.
const BATCH: usize = 256;

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
    stop: Option<&'s AtomicBool>,
    progress: Option<&'s Progress>,
    /// The cost of trying an action in the current position.
    trial_cost: u64,
    /// The bytes that lists of actions may still take.
    room: u64,
    table: Table,
    /// Replies that were legal after an attacker's last action.
    replies: Killers,
    /// By the number of actions left to the attacker: defences that refuted, answers that mated.
    defences: Vec<Killers>,
    answers: Vec<Killers>,
}

/// Actions that helped before, the latest first.
#[derive(Default)]
pub(super) struct Killers(Vec<Action>);

impl Killers {
    pub(super) fn remember(&mut self, action: Action) {
        self.0.truncate(REMEMBERED - 1);
        self.0.insert(0, action);
    }

    fn promote(&mut self, index: usize) {
        self.0[..=index].rotate_right(1);
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
            stop: None,
            progress: None,
            trial_cost: 1,
            room: budget.memory.max(Budget::LEAST_FOR_LISTS),
            table: Table::new(budget.memory),
            replies: Killers::default(),
            defences: Vec::new(),
            answers: Vec::new(),
        }
    }
}

impl<'s> Prover<'s> {
    /// The same prover, which leaves every question undecided as soon as `stop` is true. Another thread may set it at any time.
    pub fn or_when<'t>(self, stop: Option<&'t AtomicBool>) -> Prover<'t>
    where
        's: 't,
    {
        Prover { stop, ..self }
    }

    /// The same prover, which says how far it has come.
    pub fn showing<'t>(self, progress: &'t Progress) -> Prover<'t>
    where
        's: 't,
    {
        Prover { progress: Some(progress), ..self }
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

    fn undecided(&self, because: Because) -> Undecided {
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

    fn remember_answer(&mut self, left: u32, answer: &Action) {
        let level = left as usize;
        if self.answers.len() <= level {
            self.answers.resize_with(level + 1, Killers::default);
        }
        let answers = &mut self.answers[level];
        match answers.0.iter().position(|known| known == answer) {
            Some(index) => answers.promote(index),
            None => answers.remember(answer.clone()),
        }
    }

    /// The bytes that may be taken by what is only kept to save work.
    pub(super) fn room(&self) -> u64 {
        self.room
    }

    /// A legal action of the player to move.
    fn legal_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        let searched = position.first_legal_action(self.limit());
        self.pay(searched)
    }

    /// A reply that is likely to answer many other actions too, if one is found quickly: a jump far into the past
    /// depends little on the other boards. Without it, a search through the actions with several branches did not end
    /// in a position with eighteen timelines.
    fn rewinding_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        const WORTH: u64 = 60;
        let limit = Limit::steps(WORTH.min(self.left())).or_when(self.stop);
        match position.first_rewinding_action(limit) {
            Ok((action, steps)) => self.spend(steps).map(|()| action),
            Err(undecided) => self.spend(undecided.steps).map(|()| None),
        }
    }

    /// An action of the attacker, who is to move, that mates in `n` or less, with its length. A mate that is known already comes first,
    /// then the shortest.
    pub(super) fn mate(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        Ok(self.search(position, n, tier, n > 1)?.ok())
    }

    /// [`Prover::mate`], or on what it relies that there is none: everything unless that is wanted.
    fn search(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
        wants_basis: bool,
    ) -> Result<Result<(u32, Action), Basis>, Undecided> {
        let key = self.table.key(position);
        if let Some((length, action)) = key.as_ref().and_then(|key| self.table.mate(key, n)) {
            return Ok(Ok((length, action.clone())));
        }
        let disproven = key.as_ref().map_or(0, |key| self.table.disproven(key, tier));
        let mut basis = key.as_ref().map_or(Basis::EVERYTHING, |key| self.table.basis(key, tier));
        for length in disproven + 1..=n {
            let (found, tier) = match length {
                1 => (self.mate_in_one(position, wants_basis)?, Candidates::Complete),
                _ => (self.mate_in(position, length, tier)?, tier),
            };
            match found {
                Ok(action) => {
                    if let Some(key) = &key {
                        self.table.prove(key, length, &action);
                    }
                    return Ok(Ok((length, action)));
                }
                // What refutes a longer mate refutes the shorter ones.
                Err(relied) => basis = relied,
            }
            if let Some(key) = &key {
                self.table.disprove(key, length, tier, &basis);
            }
        }
        Ok(Err(basis))
    }

    /// An action of the player to move that mates in `n` or less, and in how many, if that is found out within this many steps. What was
    /// learnt about positions that follow from the first one of these questions is kept.
    pub(crate) fn mate_within(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
        steps: u64,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        self.ask_about(position);
        self.within(steps, |prover| prover.mate(position, n, tier))
    }

    /// A checkmating action of the player to move, if that is found out within this many steps. Nothing is remembered about the
    /// position, so the question may be about any.
    pub(crate) fn mate_in_one_within(
        &mut self,
        position: &Position,
        steps: u64,
    ) -> Result<Option<Action>, Undecided> {
        self.trial_cost = 1 + cost_of_size(position);
        self.within(steps, |prover| prover.mate_in_one(position, false)).map(Result::ok)
    }

    fn mate_in_one(
        &mut self,
        position: &Position,
        wants_basis: bool,
    ) -> Result<Result<Action, Basis>, Undecided> {
        let explore = if wants_basis { Exploration::with_basis } else { Exploration::new };
        let mut actions = explore(position);
        while self.advance(&mut actions)? {
            if self.answer_around(&mut actions)? {
                continue;
            }
            if actions.after().is_in_check() {
                return Ok(Ok(actions.action().clone()));
            }
            actions.rely_on_everything();
        }
        Ok(Err(actions.basis().within(|board| position.board(board).is_some())))
    }

    /// Looks for a legal reply to the current action of the attacker and leaves out the actions that it answers. False if
    /// there is none: checkmate or stalemate.
    pub(super) fn answer_around(&mut self, actions: &mut Exploration<'_>) -> Result<bool, Undecided> {
        for index in 0..self.replies.0.len() {
            if actions.exclude_answered_by(&self.replies.0[index]) {
                self.replies.promote(index);
                self.spend_trial()?;
                return Ok(true);
            }
        }
        let reply = match self.rewinding_action(actions.after())? {
            Some(reply) => Some(reply),
            None => self.legal_action(actions.after())?,
        };
        let Some(reply) = reply else { return Ok(false) };
        let left_out = actions.exclude_answered_by(&reply);
        debug_assert!(left_out, "the reply {reply:?} is legal");
        self.replies.remember(reply);
        Ok(true)
    }

    /// An action of the attacker that mates in `n`, at least 2, actions, or on what it relies that there is none. Checks among the first
    /// actions of the list come first; then each action that no refutation of another one refutes.
    fn mate_in(
        &mut self,
        position: &Position,
        n: u32,
        tier: Candidates,
    ) -> Result<Result<Action, Basis>, Undecided> {
        let mut after = position.clone();
        let mut refuted = BTreeMap::new();
        let mut list = self.actions(position);
        let listed = if tier == Candidates::Checks { CHECKS_AMONG } else { CHECKS_FIRST_AMONG };
        for _ in 0..listed {
            let Some(action) = self.next_action(&mut list)? else { break };
            after.play_unchecked(&action);
            let refutation = if after.is_in_check() { Some(self.refute(&after, n - 1, tier)) } else { None };
            after.undo_unchecked(&action);
            match refutation.transpose()? {
                None => {}
                Some(None) => return Ok(Ok(action)),
                Some(Some(refutation)) => drop(refuted.insert(action, refutation)),
            }
        }
        if tier == Candidates::Checks {
            return Ok(Err(Basis::EVERYTHING));
        }
        let mut actions = Exploration::with_basis(position);
        let mut relied = Basis::default();
        while self.advance(&mut actions)? {
            self.spend_trial()?;
            let known = refuted.remove(actions.action());
            let refutation = if known.is_some() { known } else { self.refute(actions.after(), n - 1, tier)? };
            let Some(refutation) = refutation else { return Ok(Ok(actions.action().clone())) };
            #[cfg(debug_assertions)]
            self.audit_refuted(position, &mut actions, &refutation, n - 1);
            let (_, basis) = refutation;
            actions.exclude_refuted(&basis);
            relied.add_all(&basis);
        }
        relied.add_all(&actions.basis());
        Ok(Err(relied.within(|board| position.board(board).is_some())))
    }

    /// Debug builds draw an action that is left out with the current one now and then, and panic if the defence does not refute it.
    #[cfg(debug_assertions)]
    fn audit_refuted(
        &self,
        position: &Position,
        actions: &mut Exploration<'_>,
        (defence, basis): &(Defence, Basis),
        left: u32,
    ) {
        const EVERY: u64 = 8;
        if !self.steps().is_multiple_of(EVERY) {
            return;
        }
        let Some(action) = actions.sample_refuted(basis) else { return };
        let Defence::Action(defence) = defence else { unreachable!("stalemate refutes one action") };
        let mut after = position.clone();
        after.play_unchecked(&action);
        let replied = after.play(defence);
        assert!(replied.is_ok(), "{defence:?} is said to refute {action:?} too: {replied:?}");
        let mate = Prover::new(Budget::steps(10_000)).mating_answer(&after, left);
        assert!(!matches!(mate, Ok(Some(_))), "{defence:?} does not refute {action:?}: {mate:?}");
    }

    /// A defence of the player to move after which the attacker has no mate in `left` actions.
    pub(super) fn defence(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<Defence>, Undecided> {
        Ok(self.refute(position, left, tier)?.map(|(defence, _)| defence))
    }

    /// [`Prover::defence`], and on what of the position it relies that it is one.
    pub(super) fn refute(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<(Defence, Basis)>, Undecided> {
        let refuted = |defence: Action, relied: Basis| {
            let mut basis = relied.within(|board| position.board(board).is_some());
            basis.add_uses(&defence);
            Some((Defence::Action(defence), basis))
        };
        let stalemate = || (!position.is_in_check()).then_some((Defence::Stalemate, Basis::EVERYTHING));
        if left == 0 {
            return Ok(match self.legal_action(position)? {
                Some(action) => refuted(action, Basis::default()),
                None => stalemate(),
            });
        }
        let level = left as usize;
        if self.defences.len() <= level {
            self.defences.resize_with(level + 1, Killers::default);
        }
        let mut after = position.clone();
        let mut order: Vec<usize> = (0..self.defences[level].0.len()).collect();
        order.sort_by_key(|&index| self.defences[level].0[index].moves().len());
        for index in order {
            let killer = self.defences[level].0[index].clone();
            self.spend_trial()?;
            if after.play_if_legal(&killer) {
                let answer = self.answer_or_basis(&after, left, tier)?;
                after.undo_unchecked(&killer);
                if let Err(relied) = answer {
                    self.defences[level].promote(index);
                    return Ok(refuted(killer, relied));
                }
            }
        }
        let mut defences = self.actions(position);
        let mut any = false;
        loop {
            let mut batch = Vec::new();
            while batch.len() < BATCH
                && let Some(defence) = self.next_action(&mut defences)?
            {
                batch.push(defence);
            }
            if batch.is_empty() {
                break;
            }
            any = true;
            batch.sort_by_cached_key(|defence| {
                after.play_unchecked(defence);
                let width = width(&after);
                after.undo_unchecked(defence);
                width
            });
            for defence in batch {
                after.play_unchecked(&defence);
                let answer = self.answer_or_basis(&after, left, tier)?;
                after.undo_unchecked(&defence);
                if let Err(relied) = answer {
                    let (defence, relied) = self.smallest_part(position, defence, relied, left, tier)?;
                    self.defences[level].remember(defence.clone());
                    return Ok(refuted(defence, relied));
                }
            }
        }
        Ok(if any { None } else { stalemate() })
    }

    /// A part of a defence that refutes too, from which moves were left out one after another where that could be done: it relies on
    /// fewer boards.
    fn smallest_part(
        &mut self,
        position: &Position,
        mut defence: Action,
        mut relied: Basis,
        left: u32,
        tier: Candidates,
    ) -> Result<(Action, Basis), Undecided> {
        let mut after = position.clone();
        for m in defence.clone().moves().iter().filter(|m| m.kind == MoveKind::Physical) {
            let part = Action::new(defence.moves().iter().filter(|other| *other != m).copied().collect());
            self.spend_trial()?;
            if !part.is_empty() && after.play_if_legal(&part) {
                let answer = self.answer_or_basis(&after, left, tier)?;
                after.undo_unchecked(&part);
                if let Err(less) = answer {
                    (defence, relied) = (part, less);
                }
            }
        }
        Ok((defence, relied))
    }

    /// [`Prover::defence`], where a reply that refuted another action is preferred at the last ply too.
    pub(super) fn refutation(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<Defence>, Undecided> {
        if left == 0 {
            for index in 0..self.replies.0.len() {
                self.spend_trial()?;
                if position.clone().play_if_legal(&self.replies.0[index]) {
                    return Ok(Some(Defence::Action(self.replies.0[index].clone())));
                }
            }
        }
        let refutation = self.defence(position, left, Candidates::Complete)?;
        if let (0, Some(Defence::Action(reply))) = (left, &refutation) {
            self.replies.remember(reply.clone());
        }
        Ok(refutation)
    }

    /// What the attacker, who is to move, answers to mate in `left` or less. Answers that mated after other defences are
    /// tried first.
    pub(super) fn answer(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Option<Action>, Undecided> {
        Ok(self.answer_or_basis(position, left, tier)?.ok())
    }

    /// [`Prover::answer`], or on what it relies that there is none.
    fn answer_or_basis(
        &mut self,
        position: &Position,
        left: u32,
        tier: Candidates,
    ) -> Result<Result<Action, Basis>, Undecided> {
        if let Some((_, answer)) = self.known_mate(position, left) {
            return Ok(Ok(answer));
        }
        let mut after = position.clone();
        for index in 0..self.answers(left).len() {
            let answer = self.answers(left)[index].clone();
            self.spend_trial()?;
            if after.play_if_legal(&answer) {
                let mates = self.defence(&after, left - 1, tier)?.is_none();
                after.undo_unchecked(&answer);
                if mates {
                    self.remember_answer(left, &answer);
                    return Ok(Ok(answer));
                }
            }
        }
        let answer = self.search(position, left, tier, true)?.map(|(_, action)| action);
        if let Ok(answer) = &answer {
            self.remember_answer(left, answer);
        }
        Ok(answer)
    }
}

/// About how many actions the player to move has: as if each board could be played alone. Between defences that may all be good, the one
/// that leaves the attacker the fewest has the shortest proof, since each of his actions must be refuted.
fn width(position: &Position) -> u64 {
    let mut moves = Vec::new();
    let mut width: u64 = 1;
    let mandatory: Vec<BoardCoordinate> = position.mandatory_boards().collect();
    for at in position.playable_boards() {
        moves.clear();
        position.pseudo_legal_moves_from(at, &mut moves);
        let choices = moves.len() as u64 + u64::from(!mandatory.contains(&at));
        width = width.saturating_mul(choices.max(1));
    }
    width
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
            let mut prover = Prover::new(Budget { steps: 10, memory });
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

    /// White may play a board of a later turn too, which Black leaves alone. What White does there is refuted with the rest.
    #[test]
    fn one_refutation_is_found_for_many_actions() {
        let text = "[4k/5/5/5/K4:0:1:w][4k/5/5/5/K4:1:1:w][4k/5/5/5/K4:1:1:b][4k/5/2R2/2N2/K4:1:2:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let legal = position.legal_actions().count();
        assert!(legal > 100, "{legal}");
        let mut actions = Exploration::with_basis(&position);
        let mut prover = Prover::new(Budget::default());
        prover.ask_about(&position);
        let mut refuted = 0;
        while prover.advance(&mut actions).unwrap() {
            let (_, basis) =
                prover.refute(actions.after(), 1, Candidates::Complete).unwrap().expect("no mate in 2");
            actions.exclude_refuted(&basis);
            refuted += 1;
        }
        assert!(3 * refuted < legal, "{refuted} of {legal}");
    }

    /// Three boards without time travel: the attacker mates at once unless the defender finds the only good move on each. They are
    /// put together so that this defence is listed as the first that has no room in the first batch.
    #[test]
    fn the_first_defence_of_the_second_batch_is_asked_too() {
        const BOARDS: [&str; 6] = [
            "3s/4/2QR/k3",
            "k3/1RS1/4/s3",
            "1S2/2Pk/r3/2P1",
            "1R2/1nKQ/k3/4",
            "4/K3/2bS/k1UQ",
            "1k2/3Q/S3/2q1",
        ];
        let position = |boards: &[&str]| {
            let numbered = boards.iter().enumerate();
            let text: String = numbered
                .map(|(index, rows)| format!("[{rows}:{}:1:b]", index as i16 - boards.len() as i16 / 2))
                .collect();
            let mut setup = fen5d::parse(&text).into_result().unwrap().to_setup();
            setup.profile.time_travel = false;
            Position::from_setup(&setup).unwrap()
        };
        let refutes = |position: &Position, defence: &Action| {
            let mut after = position.clone();
            after.play(defence).expect("a legal action");
            Prover::new(Budget::default()).mating_answer(&after, 1).expect("few steps").is_none()
        };
        let squares = |action: &Action| -> Vec<_> {
            let mut moves: Vec<_> = action.moves().iter().collect();
            moves.sort_by_key(|m| m.from.board);
            moves.iter().map(|m| (m.from.square, m.to.square)).collect()
        };
        let good = BOARDS.map(|rows| {
            let position = position(&[rows]);
            let good: Vec<Action> =
                position.legal_actions().filter(|defence| refutes(&position, defence)).collect();
            assert_eq!(good.len(), 1, "{rows}");
            squares(&good[0])[0]
        });
        let indices = || 0..BOARDS.len();
        let triples = indices().flat_map(|a| indices().flat_map(move |b| indices().map(move |c| [a, b, c])));
        let found = triples.into_iter().find_map(|triple| {
            let position = position(&triple.map(|index| BOARDS[index]));
            let next = position.legal_actions().nth(BATCH)?;
            (squares(&next) == triple.map(|index| good[index])).then_some((position, next))
        });
        let (position, only) = found.expect("boards on which the good defence is listed there");
        let defence = Prover::new(Budget::default()).surviving_defence(&position, 1);
        assert_eq!(defence, Ok(Some(Defence::Action(only))));
    }

    /// After the hop to a4 the pawn may leave b4 free for the queen behind it. Other hops are refuted by a reply that is found after an
    /// action that leaves the pawn in her way, and that answers those without.
    #[test]
    fn a_reply_that_answers_many_actions_relies_on_what_bars_captures_after_each() {
        let text = "[3/3/1r1/3:-1:3:w] [1P1/QRp/3/3:0:2:w] [2k/3/3/3:1:4:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let key: Action = "(0T2w)a3>(-1T3w)a4".parse().unwrap();
        let solution = Prover::new(Budget::default()).solve(&position, 2, true);
        assert_eq!(solution.verdict, crate::search::Verdict::Proven);
        assert_eq!(solution.keys.iter().map(|class| class.key()).collect::<Vec<_>>(), [&key]);
        let text = "[k2/3/3/3:-1:4:w] [N2/1Qp/3/R2:0:2:w] [3/3/1p1/3:1:3:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let mut mating = position.legal_actions().collect::<Vec<_>>();
        mating.retain(|action| {
            let mut after = position.clone();
            after.play_unchecked(action);
            matches!(Prover::new(Budget::default()).surviving_defence(&after, 1), Ok(None))
        });
        let solution = Prover::new(Budget::default()).solve(&position, 2, true);
        assert_eq!(solution.mating_actions.count, mating.len() as u64);
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
