//! Marks in a picture: arrows, the squares of the last moves, the origins of timelines.

use std::collections::BTreeMap;

use crate::notation::Game;
use crate::rules::Check;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Coordinate, Move, MoveKind, Timeline};

/// The meaning of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ArrowKind {
    /// A move that was made.
    Made,
    /// A capture of a royal piece that the opponent threatens.
    Check,
    /// A move that is possible.
    Planned,
}

/// An arrow from square to square. Both boards exist, or the ones before them do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Arrow {
    /// The meaning.
    pub kind: ArrowKind,
    /// The square where it begins.
    pub from: Coordinate,
    /// The square where it ends.
    pub to: Coordinate,
}

/// The marks in a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// The arrows.
    pub arrows: Vec<Arrow>,
    /// The squares that the last moves touched, on the boards that they made.
    pub touched: Vec<Coordinate>,
    origins: BTreeMap<Timeline, BoardCoordinate>,
}

impl Marks {
    /// The marks at the end of a game: its last action, and the origins of its timelines.
    pub fn of_game(game: &Game) -> Marks {
        let mut marks = Marks::default();
        let mut position = game.start.clone();
        for action in &game.actions {
            marks.arrows.clear();
            marks.touched.clear();
            marks.made(&position, action.moves());
            if position.play(action).is_err() {
                break;
            }
        }
        marks
    }

    /// Adds the marks of moves that were made from this position on.
    pub fn made(&mut self, before: &Position, moves: &[Move]) {
        let mover = before.to_move();
        let mut new = before.multiverse().next_timeline(mover);
        for m in moves {
            self.touched.push(Coordinate { board: m.from.board.next(), square: m.from.square });
            self.touched.push(Coordinate { board: made_by(m.kind, m.to.board, new), square: m.to.square });
            if m.kind != MoveKind::Physical {
                self.arrows.push(Arrow { kind: ArrowKind::Made, from: m.from, to: m.to });
            }
            if m.kind == MoveKind::Branch {
                self.origins.insert(new, m.to.board);
                new = Timeline(new.0.saturating_add(mover.branch_direction()));
            }
        }
    }

    /// Adds an arrow for each move of a possible action.
    pub fn planned(&mut self, action: &Action) {
        let arrow = |m: &Move| Arrow { kind: ArrowKind::Planned, from: m.from, to: m.to };
        self.arrows.extend(action.moves().iter().map(arrow));
    }

    /// Adds an arrow for each capture of a royal piece that the opponent threatens.
    pub fn checks(&mut self, checks: &[Check]) {
        let arrow = |check: &Check| Arrow { kind: ArrowKind::Check, from: check.from, to: check.to };
        self.arrows.extend(checks.iter().map(arrow));
    }

    /// The board at which a timeline branched off, if it is known.
    pub fn origin(&self, timeline: Timeline) -> Option<BoardCoordinate> {
        self.origins.get(&timeline).copied()
    }
}

/// The board that a move makes when it enters the board `to`.
fn made_by(kind: MoveKind, to: BoardCoordinate, new: Timeline) -> BoardCoordinate {
    match kind {
        MoveKind::Physical | MoveKind::Hop => to.next(),
        MoveKind::Branch => BoardCoordinate { timeline: new, half_turn: to.half_turn.next() },
    }
}
