//! All timelines of a game and their boards.

use std::hash::{Hash, Hasher};

use super::Board;
use crate::types::{BoardCoordinate, ByColor, Color, HalfTurn, Parity, Timeline, TimelineRange};

/// The timelines and their boards, without rules and without a player to move.
///
/// Timelines form an unbroken range of numbers, and the boards of one timeline an unbroken range of
/// half-turns (R-1.4).
#[derive(Clone, Debug)]
pub struct Multiverse {
    parity: Parity,
    lowest: i16,
    highest: i16,
    /// The timelines in the order 0, -1, 1, -2, 2, ..., so that entries are only ever added at the end. An
    /// entry without boards is no timeline; it keeps its memory for the next branch.
    by_index: Vec<TimelineBoards>,
}

#[derive(Clone, Debug, Default)]
struct TimelineBoards {
    start: i16,
    boards: Vec<Board>,
    /// The squares of each player's royal pieces on all boards. Boards that have been removed may still be
    /// counted; extra squares only cost time.
    royals: ByColor<u64>,
}

impl TimelineBoards {
    #[inline]
    fn push(&mut self, board: &Board) {
        if self.boards.len() == self.boards.capacity() {
            self.grow();
        }
        let royals = board.royals();
        for color in Color::ALL {
            self.royals[color] |= royals & board.by_color(color);
        }
        self.boards.push(*board);
    }

    /// Reserves memory. Most timelines get more boards than a vector reserves at first.
    #[cold]
    fn grow(&mut self) {
        let more = self.boards.len().max(16);
        self.boards.reserve(more);
    }
}

/// The index of a timeline in `by_index`.
const fn timeline_index(timeline: i16) -> usize {
    // 0, -1, 1, -2, 2 -> 0, 1, 2, 3, 4
    ((timeline << 1) ^ (timeline >> 15)) as u16 as usize
}

impl Multiverse {
    /// A multiverse of the boards; they must be sorted by coordinate, without gaps and with the central
    /// timelines.
    pub(super) fn from_sorted(parity: Parity, boards: &[(BoardCoordinate, Board)]) -> Multiverse {
        let lowest = boards.first().map_or(0, |(at, _)| at.timeline.0);
        let highest = boards.last().map_or(0, |(at, _)| at.timeline.0);
        let mut multiverse = Multiverse { parity, lowest, highest, by_index: Vec::new() };
        for (at, board) in boards {
            let line = multiverse.timeline_mut(at.timeline);
            if line.boards.is_empty() {
                line.start = at.half_turn.0;
            }
            line.push(board);
        }
        multiverse
    }

    /// The parity, which decides the labels of timelines.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// The timelines that exist.
    pub fn range(&self) -> TimelineRange {
        TimelineRange::new(Timeline(self.lowest), Timeline(self.highest))
    }

    /// Every timeline, lowest first.
    pub fn timelines(&self) -> impl DoubleEndedIterator<Item = Timeline> + Clone + use<> {
        self.range().iter()
    }

    /// The half-turns of the first and the last board of a timeline.
    pub fn span(&self, timeline: Timeline) -> Option<(HalfTurn, HalfTurn)> {
        let line = self.by_index.get(timeline_index(timeline.0)).filter(|line| !line.boards.is_empty())?;
        Some((HalfTurn(line.start), HalfTurn(line.start + line.boards.len() as i16 - 1)))
    }

    /// The board at a coordinate.
    #[inline]
    pub fn board(&self, at: BoardCoordinate) -> Option<&Board> {
        let line = self.by_index.get(timeline_index(at.timeline.0))?;
        // A half-turn before the first board wraps to a huge index.
        line.boards.get(at.half_turn.0.wrapping_sub(line.start) as u16 as usize)
    }

    /// The last board of a timeline, the only one from which a piece can move (R-1.4).
    pub fn last(&self, timeline: Timeline) -> Option<(HalfTurn, &Board)> {
        let line = self.by_index.get(timeline_index(timeline.0))?;
        Some((HalfTurn(line.start + line.boards.len() as i16 - 1), line.boards.last()?))
    }

    /// The last board of every timeline, lowest timeline first.
    ///
    /// ```
    /// let mut position = worldlines::state::Position::default();
    /// position.play(&"(0T1w)e2e4".parse()?)?;
    /// let ends: Vec<String> = position.multiverse().ends().map(|(at, _)| at.to_string()).collect();
    /// assert_eq!(ends, ["(0T1b)"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn ends(&self) -> impl DoubleEndedIterator<Item = (BoardCoordinate, &Board)> + Clone {
        self.timelines().filter_map(|timeline| {
            let (half_turn, board) = self.last(timeline)?;
            Some((BoardCoordinate { timeline, half_turn }, board))
        })
    }

    /// Every board, by timeline and then by time.
    pub fn boards(&self) -> impl Iterator<Item = (BoardCoordinate, &Board)> {
        self.timelines().flat_map(|timeline| {
            let line = &self.by_index[timeline_index(timeline.0)];
            line.boards.iter().enumerate().map(move |(i, board)| {
                (BoardCoordinate { timeline, half_turn: HalfTurn(line.start + i as i16) }, board)
            })
        })
    }

    /// The number of boards.
    pub fn count(&self) -> usize {
        self.timelines().map(|timeline| self.by_index[timeline_index(timeline.0)].boards.len()).sum()
    }

    /// The boards that were added since `earlier`, which this multiverse continues.
    pub(crate) fn boards_beyond(
        &self,
        earlier: &Multiverse,
    ) -> impl Iterator<Item = (BoardCoordinate, &Board)> {
        self.timelines().flat_map(|timeline| {
            let line = &self.by_index[timeline_index(timeline.0)];
            let known = earlier.timeline_boards(timeline.0).map_or(0, |(_, boards)| boards.len());
            line.boards.iter().enumerate().skip(known).map(move |(i, board)| {
                (BoardCoordinate { timeline, half_turn: HalfTurn(line.start + i as i16) }, board)
            })
        })
    }

    /// Whether this multiverse has all boards of `earlier`, at the same coordinates, and its other boards are
    /// later.
    pub(super) fn continues(&self, earlier: &Multiverse) -> bool {
        self.parity == earlier.parity
            && earlier.timelines().all(|timeline| {
                match (self.timeline_boards(timeline.0), earlier.timeline_boards(timeline.0)) {
                    (Some((start, boards)), Some((earlier, first))) => {
                        start == earlier && boards.starts_with(first)
                    }
                    _ => false,
                }
            })
    }

    /// The active timelines (R-4.2).
    ///
    /// The n-th timeline of one side, counted outwards from the central range, is active when the other side
    /// has at least n - 1.
    pub fn active(&self) -> TimelineRange {
        self.active_with(0, 0)
    }

    /// The active timelines if there were `above` and `below` more timelines.
    pub(crate) fn active_with(&self, above: i16, below: i16) -> TimelineRange {
        let TimelineRange { lowest: Timeline(low), highest: Timeline(high) } = self.parity.central();
        let (lowest, highest) = (self.lowest - below, self.highest + above);
        let (white, black) = (highest - high, low - lowest);
        TimelineRange::new(Timeline((low - white - 1).max(lowest)), Timeline((high + black + 1).min(highest)))
    }

    /// The present: the earliest half-turn at which an active timeline ends (R-4.4).
    pub fn present(&self) -> HalfTurn {
        let ends = self.active().iter().filter_map(|timeline| Some(self.span(timeline)?.1));
        ends.min().unwrap_or(HalfTurn(0))
    }

    /// The timeline that a branch of this player would create (R-3.4).
    pub fn next_timeline(&self, creator: Color) -> Timeline {
        Timeline(match creator {
            Color::White => self.highest + 1,
            Color::Black => self.lowest - 1,
        })
    }

    /// The squares on which a royal piece of this colour stands on any board, perhaps with some others.
    pub(crate) fn royal_squares(&self, color: Color) -> u64 {
        self.by_index.iter().fold(0, |squares, line| squares | line.royals[color])
    }

    /// The half-turn of the first board of a timeline, and its boards.
    pub(crate) fn timeline_boards(&self, timeline: i16) -> Option<(i16, &[Board])> {
        let line = self.by_index.get(timeline_index(timeline))?;
        (!line.boards.is_empty()).then_some((line.start, &line.boards))
    }

    /// Adds a board at the end of a timeline and returns its half-turn.
    #[inline]
    pub(crate) fn push_board(&mut self, timeline: Timeline, board: &Board) -> HalfTurn {
        let line = &mut self.by_index[timeline_index(timeline.0)];
        line.push(board);
        HalfTurn(line.start + line.boards.len() as i16 - 1)
    }

    /// Removes the last board of a timeline.
    #[inline]
    pub(crate) fn pop_board(&mut self, timeline: Timeline) {
        self.by_index[timeline_index(timeline.0)].boards.pop();
    }

    /// Creates the next timeline of `creator`, with one board.
    pub(crate) fn push_timeline(&mut self, creator: Color, half_turn: HalfTurn, board: &Board) -> Timeline {
        let timeline = self.next_timeline(creator);
        match creator {
            Color::White => self.highest = timeline.0,
            Color::Black => self.lowest = timeline.0,
        }
        let line = self.timeline_mut(timeline);
        line.start = half_turn.0;
        line.push(board);
        timeline
    }

    /// Removes the newest timeline of `creator`, which has one board.
    pub(crate) fn pop_timeline(&mut self, creator: Color) {
        let newest = match creator {
            Color::White => &mut self.highest,
            Color::Black => &mut self.lowest,
        };
        let removed = Timeline(*newest);
        *newest -= creator.branch_direction();
        self.pop_board(removed);
    }

    fn timeline_mut(&mut self, timeline: Timeline) -> &mut TimelineBoards {
        let index = timeline_index(timeline.0);
        if self.by_index.len() <= index {
            self.by_index.resize_with(index + 1, TimelineBoards::default);
        }
        &mut self.by_index[index]
    }
}

impl PartialEq for Multiverse {
    fn eq(&self, other: &Multiverse) -> bool {
        self.parity == other.parity
            && self.range() == other.range()
            && self.timelines().all(|l| {
                let (a, b) = (&self.by_index[timeline_index(l.0)], &other.by_index[timeline_index(l.0)]);
                a.start == b.start && a.boards == b.boards
            })
    }
}

impl Eq for Multiverse {}

impl Hash for Multiverse {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.parity, self.range()).hash(state);
        for timeline in self.timelines() {
            let line = &self.by_index[timeline_index(timeline.0)];
            (line.start, &line.boards).hash(state);
        }
    }
}
