//! Which actions may be submitted (`spec/05-actions.md`), without listing what may not.
//!
//! # The space of actions
//!
//! Every board that the player may play is an *axis*, and what happens to it is a value of that axis: nothing, a move
//! within the board, the departure of one piece to another board, or the arrival of a piece from another board. Every
//! timeline that the action creates is an axis too, whose value is the jump that creates it. A *point* picks a value
//! for each axis; a *cuboid* is a product of sets of values. Since moves on different boards do not disturb each
//! other, every legal action is exactly one point.
//!
//! The present is not searched for but divided out beforehand: see [`Stage`]. What remains to be asked of a point is
//! that departures and arrivals pair off (a matching), that a branch which starts from a board played in the same
//! action comes after that board was played, and that no royal piece can be captured afterwards.
//!
//! # The search
//!
//! One cuboid is current. Pick a point that pairs off. If it is illegal, find a *slice*, a sub-product around the
//! point that is illegal for the same reason, and replace the cuboid by the disjoint pieces of the rest; if it is
//! legal, yield it and cut out the point alone. The pieces are visited depth first and restored from a trail, so
//! memory stays in proportion to the depth. A slice on one axis needs no pieces: its values are dead for good.

use std::ops::{ControlFlow, Range};

use super::attacks::{Frontier, Hit, Seen};
use super::matching::Matcher;
use super::movement::{Jump, Mover, PhysicalMove};
use super::outcome::Undecided;
use crate::state::{Board, MAX_TIMELINES, Position, squares_of};
use crate::types::{Action, BoardCoordinate, Color, Move, MoveKind, Piece, Place, Square};

/// What happens to a board, as far as checks are concerned.
#[derive(Clone, Copy, Default)]
struct Change {
    /// Squares from which a piece goes away, captured pieces not counted unless nothing takes their place.
    vacated: u64,
    /// Squares on which a piece of the mover arrives.
    filled: u64,
    /// Squares on which an enemy piece disappears if there was one.
    captured: u64,
    /// The part of `filled` where the arriving piece is royal.
    royal: u64,
}

/// A value of a play axis that concerns its board only. Index 0 of an axis is to leave the board alone.
#[derive(Clone, Copy)]
struct Entry {
    made: PhysicalMove,
    change: Change,
}

/// A value of a creation axis, and of the play axis of its target board if it can arrive there as a hop.
#[derive(Clone, Copy)]
struct PooledJump {
    jump: Jump,
    source: usize,
    /// The axis of the target board when that can be played too.
    target: Option<usize>,
    royal: bool,
}

/// A board that the player may play.
struct Axis<'a> {
    at: BoardCoordinate,
    board: &'a Board,
    /// Into `entries`: the moves within the board.
    moves: Range<usize>,
    /// Into `pool`: the jumps that start here.
    jumps: Range<usize>,
    /// The squares from which those jumps start.
    departures: u64,
    /// Into `arrivals`: the jumps that may hop here.
    arrivals: Range<usize>,
    /// Into the domain: one word of departures, by square; then one bit to pass, one for each move within the board, one
    /// for each arrival.
    words: Range<usize>,
}

impl Axis<'_> {
    /// The bit of the first arrival: the number of values that are no jumps.
    fn first_arrival(&self) -> usize {
        1 + self.moves.len()
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
/// be played ([`Rewind::First`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// No jumps at all.
    Physical,
    /// At least one hop and no branch.
    Hops,
    /// This many branches, at least one.
    Branches(usize, Rewind),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rewind {
    None,
    First(usize),
}

/// What of the space is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scope {
    /// Every legal action.
    All,
    /// Only actions after which the present is later than before.
    Advancing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Pass,
    /// Index into `entries`.
    Stay(usize),
    /// Index into `pool`.
    Depart(usize),
    /// Index into `pool`.
    Arrive(usize),
}

/// A frame of the depth-first search: the slice that was cut, and how many of the pieces around it were entered.
struct Frame {
    /// Into `slice_sets`.
    sets: Range<usize>,
    entered: usize,
    trail: usize,
}

/// A set of values of one axis, part of a slice.
#[derive(Clone, Copy)]
struct SliceSet {
    /// First word of the axis in the domain.
    domain: usize,
    /// First word of the set in `slice_words`.
    words: usize,
    len: usize,
}

/// The search for legal actions of one position.
pub(super) struct Search<'a> {
    position: &'a Position,
    scope: Scope,
    mover: Color,
    axes: Vec<Axis<'a>>,
    entries: Vec<Entry>,
    pool: Vec<PooledJump>,
    arrivals: Vec<u32>,
    /// Ends of the timelines that are the opponent's: they attack, but cannot be changed.
    standing: Vec<(i16, i16, &'a Board)>,

    stage: Option<Stage>,
    /// Number of creation axes in this stage, and where their words begin.
    created: usize,
    creation_words: usize,
    pool_words: usize,
    domain: Vec<u64>,
    dead: Vec<u64>,
    trail: Vec<(u32, u64)>,
    frames: Vec<Frame>,
    slice_sets: Vec<SliceSet>,
    slice_words: Vec<u64>,

    choices: Vec<Choice>,
    branches: Vec<usize>,
    matcher: Matcher,
    required: Vec<bool>,
    frontier: Frontier<'a>,
    boards: Vec<(i16, i16, Board)>,

    /// Points that were looked at.
    steps: u64,
}

/// What looking at the current cuboid gave.
enum Finding {
    /// No point of it pairs off.
    Empty,
    /// The point in `choices` and `branches` is legal.
    Legal,
    /// The slice on top of `slice_sets`, from this index on, is illegal.
    Slice(usize),
}

impl<'a> Search<'a> {
    pub(super) fn new(position: &'a Position, scope: Scope) -> Search<'a> {
        let mover = position.to_move();
        let multiverse = position.multiverse();
        let rules = Mover::of(position);
        let mut axes = Vec::new();
        let mut entries = Vec::new();
        let mut standing = Vec::new();
        for timeline in multiverse.timelines() {
            let Some((half_turn, board)) = multiverse.last(timeline) else { continue };
            if half_turn.color() != mover {
                standing.push((timeline.0, half_turn.0, board));
                continue;
            }
            let at = BoardCoordinate { timeline, half_turn };
            let first = entries.len();
            rules.physical_moves(at, board, |made| {
                entries.push(Entry { made, change: physical_change(board, mover, made) });
            });
            axes.push(Axis {
                at,
                board,
                moves: first..entries.len(),
                jumps: 0..0,
                departures: 0,
                arrivals: 0..0,
                words: 0..0,
            });
        }
        let (low, high) = multiverse.range();
        let mut search = Search {
            position,
            scope,
            mover,
            axes,
            entries,
            pool: Vec::new(),
            arrivals: Vec::new(),
            standing,
            stage: None,
            created: 0,
            creation_words: 0,
            pool_words: 0,
            domain: Vec::new(),
            dead: Vec::new(),
            trail: Vec::new(),
            frames: Vec::new(),
            slice_sets: Vec::new(),
            slice_words: Vec::new(),
            choices: Vec::new(),
            branches: Vec::new(),
            matcher: Matcher::default(),
            required: Vec::new(),
            frontier: Frontier::new(multiverse, mover, low.0, high.0),
            boards: Vec::new(),
            steps: 0,
        };
        search.lay_out();
        search
    }

    /// How many points were looked at so far: the measure of work.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// Goes on to the next legal action, which [`Search::action`] then gives. False when there is none left.
    ///
    /// With a limit on steps the answer `None` means that it was reached; asking again goes on.
    pub(super) fn advance(&mut self, step_limit: u64) -> Option<bool> {
        if self.stage.is_none() {
            if !self.next_stage() {
                return Some(false);
            }
        } else {
            self.cut_out_point();
            if !self.next_cuboid() {
                return Some(false);
            }
        }
        loop {
            if self.steps >= step_limit {
                return None;
            }
            self.steps += 1;
            match self.examine() {
                Finding::Legal => return Some(true),
                Finding::Slice(first) if self.slice_sets.len() == first + 1 => {
                    self.kill(first);
                    continue;
                }
                Finding::Slice(first) => self.cut(first),
                Finding::Empty => {}
            }
            if !self.next_cuboid() {
                return Some(false);
            }
        }
    }

    /// The legal action found last.
    pub(super) fn action(&self) -> Action {
        let mut moves = Vec::with_capacity(self.axes.len());
        for (axis, choice) in self.axes.iter().zip(&self.choices) {
            match *choice {
                Choice::Pass | Choice::Depart(_) => {}
                Choice::Stay(entry) => {
                    let made = self.entries[entry].made;
                    moves.push(Move {
                        kind: MoveKind::Physical,
                        from: Place { board: axis.at, square: made.from },
                        to: Place { board: axis.at, square: made.to },
                        promotion: made.promotion,
                    });
                }
                Choice::Arrive(jump) => moves.push(self.jump_move(jump, MoveKind::Hop)),
            }
        }
        moves.extend(self.branches.iter().map(|&jump| self.jump_move(jump, MoveKind::Branch)));
        Action::new(moves)
    }

    fn jump_move(&self, jump: usize, kind: MoveKind) -> Move {
        let PooledJump { jump, source, .. } = self.pool[jump];
        Move {
            kind,
            from: Place { board: self.axes[source].at, square: jump.from },
            to: Place { board: jump.to_board, square: jump.to },
            promotion: jump.promotion,
        }
    }

    // ---- stages -------------------------------------------------------------------------------------------------

    /// Gives every play axis its words. Called again once the jumps are known; dead values stay dead.
    fn lay_out(&mut self) {
        let mut dead = Vec::new();
        let mut next = 0;
        for axis in &mut self.axes {
            let old = std::mem::take(&mut axis.words);
            let values = axis.first_arrival() + axis.arrivals.len();
            axis.words = next..next + 1 + values.div_ceil(64);
            next = axis.words.end;
            dead.extend_from_slice(&self.dead[old]);
            dead.resize(next, 0);
        }
        self.dead = dead;
        self.creation_words = next;
        self.pool_words = self.pool.len().div_ceil(64);
    }

    /// Finds every jump.
    fn fill_pool(&mut self) {
        let rules = Mover::of(self.position);
        let mut axis_of = vec![None; self.position.multiverse().timelines().count()];
        let lowest = self.position.multiverse().range().0.0;
        for (index, axis) in self.axes.iter().enumerate() {
            axis_of[(axis.at.timeline.0 - lowest) as usize] = Some(index);
        }
        let mut arriving = vec![0; self.axes.len()];
        for source in 0..self.axes.len() {
            let Axis { at, board, .. } = self.axes[source];
            let first = self.pool.len();
            let axes = &self.axes;
            let pool = &mut self.pool;
            rules.jumps(at, board, |jump| {
                let target = axis_of[(jump.to_board.timeline.0 - lowest) as usize]
                    .filter(|&axis: &usize| axes[axis].at == jump.to_board);
                if let Some(axis) = target {
                    arriving[axis] += 1;
                }
                let royal = board.royals() & jump.from.bit() != 0;
                pool.push(PooledJump { jump, source, target, royal });
            });
            let axis = &mut self.axes[source];
            axis.jumps = first..self.pool.len();
            axis.departures = self.pool[first..].iter().fold(0, |set, pooled| set | pooled.jump.from.bit());
        }
        let mut end = 0;
        for (axis, count) in self.axes.iter_mut().zip(arriving) {
            axis.arrivals = end..end;
            end += count;
        }
        self.arrivals.resize(end, 0);
        for (index, pooled) in self.pool.iter().enumerate() {
            if let Some(axis) = pooled.target {
                let arrivals = &mut self.axes[axis].arrivals;
                self.arrivals[arrivals.end] = index as u32;
                arrivals.end += 1;
            }
        }
    }

    /// Sets up the next stage that has points. False when there is none.
    fn next_stage(&mut self) -> bool {
        loop {
            let stage = match self.stage {
                None => Stage::Physical,
                Some(Stage::Physical) => {
                    self.fill_pool();
                    self.lay_out();
                    Stage::Hops
                }
                Some(Stage::Hops) => Stage::Branches(1, Rewind::None),
                Some(Stage::Branches(count, rewind)) => {
                    let n = match rewind {
                        Rewind::None => 0,
                        Rewind::First(n) => n + 1,
                    };
                    if self.scope == Scope::All && self.is_creation_active(count, n) {
                        Stage::Branches(count, Rewind::First(n))
                    } else {
                        Stage::Branches(count + 1, Rewind::None)
                    }
                }
            };
            if let Stage::Branches(count, _) = stage {
                let sources = self.axes.iter().filter(|axis| !axis.jumps.is_empty()).count();
                if count > sources || !self.has_room_for(count) {
                    return false;
                }
            }
            self.stage = Some(stage);
            if self.enter_stage(stage) {
                return true;
            }
        }
    }

    fn has_room_for(&self, branches: usize) -> bool {
        self.position.multiverse().timelines().count() + branches <= MAX_TIMELINES
    }

    /// The timeline that the n-th branch of the action creates.
    fn creation_timeline(&self, n: usize) -> i16 {
        self.position.multiverse().next_timeline(self.mover).0 + self.mover.creation_step() * n as i16
    }

    /// The active range after this many branches.
    fn active_after(&self, branches: usize) -> Range<i32> {
        let (above, below) = match self.mover {
            Color::White => (branches as i16, 0),
            Color::Black => (0, branches as i16),
        };
        let (low, high) = self.position.multiverse().active_with(above, below);
        i32::from(low)..i32::from(high) + 1
    }

    /// Whether the n-th of `branches` new timelines is active.
    fn is_creation_active(&self, branches: usize, n: usize) -> bool {
        n < branches && self.active_after(branches).contains(&i32::from(self.creation_timeline(n)))
    }

    /// Restricts the domain to a stage. False when an axis has no value left.
    fn enter_stage(&mut self, stage: Stage) -> bool {
        let (created, rewind) = match stage {
            Stage::Physical | Stage::Hops => (0, Rewind::None),
            Stage::Branches(count, rewind) => (count, rewind),
        };
        let active = self.active_after(created);
        let active_ends = |end: i16, timeline: i16| active.contains(&i32::from(timeline)).then_some(end);
        let own = self.axes.iter().filter_map(|axis| active_ends(axis.at.half_turn.0, axis.at.timeline.0));
        let earliest_own = own.min().unwrap_or(i16::MAX - 1);
        let theirs = self.standing.iter().filter_map(|&(timeline, end, _)| active_ends(end, timeline));
        let limit = theirs.min().unwrap_or(i16::MAX).min(earliest_own + 1);
        if self.scope == Scope::Advancing && limit < self.position.present().0 {
            return false;
        }

        if created != self.created {
            let timelines = self.position.multiverse().range();
            let last = self.creation_timeline(created - 1);
            let (low, high) = (timelines.0.0.min(last), timelines.1.0.max(last));
            self.frontier = Frontier::new(self.position.multiverse(), self.mover, low, high);
            self.created = created;
        }
        let len = self.creation_words + created * self.pool_words;
        self.dead.resize(len.max(self.dead.len()), 0);
        self.domain.clear();
        self.domain.resize(len, 0);
        self.trail.clear();

        let must_be_played = |axis: &Axis<'_>| {
            rewind == Rewind::None
                && axis.at.half_turn.0 == limit - 1
                && active.contains(&i32::from(axis.at.timeline.0))
        };
        for axis in &self.axes {
            let words = &mut self.domain[axis.words.clone()];
            let arrivals = if stage == Stage::Physical { 0 } else { axis.arrivals.len() };
            let first = must_be_played(axis) as usize;
            fill_bits(&mut words[1..], first..axis.first_arrival() + arrivals);
            if stage != Stage::Physical {
                words[0] = axis.departures;
            }
        }
        for n in 0..created {
            let is_active = self.is_creation_active(created, n);
            let start = self.creation_words + n * self.pool_words;
            for (index, pooled) in self.pool.iter().enumerate() {
                let rewinds = pooled.jump.to_board.half_turn.0 + 1 < limit;
                let fits = !is_active
                    || match rewind {
                        Rewind::None => !rewinds,
                        Rewind::First(first) if n < first => !rewinds,
                        Rewind::First(first) if n == first => rewinds,
                        Rewind::First(_) => true,
                    };
                if fits {
                    self.domain[start + index / 64] |= 1 << (index % 64);
                }
            }
        }
        for (word, dead) in self.domain.iter_mut().zip(&self.dead) {
            *word &= !dead;
        }
        if stage == Stage::Hops {
            // The points without any jump were the stage before.
            let first = self.begin_slice();
            for index in 0..self.axes.len() {
                let axis = &self.axes[index];
                if self.domain[axis.words.start] != 0 || !axis.arrivals.is_empty() {
                    let stay = axis.first_arrival();
                    self.add_set(axis.words.clone(), |set| fill_bits(&mut set[1..], 0..stay));
                }
            }
            self.frames.push(Frame { sets: first..self.slice_sets.len(), entered: 0, trail: 0 });
            return self.next_piece();
        }
        let new_axes = (0..created).map(|n| {
            let start = self.creation_words + n * self.pool_words;
            start..start + self.pool_words
        });
        self.axes
            .iter()
            .map(|axis| axis.words.clone())
            .chain(new_axes)
            .all(|words| self.domain[words].iter().any(|&word| word != 0))
    }

    // ---- pieces and the trail -----------------------------------------------------------------------------------

    /// Goes on to the next cuboid, of this stage or a later one.
    fn next_cuboid(&mut self) -> bool {
        self.next_piece() || self.next_stage()
    }

    /// Goes on to the next piece around the slices that were cut.
    fn next_piece(&mut self) -> bool {
        while let Some(frame) = self.frames.last_mut() {
            let (sets, mut entered, trail) = (frame.sets.clone(), frame.entered, frame.trail);
            self.undo_to(trail);
            while entered < sets.len() {
                // Piece n: inside the sets before the n-th, outside the n-th.
                if entered > 0 && !self.restrict(self.slice_sets[sets.start + entered - 1], true) {
                    break;
                }
                let mark = self.trail.len();
                let set = self.slice_sets[sets.start + entered];
                entered += 1;
                if self.restrict(set, false) {
                    let frame = self.frames.last_mut().expect("the frame is still there");
                    frame.entered = entered;
                    frame.trail = mark;
                    return true;
                }
                self.undo_to(mark);
            }
            self.frames.pop();
            self.drop_slice(sets.start);
        }
        false
    }

    /// Keeps the values of an axis inside (or outside) a set. False when none is left.
    fn restrict(&mut self, set: SliceSet, inside: bool) -> bool {
        let mut any = 0;
        for i in 0..set.len {
            let word = self.domain[set.domain + i];
            let members = self.slice_words[set.words + i];
            let kept = word & if inside { members } else { !members };
            if kept != word {
                self.trail.push(((set.domain + i) as u32, word));
                self.domain[set.domain + i] = kept;
            }
            any |= kept;
        }
        any != 0
    }

    fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let (word, value) = self.trail.pop().expect("the trail is longer than the mark");
            self.domain[word as usize] = value & !self.dead[word as usize];
        }
    }

    fn begin_slice(&self) -> usize {
        self.slice_sets.len()
    }

    /// Adds a set of values of the axis with these words to the slice under construction.
    fn add_set(&mut self, domain: Range<usize>, fill: impl FnOnce(&mut [u64])) {
        let words = self.slice_words.len();
        self.slice_words.resize(words + domain.len(), 0);
        fill(&mut self.slice_words[words..]);
        self.slice_sets.push(SliceSet { domain: domain.start, words, len: domain.len() });
    }

    /// Cuts a slice out of the current cuboid. [`Search::next_cuboid`] then goes on to the pieces around it.
    fn cut(&mut self, first: usize) {
        self.frames.push(Frame { sets: first..self.slice_sets.len(), entered: 0, trail: self.trail.len() });
    }

    /// Removes the only set of a slice for good: its values are illegal whatever the other axes do, in every stage.
    fn kill(&mut self, first: usize) {
        let set = self.slice_sets[first];
        for i in 0..set.len {
            let members = self.slice_words[set.words + i];
            self.dead[set.domain + i] |= members;
            self.domain[set.domain + i] &= !members;
        }
        self.drop_slice(first);
    }

    fn drop_slice(&mut self, first: usize) {
        if let Some(set) = self.slice_sets.get(first) {
            self.slice_words.truncate(set.words);
        }
        self.slice_sets.truncate(first);
    }

    /// Cuts out the legal point that was yielded.
    fn cut_out_point(&mut self) {
        let first = self.begin_slice();
        for index in 0..self.axes.len() {
            let axis = &self.axes[index];
            let bit = match self.choices[index] {
                Choice::Pass => Some(0),
                Choice::Stay(entry) => Some(1 + entry - axis.moves.start),
                Choice::Depart(_) => None,
                Choice::Arrive(jump) => Some(self.arrival_bit(index, jump)),
            };
            let departing = match self.choices[index] {
                Choice::Depart(jump) => self.pool[jump].jump.from.bit(),
                _ => 0,
            };
            self.add_set(axis.words.clone(), |set| {
                set[0] = departing;
                if let Some(bit) = bit {
                    set[1 + bit / 64] |= 1 << (bit % 64);
                }
            });
        }
        for n in 0..self.created {
            let jump = self.branches[n];
            self.add_set(self.creation_domain(n), |set| set[jump / 64] |= 1 << (jump % 64));
        }
        self.cut(first);
    }

    // ---- one point ----------------------------------------------------------------------------------------------

    /// Looks at one point of the current cuboid.
    fn examine(&mut self) -> Finding {
        if !self.pick_point() {
            return Finding::Empty;
        }
        if let Some(slice) = self.misplaced_branch() {
            return Finding::Slice(slice);
        }
        match self.worst_hit() {
            Some(hit) => Finding::Slice(self.slice_of(&hit)),
            None => Finding::Legal,
        }
    }

    /// Picks a point that pairs off: leaves boards alone where that is possible. False when there is none.
    fn pick_point(&mut self) -> bool {
        let vertices = self.axes.len() + self.created;
        self.choices.clear();
        self.branches.clear();
        self.required.clear();
        let mut any_required = self.created > 0;
        for axis in &self.axes {
            let words = &self.domain[axis.words.clone()];
            let stay = first_bit(&words[1..], axis.first_arrival());
            self.choices.push(match stay {
                Some(0) | None => Choice::Pass,
                Some(bit) => Choice::Stay(axis.moves.start + bit - 1),
            });
            self.required.push(stay.is_none());
            any_required |= stay.is_none();
        }
        if !any_required {
            return true;
        }
        self.required.resize(vertices, true);
        self.matcher.reset(vertices);
        for index in 0..self.axes.len() {
            for source in 0..self.axes.len() {
                if source != index && self.arrival_from(index, source).is_some() {
                    self.matcher.connect(source, index);
                }
            }
        }
        for n in 0..self.created {
            for source in 0..self.axes.len() {
                if self.branch_from(n, source).is_some() {
                    self.matcher.connect(source, self.axes.len() + n);
                }
            }
        }
        if !self.matcher.cover(&self.required) {
            return false;
        }
        for index in 0..self.axes.len() {
            let Some(partner) = self.matcher.partner(index) else { continue };
            if let Some(n) = partner.checked_sub(self.axes.len()) {
                let jump = self.branch_from(n, index).expect("the edge was there");
                self.choices[index] = Choice::Depart(jump);
            } else if let Some(jump) = self.arrival_from(index, partner) {
                self.choices[index] = Choice::Arrive(jump);
                self.choices[partner] = Choice::Depart(jump);
            }
        }
        for n in 0..self.created {
            let source = self.matcher.partner(self.axes.len() + n).expect("creation axes are required");
            self.branches.push(self.branch_from(n, source).expect("the edge was there"));
        }
        true
    }

    /// A jump from `source` that may hop to the board of `target` in the current cuboid.
    fn arrival_from(&self, target: usize, source: usize) -> Option<usize> {
        let departures = self.domain[self.axes[source].words.start];
        let axis = &self.axes[target];
        let arrivals = &self.arrivals[axis.arrivals.clone()];
        if departures == 0 || arrivals.is_empty() {
            return None;
        }
        let jumps = &self.axes[source].jumps;
        let from = arrivals.partition_point(|&jump| (jump as usize) < jumps.start);
        let words = &self.domain[axis.words.start + 1..axis.words.end];
        arrivals[from..].iter().take_while(|&&jump| (jump as usize) < jumps.end).enumerate().find_map(
            |(i, &jump)| {
                let bit = axis.first_arrival() + from + i;
                let alive = words[bit / 64] >> (bit % 64) & 1 == 1
                    && departures & self.pool[jump as usize].jump.from.bit() != 0;
                alive.then_some(jump as usize)
            },
        )
    }

    /// A jump from `source` that may create the n-th timeline in the current cuboid.
    fn branch_from(&self, n: usize, source: usize) -> Option<usize> {
        let departures = self.domain[self.axes[source].words.start];
        if departures == 0 {
            return None;
        }
        let words = &self.domain[self.creation_domain(n)];
        self.axes[source].jumps.clone().find(|&jump| {
            words[jump / 64] >> (jump % 64) & 1 == 1 && departures & self.pool[jump].jump.from.bit() != 0
        })
    }

    /// A slice for the first branch of the point that starts from a board which that moment has not been played yet: such
    /// a jump would be a hop.
    fn misplaced_branch(&mut self) -> Option<usize> {
        for n in 0..self.created {
            let Some(target) = self.pool[self.branches[n]].target else { continue };
            let later = match self.choices[target] {
                Choice::Pass => None,
                Choice::Depart(_) => {
                    match (n + 1..self.created).find(|&i| self.pool[self.branches[i]].source == target) {
                        Some(later) => Some(later),
                        None => continue,
                    }
                }
                Choice::Stay(_) | Choice::Arrive(_) => continue,
            };
            let first = self.begin_slice();
            match later {
                None => self.add_set(self.axes[target].words.clone(), |set| set[1] = 1),
                Some(later) => {
                    let jumps = self.axes[target].jumps.clone();
                    self.add_set(self.creation_domain(later), |set| fill_bits(set, jumps));
                }
            }
            let landing = self.creation_domain(n);
            let words = self.slice_words.len();
            self.add_set(landing, |_| ());
            for &jump in &self.arrivals[self.axes[target].arrivals.clone()] {
                self.slice_words[words + jump as usize / 64] |= 1 << (jump % 64);
            }
            return Some(first);
        }
        None
    }

    /// The capture of a royal piece after the point that concerns the fewest axes.
    fn worst_hit(&mut self) -> Option<Hit> {
        self.boards.clear();
        for (axis, choice) in self.axes.iter().zip(&self.choices) {
            let (timeline, half_turn) = (axis.at.timeline.0, axis.at.half_turn.0 + 1);
            let board = match *choice {
                Choice::Pass => {
                    self.frontier.clear(timeline);
                    continue;
                }
                Choice::Stay(entry) => {
                    let made = self.entries[entry].made;
                    axis.board.after_physical(made.from, made.to, made.promotion)
                }
                Choice::Depart(jump) => axis.board.after_departure(self.pool[jump].jump.from),
                Choice::Arrive(jump) => self.arrived_board(jump, axis.board),
            };
            self.boards.push((timeline, half_turn, board));
        }
        for n in 0..self.created {
            let jump = self.branches[n];
            let landing = self.pool[jump].jump.to_board;
            let base = self.position.board(landing).expect("a jump leads to a board");
            self.boards.push((
                self.creation_timeline(n),
                landing.half_turn.0 + 1,
                self.arrived_board(jump, base),
            ));
        }
        for (timeline, half_turn, board) in &self.boards {
            self.frontier.set(*timeline, *half_turn, Seen::of(board, self.mover));
        }
        let mut best: Option<(usize, Hit)> = None;
        let attackers = self
            .boards
            .iter()
            .map(|(timeline, half_turn, board)| (*timeline, *half_turn, board))
            .chain(self.standing.iter().copied());
        for (timeline, half_turn, board) in attackers {
            let flow = self.frontier.scan((timeline, half_turn), board, board.of(!self.mover), |hit| {
                let changed = (0..=hit.count)
                    .filter(|&i| i == 0 || i == hit.count || hit.rider)
                    .filter(|&i| {
                        let (timeline, half_turn, _) = hit.after(i);
                        self.frontier.is_new(timeline, half_turn)
                    })
                    .count();
                // On one board the steps concern one axis, however many there are.
                let cost = if hit.board_step == (0, 0) { changed.min(1) } else { changed };
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, hit));
                }
                if cost <= 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if flow.is_break() {
                break;
            }
        }
        best.map(|(_, hit)| hit)
    }

    fn arrived_board(&self, jump: usize, target: &Board) -> Board {
        let PooledJump { jump, source, .. } = self.pool[jump];
        target.after_arrival(self.axes[source].board, jump.from, jump.to, jump.promotion)
    }

    /// All points in which the same squares allow the same capture.
    fn slice_of(&mut self, hit: &Hit) -> usize {
        let first = self.begin_slice();
        let mut wanted: Vec<(i16, i16, Wanted)> = Vec::new();
        for i in 0..=hit.count {
            if !hit.rider && i != 0 && i != hit.count {
                continue;
            }
            let (timeline, half_turn, square) = hit.after(i);
            if !self.frontier.is_new(timeline, half_turn) {
                continue;
            }
            let known = wanted.iter().position(|w| (w.0, w.1) == (timeline, half_turn));
            let index = known.unwrap_or_else(|| {
                wanted.push((timeline, half_turn, Wanted::default()));
                wanted.len() - 1
            });
            let want = &mut wanted[index].2;
            if i == 0 {
                want.attacker = square.bit();
            } else if i == hit.count {
                want.royal = square.bit();
            } else {
                want.empty |= square.bit();
            }
        }
        for (timeline, half_turn, want) in wanted {
            match self.axes.iter().position(|axis| axis.at.timeline.0 == timeline) {
                Some(index) => self.add_play_set(index, &want),
                None => {
                    let n = (timeline - self.creation_timeline(0)).unsigned_abs() as usize;
                    self.add_creation_set(n, half_turn, &want, hit);
                }
            }
        }
        first
    }

    /// Adds the values of a play axis after which the wanted squares are as wanted.
    fn add_play_set(&mut self, index: usize, want: &Wanted) {
        let axis = &self.axes[index];
        let allows = |change: &Change| want.is_met(axis.board, change, self.mover);
        let words = self.slice_words.len();
        self.slice_words.resize(words + axis.words.len(), 0);
        let set = &mut self.slice_words[words..];
        for square in squares_of(axis.departures) {
            if allows(&Change { vacated: square.bit(), ..Change::default() }) {
                set[0] |= square.bit();
            }
        }
        for (i, entry) in self.entries[axis.moves.clone()].iter().enumerate() {
            if allows(&entry.change) {
                set[1 + (i + 1) / 64] |= 1 << ((i + 1) % 64);
            }
        }
        for (i, &jump) in self.arrivals[axis.arrivals.clone()].iter().enumerate() {
            let bit = axis.first_arrival() + i;
            if allows(&self.pool[jump as usize].change()) {
                set[1 + bit / 64] |= 1 << (bit % 64);
            }
        }
        self.slice_sets.push(SliceSet { domain: axis.words.start, words, len: axis.words.len() });
    }

    /// Adds the values of a creation axis after which the wanted squares are as wanted.
    fn add_creation_set(&mut self, n: usize, half_turn: i16, want: &Wanted, hit: &Hit) {
        let words = self.slice_words.len();
        self.slice_words.resize(words + self.pool_words, 0);
        let attacker = self.attacker_of(n, hit);
        for (index, pooled) in self.pool.iter().enumerate() {
            let landing = pooled.jump.to_board;
            if landing.half_turn.0 + 1 != half_turn {
                continue;
            }
            let Some(base) = self.position.board(landing) else { continue };
            let attacks = want.attacker == 0
                || base.get(Square::from_index(want.attacker.trailing_zeros())) == attacker;
            if attacks && want.is_met(base, &pooled.change(), self.mover) {
                self.slice_words[words + index / 64] |= 1 << (index % 64);
            }
        }
        let domain = self.creation_domain(n);
        self.slice_sets.push(SliceSet { domain: domain.start, words, len: domain.len() });
    }

    /// The attacking piece of a hit, where it stands on the board that the point creates on the n-th new timeline.
    fn attacker_of(&self, n: usize, hit: &Hit) -> Option<Piece> {
        let base = self.position.board(self.pool[self.branches[n]].jump.to_board)?;
        base.get(hit.from)
    }

    fn creation_domain(&self, n: usize) -> Range<usize> {
        let start = self.creation_words + n * self.pool_words;
        start..start + self.pool_words
    }

    fn arrival_bit(&self, axis: usize, jump: usize) -> usize {
        let axis = &self.axes[axis];
        let arrivals = &self.arrivals[axis.arrivals.clone()];
        axis.first_arrival() + arrivals.binary_search(&(jump as u32)).expect("the jump arrives on this axis")
    }
}

/// What a capture needs to find on a board that an action makes.
#[derive(Clone, Copy, Default)]
struct Wanted {
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
        let occupied = board.occupied() & !change.vacated | change.filled;
        let royals = board.royals() & board.of(mover) & !change.vacated | change.royal;
        self.attacker & change.captured == 0 && occupied & self.empty == 0 && self.royal & !royals == 0
    }
}

impl PooledJump {
    /// What it does to the board where it arrives.
    fn change(&self) -> Change {
        let to = self.jump.to.bit();
        Change { vacated: 0, filled: to, captured: to, royal: if self.royal { to } else { 0 } }
    }
}

/// The lowest bit that is set, among the first `count`.
fn first_bit(words: &[u64], count: usize) -> Option<usize> {
    let bit = words
        .iter()
        .take(count.div_ceil(64))
        .enumerate()
        .find_map(|(i, &word)| (word != 0).then(|| 64 * i + word.trailing_zeros() as usize))?;
    (bit < count).then_some(bit)
}

fn fill_bits(words: &mut [u64], bits: Range<usize>) {
    for bit in bits {
        words[bit / 64] |= 1 << (bit % 64);
    }
}

fn physical_change(board: &Board, mover: Color, made: PhysicalMove) -> Change {
    let (from, to) = (made.from, made.to);
    let mut change = Change { vacated: from.bit(), filled: to.bit(), captured: to.bit(), royal: 0 };
    if board.royals() & from.bit() != 0 {
        change.royal = to.bit();
        if board.kings() & from.bit() != 0 && from.file().abs_diff(to.file()) == 2 {
            if let Some((rook, crossed)) = board.castling_rook(from, to) {
                change.vacated |= rook.bit();
                change.filled |= crossed.bit();
            }
        }
    } else if board.pawns() & from.bit() != 0 && from.file() != to.file() && board.of(!mover) & to.bit() == 0
    {
        let victim = Board::en_passant_victim(from, to).bit();
        change.vacated |= victim;
        change.captured |= victim;
    }
    change.vacated &= !change.filled;
    change
}

/// The legal actions of a position, one after another, each once. See [`Position::legal_actions`].
pub struct LegalActions<'a> {
    search: Search<'a>,
    step_limit: u64,
    state: ListState,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ListState {
    Going,
    Complete,
    OutOfSteps,
}

impl LegalActions<'_> {
    /// Stops the list after this many search steps; [`LegalActions::is_complete`] then tells that it was cut.
    #[must_use]
    pub fn within(mut self, steps: u64) -> Self {
        self.step_limit = steps;
        self
    }

    /// Whether every legal action has been listed. Never true of a list that was cut.
    pub fn is_complete(&self) -> bool {
        self.state == ListState::Complete
    }

    /// How many search steps were taken so far.
    pub fn steps(&self) -> u64 {
        self.search.steps()
    }
}

impl Iterator for LegalActions<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if self.state != ListState::Going {
            return None;
        }
        match self.search.advance(self.step_limit) {
            Some(true) => return Some(self.search.action()),
            Some(false) => self.state = ListState::Complete,
            None => self.state = ListState::OutOfSteps,
        }
        None
    }
}

/// How many there are, as far as was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The number found; at most the cap.
    pub count: u64,
    /// Whether there are more than the cap.
    pub capped: bool,
}

impl Position {
    /// The legal actions of the player to move, found one at a time: the first without looking for the others.
    ///
    /// A promotion to each piece that [`RuleProfile::promotions`](crate::types::RuleProfile) allows counts as an action
    /// of its own.
    pub fn legal_actions(&self) -> LegalActions<'_> {
        LegalActions { search: Search::new(self, Scope::All), step_limit: u64::MAX, state: ListState::Going }
    }

    /// The number of legal actions, counted up to `cap`.
    pub fn count_legal_actions(&self, cap: u64) -> Count {
        self.count_legal_actions_within(cap, u64::MAX).expect("a count without a limit is decided")
    }

    /// The number of legal actions, counted up to `cap`, unless that takes more than `steps` search steps.
    ///
    /// # Errors
    ///
    /// When the budget is spent.
    pub fn count_legal_actions_within(&self, cap: u64, steps: u64) -> Result<Count, Undecided> {
        let mut search = Search::new(self, Scope::All);
        let mut count = 0;
        loop {
            match search.advance(steps) {
                None => return Err(Undecided { steps }),
                Some(false) => return Ok(Count { count, capped: false }),
                Some(true) if count == cap => return Ok(Count { count, capped: true }),
                Some(true) => count += 1,
            }
        }
    }
}
