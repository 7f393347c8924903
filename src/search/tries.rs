//! Wrong first actions and what refutes them.

use super::prover::Prover;
use super::{Budget, Defence, Tier};
use crate::rules::Undecided;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Move};

/// A legal action that does not force mate in time, with a reply that refutes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Try {
    /// The wrong action.
    pub action: Action,
    /// Why it is wrong.
    pub refutation: Defence,
}

/// How many replies refute a wrong action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refutations {
    /// The replies after which there is no mate in time.
    pub count: u64,
    /// All legal replies.
    pub replies: u64,
}

/// Nodes for the question whether an action threatens mate.
const THREAT_NODES: u64 = 5_000;

/// Whether an action is one that a solver would try: it gives check, captures, or threatens to mate with the next action,
/// should the opponent do nothing.
///
/// # Panics
///
/// When the action cannot be played.
pub fn is_plausible(position: &Position, action: &Action) -> bool {
    let captures = |m: &Move| {
        let target = position.board(m.to.board).and_then(|board| board.get(m.to.square));
        target.is_some_and(|piece| piece.color != position.to_move())
    };
    if action.moves().iter().any(captures) {
        return true;
    }
    let mut after = position.clone();
    after.play_unchecked(action);
    after.is_in_check() || passed(&after).is_some_and(|next| has_mate_in_one(&next))
}

fn has_mate_in_one(position: &Position) -> bool {
    let mut prover = Prover::new(Budget::nodes(THREAT_NODES));
    matches!(prover.mate(position, 1, Tier::Complete), Ok(Some(_)))
}

/// The position if the player to move could pass: every board that must be played stands again, one half-turn later. `None`
/// where that would not make it the opponent's turn.
pub fn passed(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    let (low, high) = position.multiverse().active();
    for timeline in position.multiverse().timelines().filter(|timeline| low <= *timeline && *timeline <= high)
    {
        let (half_turn, board) = position.multiverse().last(timeline)?;
        if half_turn == position.present() {
            setup.boards.push((BoardCoordinate { timeline, half_turn: half_turn.next() }, *board));
        }
    }
    let passed = Position::from_setup(&setup).ok()?;
    (passed.to_move() != position.to_move()).then_some(passed)
}

impl Prover {
    /// Every legal action among those `wanted` that does not force mate in `n`, in the order in which actions are listed. Few
    /// different replies are used: one that refuted another action is preferred.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn wrong_actions(
        &mut self,
        position: &Position,
        n: u32,
        mut wanted: impl FnMut(&Action) -> bool,
    ) -> Result<Vec<Try>, Undecided> {
        let mut tries = Vec::new();
        let mut after = position.clone();
        self.each_action(position, |prover, action| {
            if wanted(action) {
                after.play_unchecked(action);
                let refutation = prover.refutation(&after, n - 1);
                after.undo(action);
                if let Some(refutation) = refutation? {
                    tries.push(Try { action: action.clone(), refutation });
                }
            }
            Ok(())
        })?;
        Ok(tries)
    }

    /// How many of the replies of the player to move, who defends, leave no mate in `left` further actions of the attacker.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub fn refutations(&mut self, position: &Position, left: u32) -> Result<Refutations, Undecided> {
        if left == 0 {
            let replies = position.count_legal_actions_within(u64::MAX, self.left())?.count;
            return Ok(Refutations { count: replies, replies });
        }
        let mut refutations = Refutations { count: 0, replies: 0 };
        let mut after = position.clone();
        self.each_action(position, |prover, reply| {
            after.play_unchecked(reply);
            let answer = prover.answer(&after, left, Tier::Complete);
            after.undo(reply);
            refutations.replies += 1;
            refutations.count += u64::from(answer?.is_none());
            Ok(())
        })?;
        Ok(refutations)
    }

    /// Does something with every legal action, each of which costs a node beside the search for it.
    fn each_action(
        &mut self,
        position: &Position,
        mut visit: impl FnMut(&mut Prover, &Action) -> Result<(), Undecided>,
    ) -> Result<(), Undecided> {
        let limit = self.left();
        let mut actions = position.legal_actions().within(limit);
        let mut paid = 0;
        while let Some(action) = actions.next() {
            self.spend(actions.steps() - paid + 1)?;
            paid = actions.steps();
            visit(self, &action)?;
        }
        self.spend(actions.steps() - paid)?;
        if actions.is_complete() { Ok(()) } else { Err(Undecided { steps: limit }) }
    }
}
