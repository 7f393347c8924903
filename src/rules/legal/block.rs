//! Cuboids whose points are all legal, so that they are counted by multiplying and listed without a test.
//!
//! Two things stand between a cuboid with a legal point and such a block. Jumps must be resolved: which board jumps to
//! which, and where each new timeline begins. Then one scan for checks with *three-valued* boards decides for all points
//! at once: a square blocks a ray only if it is occupied whatever happens, and holds a royal piece if anything can bring
//! one there. A ray that finds nothing proves the block; one that finds something names the slice to cut.

use std::ops::Range;

use super::axis::{Change, Value};
use super::cuboid::{Draft, Walk, any, clear_bits, fill_bits, has, insert, insert_if, ones};
use super::point::{BestHit, Choice, Point};
use super::space::Space;
use crate::rules::attacks::{Frontier, Seen, is_exposed_within};
use crate::state::Board;
use crate::types::{Action, BoardCoordinate, Color, MoveKind};

/// Legal actions as a product: each dimension picks one of its values, and every combination is legal.
#[derive(Default)]
pub(super) struct Block {
    dimensions: Vec<Dimension>,
    values: Vec<u32>,
    /// The value of each dimension that comes next; `None` when all were listed.
    next: Option<Vec<u32>>,
}

struct Dimension {
    kind: DimensionKind,
    /// Into `values`.
    values: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DimensionKind {
    /// A play axis without jumps. Values: bits of the axis.
    Physical(usize),
    /// A hop. Values: jumps.
    Hop,
    /// The next branch. Values: jumps.
    Branch,
}

impl Block {
    /// The number of actions; `None` when it is beyond counting.
    pub(super) fn count(&self) -> Option<u64> {
        self.dimensions.iter().try_fold(1_u64, |product, d| product.checked_mul(d.values.len() as u64))
    }

    /// The next action of the block.
    pub(super) fn next(&mut self, space: &Space<'_>) -> Option<Action> {
        let mut indices = self.next.take()?;
        let action = self.action(space, &indices);
        let mut turning = self.dimensions.iter().zip(indices.iter_mut()).rev();
        let more = turning.any(|(dimension, index)| {
            *index = (*index + 1) % dimension.values.len() as u32;
            *index != 0
        });
        self.next = more.then_some(indices);
        Some(action)
    }

    /// An action of the block; which one depends on `draw` only.
    #[cfg(debug_assertions)]
    pub(super) fn sample(&self, space: &Space<'_>, draw: u64) -> Action {
        let index = |(i, d): (usize, &Dimension)| (draw >> (5 * i % 60)) as u32 % d.values.len() as u32;
        self.action(space, &self.dimensions.iter().enumerate().map(index).collect::<Vec<_>>())
    }

    /// The action that picks these values.
    fn action(&self, space: &Space<'_>, indices: &[u32]) -> Action {
        let mut moves = Vec::with_capacity(self.dimensions.len());
        for (dimension, &index) in self.dimensions.iter().zip(indices.iter()) {
            let value = self.values[dimension.values.start + index as usize] as usize;
            match dimension.kind {
                DimensionKind::Physical(axis) => {
                    let axis = &space.axes[axis];
                    if let Value::Move(_) = axis.value(value) {
                        moves.push(space.physical(axis, value).made.on(axis.at));
                    }
                }
                DimensionKind::Hop => moves.push(space.jump_move(value, MoveKind::Hop)),
                DimensionKind::Branch => moves.push(space.jump_move(value, MoveKind::Branch)),
            }
        }
        Action::new(moves)
    }
}

/// The result of looking at a cuboid with a legal point.
pub(super) enum Refinement {
    /// All its points are legal; the block has been filled.
    Block,
    /// It was split into parts, to which the walk goes on.
    Parts,
    /// Part of it may be illegal: this slice is, and has to be cut out.
    Slice(Draft),
}

/// The jumps that are possible in the current cuboid: pairs of boards, and boards with the timelines they may create.
#[derive(Default)]
struct Links {
    /// Indices into the hops of the space.
    hops: Vec<usize>,
    /// Source axis and number of the new timeline.
    branches: Vec<(usize, usize)>,
}

impl Space<'_> {
    /// The action of a point.
    pub(super) fn action(&self, point: &Point) -> Action {
        let mut moves = Vec::with_capacity(self.axes.len());
        for (axis, choice) in self.axes.iter().zip(&point.choices) {
            match *choice {
                Choice::Pass | Choice::Depart(_) => {}
                Choice::Move(index) => moves.push(self.physicals[index].made.on(axis.at)),
                Choice::Arrive(jump) => moves.push(self.jump_move(jump, MoveKind::Hop)),
            }
        }
        moves.extend(point.branches.iter().map(|&jump| self.jump_move(jump, MoveKind::Branch)));
        Action::new(moves)
    }

    /// Looks at the current cuboid, which holds the legal `point`: fills `block` if it is one, and otherwise splits it or
    /// names a slice to cut.
    pub(super) fn refine(
        &self,
        point: &Point,
        walk: &mut Walk,
        frontier: &mut Frontier<'_>,
        block: &mut Block,
    ) -> Refinement {
        let links = self.links(walk, point.branches.len());
        if let Some(axis) = self.unsettled(walk, &links) {
            self.split_by_partner(walk, axis, &links, point.branches.len());
            return Refinement::Parts;
        }
        for (n, &jump) in point.branches.iter().enumerate() {
            let pooled = &self.pool[jump];
            let (source, landing) = (pooled.source(), pooled.jump.to_board);
            let mut alive = self.branches_in(walk, n, source);
            let elsewhere = alive.any(|jump| self.pool[jump].jump.to_board != landing);
            drop(alive);
            if elsewhere {
                self.split_by_landing(walk, n, source);
                return Refinement::Parts;
            }
            // A branch from a board that can still be played stands only where that board is played.
            let left_alone = |&axis: &usize| {
                let axis = &self.axes[axis];
                has(walk.values(&axis.words), axis.bit(Value::Pass))
            };
            if let Some(target) = pooled.target().filter(left_alone) {
                return Refinement::Slice(self.misplaced_slice(walk, n, target, None));
            }
        }
        match self.possibly_exposed(point, &links, walk, frontier) {
            Some(slice) => Refinement::Slice(slice),
            None => {
                self.fill_block(point, &links, walk, block);
                Refinement::Block
            }
        }
    }

    fn links(&self, walk: &Walk, created: usize) -> Links {
        let mut links = Links::default();
        for (index, hop) in self.hops.iter().enumerate() {
            if self.hop_in(walk, hop).is_some() {
                links.hops.push(index);
            }
        }
        for n in 0..created {
            for source in 0..self.axes.len() {
                if self.branch_in(walk, n, source).is_some() {
                    links.branches.push((source, n));
                }
            }
        }
        links
    }

    /// A board with a jump that is not bound to take it, or not bound to one partner.
    fn unsettled(&self, walk: &Walk, links: &Links) -> Option<usize> {
        let mut degree = vec![0; self.axes.len()];
        for &hop in &links.hops {
            degree[self.hops[hop].source] += 1;
            degree[self.hops[hop].target] += 1;
        }
        for &(source, _) in &links.branches {
            degree[source] += 1;
        }
        (0..self.axes.len()).find(|&index| {
            let axis = &self.axes[index];
            degree[index] > 1 || degree[index] == 1 && any(walk.values(&axis.words), axis.staying())
        })
    }

    /// Splits the current cuboid by what a board jumps to or is jumped to from, if anything.
    fn split_by_partner(&self, walk: &mut Walk, index: usize, links: &Links, created: usize) {
        let draft = walk.draft();
        let axis = &self.axes[index];
        walk.add_set(&axis.words, |set| fill_bits(set, axis.staying()));
        walk.end_alternative();
        for hop in links.hops.iter().map(|&hop| &self.hops[hop]) {
            if hop.source == index || hop.target == index {
                let target = &self.axes[hop.target];
                walk.add_set(&target.words, |set| fill_bits(set, hop.bits.clone()));
                self.bind_source(walk, hop.source, Some(hop.target), None, created);
                walk.end_alternative();
            }
        }
        for &(source, n) in &links.branches {
            if source == index {
                walk.add_set(&self.creation_axis(n), |set| fill_bits(set, axis.jumps.clone()));
                self.bind_source(walk, source, None, Some(n), created);
                walk.end_alternative();
            }
        }
        walk.split(draft);
    }

    /// Adds the sets that make a board jump to one target and nowhere else.
    fn bind_source(
        &self,
        walk: &mut Walk,
        source: usize,
        target: Option<usize>,
        branch: Option<usize>,
        created: usize,
    ) {
        let axis = &self.axes[source];
        walk.add_set(&axis.words, |set| axis.insert_departures(set));
        for hop in self.hops.iter().filter(|hop| hop.source == source && Some(hop.target) != target) {
            let other = &self.axes[hop.target];
            walk.add_set(&other.words, |set| {
                set.fill(u64::MAX);
                clear_bits(set, hop.bits.clone());
            });
        }
        for n in (0..created).filter(|&n| Some(n) != branch) {
            walk.add_set(&self.creation_axis(n), |set| {
                set.fill(u64::MAX);
                clear_bits(set, axis.jumps.clone());
            });
        }
    }

    /// Splits the current cuboid by the board from which the n-th new timeline starts.
    fn split_by_landing(&self, walk: &mut Walk, n: usize, source: usize) {
        let draft = walk.draft();
        let words = self.creation_axis(n);
        let mut jumps: Vec<usize> = ones(walk.values(&words), self.axes[source].jumps.clone()).collect();
        jumps.sort_by_key(|&jump| self.pool[jump].jump.to_board);
        for group in jumps.chunk_by(|&a, &b| self.pool[a].jump.to_board == self.pool[b].jump.to_board) {
            walk.add_set(&words, |set| group.iter().for_each(|&jump| insert(set, jump)));
            walk.end_alternative();
        }
        walk.split(draft);
    }

    /// Removes for good the moves within a board that leave a royal piece exposed on that board. Jumps that do so were
    /// never in the pool.
    pub(super) fn drop_exposing_physicals(&self, walk: &mut Walk) {
        for axis in &self.axes {
            let draft = walk.draft();
            walk.add_set(&axis.words, |set| {
                for (bit, physical) in axis.moving().zip(&self.physicals[axis.physicals.clone()]) {
                    let made = physical.made;
                    let board = axis.board.after_physical(made.from, made.to, made.promotion);
                    insert_if(set, bit, is_exposed_within(&board, self.mover));
                }
            });
            walk.ban(draft);
        }
    }

    /// The slice of a capture of a royal piece that some point of the current cuboid might allow, with boards that hold
    /// whatever any point may put on them.
    ///
    /// Only captures on other boards than the attacker's: those on the same board are a matter of single values, and such
    /// values are gone by now. So every axis plays one part in the capture, and some value of it does play it: the slice
    /// is never empty.
    fn possibly_exposed(
        &self,
        point: &Point,
        links: &Links,
        walk: &mut Walk,
        frontier: &mut Frontier<'_>,
    ) -> Option<Draft> {
        let mut attackers: Vec<(BoardCoordinate, &Board, u64)> = Vec::with_capacity(self.axes.len());
        let mut set = |at: BoardCoordinate, board, any: Option<AnyOf>| match any {
            None => frontier.clear(at.timeline),
            Some(any) => {
                frontier.set(at, Seen { blockers: any.occupied, targets: any.royals });
                attackers.push((at, board, any.attackers));
            }
        };
        for (index, axis) in self.axes.iter().enumerate() {
            let mut changes = Changes { board: axis.board, mover: self.mover, any: None };
            for bit in ones(walk.values(&axis.words), axis.moving()) {
                changes.add(&self.physical(axis, bit).change);
            }
            for hop in links.hops.iter().map(|&hop| &self.hops[hop]) {
                if hop.target == index {
                    for jump in self.hops_in(walk, hop) {
                        changes.add(&self.pool[jump].change());
                    }
                } else if hop.source == index {
                    for jump in self.hops_in(walk, hop) {
                        changes.add(&Change::departure(self.pool[jump].jump.from.bit()));
                    }
                }
            }
            for &(source, n) in &links.branches {
                if source == index {
                    for jump in self.branches_in(walk, n, source) {
                        changes.add(&Change::departure(self.pool[jump].jump.from.bit()));
                    }
                }
            }
            set(axis.at.next(), axis.board, changes.any);
        }
        for &(source, n) in &links.branches {
            let board = self.landing(point.branches[n]);
            let mut changes = Changes { board, mover: self.mover, any: None };
            for jump in self.branches_in(walk, n, source) {
                changes.add(&self.pool[jump].change());
            }
            set(self.created(n, point.branches[n]), board, changes.any);
        }
        let mut best = BestHit::default();
        for (at, board, pieces) in attackers.into_iter().chain(self.standing_attackers()) {
            if best.is_found() {
                break;
            }
            let _ = frontier.scan_across(at, board, pieces, |hit| best.offer(hit, frontier));
        }
        Some(self.slice_of(&best.hit()?, frontier, walk, |n| point.branches[n]))
    }

    fn fill_block(&self, point: &Point, links: &Links, walk: &Walk, block: &mut Block) {
        block.dimensions.clear();
        block.values.clear();
        let mut add = |kind, values: &mut dyn Iterator<Item = usize>| {
            let first = block.values.len();
            block.values.extend(values.map(|value| value as u32));
            block.dimensions.push(Dimension { kind, values: first..block.values.len() });
        };
        let mut jumping = vec![false; self.axes.len()];
        for hop in links.hops.iter().map(|&hop| &self.hops[hop]) {
            jumping[hop.source] = true;
            jumping[hop.target] = true;
            add(DimensionKind::Hop, &mut self.hops_in(walk, hop));
        }
        for (n, &jump) in point.branches.iter().enumerate() {
            let source = self.pool[jump].source();
            jumping[source] = true;
            add(DimensionKind::Branch, &mut self.branches_in(walk, n, source));
        }
        for (index, axis) in self.axes.iter().enumerate().filter(|&(index, _)| !jumping[index]) {
            let mut bits = ones(walk.values(&axis.words), axis.staying());
            add(DimensionKind::Physical(index), &mut bits);
        }
        block.next = Some(vec![0; block.dimensions.len()]);
    }
}

/// The bounds of the boards that several changes may make of one.
struct AnyOf {
    /// Occupied whatever happens.
    occupied: u64,
    /// Royal pieces of the mover in any case.
    royals: u64,
    /// Enemy pieces that are not captured in every case.
    attackers: u64,
}

struct Changes<'a> {
    board: &'a Board,
    mover: Color,
    any: Option<AnyOf>,
}

impl Changes<'_> {
    fn add(&mut self, change: &Change) {
        let any = self.any.get_or_insert(AnyOf { occupied: u64::MAX, royals: 0, attackers: 0 });
        any.occupied &= change.occupied(self.board);
        any.royals |= change.royals(self.board, self.mover);
        any.attackers |= self.board.by_color(!self.mover) & !change.captured;
    }
}
