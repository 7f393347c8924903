//! Where a board and a square stand in the multiverse (`spec/01-board-and-coordinates.md`).

use std::fmt;

use super::{Color, Square};

/// A timeline, by its internal number: start timelines around 0, White's new ones above, Black's below.
///
/// With an odd number of start timelines the number is also the label. With an even number, -1 is labelled
/// `-0`, 0 is `+0`, 1 is `+1` and -2 is `-1`; see [`Parity::label`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Timeline(pub i16);

/// Whether a game starts with an odd or an even number of timelines, which decides how they are labelled
///
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Parity {
    /// Labels ..., -1, 0, 1, ...
    #[default]
    Odd,
    /// Labels ..., -1, -0, +0, +1, ...
    Even,
}

impl Parity {
    /// The text of a timeline's label, as 5DFEN writes it: `0`, `-1`, `2`, or with even parity `-0`, `+0`, `+1`.
    pub fn label(self, timeline: Timeline) -> TimelineLabel {
        TimelineLabel { parity: self, timeline }
    }

    /// The lowest and the highest timeline of the central range, which is always active.
    pub const fn central(self) -> (Timeline, Timeline) {
        match self {
            Parity::Odd => (Timeline(0), Timeline(0)),
            Parity::Even => (Timeline(-1), Timeline(0)),
        }
    }
}

/// A timeline's label, to be shown with [`fmt::Display`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimelineLabel {
    parity: Parity,
    timeline: Timeline,
}

impl fmt::Display for TimelineLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.timeline.0;
        match self.parity {
            Parity::Odd => write!(f, "{number}"),
            Parity::Even if number < 0 => write!(f, "-{}", -1 - number),
            Parity::Even => write!(f, "+{number}"),
        }
    }
}

/// A point in time: 2 * turn + (1 when Black is to move)..
///
/// Two boards of one timeline that are one turn apart are two half-turns apart, and a piece steps over whole turns
///
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct HalfTurn(pub i16);

impl HalfTurn {
    /// The half-turn of this turn on which `color` is to move.
    pub const fn new(turn: i16, color: Color) -> HalfTurn {
        HalfTurn(2 * turn + color as i16)
    }

    /// The turn number that both colours share; T in the notations.
    pub const fn turn(self) -> i16 {
        self.0 >> 1
    }

    /// Who is to move.
    pub const fn color(self) -> Color {
        if self.0 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// One half-turn later.
    pub const fn next(self) -> HalfTurn {
        HalfTurn(self.0 + 1)
    }
}

impl fmt::Display for HalfTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}{}", self.turn(), self.color().letter())
    }
}

/// One board of the multiverse.
///
/// Shown as `(0T1w)`, with the internal number of the timeline; notations label it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoardCoordinate {
    /// On which timeline.
    pub timeline: Timeline,
    /// When.
    pub half_turn: HalfTurn,
}

impl BoardCoordinate {
    /// The board of `timeline` at `turn` with `color` to move.
    pub const fn new(timeline: i16, turn: i16, color: Color) -> BoardCoordinate {
        BoardCoordinate { timeline: Timeline(timeline), half_turn: HalfTurn::new(turn, color) }
    }

    /// Who is to move on it.
    pub const fn color(self) -> Color {
        self.half_turn.color()
    }
}

impl fmt::Display for BoardCoordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}{})", self.timeline.0, self.half_turn)
    }
}

impl fmt::Debug for BoardCoordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One square of the multiverse.
///
/// Shown as `(0T1w)e2`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The board.
    pub board: BoardCoordinate,
    /// The square on it.
    pub square: Square,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.board, self.square)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
