//! Wrong first actions, and the replies that refute them.

use super::prover::Prover;
use super::{Candidates, Cut, Defence, Listed};
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Move, Undecided};

/// A legal action that does not force mate in time, with a reply that refutes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Try {
    /// The wrong action.
    pub action: Action,
    /// The reason why it does not mate.
    pub refutation: Defence,
}

/// The number of replies that refute a wrong action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refutations {
    /// The replies after which there is no mate in time.
    pub count: u64,
    /// All legal replies.
    pub replies: u64,
}

/// The search steps for testing whether an action threatens mate.
const THREAT_STEPS: u64 = 5_000;

/// The position after a pass by the player to move: every mandatory board is repeated, one half-turn later.
/// `None` if that would not make it the opponent's turn.
pub fn after_null_action(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    for at in position.mandatory_boards() {
        setup.boards.push((BoardCoordinate { half_turn: at.half_turn.next(), ..at }, *position.board(at)?));
    }
    let passed = Position::from_setup(&setup).ok()?;
    (passed.to_move() != position.to_move()).then_some(passed)
}

impl Prover<'_> {
    /// Whether a solver would try this action: it gives check, captures, or threatens to mate with the next
    /// action if the opponent does nothing. A threat that takes too long to find does not count.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    ///
    /// # Panics
    ///
    /// When the action cannot be played.
    pub fn is_plausible(&mut self, position: &Position, action: &Action) -> Result<bool, Undecided> {
        let captures = |m: &Move| {
            let target = position.board(m.to.board).and_then(|board| board.get(m.to.square));
            target.is_some_and(|piece| piece.color != position.to_move())
        };
        if action.moves().iter().any(captures) {
            return Ok(true);
        }
        let mut after = position.clone();
        after.play_unchecked(action);
        self.charge_trial()?;
        if after.is_in_check() {
            return Ok(true);
        }
        let Some(next) = after_null_action(&after) else { return Ok(false) };
        match self.within(THREAT_STEPS, |prover| prover.mate(&next, 1, Candidates::Complete)) {
            Ok(mate) => Ok(mate.is_some()),
            Err(undecided) if self.left() == 0 => Err(undecided),
            Err(_) => Ok(false),
        }
    }

    /// Every legal action that `wanted` accepts and that does not force mate in `n`, in the order in which
    /// actions are listed. Replies that refuted another action are preferred, so that there are few different
    /// ones.
    ///
    /// # Errors
    ///
    /// When the budget or the memory for lists is spent first.
    pub(crate) fn wrong_actions(
        &mut self,
        position: &Position,
        n: u32,
        mut wanted: impl FnMut(&mut Self, &Action) -> Result<bool, Undecided>,
    ) -> Result<Vec<Try>, Undecided> {
        self.ask_about(position);
        let mut tries = Vec::new();
        let mut after = position.clone();
        let mut actions = self.actions(position);
        while let Some(action) = self.next_action(&mut actions)? {
            if !wanted(self, &action)? {
                continue;
            }
            after.play_unchecked(&action);
            let refutation = self.refutation(&after, n - 1);
            after.undo_unchecked(&action);
            if let Some(refutation) = refutation? {
                self.charge_memory(&action)?;
                if let Defence::Action(reply) = &refutation {
                    self.charge_memory(reply)?;
                }
                tries.push(Try { action, refutation });
            }
        }
        Ok(tries)
    }

    /// Wrong actions that look right ([`Prover::is_plausible`]), at most `most` of them. If listing all takes
    /// more than half of the remaining budget, each of them has a different reason of refutation.
    ///
    /// # Errors
    ///
    /// When the budget or the memory for lists is spent before one is found.
    pub(super) fn plausible_tries(
        &mut self,
        position: &Position,
        n: u32,
        most: usize,
    ) -> Result<Listed<Try>, Undecided> {
        let (worth, memory) = (self.left() / 2, self.memory_left());
        let all = self.within(worth, |prover| {
            prover.wrong_actions(position, n, |prover, action| prover.is_plausible(position, action))
        });
        let why = match all {
            Ok(all) => {
                let count = all.len() as u64;
                let every = all.len().div_ceil(most).max(1);
                return Ok(Listed::of(all.into_iter().step_by(every).collect(), count));
            }
            Err(why) => why,
        };
        self.restore_memory(memory);
        let mut tries = Vec::new();
        let allowance = self.left() / 2;
        match self.within(allowance, |prover| prover.different_tries(position, n, most, &mut tries)) {
            Err(undecided) if tries.is_empty() => Err(undecided),
            _ => Ok(Listed { items: tries, cut: Some(Cut::Undecided(why)) }),
        }
    }

    /// Adds wrong actions that look right, each refuted for a different reason.
    fn different_tries(
        &mut self,
        position: &Position,
        n: u32,
        most: usize,
        tries: &mut Vec<Try>,
    ) -> Result<(), Undecided> {
        self.ask_about(position);
        let mut actions = self.sieve(position);
        while tries.len() < most && self.advance(&mut actions)? {
            self.charge_trial()?;
            let Some((refutation, basis)) = self.refute(actions.after(), n - 1, Candidates::Complete)? else {
                actions.exclude_current();
                continue;
            };
            let action = actions.action().clone();
            match &refutation {
                Defence::Action(reply) if n == 1 => drop(actions.exclude_answered_by(reply)),
                _ => actions.exclude_agreeing(&basis, !position.to_move()),
            }
            if self.is_plausible(position, &action)? {
                self.charge_memory(&action)?;
                tries.push(Try { action, refutation });
            }
        }
        Ok(())
    }

    /// The number of replies by the player to move, who defends, that leave no mate in `left` further actions
    /// of the attacker.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub(crate) fn refutations(&mut self, position: &Position, left: u32) -> Result<Refutations, Undecided> {
        self.ask_about(position);
        if left == 0 {
            let counted = position.count_legal_actions_and_steps(u64::MAX, self.limit());
            let replies = self.charge_for(counted)?.count;
            return Ok(Refutations { count: replies, replies });
        }
        let mut refutations = Refutations { count: 0, replies: 0 };
        let mut after = position.clone();
        let mut replies = self.actions(position);
        while let Some(reply) = self.next_action(&mut replies)? {
            after.play_unchecked(&reply);
            let answer = self.answer(&after, left, Candidates::Complete);
            after.undo_unchecked(&reply);
            refutations.replies += 1;
            refutations.count += u64::from(answer?.is_none());
        }
        Ok(refutations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;
    use crate::types::{Color, Timeline};

    #[test]
    fn a_reply_that_is_answered_quietly_does_not_refute() {
        let position = fen5d::parse("[2bK/3b:0:1:b]").into_result().unwrap();
        let mut prover = Prover::new(Budget::default());
        let solution = prover.solve(&position, 3, true);
        let mut after = position.clone();
        after.play(solution.keys[0].key()).expect("a legal action");
        let replies = after.legal_actions().count() as u64;
        let refutations = Prover::new(Budget::default()).refutations(&after, 2);
        assert_eq!(refutations, Ok(Refutations { count: 0, replies }));
        assert!(replies > 0);
    }

    #[test]
    fn who_passes_repeats_the_boards_that_must_be_played() {
        // White has made two timelines more than Black, so the second is inactive.
        let text = "[k2/3/2K:0:1:w] [k2/3/2K:1:1:w] [k2/3/2K:2:1:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let passed = after_null_action(&position).expect("it is Black's turn then");
        let ends = [0, 1, 2].map(|timeline| passed.multiverse().last(Timeline(timeline)).unwrap().0.color());
        assert_eq!(ends, [Color::Black, Color::Black, Color::White]);
    }

    #[test]
    fn an_action_that_stalemates_is_wrong() {
        let position = fen5d::parse("[k2/3/1KQ:0:1:w]").into_result().unwrap();
        let stalemates = |action: &Action| {
            let mut after = position.clone();
            after.play(action).expect("a legal action");
            after.is_stalemate()
        };
        let expected = position.legal_actions().filter(stalemates).count();
        let tries = Prover::new(Budget::default()).wrong_actions(&position, 1, |_, _| Ok(true)).unwrap();
        let found: Vec<&Try> = tries.iter().filter(|wrong| wrong.refutation == Defence::Stalemate).collect();
        assert!(expected > 0 && found.len() == expected, "{found:?}");
        assert!(found.iter().all(|wrong| stalemates(&wrong.action)));
    }

    /// A legal reply refutes the last action of the attacker, and no earlier one.
    #[test]
    fn each_reply_to_a_wrong_action_of_a_mate_in_two_refutes() {
        let position = fen5d::parse("[5/NK2k/p4/5/5:0:1:w]").into_result().unwrap();
        // This prover remembers replies from looking for mates in one.
        let mut prover = Prover::new(Budget::default());
        let mating = prover.solve(&position, 2, true).mating_actions.count;
        let tries = prover.wrong_actions(&position, 2, |_, _| Ok(true)).unwrap();
        assert_eq!(tries.len() as u64 + mating, position.count_legal_actions(u64::MAX).count);
        for Try { action, refutation } in &tries {
            let Defence::Action(reply) = refutation else { continue };
            let mut after = position.clone();
            after.play(action).and_then(|_| after.play(reply)).expect("legal actions");
            let mate = Prover::new(Budget::default()).mating_answer(&after, 1);
            assert_eq!(mate, Ok(None), "{action:?} {reply:?}");
        }
    }

    #[test]
    fn a_capture_on_another_board_is_plausible() {
        let text = "[3k/4/K3/1R2:0:1:w] [3k/4/K3/1n2:1:1:w]";
        let position = fen5d::parse(text).into_result().unwrap();
        let hop = |action: &Action| action.moves().len() == 1 && action.moves()[0].to.board.timeline.0 == 1;
        let capture = position.legal_actions().find(|action| {
            let [m] = action.moves() else { return false };
            hop(action) && m.from.board.timeline.0 == 0 && m.from.square == m.to.square
        });
        let mut after = position.clone();
        after.play(capture.as_ref().expect("the rook captures")).expect("a legal action");
        assert!(!after.is_in_check(), "the capture is all that speaks for it");
        let plausible = Prover::new(Budget::default()).is_plausible(&position, &capture.unwrap());
        assert_eq!(plausible, Ok(true));
    }

    #[test]
    fn thousands_of_replies_are_counted() {
        let text = [0, 1, 2].map(|timeline| format!("[8/8/1k6/8/8/8/8/K6Q:{timeline}:1:w] "));
        let position = fen5d::parse(&text.concat()).into_result().unwrap();
        let replies = position.count_legal_actions(u64::MAX).count;
        assert!(replies > 10_000, "{replies}");
        let refutations = Prover::new(Budget::default()).refutations(&position, 0);
        assert_eq!(refutations, Ok(Refutations { count: replies, replies }));
    }
}
