//! The multiverse as a value: its boards, the active timelines and the present.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use crate::types::{
    BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Parity, Piece, RuleProfile, Square, Timeline,
    TimelineRange,
};

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// The piece.
    pub piece: Piece,
    /// Whether it is unmoved. Always `false` for kinds for which that never matters.
    pub unmoved: bool,
}

/// The squares of one board, rank by rank from `a1`.
pub(super) type Board = Vec<Option<Cell>>;

/// A timeline: boards without a gap.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Line {
    pub(super) start: HalfTurn,
    pub(super) boards: Vec<Board>,
}

impl Line {
    /// The half-turn of the playable board, the only one that a piece can leave.
    pub(super) fn end(&self) -> HalfTurn {
        HalfTurn(self.start.0 + (self.boards.len() as i16 - 1))
    }

    fn board(&self, half_turn: HalfTurn) -> Option<&Board> {
        let index = usize::try_from(half_turn.0.checked_sub(self.start.0)?).ok()?;
        self.boards.get(index)
    }
}

/// A multiverse and the player to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SlowState {
    pub(super) size: BoardSize,
    pub(super) parity: Parity,
    pub(super) profile: RuleProfile,
    /// Stored apart from the boards: in the middle of an action the present may already have the opponent's
    /// colour.
    pub(super) mover: Color,
    pub(super) lines: BTreeMap<i16, Line>,
}

/// The reason why some boards do not form a multiverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SlowError {
    /// A central timeline, which every start has, has no board.
    MissingTimeline(Timeline),
    /// There are boards on both sides of this timeline, but none on it.
    TimelineGap(Timeline),
    /// The timeline has boards before and after this one, but not this one.
    TimeGap(BoardCoordinate),
    /// The same board is given twice.
    RepeatedBoard(BoardCoordinate),
    /// Two pieces stand on one square.
    RepeatedSquare(Coordinate),
    /// A piece stands outside the board.
    OutsideBoard(Coordinate),
}

impl fmt::Display for SlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlowError::MissingTimeline(line) => write!(f, "central timeline {} has no board", line.0),
            SlowError::TimelineGap(line) => write!(f, "timeline {} is missing between others", line.0),
            SlowError::TimeGap(at) => write!(f, "timeline {} has a gap at {}", at.timeline.0, at.half_turn),
            SlowError::RepeatedBoard(at) => {
                write!(f, "timeline {} has two boards at {}", at.timeline.0, at.half_turn)
            }
            SlowError::RepeatedSquare(at) => write!(f, "two pieces on {}", at.square),
            SlowError::OutsideBoard(at) => write!(f, "{} is outside the board", at.square),
        }
    }
}

impl std::error::Error for SlowError {}

impl SlowState {
    /// The position of these boards, in any order; squares that are not listed are empty.
    pub fn new(
        size: BoardSize,
        parity: Parity,
        profile: RuleProfile,
        boards: impl IntoIterator<Item = (BoardCoordinate, Vec<(Square, Cell)>)>,
    ) -> Result<SlowState, SlowError> {
        let mut sorted = BTreeMap::new();
        for (at, cells) in boards {
            let Entry::Vacant(entry) = sorted.entry(at) else { return Err(SlowError::RepeatedBoard(at)) };
            entry.insert(fill(size, at, cells)?);
        }

        let mut lines: BTreeMap<i16, Line> = BTreeMap::new();
        for (at, board) in sorted {
            let line = lines
                .entry(at.timeline.0)
                .or_insert_with(|| Line { start: at.half_turn, boards: Vec::new() });
            let next = HalfTurn(line.start.0 + line.boards.len() as i16);
            if next != at.half_turn {
                return Err(SlowError::TimeGap(BoardCoordinate { timeline: at.timeline, half_turn: next }));
            }
            line.boards.push(board);
        }

        let central = parity.central();
        for timeline in central.iter() {
            if !lines.contains_key(&timeline.0) {
                return Err(SlowError::MissingTimeline(timeline));
            }
        }
        let first = lines.keys().min().map_or(central.lowest.0, |&line| line);
        let last = lines.keys().max().map_or(central.highest.0, |&line| line);
        if let Some(gap) = (first..=last).find(|line| !lines.contains_key(line)) {
            return Err(SlowError::TimelineGap(Timeline(gap)));
        }

        let mut state = SlowState { size, parity, profile, mover: Color::White, lines };
        state.mover = state.present().color();
        Ok(state)
    }

    /// Every board with its occupied squares, by timeline, then time; squares from `a1` along the ranks.
    pub fn boards(&self) -> impl Iterator<Item = (BoardCoordinate, Vec<(Square, Cell)>)> {
        self.lines.iter().flat_map(move |(&timeline, line)| {
            line.boards.iter().enumerate().map(move |(i, board)| {
                let half_turn = HalfTurn(line.start.0 + i as i16);
                let at = BoardCoordinate { timeline: Timeline(timeline), half_turn };
                let cells = self.squares().filter_map(|square| Some((square, board[self.index(square)]?)));
                (at, cells.collect())
            })
        })
    }

    /// The player to move: the colour of the present when the action began.
    pub fn to_move(&self) -> Color {
        self.mover
    }

    /// The active timelines.
    ///
    /// Outside the central range a player has at most one active timeline more than the opponent has
    /// timelines. The side of a timeline counts, not the player who made it.
    pub fn active(&self) -> TimelineRange {
        let TimelineRange { lowest: low, highest: high } = self.parity.central();
        let black = low.0 - self.lines.keys().min().expect("a multiverse has a timeline");
        let white = self.lines.keys().max().expect("a multiverse has a timeline") - high.0;
        let lowest = low.0 - black.min(white + 1);
        let highest = high.0 + white.min(black + 1);
        TimelineRange::new(Timeline(lowest), Timeline(highest))
    }

    /// The earliest playable board among the active timelines; inactive ones do not count.
    pub fn present(&self) -> HalfTurn {
        let active = self.active();
        self.lines
            .range(active.lowest.0..=active.highest.0)
            .map(|(_, line)| line.end())
            .min()
            .expect("the centre is active")
    }

    /// The playable board of every timeline on which `color` is to move.
    pub(super) fn playable(&self, color: Color) -> Vec<BoardCoordinate> {
        self.lines
            .iter()
            .map(|(&timeline, line)| BoardCoordinate { timeline: Timeline(timeline), half_turn: line.end() })
            .filter(|at| at.color() == color)
            .collect()
    }

    /// The pieces of `color` on a board, with their squares.
    pub(super) fn army(&self, at: BoardCoordinate, color: Color) -> Vec<(Coordinate, Cell)> {
        let Some(board) = self.board(at) else { return Vec::new() };
        self.squares()
            .filter_map(|square| Some((Coordinate { board: at, square }, board[self.index(square)]?)))
            .filter(|(_, cell)| cell.piece.color == color)
            .collect()
    }

    pub(super) fn board(&self, at: BoardCoordinate) -> Option<&Board> {
        self.lines.get(&at.timeline.0)?.board(at.half_turn)
    }

    /// The piece on a square; `None` if the square is empty or the board does not exist.
    pub(super) fn cell(&self, place: Coordinate) -> Option<Cell> {
        self.board(place.board)?[self.index(place.square)]
    }

    pub(super) fn index(&self, square: Square) -> usize {
        usize::from(square.rank()) * usize::from(self.size.width()) + usize::from(square.file())
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        let (width, height) = (self.size.width(), self.size.height());
        (0..height).flat_map(move |rank| (0..width).filter_map(move |file| Square::new(file, rank)))
    }
}

fn fill(size: BoardSize, at: BoardCoordinate, cells: Vec<(Square, Cell)>) -> Result<Board, SlowError> {
    let mut board = vec![None; usize::from(size.width()) * usize::from(size.height())];
    for (square, cell) in cells {
        let place = Coordinate { board: at, square };
        if !size.contains(square) {
            return Err(SlowError::OutsideBoard(place));
        }
        let slot =
            &mut board[usize::from(square.rank()) * usize::from(size.width()) + usize::from(square.file())];
        if slot.is_some() {
            return Err(SlowError::RepeatedSquare(place));
        }
        // A mark without a meaning would only make equal positions look different.
        *slot = Some(Cell { unmoved: cell.unmoved && cell.piece.kind.tracks_unmoved(), ..cell });
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slow::games::parse;
    use crate::types::PieceKind;

    const ROOK: Cell = Cell { piece: Piece { color: Color::White, kind: PieceKind::Rook }, unmoved: true };
    const QUEEN: Cell = Cell { piece: Piece { color: Color::White, kind: PieceKind::Queen }, unmoved: true };
    const SIZE: BoardSize = BoardSize::new(3, 2).unwrap();

    fn build(boards: &[(i16, i16, Color)], cells: &[(Square, Cell)]) -> Result<SlowState, SlowError> {
        let boards = boards.iter().map(|&(l, t, c)| (BoardCoordinate::new(l, t, c), cells.to_vec()));
        SlowState::new(SIZE, Parity::Odd, RuleProfile::default(), boards)
    }

    #[test]
    fn boards_come_back_sorted_and_without_idle_flags() {
        let (a1, c2) = (Square::new(0, 0).unwrap(), Square::new(2, 1).unwrap());
        let boards = [(0, 1, Color::Black), (1, 1, Color::Black), (0, 1, Color::White)];
        let state = build(&boards, &[(c2, QUEEN), (a1, ROOK)]).unwrap();
        let plain = Cell { unmoved: false, ..QUEEN };
        let mut expected = boards.map(|(l, t, c)| BoardCoordinate::new(l, t, c));
        expected.sort();
        assert!(state.boards().eq(expected.map(|at| (at, vec![(a1, ROOK), (c2, plain)]))));
        assert_eq!(SlowState::new(SIZE, state.parity, state.profile, state.boards()), Ok(state));
    }

    #[test]
    fn what_is_not_a_multiverse_is_refused() {
        let at = |l, t, c| BoardCoordinate::new(l, t, c);
        let (white, black) = (Color::White, Color::Black);
        assert_eq!(build(&[], &[]), Err(SlowError::MissingTimeline(Timeline(0))));
        assert_eq!(build(&[(1, 1, white)], &[]), Err(SlowError::MissingTimeline(Timeline(0))));
        assert_eq!(build(&[(0, 1, white), (2, 1, white)], &[]), Err(SlowError::TimelineGap(Timeline(1))));
        assert_eq!(build(&[(0, 1, white), (0, 2, white)], &[]), Err(SlowError::TimeGap(at(0, 1, black))));
        assert_eq!(
            build(&[(0, 1, white), (0, 1, white)], &[]),
            Err(SlowError::RepeatedBoard(at(0, 1, white)))
        );
        let (a1, a3) = (Square::new(0, 0).unwrap(), Square::new(0, 2).unwrap());
        let place = |square| Coordinate { board: at(0, 1, white), square };
        assert_eq!(
            build(&[(0, 1, white)], &[(a1, ROOK), (a1, QUEEN)]),
            Err(SlowError::RepeatedSquare(place(a1)))
        );
        assert_eq!(build(&[(0, 1, white)], &[(a3, ROOK)]), Err(SlowError::OutsideBoard(place(a3))));
    }

    #[test]
    fn extra_timelines_are_active_as_far_as_the_other_side_keeps_up() {
        let state = |labels: &[&str]| {
            parse(&labels.iter().map(|label| format!("[1:{label}:1:w] ")).collect::<String>())
        };
        let active = |labels| {
            let active = state(labels).active();
            (active.lowest, active.highest)
        };
        assert_eq!(active(&["0", "1", "2"]), (Timeline(0), Timeline(1)));
        assert_eq!(active(&["-1", "0", "1", "2", "3"]), (Timeline(-1), Timeline(2)));
        assert_eq!(active(&["-0", "+0", "+1", "+2"]), (Timeline(-1), Timeline(1)));
        assert_eq!(active(&["-3", "-2", "-1", "-0", "+0", "+1"]), (Timeline(-3), Timeline(1)));
        assert_eq!(parse("[1:0:1:w] [1:1:1:b] [1:2:0:w]").present(), HalfTurn::new(1, Color::White));
        assert_eq!(parse("[1:-1:3:b] [1:0:3:w] [1:1:1:b] [1:2:0:w]").to_move(), Color::White);
    }
}
