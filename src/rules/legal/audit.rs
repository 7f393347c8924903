//! Debug builds check samples of every shortcut by playing them.
//!
//! A slice claims that all its points are illegal and a block that all are legal. Both are claims about products that
//! are never listed. So this module picks some members: it draws other values for the axes concerned, plays the
//! action on a copy of the position, and checks it with the plain rules.

use std::collections::BTreeSet;

use super::Search;
use super::basis::Basis;
use super::cuboid::{Draft, ones};
use super::explore::Exploration;
use super::point::{Choice, Point};
use super::space::Space;
use crate::state::{Board, Cell, Position, squares_of};
use crate::types::{Action, BoardCoordinate, Color, HalfTurn, Move, MoveKind};

/// One in this many slices and blocks is sampled.
const EVERY: u64 = 16;

/// How many claims were checked.
#[derive(Default)]
pub(super) struct Audited {
    pub slices: u64,
    pub blocks: u64,
}

impl Search<'_> {
    /// Panics if a sampled point of the slice can be submitted, or if an axis is restricted twice: a slice on one axis would
    /// not be known for one.
    pub(super) fn audit_slice(&mut self, draft: Draft) {
        let axes: BTreeSet<usize> = self.walk.draft_sets(draft).map(|(start, _)| start).collect();
        assert_eq!(axes.len(), self.walk.draft_len(draft), "a slice restricts an axis twice");
        if !self.steps().is_multiple_of(EVERY) {
            return;
        }
        let Search { space, walk, point, .. } = &*self;
        let mut sample = Point { choices: point.choices.clone(), branches: point.branches.clone() };
        for (start, set) in walk.draft_sets(draft) {
            let drawn = if let Some(index) = space.axes.iter().position(|axis| axis.words.start == start) {
                draw_choice(space, sample.choices[index], index, set, self.steps())
                    .map(|choice| sample.choices[index] = choice)
            } else {
                let n = (0..sample.branches.len()).find(|&n| space.creation_axis(n).start == start);
                n.and_then(|n| {
                    draw_branch(space, sample.branches[n], set, self.steps())
                        .map(|jump| sample.branches[n] = jump)
                })
            };
            if drawn.is_none() {
                // The point cannot be moved into the slice without pairing boards anew.
                return;
            }
        }
        assert!(!is_legal(space, &sample), "a slice holds the legal action {:?}", space.action(&sample));
        self.audited.slices += 1;
    }

    /// Panics if the reply is illegal after a sampled legal action of the region, which lies around the current point.
    pub(super) fn audit_answered(&self, draft: Draft, reply: &Action) {
        for draw in
            [self.steps(), self.steps().wrapping_mul(0x9e37_79b9), self.steps().wrapping_mul(0x85eb_ca6b)]
        {
            let mut position = self.space.position.clone();
            let action = self.draw(draft, draw);
            if position.play(&action).is_ok()
                && let Err(error) = position.play(reply)
            {
                panic!("{reply:?} is said to answer {action:?} too: {error}");
            }
        }
    }

    /// The action of the current point with other moves within boards, as the draft and the current cuboid allow.
    pub(super) fn draw(&self, draft: Draft, draw: u64) -> Action {
        let Search { space, walk, point, .. } = self;
        let mut sample = Point { choices: point.choices.clone(), branches: point.branches.clone() };
        for (index, axis) in space.axes.iter().enumerate() {
            if !matches!(sample.choices[index], Choice::Pass | Choice::Physical(_)) {
                continue;
            }
            let alive = walk.values(&axis.value_words());
            let set = walk.draft_sets(draft).find(|(start, _)| *start == axis.words.start);
            let holds = |bit: &usize| set.is_none_or(|(_, set)| set[1 + bit / 64] >> (bit % 64) & 1 == 1);
            let drawn = ones(alive, 0..axis.first_arrival()).filter(holds).cycle_to(draw >> (7 * index % 50));
            sample.choices[index] = match drawn {
                Some(0) => Choice::Pass,
                Some(bit) => Choice::Physical(axis.physicals.start + bit - 1),
                None => sample.choices[index],
            };
        }
        space.action(&sample)
    }

    /// Panics if a sampled action of the block is illegal.
    pub(super) fn audit_block(&mut self) {
        if !self.steps().is_multiple_of(EVERY) {
            return;
        }
        for draw in [0, self.steps(), self.steps().wrapping_mul(0x9e37_79b9)] {
            let action = self.block.sample(&self.space, draw);
            let mut position = self.space.position.clone();
            if let Err(error) = position.play(&action) {
                panic!("a block holds the illegal action {action:?}: {error}");
            }
        }
        self.audited.blocks += 1;
    }
}

impl Exploration<'_> {
    /// The position after the current action with other pieces where it does not count what stands there, if they differ. Another
    /// action might have left them, whether or not there is one: the player who acted may have any piece anywhere, the other one those
    /// that he had on the board before, and a new timeline may begin with any board. No royal piece of the player who acted can be
    /// captured.
    pub(crate) fn disturbed(&self, basis: &Basis, defender: Color) -> Option<Position> {
        let after = self.after();
        let mut setup = after.to_setup();
        let mut disturbance = Disturbance::new(after, self.steps());
        let mut differs = false;
        for (at, own) in self.made() {
            let before = BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - 1), ..at };
            let agrees = |one: &Board, other: &Board| {
                basis.of(at).is_none_or(|reliance| reliance.agree(one, other, defender))
            };
            let other = disturbance.of(&own, after.board(before), agrees);
            differs |= other != own;
            setup.boards.iter_mut().filter(|(made, _)| *made == at).for_each(|(_, board)| *board = other);
        }
        let position = Position::from_setup(&setup).expect("boards in the same places");
        let captures_a_royal = |m: &Move| {
            let target = position.board(m.to.board).expect("a move lands there");
            target.royals() & m.to.square.bit() != 0
        };
        (differs && !position.pseudo_legal_moves().iter().any(captures_a_royal)).then_some(position)
    }
}

/// How the boards that an action made are changed.
struct Disturbance {
    /// The state of the generator splitmix64.
    random: u64,
    /// One in this many squares: few or most of them.
    one_in: usize,
    /// One way or all.
    ways: &'static [Way],
    actor: Color,
    /// The pieces that there are.
    pieces: Vec<Cell>,
}

/// What is put on a square.
#[derive(Clone, Copy)]
enum Way {
    Nothing,
    /// What stood there on the board before.
    AsBefore,
    /// A piece that has moved there.
    Moved,
}

impl Disturbance {
    fn new(after: &Position, seed: u64) -> Disturbance {
        const WAYS: [Way; 3] = [Way::Nothing, Way::AsBefore, Way::Moved];
        let cells = |board: &Board| -> Vec<Cell> {
            squares_of(board.squares()).filter_map(|square| board.cell(square)).collect()
        };
        let pieces = after.multiverse().ends().flat_map(|(_, board)| cells(board)).collect();
        let mut disturbance =
            Disturbance { random: seed, one_in: 1, ways: &WAYS, actor: !after.to_move(), pieces };
        disturbance.one_in = 1 << disturbance.below(5);
        if disturbance.below(2) == 0 {
            disturbance.ways = &WAYS[disturbance.below(WAYS.len())..][..1];
        }
        disturbance
    }

    /// A changed board. Each change agrees with what it changes.
    fn of(&mut self, own: &Board, before: Option<&Board>, agrees: impl Fn(&Board, &Board) -> bool) -> Board {
        let mut changed = *own;
        for square in squares_of(own.squares()) {
            if self.below(self.one_in) > 0 {
                continue;
            }
            let way = self.ways[self.below(self.ways.len())];
            let piece = self.below(self.pieces.len());
            let moved = Cell { unmoved: false, ..self.pieces[piece] };
            let cell = match before {
                _ if matches!(way, Way::Nothing) => None,
                Some(before) if matches!(way, Way::AsBefore) => before.cell(square),
                Some(_) if moved.piece.color != self.actor => None,
                _ => Some(moved),
            };
            let mut next = changed;
            match cell {
                Some(Cell { piece, unmoved }) => next.put(square, piece, unmoved),
                None => next.remove(square),
            }
            if agrees(&changed, &next) {
                changed = next;
            }
        }
        changed
    }

    fn below(&mut self, end: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// A choice of the same sort as `choice` within a set of values of a play axis, so that the point stays paired off.
fn draw_choice(space: &Space<'_>, choice: Choice, index: usize, set: &[u64], draw: u64) -> Option<Choice> {
    let axis = &space.axes[index];
    let holds = |inside: bool| inside.then_some(choice);
    match choice {
        Choice::Physical(_) => {
            let bit = ones(&set[1..], 1..axis.first_arrival()).cycle_to(draw)?;
            Some(Choice::Physical(axis.physicals.start + bit - 1))
        }
        Choice::Pass => holds(set[1] & 1 == 1),
        Choice::Depart(jump) => holds(set[0] & space.pool[jump].jump.from.bit() != 0),
        Choice::Arrive(jump) => {
            let mut arrivals =
                ones(&set[1..], axis.first_arrival()..axis.first_arrival() + axis.arrivals.len());
            holds(arrivals.any(|bit| space.arrival(index, bit) == jump))
        }
    }
}

/// A jump of the same piece as `jump` within a set of values of a creation axis.
fn draw_branch(space: &Space<'_>, jump: usize, set: &[u64], draw: u64) -> Option<usize> {
    let old = space.pool[jump];
    let same_piece = |&jump: &usize| {
        let new = space.pool[jump];
        new.source() == old.source() && new.jump.from == old.jump.from
    };
    ones(set, 0..space.pool.len()).filter(same_piece).cycle_to(draw)
}

/// Whether the moves of a point can be played and submitted, asked of the position itself.
fn is_legal(space: &Space<'_>, point: &Point) -> bool {
    let action = space.action(point);
    let mut position = space.position.clone();
    // A branch that comes before its source board was played would be a hop: `play` refuses such a kind.
    debug_assert!(
        action.moves().iter().filter(|m| m.kind == MoveKind::Branch).count() == point.branches.len()
    );
    position.play(&action).is_ok()
}

trait CycleTo: Iterator + Sized {
    /// The item at an index taken modulo the number of items.
    fn cycle_to(self, index: u64) -> Option<Self::Item> {
        let items: Vec<_> = self.collect();
        let len = items.len() as u64;
        (len > 0).then(|| items.into_iter().nth((index % len) as usize)).flatten()
    }
}

impl<I: Iterator> CycleTo for I {}
