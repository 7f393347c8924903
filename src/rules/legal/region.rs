//! The actions that a reply answers: a product around one of them.

use std::ops::ControlFlow;

use super::axis::Value;
use super::cuboid::{Draft, Walk, insert, insert_if, remove};
use super::point::{Choice, Point};
use super::space::Space;
use super::uses::{ReplyUse, uses_of};
use crate::rules::attacks::{Attackers, Frontier, Hit, Seen, is_exposed_within};
use crate::rules::movement::Mover;
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate, Color, Coordinate, HalfTurn, Square, Timeline};

/// A product of choices around one action; the reply is legal after every action in it.
///
/// A reply uses few of the boards that an action makes. On those there may stand whatever leaves each of its moves
/// possible and without danger; what it does not use can only keep the present from passing on.
pub(super) struct Region {
    /// The play axes, then the new timelines.
    parts: Vec<Part>,
}

/// The values that an axis of the region may have.
enum Part {
    /// Only the value of the point: the board is left alone.
    Untouched,
    /// The values that make a board of which the reply can make use.
    Used(UsedBoard),
    /// Anything; a play axis may have to play its board.
    Any { pass: bool },
    /// A new timeline that begins this late.
    NotBefore(i16),
}

/// An axis of whose board the reply makes use.
struct UsedBoard {
    /// The coordinates of the boards that the reply makes of it.
    made: Vec<BoardCoordinate>,
    /// Values of the axis, as bits of its words.
    values: Vec<usize>,
    /// The boards that the reply makes then: for each value as many as there are coordinates.
    boards: Vec<Board>,
    /// The value of the point.
    own: usize,
}

impl UsedBoard {
    /// The values, given with the boards that they make at `at`, after which the moves of a reply can make these uses of the
    /// board and no royal piece is exposed within the boards that they make. `None` if the reply makes no use of it.
    fn of(
        at: BoardCoordinate,
        own: usize,
        values: impl Iterator<Item = (usize, Board)>,
        uses: &[(BoardCoordinate, ReplyUse<'_>)],
        replied: &Position,
    ) -> Option<UsedBoard> {
        let uses: Vec<&ReplyUse<'_>> =
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
                ReplyUse::Plays(m) => {
                    rules.is_pseudo_legal_on_board(at, board, m.from.square, m.to.square, m.promotion)
                }
                ReplyUse::Leaves(m) => board.cell(m.from.square) == point.cell(m.from.square),
                ReplyUse::Lands(m, _) => content(board, m.to.square) == content(point, m.to.square),
                ReplyUse::Crosses(square) => board.occupied() & square.bit() == 0,
            })
        };
        let outcome = |used: &ReplyUse<'_>, board: &Board| match used {
            ReplyUse::Plays(m) => Some(board.after_physical(m.from.square, m.to.square, m.promotion)),
            ReplyUse::Leaves(m) => Some(board.after_departure(m.from.square)),
            ReplyUse::Lands(m, _) => {
                let source = replied.board(m.from.board).expect("the reply jumps from it");
                Some(board.after_arrival(source, m.from.square, m.to.square, m.promotion))
            }
            ReplyUse::Crosses(_) => None,
        };
        let made = uses.iter().filter_map(|used| match used {
            ReplyUse::Plays(_) | ReplyUse::Leaves(_) => Some(at.next()),
            ReplyUse::Lands(_, timeline) => Some(BoardCoordinate { timeline: *timeline, ..at.next() }),
            ReplyUse::Crosses(_) => None,
        });
        let mut used = UsedBoard { made: made.collect(), own, values: Vec::new(), boards: Vec::new() };
        for (value, board) in values {
            if value != own && !allows(&board) {
                continue;
            }
            let first = used.boards.len();
            used.boards.extend(uses.iter().filter_map(|used| outcome(used, &board)));
            if value == own || !used.boards[first..].iter().any(|board| is_exposed_within(board, victim)) {
                used.values.push(value);
            } else {
                used.boards.truncate(first);
            }
        }
        Some(used)
    }

    /// The boards that the reply makes at the `n`-th coordinate, by value.
    fn boards(&self, n: usize) -> impl Iterator<Item = &Board> {
        self.boards.iter().skip(n).step_by(self.made.len().max(1))
    }

    /// The `n`-th board that the reply makes with a value that stays in the region, as that of the point does.
    fn board(&self, value: usize, n: usize) -> &Board {
        let index = self.values.iter().position(|known| *known == value);
        &self.boards[index.expect("the value stays in the region") * self.made.len() + n]
    }

    fn remove(&mut self, values: &[usize]) {
        let stride = self.made.len();
        let mut kept = 0;
        for index in 0..self.values.len() {
            if !values.contains(&self.values[index]) {
                self.values[kept] = self.values[index];
                self.boards.copy_within(index * stride..(index + 1) * stride, kept * stride);
                kept += 1;
            }
        }
        self.values.truncate(kept);
        self.boards.truncate(kept * stride);
    }

    /// Whether there may be captures from the boards at the `n`-th coordinate.
    fn may_capture(&self, n: usize, frontier: &Frontier<'_>, victim: Color) -> bool {
        frontier.scan_from(self.made[n], &self.attackers(n, victim), |_| ControlFlow::Break(())).is_break()
    }

    /// All that may attack from the board at the `n`-th coordinate.
    fn attackers(&self, n: usize, victim: Color) -> Attackers {
        let attackers = self.boards(n).map(|board| Attackers::of(board, board.by_color(!victim)));
        attackers.fold(Attackers::default(), Attackers::and)
    }

    /// The `n`-th board as a ray sees it: a blocker only if it is there in any case, a royal piece if there can be one.
    fn seen(&self, n: usize, victim: Color) -> Seen {
        let none = Seen { blockers: u64::MAX, targets: 0 };
        self.boards(n).fold(none, |sum, board| {
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

/// The board from which a royal piece could be captured after the reply.
#[derive(Clone, Copy)]
enum Origin {
    /// The board that the reply makes at the n-th coordinate of a part, for one of its values.
    Made { part: usize, n: usize, value: usize },
    /// The board of a part that was left alone.
    LeftAlone { part: usize },
    /// A board that no part concerns.
    Elsewhere(BoardCoordinate),
}

impl Region {
    /// The region of a reply that is legal after the point; `replied` is the position after its moves, not yet submitted.
    /// `None` if the region would be the point alone. The number is what it took to find out, in the units of `Meter::work`.
    pub(super) fn around(
        space: &Space<'_>,
        walk: &Walk,
        point: &Point,
        reply: &Action,
        replied: &Position,
    ) -> (Option<Region>, usize) {
        let mut region = Region::untested(space, walk, point, reply, replied);
        let work = region.work(replied);
        let is_left = region.make_safe(space, point, replied);
        (is_left.then_some(region), work)
    }

    /// The work of looking for captures, in the units of `Meter::work`.
    fn work(&self, replied: &Position) -> usize {
        let boards = self.parts.iter().map(|part| match part {
            Part::Used(used) => used.boards.len(),
            _ => 0,
        });
        64 * (replied.multiverse().timelines().count() + boards.sum::<usize>())
    }

    /// Takes out what allows a capture of a royal piece. False if it cannot be taken out.
    ///
    /// Taking values out only bars more captures: an origin whose captures are dealt with need not be looked at again.
    fn make_safe(&mut self, space: &Space<'_>, point: &Point, replied: &Position) -> bool {
        let victim = replied.to_move();
        let mut frontier = Frontier::new(replied, replied.multiverse().range());
        let mut concerned = Vec::new();
        for (index, part) in self.parts.iter().enumerate() {
            self.show(index, &mut frontier, victim);
            match part {
                Part::Used(used) => concerned.extend(used.made.iter().map(|made| made.timeline)),
                Part::Any { pass: true } => concerned.push(space.axes[index].at.timeline),
                Part::Any { pass: false } | Part::NotBefore(_) | Part::Untouched => {}
            }
        }
        let mut is_safe = |origin| self.settle(origin, space, point, &mut frontier, replied);
        replied.multiverse().timelines().filter(|timeline| !concerned.contains(timeline)).all(|timeline| {
            let Some((half_turn, _)) = replied.multiverse().last(timeline) else { return true };
            half_turn.color() == victim || is_safe(Origin::Elsewhere(BoardCoordinate { timeline, half_turn }))
        }) && (0..self.parts.len()).all(|part| match &self.parts[part] {
            // The board attacks where it was left alone.
            Part::Any { pass: true } => {
                self.settle(Origin::LeftAlone { part }, space, point, &mut frontier, replied)
            }
            Part::Used(used) => {
                (0..used.made.len()).all(|n| self.settle_made(part, n, space, point, &mut frontier, replied))
            }
            Part::Any { pass: false } | Part::NotBefore(_) | Part::Untouched => true,
        })
    }

    /// Puts what rays see of a part into the frontier.
    fn show(&self, part: usize, frontier: &mut Frontier<'_>, victim: Color) {
        if let Part::Used(used) = &self.parts[part] {
            for (n, &made) in used.made.iter().enumerate() {
                frontier.set(made, used.seen(n, victim));
            }
        }
    }

    /// The boards as rays see them after the reply to any action of the region: a blocker only if it is there in any case.
    pub(super) fn frontier<'p>(&self, replied: &'p Position) -> Frontier<'p> {
        let mut frontier = Frontier::new(replied, replied.multiverse().range());
        for part in 0..self.parts.len() {
            self.show(part, &mut frontier, replied.to_move());
        }
        frontier
    }

    /// The boards from which royal pieces of `victim` could be captured after the reply to some action of the region, but not to each:
    /// those that the reply makes of what the action makes, and those that the action may leave alone. With all that may stand there.
    pub(super) fn attackers(
        &self,
        space: &Space<'_>,
        victim: Color,
    ) -> impl Iterator<Item = (BoardCoordinate, Attackers)> {
        self.parts.iter().enumerate().flat_map(move |(index, part)| match part {
            Part::Used(used) => {
                (0..used.made.len()).map(|n| (used.made[n], used.attackers(n, victim))).collect::<Vec<_>>()
            }
            Part::Any { pass: true } => {
                let axis = &space.axes[index];
                vec![(axis.at, Attackers::of(axis.board, axis.board.by_color(!victim)))]
            }
            Part::Any { pass: false } | Part::NotBefore(_) | Part::Untouched => Vec::new(),
        })
    }

    /// Takes out what allows captures from the boards that the reply makes at the n-th coordinate of a part. False if it cannot be taken
    /// out.
    fn settle_made(
        &mut self,
        part: usize,
        n: usize,
        space: &Space<'_>,
        point: &Point,
        frontier: &mut Frontier<'_>,
        replied: &Position,
    ) -> bool {
        let Part::Used(used) = &self.parts[part] else { return true };
        // Mostly none of them allows any, which takes one look.
        if !used.may_capture(n, frontier, replied.to_move()) {
            return true;
        }
        used.values.clone().into_iter().all(|value| {
            let stays = matches!(&self.parts[part], Part::Used(used) if used.values.contains(&value));
            !stays || self.settle(Origin::Made { part, n, value }, space, point, frontier, replied)
        })
    }

    /// Takes out what allows captures from one origin. False if it cannot be taken out.
    fn settle(
        &mut self,
        origin: Origin,
        space: &Space<'_>,
        point: &Point,
        frontier: &mut Frontier<'_>,
        replied: &Position,
    ) -> bool {
        let victim = replied.to_move();
        loop {
            let (at, board, attacker) = match origin {
                Origin::Made { part, n, value } => {
                    let Part::Used(used) = &self.parts[part] else { unreachable!("the reply uses it") };
                    (used.made[n], used.board(value, n), Some((part, value)))
                }
                Origin::LeftAlone { part } => {
                    let axis = &space.axes[part];
                    (axis.at, axis.board, Some((part, axis.bit(Value::Pass))))
                }
                Origin::Elsewhere(at) => (at, replied.board(at).expect("the end of a timeline"), None),
            };
            let mut found = None;
            let _ = frontier.scan_across(at, board, board.by_color(!victim), |hit| {
                found = Some(hit);
                ControlFlow::Break(())
            });
            let Some(hit) = found else { return true };
            let Some(removal) = self.removal(&hit, attacker, point, victim) else { return false };
            self.remove(&removal);
            self.show(removal.part, frontier, victim);
            if attacker.is_some_and(|(part, value)| part == removal.part && removal.values.contains(&value)) {
                return true;
            }
        }
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
                _ => UsedBoard::of(
                    made,
                    space.bit_of(point, index),
                    space.boards_made(walk, index),
                    &uses,
                    replied,
                ),
            };
            // Left to the opponent, the new board stands in the same turn as that of the point, which does not keep the present.
            debug_assert!(!is_active(axis.at.timeline) || made.half_turn > present || used.is_some());
            // Left alone it attacks, its own squares too.
            let pass = !is_exposed_within(axis.board, replied.to_move());
            parts.push(used.map_or(Part::Any { pass }, Part::Used));
        }
        for (n, &jump) in point.branches.iter().enumerate() {
            let timeline = space.creation_timeline(n);
            let made = BoardCoordinate { timeline, half_turn: HalfTurn(space.pool[jump].arrival()) };
            let boards = space.boards_begun(walk, n, made.half_turn);
            parts.push(match UsedBoard::of(made, jump, boards, &uses, replied) {
                Some(used) => Part::Used(used),
                None if is_active(timeline) => Part::NotBefore(present.0 + 1),
                None => Part::Any { pass: false },
            });
        }
        // After the reply an active timeline must still end at the present. A board that the reply makes always does. If only boards
        // that the action left alone do, one of them must stay so in the whole region.
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
            parts[index] = Part::Untouched;
        }
        Region { parts }
    }

    /// The smallest removal of values that are not the point's own and after which the capture is impossible.
    fn removal(
        &self,
        hit: &Hit,
        attacker: Option<(usize, usize)>,
        point: &Point,
        victim: Color,
    ) -> Option<Removal> {
        let mut best: Option<Removal> = None;
        let mut offer = |removal: Removal| {
            if best.as_ref().is_none_or(|best| removal.values.len() < best.values.len()) {
                best = Some(removal);
            }
        };
        if let Some((part, value)) = attacker {
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
                for (index, Coordinate { board, square }) in hit.crossed().enumerate().skip(1) {
                    if board == made {
                        *(if index == hit.length() { &mut royal } else { &mut empty }) |= square.bit();
                    }
                }
                let allows = |board: &Board| {
                    let seen = Seen::of(board, victim);
                    seen.blockers & empty == 0 && royal & !seen.targets == 0
                };
                if empty | royal != 0 && !allows(used.board(used.own, n)) {
                    let values = used.values.iter().zip(used.boards(n)).filter(|(_, board)| allows(board));
                    offer(Removal { part, values: values.map(|(value, _)| *value).collect() });
                }
            }
        }
        best
    }

    fn remove(&mut self, removal: &Removal) {
        match &mut self.parts[removal.part] {
            Part::Used(used) => used.remove(&removal.values),
            Part::Any { pass } => *pass = false,
            Part::Untouched | Part::NotBefore(_) => {
                unreachable!("no capture depends on what such a part may do")
            }
        }
    }

    /// The sets of the region. An axis without a set may do anything.
    pub(super) fn draft(&self, space: &Space<'_>, walk: &mut Walk, point: &Point) -> Draft {
        let draft = walk.draft();
        let play_axes = space.axes.len();
        for (index, part) in self.parts.iter().enumerate() {
            let created = index.checked_sub(play_axes);
            let words = match created {
                None => space.axes[index].words.clone(),
                Some(n) => space.creation_axis(n),
            };
            match (part, created) {
                (Part::Untouched, _) => space.add_choice(point, index, walk),
                (Part::Used(used), _) => walk.add_set(&words, |set| {
                    used.values.iter().for_each(|&value| insert(set, value));
                }),
                (Part::Any { .. }, Some(_)) | (Part::Any { pass: true }, None) => {}
                (Part::Any { pass: false }, None) => walk.add_set(&words, |set| {
                    set.fill(u64::MAX);
                    remove(set, space.axes[index].bit(Value::Pass));
                }),
                (Part::NotBefore(first), _) => walk.add_set(&words, |set| {
                    for (jump, pooled) in space.pool.iter().enumerate() {
                        insert_if(set, jump, pooled.arrival() >= *first);
                    }
                }),
            }
        }
        draft
    }
}
