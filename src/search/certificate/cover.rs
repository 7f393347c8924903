//! The actions of a player that parry all of some threats, or of these the ones that may give check. Begin at [`Cover`].
//!
//! Every board that the player may play, and every timeline that the action creates, is an *axis*. A *step* settles one axis or two: a
//! board is left alone; a move stays on its board; a jump leaves a board and either arrives on another board that may be played, or
//! creates a timeline. An action is a set of steps that settles every axis once. A board without a move from it or a hop onto it can only
//! be left alone. It is no axis.
//!
//! All that an action must do is a *demand*: a set of steps, of which it needs one. It has to settle each axis; to play the boards at the
//! present, or to begin a timeline before; to parry each threat. A threat needs something of the new boards on some axes, so a step
//! parries it that settles one of these and makes no such board. The search takes the demand that the fewest steps can meet, tries each of
//! them, and goes on with the rest. Demands may be added while actions are listed.
//!
//! Checks are found in the same way: a capture by the player, once the opponent passes, needs something of each of some axes. When the
//! steps chosen leave none of these captures possible, the action gives no check, and the choice is given up. To find the captures the opponent is
//! taken to pass on every board, which makes none impossible. One that waits for a pass on a board that does not have to be played is no check,
//! so the steps that keep the present earlier end it. No check is lost; some of the actions found may give none.

mod choice;
mod reply;

use std::collections::{BTreeMap, BTreeSet};

use super::Threat;
use super::capture::{Need, Pieces, captures, royals};
use super::looks::{Held, Looks};
use crate::state::{Board, LAST_TURN, MAX_TIMELINES, Position};
use crate::types::{Because, BoardCoordinate, Color, HalfTurn, Move, MoveKind, Timeline, TimelineRange};
use choice::Choice;

/// A set of steps, a bit for each.
type Set = Box<[u64]>;

/// Whether a step is in a set.
fn has(set: &[u64], step: usize) -> bool {
    set[step / 64] >> (step % 64) & 1 != 0
}

/// The steps of a set, the lowest first.
fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    (0..64 * set.len()).filter(|step| has(set, *step))
}

/// Adds a step to a set.
fn insert(set: &mut [u64], step: usize) {
    set[step / 64] |= 1 << (step % 64);
}

/// Takes a step out of a set.
fn remove(set: &mut [u64], step: usize) {
    set[step / 64] &= !(1 << (step % 64));
}

/// Adds the steps of another set.
fn join(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(set, other)| *set |= other);
}

/// Takes out the steps of another set.
fn subtract(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(set, other)| *set &= !other);
}

/// Whether two sets have a step in common.
fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// The needs of a capture: of an axis, with the half-turn of the board and a condition.
type Needs = Vec<(usize, HalfTurn, Need)>;

/// The number of threats of which demands are made at once, before an action leaves one of them.
const EAGER: usize = 64;

/// One way to settle an axis, or two at once.
struct Step {
    /// The axis of the board that is left alone or moved from, and the axis on which a jump arrives; for other steps the same again.
    axes: [usize; 2],
    /// `None` when a board is left alone, or there is no such new timeline.
    made: Option<Move>,
    /// For a branch, which of the new timelines it creates.
    creates: Option<usize>,
}

/// A board that a step makes, or leaves alone.
struct Made {
    step: usize,
    half_turn: HalfTurn,
    /// The index of what stands on it.
    content: usize,
}

/// A set of steps of which each action needs one.
struct Demand {
    steps: Set,
    /// Whether it holds for every number of new timelines.
    lasts: bool,
}

/// The actions of the player to move, one after another, each once.
pub(super) struct Cover<'l> {
    mover: Color,
    /// The boards from which the player can move, or onto which a piece can hop: an axis each, in this order.
    boards: Vec<BoardCoordinate>,
    /// The last boards of all timelines.
    ends: Vec<BoardCoordinate>,
    /// The timeline that the first branch creates. Its axis follows those of the boards.
    first_created: Timeline,
    /// For each number of new timelines, the active ones.
    active: Vec<TimelineRange>,
    /// Those that create no timeline come first, then those of the first new timeline, and so on.
    steps: Vec<Step>,
    /// The boards that steps make or leave alone, by axis.
    made: Vec<Vec<Made>>,
    contents: Vec<Board>,
    /// By axis the steps that settle it.
    on: Vec<Set>,
    /// By axis the step without a move.
    alone: Vec<usize>,
    /// The number of words of a set.
    words: usize,
    demands: Vec<Demand>,
    /// The needs of threats that no action left so far.
    unmet: Vec<Needs>,
    /// For each check that some action may give, the steps after which it is none. `None` if checks are not asked for.
    checks: Option<Vec<Set>>,
    choice: Choice,
    looks: &'l Looks<'l>,
    /// The bytes of all this, and those of what holds for one number of new timelines.
    held: Held<'l>,
    held_here: Held<'l>,
}

impl<'l> Cover<'l> {
    /// All actions that leave none of these threats. Making it takes looks as well.
    pub(super) fn new(
        position: &Position,
        threats: &[Threat],
        looks: &'l Looks<'l>,
    ) -> Result<Self, Because> {
        let mut cover = Self::of(position, looks)?;
        cover.add_threats(position, threats)?;
        Ok(cover)
    }

    /// The same for actions that may give check, among them all that do.
    pub(super) fn of_checks(
        position: &Position,
        threats: &[Threat],
        looks: &'l Looks<'l>,
    ) -> Result<Self, Because> {
        let mut cover = Self::of(position, looks)?;
        cover.find_checks(position)?;
        cover.add_threats(position, threats)?;
        Ok(cover)
    }

    /// All actions.
    fn of(position: &Position, looks: &'l Looks<'l>) -> Result<Self, Because> {
        let (mover, multiverse) = (position.to_move(), position.multiverse());
        let ends: Vec<BoardCoordinate> = multiverse.ends().map(|(at, _)| at).collect();
        looks.charge(ends.len())?;
        let mut held = looks.hold();
        let mut moves: Vec<Move> = Vec::new();
        for &at in ends.iter().filter(|at| at.color() == mover) {
            let before = moves.len();
            position.pseudo_legal_moves_from(at, &mut moves);
            held.take(size_of_val(&moves[before..]))?;
        }
        let jumps = |moves: &&[Move]| moves.iter().any(|m| m.kind != MoveKind::Physical);
        let most_created = moves.chunk_by(|a, b| a.from.board == b.from.board).filter(jumps).count();
        let hops = moves.iter().filter(|m| m.kind == MoveKind::Hop).map(|m| m.to.board);
        let boards: BTreeSet<BoardCoordinate> = moves.iter().map(|m| m.from.board).chain(hops).collect();
        // An action that cannot be looked at might be the defence that no row is about.
        let room = MAX_TIMELINES.saturating_sub(ends.len());
        if most_created > room || boards.iter().any(|at| at.half_turn.turn() >= LAST_TURN) {
            return Err(Because::Size);
        }
        let active_with = |created: usize| match mover {
            Color::White => multiverse.active_with(created as i16, 0),
            Color::Black => multiverse.active_with(0, created as i16),
        };
        let axes = boards.len() + most_created;
        let mut cover = Cover {
            mover,
            boards: boards.into_iter().collect(),
            ends,
            first_created: multiverse.next_timeline(mover),
            active: (0..=most_created).map(active_with).collect(),
            steps: Vec::new(),
            made: (0..axes).map(|_| Vec::new()).collect(),
            contents: Vec::new(),
            on: Vec::new(),
            alone: Vec::new(),
            words: 0,
            demands: Vec::new(),
            unmet: Vec::new(),
            checks: None,
            choice: Choice::default(),
            looks,
            held,
            held_here: looks.hold(),
        };
        cover.add_steps(position, &moves)?;
        Ok(cover)
    }

    /// The most timelines that an action can create.
    fn most_created(&self) -> usize {
        self.active.len() - 1
    }

    /// The axis of a new timeline, by the number of those before it.
    fn axis_of_created(&self, number: usize) -> usize {
        self.boards.len() + number
    }

    /// The timeline of a branch, by the number of those before it.
    fn created(&self, number: usize) -> Timeline {
        Timeline(self.first_created.0 + number as i16 * self.mover.branch_direction())
    }

    /// The timeline of an axis.
    fn timeline(&self, axis: usize) -> Timeline {
        self.boards.get(axis).map_or_else(|| self.created(axis - self.boards.len()), |at| at.timeline)
    }

    /// The axis of a timeline on which the action may make a board.
    fn axis_of(&self, timeline: Timeline) -> Option<usize> {
        if let Ok(board) = self.boards.binary_search_by_key(&timeline, |at| at.timeline) {
            return Some(board);
        }
        let beyond = i32::from(timeline.0) - i32::from(self.first_created.0);
        let number = usize::try_from(beyond * i32::from(self.mover.branch_direction())).ok()?;
        (number < self.most_created()).then_some(self.axis_of_created(number))
    }

    /// Adds all steps, and sorts them out by axis.
    fn add_steps(&mut self, position: &Position, moves: &[Move]) -> Result<(), Because> {
        for axis in 0..self.boards.len() {
            let at = self.boards[axis];
            let board = *position.board(at).expect("a board that may be played");
            let made = (at.half_turn, self.add_content(board)?);
            self.add_step([axis; 2], None, None, &[made])?;
        }
        // By jump the axis that it leaves, and the boards that it makes.
        let mut jumps = Vec::new();
        for m in moves {
            let source = self.boards.binary_search(&m.from.board).expect("every board of a move is an axis");
            let board = position.board(m.from.board).expect("a board that may be played");
            let (from, to, next) = (m.from.square, m.to.square, m.from.board.half_turn.next());
            if m.kind == MoveKind::Physical {
                let made = (next, self.add_content(board.after_physical(from, to, m.promotion))?);
                self.add_step([source; 2], Some(*m), None, &[made])?;
                continue;
            }
            let visited = position.board(m.to.board).expect("a jump leads to a board");
            let left = (next, self.add_content(board.after_departure(from))?);
            let arrived = self.add_content(visited.after_arrival(board, from, to, m.promotion))?;
            let made = [left, (m.to.board.half_turn.next(), arrived)];
            if m.kind == MoveKind::Hop {
                let target = self.boards.binary_search(&m.to.board).expect("every board of a hop is an axis");
                self.add_step([source, target], Some(*m), None, &made)?;
            }
            jumps.push((source, Move { kind: MoveKind::Branch, ..*m }, made));
        }
        for number in 0..self.most_created() {
            let axis = self.axis_of_created(number);
            self.add_step([axis; 2], None, None, &[])?;
            for (source, m, made) in &jumps {
                self.add_step([*source, axis], Some(*m), Some(number), made)?;
            }
        }
        self.words = self.steps.len().div_ceil(64);
        self.held.take(self.made.len() * self.bytes_of_set())?;
        let mut on = vec![self.set([]); self.made.len()];
        for (index, step) in self.steps.iter().enumerate() {
            step.axes.iter().for_each(|&axis| insert(&mut on[axis], index));
        }
        self.on = on;
        Ok(())
    }

    fn add_content(&mut self, board: Board) -> Result<usize, Because> {
        self.held.take(size_of::<Board>())?;
        self.contents.push(board);
        Ok(self.contents.len() - 1)
    }

    /// Adds a step with the boards that it makes on its axes.
    fn add_step(
        &mut self,
        axes: [usize; 2],
        made: Option<Move>,
        creates: Option<usize>,
        boards: &[(HalfTurn, usize)],
    ) -> Result<(), Because> {
        self.looks.charge(3)?;
        self.held.take(size_of::<Step>() + size_of_val(boards) + boards.len() * size_of::<Made>())?;
        let step = self.steps.len();
        if made.is_none() {
            self.alone.push(step);
        }
        for (axis, &(half_turn, content)) in axes.into_iter().zip(boards) {
            self.made[axis].push(Made { step, half_turn, content });
        }
        self.steps.push(Step { axes, made, creates });
        Ok(())
    }

    /// The bytes of a set of steps.
    fn bytes_of_set(&self) -> usize {
        size_of::<Set>() + 8 * self.words
    }

    /// The set of these steps.
    fn set(&self, steps: impl IntoIterator<Item = usize>) -> Set {
        let mut set: Set = vec![0; self.words].into();
        steps.into_iter().for_each(|step| insert(&mut set, step));
        set
    }

    /// Demands that this threat is parried, if it can stand at all. The position is the one before the actions.
    pub(super) fn add_threat(&mut self, position: &Position, threat: Threat) -> Result<(), Because> {
        let Some(needs) = self.needs_of(position, &threat, !self.mover, 0) else {
            return self.looks.charge(1);
        };
        match self.steps_against(&needs)? {
            Some(steps) => self.add_demand(steps, true),
            None => Ok(()),
        }
    }

    /// Demands that the first threats are parried, and remembers the others until an action leaves one of them.
    fn add_threats(&mut self, position: &Position, threats: &[Threat]) -> Result<(), Because> {
        let (first, others) = threats.split_at(threats.len().min(EAGER));
        first.iter().try_for_each(|threat| self.add_threat(position, *threat))?;
        for threat in others {
            self.looks.charge(1)?;
            let Some(needs) = self.needs_of(position, threat, !self.mover, 0) else { continue };
            self.held.take(size_of::<Needs>() + size_of_val(&*needs))?;
            self.unmet.push(needs);
        }
        Ok(())
    }

    /// Demands that a remembered threat is parried which the chosen steps leave, and says whether there is one.
    fn add_unmet(&mut self) -> Result<bool, Because> {
        self.looks.charge(self.unmet.len() / 8)?;
        let shows = |(axis, half_turn, need): &(usize, HalfTurn, Need)| {
            let made = self.chosen_board(*axis);
            made.is_some_and(|made| made.half_turn == *half_turn && need.is_met(&self.contents[made.content]))
        };
        let Some(index) = self.unmet.iter().position(|needs| needs.iter().all(shows)) else {
            return Ok(false);
        };
        let needs = self.unmet.swap_remove(index);
        let steps = self.steps_against(&needs)?.expect("the chosen steps meet all needs");
        self.add_demand(steps, true)?;
        Ok(true)
    }

    /// The board that the chosen steps make or leave alone on an axis.
    fn chosen_board(&self, axis: usize) -> Option<&Made> {
        self.made[axis].iter().find(|made| has(&self.choice.chosen, made.step))
    }

    /// The steps after which one of these needs is not met; `None` if one of them never is.
    fn steps_against(&self, needs: &[(usize, HalfTurn, Need)]) -> Result<Option<Set>, Because> {
        let mut against = self.set([]);
        for (axis, half_turn, need) in needs {
            self.looks.charge(2 + (self.made[*axis].len() + against.len()) / 4)?;
            let meets = |at, board: &Board| at == *half_turn && need.is_met(board);
            if !self.add_others(*axis, meets, &mut against) {
                return Ok(None);
            }
        }
        Ok(Some(against))
    }

    /// Adds to a set the steps of an axis that show no such board there, and says whether there are others.
    fn add_others(&self, axis: usize, is_such: impl Fn(HalfTurn, &Board) -> bool, set: &mut Set) -> bool {
        let mut any = false;
        if axis >= self.boards.len() {
            insert(set, self.alone[axis]);
        }
        for made in &self.made[axis] {
            if is_such(made.half_turn, &self.contents[made.content]) {
                any = true;
            } else {
                insert(set, made.step);
            }
        }
        any
    }

    /// The needs of a capture, each with its axis; `None` when a board that stays as it is lacks one. The boards that steps make stand so many
    /// half-turns later than they are made.
    fn needs_of(&self, position: &Position, capture: &Threat, attacker: Color, later: i16) -> Option<Needs> {
        let mut open = Vec::new();
        for (at, need) in capture.needs(attacker, position.profile().time_travel)? {
            let is_capturer = matches!(need, Need::Capturer(..));
            if let Ok(axis) = self.boards.binary_search(&at)
                && is_capturer
            {
                // A piece captures from there only if the board is left alone.
                open.push((axis, at.half_turn, need));
                continue;
            }
            let Some(board) = position.board(at) else {
                open.push((self.axis_of(at.timeline)?, HalfTurn(at.half_turn.0 - later), need));
                continue;
            };
            let is_last =
                || position.multiverse().span(at.timeline).is_some_and(|(_, end)| end == at.half_turn);
            if !need.is_met(board) || is_capturer && !is_last() {
                return None;
            }
        }
        Some(open)
    }

    /// Finds every check that some action may give.
    fn find_checks(&mut self, position: &Position) -> Result<(), Because> {
        let (mover, defender) = (self.mover, !self.mover);
        let mut passed = position.clone();
        let standing = self.ends.iter().filter(|at| at.color() == defender);
        standing.for_each(|at| passed.push_pass(at.timeline));
        let multiverse = passed.multiverse();
        let mut targets: BTreeMap<BoardCoordinate, u64> = royals(multiverse, defender).into_iter().collect();
        let ends = multiverse.ends().filter(|(at, _)| at.color() == mover);
        let mut pieces: BTreeMap<BoardCoordinate, Pieces> =
            ends.map(|(at, board)| (at, Pieces::of(board, mover))).collect();
        for (axis, made) in self.made.iter().enumerate() {
            self.looks.charge(made.len() / 4)?;
            for made in made.iter().filter(|made| made.half_turn.color() == defender) {
                let board = &self.contents[made.content];
                let at = BoardCoordinate { timeline: self.timeline(axis), half_turn: made.half_turn }.next();
                pieces.entry(at).or_default().add(board, mover);
                *targets.entry(at).or_default() |= board.royals() & board.by_color(defender);
            }
        }
        let mut checks = Vec::new();
        let mut held = self.looks.hold();
        for capture in captures(&pieces, &targets, mover, self.looks, &mut held)? {
            self.looks.charge(2)?;
            let Some(needs) = self.needs_of(&passed, &capture, mover, 1) else { continue };
            let Some(mut steps) = self.steps_against(&needs)? else { continue };
            if position.profile().check_passes_every_board || self.add_early(&capture, &mut steps)? {
                self.held.take(self.bytes_of_set())?;
                checks.push(steps);
            }
        }
        self.checks = Some(checks);
        Ok(())
    }

    /// Adds to a set the steps that end a check because the opponent does not have to pass on its boards. Says whether the
    /// capture may be a check at all.
    ///
    /// The opponent passes on boards of active timelines at the present alone, so all boards that the capture waits for come from one moment, and
    /// no active timeline ends before it.
    fn add_early(&self, capture: &Threat, set: &mut Set) -> Result<bool, Because> {
        let Some(needs) = capture.needs(self.mover, true) else { return Ok(true) };
        let is_made_by_pass = |at: &BoardCoordinate| {
            let end = self.ends.binary_search_by_key(&at.timeline, |end| end.timeline);
            end.ok().is_none_or(|end| self.ends[end].half_turn < at.half_turn)
        };
        let mut passed: BTreeSet<(i16, Timeline)> = BTreeSet::new();
        for (at, _) in needs {
            self.looks.charge(1)?;
            if is_made_by_pass(&at) {
                passed.insert((at.half_turn.0 - 1, at.timeline));
            }
        }
        let Some(&(due, _)) = passed.last() else { return Ok(true) };
        self.looks.charge(1 + (self.ends.len() + self.steps.len()) / 8)?;
        // A timeline that is active stays so whatever the player creates. More are active the more he creates.
        let (surely_active, perhaps_active) = (self.active[0], self.active[self.most_created()]);
        let is_due =
            |&(half_turn, timeline): &(i16, Timeline)| half_turn == due && perhaps_active.contains(timeline);
        let stands_early = |at: &BoardCoordinate| {
            at.color() != self.mover && at.half_turn.0 < due && surely_active.contains(at.timeline)
        };
        if !passed.iter().all(is_due) || self.ends.iter().any(stands_early) {
            return Ok(false);
        }
        for (axis, made) in self.made.iter().enumerate() {
            let created = (axis + 1).saturating_sub(self.boards.len());
            if self.active[created].contains(self.timeline(axis)) {
                let early = |made: &&Made| made.half_turn.color() != self.mover && made.half_turn.0 < due;
                made.iter().filter(early).for_each(|made| insert(set, made.step));
            }
        }
        Ok(true)
    }

    /// Demands what makes steps an action that creates so many timelines.
    fn demand_all(&mut self, count: usize) -> Result<(), Because> {
        self.demands.retain(|demand| demand.lasts);
        self.held_here = self.looks.hold();
        self.held_here.take(2 * (1 + self.made.len()) * self.bytes_of_set())?;
        self.looks.charge(self.made.len() * (1 + self.words / 8))?;
        for axis in 0..self.axis_of_created(count) {
            self.add_demand(self.on[axis].clone(), false)?;
        }
        self.demand_present(count)
    }

    /// The present has to pass on. Each board at the moment at which it is the player's is played, or an active timeline begins
    /// earlier.
    fn demand_present(&mut self, count: usize) -> Result<(), Because> {
        let active = self.active[count];
        let ends = || self.ends.iter().filter(|at| active.contains(at.timeline));
        let earliest =
            |own: bool| ends().filter(|at| (at.color() == self.mover) == own).map(|at| at.half_turn).min();
        let Some(first) = earliest(true) else { return Ok(()) };
        // The present may be the opponent's whatever the player does.
        if earliest(false).is_some_and(|standing| standing < first) {
            return Ok(());
        }
        let mut back = self.set([]);
        for number in (0..count).filter(|&number| active.contains(self.created(number))) {
            let early = self.made[self.axis_of_created(number)].iter().filter(|made| made.half_turn < first);
            early.for_each(|made| insert(&mut back, made.step));
        }
        let due: Vec<BoardCoordinate> = ends().filter(|at| at.half_turn == first).copied().collect();
        for at in due {
            let mut steps = back.clone();
            if let Ok(axis) = self.boards.binary_search(&at) {
                join(&mut steps, &self.on[axis]);
                remove(&mut steps, self.alone[axis]);
            }
            self.add_demand(steps, false)?;
        }
        Ok(())
    }

    /// A branch to a board that may be played comes after the move there, as it would be a hop before. Demands that one of the
    /// chosen branches goes elsewhere, or that there is a move, and says whether there is such a branch.
    fn add_order(&mut self) -> Result<bool, Because> {
        let moved = |other: usize, number: Option<usize>| {
            let step = self
                .choice
                .path
                .iter()
                .map(|&step| &self.steps[step])
                .find(|step| step.axes.contains(&other));
            step.is_some_and(|step| step.made.is_some() && step.creates < number)
        };
        let target = |step: &Step| self.boards.binary_search(&step.made?.to.board).ok();
        let early = self.choice.path.iter().map(|&step| &self.steps[step]).find_map(|step| {
            let other = target(step).filter(|_| step.creates.is_some())?;
            (!moved(other, step.creates)).then_some((step.axes[1], other))
        });
        let Some((axis, other)) = early else { return Ok(false) };
        self.looks.charge(1 + self.steps.len() / 8)?;
        let (first, alone) = (self.alone[axis], self.alone[other]);
        let elsewhere = members(&self.on[axis]).filter(|&step| target(&self.steps[step]) != Some(other));
        let before = members(&self.on[other]).filter(|&step| step < first && step != alone);
        let steps = self.set(elsewhere.chain(before));
        self.add_demand(steps, true)?;
        Ok(true)
    }

    /// Adds a demand, for every number of new timelines or for this one.
    fn add_demand(&mut self, steps: Set, lasts: bool) -> Result<(), Because> {
        let held = if lasts { &mut self.held } else { &mut self.held_here };
        held.take(size_of::<Demand>() + size_of_val(&*steps))?;
        self.demands.push(Demand { steps, lasts });
        Ok(())
    }
}
