//! All timelines of a game and their boards.

use std::hash::{Hash, Hasher};

use super::Board;
use crate::types::{BoardCoordinate, ByColor, Color, HalfTurn, Parity, Timeline};

/// The timelines and their boards, without rules and without a player to move.
///
/// Timelines form an unbroken range of numbers, and the boards of one timeline an unbroken range of half-turns.
#[derive(Clone, Debug)]
pub struct Multiverse {
    parity: Parity,
    lowest: i16,
    highest: i16,
    /// Timeline 0, -1, 1, -2, 2, ... so that rows are only ever added at the end. A row without boards does not exist;
    /// it keeps its memory for the next branch.
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    start: i16,
    boards: Vec<Board>,
    /// The squares of each player's royal pieces on all boards, and on boards that were taken away since: more than there are
    /// does no harm.
    royals: ByColor<u64>,
}

impl Row {
    #[inline]
    fn push(&mut self, board: &Board) {
        if self.boards.len() == self.boards.capacity() {
            self.grow();
        }
        let royals = board.royals();
        for color in Color::ALL {
            self.royals[color] |= royals & board.of(color);
        }
        self.boards.push(*board);
    }

    /// Makes room. Most timelines get more boards than a vector would make room for at first.
    #[cold]
    fn grow(&mut self) {
        let more = self.boards.len().max(16);
        self.boards.reserve(more);
    }
}

/// The index of a timeline's row.
const fn row_index(timeline: i16) -> usize {
    // 0, -1, 1, -2, 2 -> 0, 1, 2, 3, 4
    ((timeline << 1) ^ (timeline >> 15)) as u16 as usize
}

impl Multiverse {
    /// A multiverse of the boards; they must be sorted by coordinate, without gaps and with the central timelines.
    pub(super) fn from_sorted(parity: Parity, boards: &[(BoardCoordinate, Board)]) -> Multiverse {
        let lowest = boards.first().map_or(0, |(at, _)| at.timeline.0);
        let highest = boards.last().map_or(0, |(at, _)| at.timeline.0);
        let mut multiverse = Multiverse { parity, lowest, highest, rows: Vec::new() };
        for (at, board) in boards {
            let row = multiverse.row_mut(at.timeline);
            if row.boards.is_empty() {
                row.start = at.half_turn.0;
            }
            row.push(board);
        }
        multiverse
    }

    /// How timelines are labelled.
    pub fn parity(&self) -> Parity {
        self.parity
    }

    /// The lowest and the highest timeline.
    pub fn range(&self) -> (Timeline, Timeline) {
        (Timeline(self.lowest), Timeline(self.highest))
    }

    /// Every timeline, lowest first.
    pub fn timelines(&self) -> impl DoubleEndedIterator<Item = Timeline> + Clone + use<> {
        (self.lowest..=self.highest).map(Timeline)
    }

    /// The half-turns of the first and the last board of a timeline.
    pub fn span(&self, timeline: Timeline) -> Option<(HalfTurn, HalfTurn)> {
        let row = self.rows.get(row_index(timeline.0)).filter(|row| !row.boards.is_empty())?;
        Some((HalfTurn(row.start), HalfTurn(row.start + row.boards.len() as i16 - 1)))
    }

    /// The board at a coordinate.
    pub fn board(&self, at: BoardCoordinate) -> Option<&Board> {
        self.board_at(at.timeline.0, at.half_turn.0)
    }

    /// The last board of a timeline, the only one from which a piece can move.
    pub fn last(&self, timeline: Timeline) -> Option<(HalfTurn, &Board)> {
        let row = self.rows.get(row_index(timeline.0))?;
        Some((HalfTurn(row.start + row.boards.len() as i16 - 1), row.boards.last()?))
    }

    /// Every board, by timeline and then by time.
    pub fn boards(&self) -> impl Iterator<Item = (BoardCoordinate, &Board)> {
        self.timelines().flat_map(|timeline| {
            let row = &self.rows[row_index(timeline.0)];
            row.boards.iter().enumerate().map(move |(i, board)| {
                (BoardCoordinate { timeline, half_turn: HalfTurn(row.start + i as i16) }, board)
            })
        })
    }

    /// How many boards there are.
    pub fn count(&self) -> usize {
        self.timelines().map(|timeline| self.rows[row_index(timeline.0)].boards.len()).sum()
    }

    /// Every board that `earlier`, of which this multiverse is a continuation, has not.
    pub(crate) fn boards_beyond(
        &self,
        earlier: &Multiverse,
    ) -> impl Iterator<Item = (BoardCoordinate, &Board)> {
        self.timelines().flat_map(|timeline| {
            let row = &self.rows[row_index(timeline.0)];
            let known = earlier.row(timeline.0).map_or(0, |(_, boards)| boards.len());
            row.boards.iter().enumerate().skip(known).map(move |(i, board)| {
                (BoardCoordinate { timeline, half_turn: HalfTurn(row.start + i as i16) }, board)
            })
        })
    }

    /// Whether every board of `earlier` stands here too, on the same timeline before all that were added since.
    pub(super) fn continues(&self, earlier: &Multiverse) -> bool {
        self.parity == earlier.parity
            && earlier.timelines().all(|timeline| match (self.row(timeline.0), earlier.row(timeline.0)) {
                (Some((start, boards)), Some((earlier, first))) => {
                    start == earlier && boards.starts_with(first)
                }
                _ => false,
            })
    }

    /// The lowest and the highest active timeline.
    ///
    /// The n-th timeline of one side, counted outwards from the central range, is active when the other side has at
    /// least n - 1.
    pub fn active(&self) -> (Timeline, Timeline) {
        let (low, high) = self.active_with(0, 0);
        (Timeline(low), Timeline(high))
    }

    /// The active range as it would be with `above` and `below` more timelines.
    pub(crate) fn active_with(&self, above: i16, below: i16) -> (i16, i16) {
        let (low, high) = self.parity.central();
        let (lowest, highest) = (self.lowest - below, self.highest + above);
        let (white, black) = (highest - high.0, low.0 - lowest);
        ((low.0 - white - 1).max(lowest), (high.0 + black + 1).min(highest))
    }

    /// The present: the earliest half-turn at which an active timeline ends.
    pub fn present(&self) -> HalfTurn {
        let (low, high) = self.active();
        (low.0..=high.0).filter_map(|l| Some(self.span(Timeline(l))?.1)).min().unwrap_or(HalfTurn(0))
    }

    /// The timeline that a branch of this player would create.
    pub fn next_timeline(&self, creator: Color) -> Timeline {
        Timeline(match creator {
            Color::White => self.highest + 1,
            Color::Black => self.lowest - 1,
        })
    }

    /// The squares on which a royal piece of this colour stands on any board, and perhaps some more.
    pub(crate) fn royal_squares(&self, color: Color) -> u64 {
        self.rows.iter().fold(0, |squares, row| squares | row.royals[color])
    }

    /// The half-turn of the first board of a timeline, and its boards.
    pub(crate) fn row(&self, timeline: i16) -> Option<(i16, &[Board])> {
        let row = self.rows.get(row_index(timeline))?;
        (!row.boards.is_empty()).then_some((row.start, &row.boards))
    }

    pub(crate) fn board_at(&self, timeline: i16, half_turn: i16) -> Option<&Board> {
        let row = self.rows.get(row_index(timeline))?;
        // A half-turn before the first board wraps to a huge index.
        row.boards.get(half_turn.wrapping_sub(row.start) as u16 as usize)
    }

    /// Adds a board at the end of a timeline; its half-turn is the answer.
    #[inline]
    pub(crate) fn append(&mut self, timeline: Timeline, board: &Board) -> HalfTurn {
        let row = &mut self.rows[row_index(timeline.0)];
        row.push(board);
        HalfTurn(row.start + row.boards.len() as i16 - 1)
    }

    /// Takes the last board of a timeline away again.
    #[inline]
    pub(crate) fn truncate(&mut self, timeline: Timeline) {
        self.rows[row_index(timeline.0)].boards.pop();
    }

    /// Creates the next timeline of `creator`, with one board.
    pub(crate) fn create(&mut self, creator: Color, half_turn: HalfTurn, board: &Board) -> Timeline {
        let timeline = self.next_timeline(creator);
        match creator {
            Color::White => self.highest = timeline.0,
            Color::Black => self.lowest = timeline.0,
        }
        let row = self.row_mut(timeline);
        row.start = half_turn.0;
        row.push(board);
        timeline
    }

    /// Takes the newest timeline of `creator`, which has one board, away again.
    pub(crate) fn uncreate(&mut self, creator: Color) {
        let newest = match creator {
            Color::White => &mut self.highest,
            Color::Black => &mut self.lowest,
        };
        let removed = Timeline(*newest);
        *newest -= creator.creation_step();
        self.truncate(removed);
    }

    fn row_mut(&mut self, timeline: Timeline) -> &mut Row {
        let index = row_index(timeline.0);
        if self.rows.len() <= index {
            self.rows.resize_with(index + 1, Row::default);
        }
        &mut self.rows[index]
    }
}

impl PartialEq for Multiverse {
    fn eq(&self, other: &Multiverse) -> bool {
        self.parity == other.parity
            && self.range() == other.range()
            && self.timelines().all(|l| {
                let (a, b) = (&self.rows[row_index(l.0)], &other.rows[row_index(l.0)]);
                a.start == b.start && a.boards == b.boards
            })
    }
}

impl Eq for Multiverse {}

impl Hash for Multiverse {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.parity, self.range()).hash(state);
        for timeline in self.timelines() {
            let row = &self.rows[row_index(timeline.0)];
            (row.start, &row.boards).hash(state);
        }
    }
}
