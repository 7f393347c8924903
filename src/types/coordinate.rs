//! The places of boards and squares in the multiverse (`spec/01-board-and-coordinates.md`).

use std::fmt;

use super::{Color, Square};

/// A timeline, by its internal number: start timelines around 0, White's new ones above, Black's below
/// (R-1.8).
///
/// With an odd number of start timelines the number is also the label. With an even number, -1 is labelled
/// `-0`, 0 is `+0`, 1 is `+1` and -2 is `-1`; see [`Parity::label`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Timeline(pub i16);

/// Timelines that follow each other without a gap, such as the active ones.
///
/// ```
/// use worldlines::types::{Timeline, TimelineRange};
///
/// let range = TimelineRange::new(Timeline(-1), Timeline(2));
/// assert!(range.contains(Timeline(0)) && !range.contains(Timeline(3)));
/// assert_eq!(range.iter().count(), range.len());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimelineRange {
    /// The first one.
    pub lowest: Timeline,
    /// The last one, which belongs to the range. Below `lowest`, the range is empty.
    pub highest: Timeline,
}

impl TimelineRange {
    /// No timeline.
    pub const EMPTY: TimelineRange = TimelineRange::new(Timeline(0), Timeline(-1));

    /// From `lowest` to `highest`, both included.
    pub const fn new(lowest: Timeline, highest: Timeline) -> TimelineRange {
        TimelineRange { lowest, highest }
    }

    /// Whether `timeline` is in the range.
    #[inline]
    pub const fn contains(self, timeline: Timeline) -> bool {
        self.lowest.0 <= timeline.0 && timeline.0 <= self.highest.0
    }

    /// The number of timelines.
    pub const fn len(self) -> usize {
        if self.is_empty() { 0 } else { self.highest.0.abs_diff(self.lowest.0) as usize + 1 }
    }

    /// Whether the range is empty.
    pub const fn is_empty(self) -> bool {
        self.highest.0 < self.lowest.0
    }

    /// The timelines, lowest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Timeline> + Clone {
        (self.lowest.0..=self.highest.0).map(Timeline)
    }
}

/// The parity of the number of start timelines, which decides their labels (R-1.8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Parity {
    /// Labels ..., -1, 0, 1, ...
    #[default]
    Odd,
    /// Labels ..., -1, -0, +0, +1, ...
    Even,
}

impl Parity {
    /// The text of a timeline's label, as 5DFEN writes it: `0`, `-1`, `2`, or with even parity `-0`, `+0`,
    /// `+1`.
    pub fn label(self, timeline: Timeline) -> TimelineLabel {
        TimelineLabel { parity: self, timeline }
    }

    /// The central timelines, which are always active (R-4.1).
    pub const fn central(self) -> TimelineRange {
        match self {
            Parity::Odd => TimelineRange::new(Timeline(0), Timeline(0)),
            Parity::Even => TimelineRange::new(Timeline(-1), Timeline(0)),
        }
    }
}

/// The label of a timeline, written with [`fmt::Display`].
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

/// A point in time: 2 * turn + (1 when Black is to move). See R-1.3.
///
/// Two boards of one timeline that are one turn apart are two half-turns apart, and a piece steps over whole
/// turns (R-1.5).
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

    /// The player to move.
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
    /// The timeline.
    pub timeline: Timeline,
    /// The half-turn.
    pub half_turn: HalfTurn,
}

impl BoardCoordinate {
    /// The board of `timeline` at `turn` with `color` to move.
    pub const fn new(timeline: i16, turn: i16, color: Color) -> BoardCoordinate {
        BoardCoordinate { timeline: Timeline(timeline), half_turn: HalfTurn::new(turn, color) }
    }

    /// The player to move on it.
    pub const fn color(self) -> Color {
        self.half_turn.color()
    }

    /// The board that follows it on its timeline, one half-turn later.
    pub const fn next(self) -> BoardCoordinate {
        BoardCoordinate { half_turn: self.half_turn.next(), ..self }
    }

    /// The board this many timelines and turns away, with the same player to move.
    #[inline(always)]
    pub(crate) const fn offset(self, timelines: i16, turns: i16) -> BoardCoordinate {
        BoardCoordinate {
            timeline: Timeline(self.timeline.0 + timelines),
            half_turn: HalfTurn(self.half_turn.0 + 2 * turns),
        }
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
pub struct Coordinate {
    /// The board.
    pub board: BoardCoordinate,
    /// The square on it.
    pub square: Square,
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.board, self.square)
    }
}

impl fmt::Debug for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
