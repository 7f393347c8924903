//! One reply that is enough after many actions. Begin at [`Cover::add_reply`].
//!
//! After the last action of the attacker a legal reply is enough. It stays legal after another action if each of its moves can be made as
//! before, if the present passes on to where it did, and if no royal piece of the defender can be captured. Each of these can fail only by
//! what a new board shows. So here are collected the steps by which one of them may fail, and an action without any of them has that reply.

use std::collections::BTreeMap;

use super::{Cover, Made, Set, has, insert};
use crate::search::certificate::Threat;
use crate::search::certificate::capture::{Need, Pieces, captures, royals};
use crate::search::certificate::looks::Held;
use crate::state::{Board, Position};
use crate::types::{Action, Because, BoardCoordinate, Move, MoveKind, PieceKind, Timeline};

/// A board that the reply makes, on which the attacker is to move.
struct New {
    at: BoardCoordinate,
    content: Content,
}

/// The pieces on a board that the reply makes.
enum Content {
    /// The same after every action.
    Fixed(Board),
    /// By step of an axis.
    Of(usize, Vec<(usize, Board)>),
}

impl Content {
    /// Shows each of the boards that it may be.
    fn visit(&self, mut show: impl FnMut(&Board)) {
        match self {
            Content::Fixed(board) => show(board),
            Content::Of(_, boards) => boards.iter().for_each(|(_, board)| show(board)),
        }
    }
}

/// The actions after which a need is met.
enum Met {
    Always,
    Never,
    /// Those with one of these steps of an axis.
    With(usize, Vec<usize>),
}

impl Cover<'_> {
    /// Demands of further actions a step after which this reply may not be enough. It is a legal reply to the action that was found last, in
    /// which the attacker has moved. The position is the one before that action.
    pub(in crate::search::certificate) fn add_reply(
        &mut self,
        position: &mut Position,
        action: &Action,
        reply: &Action,
    ) -> Result<(), Because> {
        let Some(looked_at) = self.squares_of_moves(position, reply) else { return Ok(()) };
        let mut against = self.set([]);
        for (&axis, &squares) in &looked_at {
            let found = self.chosen_board(axis).expect("an axis with a new board");
            let (half_turn, shown) = (found.half_turn, self.contents[found.content]);
            let stays = |at, board: &Board| {
                let differ = board.differing_squares(&shown) | (board.unmoved() ^ shown.unmoved());
                at == half_turn && differ & squares == 0
            };
            self.add_others(axis, stays, &mut against);
        }
        self.add_presents(position, action, reply, &looked_at, &mut against);
        let new = self.boards_of(position, reply, &against);
        self.looks.charge(32 + self.steps.len())?;
        let mut held = self.looks.hold();
        let captures = self.captures_after(position, &new, &mut held)?;
        self.looks.charge(4 * captures.len())?;
        for capture in captures {
            let Some(needs) = capture.needs(self.mover, position.profile().time_travel) else { continue };
            // Without such steps it would stand after the reply that is known to be legal.
            let Some(steps) = self.steps_for(position, &new, needs) else { return Ok(()) };
            steps.into_iter().for_each(|step| insert(&mut against, step));
        }
        self.add_demand(against, false)
    }

    /// The axis on which the chosen steps make this board.
    fn axis_of_made(&self, at: BoardCoordinate) -> Option<usize> {
        let axis = self.axis_of(at.timeline)?;
        self.chosen_board(axis).is_some_and(|made| made.half_turn == at.half_turn).then_some(axis)
    }

    /// The board on which the opponent is to move once the chosen steps are made.
    fn board_after<'b>(&'b self, position: &'b Position, at: BoardCoordinate) -> Option<&'b Board> {
        let made = self.axis_of_made(at).and_then(|axis| self.chosen_board(axis));
        made.map_or_else(|| position.board(at), |made| Some(&self.contents[made.content]))
    }

    /// By axis the squares of the new board that decide whether the moves of a reply can be made. `None` if that is not known.
    fn squares_of_moves(&self, position: &Position, reply: &Action) -> Option<BTreeMap<usize, u64>> {
        let mut squares = BTreeMap::new();
        for m in reply.moves() {
            let way = Threat { from: m.from, to: m.to };
            let board = self.board_after(position, m.from.board)?;
            let kind = board.get(m.from.square)?.kind;
            let files = m.from.square.file().abs_diff(m.to.square.file());
            // Castling looks at the whole board, and so does a capture en passant, which is not told from others here.
            let whole = m.kind == MoveKind::Physical
                && if kind.is_pawn_like() { files != 0 } else { kind == PieceKind::King && files == 2 };
            for (at, need) in way.needs(!self.mover, true)? {
                let square = match need {
                    Need::Capturer(_, square, _) | Need::Empty(square) | Need::Royal(_, square) => {
                        square.bit()
                    }
                };
                if let Some(axis) = self.axis_of_made(at) {
                    *squares.entry(axis).or_insert(0) |= if whole { u64::MAX } else { square };
                }
            }
        }
        Some(squares)
    }

    /// Adds the steps after which the present may pass on to somewhere else, if the reply moves on the boards of these axes.
    fn add_presents(
        &self,
        position: &mut Position,
        action: &Action,
        reply: &Action,
        moved: &BTreeMap<usize, u64>,
        against: &mut Set,
    ) {
        position.play_unchecked(action);
        position.play_unchecked(reply);
        let multiverse = position.multiverse();
        let (present, active) = (multiverse.present(), multiverse.active());
        let ends: Vec<Timeline> =
            multiverse.ends().filter(|(at, _)| at.half_turn == present).map(|(at, _)| at.timeline).collect();
        position.undo_unchecked(reply);
        position.undo_unchecked(action);
        let created = action.moves().iter().filter(|m| m.kind == MoveKind::Branch).count();
        let open: Vec<usize> =
            (0..self.axis_of_created(created)).filter(|axis| !moved.contains_key(axis)).collect();
        let is_open = |end: &Timeline| open.iter().any(|&axis| self.timeline(axis) == *end);
        let active_ends = || ends.iter().filter(|end| active.contains(**end));
        // One timeline has to stay at the present, and none may end before. It may be one on which nobody moves, if the reply begins a
        // timeline and makes it active so.
        let stays = if active_ends().all(is_open) { active_ends().next().copied() } else { None };
        for axis in open.into_iter().filter(|&axis| active.contains(self.timeline(axis))) {
            let stays_there = stays == Some(self.timeline(axis));
            let fits =
                |half_turn, _: &Board| if stays_there { half_turn == present } else { half_turn >= present };
            self.add_others(axis, fits, against);
        }
    }

    /// The boards that the reply makes after actions without these steps.
    fn boards_of(&self, position: &Position, reply: &Action, against: &Set) -> Vec<New> {
        let mut new = Vec::new();
        let mut timeline = position.multiverse().next_timeline(!self.mover);
        let after = |at: BoardCoordinate, make: &dyn Fn(&Board) -> Board| match self.axis_of_made(at) {
            Some(axis) => {
                let same = |made: &&Made| made.half_turn == at.half_turn && !has(against, made.step);
                let made = self.made[axis].iter().filter(same);
                Content::Of(axis, made.map(|made| (made.step, make(&self.contents[made.content]))).collect())
            }
            None => Content::Fixed(make(position.board(at).expect("a board of the reply"))),
        };
        for &Move { kind, from, to, promotion } in reply.moves() {
            if kind == MoveKind::Physical {
                let make = |board: &Board| board.after_physical(from.square, to.square, promotion);
                new.push(New { at: from.board.next(), content: after(from.board, &make) });
                continue;
            }
            let source = *self.board_after(position, from.board).expect("a board of the reply");
            let leave = |board: &Board| board.after_departure(from.square);
            let arrive = |board: &Board| board.after_arrival(&source, from.square, to.square, promotion);
            new.push(New { at: from.board.next(), content: after(from.board, &leave) });
            let mut at = to.board.next();
            if kind == MoveKind::Branch {
                at.timeline = timeline;
                timeline.0 += (!self.mover).branch_direction();
            }
            new.push(New { at, content: after(to.board, &arrive) });
        }
        new
    }

    /// The captures of royal pieces for which some piece of the attacker and some royal piece may stand where they must after the reply.
    fn captures_after(
        &self,
        position: &Position,
        new: &[New],
        held: &mut Held<'_>,
    ) -> Result<Vec<Threat>, Because> {
        let (mover, defender) = (self.mover, !self.mover);
        let ends = self.ends.iter().filter(|at| at.color() == mover);
        let mut pieces: BTreeMap<BoardCoordinate, Pieces> = ends
            .map(|&at| (at, Pieces::of(position.board(at).expect("the end of a timeline"), mover)))
            .collect();
        let mut targets: BTreeMap<BoardCoordinate, u64> =
            royals(position.multiverse(), defender).into_iter().collect();
        for new in new {
            let (mut there, mut squares) = (Pieces::default(), 0);
            new.content.visit(|board| {
                there.add(board, mover);
                squares |= board.royals() & board.by_color(defender);
            });
            pieces.insert(new.at, there);
            targets.insert(new.at, squares);
        }
        captures(&pieces, &targets, mover, self.looks, held)
    }

    /// The steps without which a capture is impossible after the reply: all of one axis that meet what it needs there. After the chosen steps it is
    /// not met; of several such axes the one with the fewest counts. `None` if there is no such axis.
    fn steps_for(
        &self,
        position: &Position,
        new: &[New],
        needs: impl Iterator<Item = (BoardCoordinate, Need)>,
    ) -> Option<Vec<usize>> {
        let mut by_axis: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, need) in needs {
            match self.met_by(position, new, at, need) {
                Met::Always => {}
                Met::Never => return Some(Vec::new()),
                Met::With(axis, steps) => match by_axis.get_mut(&axis) {
                    Some(known) => known.retain(|step| steps.contains(step)),
                    None => drop(by_axis.insert(axis, steps)),
                },
            }
        }
        let is_met = |steps: &Vec<usize>| steps.iter().any(|&step| has(&self.choice.chosen, step));
        by_axis.into_values().filter(|steps| !is_met(steps)).min_by_key(Vec::len)
    }

    /// The actions after which, with the reply, a board shows what a capture needs of it.
    fn met_by(&self, position: &Position, new: &[New], at: BoardCoordinate, need: Need) -> Met {
        if let Some(new) = new.iter().find(|new| new.at == at) {
            return match &new.content {
                Content::Of(axis, boards) => {
                    let meets = boards.iter().filter(|(_, board)| need.is_met(board));
                    Met::With(*axis, meets.map(|(step, _)| *step).collect())
                }
                Content::Fixed(board) if need.is_met(board) => Met::Always,
                Content::Fixed(_) => Met::Never,
            };
        }
        if !position.board(at).is_some_and(|board| need.is_met(board)) {
            return Met::Never;
        }
        // A piece captures from the end of a timeline, which stays that only if the board is left alone.
        match (matches!(need, Need::Capturer(..)), self.boards.binary_search(&at)) {
            (false, _) => Met::Always,
            (true, Ok(axis)) => {
                let alone = self.made[axis].iter().filter(|made| made.half_turn == at.half_turn);
                Met::With(axis, alone.map(|made| made.step).collect())
            }
            (true, Err(_)) if self.ends.binary_search(&at).is_ok() => Met::Always,
            (true, Err(_)) => Met::Never,
        }
    }
}
