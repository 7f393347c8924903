//! An axis of the space of actions for each board that can be played, and the values that it may have.

use std::ops::Range;

use crate::rules::movement::{Jump, PhysicalMove};
use crate::state::Board;
use crate::types::{BoardCoordinate, Color, Square};

/// A change of a board, as far as checks are concerned.
#[derive(Clone, Copy, Default)]
pub(super) struct Change {
    /// Squares that become empty.
    pub vacated: u64,
    /// Squares on which a piece of the mover arrives.
    pub filled: u64,
    /// Squares on which an enemy piece disappears, if there was one.
    pub captured: u64,
    /// The part of `filled` where the arriving piece is royal.
    pub royal: u64,
}

impl Change {
    /// The departure of the piece on one square.
    pub(super) fn departure(from: u64) -> Change {
        Change { vacated: from, ..Change::default() }
    }

    /// The squares that are occupied afterwards, walls too.
    pub(super) fn occupied(&self, board: &Board) -> u64 {
        board.occupied() & !self.vacated | self.filled
    }

    /// The squares of the mover's royal pieces afterwards.
    pub(super) fn royals(&self, board: &Board, mover: Color) -> u64 {
        board.royals() & board.by_color(mover) & !self.vacated | self.royal
    }
}

/// A move within a board.
#[derive(Clone, Copy)]
pub(super) struct Physical {
    pub made: PhysicalMove,
    pub change: Change,
}

/// A move to another board: it creates a timeline, or hops if its target can be played and is not played otherwise.
#[derive(Clone, Copy)]
pub(super) struct PooledJump {
    pub jump: Jump,
    // u16 saves memory for thousands of jumps; MAX_TIMELINES keeps indices below it.
    source: u16,
    target: Option<u16>,
    royal: bool,
}

impl PooledJump {
    /// A jump from one axis, to another one if its target can be played too.
    pub(super) fn new(jump: Jump, source: usize, target: Option<usize>, royal: bool) -> PooledJump {
        PooledJump { jump, source: source as u16, target: target.map(|axis| axis as u16), royal }
    }

    /// The axis of the board where it starts.
    pub(super) fn source(&self) -> usize {
        self.source.into()
    }

    /// The axis of its target board when that can be played too.
    pub(super) fn target(&self) -> Option<usize> {
        self.target.map(usize::from)
    }

    /// The change of the board where it arrives.
    pub(super) fn change(&self) -> Change {
        let to = self.jump.to.bit();
        Change { vacated: 0, filled: to, captured: to, royal: if self.royal { to } else { 0 } }
    }

    /// The half-turn of the board that it makes.
    pub(super) fn arrival(&self) -> i16 {
        self.jump.to_board.half_turn.0 + 1
    }
}

/// A value of a play axis: what happens to its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// The piece on this square departs to another board.
    Depart(Square),
    /// The board is left alone.
    Pass,
    /// A move within the board, by its index among those of the axis.
    Move(usize),
    /// A piece arrives from another board, by the index of its jump among those that may hop here.
    Arrive(usize),
}

/// The bit of [`Value::Pass`], which follows those of the squares.
const PASS: usize = 64;

/// A board that the player may play.
///
/// A cuboid has a bit for each value, in this order: departures by square, which fill the first word, then to leave the board
/// alone, moves within it, and arrivals. Only this file knows the order.
pub(super) struct Axis<'a> {
    pub at: BoardCoordinate,
    pub board: &'a Board,
    /// Into `physicals`.
    pub physicals: Range<usize>,
    /// Into `pool`: the jumps that start here.
    pub jumps: Range<usize>,
    /// The squares from which those jumps start.
    pub departures: u64,
    /// Into `arrivals`: the jumps that may hop here, by source.
    pub arrivals: Range<usize>,
    /// Into `hops`.
    pub hops: Range<usize>,
    /// In a cuboid.
    pub words: Range<usize>,
}

impl<'a> Axis<'a> {
    /// The axis of a board with these moves within it and without jumps. Its words begin at `word`.
    pub(super) fn new(
        at: BoardCoordinate,
        board: &'a Board,
        physicals: Range<usize>,
        word: usize,
    ) -> Axis<'a> {
        let mut axis = Axis {
            at,
            board,
            physicals,
            jumps: 0..0,
            departures: 0,
            arrivals: 0..0,
            hops: 0..0,
            words: 0..0,
        };
        axis.move_words(word);
        axis
    }

    /// Lets the words begin at `word`. Returns where they were.
    pub(super) fn move_words(&mut self, word: usize) -> Range<usize> {
        let words = word..word + self.arriving().end.div_ceil(64);
        std::mem::replace(&mut self.words, words)
    }

    /// The bit of a value.
    pub(super) fn bit(&self, value: Value) -> usize {
        match value {
            Value::Depart(square) => square.index(),
            Value::Pass => PASS,
            Value::Move(index) => self.moving().start + index,
            Value::Arrive(index) => self.arriving().start + index,
        }
    }

    /// The value of a bit.
    pub(super) fn value(&self, bit: usize) -> Value {
        let (moving, arriving) = (self.moving().start, self.arriving().start);
        match bit {
            0..PASS => Value::Depart(Square::from_index(bit as u32)),
            PASS => Value::Pass,
            _ if bit < arriving => Value::Move(bit - moving),
            _ => Value::Arrive(bit - arriving),
        }
    }

    /// The bits of all departures.
    pub(super) fn departing(&self) -> Range<usize> {
        0..PASS
    }

    /// The bits without any jump: to leave the board alone, and the moves within it.
    pub(super) fn staying(&self) -> Range<usize> {
        PASS..self.arriving().start
    }

    /// The bits of the moves within the board.
    pub(super) fn moving(&self) -> Range<usize> {
        PASS + 1..self.arriving().start
    }

    /// The bits of the arrivals.
    pub(super) fn arriving(&self) -> Range<usize> {
        let first = PASS + 1 + self.physicals.len();
        first..first + self.arrivals.len()
    }

    /// Adds every departure to a set of values.
    pub(super) fn insert_departures(&self, set: &mut [u64]) {
        set[0] |= self.departures;
    }

    /// The word of the departures, which has a bit for each square.
    pub(super) fn departure_word(&self) -> Range<usize> {
        self.words.start..self.words.start + 1
    }
}

/// The jumps from one board that may hop to another.
#[derive(Clone)]
pub(super) struct Hop {
    pub source: usize,
    pub target: usize,
    /// Bits of the target axis.
    pub bits: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{BoardSize, HalfTurn, Timeline};

    #[test]
    fn bits_and_values_are_the_same_thing() {
        let board = Board::empty(BoardSize::new(8, 8).unwrap());
        let at = BoardCoordinate { timeline: Timeline(0), half_turn: HalfTurn(2) };
        let mut axis = Axis::new(at, &board, 10..90, 3);
        assert_eq!(axis.words, 3..6);
        axis.arrivals = 5..60;
        assert_eq!(axis.move_words(1), 3..6);
        assert_eq!(axis.words, 1..5);
        let values: Vec<Value> = (0..axis.arriving().end).map(|bit| axis.value(bit)).collect();
        assert!((0..values.len()).all(|bit| axis.bit(values[bit]) == bit));
        let of = |bits: Range<usize>| &values[bits];
        assert!(of(axis.departing()).iter().all(|value| matches!(value, Value::Depart(_))));
        assert_eq!(of(axis.staying())[..2], [Value::Pass, Value::Move(0)]);
        assert_eq!((of(axis.moving()).len(), of(axis.moving()).last()), (80, Some(&Value::Move(79))));
        assert_eq!((of(axis.arriving()).len(), of(axis.arriving())[0]), (55, Value::Arrive(0)));
    }
}
