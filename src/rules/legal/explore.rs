//! Legal actions one at a time, for a caller that can exclude whole regions of actions on the way.
//!
//! For each action, a search for mates checks whether the opponent has a legal reply. The same reply answers many
//! actions, because it touches few boards. So all actions that a reply answers are left out as a region, and the
//! search looks only at actions after which no known reply is legal.

use std::ops::ControlFlow;

use super::Search;
use super::cuboid::{Draft, Walk, clear_bits, fill_bits, ones};
use super::point::{Choice, Point};
use super::space::{Scope, Space};
use crate::rules::attacks::{Frontier, Hit, Seen, is_exposed_within};
use crate::rules::movement::Mover;
use crate::state::{Board, Position};
use crate::types::{
    Action, BoardCoordinate, Color, Coordinate, HalfTurn, Limit, Move, MoveKind, Square, Timeline, Undecided,
};

/// The legal actions of a position, without those that were left out.
pub(crate) struct Exploration<'a> {
    search: Search<'a>,
    progress: Progress,
    /// The current action.
    action: Action,
    /// The position after the current action; the position itself before there is one.
    after: Position,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Before,
    /// In a cuboid of which nothing is known.
    Searching,
    /// At an action, which goes on to the next cuboid when it is left out.
    AtAction,
    /// What was current is left out.
    Left,
}

impl<'a> Exploration<'a> {
    pub(crate) fn new(position: &'a Position) -> Exploration<'a> {
        Exploration {
            search: Search::new(position, Scope::All),
            progress: Progress::Before,
            action: Action::default(),
            after: position.clone(),
        }
    }

    /// As [`Exploration::new`], of the actions that are made of moves of this one, which must be legal. A few others may be among
    /// them, with its branches in another order.
    pub(crate) fn parts_of(position: &'a Position, whole: &Action) -> Exploration<'a> {
        let mut parts = Exploration::new(position);
        parts.search.whole = Some(whole.clone());
        parts
    }

    /// How many steps were spent so far.
    pub(crate) fn steps(&self) -> u64 {
        self.search.steps()
    }

    /// Goes on to another action; the current one is left out. False when there is none.
    ///
    /// # Errors
    ///
    /// When the search has taken as many steps in all as `limit` allows. It can be resumed with a higher limit.
    pub(crate) fn advance(&mut self, limit: Limit<'_>) -> Result<bool, Undecided> {
        if self.progress == Progress::AtAction {
            self.exclude_current();
        }
        // After the last cuboid this always returns none.
        if self.progress != Progress::Searching && !self.search.next_cuboid(limit)? {
            return Ok(false);
        }
        if self.progress == Progress::Before {
            self.search.space.drop_exposing_physicals(&mut self.search.walk);
        }
        self.progress = Progress::Searching;
        if !self.search.find_point(limit)? {
            self.progress = Progress::Left;
            return Ok(false);
        }
        self.retreat();
        self.action = self.search.space.action(&self.search.point);
        self.after.play_unchecked(&self.action);
        self.progress = Progress::AtAction;
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
            self.after.undo_unchecked(&self.action);
            self.action = Action::default();
        }
    }

    /// Leaves out the current action and nothing else.
    pub(crate) fn exclude_current(&mut self) {
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

    /// Leaves out actions with all the moves of `part`, if the current one has them: as many as are found at once. False if
    /// it has not.
    pub(crate) fn exclude_containing(&mut self, part: &Action) -> bool {
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
    pub(crate) fn exclude_answered_by(&mut self, reply: &Action) -> bool {
        self.search.meter.work(self.search.space.point_work(reply.moves().len()));
        if !self.after.play_if_legal(reply) {
            return false;
        }
        self.after.undo_unchecked(reply);
        for m in reply.moves() {
            self.after.push(m);
        }
        let Search { space, walk, point, .. } = &mut self.search;
        let (region, work) = Region::around(space, walk, point, reply, &self.after);
        self.search.meter.work(work);
        for m in reply.moves().iter().rev() {
            self.after.pop(m);
        }
        let Search { space, walk, point, .. } = &mut self.search;
        match region {
            Some(region) => {
                let draft = region.draft(space, walk, point);
                #[cfg(debug_assertions)]
                self.search.audit_answered(draft, reply);
                self.leave(draft);
            }
            None => self.exclude_current(),
        }
        true
    }

    fn leave(&mut self, draft: Draft) {
        self.search.walk.cut(draft);
        self.progress = Progress::Left;
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
            Choice::Physical(index) => PASS + 1 + index - axis.physicals.start,
            Choice::Depart(jump) => self.pool[jump].jump.from.index(),
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
                    let made = self.physicals[axis.physicals.start + bit - 1].made;
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

    /// Takes out of a stage what is no part of an action.
    pub(super) fn keep_parts(&self, whole: &Action, created: usize, domain: &mut [u64]) {
        for (index, axis) in self.axes.iter().enumerate() {
            let words = &mut domain[axis.words.clone()];
            let end = PASS + axis.first_arrival() + axis.arrivals.len();
            let values: Vec<usize> = ones(words, 0..end).collect();
            for value in values {
                let is_part = match value.checked_sub(PASS) {
                    None => whole.moves().iter().any(|m| {
                        let square = Square::from_index(value as u32);
                        m.kind != MoveKind::Physical && m.from.board == axis.at && m.from.square == square
                    }),
                    Some(0) => true,
                    Some(bit) if bit < axis.first_arrival() => whole
                        .moves()
                        .contains(&self.physicals[axis.physicals.start + bit - 1].made.on(axis.at)),
                    Some(bit) => {
                        whole.moves().contains(&self.jump_move(self.arrival(index, bit), MoveKind::Hop))
                    }
                };
                if !is_part {
                    clear_bits(words, value..value + 1);
                }
            }
        }
        for n in 0..created {
            let words = &mut domain[self.creation_axis(n)];
            let jumps: Vec<usize> = ones(words, 0..self.pool.len()).collect();
            for jump in jumps {
                if !whole.moves().contains(&self.jump_move(jump, MoveKind::Branch)) {
                    clear_bits(words, jump..jump + 1);
                }
            }
        }
    }

    /// Adds the jump of a point that creates the n-th timeline.
    fn add_branch(&self, point: &Point, n: usize, walk: &mut Walk) {
        let jump = point.branches[n];
        walk.add_set(&self.creation_axis(n), |set| fill_bits(set, jump..jump + 1));
    }
}

/// Actions around a point after which a reply is legal, as a product.
///
/// A reply uses few of the boards that an action makes. On those there may stand whatever leaves each of its moves
/// possible and without danger; what it does not use can only keep the present from passing on.
struct Region {
    /// The play axes, then the new timelines.
    parts: Vec<Part>,
}

/// What an axis of the region may do.
enum Part {
    /// As the point does: it leaves the board alone.
    Alone,
    /// What makes a board of which the reply can make use.
    Used(Used),
    /// Anything; a play axis may have to leave its board alone or have to play it.
    Any { pass: bool, play: bool },
    /// A new timeline that begins this late.
    From(i16),
}

/// An axis of whose board the reply makes use.
struct Used {
    /// The coordinates of the boards that the reply makes of it.
    made: Vec<BoardCoordinate>,
    /// Values of the axis, as bits of its words, each with the boards that the reply makes then.
    values: Vec<(usize, Vec<Board>)>,
    /// The value of the point.
    own: usize,
}

/// What a reply does with one board.
enum Use<'a> {
    /// Plays it by a move within it.
    Plays(&'a Move),
    /// Jumps from it.
    Leaves(&'a Move),
    /// Jumps to it, and so makes the next board of this timeline.
    Lands(&'a Move, Timeline),
    /// Passes over this square.
    Crosses(Square),
}

impl Used {
    /// The values, given with the boards that they make at `at`, after which the moves of a reply can make these uses of the
    /// board and no royal piece is exposed within the boards that they make. `None` if the reply makes no use of it.
    fn of(
        at: BoardCoordinate,
        own: usize,
        values: impl Iterator<Item = (usize, Board)>,
        uses: &[(BoardCoordinate, Use<'_>)],
        replied: &Position,
    ) -> Option<Used> {
        let uses: Vec<&Use<'_>> =
            uses.iter().filter(|(board, _)| *board == at).map(|(_, used)| used).collect();
        if uses.is_empty() {
            return None;
        }
        let victim = replied.to_move();
        let rules = Mover::of(replied);
        let point = replied.board(at).expect("the point makes the board");
        let content = |board: &Board, square: Square| {
            (board.occupied() & square.bit(), board.by_color(victim) & square.bit())
        };
        let allows = |board: &Board| {
            uses.iter().all(|used| match used {
                Use::Plays(m) => {
                    rules.is_pseudo_legal_on_board(at, board, m.from.square, m.to.square, m.promotion)
                }
                Use::Leaves(m) => board.cell(m.from.square) == point.cell(m.from.square),
                Use::Lands(m, _) => content(board, m.to.square) == content(point, m.to.square),
                Use::Crosses(square) => board.occupied() & square.bit() == 0,
            })
        };
        let outcomes = |board: &Board| -> Vec<Board> {
            let outcome = |used: &&Use<'_>| match used {
                Use::Plays(m) => Some(board.after_physical(m.from.square, m.to.square, m.promotion)),
                Use::Leaves(m) => Some(board.after_departure(m.from.square)),
                Use::Lands(m, _) => {
                    let source = replied.board(m.from.board).expect("the reply jumps from it");
                    Some(board.after_arrival(source, m.from.square, m.to.square, m.promotion))
                }
                Use::Crosses(_) => None,
            };
            uses.iter().filter_map(outcome).collect()
        };
        let made = uses.iter().filter_map(|used| match used {
            Use::Plays(_) | Use::Leaves(_) => Some(at.next()),
            Use::Lands(_, timeline) => Some(BoardCoordinate { timeline: *timeline, ..at.next() }),
            Use::Crosses(_) => None,
        });
        let value = |(value, board): (usize, Board)| {
            let outcomes = outcomes(&board);
            let safe = || !outcomes.iter().any(|outcome| is_exposed_within(outcome, victim));
            (value == own || allows(&board) && safe()).then_some((value, outcomes))
        };
        Some(Used { made: made.collect(), own, values: values.filter_map(value).collect() })
    }

    /// The `n`-th board that the reply makes at the point.
    fn own(&self, n: usize) -> &Board {
        let own = self.values.iter().find(|(value, _)| *value == self.own);
        &own.expect("the point stays in its region").1[n]
    }

    /// What a ray sees of the `n`-th board: a blocker only if it is there in any case, a royal piece if there can be one.
    fn seen(&self, n: usize, victim: Color) -> Seen {
        let none = Seen { blockers: u64::MAX, targets: 0 };
        self.values.iter().fold(none, |sum, (_, boards)| {
            let seen = Seen::of(&boards[n], victim);
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
    /// `None` if the region would be the point alone. The number is what it took to find out, in the units of `Meter::work`.
    fn around(
        space: &Space<'_>,
        walk: &Walk,
        point: &Point,
        reply: &Action,
        replied: &Position,
    ) -> (Option<Region>, usize) {
        let mut region = Region::untested(space, walk, point, reply, replied);
        let mut frontier = Frontier::new(replied, replied.multiverse().range());
        let mut work = 0;
        loop {
            work += region.work(replied);
            for part in &region.parts {
                let Part::Used(used) = part else { continue };
                for (n, &made) in used.made.iter().enumerate() {
                    frontier.set(made, used.seen(n, replied.to_move()));
                }
            }
            let Some(capture) = region.capture(space, &frontier, replied) else {
                return (Some(region), work);
            };
            let Some(removal) = region.removal(&capture, point, replied.to_move()) else {
                return (None, work);
            };
            region.remove(&removal);
        }
    }

    /// What looking for a capture takes, in the units of `Meter::work`.
    fn work(&self, replied: &Position) -> usize {
        let values = self.parts.iter().map(|part| match part {
            Part::Used(used) => used.values.len() * used.made.len(),
            _ => 0,
        });
        64 * (replied.multiverse().timelines().count() + values.sum::<usize>())
    }

    /// The region without a thought of captures on other boards.
    fn untested(space: &Space<'_>, walk: &Walk, point: &Point, reply: &Action, replied: &Position) -> Region {
        let uses = uses_of(reply, replied);
        let active = replied.multiverse().active();
        let is_active = |timeline: Timeline| active.contains(timeline);
        let present = replied.present();
        let mut parts = Vec::with_capacity(space.axes.len() + point.branches.len());
        for (index, axis) in space.axes.iter().enumerate() {
            let made = BoardCoordinate { half_turn: axis.at.half_turn.next(), ..axis.at };
            let used = match point.choices[index] {
                Choice::Pass => None,
                _ => Used::of(
                    made,
                    space.value_of(point, index),
                    space.boards_made(walk, index),
                    &uses,
                    replied,
                ),
            };
            // Left to the opponent, the new board must not keep the present.
            let play = !is_active(axis.at.timeline) || made.half_turn > present;
            // Left alone it attacks, its own squares too.
            let pass = !is_exposed_within(axis.board, replied.to_move());
            parts.push(used.map_or(Part::Any { pass, play }, Part::Used));
        }
        for (n, &jump) in point.branches.iter().enumerate() {
            let timeline = space.creation_timeline(n);
            let made = BoardCoordinate { timeline, half_turn: HalfTurn(space.pool[jump].arrival()) };
            let boards = space.boards_begun(walk, n, made.half_turn);
            parts.push(match Used::of(made, jump, boards, &uses, replied) {
                Some(used) => Part::Used(used),
                None if is_active(timeline) => Part::From(present.0 + 1),
                None => Part::Any { pass: false, play: true },
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
            parts[index] = Part::Alone;
        }
        Region { parts }
    }

    /// A capture of a royal piece that some member of the region allows.
    fn capture(&self, space: &Space<'_>, frontier: &Frontier<'_>, replied: &Position) -> Option<Capture> {
        let victim = replied.to_move();
        let scan = |at, board: &Board, attacker| {
            let mut found = None;
            let _ = frontier.scan_across(at, board, board.by_color(!victim), |hit| {
                found = Some(Capture { hit, attacker });
                ControlFlow::Break(())
            });
            found
        };
        let mut varying = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            match part {
                Part::Used(used) => {
                    varying.extend(used.made.iter().map(|made| made.timeline));
                    for (value, boards) in &used.values {
                        for (&at, board) in used.made.iter().zip(boards) {
                            let found = scan(at, board, Some((index, *value)));
                            if found.is_some() {
                                return found;
                            }
                        }
                    }
                }
                // The board attacks where it was left alone.
                Part::Any { pass: true, .. } => {
                    let axis = &space.axes[index];
                    varying.push(axis.at.timeline);
                    let found = scan(axis.at, axis.board, Some((index, PASS)));
                    if found.is_some() {
                        return found;
                    }
                }
                Part::Any { .. } | Part::From(_) | Part::Alone => {}
            }
        }
        replied.multiverse().timelines().filter(|timeline| !varying.contains(timeline)).find_map(|timeline| {
            let (end, board) = replied.multiverse().last(timeline)?;
            let at = BoardCoordinate { timeline, half_turn: end };
            if end.color() == victim { None } else { scan(at, board, None) }
        })
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
                Part::Used(used) => used.own == value,
                _ => point.choices[part] == Choice::Pass,
            };
            if !is_own {
                offer(Removal { part, values: vec![value] });
            }
        }
        for (part, used) in self.parts.iter().enumerate() {
            let Part::Used(used) = used else { continue };
            for (n, &made) in used.made.iter().enumerate() {
                let (mut empty, mut royal) = (0, 0);
                for (index, Coordinate { board, square }) in capture.hit.crossed().enumerate().skip(1) {
                    if board == made {
                        *(if index == capture.hit.length() { &mut royal } else { &mut empty }) |=
                            square.bit();
                    }
                }
                let allows = |board: &Board| {
                    let seen = Seen::of(board, victim);
                    seen.blockers & empty == 0 && royal & !seen.targets == 0
                };
                if empty | royal != 0 && !allows(used.own(n)) {
                    let values = used.values.iter().filter(|(_, boards)| allows(&boards[n]));
                    offer(Removal { part, values: values.map(|(value, _)| *value).collect() });
                }
            }
        }
        best
    }

    fn remove(&mut self, removal: &Removal) {
        match &mut self.parts[removal.part] {
            Part::Used(used) => used.values.retain(|(value, _)| !removal.values.contains(value)),
            Part::Any { pass, .. } => *pass = false,
            Part::Alone | Part::From(_) => unreachable!("no capture depends on what such a part may do"),
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
                (Part::Alone, _) => space.add_choice(point, index, walk),
                (Part::Used(used), _) => walk.add_set(&words, |set| {
                    for &(value, _) in &used.values {
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

/// What the moves of a reply do with which boards.
fn uses_of<'a>(reply: &'a Action, replied: &Position) -> Vec<(BoardCoordinate, Use<'a>)> {
    let mut uses = Vec::new();
    let creator = replied.to_move();
    let branches = reply.moves().iter().filter(|m| m.kind == MoveKind::Branch).count() as i16;
    let mut next = replied.multiverse().next_timeline(creator).0 - branches * creator.branch_direction();
    for m in reply.moves() {
        if m.kind == MoveKind::Physical {
            uses.push((m.from.board, Use::Plays(m)));
            continue;
        }
        let lands_on = if m.kind == MoveKind::Hop { m.to.board.timeline } else { Timeline(next) };
        next += if m.kind == MoveKind::Hop { 0 } else { creator.branch_direction() };
        uses.push((m.from.board, Use::Leaves(m)));
        uses.push((m.to.board, Use::Lands(m, lands_on)));
        uses.extend(crossed(m).map(|(board, square)| (board, Use::Crosses(square))));
    }
    uses
}

/// The squares between the ends of a jump in a straight line, which must be empty. A leap has none.
fn crossed(m: &Move) -> impl Iterator<Item = (BoardCoordinate, Square)> + '_ {
    let (from, to) = (m.from, m.to);
    let steps = [
        to.board.timeline.0 - from.board.timeline.0,
        (to.board.half_turn.0 - from.board.half_turn.0) / 2,
        i16::from(to.square.file()) - i16::from(from.square.file()),
        i16::from(to.square.rank()) - i16::from(from.square.rank()),
    ];
    let count = steps.into_iter().map(i16::abs).max().unwrap_or(0);
    let is_straight = steps.into_iter().all(|step| step == 0 || step.abs() == count);
    (1..if is_straight { count } else { 1 }).filter_map(move |i| {
        let [timelines, turns, files, ranks] = steps.map(|step| i * step.signum());
        let board = BoardCoordinate {
            timeline: Timeline(from.board.timeline.0 + timelines),
            half_turn: HalfTurn(from.board.half_turn.0 + 2 * turns),
        };
        Some((board, from.square.offset(files as i8, ranks as i8)?))
    })
}

#[cfg(test)]
mod tests;
