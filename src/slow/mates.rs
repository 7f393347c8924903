//! Forced mates, by exhaustive search.

use std::collections::BTreeSet;

use super::actions::Pruning;
use super::state::SlowState;
use crate::types::Action;

/// The beginnings of actions that may still be examined; see [`SlowState::legal_actions`]. With many boards,
/// where examining takes longer, one counts as several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience(pub usize);

impl SlowState {
    /// Every action that mates in at most `n` actions of the player to move; `n` is at least 1. Takes its
    /// work from `patience`; `None` when that does not suffice.
    pub fn mating_actions(&self, n: u32, patience: &mut Patience) -> Option<BTreeSet<Action>> {
        let mut mating = BTreeSet::new();
        for action in self.all_actions(patience)? {
            let mut after = self.clone();
            after.play(&action);
            if after.is_lost(n - 1, patience)? {
                mating.insert(action);
            }
        }
        Some(mating)
    }

    /// Whether any action mates in at most `n` actions; `n` is at least 1. `None` in the same cases as for
    /// [`SlowState::mating_actions`].
    pub fn has_mate(&self, n: u32, patience: &mut Patience) -> Option<bool> {
        for action in self.all_actions(patience)? {
            let mut after = self.clone();
            after.play(&action);
            if after.is_lost(n - 1, patience)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the player to move is mated, or will be in at most `n` more actions of the opponent, whatever
    /// the defence. `None` in the same cases as for [`SlowState::mating_actions`].
    pub fn is_lost(&self, n: u32, patience: &mut Patience) -> Option<bool> {
        let defences = self.all_actions(patience)?;
        if defences.is_empty() {
            return Some(self.is_in_check());
        }
        if n == 0 {
            return Some(false);
        }
        for defence in defences {
            let mut after = self.clone();
            after.play(&defence);
            if !after.has_mate(n, patience)? {
                return Some(false);
            }
        }
        Some(true)
    }

    pub(super) fn all_actions(&self, Patience(left): &mut Patience) -> Option<BTreeSet<Action>> {
        const BOARDS: usize = 32;
        let boards: usize = self.lines.values().map(|line| line.boards.len()).sum();
        self.legal_actions_paid(Pruning::CheckedEarly, left, 1 + boards / BOARDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow::games::parse;

    fn mates(text: &str, n: u32) -> Option<usize> {
        let patience = &mut Patience(100_000);
        parse(text).mating_actions(n, patience).map(|mating| mating.len())
    }

    #[test]
    fn a_king_beside_his_rook_mates_and_one_too_far_away_does_not() {
        assert_eq!(mates("[k4/5/2K2/5/3R1:0:1:w]", 1), Some(0));
        assert!(mates("[k4/5/1K3/5/3R1:0:1:w]", 1).is_some_and(|mating| mating > 0));
    }

    #[test]
    fn no_more_is_looked_at_than_allowed() {
        let position = parse("[k4/5/2K2/5/3R1:0:1:w]");
        let mut patience = Patience(100_000);
        assert!(position.mating_actions(1, &mut patience).is_some());
        let needed = 100_000 - patience.0;
        assert!(needed > 20, "{needed}");
        assert!(position.mating_actions(1, &mut Patience(needed + 1)).is_some());
        assert_eq!(position.mating_actions(1, &mut Patience(needed - 1)), None);
    }
}
