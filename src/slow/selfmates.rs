//! Helpmates and selfmates, by trying everything.

use std::collections::BTreeSet;

use super::mates::Patience;
use super::state::SlowState;
use crate::types::Action;

impl SlowState {
    /// Every line of so many actions, of both players in turn, that ends in mate; `None` as in [`SlowState::mating_actions`].
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

    /// Every action with which the player to move forces the opponent to mate him with the `n`-th reply, at least the first, or
    /// sooner; `None` as in [`SlowState::mating_actions`].
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

    /// Whether each reply of the player to move, of which there is at least one, mates, or leads to a selfmate in `n` - 1.
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
