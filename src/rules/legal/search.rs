//! The search: stage by stage and cuboid by cuboid to the legal points. Begin at [`Search::first`] and [`Search::next_block`].

use super::basis::Basis;
use super::block::{Block, Refinement};
use super::cuboid::{self, Draft, Walk};
use super::point::{Point, Scratch};
pub(in crate::rules) use super::space::Scope;
use super::space::{Space, Stage};
use crate::rules::attacks::{Frontier, Hit};
use crate::rules::meter::Meter;
use crate::state::Position;
use crate::types::{Action, Limit, Move, TimelineRange, Undecided};

/// The search for legal actions of one position.
pub(in crate::rules) struct Search<'a> {
    pub(super) space: Space<'a>,
    pub(super) scope: Scope,
    pub(super) selection: Selection,
    pub(super) stage: Option<Stage>,
    pub(super) walk: Walk,
    pub(super) point: Point,
    pub(super) scratch: Scratch,
    /// If a proof asks for it, the basis so far: captures that make points illegal, and last replies.
    pub(super) tracked: Option<Basis>,
    pub(super) frontier: Frontier<'a>,
    pub(super) block: Block,
    /// A step for each point that was looked at, or more.
    pub(super) meter: Meter,
    /// The samples that were checked.
    #[cfg(debug_assertions)]
    pub(super) audited: Audited,
    /// The record of what the search does, if a test wants one.
    #[cfg(test)]
    pub(super) trace: Option<Vec<String>>,
}

impl<'a> Search<'a> {
    pub(in crate::rules) fn new(position: &'a Position, scope: Scope) -> Search<'a> {
        let range = position.multiverse().range();
        let space = Space::new(position);
        let mut meter = Meter::default();
        meter.work(space.work());
        Search {
            space,
            scope,
            selection: Selection::default(),
            stage: None,
            walk: Walk::default(),
            point: Point::default(),
            scratch: Scratch::default(),
            tracked: None,
            frontier: Frontier::new(position, range),
            block: Block::default(),
            meter,
            #[cfg(debug_assertions)]
            audited: Audited::default(),
            #[cfg(test)]
            trace: None,
        }
    }

    /// The number of steps that were taken so far.
    pub(in crate::rules) fn steps(&self) -> u64 {
        self.meter.steps()
    }

    /// The first legal action, `None` when there is none.
    pub(in crate::rules) fn first(&mut self, limit: Limit<'_>) -> Result<Option<Action>, Undecided> {
        let found = self.next_cuboid(limit)? && self.find_point(limit)?;
        Ok(found.then(|| self.space.action(&self.point)))
    }

    /// Goes on to the next block of legal actions. False when there is none left.
    pub(super) fn next_block(&mut self, limit: Limit<'_>) -> Result<bool, Undecided> {
        let first = self.stage.is_none();
        self.walk.keep();
        if !self.next_cuboid(limit)? {
            return Ok(false);
        }
        if first {
            self.space.drop_exposing_physicals(&mut self.walk);
            self.note(Event::Banned);
        }
        while self.find_point(limit)? {
            self.meter.work(self.space.point_work(self.point.branches.len()));
            let Search { space, walk, point, frontier, block, .. } = self;
            let left_cuboid = match space.refine(point, walk, frontier, block) {
                Refinement::Block => {
                    self.note(Event::Block);
                    return Ok(true);
                }
                Refinement::Parts => {
                    self.note(Event::Split);
                    true
                }
                Refinement::Slice(slice) => self.remove(slice),
            };
            if left_cuboid && !self.next_cuboid(limit)? {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Finds a legal point in the current cuboid or a later one. False when there is none left.
    pub(super) fn find_point(&mut self, limit: Limit<'_>) -> Result<bool, Undecided> {
        loop {
            self.meter.work(self.walk.take_work() + self.scratch.take_work());
            self.meter.step(limit)?;
            let Search { space, walk, point, scratch, tracked, frontier, .. } = self;
            let created = self.stage.map_or(0, Stage::branches);
            self.meter.work(space.point_work(created));
            let track = |hit: &Hit| tracked.iter_mut().for_each(|tracked| tracked.add_capture(hit));
            let left_cuboid = if space.pick(walk, created, point, scratch) {
                let slice = space
                    .misplaced_branch(point, walk)
                    .or_else(|| space.exposed(point, walk, frontier, scratch, track));
                self.note(Event::Point { is_legal: slice.is_none() });
                match slice {
                    None => return Ok(true),
                    Some(slice) => self.remove(slice),
                }
            } else {
                walk.leave();
                self.note(Event::DeadEnd);
                true
            };
            if left_cuboid && !self.next_cuboid(limit)? {
                return Ok(false);
            }
        }
    }

    /// Takes an illegal slice out of the search. True if that leaves the current cuboid for the remainders around it.
    fn remove(&mut self, slice: Draft) -> bool {
        self.note(Event::Slice(slice));
        let one_axis = self.walk.draft_len(slice) == 1;
        if one_axis {
            self.walk.ban(slice);
        } else {
            self.walk.cut(slice);
        }
        !one_axis
    }

    /// Goes on to the next cuboid, of this stage or a later one. `Ok(false)` after the last one, and an error with
    /// `Because::Size` instead if the largest position supported hid a part of the space.
    pub(super) fn next_cuboid(&mut self, limit: Limit<'_>) -> Result<bool, Undecided> {
        if self.walk.next(&mut self.meter, limit)? {
            return Ok(true);
        }
        loop {
            self.meter.charge(limit)?;
            let next = match self.stage {
                None if self.scope == Scope::Rewinding => {
                    self.space.find_jumps();
                    self.space.rewinding_stage(i16::MIN)
                }
                None => Some(Stage::Physical),
                Some(stage) => {
                    if stage == Stage::Physical {
                        let old = self.space.find_jumps();
                        self.meter.work(self.space.pool_work());
                        let new = self.space.axes.iter().map(|axis| axis.words.clone());
                        self.walk.relocate_banned(old.into_iter().zip(new));
                    }
                    self.space.stage_after(stage, self.scope)
                }
            };
            let Some(stage) = next else {
                return if self.space.is_cut() { Err(self.meter.too_large()) } else { Ok(false) };
            };
            if self.enter(stage) {
                return Ok(true);
            }
        }
    }

    /// Makes the whole of a stage the current cuboid. False when it is empty.
    fn enter(&mut self, stage: Stage) -> bool {
        let created = stage.branches();
        self.stage = Some(stage);
        self.meter.work(self.space.stage_work(created));
        let earliest = self.space.earliest_present(stage);
        if self.can_be_skipped(stage, earliest) {
            return false;
        }
        self.make_room(created);
        self.fill(stage, earliest);
        self.note(Event::Stage);
        if stage == Stage::Hops { self.leave_out_points_without_jumps() } else { self.has_values(created) }
    }

    /// Whether it is known beforehand that a stage, whose present is the half-turn `earliest` or later, has no legal point that is wanted.
    fn can_be_skipped(&mut self, stage: Stage, earliest: i16) -> bool {
        let Search { space, scope, selection, .. } = self;
        let created = stage.branches();
        if *scope == Scope::Advancing && earliest < space.position.present().0 {
            return true;
        }
        if created == 0 {
            return false;
        }
        // The last timeline that is created is the first to be inactive.
        let creates_inactive = !space.is_creation_active(created, created - 1);
        selection.sources.new_active && creates_inactive || space.is_barren(stage, earliest)
    }

    /// Makes room for the timelines that are created in what is known of attacks.
    fn make_room(&mut self, created: usize) {
        if created == 0 {
            return;
        }
        let range = self.space.position.multiverse().range();
        let last = self.space.creation_timeline(created - 1);
        let timelines = TimelineRange::new(range.lowest.min(last), range.highest.max(last));
        if timelines.len() != self.frontier.room() {
            self.frontier = Frontier::new(self.space.position, timelines);
        }
    }

    /// Fills the current cuboid with the values of a stage that are wanted.
    fn fill(&mut self, stage: Stage, earliest: i16) {
        let Search { space, selection: Selection { whole, required, sources }, walk, meter, .. } = self;
        let created = stage.branches();
        let keeps_sources = sources.active || sources.present;
        if whole.is_some() || !required.is_empty() || keeps_sources {
            meter.work(space.keeping_work(created));
        }
        walk.restart(space.word_count(created), |domain| {
            space.fill_stage(stage, earliest, domain);
            if let Some(whole) = whole {
                space.keep_parts(whole, created, domain);
            }
            if !required.is_empty() {
                space.keep_containing(required, created, domain);
            }
            if keeps_sources {
                space.keep_sources(*sources, required, created, domain);
            }
        });
    }

    /// Leaves out the points that belong to the stage before. False when nothing is left.
    fn leave_out_points_without_jumps(&mut self) -> bool {
        let draft = self.walk.draft();
        for axis in self.space.axes.iter().filter(|axis| axis.departures != 0 || !axis.arrivals.is_empty()) {
            self.walk.add_set(&axis.words, |set| cuboid::fill_bits(set, axis.staying()));
        }
        self.walk.cut(draft);
        self.walk.next(&mut self.meter, Limit::NONE) == Ok(true)
    }

    /// Whether each axis has a value in the current cuboid.
    fn has_values(&self, created: usize) -> bool {
        let play = self.space.axes.iter().map(|axis| axis.words.clone());
        let creation = (0..created).map(|n| self.space.creation_axis(n));
        play.chain(creation).all(|axis| self.walk.values(&axis).iter().any(|&word| word != 0))
    }

    /// Tells audits and tests what the search has just done. In release builds nobody listens.
    fn note(&mut self, event: Event) {
        #[cfg(debug_assertions)]
        self.audit(event);
        #[cfg(test)]
        self.record(event);
        #[cfg(not(any(debug_assertions, test)))]
        let _ = event;
    }
}

/// A step of the search, for audits and tests.
#[derive(Clone, Copy)]
#[cfg_attr(not(test), allow(dead_code))] // only `trace` reads all of it
pub(super) enum Event {
    /// A stage begins.
    Stage,
    /// The values are banned that are illegal whatever else is played.
    Banned,
    /// A point was picked.
    Point { is_legal: bool },
    /// No point of the current cuboid pairs off.
    DeadEnd,
    /// These illegal points around the current one are left out.
    Slice(Draft),
    /// The current cuboid is split by what a board jumps to.
    Split,
    /// All points of the current block are legal.
    Block,
}

/// The number of samples that were checked.
#[cfg(debug_assertions)]
#[derive(Default)]
pub(super) struct Audited {
    pub slices: u64,
    pub blocks: u64,
}

/// The part of the legal actions that is wanted. By default all.
#[derive(Default)]
pub(super) struct Selection {
    /// An action to whose moves the search keeps.
    pub whole: Option<Action>,
    /// Moves that each action contains, with the branches among them first and in this order.
    pub required: Vec<Move>,
    /// The boards where the other moves may start, and where their branches may lead.
    pub sources: Sources,
}

/// The boards where the moves of an action may start, and where its branches may lead. By default all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sources {
    /// Only on timelines that are active after the action.
    pub active: bool,
    /// Only on those, and on no board later than the present.
    pub present: bool,
    /// Only branches that create an active timeline.
    pub new_active: bool,
}
