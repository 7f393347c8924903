//! One point of a cuboid: picking it, and finding why it is illegal.

use std::ops::ControlFlow;

use super::axis::{Axis, Change, Hop, Value};
use super::cuboid::{Draft, Walk, any, fill_bits, insert, insert_if, ones};
use super::space::Space;
use crate::rules::attacks::{Frontier, Hit, Seen};
use crate::rules::matching::Matcher;
use crate::state::{Board, squares_of};
use crate::types::{BoardCoordinate, Color, Coordinate};

/// The choice of a point for a play axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// Leaves the board alone.
    Pass,
    /// A move within the board, by its index into the physical moves.
    Move(usize),
    /// The departure of a piece, by the index of its jump.
    Depart(usize),
    /// The arrival of a piece, by the index of its jump.
    Arrive(usize),
}

/// A point: a choice for each play axis, and for each new timeline the jump that creates it.
#[derive(Default)]
pub(super) struct Point {
    pub choices: Vec<Choice>,
    pub branches: Vec<usize>,
}

/// The number of captures of royal pieces that are compared before the one with the fewest axes is used.
const HITS_COMPARED: usize = 12;

/// Memory for looking at points.
#[derive(Default)]
pub(super) struct Scratch {
    matcher: Matcher,
    required: Vec<bool>,
    boards: Vec<(BoardCoordinate, Board)>,
}

impl Scratch {
    /// The work of pairing off since it was last taken.
    pub(super) fn take_work(&mut self) -> usize {
        self.matcher.take_work()
    }
}

impl Space<'_> {
    /// The work of looking at a point with this many branches, in the units of `Meter::work`.
    pub(super) fn point_work(&self, created: usize) -> usize {
        let boards = self.axes.len() + self.standing.len() + created;
        64 * boards + 4 * self.hops.len() + 4 * created * self.axes.len()
    }

    /// Picks a point of the current cuboid that pairs off: it leaves boards alone where that is possible. False when
    /// there is none; then the walk knows which values are missing.
    pub(super) fn pick(
        &self,
        walk: &mut Walk,
        created: usize,
        point: &mut Point,
        scratch: &mut Scratch,
    ) -> bool {
        let Scratch { matcher, required, .. } = scratch;
        let play_axes = self.axes.len();
        point.choices.clear();
        point.branches.clear();
        required.clear();
        let mut any_required = created > 0;
        for axis in &self.axes {
            let stays = ones(walk.values(&axis.words), axis.staying()).next();
            point.choices.push(match stays.map(|bit| axis.value(bit)) {
                Some(Value::Move(index)) => Choice::Move(axis.physicals.start + index),
                _ => Choice::Pass,
            });
            required.push(stays.is_none());
            any_required |= stays.is_none();
        }
        if !any_required {
            return true;
        }
        required.resize(play_axes + created, true);
        matcher.reset(play_axes + created);
        for hop in &self.hops {
            if self.hop_in(walk, hop).is_some() {
                matcher.connect(hop.source, hop.target);
            }
        }
        for n in 0..created {
            for source in 0..play_axes {
                if self.branch_in(walk, n, source).is_some() {
                    matcher.connect(source, play_axes + n);
                }
            }
        }
        if !matcher.cover(required) {
            self.miss_partners(walk, created, matcher);
            return false;
        }
        for (target, axis) in self.axes.iter().enumerate() {
            let Some(source) = matcher.partner(target) else { continue };
            if let Some(n) = source.checked_sub(play_axes) {
                let jump = self.branch_in(walk, n, target).expect("the edge was there");
                point.choices[target] = Choice::Depart(jump);
            } else if let Some(hop) = self.hops[axis.hops.clone()].iter().find(|hop| hop.source == source) {
                // Of two boards that can hop to each other both ways, either way will do.
                if let Some(jump) = self.hop_in(walk, hop) {
                    point.choices[target] = Choice::Arrive(jump);
                    point.choices[source] = Choice::Depart(jump);
                }
            }
        }
        for n in 0..created {
            let source = matcher.partner(play_axes + n).expect("creation axes are required");
            point.branches.push(self.branch_in(walk, n, source).expect("the edge was there"));
        }
        true
    }

    /// Says which values are missing for the boards that could not be paired off.
    ///
    /// The search for a partner got stuck with some boards, of which one too many needs a partner: each of them must jump,
    /// and no jump leads to a board that it did not reach. Of each the missing values count, and those of another board that
    /// bar a jump between the two.
    fn miss_partners(&self, walk: &mut Walk, created: usize, matcher: &Matcher) {
        let play_axes = self.axes.len();
        for (index, axis) in self.axes.iter().enumerate().filter(|&(index, _)| matcher.is_outer(index)) {
            walk.miss(&axis.words, |values| values.fill(u64::MAX));
            let departs = departures(walk, axis) != 0;
            for n in (0..created).filter(|_| departs) {
                if self.branch_in(walk, n, index).is_none() {
                    walk.miss(&self.creation_axis(n), |values| fill_bits(values, axis.jumps.clone()));
                }
            }
        }
        for hop in &self.hops {
            let (from, to) = (&self.axes[hop.source], &self.axes[hop.target]);
            let stuck = (matcher.is_outer(hop.source), matcher.is_outer(hop.target));
            if stuck == (false, false) || self.hop_in(walk, hop).is_some() {
                continue;
            }
            if stuck.0 && departures(walk, from) != 0 {
                walk.miss(&to.words, |values| fill_bits(values, hop.bits.clone()));
            }
            if stuck.1 && any(walk.values(&to.words), hop.bits.clone()) {
                walk.miss(&from.departure_word(), |departures| departures[0] = u64::MAX);
            }
        }
        for n in (0..created).filter(|n| matcher.is_outer(play_axes + n)) {
            walk.miss(&self.creation_axis(n), |values| values.fill(u64::MAX));
            for (source, axis) in self.axes.iter().enumerate() {
                let arrives = any(walk.values(&self.creation_axis(n)), axis.jumps.clone());
                if arrives && self.branch_in(walk, n, source).is_none() {
                    walk.miss(&axis.departure_word(), |departures| departures[0] = u64::MAX);
                }
            }
        }
    }

    /// The hops from one board to another that are possible in the current cuboid.
    pub(super) fn hops_in<'s>(&'s self, walk: &'s Walk, hop: &Hop) -> impl Iterator<Item = usize> + use<'s> {
        let departures = departures(walk, &self.axes[hop.source]);
        let bits = if departures == 0 { 0..0 } else { hop.bits.clone() };
        let target = &self.axes[hop.target];
        ones(walk.values(&target.words), bits)
            .map(move |bit| self.arrival(target, bit))
            .filter(move |&jump| departures & self.pool[jump].jump.from.bit() != 0)
    }

    /// The jumps from `source` that may create the n-th timeline in the current cuboid.
    pub(super) fn branches_in<'s>(
        &'s self,
        walk: &'s Walk,
        n: usize,
        source: usize,
    ) -> impl Iterator<Item = usize> + use<'s> {
        let axis = &self.axes[source];
        let departures = departures(walk, axis);
        let jumps = if departures == 0 { 0..0 } else { axis.jumps.clone() };
        ones(walk.values(&self.creation_axis(n)), jumps)
            .filter(move |&jump| departures & self.pool[jump].jump.from.bit() != 0)
    }

    pub(super) fn hop_in(&self, walk: &Walk, hop: &Hop) -> Option<usize> {
        self.hops_in(walk, hop).next()
    }

    pub(super) fn branch_in(&self, walk: &Walk, n: usize, source: usize) -> Option<usize> {
        self.branches_in(walk, n, source).next()
    }

    /// Adds what a point does with a play axis. A departure is that of the piece, wherever it goes.
    pub(super) fn add_choice(&self, point: &Point, index: usize, walk: &mut Walk) {
        let bit = self.bit_of(point, index);
        walk.add_set(&self.axes[index].words, |set| insert(set, bit));
    }

    /// The bit of the value that a play axis has in a point.
    pub(super) fn bit_of(&self, point: &Point, index: usize) -> usize {
        let axis = &self.axes[index];
        axis.bit(match point.choices[index] {
            Choice::Pass => Value::Pass,
            Choice::Move(index) => Value::Move(index - axis.physicals.start),
            Choice::Depart(jump) => Value::Depart(self.pool[jump].jump.from),
            Choice::Arrive(jump) => {
                let arrivals = &self.arrivals[axis.arrivals.clone()];
                let index = arrivals.iter().position(|&arrival| arrival as usize == jump);
                Value::Arrive(index.expect("the jump arrives here"))
            }
        })
    }

    /// Adds the jump of a point that creates the n-th timeline.
    pub(super) fn add_branch(&self, point: &Point, n: usize, walk: &mut Walk) {
        let jump = point.branches[n];
        walk.add_set(&self.creation_axis(n), |set| insert(set, jump));
    }

    /// The slice of the first branch that starts from a board which can still be played at that moment, where the jump
    /// would be a hop.
    pub(super) fn misplaced_branch(&self, point: &Point, walk: &mut Walk) -> Option<Draft> {
        for (n, &jump) in point.branches.iter().enumerate() {
            let Some(target) = self.pool[jump].target() else { continue };
            let later = match point.choices[target] {
                Choice::Move(_) | Choice::Arrive(_) => continue,
                Choice::Pass => None,
                Choice::Depart(_) => {
                    let leaves = |&jump: &usize| self.pool[jump].source() == target;
                    match point.branches[n..].iter().position(leaves) {
                        Some(after) => Some(n + after),
                        None => continue,
                    }
                }
            };
            return Some(self.misplaced_slice(walk, n, target, later));
        }
        None
    }

    /// Every point whose n-th branch starts from the board of `target`, which is left alone or, if `later` is given, is
    /// left by that branch only.
    pub(super) fn misplaced_slice(
        &self,
        walk: &mut Walk,
        n: usize,
        target: usize,
        later: Option<usize>,
    ) -> Draft {
        let draft = walk.draft();
        let axis = &self.axes[target];
        match later {
            None => walk.add_set(&axis.words, |set| insert(set, axis.bit(Value::Pass))),
            Some(later) => walk.add_set(&self.creation_axis(later), |set| fill_bits(set, axis.jumps.clone())),
        }
        walk.add_set(&self.creation_axis(n), |set| {
            self.arrivals[axis.arrivals.clone()].iter().for_each(|&jump| insert(set, jump as usize));
        });
        draft
    }

    /// The slice of points that allow a capture of a royal piece which the point allows: of several captures, one that
    /// concerns few axes. `report` is told of that capture.
    pub(super) fn exposed(
        &self,
        point: &Point,
        walk: &mut Walk,
        frontier: &mut Frontier<'_>,
        scratch: &mut Scratch,
        report: impl FnOnce(&Hit),
    ) -> Option<Draft> {
        let boards = &mut scratch.boards;
        boards.clear();
        for (axis, choice) in self.axes.iter().zip(&point.choices) {
            let board = match *choice {
                Choice::Pass => {
                    frontier.clear(axis.at.timeline);
                    continue;
                }
                Choice::Move(index) => {
                    let made = self.physicals[index].made;
                    axis.board.after_physical(made.from, made.to, made.promotion)
                }
                Choice::Depart(jump) => axis.board.after_departure(self.pool[jump].jump.from),
                Choice::Arrive(jump) => self.arrived(jump),
            };
            boards.push((axis.at.next(), board));
        }
        for (n, &jump) in point.branches.iter().enumerate() {
            boards.push((self.created(n, jump), self.arrived(jump)));
        }
        for (at, board) in boards.iter() {
            frontier.set(*at, Seen::of(board, self.mover));
        }
        let attackers = boards.iter().map(|(at, board)| (*at, board, board.by_color(!self.mover)));
        let mut best = BestHit::default();
        for (at, board, pieces) in attackers.chain(self.standing_attackers()) {
            if best.is_found() {
                break;
            }
            let _ = frontier.scan(at, board, pieces, |hit| best.offer(hit, frontier));
        }
        let hit = best.hit()?;
        report(&hit);
        Some(self.slice_of(&hit, frontier, walk, |n| point.branches[n]))
    }

    /// The boards that attack whatever the action does.
    pub(super) fn standing_attackers(&self) -> impl Iterator<Item = (BoardCoordinate, &Board, u64)> {
        self.standing.iter().map(|&(at, board)| (at, board, board.by_color(!self.mover)))
    }

    /// All points in which the same squares allow the same capture. `branch` gives a jump that creates the n-th timeline
    /// with the attacking piece on it, should the attack start there.
    pub(super) fn slice_of(
        &self,
        hit: &Hit,
        frontier: &Frontier<'_>,
        walk: &mut Walk,
        branch: impl Fn(usize) -> usize,
    ) -> Draft {
        let draft = walk.draft();
        let mut wanted: Option<Wanted> = None;
        for (index, Coordinate { board, square }) in hit.crossed().enumerate() {
            if !frontier.is_new(board) {
                continue;
            }
            // The squares on one board follow each other.
            let want = match &mut wanted {
                Some(want) if want.board == board => want,
                _ => {
                    if let Some(want) = wanted.take() {
                        self.add_wanted(&want, hit, walk, &branch);
                    }
                    wanted.insert(Wanted { board, attacker: 0, empty: 0, royal: 0 })
                }
            };
            if index == 0 {
                want.attacker = square.bit();
            } else if index == hit.length() {
                want.royal = square.bit();
            } else {
                want.empty |= square.bit();
            }
        }
        if let Some(want) = wanted {
            self.add_wanted(&want, hit, walk, &branch);
        }
        draft
    }

    /// Adds the values of an axis after which the wanted squares are as wanted.
    fn add_wanted(&self, want: &Wanted, hit: &Hit, walk: &mut Walk, branch: &impl Fn(usize) -> usize) {
        match self.axes.iter().find(|axis| axis.at.timeline == want.board.timeline) {
            Some(axis) => {
                let allows = |change: &Change| want.is_met(axis.board, change, self.mover);
                walk.add_set(&axis.words, |set| {
                    for square in squares_of(axis.departures) {
                        let is_allowed = allows(&Change::departure(square.bit()));
                        insert_if(set, axis.bit(Value::Depart(square)), is_allowed);
                    }
                    for (bit, physical) in axis.moving().zip(&self.physicals[axis.physicals.clone()]) {
                        insert_if(set, bit, allows(&physical.change));
                    }
                    for (bit, &jump) in axis.arriving().zip(&self.arrivals[axis.arrivals.clone()]) {
                        insert_if(set, bit, allows(&self.pool[jump as usize].change()));
                    }
                });
            }
            None => {
                let n = want.board.timeline.0.abs_diff(self.creation_timeline(0).0) as usize;
                let attacker = (want.attacker != 0).then(|| self.landing(branch(n)).get(hit.from)).flatten();
                walk.add_set(&self.creation_axis(n), |set| {
                    for (index, pooled) in self.pool.iter().enumerate() {
                        if pooled.arrival() != want.board.half_turn.0 {
                            continue;
                        }
                        let board = self.landing(index);
                        let attacks = want.attacker == 0 || board.get(hit.from) == attacker;
                        if attacks && want.is_met(board, &pooled.change(), self.mover) {
                            insert(set, index);
                        }
                    }
                });
            }
        }
    }
}

/// The squares from which pieces may depart in the current cuboid.
fn departures(walk: &Walk, axis: &Axis<'_>) -> u64 {
    walk.values(&axis.departure_word())[0]
}

/// Of several captures of royal pieces, one that concerns few axes.
#[derive(Default)]
pub(super) struct BestHit {
    best: Option<(usize, Hit)>,
    compared: usize,
}

impl BestHit {
    /// Compares one more. Breaks when that is enough.
    pub(super) fn offer(&mut self, hit: Hit, frontier: &Frontier<'_>) -> ControlFlow<()> {
        let within = hit.board_step == (0, 0);
        let cost =
            if within { 1 } else { hit.crossed().filter(|crossed| frontier.is_new(crossed.board)).count() };
        if self.best.is_none_or(|(least, _)| cost < least) {
            self.best = Some((cost, hit));
        }
        self.compared += 1;
        if self.is_found() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether there is no use in more of them.
    pub(super) fn is_found(&self) -> bool {
        self.compared == HITS_COMPARED || self.best.is_some_and(|(cost, _)| cost <= 1)
    }

    pub(super) fn hit(self) -> Option<Hit> {
        self.best.map(|(_, hit)| hit)
    }
}

/// The needs of a capture on a board that an action makes.
struct Wanted {
    board: BoardCoordinate,
    /// The square where the attacking piece must not have been captured.
    attacker: u64,
    /// Squares that must be empty.
    empty: u64,
    /// The square where a royal piece must stand.
    royal: u64,
}

impl Wanted {
    /// Whether it finds that after `change` to a board on which the attacker stands.
    fn is_met(&self, board: &Board, change: &Change, mover: Color) -> bool {
        self.attacker & change.captured == 0
            && change.occupied(board) & self.empty == 0
            && self.royal & !change.royals(board, mover) == 0
    }
}
