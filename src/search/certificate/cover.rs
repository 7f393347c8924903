//! The actions of a player that parry all of some threats, or of these the ones that may give check.
//!
//! Every board that the player may play, and every timeline that the action creates, is an *axis*. A *step* settles one
//! axis or two: a board is left alone; a move stays on its board; a jump leaves a board and either arrives on another
//! board that may be played, or creates a timeline. An action is a set of steps that settles every axis once. A board
//! without a move from it or a hop onto it can only be left alone. It is no axis.
//!
//! A threat has a condition on each of some axes, so every step leaves a certain set of threats open. The steps are
//! chosen one by one, for the axis with the fewest possibilities first. A threat that is open on all axes on which it
//! has a condition stands whatever happens on the others; then the choice is given up.
//!
//! Checks are found in the same way: a capture by the player, once the opponent passes, needs something of each of some axes. A choice
//! that closes all of them gives no check and is given up. The opponent is taken to pass on every board, which makes no capture
//! impossible, so no check is lost; what is found may give none.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Threat;
use super::capture::Need;
use super::looks::{Held, Looks};
use super::places::Places;
use crate::state::{Board, LAST_TURN, MAX_TIMELINES, Position};
use crate::types::{
    Action, Because, BoardCoordinate, Color, HalfTurn, Move, MoveKind, Timeline, TimelineRange,
};

/// A set of threats, by index. It is shared by the steps that leave these open.
type Threats = Rc<[u64]>;

/// One way to settle an axis, or two at once.
#[derive(Clone)]
struct Step {
    /// The axis of the board that is left alone or moved from.
    source: usize,
    /// The axis of the board on which a jump arrives.
    arrives: Option<usize>,
    /// `None` when the board is left alone.
    made: Option<Move>,
    /// For a branch, which of the new timelines it creates.
    creates: Option<usize>,
    /// For a branch from a board that may be played, the axis of that board.
    target: Option<usize>,
    /// For each axis settled, the threats that are open there, among them all that need nothing of it.
    open: [Threats; 2],
}

impl Step {
    /// The axes that it settles.
    fn settles(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.source).chain(self.arrives)
    }

    /// Whether this branch would be a hop, because the board that it visits was not played before.
    fn is_misplaced_beside(&self, other: &Step) -> bool {
        self.target == Some(other.source)
            && (other.made.is_none() || other.creates.is_some() && other.creates > self.creates)
    }

    /// Those of some open threats that stay open.
    fn leaves(&self, open: &[u64]) -> Threats {
        (0..open.len()).map(|word| self.leaves_word(open, word)).collect()
    }

    /// One word of this set.
    fn leaves_word(&self, open: &[u64], word: usize) -> u64 {
        let [here, there] = &self.open;
        open[word] & here[word] & there[word]
    }
}

/// By axis, what each threat needs there, with where on its timeline the board must stand. For a check it is the board before the opponent
/// passes.
type Needs = Vec<Vec<(usize, HalfTurn, Need)>>;

/// The threats that need something of none, of one, and of two of the axes that are left.
struct Needing {
    none: Vec<u64>,
    one: Vec<u64>,
    two: Vec<u64>,
}

impl Needing {
    /// Counts one axis more, of which these need something.
    fn add(&mut self, here: &[u64]) {
        let words = self.none.iter_mut().zip(&mut self.one).zip(&mut self.two);
        for (((none, one), two), here) in words.zip(here) {
            *two = *two & !here | *one & here;
            *one = *one & !here | *none & here;
            *none &= !here;
        }
    }
}

/// The actions of the player to move, as sets of steps; some that leave a threat open are not among them.
pub(super) struct Cover<'l> {
    mover: Color,
    /// The boards from which the player can move, or onto which a piece can hop: an axis each, in this order.
    boards: Vec<BoardCoordinate>,
    /// The other boards on which the player is to move. All that can be done is to leave them alone.
    idle: Vec<BoardCoordinate>,
    /// The ends of the timelines that are the opponent's.
    standing: Vec<BoardCoordinate>,
    /// The timeline that the first branch creates. Its axis follows those of the boards.
    first_created: Timeline,
    /// For each number of new timelines, the active ones.
    active: Vec<TimelineRange>,
    /// All threats that can stand, and in the words after them all checks, if checks are wanted.
    all: Threats,
    /// The number of words of such a set that hold threats.
    words: usize,
    /// Whether an action has to leave a check open.
    checks: bool,
    /// For each axis, the threats and checks that need something of it.
    needing_axis: Vec<Threats>,
    steps: Vec<Step>,
    looks: &'l Looks<'l>,
    /// The bytes of all this.
    held: Held<'l>,
}

impl<'l> Cover<'l> {
    /// All actions. Making it takes looks as well.
    pub(super) fn new(
        position: &Position,
        threats: &[Threat],
        looks: &'l Looks<'l>,
    ) -> Result<Self, Because> {
        Self::of(position, threats, false, looks)
    }

    /// Actions that may give check, among them all that do.
    pub(super) fn of_checks(
        position: &Position,
        threats: &[Threat],
        looks: &'l Looks<'l>,
    ) -> Result<Self, Because> {
        Self::of(position, threats, true, looks)
    }

    fn of(
        position: &Position,
        threats: &[Threat],
        checks: bool,
        looks: &'l Looks<'l>,
    ) -> Result<Self, Because> {
        let (mover, multiverse) = (position.to_move(), position.multiverse());
        let ends = multiverse.ends().map(|(at, _)| at);
        let (playable, standing): (Vec<_>, Vec<_>) = ends.partition(|at| at.color() == mover);
        looks.charge(multiverse.timelines().count() + threats.len())?;
        let mut held = looks.hold();
        let mut moves: Vec<Move> = Vec::new();
        for &at in &playable {
            let before = moves.len();
            position.pseudo_legal_moves_from(at, &mut moves);
            held.take(size_of_val(&moves[before..]))?;
        }
        let jumps = |moves: &&[Move]| moves.iter().any(|m| m.kind != MoveKind::Physical);
        let most_created = moves.chunk_by(|a, b| a.from.board == b.from.board).filter(jumps).count();
        let hops = moves.iter().filter(|m| m.kind == MoveKind::Hop).map(|m| m.to.board);
        let axes: BTreeSet<BoardCoordinate> = moves.iter().map(|m| m.from.board).chain(hops).collect();
        let (boards, idle): (Vec<_>, Vec<_>) = playable.into_iter().partition(|at| axes.contains(at));
        // An action that cannot be looked at might be the defence that no row is about.
        let room = MAX_TIMELINES.saturating_sub(multiverse.timelines().count());
        if most_created > room || boards.iter().any(|at| at.half_turn.turn() >= LAST_TURN) {
            return Err(Because::Size);
        }
        let active_with = |created: usize| match mover {
            Color::White => multiverse.active_with(created as i16, 0),
            Color::Black => multiverse.active_with(0, created as i16),
        };
        let mut cover = Cover {
            mover,
            boards,
            idle,
            standing,
            first_created: multiverse.next_timeline(mover),
            active: (0..=most_created).map(active_with).collect(),
            all: Rc::new([]),
            words: 0,
            checks,
            needing_axis: Vec::new(),
            steps: Vec::new(),
            looks,
            held,
        };
        let mut needs = Needs::new();
        needs.resize_with(cover.axes(most_created), Vec::new);
        let mut held = looks.hold();
        cover.add_threats(position, threats, &mut needs, &mut held)?;
        if checks {
            cover.add_checks(position, &moves, &mut needs, &mut held)?;
        }
        cover.held.take(needs.len() * cover.bytes_of_set())?;
        cover.needing_axis =
            needs.iter().map(|needs| cover.set_of(needs.iter().map(|(index, ..)| *index))).collect();
        cover.add_steps(position, &moves, &needs)?;
        Ok(cover)
    }

    /// The looks that a step is worth: one, and one more for each 32 threats beyond the first 64, since it may look at each of them.
    fn looks(&self) -> usize {
        1 + 2 * self.all.len().saturating_sub(1)
    }

    /// The set of these threats and checks.
    fn set_of(&self, indices: impl Iterator<Item = usize>) -> Threats {
        let mut set = vec![0; self.all.len()];
        indices.for_each(|index| set[index / 64] |= 1 << (index % 64));
        set.into()
    }

    /// The bytes of a set of threats, with what counts its owners.
    fn bytes_of_set(&self) -> usize {
        size_of::<[usize; 4]>() + size_of_val(&*self.all)
    }

    /// The most timelines that an action can create.
    fn most_created(&self) -> usize {
        self.active.len() - 1
    }

    /// The number of axes if so many timelines are created.
    fn axes(&self, created: usize) -> usize {
        self.boards.len() + created
    }

    /// Keeps the threats that can stand, and sorts out by axis what they need.
    fn add_threats(
        &mut self,
        position: &Position,
        threats: &[Threat],
        by_axis: &mut Needs,
        held: &mut Held<'_>,
    ) -> Result<(), Because> {
        let standing = threats.iter().filter_map(|threat| self.needs_of(position, threat));
        self.all = words_of(add_needs(standing, 0, by_axis, held)?).collect();
        self.words = self.all.len();
        Ok(())
    }

    /// Adds every check that some action may give.
    fn add_checks(
        &mut self,
        position: &Position,
        moves: &[Move],
        by_axis: &mut Needs,
        held: &mut Held<'_>,
    ) -> Result<(), Because> {
        let created: Vec<Timeline> = (0..self.most_created()).map(|number| self.created(number)).collect();
        let places = Places::after(position, moves, &created, self.looks)?;
        let captures = places.royal_captures(self.looks, held)?;
        let checks = captures.iter().filter_map(|capture| self.needs_of_check(position, capture));
        let count = add_needs(checks, 64 * self.words, by_axis, held)?;
        self.all = self.all.iter().copied().chain(words_of(count)).collect();
        Ok(())
    }

    /// The timeline of a branch, by the number of those before it.
    fn created(&self, number: usize) -> Timeline {
        Timeline(self.first_created.0 + number as i16 * self.mover.branch_direction())
    }

    /// The needs of a check, each with its axis; `None` when a board that stays as it is lacks one.
    fn needs_of_check(&self, position: &Position, threat: &Threat) -> Option<Vec<(usize, HalfTurn, Need)>> {
        let mut open = Vec::new();
        for (at, need) in threat.needs(self.mover, position.profile().time_travel)? {
            let acts = matches!(need, Need::Capturer(..));
            if let Ok(axis) = self.boards.binary_search(&at)
                && acts
            {
                open.push((axis, at.half_turn, need));
                continue;
            }
            let before = BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - 1), ..at };
            let stands = self.standing.binary_search(&before).is_ok();
            let fixed = if stands { position.board(before) } else { position.board(at) };
            match fixed {
                Some(board) if need.is_met(board) => {
                    if acts && !stands && self.idle.binary_search(&at).is_err() {
                        return None;
                    }
                }
                Some(_) => return None,
                None => open.push((self.axis_of(at.timeline)?, before.half_turn, need)),
            }
        }
        Some(open)
    }

    /// The needs of a threat, each with its axis; `None` when a board that stays as it is lacks one.
    fn needs_of(&self, position: &Position, threat: &Threat) -> Option<Vec<(usize, HalfTurn, Need)>> {
        let mut open = Vec::new();
        for (at, need) in threat.needs(!self.mover, position.profile().time_travel)? {
            let Some(board) = position.board(at) else {
                open.push((self.axis_of(at.timeline)?, at.half_turn, need));
                continue;
            };
            let acts = !matches!(need, Need::Capturer(..)) || self.standing.binary_search(&at).is_ok();
            if !acts || !need.is_met(board) {
                return None;
            }
        }
        Some(open)
    }

    /// The axis of a timeline on which the action may make a board.
    fn axis_of(&self, timeline: Timeline) -> Option<usize> {
        if let Ok(board) = self.boards.binary_search_by_key(&timeline, |at| at.timeline) {
            return Some(board);
        }
        let beyond = i32::from(timeline.0) - i32::from(self.first_created.0);
        let number = usize::try_from(beyond * i32::from(self.mover.branch_direction())).ok()?;
        (number < self.most_created()).then_some(self.boards.len() + number)
    }

    /// Adds the steps that may be part of an action without a threat.
    fn add_steps(&mut self, position: &Position, moves: &[Move], needs: &Needs) -> Result<(), Because> {
        let (all, needing) = (Threats::clone(&self.all), self.needing(&vec![true; needs.len()]));
        let mut sets =
            Sets { position, needs, all, needing, known: BTreeSet::new(), scratch: Vec::new(), made: 0 };
        let mut moves = moves.chunk_by(|a, b| a.from.board == b.from.board).peekable();
        for source in 0..self.boards.len() {
            let at = self.boards[source];
            let as_it_is = position.board(at).map(|board| (at.half_turn, board));
            let open = [sets.left_open(source, as_it_is), sets.all.clone()];
            let alone = Step { source, arrives: None, made: None, creates: None, target: None, open };
            self.add_step(alone.clone(), &mut sets)?;
            for m in moves.next_if(|moves| moves[0].from.board == self.boards[source]).unwrap_or_default() {
                self.add_move(&alone, m, &mut sets)?;
            }
        }
        Ok(())
    }

    /// Adds the steps of one move from a board.
    fn add_move(&mut self, alone: &Step, m: &Move, sets: &mut Sets<'_>) -> Result<(), Because> {
        let board = sets.position.board(m.from.board).expect("a board that may be played");
        let (from, to, next) = (m.from.square, m.to.square, m.from.board.half_turn.next());
        let step = Step { made: Some(*m), ..alone.clone() };
        if m.kind == MoveKind::Physical {
            let made = board.after_physical(from, to, m.promotion);
            let open = [sets.left_open(step.source, Some((next, &made))), sets.all.clone()];
            return self.add_step(Step { open, ..step }, sets);
        }
        let left = sets.left_open(step.source, Some((next, &board.after_departure(from))));
        let visited = sets.position.board(m.to.board).expect("a jump leads to a board");
        let arrived = visited.after_arrival(board, from, to, m.promotion);
        let arrived = Some((m.to.board.half_turn.next(), &arrived));
        let target = self.boards.binary_search(&m.to.board).ok();
        if let Some(target) = target {
            let open = [left.clone(), sets.left_open(target, arrived)];
            self.add_step(Step { arrives: Some(target), open, ..step.clone() }, sets)?;
        }
        let made = Some(Move { kind: MoveKind::Branch, ..*m });
        for created in 0..self.most_created() {
            let axis = self.boards.len() + created;
            let open = [left.clone(), sets.left_open(axis, arrived)];
            let (arrives, creates) = (Some(axis), Some(created));
            self.add_step(Step { arrives, made, creates, target, open, ..step }, sets)?;
        }
        Ok(())
    }

    /// Adds a step, unless a threat stands whatever happens beside it.
    fn add_step(&mut self, step: Step, sets: &mut Sets<'_>) -> Result<(), Because> {
        let needs: usize = step.settles().map(|axis| sets.needs[axis].len()).sum();
        self.looks.charge(self.looks() + needs / 64)?;
        if !self.stands(&self.all, &step, &sets.needing) && self.may_check(&self.all, &step) {
            self.steps.push(step);
            self.held.take(size_of::<Step>() + size_of::<[&Step; 2]>())?;
        }
        self.held.take(std::mem::take(&mut sets.made) * self.bytes_of_set())
    }

    /// Sorts the threats by the number of axes among those left of which they need something.
    fn needing(&self, left: &[bool]) -> Needing {
        let mut needing = Needing {
            none: self.all[..self.words].to_vec(),
            one: vec![0; self.words],
            two: vec![0; self.words],
        };
        for (here, _) in self.needing_axis.iter().zip(left).filter(|(_, is_left)| **is_left) {
            needing.add(here);
        }
        needing
    }

    /// Whether a threat that is open, and after a step too, needs nothing of the other axes that are left.
    fn stands(&self, open: &[u64], step: &Step, needing: &Needing) -> bool {
        let source = &self.needing_axis[step.source];
        let arrives = step.arrives.map(|axis| &self.needing_axis[axis]);
        (0..self.words).any(|word| {
            let needs_only = match arrives {
                None => needing.one[word] & source[word],
                Some(arrives) => {
                    needing.one[word] & (source[word] | arrives[word])
                        | needing.two[word] & source[word] & arrives[word]
                }
            };
            step.leaves_word(open, word) & (needing.none[word] | needs_only) != 0
        })
    }

    /// Whether an open check stays open after a step, or checks are not asked for.
    fn may_check(&self, open: &[u64], step: &Step) -> bool {
        !self.checks || (self.words..open.len()).any(|word| step.leaves_word(open, word) != 0)
    }

    /// The threats and checks that are open before any step, if so many timelines are created; `None` when one of the threats
    /// stands.
    fn open_with(&self, created: usize) -> Option<Threats> {
        if self.needing(&vec![true; self.needing_axis.len()]).none.iter().any(|threats| *threats != 0) {
            return None;
        }
        let mut open = self.all.to_vec();
        for missing in &self.needing_axis[self.axes(created)..] {
            open.iter_mut().zip(&**missing).for_each(|(open, missing)| *open &= !missing);
        }
        Some(open.into())
    }

    /// Finds every action that passes the present on and leaves none of the threats open, each once, until `found`
    /// fails. Looking at a step is a look.
    pub(super) fn parries<E: From<Because>>(
        &self,
        mut found: impl FnMut(Action) -> Result<(), E>,
    ) -> Result<(), E> {
        for created in 0..=self.most_created() {
            self.looks.charge(self.needing_axis.len() * self.all.len() / 64)?;
            let Some(open) = self.open_with(created) else { continue };
            for past in std::iter::once(None).chain((0..created).map(Some)) {
                self.looks.charge(1 + self.steps.len() / 8)?;
                let Some(steps) = self.steps_for(created, past) else { continue };
                let left = vec![true; self.axes(created)];
                let search =
                    Search { cover: self, steps, left, chosen: Vec::new(), levels: Vec::new(), count: 0 };
                search.run(open.clone(), &mut found)?;
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
        let own = earliest(&self.boards).into_iter().chain(earliest(&self.idle)).min();
        // The present may be the opponent's whatever the player does.
        let own = own.filter(|own| earliest(&self.standing).is_none_or(|standing| own < &standing));
        let is_new_active = |n: usize| is_active(self.created(n));
        if past.is_some_and(|n| own.is_none() || !is_new_active(n)) {
            return None;
        }
        let is_due = |at: &BoardCoordinate| Some(at.half_turn) == own && is_active(at.timeline);
        if past.is_none() && self.idle.iter().any(is_due) {
            return None;
        }
        let passes = |step: &&Step| match step.creates {
            _ if own.is_none() => true,
            None => past.is_some() || step.made.is_some() || !is_due(&self.boards[step.source]),
            Some(n) => {
                let may_rewind = past.is_some_and(|past| n >= past) || !is_new_active(n);
                let rewinds = step.made.map(|m| m.to.board.half_turn.next()) < own;
                if past == Some(n) { rewinds } else { may_rewind || !rewinds }
            }
        };
        let mut by_axis = vec![Vec::new(); self.axes(created)];
        let is_there = |step: &&Step| step.creates.is_none_or(|n| n < created);
        for step in self.steps.iter().filter(is_there).filter(passes) {
            for axis in step.settles() {
                by_axis[axis].push(step);
            }
        }
        Some(by_axis)
    }
}

/// Whether each member of a set is in another.
fn are_among(some: &[u64], others: &[u64]) -> bool {
    (0..some.len()).all(|word| some[word] & !others[word] == 0)
}

/// The words of a set of so many threats, with all of them.
fn words_of(count: usize) -> impl Iterator<Item = u64> {
    (0..count).step_by(64).map(move |first| u64::MAX >> (64 - (count - first).min(64)))
}

/// Sorts out by axis what threats or checks need, and numbers them from `first`. Gives their number.
fn add_needs(
    all: impl Iterator<Item = Vec<(usize, HalfTurn, Need)>>,
    first: usize,
    by_axis: &mut Needs,
    held: &mut Held<'_>,
) -> Result<usize, Because> {
    let mut count = 0;
    for needs in all {
        held.take(needs.len() * size_of::<(usize, HalfTurn, Need)>())?;
        for (axis, half_turn, need) in needs {
            by_axis[axis].push((first + count, half_turn, need));
        }
        count += 1;
    }
    Ok(count)
}

/// The sets of threats that boards leave open after an action in a position. Equal ones are kept once.
struct Sets<'a> {
    position: &'a Position,
    needs: &'a Needs,
    all: Threats,
    /// While no axis is settled.
    needing: Needing,
    known: BTreeSet<Threats>,
    /// Where a set is put together.
    scratch: Vec<u64>,
    /// The number of sets that were made since their bytes were taken.
    made: usize,
}

impl Sets<'_> {
    /// The threats that stay open when an axis gets this board at this time, or none.
    fn left_open(&mut self, axis: usize, made: Option<(HalfTurn, &Board)>) -> Threats {
        self.scratch.clear();
        self.scratch.extend_from_slice(&self.all);
        for (threat, half_turn, need) in &self.needs[axis] {
            if !made.is_some_and(|(at, board)| at == *half_turn && need.is_met(board)) {
                self.scratch[threat / 64] &= !(1 << (threat % 64));
            }
        }
        self.known.get(&*self.scratch).cloned().unwrap_or_else(|| {
            let open = Threats::from(&*self.scratch);
            self.made += 1;
            self.known.insert(open.clone());
            open
        })
    }
}

/// The choice of steps, one after another.
struct Search<'a> {
    cover: &'a Cover<'a>,
    /// By axis.
    steps: Vec<Vec<&'a Step>>,
    /// For each axis, whether it has to be settled yet.
    left: Vec<bool>,
    chosen: Vec<&'a Step>,
    /// One for each axis for which a step is chosen or looked for.
    levels: Vec<Level<'a>>,
    /// The number of actions that were found.
    count: u64,
}

/// The choice among the steps of one axis.
struct Level<'a> {
    axis: usize,
    /// The threats that are open before.
    open: Threats,
    /// The axes that are left before.
    needing: Needing,
    /// The step to look at next.
    next: usize,
    /// The number of actions that were found before the step that is chosen.
    count: u64,
    /// Steps that led to nothing, with what they left open: what is alike and leaves no fewer threats and no other checks open leads to
    /// nothing either.
    fruitless: Vec<(&'a Step, Threats)>,
    /// The number of words of a set that hold threats.
    words: usize,
    held: Held<'a>,
}

impl<'a> Level<'a> {
    fn of(axis: usize, open: Threats, needing: Needing, cover: &'a Cover<'_>) -> Result<Level<'a>, Because> {
        let mut held = cover.looks.hold();
        held.take(size_of::<Level<'_>>() + 4 * cover.bytes_of_set())?;
        Ok(Level { axis, open, needing, next: 0, count: 0, fruitless: Vec::new(), words: cover.words, held })
    }

    /// Whether a step that leaves these threats open leads to nothing.
    fn is_fruitless(&self, step: &Step, open: &[u64]) -> Result<bool, Because> {
        self.held.charge(self.fruitless.len() * open.len() / 32)?;
        let alike = |step: &Step| (step.source, step.arrives, step.target, step.made.is_some());
        let is_no_better = |(other, others): &(&Step, Threats)| {
            let ((threats, checks), (other_threats, other_checks)) =
                (open.split_at(self.words), others.split_at(self.words));
            alike(other) == alike(step)
                && are_among(other_threats, threats)
                && are_among(checks, other_checks)
        };
        Ok(self.fruitless.iter().any(is_no_better))
    }
}

impl<'a> Search<'a> {
    /// Settles the axes in every way that leaves none of the open threats.
    fn run<E: From<Because>>(
        mut self,
        open: Threats,
        found: &mut impl FnMut(Action) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut open = Some(open);
        loop {
            if let Some(open) = open {
                let needing = self.cover.needing(&self.left);
                match self.narrowest(&open, &needing)? {
                    Some(axis) => self.levels.push(Level::of(axis, open, needing, self.cover)?),
                    None => {
                        self.count += 1;
                        found(self.action())?;
                        self.take_back(open)?;
                    }
                }
            }
            let Some(level) = self.levels.pop() else { return Ok(()) };
            open = self.advance(level)?;
        }
    }

    /// Chooses the next step of a level, and returns what it leaves open. If none is left, the level above goes on.
    fn advance(&mut self, mut level: Level<'a>) -> Result<Option<Threats>, Because> {
        while let Some(&step) = self.steps[level.axis].get(level.next) {
            level.next += 1;
            if !self.is_possible(step, &level.open, &level.needing)? {
                continue;
            }
            let open = step.leaves(&level.open);
            if level.is_fruitless(step, &open)? {
                continue;
            }
            step.settles().for_each(|axis| self.left[axis] = false);
            self.chosen.push(step);
            level.count = self.count;
            self.levels.push(level);
            return Ok(Some(open));
        }
        self.take_back(level.open)?;
        Ok(None)
    }

    /// Takes back the last step, which left these threats open. If it led to nothing, its level remembers it.
    fn take_back(&mut self, open: Threats) -> Result<(), Because> {
        let (Some(step), Some(level)) = (self.chosen.pop(), self.levels.last_mut()) else { return Ok(()) };
        step.settles().for_each(|axis| self.left[axis] = true);
        if level.count == self.count {
            level.held.take(size_of::<(&Step, Threats)>() + self.cover.bytes_of_set())?;
            level.fruitless.push((step, open));
        }
        Ok(())
    }

    /// Of the axes that are left, the one with the fewest steps; `None` when none are left.
    fn narrowest(&self, open: &[u64], needing: &Needing) -> Result<Option<usize>, Because> {
        let (mut best, mut fewest) = (None, usize::MAX);
        for axis in (0..self.left.len()).filter(|&axis| self.left[axis]) {
            let mut count = 0;
            for step in &self.steps[axis] {
                count += usize::from(self.is_possible(step, open, needing)?);
                if count >= fewest {
                    break;
                }
            }
            if count < fewest {
                (best, fewest) = (Some(axis), count);
            }
        }
        Ok(best)
    }

    /// Whether a step can be chosen next, and leaves no threat standing.
    fn is_possible(&self, step: &Step, open: &[u64], needing: &Needing) -> Result<bool, Because> {
        self.cover.looks.charge(self.cover.looks() + self.chosen.len() / 32)?;
        let clashes = |other: &&Step| step.is_misplaced_beside(other) || other.is_misplaced_beside(step);
        Ok(self.left[step.source]
            && step.arrives.is_none_or(|axis| self.left[axis])
            && !self.cover.stands(open, step, needing)
            && self.cover.may_check(open, step)
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
