//! The numbers that 5d-chess-js gives to timelines and turns, in its objects and raw arrays.

use super::edition::Edition;
use super::start::turn_offset;
use crate::state::Position;
use crate::types::{Color, HalfTurn, Parity, Timeline};

/// The numbers of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Numbering {
    pub edition: Edition,
    pub parity: Parity,
    /// The number that is added to turns.
    later: i16,
}

impl Numbering {
    /// The numbers of a game that starts like this.
    pub fn of(edition: Edition, start: &Position) -> Numbering {
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

    pub fn half_turn_of(self, turn: i16, player: Color) -> HalfTurn {
        HalfTurn::new(turn - self.later, player)
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
