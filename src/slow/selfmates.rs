//! Helpmates and selfmates, by exhaustive search.

use std::collections::BTreeSet;

use super::mates::Patience;
use super::state::SlowState;
use crate::types::Action;

impl SlowState {
    /// Every line of `plies` actions, by both players in turn, that ends in mate; `None` in the same cases as
    /// for [`SlowState::mating_actions`].
    pub fn helpmates(&self, plies: u32, patience: &mut Patience) -> Option<BTreeSet<Vec<Action>>> {
        let mut lines = BTreeSet::new();
        let actions = self.all_actions(patience)?;
        if plies == 0 {
            if actions.is_empty() && self.is_in_check() {
                lines.insert(Vec::new());
            }
            return Some(lines);
        }
        for action in actions {
            let mut after = self.clone();
            after.play(&action);
            for line in after.helpmates(plies - 1, patience)? {
                lines.insert([std::slice::from_ref(&action), &*line].concat());
            }
        }
        Some(lines)
    }

    /// Every action that forces the opponent to mate the player to move with the `n`-th reply or sooner; `n`
    /// is at least 1. `None` in the same cases as for [`SlowState::mating_actions`].
    pub fn selfmating_actions(&self, n: u32, patience: &mut Patience) -> Option<BTreeSet<Action>> {
        let mut forcing = BTreeSet::new();
        for action in self.all_actions(patience)? {
            let mut after = self.clone();
            after.play(&action);
            if after.has_to_mate(n, patience)? {
                forcing.insert(action);
            }
        }
        Some(forcing)
    }

    /// Whether the player to move has a reply, and each reply mates or leads to a selfmate in `n` - 1.
    fn has_to_mate(&self, n: u32, patience: &mut Patience) -> Option<bool> {
        let replies = self.all_actions(patience)?;
        for reply in &replies {
            let mut after = self.clone();
            after.play(reply);
            let is_mate = after.is_lost(0, patience)?;
            if !is_mate && (n == 1 || after.selfmating_actions(n - 1, patience)?.is_empty()) {
                return Some(false);
            }
        }
        Some(!replies.is_empty())
    }
}
