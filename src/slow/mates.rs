//! Forced mates, by trying everything.

use std::collections::BTreeSet;

use super::actions::Pruning;
use super::state::SlowState;
use crate::types::Action;

/// How much trying everything may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// The most positions that are looked at.
    pub positions: usize,
    /// The most beginnings of actions in each of them; see [`SlowState::legal_actions`].
    pub beginnings: usize,
}

impl SlowState {
    /// Every action that mates in `n`, at least 1, or fewer actions of the player to move; `None` when that takes more than
    /// `patience`, of which positions looked at are taken off.
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

    /// Whether the player to move is mated, or will be in `n` more actions of the opponent whatever he does; `None` as in
    /// [`SlowState::mating_actions`].
    pub fn is_lost(&self, n: u32, patience: &mut Patience) -> Option<bool> {
        patience.positions = patience.positions.checked_sub(1)?;
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
            if after.mating_actions(n, patience)?.is_empty() {
                return Some(false);
            }
        }
        Some(true)
    }

    fn all_actions(&self, patience: &Patience) -> Option<BTreeSet<Action>> {
        self.legal_actions_with(Pruning::CheckedEarly, patience.beginnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow::games::parse;

    fn mates(text: &str, n: u32) -> Option<usize> {
        let patience = &mut Patience { positions: 1_000, beginnings: 1_000 };
        parse(text).mating_actions(n, patience).map(|mating| mating.len())
    }

    #[test]
    fn a_ladder_mates_in_two_and_not_in_one() {
        // White's rooks on d2 and e1 against a king on the last rank of a board without a way out in time.
        let position = "[k4/5/2K2/5/3R1:0:1:w]";
        assert_eq!(mates(position, 1), Some(0));
        assert!(mates("[k4/5/1K3/5/3R1:0:1:w]", 1).is_some_and(|mating| mating > 0));
    }

    #[test]
    fn no_more_is_looked_at_than_allowed() {
        let patience = &mut Patience { positions: 1, beginnings: 1_000 };
        assert_eq!(parse("[k4/5/2K2/5/3R1:0:1:w]").mating_actions(1, patience), None);
        assert_eq!(patience.positions, 0);
    }
}
