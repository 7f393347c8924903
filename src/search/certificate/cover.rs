//! The actions of a player that parry all of some threats.
//!
//! Every board that the player may play, and every timeline that the action creates, is an *axis*. A *step* settles one
//! axis or two: a board is left alone; a move stays on its board; a jump leaves a board and either arrives on another
//! board that may be played, or creates a timeline. An action is a set of steps that settles every axis once.
//!
//! A threat has a condition on each of some axes, so every step leaves a certain set of threats open. The steps are
//! chosen one by one, for the axis with the fewest possibilities first. A threat that is open on all axes on which it
//! has a condition stands whatever happens on the others; then the choice is given up.

use std::cell::Cell;

use super::Threat;
use super::capture::Need;
use crate::state::{Board, LAST_TURN, MAX_TIMELINES, Position};
use crate::types::{
    Action, Because, BoardCoordinate, Color, HalfTurn, Limit, Move, MoveKind, Timeline, TimelineRange,
};

/// A set of axes: the boards from bit 0, the new timelines from bit [`CREATED`].
type Axes = u128;

/// The bit of the first new timeline, and the most boards that may be played.
const CREATED: usize = 64;

/// A set of threats, by index.
type Threats = Vec<u64>;

/// How many *looks* (at single choices) the building and checking of certificates may still take. A look is their
/// unit of work.
#[derive(Debug)]
pub struct Looks<'s> {
    left: Cell<u64>,
    limit: Limit<'s>,
}

impl<'s> Looks<'s> {
    /// This many looks in all.
    pub fn within(limit: impl Into<Limit<'s>>) -> Looks<'s> {
        let limit = limit.into();
        Looks { left: Cell::new(limit.most_steps()), limit }
    }

    /// How many looks were taken.
    pub fn spent(&self) -> u64 {
        self.limit.most_steps() - self.left.get()
    }

    /// Pays for this many looks.
    pub(super) fn spend(&self, looks: usize) -> Result<(), Because> {
        if self.limit.is_stopped() {
            return Err(Because::Stopped);
        }
        match self.left.get().checked_sub(looks as u64) {
            Some(left) => self.left.set(left),
            None => {
                self.left.set(0);
                return Err(Because::Budget);
            }
        }
        Ok(())
    }
}

/// One way to settle an axis, or two at once.
#[derive(Clone)]
struct Step {
    settles: Axes,
    /// The board that is left alone or moved from.
    source: usize,
    /// `None` when the board is left alone.
    made: Option<Move>,
    /// For a branch, which of the new timelines it creates.
    creates: Option<usize>,
    /// For a branch from a board that may be played, that board.
    target: Option<usize>,
    /// The threats that are open on the axes settled, among them all that need nothing of these.
    open: Threats,
}

impl Step {
    /// Whether this branch would be a hop, because the board that it visits was not played before.
    fn is_misplaced_beside(&self, other: &Step) -> bool {
        self.target == Some(other.source)
            && (other.made.is_none() || other.creates.is_some() && other.creates > self.creates)
    }

    /// When the board stands that a branch makes.
    fn arrival(&self) -> Option<HalfTurn> {
        self.made.map(|m| m.to.board.half_turn.next())
    }
}

/// What a threat needs of one axis.
struct AxisNeed {
    threat: usize,
    /// Where on its timeline the board must stand.
    half_turn: HalfTurn,
    need: Need,
}

/// The actions of the player to move, as sets of steps; some that leave a threat open are not among them.
pub(super) struct Cover {
    mover: Color,
    /// The boards that may be played.
    boards: Vec<BoardCoordinate>,
    /// The ends of the timelines that are the opponent's.
    standing: Vec<BoardCoordinate>,
    /// The timeline that the first branch creates.
    first_created: Timeline,
    /// For each number of new timelines, the active ones.
    active: Vec<TimelineRange>,
    /// For each threat, the axes of which it needs anything.
    needed: Vec<Axes>,
    /// The threats that have what they need of the boards that stay as they are.
    open: Threats,
    steps: Vec<Step>,
}

impl Cover {
    /// Making it takes looks as well.
    pub(super) fn new(position: &Position, threats: &[Threat], looks: &Looks<'_>) -> Result<Cover, Because> {
        let (mover, multiverse) = (position.to_move(), position.multiverse());
        let ends = multiverse.ends().map(|(at, _)| at);
        let (boards, standing): (Vec<_>, Vec<_>) = ends.partition(|at| at.color() == mover);
        if boards.len() > CREATED {
            return Err(Because::Size);
        }
        let moves = boards.iter().map(|&at| {
            let mut moves = Vec::new();
            position.pseudo_legal_moves_from(at, &mut moves);
            moves
        });
        let moves: Vec<Vec<Move>> = moves.collect();
        let jumps = |moves: &&Vec<Move>| moves.iter().any(|m| m.kind != MoveKind::Physical);
        let most_created = moves.iter().filter(jumps).count();
        // An action that cannot be looked at might be the defence that no row is about.
        let room = MAX_TIMELINES.saturating_sub(multiverse.timelines().count());
        if most_created > room || boards.iter().any(|at| at.half_turn.turn() >= LAST_TURN) {
            return Err(Because::Size);
        }
        let active_with = |created: usize| match mover {
            Color::White => multiverse.active_with(created as i16, 0),
            Color::Black => multiverse.active_with(0, created as i16),
        };
        looks.spend(multiverse.timelines().count() + threats.len())?;
        let mut cover = Cover {
            mover,
            boards,
            standing,
            first_created: multiverse.next_timeline(mover),
            active: (0..=most_created).map(active_with).collect(),
            needed: Vec::with_capacity(threats.len()),
            open: vec![0; threats.len().div_ceil(64)],
            steps: Vec::new(),
        };
        let needs = cover.add_threats(position, threats);
        cover.add_steps(position, &moves, &needs, looks)?;
        Ok(cover)
    }

    /// How many looks a step is worth: more where there are very many threats.
    fn looks(&self) -> usize {
        1 + self.open.len() / 8
    }

    /// The most timelines that an action can create.
    fn most_created(&self) -> usize {
        self.active.len() - 1
    }

    /// Fills `needed` and `open`, and sorts out by axis what the threats need.
    fn add_threats(&mut self, position: &Position, threats: &[Threat]) -> Vec<Vec<AxisNeed>> {
        let mut needs: Vec<Vec<AxisNeed>> = (0..CREATED + self.most_created()).map(|_| Vec::new()).collect();
        for (threat, named) in threats.iter().enumerate() {
            let mut axes = 0;
            let can_be_met = |(at, need): (BoardCoordinate, Need)| {
                if let Some(board) = position.board(at) {
                    let acts = !matches!(need, Need::Capturer(..)) || self.standing.contains(&at);
                    return acts && need.is_met(board);
                }
                let Some(axis) = self.axis_of(at.timeline) else { return false };
                axes |= 1 << axis;
                needs[axis].push(AxisNeed { threat, half_turn: at.half_turn, need });
                true
            };
            let all = named.needs(!self.mover, position.profile().time_travel);
            if all.is_some_and(|mut all| all.all(can_be_met)) {
                self.open[threat / 64] |= 1 << (threat % 64);
            }
            self.needed.push(axes);
        }
        needs
    }

    /// The axis of a timeline on which the action may make a board.
    fn axis_of(&self, timeline: Timeline) -> Option<usize> {
        if let Some(board) = self.boards.iter().position(|at| at.timeline == timeline) {
            return Some(board);
        }
        let beyond = i32::from(timeline.0) - i32::from(self.first_created.0);
        let number = usize::try_from(beyond * i32::from(self.mover.branch_direction())).ok()?;
        (number < self.most_created()).then_some(CREATED + number)
    }

    /// Adds the steps that may be part of an action without a threat.
    fn add_steps(
        &mut self,
        position: &Position,
        moves: &[Vec<Move>],
        needs: &[Vec<AxisNeed>],
        looks: &Looks<'_>,
    ) -> Result<(), Because> {
        // What stays open of `open` when an axis gets this board at this time, or none.
        let left_open = |open: &Threats, axis: usize, made: Option<(HalfTurn, &Board)>| {
            let mut open = open.clone();
            for AxisNeed { threat, half_turn, need } in &needs[axis] {
                if !made.is_some_and(|(at, board)| at == *half_turn && need.is_met(board)) {
                    open[threat / 64] &= !(1 << (threat % 64));
                }
            }
            open
        };
        let each = self.looks();
        let mut steps = Vec::new();
        let mut add = |step: Step| {
            if !self.stands(&self.open, &step.open, !step.settles) {
                steps.push(step);
            }
            looks.spend(each)
        };
        for (source, (at, moves)) in self.boards.iter().zip(moves).enumerate() {
            let board = position.board(*at).expect("a board that may be played");
            let next = at.half_turn.next();
            let open = left_open(&self.open, source, None);
            let alone = Step { settles: 1 << source, source, made: None, creates: None, target: None, open };
            add(alone.clone())?;
            for m in moves {
                let (from, to) = (m.from.square, m.to.square);
                if m.kind == MoveKind::Physical {
                    let made = board.after_physical(from, to, m.promotion);
                    let open = left_open(&self.open, source, Some((next, &made)));
                    add(Step { made: Some(*m), open, ..alone.clone() })?;
                    continue;
                }
                let open = left_open(&self.open, source, Some((next, &board.after_departure(from))));
                let visited = position.board(m.to.board).expect("a jump leads to a board");
                let arrived = visited.after_arrival(board, from, to, m.promotion);
                let arrived = Some((m.to.board.half_turn.next(), &arrived));
                let target = self.boards.iter().position(|at| *at == m.to.board);
                if let Some(target) = target {
                    let settles = alone.settles | 1 << target;
                    let open = left_open(&open, target, arrived);
                    add(Step { settles, made: Some(*m), open, ..alone.clone() })?;
                }
                for created in 0..self.most_created() {
                    let settles = alone.settles | 1 << (CREATED + created);
                    let made = Some(Move { kind: MoveKind::Branch, ..*m });
                    let open = left_open(&open, CREATED + created, arrived);
                    add(Step { settles, source, made, creates: Some(created), target, open })?;
                }
            }
        }
        self.steps = steps;
        Ok(())
    }

    /// Whether a threat of both sets needs nothing of the axes that are left.
    fn stands(&self, open: &Threats, also: &Threats, left: Axes) -> bool {
        open.iter().zip(also).enumerate().any(|(word, (open, also))| {
            let mut both = open & also;
            while both != 0 {
                if self.needed[64 * word + both.trailing_zeros() as usize] & left == 0 {
                    return true;
                }
                both &= both - 1;
            }
            false
        })
    }

    /// Finds every action that passes the present on and leaves none of the threats open, each once, until `found`
    /// fails. Looking at a step is a look.
    pub(super) fn parries<E: From<Because>>(
        &self,
        looks: &Looks<'_>,
        mut found: impl FnMut(Action) -> Result<(), E>,
    ) -> Result<(), E> {
        for created in 0..=self.most_created() {
            let axes = ((1 << self.boards.len()) - 1) | (((1 << created) - 1) << CREATED);
            let mut open = self.open.clone();
            for (threat, needed) in self.needed.iter().enumerate() {
                if needed & !axes != 0 {
                    open[threat / 64] &= !(1 << (threat % 64));
                }
            }
            if self.stands(&open, &open, axes) {
                continue;
            }
            for past in std::iter::once(None).chain((0..created).map(Some)) {
                looks.spend(1 + self.steps.len() / 8)?;
                let Some(steps) = self.steps_for(created, past) else { continue };
                let found = &mut found;
                Search { cover: self, steps, chosen: Vec::new(), looks, found, count: 0 }
                    .settle(axes, &open)?;
            }
        }
        Ok(())
    }

    /// For each axis the steps by which the present passes on, if this many timelines are created and `past` is the first of them
    /// that moves the present to before the player's earliest board; without it, that board and all beside it are played.
    /// `None` when there is no such case.
    fn steps_for(&self, created: usize, past: Option<usize>) -> Option<Vec<Vec<&Step>>> {
        let active = self.active[created];
        let is_active = |timeline: Timeline| active.contains(timeline);
        let earliest = |boards: &[BoardCoordinate]| {
            boards.iter().filter(|at| is_active(at.timeline)).map(|at| at.half_turn).min()
        };
        let own = earliest(&self.boards);
        // The present may be the opponent's whatever the player does.
        let own = own.filter(|own| earliest(&self.standing).is_none_or(|standing| own < &standing));
        let is_new_active =
            |n: usize| is_active(Timeline(self.first_created.0 + n as i16 * self.mover.branch_direction()));
        if past.is_some_and(|n| own.is_none() || !is_new_active(n)) {
            return None;
        }
        let passes = |step: &&Step| match step.creates {
            _ if own.is_none() => true,
            None => {
                let board = self.boards[step.source];
                past.is_some()
                    || step.made.is_some()
                    || Some(board.half_turn) != own
                    || !is_active(board.timeline)
            }
            Some(n) => {
                let may_rewind = past.is_some_and(|past| n >= past) || !is_new_active(n);
                let rewinds = step.arrival() < own;
                if past == Some(n) { rewinds } else { may_rewind || !rewinds }
            }
        };
        let mut by_axis = vec![Vec::new(); CREATED + created];
        let is_there = |step: &&Step| step.creates.is_none_or(|n| n < created);
        for step in self.steps.iter().filter(is_there).filter(passes) {
            for axis in axes_of(step.settles) {
                by_axis[axis].push(step);
            }
        }
        Some(by_axis)
    }
}

/// The members of a set of axes.
fn axes_of(mut axes: Axes) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let axis = axes.trailing_zeros() as usize;
        (axes != 0).then(|| {
            axes &= axes - 1;
            axis
        })
    })
}

/// The choice of steps, one after another.
struct Search<'a, F> {
    cover: &'a Cover,
    /// By axis.
    steps: Vec<Vec<&'a Step>>,
    chosen: Vec<&'a Step>,
    looks: &'a Looks<'a>,
    found: &'a mut F,
    /// How many actions were found.
    count: u64,
}

impl<F> Search<'_, F> {
    /// Settles the axes that are left in every way that leaves none of the open threats.
    fn settle<E: From<Because>>(&mut self, left: Axes, open: &Threats) -> Result<(), E>
    where
        F: FnMut(Action) -> Result<(), E>,
    {
        let Some(axis) = self.narrowest(left, open)? else {
            self.count += 1;
            let action = self.action();
            return (self.found)(action);
        };
        // Steps that led to nothing: what is alike and leaves no fewer threats open leads to nothing either.
        let mut fruitless: Vec<(&Step, Threats)> = Vec::new();
        for index in 0..self.steps[axis].len() {
            let step = self.steps[axis][index];
            if !self.is_possible(step, left, open)? {
                continue;
            }
            let still_open: Threats = open.iter().zip(&step.open).map(|(a, b)| a & b).collect();
            let alike = |step: &Step| (step.settles, step.source, step.target, step.made.is_some());
            let is_fruitless = fruitless.iter().any(|(other, others)| {
                alike(other) == alike(step) && others.iter().zip(&still_open).all(|(a, b)| a & !b == 0)
            });
            if is_fruitless {
                continue;
            }
            let count = self.count;
            self.chosen.push(step);
            self.settle(left & !step.settles, &still_open)?;
            self.chosen.pop();
            if self.count == count {
                fruitless.push((step, still_open));
            }
        }
        Ok(())
    }

    /// Of the axes that are left, the one with the fewest steps; `None` when none are left.
    fn narrowest(&self, left: Axes, open: &Threats) -> Result<Option<usize>, Because> {
        let mut best = None;
        let mut fewest = usize::MAX;
        for axis in axes_of(left) {
            let mut count = 0;
            for index in 0..self.steps[axis].len() {
                if self.is_possible(self.steps[axis][index], left, open)? {
                    count += 1;
                    if count >= fewest {
                        break;
                    }
                }
            }
            if count < fewest {
                (best, fewest) = (Some(axis), count);
            }
        }
        Ok(best)
    }

    /// Whether a step can be chosen next, and leaves no threat standing.
    fn is_possible(&self, step: &Step, left: Axes, open: &Threats) -> Result<bool, Because> {
        self.looks.spend(self.cover.looks())?;
        let clashes = |other: &&Step| step.is_misplaced_beside(other) || other.is_misplaced_beside(step);
        Ok(step.settles & !left == 0
            && !self.cover.stands(open, &step.open, left & !step.settles)
            && !self.chosen.iter().any(clashes))
    }

    /// The steps chosen, as an action.
    fn action(&self) -> Action {
        let mut steps: Vec<(Option<usize>, Move)> =
            self.chosen.iter().filter_map(|step| Some((step.creates, step.made?))).collect();
        steps.sort_unstable();
        Action::new(steps.into_iter().map(|(_, m)| m).collect())
    }
}
