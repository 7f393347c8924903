//! Legal actions one at a time, where on the way whole regions of actions are found to be of no interest.
//!
//! A search for mates asks of each action whether the opponent has a legal reply. The same reply answers many actions, as
//! it touches few boards: so what it answers is left out as a region, and an action that the search looks at is one that
//! no reply known so far is legal after.

use std::ops::{ControlFlow, Range};

use super::Search;
use super::cuboid::{Draft, Walk, fill_bits, ones};
use super::point::{Choice, Point};
use super::space::{Scope, Space};
use crate::rules::attacks::{Frontier, Hit, Seen, is_exposed_within};
use crate::rules::movement::Mover;
use crate::rules::outcome::Undecided;
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate, HalfTurn, Move, MoveKind, Timeline};

/// The legal actions of a position, without those that were left out.
pub(crate) struct Exploration<'a> {
    search: Search<'a>,
    stand: Stand,
    /// The current action.
    action: Action,
    /// The position after the current action; the position itself before there is one.
    after: Position,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    Before,
    /// In a cuboid of which nothing is known.
    Searching,
    /// At an action, which goes on to the next cuboid when it is left out.
    AtAction,
    /// The region around the last action was left out.
    Left,
    Over,
}

impl<'a> Exploration<'a> {
    pub(crate) fn new(position: &'a Position) -> Exploration<'a> {
        Exploration {
            search: Search::new(position, Scope::All),
            stand: Stand::Before,
            action: Action::default(),
            after: position.clone(),
        }
    }

    /// How many combinations of moves were looked at so far.
    pub(crate) fn steps(&self) -> u64 {
        self.search.steps()
    }

    /// Goes on to another action; the current one is left out. False when there is none.
    ///
    /// # Errors
    ///
    /// When the search has taken `step_limit` steps in all. It can be resumed with a higher limit.
    pub(crate) fn advance(&mut self, step_limit: u64) -> Result<bool, Undecided> {
        if self.stand == Stand::AtAction {
            self.leave_out_current();
        }
        let left = match self.stand {
            Stand::Over => false,
            Stand::Searching => true,
            _ => self.search.next_cuboid(),
        };
        if left && self.stand == Stand::Before {
            self.search.space.drop_exposing_stays(&mut self.search.walk);
        }
        self.stand = if left { Stand::Searching } else { Stand::Over };
        if !left || !self.search.find_point(step_limit)? {
            self.stand = Stand::Over;
            return Ok(false);
        }
        self.retreat();
        self.action = self.search.space.action(&self.search.point);
        self.after.play_unchecked(&self.action);
        self.stand = Stand::AtAction;
        Ok(true)
    }

    /// The current action.
    pub(crate) fn action(&self) -> &Action {
        &self.action
    }

    /// The position after the current action.
    pub(crate) fn after(&self) -> &Position {
        &self.after
    }

    fn retreat(&mut self) {
        if !self.action.is_empty() {
            self.after.undo(&self.action);
            self.action = Action::default();
        }
    }

    /// Leaves out the current action and nothing else.
    pub(crate) fn leave_out_current(&mut self) {
        let Search { space, walk, point, .. } = &mut self.search;
        let draft = walk.draft();
        for index in 0..space.axes.len() {
            space.add_choice(point, index, walk);
        }
        for n in 0..point.branches.len() {
            space.add_branch(point, n, walk);
        }
        self.leave(draft);
    }

    /// Leaves out every action with all the moves of `part`, if the current action has them. False if it has not.
    pub(crate) fn leave_out_with(&mut self, part: &Action) -> bool {
        if !self.action.contains(part) {
            return false;
        }
        let Search { space, walk, point, .. } = &mut self.search;
        let draft = walk.draft();
        for index in 0..space.axes.len() {
            let at = space.axes[index].at;
            let concerned = |m: &Move| m.from.board == at || m.kind == MoveKind::Hop && m.to.board == at;
            if part.moves().iter().any(concerned) {
                space.add_choice(point, index, walk);
            }
        }
        let branches = |action: &Action| -> Vec<Move> {
            action.moves().iter().filter(|m| m.kind == MoveKind::Branch).copied().collect()
        };
        let mut wanted = branches(part).into_iter().peekable();
        for (n, m) in branches(&self.action).iter().enumerate() {
            if wanted.next_if_eq(m).is_some() {
                space.add_branch(point, n, walk);
            }
        }
        self.leave(draft);
        true
    }

    /// Leaves out actions after which `reply` is legal, if it is legal after the current one: as many as are found at
    /// once. False if it is not.
    pub(crate) fn leave_out_answered(&mut self, reply: &Action) -> bool {
        if self.after.play(reply).is_err() {
            return false;
        }
        self.after.undo(reply);
        for m in reply.moves() {
            self.after.push(m);
        }
        let Search { space, walk, point, .. } = &mut self.search;
        let region = Region::around(space, walk, point, &self.action, reply, &self.after);
        for m in reply.moves().iter().rev() {
            self.after.pop(m);
        }
        match region {
            Some(region) => {
                let draft = region.draft(space, walk, point);
                #[cfg(debug_assertions)]
                self.search.audit_answered(draft, reply);
                self.leave(draft);
            }
            None => self.leave_out_current(),
        }
        true
    }

    fn leave(&mut self, draft: Draft) {
        self.search.walk.cut(draft);
        self.stand = Stand::Left;
    }
}

impl Space<'_> {
    /// Adds what a point does with a play axis. A departure is that of the piece, wherever it goes.
    fn add_choice(&self, point: &Point, index: usize, walk: &mut Walk) {
        let axis = &self.axes[index];
        walk.add_set(&axis.words, |set| match point.choices[index] {
            Choice::Pass => set[1] = 1,
            Choice::Stay(stay) => {
                let bit = 1 + stay - axis.stays.start;
                fill_bits(&mut set[1..], bit..bit + 1);
            }
            Choice::Depart(jump) => set[0] = self.pool[jump].jump.from.bit(),
            Choice::Arrive(jump) => {
                let bit = self.arrival_bit(index, jump);
                fill_bits(&mut set[1..], bit..bit + 1);
            }
        });
    }

    /// Adds the jump of a point that creates the n-th timeline.
    fn add_branch(&self, point: &Point, n: usize, walk: &mut Walk) {
        let jump = point.branches[n];
        walk.add_set(&self.creation_axis(n), |set| fill_bits(set, jump..jump + 1));
    }

    /// The bit of a play axis for the arrival of a jump.
    fn arrival_bit(&self, axis: usize, jump: usize) -> usize {
        let axis = &self.axes[axis];
        let arrivals = &self.arrivals[axis.arrivals.clone()];
        let index = arrivals.iter().position(|&arrival| arrival as usize == jump);
        axis.first_arrival() + index.expect("the jump arrives here")
    }
}

/// Actions around a point after which a reply is legal, as a product.
///
/// A reply reads few of the boards that an action makes. It builds on some by a move within them: these may hold anything
/// that leaves the reply without danger. All others that it reads are as the point makes them, and what it does not
/// read can only keep the present from passing on.
struct Region {
    play: Vec<Part>,
    /// For each new timeline: the jumps that may create it, `None` for the point's own.
    created: Vec<Option<Range<i16>>>,
}

/// What an axis of the region may do.
enum Part {
    /// As the point does.
    Same,
    /// Some moves within the board.
    Within(Within),
    /// Anything that is allowed here.
    Any { pass: bool, play: bool },
}

/// Moves within a board, on whose outcome the reply builds.
struct Within {
    /// The coordinate of the board that the reply makes.
    timeline: i16,
    half_turn: i16,
    /// Bits of the axis, each with the board that the reply makes then.
    outcomes: Vec<(usize, Board)>,
    /// The bit of the point.
    own: usize,
}

impl Within {
    fn own(&self) -> &Board {
        &self.outcomes.iter().find(|(bit, _)| *bit == self.own).expect("the point stays in its region").1
    }

    /// What a ray sees: a blocker only if it is there in any case, a royal piece if there can be one.
    fn seen(&self, position: &Position) -> Seen {
        let none = Seen { blockers: u64::MAX, targets: 0 };
        self.outcomes.iter().fold(none, |sum, (_, board)| {
            let seen = Seen::of(board, position.to_move());
            Seen { blockers: sum.blockers & seen.blockers, targets: sum.targets | seen.targets }
        })
    }
}

/// A way to take a capture out of a region.
struct Removal {
    axis: usize,
    /// The bits that go.
    bits: Vec<usize>,
}

impl Region {
    /// The region of a reply that is legal after the point's `action`; `replied` is the position after its moves, not yet
    /// submitted. `None` if the region would be the point alone.
    fn around(
        space: &Space<'_>,
        walk: &Walk,
        point: &Point,
        action: &Action,
        reply: &Action,
        replied: &Position,
    ) -> Option<Region> {
        let mut region = Region::untested(space, walk, point, action, reply, replied);
        let (low, high) = replied.multiverse().range();
        let mut frontier = Frontier::new(replied, low.0, high.0);
        loop {
            for part in &region.play {
                if let Part::Within(within) = part {
                    frontier.set(within.timeline, within.half_turn, within.seen(replied));
                }
            }
            let Some((source, hit)) = region.capture(space, &frontier, replied) else {
                return Some(region);
            };
            let removal = region.removal(source, &hit, point, replied)?;
            region.remove(&removal);
        }
    }

    /// The region without a thought of captures on other boards.
    fn untested(
        space: &Space<'_>,
        walk: &Walk,
        point: &Point,
        action: &Action,
        reply: &Action,
        replied: &Position,
    ) -> Region {
        let read = boards_read(reply);
        let (lowest, highest) = replied.multiverse().active();
        let is_active = |timeline: i16| lowest.0 <= timeline && timeline <= highest.0;
        let present = replied.present().0;
        let mut play: Vec<Part> = (0..space.axes.len())
            .map(|index| {
                let axis = &space.axes[index];
                let made = BoardCoordinate { half_turn: axis.at.half_turn.next(), ..axis.at };
                if point.choices[index] != Choice::Pass {
                    if read.contains(&made) {
                        return Part::Same;
                    }
                    if let Some(m) = reply.move_from(made) {
                        return match point.choices[index] {
                            Choice::Stay(stay) => {
                                let own = 1 + stay - axis.stays.start;
                                Part::Within(Within::of(space, walk, index, own, m, action, replied))
                            }
                            _ => Part::Same,
                        };
                    }
                }
                // Left to the opponent, the new board must not keep the present.
                let play = !is_active(axis.at.timeline.0) || made.half_turn.0 > present;
                Part::Any { pass: true, play }
            })
            .collect();
        let created = (0..point.branches.len())
            .map(|n| {
                let timeline = space.creation_timeline(n);
                let concerned = |at: &BoardCoordinate| at.timeline.0 == timeline;
                let touched =
                    read.iter().any(concerned) || reply.moves().iter().any(|m| concerned(&m.from.board));
                let first = if is_active(timeline) { present + 1 } else { i16::MIN };
                (!touched).then_some(first..i16::MAX)
            })
            .collect();
        // Some board must hold the present: one that the reply makes does so in any case, one that was left alone only if it
        // stays so.
        let holds = |timeline: i16| replied.multiverse().last(Timeline(timeline));
        let is_left_alone = |index: usize| point.choices[index] == Choice::Pass;
        let held_by = |index: &usize| {
            let axis = &space.axes[*index];
            is_left_alone(*index)
                && is_active(axis.at.timeline.0)
                && holds(axis.at.timeline.0)
                    .is_some_and(|(end, _)| end.0 == present && end == axis.at.half_turn)
        };
        let made_there = replied.multiverse().timelines().any(|timeline| {
            let alone = space
                .axes
                .iter()
                .enumerate()
                .any(|(index, axis)| axis.at.timeline == timeline && is_left_alone(index));
            is_active(timeline.0) && !alone && holds(timeline.0).is_some_and(|(end, _)| end.0 == present)
        });
        if !made_there && let Some(index) = (0..space.axes.len()).find(held_by) {
            play[index] = Part::Same;
        }
        Region { play, created }
    }

    /// A capture of a royal piece that some member of the region allows, with the axis and the bit of its attacker if that
    /// depends on an axis.
    fn capture(
        &self,
        space: &Space<'_>,
        frontier: &Frontier<'_>,
        replied: &Position,
    ) -> Option<(Option<(usize, usize)>, Hit)> {
        let victim = replied.to_move();
        let scan = |at, board: &Board| {
            let mut found = None;
            let _ = frontier.scan_across(at, board, board.of(!victim), |hit| {
                found = Some(hit);
                ControlFlow::Break(())
            });
            found
        };
        for (index, part) in self.play.iter().enumerate() {
            let axis = &space.axes[index];
            match part {
                Part::Within(within) => {
                    for (bit, board) in &within.outcomes {
                        if let Some(hit) = scan((within.timeline, within.half_turn), board) {
                            return Some((Some((index, *bit)), hit));
                        }
                    }
                }
                // The board attacks where it was left alone.
                Part::Any { pass: true, .. } => {
                    if let Some(hit) = scan((axis.at.timeline.0, axis.at.half_turn.0), axis.board) {
                        return Some((Some((index, 0)), hit));
                    }
                }
                Part::Any { .. } | Part::Same => {}
            }
        }
        for timeline in replied.multiverse().timelines() {
            let Some((end, board)) = replied.multiverse().last(timeline) else { continue };
            let varies = |(index, part): (usize, &Part)| {
                space.axes[index].at.timeline == timeline && !matches!(part, Part::Same)
            };
            if end.color() != victim
                && !self.play.iter().enumerate().any(varies)
                && let Some(hit) = scan((timeline.0, end.0), board)
            {
                return Some((None, hit));
            }
        }
        None
    }

    /// The smallest removal of values that are not the point's own and after which the capture is impossible.
    fn removal(
        &self,
        source: Option<(usize, usize)>,
        hit: &Hit,
        point: &Point,
        replied: &Position,
    ) -> Option<Removal> {
        let mut best: Option<Removal> = None;
        let mut offer = |removal: Removal| {
            if best.as_ref().is_none_or(|best| removal.bits.len() < best.bits.len()) {
                best = Some(removal);
            }
        };
        if let Some((axis, bit)) = source {
            let is_own = match &self.play[axis] {
                Part::Within(within) => within.own == bit,
                _ => point.choices[axis] == Choice::Pass,
            };
            if !is_own {
                offer(Removal { axis, bits: vec![bit] });
            }
        }
        for (axis, part) in self.play.iter().enumerate() {
            let Part::Within(within) = part else { continue };
            let (mut empty, mut royal) = (0, 0);
            for (index, (timeline, half_turn, square)) in hit.crossed().enumerate().skip(1) {
                if (timeline, half_turn) == (within.timeline, within.half_turn) {
                    *(if index == hit.length() { &mut royal } else { &mut empty }) |= square.bit();
                }
            }
            if empty | royal == 0 {
                continue;
            }
            let allows = |board: &Board| {
                let seen = Seen::of(board, replied.to_move());
                seen.blockers & empty == 0 && royal & !seen.targets == 0
            };
            if !allows(within.own()) {
                let bits = within.outcomes.iter().filter(|(_, board)| allows(board)).map(|(bit, _)| *bit);
                offer(Removal { axis, bits: bits.collect() });
            }
        }
        best
    }

    fn remove(&mut self, removal: &Removal) {
        match &mut self.play[removal.axis] {
            Part::Within(within) => within.outcomes.retain(|(bit, _)| !removal.bits.contains(bit)),
            Part::Any { pass, .. } => *pass = false,
            Part::Same => unreachable!("what stays the same is the point's own"),
        }
    }

    /// The sets of the region. An axis without a set may do anything.
    fn draft(&self, space: &Space<'_>, walk: &mut Walk, point: &Point) -> Draft {
        let draft = walk.draft();
        for (index, part) in self.play.iter().enumerate() {
            let axis = &space.axes[index];
            match part {
                Part::Same => space.add_choice(point, index, walk),
                Part::Within(within) => walk.add_set(&axis.words, |set| {
                    for &(bit, _) in &within.outcomes {
                        fill_bits(&mut set[1..], bit..bit + 1);
                    }
                }),
                Part::Any { pass: true, play: true } => {}
                Part::Any { pass, play } => walk.add_set(&axis.words, |set| {
                    if *play {
                        set.fill(u64::MAX);
                    }
                    set[1] = set[1] & !1 | u64::from(*pass);
                }),
            }
        }
        for (n, arrivals) in self.created.iter().enumerate() {
            match arrivals {
                None => space.add_branch(point, n, walk),
                Some(arrivals) if arrivals.start == i16::MIN => {}
                Some(arrivals) => walk.add_set(&space.creation_axis(n), |set| {
                    for (jump, pooled) in space.pool.iter().enumerate() {
                        set[jump / 64] |= u64::from(arrivals.contains(&pooled.arrival())) << (jump % 64);
                    }
                }),
            }
        }
        draft
    }
}

impl Within {
    /// The moves within a board after which the reply's move `m` can be made there without danger on that board.
    fn of(
        space: &Space<'_>,
        walk: &Walk,
        index: usize,
        own: usize,
        m: &Move,
        action: &Action,
        replied: &Position,
    ) -> Within {
        debug_assert!(action.move_from(space.axes[index].at).is_some(), "the point plays this board");
        let axis = &space.axes[index];
        let victim = replied.to_move();
        let rules = Mover::of(replied);
        let outcomes = ones(walk.values(&axis.value_words()), 1..axis.first_arrival())
            .filter_map(|bit| {
                let made = space.stays[axis.stays.start + bit - 1].made;
                let board = axis.board.after_physical(made.from, made.to, made.promotion);
                let possible = rules.makes(m.from.board, &board, m.from.square, m.to.square, m.promotion);
                let outcome = board.after_physical(m.from.square, m.to.square, m.promotion);
                (bit == own || possible && !is_exposed_within(&outcome, victim)).then_some((bit, outcome))
            })
            .collect();
        let at = m.from.board;
        Within { timeline: at.timeline.0, half_turn: at.half_turn.0 + 1, outcomes, own }
    }
}

/// The boards on which a reply depends beyond those that it plays by a move within them.
fn boards_read(reply: &Action) -> Vec<BoardCoordinate> {
    let mut read = Vec::new();
    for m in reply.moves().iter().filter(|m| m.kind != MoveKind::Physical) {
        let (from, to) = (m.from, m.to);
        let timelines = to.board.timeline.0 - from.board.timeline.0;
        let turns = (to.board.half_turn.0 - from.board.half_turn.0) / 2;
        let files = i16::from(to.square.file()) - i16::from(from.square.file());
        let ranks = i16::from(to.square.rank()) - i16::from(from.square.rank());
        let count = [timelines, turns, files, ranks].into_iter().map(i16::abs).max().unwrap_or(0);
        read.push(from.board);
        read.push(to.board);
        // A straight line passes the boards between; a leap passes none, and naming too many does no harm.
        for step in 1..count {
            if timelines * step % count == 0 && turns * step % count == 0 {
                read.push(BoardCoordinate {
                    timeline: Timeline(from.board.timeline.0 + timelines * step / count),
                    half_turn: HalfTurn(from.board.half_turn.0 + 2 * turns * step / count),
                });
            }
        }
    }
    read
}
