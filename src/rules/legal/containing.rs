//! Legal actions that contain given moves: what may be played next in an action under way.

use std::ops::Range;

use super::cuboid::{clear_bits, ones};
use super::space::{Scope, Space};
use super::{Search, Sources};
use crate::state::Position;
use crate::types::{Limit, Move, MoveKind, Undecided};

/// Those of the `next` moves with which the action that has `made` these moves, branches in this order, can still become
/// a legal one.
pub(crate) fn continuations(
    position: &Position,
    made: &[Move],
    mut next: Vec<Move>,
    limit: Limit<'_>,
) -> Result<Vec<Move>, Undecided> {
    let mut spent = 0;
    let mut undecided = None;
    next.retain(|m| {
        if undecided.is_some() || !position.has_room_for(m) {
            return false;
        }
        let mut search = Search::new(position, Scope::All);
        search.required = made.iter().chain([m]).copied().collect();
        let found = search.first(limit.after(spent));
        spent += search.steps();
        match found {
            Ok(action) => action.is_some(),
            Err(error) => {
                undecided = Some(Undecided { steps: spent, ..error });
                false
            }
        }
    });
    undecided.map_or(Ok(next), Err)
}

impl Space<'_> {
    /// Takes out of a stage the actions with a move that starts elsewhere than `sources` says and is none of `required`.
    pub(super) fn keep_sources(
        &self,
        sources: Sources,
        required: &[Move],
        created: usize,
        domain: &mut [u64],
    ) {
        let (active, present) = (self.active_after(created), self.position.present());
        let stays_still = |index: usize| {
            let at = self.axes[index].at;
            let is_source = active.contains(at.timeline) && (!sources.present || at.half_turn <= present);
            !is_source && required.iter().all(|m| m.from.board != at)
        };
        let mut clear = |words: Range<usize>, bits: Range<usize>, jump_of: &dyn Fn(usize) -> usize| {
            let words = &mut domain[words];
            let set: Vec<usize> = ones(words, bits).collect();
            for bit in set.into_iter().filter(|&bit| stays_still(self.pool[jump_of(bit)].source())) {
                clear_bits(words, bit..bit + 1);
            }
        };
        for n in 0..created {
            clear(self.creation_axis(n), 0..self.pool.len(), &|bit| bit);
        }
        for (index, axis) in self.axes.iter().enumerate() {
            let first = axis.first_arrival();
            clear(axis.value_words(), first..first + axis.arrivals.len(), &|bit| self.arrival(index, bit));
        }
        for (_, axis) in self.axes.iter().enumerate().filter(|(index, _)| stays_still(*index)) {
            domain[axis.words.start] = 0;
            clear_bits(&mut domain[axis.value_words()], 1..axis.first_arrival());
        }
    }

    /// Takes out of a stage the actions that do not contain these moves, with the branches among them first and in this
    /// order.
    pub(super) fn keep_containing(&self, required: &[Move], created: usize, domain: &mut [u64]) {
        let mut branches = 0;
        for m in required {
            let Some(source) = self.axes.iter().position(|axis| axis.at == m.from.board) else {
                return domain.fill(0);
            };
            if m.kind == MoveKind::Physical {
                let axis = &self.axes[source];
                let physicals = &self.physicals[axis.physicals.clone()];
                let index = physicals.iter().position(|physical| physical.made.on(axis.at) == *m);
                self.keep_value(source, index.map(|index| 1 + index), domain);
                continue;
            }
            // The piece leaves its board by this jump and no other, wherever that arrives.
            self.keep_value(source, None, domain);
            domain[self.axes[source].words.start] = self.axes[source].departures & m.from.square.bit();
            let is_required = |jump: usize| self.jump_move(jump, m.kind) == *m;
            let creation = if m.kind == MoveKind::Branch { branches..branches + 1 } else { 0..0 };
            branches += creation.len();
            for n in 0..created {
                let is_kept = |jump: usize| {
                    if creation.contains(&n) { is_required(jump) } else { self.pool[jump].source() != source }
                };
                let words = &mut domain[self.creation_axis(n)];
                let jumps: Vec<usize> = ones(words, 0..self.pool.len()).collect();
                for jump in jumps.into_iter().filter(|&jump| !is_kept(jump)) {
                    clear_bits(words, jump..jump + 1);
                }
            }
            for index in 0..self.axes.len() {
                let axis = &self.axes[index];
                let arrivals = axis.first_arrival()..axis.first_arrival() + axis.arrivals.len();
                let is_target = m.kind == MoveKind::Hop && axis.at == m.to.board;
                let words = &mut domain[axis.value_words()];
                // What is hopped to is not played otherwise; what is not, is not by another jump of the piece.
                let bits = ones(words, if is_target { 0 } else { arrivals.start }..arrivals.end);
                let is_dropped = |bit: &usize| match is_target {
                    true => *bit < arrivals.start || !is_required(self.arrival(index, *bit)),
                    false => self.pool[self.arrival(index, *bit)].source() == source,
                };
                for bit in bits.filter(is_dropped).collect::<Vec<_>>() {
                    clear_bits(words, bit..bit + 1);
                }
                if is_target {
                    domain[axis.words.start] = 0;
                }
            }
        }
        if branches > created {
            domain.fill(0);
        }
    }

    /// Leaves a play axis this value only, or none.
    fn keep_value(&self, index: usize, value: Option<usize>, domain: &mut [u64]) {
        let axis = &self.axes[index];
        domain[axis.words.start] = 0;
        for (n, word) in domain[axis.value_words()].iter_mut().enumerate() {
            *word &= value.filter(|value| value / 64 == n).map_or(0, |value| 1 << (value % 64));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::samples::multiverses;
    use crate::types::Action;

    #[test]
    fn actions_with_given_moves_are_listed_once_each() {
        let (mut asked, mut found) = (0, 0);
        for position in multiverses(41, 500) {
            let legal: Vec<Action> = position.legal_actions().take(300).collect();
            if legal.len() == 300 {
                continue;
            }
            for action in legal.iter().step_by(1 + legal.len() / 8) {
                for count in 0..=action.moves().len() {
                    let made = &action.moves()[action.moves().len() - count..];
                    let branches = |moves: &[Move]| -> Vec<Move> {
                        moves.iter().filter(|m| m.kind == MoveKind::Branch).copied().collect()
                    };
                    let contains = |action: &&Action| {
                        made.iter().all(|m| action.moves().contains(m))
                            && branches(action.moves()).starts_with(&branches(made))
                    };
                    let expected: BTreeSet<Action> = legal.iter().filter(contains).cloned().collect();
                    let listed: Vec<Action> = position.legal_actions_containing(made).collect();
                    assert_eq!(listed.len(), expected.len(), "twice with {made:?} in {position:?}");
                    found += listed.len();
                    assert_eq!(
                        listed.into_iter().collect::<BTreeSet<_>>(),
                        expected,
                        "{made:?} in {position:?}"
                    );
                    asked += 1;
                }
            }
        }
        assert!(asked > 2_000 && found > 10_000, "{asked} questions, {found} actions");
    }
}
