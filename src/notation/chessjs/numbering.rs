//! How 5d-chess-js numbers timelines and turns, in its objects and raw arrays.

use super::schema::{Castling, Move, Position};
use super::start::turn_offset;
use crate::notation::common::describe::is_en_passant;
use crate::state;
use crate::types::{self, Color, Coordinate, HalfTurn, MoveKind, Parity, Timeline};

/// An edition of 5d-chess-js. They have the same objects, with other numbers and letters in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edition {
    /// 0.3.6, the last that the README describes. Black's extra board of `turn_zero` is turn 1 there, games with `-0` and `+0` have no
    /// numbers, and raw arrays begin with the highest rank.
    Readme,
    /// 1.2.1. Turns have their own numbers, `-0` and `+0` are the timelines -1 and 1, and raw arrays begin with the first rank.
    #[default]
    Current,
}

/// The numbers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbering {
    pub edition: Edition,
    pub parity: Parity,
    /// How much later turns are numbered.
    later: i16,
}

impl Numbering {
    /// The numbers of a game that starts like this.
    pub fn of(edition: Edition, start: &state::Position) -> Numbering {
        let later = if edition == Edition::Readme { turn_offset(start) } else { 0 };
        // Without numbers for `-0` and `+0` what is read means something all the same.
        let parity = if edition == Edition::Readme { Parity::Odd } else { start.parity() };
        Numbering { edition, parity, later }
    }

    /// The numbers of boards on these timelines. Where there is no timeline 0, -1 and 1 are `-0` and `+0`.
    pub fn of_timelines(numbers: impl Iterator<Item = i16>) -> Numbering {
        let (mut zero, mut minus, mut plus) = (false, false, false);
        for number in numbers {
            zero |= number == 0;
            minus |= number == -1;
            plus |= number == 1;
        }
        let parity = if minus && plus && !zero { Parity::Even } else { Parity::Odd };
        let edition = if parity == Parity::Even { Edition::Current } else { Edition::Readme };
        Numbering { edition, parity, later: 0 }
    }

    pub fn timeline(self, timeline: Timeline) -> i16 {
        let shift = self.parity == Parity::Even && timeline.0 >= 0;
        timeline.0 + i16::from(shift)
    }

    pub fn timeline_of(self, number: i16) -> Timeline {
        match self.parity {
            Parity::Odd => Timeline(number),
            // There is no timeline 0: a number that is none is on no board.
            Parity::Even if number == 0 => Timeline(i16::MAX),
            Parity::Even => Timeline(number - i16::from(number > 0)),
        }
    }

    pub fn turn(self, half_turn: HalfTurn) -> i16 {
        half_turn.turn() + self.later
    }

    pub fn place(self, Coordinate { board, square }: Coordinate) -> Position {
        Position {
            timeline: self.timeline(board.timeline),
            turn: self.turn(board.half_turn),
            player: board.color(),
            square,
        }
    }

    pub fn coordinate(self, position: &Position) -> Coordinate {
        let half_turn = HalfTurn::new(position.turn - self.later, position.player);
        let board = types::BoardCoordinate { timeline: self.timeline_of(position.timeline), half_turn };
        Coordinate { board, square: position.square }
    }

    /// The object of a move that is about to be made.
    pub fn move_object(self, position: &state::Position, m: &types::Move) -> Move {
        self.object_after(position, m, 0)
    }

    /// The objects of moves that are about to be made one after another. Every board that they leave or enter is there before.
    pub fn move_objects(self, position: &state::Position, moves: &[types::Move]) -> Vec<Move> {
        let mut created = 0;
        let object = |m: &types::Move| {
            let object = self.object_after(position, m, created);
            created += i16::from(m.kind == MoveKind::Branch);
            object
        };
        moves.iter().map(object).collect()
    }

    /// The object of a move that is made after others, which create so many timelines.
    fn object_after(self, position: &state::Position, m: &types::Move, created: i16) -> Move {
        let on_source = |square| self.place(Coordinate { board: m.from.board, square });
        let board = position.board(m.from.board);
        let rook = board
            .filter(|_| m.kind == MoveKind::Physical)
            .and_then(|board| board.castling_rook(m.from.square, m.to.square));
        let victim = is_en_passant(position, m)
            .then(|| on_source(state::Board::en_passant_victim(m.from.square, m.to.square)));
        Move {
            start: self.place(m.from),
            end: self.place(m.to),
            player: position.to_move(),
            promotion: m.promotion,
            en_passant: victim,
            castling: rook.map(|(from, to)| Castling { start: on_source(from), end: on_source(to) }),
            real_end: (self.edition == Edition::Current).then(|| self.real_end(position, m, created)),
        }
    }

    /// Where the piece stands after a move that is made after others, which create so many timelines.
    fn real_end(self, position: &state::Position, m: &types::Move, created: i16) -> Position {
        let mut board = m.to.board.next();
        if m.kind == MoveKind::Branch {
            let mover = position.to_move();
            board.timeline = position.multiverse().next_timeline(mover);
            board.timeline.0 += mover.branch_direction() * created;
        }
        self.place(Coordinate { board, square: m.to.square })
    }

    /// The index of a timeline in raw arrays: 0, +1, -1, +2, -2 have 0, 2, 1, 4, 3.
    pub fn timeline_index(self, timeline: Timeline) -> usize {
        let number = self.timeline(timeline);
        let doubled = 2 * usize::from(number.unsigned_abs());
        if number < 0 { doubled - 1 } else { doubled }
    }

    /// The index of a half-turn in raw arrays, in a game that has a turn 0 or has none; `None` before the first index.
    pub fn turn_index(self, half_turn: HalfTurn, from_zero: bool) -> Option<usize> {
        let shift = i16::from(from_zero) + self.later;
        let player = i16::from(half_turn.color() == Color::Black);
        usize::try_from(2 * (half_turn.turn() + shift - 1) + player).ok()
    }
}
