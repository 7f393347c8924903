//! Legal actions one at a time, where on the way whole regions of actions are found to be of no interest.
//!
//! A search for mates asks of each action whether the opponent has a legal reply. The same reply answers many actions, as
//! it touches few boards: so what it answers is left out as a region, and an action that the search looks at is one that
//! no reply known so far is legal after.

use std::ops::ControlFlow;

use super::Search;
use super::cuboid::{Draft, Walk, fill_bits, ones};
use super::point::{Choice, Point};
use super::space::{Scope, Space};
use crate::rules::attacks::{Frontier, Hit, Seen, is_exposed_within};
use crate::rules::movement::Mover;
use crate::rules::outcome::Undecided;
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate, Color, HalfTurn, Move, MoveKind, Square, Timeline};

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
        let region = Region::around(space, walk, point, reply, &self.after);
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

/// The value of a play axis that leaves the board alone, as a bit of its words.
const PASS: usize = 64;

impl Space<'_> {
    /// Adds what a point does with a play axis. A departure is that of the piece, wherever it goes.
    fn add_choice(&self, point: &Point, index: usize, walk: &mut Walk) {
        let value = self.value_of(point, index);
        walk.add_set(&self.axes[index].words, |set| fill_bits(set, value..value + 1));
    }

    /// What a point does with a play axis, as a bit of its words.
    fn value_of(&self, point: &Point, index: usize) -> usize {
        let axis = &self.axes[index];
        match point.choices[index] {
            Choice::Pass => PASS,
            Choice::Stay(stay) => PASS + 1 + stay - axis.stays.start,
            Choice::Depart(jump) => self.pool[jump].jump.from.index() as usize,
            Choice::Arrive(jump) => {
                let arrivals = &self.arrivals[axis.arrivals.clone()];
                let index = arrivals.iter().position(|&arrival| arrival as usize == jump);
                PASS + axis.first_arrival() + index.expect("the jump arrives here")
            }
        }
    }

    /// The boards that the current cuboid may make on a play axis, with the values that make them.
    fn boards_made<'s>(&'s self, walk: &'s Walk, index: usize) -> impl Iterator<Item = (usize, Board)> + 's {
        let axis = &self.axes[index];
        let words = walk.values(&axis.words);
        let end = PASS + axis.first_arrival() + axis.arrivals.len();
        ones(words, 0..PASS).chain(ones(words, PASS + 1..end)).map(move |value| {
            let board = match value.checked_sub(PASS) {
                None => axis.board.after_departure(Square::from_index(value as u32)),
                Some(bit) if bit < axis.first_arrival() => {
                    let made = self.stays[axis.stays.start + bit - 1].made;
                    axis.board.after_physical(made.from, made.to, made.promotion)
                }
                Some(bit) => self.arrived(self.arrival(index, bit)),
            };
            (value, board)
        })
    }

    /// The boards with which the n-th new timeline may begin at this half-turn in the current cuboid, by jump.
    fn boards_begun<'s>(
        &'s self,
        walk: &'s Walk,
        n: usize,
        half_turn: HalfTurn,
    ) -> impl Iterator<Item = (usize, Board)> + 's {
        ones(walk.values(&self.creation_axis(n)), 0..self.pool.len())
            .filter(move |&jump| self.pool[jump].arrival() == half_turn.0)
            .map(|jump| (jump, self.arrived(jump)))
    }

    /// Adds the jump of a point that creates the n-th timeline.
    fn add_branch(&self, point: &Point, n: usize, walk: &mut Walk) {
        let jump = point.branches[n];
        walk.add_set(&self.creation_axis(n), |set| fill_bits(set, jump..jump + 1));
    }
}

/// Actions around a point after which a reply is legal, as a product.
///
/// A reply reads few of the boards that an action makes. On some it builds by a move within them: these may hold anything
/// that leaves the reply without danger. All others that it reads are as the point makes them, and what it does not
/// read can only keep the present from passing on.
struct Region {
    /// The play axes, then the new timelines.
    parts: Vec<Part>,
}

/// What an axis of the region may do.
enum Part {
    /// As the point does.
    Same,
    /// What leaves a board on which the reply can build.
    Built(Built),
    /// Anything; a play axis may have to leave its board alone or have to play it.
    Any { pass: bool, play: bool },
    /// A new timeline that begins this late.
    From(i16),
}

/// An axis on whose board the reply builds by a move within it.
struct Built {
    /// The coordinate of the board that the reply makes.
    timeline: i16,
    half_turn: i16,
    /// Values of the axis, as bits of its words, each with the board that the reply makes then.
    outcomes: Vec<(usize, Board)>,
    /// The value of the point.
    own: usize,
}

impl Built {
    /// The values, given with the boards that they make, after which the reply's move `m` can be made without danger on that
    /// board.
    fn of(m: &Move, own: usize, values: impl Iterator<Item = (usize, Board)>, replied: &Position) -> Built {
        let rules = Mover::of(replied);
        let possible = |(value, board): (usize, Board)| {
            let possible = rules.makes(m.from.board, &board, m.from.square, m.to.square, m.promotion);
            let outcome = board.after_physical(m.from.square, m.to.square, m.promotion);
            (value == own || possible && !is_exposed_within(&outcome, replied.to_move()))
                .then_some((value, outcome))
        };
        let at = m.from.board;
        Built {
            timeline: at.timeline.0,
            half_turn: at.half_turn.0 + 1,
            outcomes: values.filter_map(possible).collect(),
            own,
        }
    }

    fn own(&self) -> &Board {
        let own = self.outcomes.iter().find(|(value, _)| *value == self.own);
        &own.expect("the point stays in its region").1
    }

    /// What a ray sees: a blocker only if it is there in any case, a royal piece if there can be one.
    fn seen(&self, victim: Color) -> Seen {
        let none = Seen { blockers: u64::MAX, targets: 0 };
        self.outcomes.iter().fold(none, |sum, (_, board)| {
            let seen = Seen::of(board, victim);
            Seen { blockers: sum.blockers & seen.blockers, targets: sum.targets | seen.targets }
        })
    }
}

/// A way to take a capture out of a region.
struct Removal {
    part: usize,
    values: Vec<usize>,
}

/// A capture of a royal piece, and the part and value that its attacker depends on, if it does.
struct Capture {
    hit: Hit,
    attacker: Option<(usize, usize)>,
}

impl Region {
    /// The region of a reply that is legal after the point; `replied` is the position after its moves, not yet submitted.
    /// `None` if the region would be the point alone.
    fn around(
        space: &Space<'_>,
        walk: &Walk,
        point: &Point,
        reply: &Action,
        replied: &Position,
    ) -> Option<Region> {
        let mut region = Region::untested(space, walk, point, reply, replied);
        let (low, high) = replied.multiverse().range();
        let mut frontier = Frontier::new(replied, low.0, high.0);
        loop {
            for part in &region.parts {
                if let Part::Built(built) = part {
                    frontier.set(built.timeline, built.half_turn, built.seen(replied.to_move()));
                }
            }
            let Some(capture) = region.capture(space, &frontier, replied) else {
                return Some(region);
            };
            let removal = region.removal(&capture, point, replied.to_move())?;
            region.remove(&removal);
        }
    }

    /// The region without a thought of captures on other boards.
    fn untested(space: &Space<'_>, walk: &Walk, point: &Point, reply: &Action, replied: &Position) -> Region {
        let read = boards_read(reply);
        let (lowest, highest) = replied.multiverse().active();
        let is_active = |timeline: Timeline| lowest <= timeline && timeline <= highest;
        let present = replied.present();
        let mut parts = Vec::with_capacity(space.axes.len() + point.branches.len());
        for (index, axis) in space.axes.iter().enumerate() {
            let made = BoardCoordinate { half_turn: axis.at.half_turn.next(), ..axis.at };
            let part = if point.choices[index] == Choice::Pass {
                None
            } else if read.contains(&made) {
                Some(Part::Same)
            } else {
                let built =
                    |m| Built::of(m, space.value_of(point, index), space.boards_made(walk, index), replied);
                reply.move_from(made).map(|m| Part::Built(built(m)))
            };
            // Left to the opponent, the new board must not keep the present.
            let play = !is_active(axis.at.timeline) || made.half_turn > present;
            parts.push(part.unwrap_or(Part::Any { pass: true, play }));
        }
        for (n, &jump) in point.branches.iter().enumerate() {
            let timeline = Timeline(space.creation_timeline(n));
            let made = BoardCoordinate { timeline, half_turn: HalfTurn(space.pool[jump].arrival()) };
            parts.push(if read.iter().any(|at| at.timeline == timeline) {
                Part::Same
            } else if let Some(m) = reply.move_from(made) {
                Part::Built(Built::of(m, jump, space.boards_begun(walk, n, made.half_turn), replied))
            } else if is_active(timeline) {
                Part::From(present.0 + 1)
            } else {
                Part::Any { pass: false, play: true }
            });
        }
        // Some board must hold the present: one that the reply makes does so in any case, one that was left alone only if it
        // stays so.
        let is_left_alone = |index: usize| point.choices[index] == Choice::Pass;
        let axis_of = |timeline| space.axes.iter().position(|axis| axis.at.timeline == timeline);
        let holding = |&timeline: &Timeline| {
            let end = replied.multiverse().last(timeline).map(|(end, _)| end);
            is_active(timeline) && end == Some(present)
        };
        let left_alone = |timeline: Timeline| axis_of(timeline).filter(|&index| is_left_alone(index));
        let mut holders = replied.multiverse().timelines().filter(holding).map(left_alone);
        let first = holders.next().flatten();
        if let Some(index) = first.filter(|_| holders.all(|holder| holder.is_some())) {
            parts[index] = Part::Same;
        }
        Region { parts }
    }

    /// A capture of a royal piece that some member of the region allows.
    fn capture(&self, space: &Space<'_>, frontier: &Frontier<'_>, replied: &Position) -> Option<Capture> {
        let victim = replied.to_move();
        let scan = |at, board: &Board, attacker| {
            let mut found = None;
            let _ = frontier.scan_across(at, board, board.of(!victim), |hit| {
                found = Some(Capture { hit, attacker });
                ControlFlow::Break(())
            });
            found
        };
        let mut varying = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Built(built) => {
                    varying.push(built.timeline);
                    for (value, board) in &built.outcomes {
                        let found = scan((built.timeline, built.half_turn), board, Some((index, *value)));
                        if found.is_some() {
                            return found;
                        }
                    }
                }
                // The board attacks where it was left alone.
                Part::Any { pass: true, .. } => {
                    let axis = &space.axes[index];
                    varying.push(axis.at.timeline.0);
                    let at = (axis.at.timeline.0, axis.at.half_turn.0);
                    let found = scan(at, axis.board, Some((index, PASS)));
                    if found.is_some() {
                        return found;
                    }
                }
                Part::Any { .. } | Part::From(_) | Part::Same => {}
            }
        }
        replied.multiverse().timelines().filter(|timeline| !varying.contains(&timeline.0)).find_map(
            |timeline| {
                let (end, board) = replied.multiverse().last(timeline)?;
                if end.color() == victim { None } else { scan((timeline.0, end.0), board, None) }
            },
        )
    }

    /// The smallest removal of values that are not the point's own and after which the capture is impossible.
    fn removal(&self, capture: &Capture, point: &Point, victim: Color) -> Option<Removal> {
        let mut best: Option<Removal> = None;
        let mut offer = |removal: Removal| {
            if best.as_ref().is_none_or(|best| removal.values.len() < best.values.len()) {
                best = Some(removal);
            }
        };
        if let Some((part, value)) = capture.attacker {
            let is_own = match &self.parts[part] {
                Part::Built(built) => built.own == value,
                _ => point.choices[part] == Choice::Pass,
            };
            if !is_own {
                offer(Removal { part, values: vec![value] });
            }
        }
        for (part, built) in self.parts.iter().enumerate() {
            let Part::Built(built) = built else { continue };
            let (mut empty, mut royal) = (0, 0);
            for (index, (timeline, half_turn, square)) in capture.hit.crossed().enumerate().skip(1) {
                if (timeline, half_turn) == (built.timeline, built.half_turn) {
                    *(if index == capture.hit.length() { &mut royal } else { &mut empty }) |= square.bit();
                }
            }
            let allows = |board: &Board| {
                let seen = Seen::of(board, victim);
                seen.blockers & empty == 0 && royal & !seen.targets == 0
            };
            if empty | royal != 0 && !allows(built.own()) {
                let values =
                    built.outcomes.iter().filter(|(_, board)| allows(board)).map(|(value, _)| *value);
                offer(Removal { part, values: values.collect() });
            }
        }
        best
    }

    fn remove(&mut self, removal: &Removal) {
        match &mut self.parts[removal.part] {
            Part::Built(built) => built.outcomes.retain(|(value, _)| !removal.values.contains(value)),
            Part::Any { pass, .. } => *pass = false,
            Part::Same | Part::From(_) => unreachable!("no capture depends on what such a part may do"),
        }
    }

    /// The sets of the region. An axis without a set may do anything.
    fn draft(&self, space: &Space<'_>, walk: &mut Walk, point: &Point) -> Draft {
        let draft = walk.draft();
        let play_axes = space.axes.len();
        for (index, part) in self.parts.iter().enumerate() {
            let created = index.checked_sub(play_axes);
            let words = match created {
                None => space.axes[index].words.clone(),
                Some(n) => space.creation_axis(n),
            };
            match (part, created) {
                (Part::Same, None) => space.add_choice(point, index, walk),
                (Part::Same, Some(n)) => space.add_branch(point, n, walk),
                (Part::Built(built), _) => walk.add_set(&words, |set| {
                    for &(value, _) in &built.outcomes {
                        fill_bits(set, value..value + 1);
                    }
                }),
                (Part::Any { play: true, .. }, Some(_)) | (Part::Any { pass: true, play: true }, None) => {}
                (Part::Any { pass, play }, _) => walk.add_set(&words, |set| {
                    if *play {
                        set.fill(u64::MAX);
                    }
                    set[1] = set[1] & !1 | u64::from(*pass);
                }),
                (Part::From(first), _) => walk.add_set(&words, |set| {
                    for (jump, pooled) in space.pool.iter().enumerate() {
                        set[jump / 64] |= u64::from(pooled.arrival() >= *first) << (jump % 64);
                    }
                }),
            }
        }
        draft
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
