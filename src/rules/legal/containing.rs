//! Legal actions that contain given moves: what may be played next in an action under way.

use std::ops::Range;

use super::axis::Value;
use super::cuboid::{clear_bits, has, insert, ones, remove};
use super::search::{Search, Sources};
use super::space::{Scope, Space};
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
        search.selection.required = made.iter().chain([m]).copied().collect();
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
                remove(words, bit);
            }
        };
        for n in 0..created {
            clear(self.creation_axis(n), 0..self.pool.len(), &|bit| bit);
        }
        for axis in &self.axes {
            clear(axis.words.clone(), axis.arriving(), &|bit| self.arrival(axis, bit));
        }
        for (_, axis) in self.axes.iter().enumerate().filter(|(index, _)| stays_still(*index)) {
            let words = &mut domain[axis.words.clone()];
            clear_bits(words, axis.departing());
            clear_bits(words, axis.moving());
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
                self.keep_value(source, index.map(Value::Move), domain);
                continue;
            }
            // The piece leaves its board by this jump and no other, wherever that arrives.
            self.keep_value(source, None, domain);
            domain[self.axes[source].departure_word()]
                .fill(self.axes[source].departures & m.from.square.bit());
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
                    remove(words, jump);
                }
            }
            for axis in &self.axes {
                let arriving = axis.arriving();
                let is_target = m.kind == MoveKind::Hop && axis.at == m.to.board;
                let words = &mut domain[axis.words.clone()];
                // The target of the hop is not played otherwise, and no other board is reached by another jump of the piece.
                let bits = ones(words, if is_target { 0 } else { arriving.start }..arriving.end);
                let is_dropped = |bit: &usize| match is_target {
                    true => *bit < arriving.start || !is_required(self.arrival(axis, *bit)),
                    false => self.pool[self.arrival(axis, *bit)].source() == source,
                };
                for bit in bits.filter(is_dropped).collect::<Vec<_>>() {
                    remove(words, bit);
                }
            }
        }
        if branches > created {
            domain.fill(0);
        }
    }

    /// Leaves a play axis this value only, or none.
    fn keep_value(&self, index: usize, value: Option<Value>, domain: &mut [u64]) {
        let axis = &self.axes[index];
        let words = &mut domain[axis.words.clone()];
        let kept = value.map(|value| axis.bit(value)).filter(|&bit| has(words, bit));
        words.fill(0);
        kept.into_iter().for_each(|bit| insert(words, bit));
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
