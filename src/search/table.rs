//! What is known of positions with the attacker to move, in bounded memory.

use std::collections::BTreeMap;

use super::Tier;
use crate::types::Action;

/// What is known of one position.
#[derive(Clone, Default)]
struct Entry {
    /// The shortest known mate: in how many actions, and how it begins.
    proven: Option<(u32, Action)>,
    /// There is no mate in this many actions or fewer.
    disproven: u32,
    /// The same among actions that give check.
    disproven_by_checks: u32,
}

/// Positions by their hash. What does not fit is not remembered: nothing that was known is ever forgotten, and the same
/// questions in the same order find the same answers. A tree, since a hash map with random keys would make no two runs alike,
/// and beside the search for one entry a look-up costs nothing.
pub(super) struct Table {
    entries: BTreeMap<u128, Entry>,
    bytes: u64,
    limit: u64,
}

/// What an entry costs beside its moves, with links and the room that the nodes of the tree leave free.
const ENTRY_BYTES: u64 = 2 * (size_of::<(u128, Entry)>() as u64 + 1);

impl Table {
    pub(super) fn new(limit: u64) -> Table {
        Table { entries: BTreeMap::new(), bytes: 0, limit }
    }

    /// A known mate in at most `n`.
    pub(super) fn mate(&self, position: u128, n: u32) -> Option<(u32, &Action)> {
        let (length, action) = self.entries.get(&position)?.proven.as_ref()?;
        (*length <= n).then_some((*length, action))
    }

    /// The most actions of which it is known that they do not mate.
    pub(super) fn disproven(&self, position: u128, tier: Tier) -> u32 {
        self.entries.get(&position).map_or(0, |entry| match tier {
            Tier::Complete => entry.disproven,
            Tier::Checks => entry.disproven.max(entry.disproven_by_checks),
        })
    }

    pub(super) fn prove(&mut self, position: u128, n: u32, action: &Action) {
        let bytes = size_of_val(action.moves()) as u64;
        if let Some(entry) = self.entry(position, bytes) {
            entry.proven = Some((n, action.clone()));
        }
    }

    pub(super) fn disprove(&mut self, position: u128, n: u32, tier: Tier) {
        if let Some(entry) = self.entry(position, 0) {
            let known = match tier {
                Tier::Complete => &mut entry.disproven,
                Tier::Checks => &mut entry.disproven_by_checks,
            };
            *known = n.max(*known);
        }
    }

    fn entry(&mut self, position: u128, bytes: u64) -> Option<&mut Entry> {
        let new = if self.entries.contains_key(&position) { 0 } else { ENTRY_BYTES };
        if self.bytes + new + bytes > self.limit {
            return None;
        }
        self.bytes += new + bytes;
        Some(self.entries.entry(position).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_answer_for_longer_mates_and_shorter_disproofs() {
        let mut table = Table::new(1 << 20);
        table.disprove(7, 2, Tier::Checks);
        assert_eq!(table.disproven(7, Tier::Checks), 2);
        assert_eq!(table.disproven(7, Tier::Complete), 0);
        table.disprove(7, 3, Tier::Complete);
        assert_eq!(table.disproven(7, Tier::Checks), 3);
        table.prove(7, 4, &Action::default());
        assert_eq!(table.mate(7, 3), None);
        assert_eq!(table.mate(7, 5).map(|(n, _)| n), Some(4));
    }

    #[test]
    fn memory_is_bounded() {
        let mut table = Table::new(10 * ENTRY_BYTES);
        for position in 0..1000 {
            table.disprove(position, 1, Tier::Complete);
        }
        assert_eq!(table.entries.len(), 10);
        assert!(table.bytes <= table.limit);
    }
}
