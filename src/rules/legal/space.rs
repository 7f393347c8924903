//! The axes of the space of actions and their values.

use std::ops::Range;

use super::cuboid::fill_bits;
use crate::rules::attacks::is_exposed_within;
use crate::rules::movement::{Jump, Mover, PhysicalMove};
use crate::state::{Board, LAST_TURN, MAX_TIMELINES, Position, squares_of};
use crate::types::{BoardCoordinate, Color, Move, MoveKind, Timeline, TimelineRange};

/// What happens to a board, as far as checks are concerned.
#[derive(Clone, Copy, Default)]
pub(super) struct Change {
    /// Squares that become empty.
    pub vacated: u64,
    /// Squares on which a piece of the mover arrives.
    pub filled: u64,
    /// Squares on which an enemy piece disappears, if there was one.
    pub captured: u64,
    /// The part of `filled` where the arriving piece is royal.
    pub royal: u64,
}

impl Change {
    /// The departure of the piece on one square.
    pub(super) fn departure(from: u64) -> Change {
        Change { vacated: from, ..Change::default() }
    }

    /// What is occupied afterwards, walls too.
    pub(super) fn occupied(&self, board: &Board) -> u64 {
        board.occupied() & !self.vacated | self.filled
    }

    /// Where the mover's royal pieces stand afterwards.
    pub(super) fn royals(&self, board: &Board, mover: Color) -> u64 {
        board.royals() & board.by_color(mover) & !self.vacated | self.royal
    }
}

/// A move within a board.
#[derive(Clone, Copy)]
pub(super) struct Physical {
    pub made: PhysicalMove,
    pub change: Change,
}

/// A move to another board: it creates a timeline, or hops if its target can be played and is not played otherwise.
#[derive(Clone, Copy)]
pub(super) struct PooledJump {
    pub jump: Jump,
    // As small as they can be, since there are thousands. No position has as many axes as would not fit.
    source: u16,
    target: Option<u16>,
    royal: bool,
}

impl PooledJump {
    /// The axis of the board where it starts.
    pub(super) fn source(&self) -> usize {
        self.source.into()
    }

    /// The axis of its target board when that can be played too.
    pub(super) fn target(&self) -> Option<usize> {
        self.target.map(usize::from)
    }

    /// What it does to the board where it arrives.
    pub(super) fn change(&self) -> Change {
        let to = self.jump.to.bit();
        Change { vacated: 0, filled: to, captured: to, royal: if self.royal { to } else { 0 } }
    }

    /// The half-turn of the board that it makes.
    pub(super) fn arrival(&self) -> i16 {
        self.jump.to_board.half_turn.0 + 1
    }
}

/// A board that the player may play.
///
/// Its words in a cuboid: one for departures, a bit for each square from which a piece may leave; then bit 0 to leave the
/// board alone, a bit for each move within it, a bit for each jump that may arrive.
pub(super) struct Axis<'a> {
    pub at: BoardCoordinate,
    pub board: &'a Board,
    /// Into `physicals`.
    pub physicals: Range<usize>,
    /// Into `pool`: the jumps that start here.
    pub jumps: Range<usize>,
    /// The squares from which those jumps start.
    pub departures: u64,
    /// Into `arrivals`: the jumps that may hop here, by source.
    pub arrivals: Range<usize>,
    /// Into `hops`.
    pub hops: Range<usize>,
    /// In a cuboid.
    pub words: Range<usize>,
}

impl Axis<'_> {
    /// The number of values that are no jumps; the bit of the first arrival.
    pub(super) fn first_arrival(&self) -> usize {
        1 + self.physicals.len()
    }

    /// The words without the departures.
    pub(super) fn value_words(&self) -> Range<usize> {
        self.words.start + 1..self.words.end
    }

    /// The word of the departures.
    pub(super) fn departure_word(&self) -> Range<usize> {
        self.words.start..self.words.start + 1
    }
}

/// The jumps from one board that may hop to another.
#[derive(Clone)]
pub(super) struct Hop {
    pub source: usize,
    pub target: usize,
    /// Bits of the target axis.
    pub bits: Range<usize>,
}

/// The axes of a position and everything that can happen on them.
pub(super) struct Space<'a> {
    pub position: &'a Position,
    pub mover: Color,
    pub axes: Vec<Axis<'a>>,
    pub physicals: Vec<Physical>,
    /// Every jump, by source. Empty until [`Space::fill_pool`].
    pub pool: Vec<PooledJump>,
    /// Into `pool`, by target.
    pub arrivals: Vec<u32>,
    pub hops: Vec<Hop>,
    /// Ends of the timelines that are the opponent's: they attack, but cannot be changed.
    pub standing: Vec<(BoardCoordinate, &'a Board)>,
    /// Where the words of the creation axes begin, and how many each has.
    creation_words: Range<usize>,
}

impl<'a> Space<'a> {
    /// The axes of the boards that can be played, with the moves within them.
    pub(super) fn new(position: &'a Position) -> Space<'a> {
        let mover = position.to_move();
        let rules = Mover::of(position);
        let (mut axes, mut physicals, mut standing) = (Vec::new(), Vec::new(), Vec::new());
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
            let physicals = first..physicals.len();
            let words = next_word..next_word + 1 + (1 + physicals.len()).div_ceil(64);
            next_word = words.end;
            let nothing = 0..0;
            axes.push(Axis {
                at,
                board,
                physicals,
                jumps: nothing.clone(),
                departures: 0,
                arrivals: nothing.clone(),
                hops: nothing,
                words,
            });
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
        }
    }

    /// Finds every jump that does not expose a royal piece on the very boards that it changes. The words of the axes move:
    /// the old ones are the answer.
    pub(super) fn fill_pool(&mut self) -> Vec<Range<usize>> {
        let position = self.position;
        let rules = Mover::of(position);
        let lowest = self.position.multiverse().range().lowest.0;
        let mut axis_of = vec![None; self.position.multiverse().timelines().count()];
        for (index, axis) in self.axes.iter().enumerate() {
            axis_of[(axis.at.timeline.0 - lowest) as usize] = Some((axis.at, index));
        }
        let mut arriving = vec![0; self.axes.len()];
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
                let target = target.map(|axis| axis as u16);
                pool.push(PooledJump { jump, source: source as u16, target, royal });
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
            let mut bit = axis.first_arrival();
            for arrivals in self.arrivals[axis.arrivals.clone()]
                .chunk_by(|&a, &b| self.pool[a as usize].source == self.pool[b as usize].source)
            {
                let source = self.pool[arrivals[0] as usize].source();
                self.hops.push(Hop { source, target, bits: bit..bit + arrivals.len() });
                bit += arrivals.len();
            }
            axis.hops = first_hop..self.hops.len();
            let words = next_word..next_word + 1 + bit.div_ceil(64);
            next_word = words.end;
            old_words.push(std::mem::replace(&mut axis.words, words));
        }
        self.creation_words = next_word..next_word + self.pool.len().div_ceil(64);
        old_words
    }

    /// The words of the n-th new timeline's axis in a cuboid: a bit for each jump of the pool.
    pub(super) fn creation_axis(&self, n: usize) -> Range<usize> {
        let start = self.creation_words.start + n * self.creation_words.len();
        start..start + self.creation_words.len()
    }

    /// How many words a cuboid with this many new timelines has.
    pub(super) fn words(&self, created: usize) -> usize {
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

    /// What making the space took, in the units of `Meter::work`.
    pub(super) fn work(&self) -> usize {
        256 * (self.axes.len() + self.standing.len()) + 16 * self.physicals.len()
    }

    /// What finding the jumps took.
    pub(super) fn pool_work(&self) -> usize {
        256 * self.axes.len() + 64 * self.pool.len()
    }

    /// What filling a stage takes.
    pub(super) fn stage_work(&self, created: usize) -> usize {
        8 * self.words(created) + 4 * created * self.pool.len() + 16 * (self.axes.len() + self.standing.len())
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

    /// The jump of a bit of a play axis, which must be an arrival.
    pub(super) fn arrival(&self, axis: usize, bit: usize) -> usize {
        let axis = &self.axes[axis];
        self.arrivals[axis.arrivals.start + bit - axis.first_arrival()] as usize
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

    /// The stage of [`Scope::Rewinding`] whose timeline begins after this half-turn and as early as possible.
    pub(super) fn rewinding_stage(&self, after: i16) -> Option<Stage> {
        if self.most_branches() == 0 || !self.is_creation_active(1, 0) {
            return None;
        }
        let limit = self.limit(Stage::Branches(1, Rewind::First(0)));
        let begins = self.pool.iter().map(PooledJump::arrival);
        let earliest = begins.filter(|begin| (after + 1..limit).contains(begin)).min()?;
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

    /// The limit of a stage: the earliest present to which the turn can pass without a rewinding branch.
    pub(super) fn limit(&self, stage: Stage) -> i16 {
        let active = self.active_after(stage.branches());
        let own = self.axes.iter().filter(|axis| active.contains(axis.at.timeline));
        let earliest_own = own.map(|axis| axis.at.half_turn.0).min().unwrap_or(i16::MAX - 1);
        let theirs = self.standing.iter().filter(|(at, _)| active.contains(at.timeline));
        theirs.map(|(at, _)| at.half_turn.0).min().unwrap_or(i16::MAX).min(earliest_own + 1)
    }

    /// Fills the words of a cuboid with the values of a stage.
    pub(super) fn fill_stage(&self, stage: Stage, limit: i16, domain: &mut [u64]) {
        let (created, rewind) = match stage {
            Stage::Physical | Stage::Hops => (0, Rewind::None),
            Stage::Branches(count, rewind) => (count, rewind),
        };
        let active = self.active_after(created);
        for axis in &self.axes {
            let must_be_played = rewind == Rewind::None
                && axis.at.half_turn.0 == limit - 1
                && active.contains(axis.at.timeline);
            let words = &mut domain[axis.words.clone()];
            let arrivals = if stage == Stage::Physical { 0 } else { axis.arrivals.len() };
            let values = match rewind {
                Rewind::To(_) => 0..1,
                _ => must_be_played as usize..axis.first_arrival() + arrivals,
            };
            fill_bits(&mut words[1..], values);
            if stage != Stage::Physical {
                words[0] = axis.departures;
            }
        }
        for n in 0..created {
            let words = &mut domain[self.creation_axis(n)];
            let begins = match rewind {
                _ if !self.is_creation_active(created, n) => i16::MIN..=i16::MAX,
                Rewind::None => limit..=i16::MAX,
                Rewind::First(first) if n < first => limit..=i16::MAX,
                Rewind::First(first) if n == first => i16::MIN..=limit - 1,
                Rewind::First(_) => i16::MIN..=i16::MAX,
                Rewind::To(begin) => begin..=begin,
            };
            for (index, pooled) in self.pool.iter().enumerate() {
                words[index / 64] |= u64::from(begins.contains(&pooled.arrival())) << (index % 64);
            }
        }
    }
}

/// The part of the space of actions that is searched at a time. Together the stages are the whole space, and no two of
/// them overlap.
///
/// How many timelines an action creates decides which timelines are active afterwards, and with that the present is a
/// matter of single axes. Let the *limit* be the earliest present to which the turn can pass without a rewinding branch:
/// one half-turn after the earliest active board of the mover, or the end of an active board of the opponent, if that is
/// earlier. Then either no active branch lands before the limit, and every active board of the mover just before the
/// limit is played ([`Rewind::None`]); or some active branch does, the first of them the n-th created, and no board need
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
    /// How many timelines are created.
    pub(super) fn branches(self) -> usize {
        match self {
            Stage::Physical | Stage::Hops => 0,
            Stage::Branches(count, _) => count,
        }
    }
}

/// What of the space is searched.
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
