//! The search for mates: and/or, depth first, with iterative deepening.
//!
//! A mate in one is found by exploring the attacker's actions while every reply of the defender, once found, takes all the
//! actions with it that it answers. Longer mates look at every action of both sides. What refuted a sibling is tried
//! first, and so is what mated after a sibling.

use super::table::Table;
use super::{Budget, Defence, Tier};
use crate::rules::{Exploration, Undecided};
use crate::state::Position;
use crate::types::{Action, MoveKind};

/// How many replies are remembered that answered an action or refuted one.
const REMEMBERED: usize = 24;

/// How many defences are put in order at a time.
const BATCH: usize = 256;

/// Proves and refutes mates. What it has learnt about positions serves its next questions, and all of them are paid from
/// one budget.
pub struct Prover {
    nodes: u64,
    limit: u64,
    table: Table,
    /// Replies that were legal after an attacker's last action.
    replies: Recent,
    /// By the number of actions left to the attacker: defences that refuted, answers that mated.
    defences: Vec<Recent>,
    answers: Vec<Recent>,
}

/// Actions that were of use, the last first.
#[derive(Default)]
pub(super) struct Recent(Vec<Action>);

impl Recent {
    pub(super) fn remember(&mut self, action: Action) {
        self.0.truncate(REMEMBERED - 1);
        self.0.insert(0, action);
    }

    fn promote(&mut self, index: usize) {
        self.0[..=index].rotate_right(1);
    }
}

impl Prover {
    /// A prover that may spend this much in all.
    pub fn new(budget: Budget) -> Prover {
        Prover {
            nodes: 0,
            limit: budget.nodes,
            table: Table::new(budget.memory),
            replies: Recent::default(),
            defences: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// How many nodes were spent so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many nodes are left of the budget.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.nodes)
    }

    /// Pays for work that was done elsewhere for the same purpose.
    ///
    /// # Errors
    ///
    /// When that exceeds the budget.
    pub fn spend(&mut self, nodes: u64) -> Result<(), Undecided> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > self.limit { Err(Undecided { steps: self.limit }) } else { Ok(()) }
    }

    /// Asks a question that may spend at most so many nodes.
    pub(super) fn within<T>(&mut self, nodes: u64, question: impl FnOnce(&mut Prover) -> T) -> T {
        let limit = self.limit;
        self.limit = limit.min(self.nodes.saturating_add(nodes));
        let answer = question(self);
        self.limit = limit;
        answer
    }

    /// Goes on to another action and pays for the way.
    pub(super) fn advance(&mut self, actions: &mut Exploration<'_>) -> Result<bool, Undecided> {
        let before = actions.steps();
        let more = actions.advance(before + self.left());
        self.spend(actions.steps() - before)?;
        more
    }

    /// A legal action of the player to move.
    fn legal_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        let (action, steps) = position.first_legal_action(self.left())?;
        self.spend(steps)?;
        Ok(action)
    }

    /// A reply that answers many other actions too, if one is found quickly: a jump far into the past asks little of the other
    /// boards. Without it the actions of several branches in a position of eighteen timelines had no end.
    fn rewinding_action(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        const WORTH: u64 = 60;
        match position.first_rewinding_action(WORTH.min(self.left())) {
            Ok((action, steps)) => self.spend(steps).map(|()| action),
            Err(undecided) => self.spend(undecided.steps).map(|()| None),
        }
    }

    /// An action of the attacker, who is to move, that mates in `n` or less, the shortest mate first, with its length.
    pub(super) fn mate(
        &mut self,
        position: &Position,
        n: u32,
        tier: Tier,
    ) -> Result<Option<(u32, Action)>, Undecided> {
        let hash = position.hash();
        if let Some((length, action)) = self.table.mate(hash, n) {
            return Ok(Some((length, action.clone())));
        }
        for length in self.table.disproven(hash, tier) + 1..=n {
            let (found, tier) = match length {
                1 => (self.mate_in_one(position)?, Tier::Complete),
                _ => (self.mate_in(position, length, tier)?, tier),
            };
            match found {
                Some(action) => {
                    self.table.prove(hash, length, &action);
                    return Ok(Some((length, action)));
                }
                None => self.table.disprove(hash, length, tier),
            }
        }
        Ok(None)
    }

    fn mate_in_one(&mut self, position: &Position) -> Result<Option<Action>, Undecided> {
        let mut actions = Exploration::new(position);
        while self.advance(&mut actions)? {
            if !self.answer_around(&mut actions)? && actions.after().is_in_check() {
                return Ok(Some(actions.action().clone()));
            }
        }
        Ok(None)
    }

    /// Looks for a legal reply to the current action of the attacker and leaves out the actions that it answers. False if
    /// there is none: checkmate or stalemate.
    pub(super) fn answer_around(&mut self, actions: &mut Exploration<'_>) -> Result<bool, Undecided> {
        for index in 0..self.replies.0.len() {
            if actions.leave_out_answered(&self.replies.0[index]) {
                self.replies.promote(index);
                self.spend(1)?;
                return Ok(true);
            }
        }
        let reply = match self.rewinding_action(actions.after())? {
            Some(reply) => Some(reply),
            None => self.legal_action(actions.after())?,
        };
        let Some(reply) = reply else { return Ok(false) };
        let left_out = actions.leave_out_answered(&reply);
        debug_assert!(left_out, "the reply {reply:?} is legal");
        self.replies.remember(reply);
        Ok(true)
    }

    /// An action of the attacker that mates in `n`, at least 2, actions: checks first.
    fn mate_in(&mut self, position: &Position, n: u32, tier: Tier) -> Result<Option<Action>, Undecided> {
        let passes: &[bool] = match tier {
            Tier::Checks => &[true],
            Tier::Complete => &[true, false],
        };
        let mut after = position.clone();
        for &checking in passes {
            let mut actions = position.legal_actions().within(self.left());
            let mut paid = 0;
            while let Some(action) = actions.next() {
                self.spend(actions.steps() - paid + 1)?;
                paid = actions.steps();
                after.play_unchecked(&action);
                let mates = after.is_in_check() == checking && self.defence(&after, n - 1, tier)?.is_none();
                after.undo(&action);
                if mates {
                    return Ok(Some(action));
                }
            }
            self.spend(actions.steps() - paid)?;
            if !actions.is_complete() {
                return Err(Undecided { steps: self.limit });
            }
        }
        Ok(None)
    }

    /// A defence of the player to move after which the attacker has no mate in `left` actions.
    pub(super) fn defence(
        &mut self,
        position: &Position,
        left: u32,
        tier: Tier,
    ) -> Result<Option<Defence>, Undecided> {
        if left == 0 {
            return Ok(match self.legal_action(position)? {
                Some(action) => Some(Defence::Action(action)),
                None => (!position.is_in_check()).then_some(Defence::Stalemate),
            });
        }
        let level = left as usize;
        if self.defences.len() <= level {
            self.defences.resize_with(level + 1, Recent::default);
            self.answers.resize_with(level + 1, Recent::default);
        }
        let mut after = position.clone();
        for index in 0..self.defences[level].0.len() {
            let killer = self.defences[level].0[index].clone();
            self.spend(1)?;
            if after.play(&killer).is_ok() {
                let answered = self.answer(&after, left, tier)?.is_some();
                after.undo(&killer);
                if !answered {
                    self.defences[level].promote(index);
                    return Ok(Some(Defence::Action(killer)));
                }
            }
        }
        let mut defences = position.legal_actions().within(self.left());
        let (mut paid, mut any) = (0, false);
        loop {
            let mut batch: Vec<Action> = defences.by_ref().take(BATCH).collect();
            self.spend(defences.steps() - paid + batch.len() as u64)?;
            paid = defences.steps();
            if batch.is_empty() {
                break;
            }
            any = true;
            batch.sort_by_cached_key(|defence| promise(position, defence));
            for defence in batch {
                after.play_unchecked(&defence);
                let answered = self.answer(&after, left, tier)?.is_some();
                after.undo(&defence);
                if !answered {
                    self.defences[level].remember(defence.clone());
                    return Ok(Some(Defence::Action(defence)));
                }
            }
        }
        if !defences.is_complete() {
            return Err(Undecided { steps: self.limit });
        }
        Ok((!any && !position.is_in_check()).then_some(Defence::Stalemate))
    }

    /// [`Prover::defence`], where a reply that refuted another action is preferred at the last ply too.
    pub(super) fn refutation(
        &mut self,
        position: &Position,
        left: u32,
    ) -> Result<Option<Defence>, Undecided> {
        if left == 0 {
            for index in 0..self.replies.0.len() {
                if position.clone().play(&self.replies.0[index]).is_ok() {
                    self.spend(1)?;
                    return Ok(Some(Defence::Action(self.replies.0[index].clone())));
                }
            }
        }
        let refutation = self.defence(position, left, Tier::Complete)?;
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
        tier: Tier,
    ) -> Result<Option<Action>, Undecided> {
        let level = left as usize;
        let mut after = position.clone();
        for index in 0..self.answers.get(level).map_or(0, |answers| answers.0.len()) {
            let answer = self.answers[level].0[index].clone();
            self.spend(1)?;
            if after.play(&answer).is_ok() {
                let mates = self.defence(&after, left - 1, tier)?.is_none();
                after.undo(&answer);
                if mates {
                    self.answers[level].promote(index);
                    return Ok(Some(answer));
                }
            }
        }
        let answer = self.mate(position, left, tier)?.map(|(_, action)| action);
        if let Some(answer) = &answer
            && let Some(answers) = self.answers.get_mut(level)
        {
            answers.remember(answer.clone());
        }
        Ok(answer)
    }
}

/// Defences with small numbers are tried first: journeys into the past, then captures, then the rest.
fn promise(position: &Position, defence: &Action) -> usize {
    let captures = |m: &&crate::types::Move| {
        position.board(m.to.board).is_some_and(|board| board.get(m.to.square).is_some())
    };
    let branches = defence.moves().iter().filter(|m| m.kind == MoveKind::Branch).count();
    let captures = defence.moves().iter().filter(captures).count();
    usize::MAX - 4 * branches - captures
}
