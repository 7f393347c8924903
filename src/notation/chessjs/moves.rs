//! Moves that are about to be made, as objects.

use super::edition::Edition;
use super::numbering::Numbering;
use super::schema::{self, Castling};
use crate::notation::common::describe::is_en_passant;
use crate::state::{Board, Position};
use crate::types::{Coordinate, Move, MoveKind};

impl Numbering {
    /// The object of a move that is about to be made.
    pub fn move_object(self, position: &Position, m: &Move) -> schema::Move {
        self.object_after(position, m, 0)
    }

    /// The objects of moves that are about to be made one after another. Every board that they leave or enter is there before.
    pub fn move_objects(self, position: &Position, moves: &[Move]) -> Vec<schema::Move> {
        let mut created = 0;
        let object = |m: &Move| {
            let object = self.object_after(position, m, created);
            created += i16::from(m.kind == MoveKind::Branch);
            object
        };
        moves.iter().map(object).collect()
    }

    /// The object of a move that is made after others, which create so many timelines.
    fn object_after(self, position: &Position, m: &Move, created: i16) -> schema::Move {
        let on_source = |square| self.place(Coordinate { board: m.from.board, square });
        let board = position.board(m.from.board);
        let rook = board
            .filter(|_| m.kind == MoveKind::Physical)
            .and_then(|board| board.castling_rook(m.from.square, m.to.square));
        let victim = is_en_passant(position, m)
            .then(|| on_source(Board::en_passant_victim(m.from.square, m.to.square)));
        schema::Move {
            start: self.place(m.from),
            end: self.place(m.to),
            player: position.to_move(),
            promotion: m.promotion,
            en_passant: victim,
            castling: rook.map(|(from, to)| Castling { start: on_source(from), end: on_source(to) }),
            real_end: (self.edition == Edition::Current).then(|| self.real_end(position, m, created)),
        }
    }

    /// The square of the piece after a move that is made after others, which create so many timelines.
    fn real_end(self, position: &Position, m: &Move, created: i16) -> schema::Position {
        let mut board = m.to.board.next();
        if m.kind == MoveKind::Branch {
            let mover = position.to_move();
            board.timeline = position.multiverse().next_timeline(mover);
            board.timeline.0 += mover.branch_direction() * created;
        }
        self.place(Coordinate { board, square: m.to.square })
    }
}
