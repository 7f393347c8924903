//! Debug builds check samples of every shortcut by playing them.
//!
//! A slice claims that all its points are illegal and a block that all are legal. Both are claims about products that
//! are never listed. So this module picks some members: it draws other values for the axes concerned, plays the
//! action on a copy of the position, and checks it with the plain rules.

use std::collections::BTreeSet;

use super::axis::Value;
use super::cuboid::{Draft, has, ones};
use super::point::{Choice, Point};
use super::search::{Event, Search};
use super::space::Space;
use crate::types::{Action, MoveKind};

/// One in this many slices and blocks is sampled.
const EVERY: u64 = 16;

impl Search<'_> {
    /// Checks samples of what the search has just left out or found.
    pub(super) fn audit(&mut self, event: Event) {
        match event {
            Event::Slice(draft) => self.audit_slice(draft),
            Event::Block => self.audit_block(),
            Event::Stage | Event::Banned | Event::Point { .. } | Event::DeadEnd | Event::Split => {}
        }
    }

    /// Panics if a sampled point of the slice can be submitted, or if an axis is restricted twice: a slice on one axis would
    /// not be known for one.
    fn audit_slice(&mut self, draft: Draft) {
        let axes: BTreeSet<usize> = self.walk.draft_sets(draft).map(|(start, _)| start).collect();
        assert_eq!(axes.len(), self.walk.draft_len(draft), "a slice restricts an axis twice");
        if !self.steps().is_multiple_of(EVERY) {
            return;
        }
        let Search { space, walk, point, .. } = &*self;
        let mut sample = Point { choices: point.choices.clone(), branches: point.branches.clone() };
        for (start, set) in walk.draft_sets(draft) {
            let drawn = if let Some(index) = space.axes.iter().position(|axis| axis.words.start == start) {
                draw_choice(space, sample.choices[index], index, set, self.steps())
                    .map(|choice| sample.choices[index] = choice)
            } else {
                let n = (0..sample.branches.len()).find(|&n| space.creation_axis(n).start == start);
                n.and_then(|n| {
                    draw_branch(space, sample.branches[n], set, self.steps())
                        .map(|jump| sample.branches[n] = jump)
                })
            };
            if drawn.is_none() {
                // The point cannot be moved into the slice without pairing boards anew.
                return;
            }
        }
        assert!(!is_legal(space, &sample), "a slice holds the legal action {:?}", space.action(&sample));
        self.audited.slices += 1;
    }

    /// Panics if the reply is illegal after a sampled legal action of the region, which lies around the current point.
    pub(super) fn audit_answered(&self, draft: Draft, reply: &Action) {
        for draw in
            [self.steps(), self.steps().wrapping_mul(0x9e37_79b9), self.steps().wrapping_mul(0x85eb_ca6b)]
        {
            let mut position = self.space.position.clone();
            let action = self.draw(draft, draw);
            if position.play(&action).is_ok()
                && let Err(error) = position.play(reply)
            {
                panic!("{reply:?} is said to answer {action:?} too: {error}");
            }
        }
    }

    /// The action of the current point with other moves within boards, as the draft and the current cuboid allow.
    pub(super) fn draw(&self, draft: Draft, draw: u64) -> Action {
        let Search { space, walk, point, .. } = self;
        let mut sample = Point { choices: point.choices.clone(), branches: point.branches.clone() };
        for (index, axis) in space.axes.iter().enumerate() {
            if !matches!(sample.choices[index], Choice::Pass | Choice::Move(_)) {
                continue;
            }
            let alive = walk.values(&axis.words);
            let set = walk.draft_sets(draft).find(|(start, _)| *start == axis.words.start);
            let holds = |bit: &usize| set.is_none_or(|(_, set)| has(set, *bit));
            let drawn = ones(alive, axis.staying()).filter(holds).cycle_to(draw >> (7 * index % 50));
            sample.choices[index] = match drawn.map(|bit| axis.value(bit)) {
                Some(Value::Pass) => Choice::Pass,
                Some(Value::Move(index)) => Choice::Move(axis.physicals.start + index),
                _ => sample.choices[index],
            };
        }
        space.action(&sample)
    }

    /// Panics if a sampled action of the block is illegal.
    fn audit_block(&mut self) {
        if !self.steps().is_multiple_of(EVERY) {
            return;
        }
        for draw in [0, self.steps(), self.steps().wrapping_mul(0x9e37_79b9)] {
            let action = self.block.sample(&self.space, draw);
            let mut position = self.space.position.clone();
            if let Err(error) = position.play(&action) {
                panic!("a block holds the illegal action {action:?}: {error}");
            }
        }
        self.audited.blocks += 1;
    }
}

/// A choice of the same sort as `choice` within a set of values of a play axis, so that the point stays paired off.
fn draw_choice(space: &Space<'_>, choice: Choice, index: usize, set: &[u64], draw: u64) -> Option<Choice> {
    let axis = &space.axes[index];
    let holds = |inside: bool| inside.then_some(choice);
    match choice {
        Choice::Move(_) => {
            let bit = ones(set, axis.moving()).cycle_to(draw)?;
            Some(Choice::Move(axis.physicals.start + bit - axis.moving().start))
        }
        Choice::Pass => holds(has(set, axis.bit(Value::Pass))),
        Choice::Depart(jump) => holds(has(set, axis.bit(Value::Depart(space.pool[jump].jump.from)))),
        Choice::Arrive(jump) => {
            let mut arrivals = ones(set, axis.arriving());
            holds(arrivals.any(|bit| space.arrival(axis, bit) == jump))
        }
    }
}

/// A jump of the same piece as `jump` within a set of values of a creation axis.
fn draw_branch(space: &Space<'_>, jump: usize, set: &[u64], draw: u64) -> Option<usize> {
    let old = space.pool[jump];
    let same_piece = |&jump: &usize| {
        let new = space.pool[jump];
        new.source() == old.source() && new.jump.from == old.jump.from
    };
    ones(set, 0..space.pool.len()).filter(same_piece).cycle_to(draw)
}

/// Whether the moves of a point can be played and submitted, asked of the position itself.
fn is_legal(space: &Space<'_>, point: &Point) -> bool {
    let action = space.action(point);
    let mut position = space.position.clone();
    // A branch that comes before its source board was played would be a hop: `play` refuses such a kind.
    debug_assert!(
        action.moves().iter().filter(|m| m.kind == MoveKind::Branch).count() == point.branches.len()
    );
    position.play(&action).is_ok()
}

trait CycleTo: Iterator + Sized {
    /// The item at an index taken modulo the number of items.
    fn cycle_to(self, index: u64) -> Option<Self::Item> {
        let items: Vec<_> = self.collect();
        let len = items.len() as u64;
        (len > 0).then(|| items.into_iter().nth((index % len) as usize)).flatten()
    }
}

impl<I: Iterator> CycleTo for I {}
