//! The places from which checks may come: where pieces of the player and royal pieces of the opponent may stand after any action of the
//! player. Begin at [`Places::after`].

use std::collections::{BTreeMap, BTreeSet};

use super::Threat;
use super::capture::sources_of;
use super::looks::{Held, Looks};
use crate::state::{Board, Position, squares_of};
use crate::types::{
    Because, BoardCoordinate, Color, Coordinate, Move, MoveKind, PieceKind, Square, Timeline,
};

/// The places where pieces of the player and royal pieces of the opponent may stand once the player has acted and the opponent has passed.
pub(super) struct Places {
    mover: Color,
    boards: BTreeMap<BoardCoordinate, Place>,
    /// By place the boards of which those that stand there are made.
    made_of: BTreeSet<(BoardCoordinate, BoardCoordinate)>,
}

/// All that may stand on one board.
#[derive(Default)]
struct Place {
    /// Squares by kind of piece.
    pieces: [u64; PieceKind::ALL.len()],
    royals: u64,
}

impl Places {
    /// The places after any action of the player to move, which consists of these moves and creates some of these timelines.
    pub(super) fn after(
        position: &Position,
        moves: &[Move],
        created: &[Timeline],
        looks: &Looks<'_>,
    ) -> Result<Places, Because> {
        let mover = position.to_move();
        let mut places = Places { mover, boards: BTreeMap::new(), made_of: BTreeSet::new() };
        let multiverse = position.multiverse();
        for (at, board) in multiverse.boards() {
            looks.charge(1)?;
            let is_last = multiverse.last(at.timeline).is_some_and(|(last, _)| last == at.half_turn);
            if at.color() == mover {
                places.add(at, board, is_last);
            } else if is_last {
                places.add(after_pass(at), board, true);
            }
        }
        for m in moves {
            looks.charge(2)?;
            let board = position.board(m.from.board).expect("a board that may be played");
            let next = BoardCoordinate { half_turn: m.from.board.half_turn.next(), ..m.from.board };
            if m.kind == MoveKind::Physical {
                let made = board.after_physical(m.from.square, m.to.square, m.promotion);
                places.add_made(after_pass(next), (m.from.board, board), &made);
                continue;
            }
            places.add_made(after_pass(next), (m.from.board, board), &board.after_departure(m.from.square));
            let visited = position.board(m.to.board).expect("a jump leads to a board");
            let arrived = visited.after_arrival(board, m.from.square, m.to.square, m.promotion);
            let half_turn = m.to.board.half_turn.next();
            for &timeline in std::iter::once(&m.to.board.timeline).chain(created) {
                let at = after_pass(BoardCoordinate { timeline, half_turn });
                places.add_made(at, (m.to.board, visited), &arrived);
            }
        }
        Ok(places)
    }

    /// The captures of royal pieces for which a piece of the player and a royal piece may stand where they must, in their order.
    pub(super) fn royal_captures(
        &self,
        looks: &Looks<'_>,
        held: &mut Held<'_>,
    ) -> Result<Vec<Threat>, Because> {
        let royals = self.royals();
        let places = self.boards.len() + self.made_of.len();
        held.take(places * size_of::<Place>() + royals.len() * size_of::<Threat>())?;
        let mut checks = Vec::new();
        for (&board, place) in &self.boards {
            let pieces = place.pieces.iter().fold(0, |all, squares| all | squares);
            looks.charge(pieces.count_ones() as usize * (1 + royals.len() / 8))?;
            let before = checks.len();
            for &to in &royals {
                let from = squares_of(pieces & sources_of(board, to));
                let threats = from.map(|square| Threat { from: Coordinate { board, square }, to });
                checks.extend(threats.filter(|threat| {
                    place.kinds_on(threat.from.square).any(|kind| threat.is_reached_by(kind, self.mover))
                }));
            }
            held.take((checks.len() - before) * 2 * size_of::<Threat>())?;
        }
        checks.sort_unstable();
        Ok(checks)
    }

    /// Adds a board, whose pieces capture if it `acts`.
    fn add(&mut self, at: BoardCoordinate, board: &Board, acts: bool) {
        let place = self.boards.entry(at).or_default();
        place.royals |= board.royals() & board.by_color(!self.mover);
        if acts {
            place.add_pieces(board, board.by_color(self.mover));
        }
    }

    /// Adds a board that is made of another: that one, and pieces on squares where it has none of the player. A move adds nothing else.
    fn add_made(&mut self, at: BoardCoordinate, (of, before): (BoardCoordinate, &Board), made: &Board) {
        if self.made_of.insert((at, of)) {
            self.add(at, before, true);
        }
        let added = made.by_color(self.mover) & !before.by_color(self.mover);
        self.boards.entry(at).or_default().add_pieces(made, added);
    }

    /// The squares on which royal pieces of the opponent may stand.
    fn royals(&self) -> Vec<Coordinate> {
        let on = |(&board, place): (&BoardCoordinate, &Place)| {
            squares_of(place.royals).map(move |square| Coordinate { board, square })
        };
        self.boards.iter().flat_map(on).collect()
    }
}

impl Place {
    /// Adds the pieces on some squares of a board.
    fn add_pieces(&mut self, board: &Board, squares: u64) {
        for square in squares_of(squares) {
            let kind = board.get(square).expect("a piece of the player").kind;
            self.pieces[kind as usize] |= square.bit();
        }
    }

    /// The kinds of piece that may stand on a square.
    fn kinds_on(&self, square: Square) -> impl Iterator<Item = PieceKind> {
        let kinds = PieceKind::ALL.into_iter().zip(&self.pieces);
        kinds.filter(move |(_, squares)| *squares & square.bit() != 0).map(|(kind, _)| kind)
    }
}

/// The board that a pass makes of this one.
fn after_pass(at: BoardCoordinate) -> BoardCoordinate {
    BoardCoordinate { half_turn: at.half_turn.next(), ..at }
}
