//! The space of actions: its axes, and the stages into which it is divided.

use std::cmp::Ordering;
use std::ops::Range;

use super::axis::{Axis, Change, Hop, Physical, PooledJump, Value};
use super::cuboid::{Walk, fill_bits, insert_if, ones, remove};
use crate::rules::attacks::is_exposed_within;
use crate::rules::movement::{Mover, PhysicalMove};
use crate::state::{Board, LAST_TURN, MAX_TIMELINES, Position, squares_of};
use crate::types::{Action, BoardCoordinate, Color, HalfTurn, Move, MoveKind, Timeline, TimelineRange};

/// Room for this many moves within a board, and for as many jumps from it, is made at the start: growing the lists took a twentieth of a search.
const TYPICAL_MOVES: usize = 32;

/// The axes of a position and everything that can happen on them.
pub(super) struct Space<'a> {
    pub position: &'a Position,
    pub mover: Color,
    pub axes: Vec<Axis<'a>>,
    pub physicals: Vec<Physical>,
    /// Every jump, by source. Empty until [`Space::find_jumps`].
    pub pool: Vec<PooledJump>,
    /// Into `pool`, by target.
    pub arrivals: Vec<u32>,
    pub hops: Vec<Hop>,
    /// Ends of the timelines that are the opponent's: they attack, but cannot be changed.
    pub standing: Vec<(BoardCoordinate, &'a Board)>,
    /// The words of the first creation axis. The others follow it, and have as many.
    creation_words: Range<usize>,
    /// A half-turn, and the jumps of the pool that create a timeline before it, as bits of a creation axis. Kept from the last question, since
    /// nearly all stages ask for the same half-turn.
    begun: (i16, Vec<u64>),
}

impl<'a> Space<'a> {
    /// The axes of the boards that can be played, with the moves within them.
    pub(super) fn new(position: &'a Position) -> Space<'a> {
        let mover = position.to_move();
        let rules = Mover::of(position);
        let most_axes = position.multiverse().timelines().count();
        let mut axes = Vec::with_capacity(most_axes);
        let mut physicals = Vec::with_capacity(TYPICAL_MOVES * most_axes);
        let mut standing = Vec::with_capacity(most_axes);
        let mut next_word = 0;
        for (at, board) in position.multiverse().ends() {
            if at.color() != mover {
                standing.push((at, board));
                continue;
            }
            let first = physicals.len();
            rules.physical_moves(at, board, |made| {
                physicals.push(Physical { made, change: physical_change(board, mover, made) });
            });
            let axis = Axis::new(at, board, first..physicals.len(), next_word);
            next_word = axis.words.end;
            axes.push(axis);
        }
        Space {
            position,
            mover,
            axes,
            physicals,
            pool: Vec::new(),
            arrivals: Vec::new(),
            hops: Vec::new(),
            standing,
            creation_words: next_word..next_word,
            begun: (i16::MIN, Vec::new()),
        }
    }

    /// Finds every jump that does not expose a royal piece on the very boards that it changes. Reassigns the words of all axes, and
    /// returns the old ones.
    pub(super) fn find_jumps(&mut self) -> Vec<Range<usize>> {
        let position = self.position;
        let rules = Mover::of(position);
        let lowest = self.position.multiverse().range().lowest.0;
        let mut axis_of = vec![None; self.position.multiverse().timelines().count()];
        for (index, axis) in self.axes.iter().enumerate() {
            axis_of[(axis.at.timeline.0 - lowest) as usize] = Some((axis.at, index));
        }
        let mut arriving = vec![0; self.axes.len()];
        self.pool.reserve(TYPICAL_MOVES * self.axes.len());
        for (source, axis) in self.axes.iter_mut().enumerate() {
            let first = self.pool.len();
            let pool = &mut self.pool;
            let (board, departures) = (axis.board, &mut axis.departures);
            let mut pinned = 0;
            for from in squares_of(board.by_color(self.mover)) {
                if is_exposed_within(&board.after_departure(from), self.mover) {
                    pinned |= from.bit();
                }
            }
            rules.jumps(axis.at, board, |jump| {
                let landing = position.board(jump.to_board).expect("a jump leads to a board");
                let arrived = landing.after_arrival(board, jump.from, jump.to, jump.promotion);
                if pinned & jump.from.bit() != 0 || is_exposed_within(&arrived, self.mover) {
                    return;
                }
                let target = axis_of[(jump.to_board.timeline.0 - lowest) as usize]
                    .filter(|(at, _)| *at == jump.to_board)
                    .map(|(_, axis)| axis);
                if let Some(axis) = target {
                    arriving[axis] += 1;
                }
                *departures |= jump.from.bit();
                let royal = board.royals() & jump.from.bit() != 0;
                pool.push(PooledJump::new(jump, source, target, royal));
            });
            axis.jumps = first..self.pool.len();
        }

        let mut end = 0;
        for (axis, count) in self.axes.iter_mut().zip(arriving) {
            axis.arrivals = end..end;
            end += count;
        }
        self.arrivals.resize(end, 0);
        for (index, pooled) in self.pool.iter().enumerate() {
            if let Some(axis) = pooled.target() {
                let arrivals = &mut self.axes[axis].arrivals;
                self.arrivals[arrivals.end] = index as u32;
                arrivals.end += 1;
            }
        }

        let mut old_words = Vec::with_capacity(self.axes.len());
        let mut next_word = 0;
        for (target, axis) in self.axes.iter_mut().enumerate() {
            let first_hop = self.hops.len();
            let mut bit = axis.arriving().start;
            for arrivals in self.arrivals[axis.arrivals.clone()]
                .chunk_by(|&a, &b| self.pool[a as usize].source() == self.pool[b as usize].source())
            {
                let source = self.pool[arrivals[0] as usize].source();
                self.hops.push(Hop { source, target, bits: bit..bit + arrivals.len() });
                bit += arrivals.len();
            }
            axis.hops = first_hop..self.hops.len();
            old_words.push(axis.move_words(next_word));
            next_word = axis.words.end;
        }
        self.creation_words = next_word..next_word + self.pool.len().div_ceil(64);
        self.begun = (i16::MIN, vec![0; self.creation_words.len()]);
        old_words
    }

    /// The words of the n-th new timeline's axis in a cuboid: a bit for each jump of the pool.
    pub(super) fn creation_axis(&self, n: usize) -> Range<usize> {
        let start = self.creation_words.start + n * self.creation_words.len();
        start..start + self.creation_words.len()
    }

    /// The number of words of a cuboid with this many new timelines.
    pub(super) fn word_count(&self, created: usize) -> usize {
        self.creation_axis(created).start
    }

    /// The most branches that an action can have, and for how many of them there is room.
    fn branches(&self) -> (usize, usize) {
        let room = MAX_TIMELINES - self.position.multiverse().timelines().count().min(MAX_TIMELINES);
        (self.axes.iter().filter(|axis| axis.departures != 0).count(), room)
    }

    /// The most branches of an action that is looked at.
    pub(super) fn most_branches(&self) -> usize {
        let (possible, room) = self.branches();
        possible.min(room)
    }

    /// Whether there may be actions that are not looked at, as they make more timelines than are supported or play boards of
    /// the last turn. Then nothing follows from having found no action, or no other one.
    pub(super) fn is_cut(&self) -> bool {
        let (possible, room) = self.branches();
        possible > room || self.axes.iter().any(|axis| axis.at.half_turn.turn() >= LAST_TURN)
    }

    /// The work of making the space, in the units of `Meter::work`.
    pub(super) fn work(&self) -> usize {
        256 * (self.axes.len() + self.standing.len()) + 16 * self.physicals.len()
    }

    /// The work of finding the jumps.
    pub(super) fn pool_work(&self) -> usize {
        256 * self.axes.len() + 64 * self.pool.len()
    }

    /// The work of filling a stage.
    pub(super) fn stage_work(&self, created: usize) -> usize {
        8 * self.word_count(created) + self.pool.len() + 16 * (self.axes.len() + self.standing.len())
    }

    /// The timeline that the n-th branch of the action creates.
    pub(super) fn creation_timeline(&self, n: usize) -> Timeline {
        let first = self.position.multiverse().next_timeline(self.mover);
        Timeline(first.0 + self.mover.branch_direction() * n as i16)
    }

    /// The first board of the timeline that the n-th branch creates, when that is this jump.
    pub(super) fn created(&self, n: usize, jump: usize) -> BoardCoordinate {
        BoardCoordinate { timeline: self.creation_timeline(n), ..self.pool[jump].jump.to_board.next() }
    }

    /// The move within the board of a bit of a play axis, which must be one.
    pub(super) fn physical(&self, axis: &Axis<'_>, bit: usize) -> &Physical {
        &self.physicals[axis.physicals.start + bit - axis.moving().start]
    }

    /// The jump of a bit of a play axis, which must be an arrival.
    pub(super) fn arrival(&self, axis: &Axis<'_>, bit: usize) -> usize {
        self.arrivals[axis.arrivals.start + bit - axis.arriving().start] as usize
    }

    /// The board on which a jump lands, before it does.
    pub(super) fn landing(&self, jump: usize) -> &'a Board {
        self.position.board(self.pool[jump].jump.to_board).expect("a jump leads to a board")
    }

    /// The board that a jump makes.
    pub(super) fn arrived(&self, jump: usize) -> Board {
        let pooled = &self.pool[jump];
        let (source, made) = (self.axes[pooled.source()].board, pooled.jump);
        self.landing(jump).after_arrival(source, made.from, made.to, made.promotion)
    }

    /// The move of a jump.
    pub(super) fn jump_move(&self, jump: usize, kind: MoveKind) -> Move {
        let pooled = &self.pool[jump];
        pooled.jump.from(self.axes[pooled.source()].at, kind)
    }

    /// The boards that the current cuboid may make on a play axis, with the bits of the values that make them.
    pub(super) fn boards_made<'s>(
        &'s self,
        walk: &'s Walk,
        index: usize,
    ) -> impl Iterator<Item = (usize, Board)> + 's {
        let axis = &self.axes[index];
        let words = walk.values(&axis.words);
        let changing = axis.moving().start..axis.arriving().end;
        ones(words, axis.departing()).chain(ones(words, changing)).map(move |bit| {
            let board = match axis.value(bit) {
                Value::Depart(square) => axis.board.after_departure(square),
                Value::Pass => *axis.board,
                Value::Move(_) => {
                    let made = self.physical(axis, bit).made;
                    axis.board.after_physical(made.from, made.to, made.promotion)
                }
                Value::Arrive(_) => self.arrived(self.arrival(axis, bit)),
            };
            (bit, board)
        })
    }

    /// The boards with which the n-th new timeline may begin at this half-turn in the current cuboid, by jump.
    pub(super) fn boards_begun<'s>(
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
        for axis in &self.axes {
            let words = &mut domain[axis.words.clone()];
            let is_part = |&bit: &usize| match axis.value(bit) {
                Value::Depart(square) => whole.moves().iter().any(|m| {
                    m.kind != MoveKind::Physical && m.from.board == axis.at && m.from.square == square
                }),
                Value::Pass => true,
                Value::Move(_) => whole.moves().contains(&self.physical(axis, bit).made.on(axis.at)),
                Value::Arrive(_) => {
                    whole.moves().contains(&self.jump_move(self.arrival(axis, bit), MoveKind::Hop))
                }
            };
            let bits: Vec<usize> = ones(words, 0..axis.arriving().end).collect();
            bits.into_iter().filter(|bit| !is_part(bit)).for_each(|bit| remove(words, bit));
        }
        for n in 0..created {
            let words = &mut domain[self.creation_axis(n)];
            let jumps: Vec<usize> = ones(words, 0..self.pool.len()).collect();
            for jump in jumps {
                if !whole.moves().contains(&self.jump_move(jump, MoveKind::Branch)) {
                    remove(words, jump);
                }
            }
        }
    }

    /// The stage of [`Scope::Rewinding`] whose timeline begins after this half-turn and as early as possible.
    pub(super) fn rewinding_stage(&self, after: i16) -> Option<Stage> {
        if self.most_branches() == 0 || !self.is_creation_active(1, 0) {
            return None;
        }
        let present = self.earliest_present(Stage::Branches(1, Rewind::First(0)));
        let begins = self.pool.iter().map(PooledJump::arrival);
        let earliest = begins.filter(|begin| (after + 1..present).contains(begin)).min()?;
        Some(Stage::Branches(1, Rewind::To(earliest)))
    }

    /// The stage after this one, `None` after the last.
    pub(super) fn stage_after(&self, stage: Stage, scope: Scope) -> Option<Stage> {
        let next = match stage {
            Stage::Physical => Stage::Hops,
            Stage::Hops => Stage::Branches(1, Rewind::None),
            Stage::Branches(count, rewind) => {
                let n = match rewind {
                    Rewind::To(begin) => return self.rewinding_stage(begin),
                    Rewind::None => 0,
                    Rewind::First(n) => n + 1,
                };
                // A timeline that is not created is not active either.
                if scope == Scope::All && self.is_creation_active(count, n) {
                    Stage::Branches(count, Rewind::First(n))
                } else {
                    Stage::Branches(count + 1, Rewind::None)
                }
            }
        };
        (next.branches() <= self.most_branches()).then_some(next)
    }

    /// The active timelines after this many branches.
    pub(super) fn active_after(&self, branches: usize) -> TimelineRange {
        let (above, below) = match self.mover {
            Color::White => (branches as i16, 0),
            Color::Black => (0, branches as i16),
        };
        self.position.multiverse().active_with(above, below)
    }

    /// Whether the n-th of `branches` new timelines is active.
    pub(super) fn is_creation_active(&self, branches: usize, n: usize) -> bool {
        self.active_after(branches).contains(self.creation_timeline(n))
    }

    /// The earliest present to which the turn can pass in a stage without a rewinding branch.
    pub(super) fn earliest_present(&self, stage: Stage) -> i16 {
        let active = self.active_after(stage.branches());
        let own = self.axes.iter().filter(|axis| active.contains(axis.at.timeline));
        let earliest_own = own.map(|axis| axis.at.half_turn.0).min().unwrap_or(i16::MAX - 1);
        let theirs = self.standing.iter().filter(|(at, _)| active.contains(at.timeline));
        theirs.map(|(at, _)| at.half_turn.0).min().unwrap_or(i16::MAX).min(earliest_own + 1)
    }

    /// Fills the words of a cuboid with the values of a stage.
    pub(super) fn fill_stage(&mut self, stage: Stage, earliest: i16, domain: &mut [u64]) {
        let (created, rewind) = match stage {
            Stage::Physical | Stage::Hops => (0, Rewind::None),
            Stage::Branches(count, rewind) => (count, rewind),
        };
        let active = self.active_after(created);
        for axis in &self.axes {
            let must_be_played = rewind == Rewind::None
                && axis.at.half_turn.0 == earliest - 1
                && active.contains(axis.at.timeline);
            let words = &mut domain[axis.words.clone()];
            let pass = axis.bit(Value::Pass);
            let first = if must_be_played { axis.moving().start } else { pass };
            let bits = match (rewind, stage) {
                (Rewind::To(_), _) => pass..pass + 1,
                (_, Stage::Physical) => first..axis.staying().end,
                _ => first..axis.arriving().end,
            };
            fill_bits(words, bits);
            if stage != Stage::Physical {
                axis.insert_departures(words);
            }
        }
        for n in 0..created {
            let words = &mut domain[self.creation_axis(n)];
            match self.begins(Stage::Branches(created, rewind), n) {
                Begins::Any => fill_bits(words, 0..self.pool.len()),
                Begins::At(half_turn) => {
                    for (index, pooled) in self.pool.iter().enumerate() {
                        insert_if(words, index, pooled.arrival() == half_turn);
                    }
                }
                Begins::Before => words.copy_from_slice(self.begun_before(earliest)),
                Begins::From => {
                    fill_bits(words, 0..self.pool.len());
                    let before = self.begun_before(earliest);
                    words.iter_mut().zip(before).for_each(|(word, before)| *word &= !before);
                }
            }
        }
    }

    /// Whether no jump can create one of the timelines of a stage.
    pub(super) fn is_barren(&mut self, stage: Stage, earliest: i16) -> bool {
        let has = |begins| (0..stage.branches()).any(|n| self.begins(stage, n) == begins);
        let (has_before, has_from) = (has(Begins::Before), has(Begins::From));
        if !has_before && !has_from {
            return false;
        }
        let jumps = self.pool.len();
        let before: usize = self.begun_before(earliest).iter().map(|word| word.count_ones() as usize).sum();
        let is_barren = has_before && before == 0 || has_from && before == jumps;
        debug_assert_eq!(is_barren, !self.has_a_jump_for_each(stage, earliest), "{stage:?}");
        is_barren
    }

    /// Whether some jump can create each of the timelines of a stage, asked of one after another.
    fn has_a_jump_for_each(&self, stage: Stage, earliest: i16) -> bool {
        (0..stage.branches()).all(|n| {
            let begins = self.begins(stage, n);
            self.pool.iter().map(PooledJump::arrival).any(|half_turn| match begins {
                Begins::Any => true,
                Begins::Before => half_turn < earliest,
                Begins::From => half_turn >= earliest,
                Begins::At(begin) => half_turn == begin,
            })
        })
    }

    /// The work of taking values out of a filled stage one by one.
    pub(super) fn keeping_work(&self, created: usize) -> usize {
        4 * created * self.pool.len()
    }

    /// The time at which the n-th new timeline may begin in a stage.
    fn begins(&self, stage: Stage, n: usize) -> Begins {
        let Stage::Branches(created, rewind) = stage else { return Begins::Any };
        match rewind {
            _ if !self.is_creation_active(created, n) => Begins::Any,
            Rewind::None => Begins::From,
            Rewind::First(first) => match n.cmp(&first) {
                Ordering::Less => Begins::From,
                Ordering::Equal => Begins::Before,
                Ordering::Greater => Begins::Any,
            },
            Rewind::To(half_turn) => Begins::At(half_turn),
        }
    }

    /// The jumps of the pool with which a timeline begins before this half-turn, as a creation axis has them.
    fn begun_before(&mut self, half_turn: i16) -> &[u64] {
        let (asked, words) = &mut self.begun;
        if *asked != half_turn {
            *asked = half_turn;
            words.fill(0);
            for (index, pooled) in self.pool.iter().enumerate() {
                insert_if(words, index, pooled.arrival() < half_turn);
            }
        }
        words
    }
}

/// The time at which a new timeline may begin, compared with the earliest present of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Begins {
    Any,
    Before,
    From,
    At(i16),
}

/// The part of the space of actions that is searched at a time. Together the stages are the whole space, and no two of
/// them overlap.
///
/// The number of timelines that an action creates decides which are active afterwards, and with that the present is a
/// matter of single axes. [`Space::earliest_present`] is where it can pass to without a rewinding branch:
/// one half-turn after the earliest active board of the mover, or the end of an active board of the opponent, if that is
/// earlier. Then either no active branch lands before that, and every active board of the mover just before it
/// is played ([`Rewind::None`]); or some active branch does, the first of them the n-th created, and no board need
/// be played ([`Rewind::First`]). [`Scope::Rewinding`] has stages of its own, which are parts of these ([`Rewind::To`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// No jumps at all.
    Physical,
    /// At least one hop and no branch.
    Hops,
    /// This many branches, at least one.
    Branches(usize, Rewind),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rewind {
    None,
    First(usize),
    /// A single jump and nothing else, to where a timeline begins at this half-turn.
    To(i16),
}

impl Stage {
    /// The number of timelines that are created.
    pub(super) fn branches(self) -> usize {
        match self {
            Stage::Physical | Stage::Hops => 0,
            Stage::Branches(count, _) => count,
        }
    }
}

/// The part of the space to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) enum Scope {
    /// Every legal action.
    All,
    /// Only actions after which the present is later than before.
    Advancing,
    /// Only single jumps that take the present back, the farthest first.
    Rewinding,
}

fn physical_change(board: &Board, mover: Color, made: PhysicalMove) -> Change {
    let (from, to) = (made.from, made.to);
    let mut change = Change { vacated: from.bit(), filled: to.bit(), captured: to.bit(), royal: 0 };
    if board.royals() & from.bit() != 0 {
        change.royal = to.bit();
        if let Some((rook, crossed)) = board.castling_rook(from, to) {
            change.vacated |= rook.bit();
            change.filled |= crossed.bit();
        }
    } else if board.pawns() & from.bit() != 0
        && from.file() != to.file()
        && board.by_color(!mover) & to.bit() == 0
    {
        let victim = Board::en_passant_victim(from, to).bit();
        change.vacated |= victim;
        change.captured |= victim;
    }
    change.vacated &= !change.filled;
    change
}
