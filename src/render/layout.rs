//! The layout of a picture of a multiverse, as plain data.
//!
//! Timelines are rows and half-turns are columns, as players see them. The [SVG picture](super::svg) and the
//! board in the browser draw this layout and make no decisions of their own.
//!
//! A square is [`SQUARE`] units long; x grows to the right and y downwards.

use std::collections::{BTreeMap, BTreeSet};

use super::arrow::{self, Shape};
use super::geometry::{Area, Point, SQUARE};
use super::legend::{LegendEntry, legend};
use super::marks::{Arrow, ArrowKind, Marks};
use crate::state::Position;
use crate::types::{
    BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Piece, Square, Timeline, counted,
};

/// The width of the frame around a board, with the names of files and ranks.
pub const FRAME: i32 = 24;
/// The space above a board, for its name.
pub const LABEL: i32 = 50;
/// The space between the frames of two columns.
const GAP: i32 = 72;
/// The space between a frame and the label below it.
const ROW_GAP: i32 = 34;
/// The space left of the boards, for the labels of the timelines.
const MARGIN: i32 = 190;
/// The space above the boards, for the heading and the mark of the present.
const TOP: i32 = 124;
/// The space at the other edges.
const EDGE: i32 = 36;
/// The width of the heading.
const LEAST_WIDTH: i32 = 640;
/// The side of a piece in the legend, with the space around it.
pub(super) const LEGEND_ROW: i32 = 72;
/// The least width of a picture with a legend, or with words about what is left out.
const WIDTH_FOR_WORDS: i32 = 860;
/// The most branches through one gap that are drawn apart.
const LANES: usize = 7;

/// Options for drawing a multiverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Whether the boards are turned round, as Black sees them.
    pub flipped: bool,
    /// The most columns: those with the latest boards. More are kept for the present, and for the boards where checks
    /// begin and end.
    pub columns: Option<u16>,
    /// Whether timelines and earlier columns are left out where nothing happens: those without a board that must
    /// be played, without a square that the last moves touched, and without an end of an arrow.
    pub crop: bool,
    /// Whether pieces that orthodox chess does not have are named below the boards.
    pub legend: bool,
}

/// The role of a board for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// It must be played in this action.
    Must,
    /// It may be played.
    May,
    /// It cannot be played.
    None,
}

/// A board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tile {
    /// The coordinate.
    pub at: BoardCoordinate,
    /// The name, such as `(0T1w)`.
    pub label: String,
    /// The area of the squares, without the frame.
    pub area: Area,
    /// The role for the player to move.
    pub duty: Duty,
    /// Whether it is on an active timeline.
    pub active: bool,
    /// The pieces on it.
    pub pieces: Vec<(Square, Piece)>,
    /// The squares that the last moves touched.
    pub touched: Vec<Square>,
    /// The squares of royal pieces that the opponent threatens to capture.
    pub threatened: Vec<Square>,
}

impl Tile {
    /// The pieces, without their squares.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Piece> {
        self.pieces.iter().map(|(_, piece)| *piece)
    }
}

/// A timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The timeline.
    pub timeline: Timeline,
    /// The label.
    pub label: String,
    /// Whether the timeline is active.
    pub active: bool,
    /// The line through the middles of its boards, from its origin to its last board, as an SVG path.
    pub path: String,
    /// The right end of the label, at half of its height.
    pub label_at: Point,
}

/// An arrow from square to square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnArrow {
    /// The arrow.
    pub arrow: Arrow,
    /// The shape.
    pub shape: Shape,
}

/// A picture of a multiverse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The width, from (0, 0).
    pub width: i32,
    /// The height, from (0, 0).
    pub height: i32,
    /// The size of every board.
    pub size: BoardSize,
    /// Whether the boards are turned round, as Black sees them.
    pub flipped: bool,
    /// The player to move.
    pub to_move: Color,
    /// The present.
    pub present: HalfTurn,
    /// The column of the present.
    pub present_area: Area,
    /// The timelines, from top to bottom.
    pub rows: Vec<Row>,
    /// The boards, by timeline and time.
    pub tiles: Vec<Tile>,
    /// The arrows, with the most important last.
    pub arrows: Vec<DrawnArrow>,
    /// The number of columns that are left out before these.
    pub left_out: u16,
    /// The number of timelines that are left out.
    pub timelines_left_out: usize,
    /// The pieces that are named below the boards.
    pub legend: Vec<LegendEntry>,
    /// The upper left corner of the legend.
    pub legend_at: Point,
}

impl Layout {
    /// The layout of a position.
    pub fn new(position: &Position, marks: &Marks, options: Options) -> Layout {
        let plan = Plan::new(position, marks, options);
        let mut tiles = plan.tiles(marks);
        let places: BTreeMap<BoardCoordinate, usize> =
            tiles.iter().enumerate().map(|(index, tile)| (tile.at, index)).collect();
        let drawn = |at| places.get(&drawn_on(at, |at| places.contains_key(&at))?).copied();
        let mut arrows = Vec::new();
        for &arrow in &marks.arrows {
            let (Some(from), Some(to)) = (drawn(arrow.from.board), drawn(arrow.to.board)) else { continue };
            let ends = [(from, arrow.from.square), (to, arrow.to.square)]
                .map(|(tile, square)| plan.square(tiles[tile].area, square).middle());
            arrows.push(DrawnArrow { arrow, shape: arrow::shape(ends[0], ends[1]) });
            if arrow.kind == ArrowKind::Check && !tiles[to].threatened.contains(&arrow.to.square) {
                tiles[to].threatened.push(arrow.to.square);
            }
        }
        arrows.sort_by_key(|drawn| drawn.arrow.kind);
        let rows = plan.rows(marks);
        let legend = if options.legend { legend(tiles.iter().flat_map(Tile::kinds)) } else { Vec::new() };
        let kept = &plan.kept;
        let is_cut = kept.columns_left_out > 0 || kept.timelines_left_out > 0;
        let least = if is_cut || !legend.is_empty() { WIDTH_FOR_WORDS } else { LEAST_WIDTH };
        let present_area = Area {
            x: plan.x(position.present()) - FRAME - GAP / 2,
            y: TOP - 52,
            width: plan.pitch,
            height: plan.height - TOP + 52 - EDGE / 2,
        };
        Layout {
            width: plan.width.max(least),
            height: plan.height + legend_height(&legend),
            size: position.size(),
            flipped: options.flipped,
            to_move: position.to_move(),
            present: position.present(),
            present_area,
            rows,
            tiles,
            arrows,
            left_out: kept.columns_left_out,
            timelines_left_out: kept.timelines_left_out,
            legend,
            legend_at: Point { x: EDGE, y: plan.height },
        }
    }

    /// The area of a square of a board.
    pub fn square(&self, tile: &Tile, square: Square) -> Area {
        square_in(self.size, self.flipped, tile.area, square)
    }

    /// A description of the picture in a sentence.
    pub fn describe(&self) -> String {
        let mover = self.to_move.name();
        let mut text = format!(
            "{mover} to move, present {}: {} on {}",
            self.present,
            counted(self.tiles.len(), "board"),
            counted(self.rows.len(), "timeline")
        );
        if let Some(left_out) = self.left_out_words() {
            text += &format!(", {left_out}");
        }
        text
    }

    /// The columns and timelines that are left out, in words.
    pub(super) fn left_out_words(&self) -> Option<String> {
        let parts = [(usize::from(self.left_out), "earlier column"), (self.timelines_left_out, "timeline")];
        let parts =
            parts.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| counted(count, what));
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| format!("without {}", parts.join(" and ")))
    }
}

fn square_in(size: BoardSize, flipped: bool, board: Area, square: Square) -> Area {
    let (column, row) = if flipped {
        (size.width() - 1 - square.file().min(size.width() - 1), square.rank())
    } else {
        (square.file(), size.height() - 1 - square.rank().min(size.height() - 1))
    };
    Area {
        x: board.x + SQUARE * i32::from(column),
        y: board.y + SQUARE * i32::from(row),
        width: SQUARE,
        height: SQUARE,
    }
}

fn legend_height(legend: &[LegendEntry]) -> i32 {
    let rows = i32::try_from(legend.len()).unwrap_or(0);
    if rows == 0 { 0 } else { rows * LEGEND_ROW + EDGE }
}

/// The part of a multiverse that is drawn: some of its timelines, from one column on.
struct Kept {
    /// In ascending order.
    timelines: Vec<Timeline>,
    first: HalfTurn,
    last: HalfTurn,
    /// The numbers of columns and timelines that are left out.
    columns_left_out: u16,
    timelines_left_out: usize,
}

impl Kept {
    fn new(position: &Position, marks: &Marks, options: Options) -> Kept {
        let multiverse = position.multiverse();
        let span = |timeline| Some((timeline, multiverse.span(timeline)?));
        let mut rows: Vec<(Timeline, (HalfTurn, HalfTurn))> =
            multiverse.timelines().filter_map(span).collect();
        let all = rows.len();
        let start = rows.iter().map(|(_, (start, _))| *start).min().unwrap_or(HalfTurn(0));
        let mut first = start;
        if options.crop {
            let busy = busy(position, marks);
            rows.retain(|(timeline, _)| busy.iter().any(|at| at.timeline == *timeline));
            first = busy.iter().map(|at| at.half_turn).min().unwrap_or(start);
        }
        let last = rows.iter().map(|(_, (_, end))| *end).max().unwrap_or(start);
        if let Some(most) = options.columns {
            let most = i16::try_from(most.max(1)).unwrap_or(i16::MAX);
            let checks = marks.arrows.iter().filter(|arrow| arrow.kind == ArrowKind::Check);
            let needed =
                ends(position, checks).map(|at| at.half_turn).fold(position.present(), HalfTurn::min);
            first = first.max(needed.min(HalfTurn(last.0.saturating_sub(most - 1))));
        }
        rows.retain(|(_, (_, end))| *end >= first);
        Kept {
            first,
            last,
            columns_left_out: first.0.abs_diff(start.0),
            timelines_left_out: all - rows.len(),
            timelines: rows.into_iter().map(|(timeline, _)| timeline).collect(),
        }
    }
}

/// The boards where something happens: they must be played, were made by the last moves, or have an end of an
/// arrow.
fn busy(position: &Position, marks: &Marks) -> BTreeSet<BoardCoordinate> {
    let multiverse = position.multiverse();
    let touched = marks.touched.iter().map(|touched| touched.board);
    let touched = touched.filter(|at| multiverse.board(*at).is_some());
    let playable = multiverse.timelines().filter_map(|timeline| position.playable(timeline));
    let must = playable.filter(|at| duty(position, *at) == Duty::Must);
    ends(position, marks.arrows.iter()).chain(touched).chain(must).collect()
}

/// The boards on which arrows begin and end, without arrows that cannot be drawn.
fn ends<'a>(
    position: &'a Position,
    arrows: impl Iterator<Item = &'a Arrow>,
) -> impl Iterator<Item = BoardCoordinate> {
    let exists = |at: BoardCoordinate| position.multiverse().board(at).is_some();
    let both =
        move |arrow: &Arrow| Some([drawn_on(arrow.from.board, exists)?, drawn_on(arrow.to.board, exists)?]);
    arrows.filter_map(both).flatten()
}

/// The board on which an arrow to this one is drawn: if it exists only after a pass, the one before it.
fn drawn_on(at: BoardCoordinate, exists: impl Fn(BoardCoordinate) -> bool) -> Option<BoardCoordinate> {
    let before = BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - 1), ..at };
    [at, before].into_iter().find(|at| exists(*at))
}

/// The role of a board for the player to move.
fn duty(position: &Position, at: BoardCoordinate) -> Duty {
    if position.playable(at.timeline) != Some(at) {
        return Duty::None;
    }
    let is_active = position.multiverse().active().contains(at.timeline);
    if is_active && at.half_turn == position.present() { Duty::Must } else { Duty::May }
}

/// The measures of a picture, known before its parts are placed.
struct Plan<'a> {
    position: &'a Position,
    flipped: bool,
    kept: Kept,
    /// The number of each row, from the top.
    rows: BTreeMap<Timeline, i32>,
    /// The distances between columns and between rows.
    pitch: i32,
    row_pitch: i32,
    width: i32,
    height: i32,
}

impl<'a> Plan<'a> {
    fn new(position: &'a Position, marks: &Marks, options: Options) -> Plan<'a> {
        let size = position.size();
        let pitch = SQUARE * i32::from(size.width()) + 2 * FRAME + GAP;
        let row_pitch = SQUARE * i32::from(size.height()) + 2 * FRAME + LABEL + ROW_GAP;
        let kept = Kept::new(position, marks, options);
        let columns = i32::from(kept.last.0) - i32::from(kept.first.0) + 1;
        let count = i32::try_from(kept.timelines.len()).unwrap_or(i32::MAX);
        let rows: BTreeMap<Timeline, i32> = if options.flipped {
            kept.timelines.iter().rev().copied().zip(0..).collect()
        } else {
            kept.timelines.iter().copied().zip(0..).collect()
        };
        Plan {
            position,
            flipped: options.flipped,
            kept,
            rows,
            pitch,
            row_pitch,
            width: MARGIN + columns * pitch - GAP / 2 + EDGE,
            height: TOP + count * row_pitch - ROW_GAP + EDGE,
        }
    }

    /// The left edge of the squares of a column.
    fn x(&self, half_turn: HalfTurn) -> i32 {
        MARGIN + FRAME + (i32::from(half_turn.0) - i32::from(self.kept.first.0)) * self.pitch
    }

    /// The upper edge of the squares of a row.
    fn y(&self, timeline: Timeline) -> i32 {
        TOP + LABEL + FRAME + self.rows.get(&timeline).map_or(0, |row| row * self.row_pitch)
    }

    fn shows(&self, at: BoardCoordinate) -> bool {
        at.half_turn >= self.kept.first && self.rows.contains_key(&at.timeline)
    }

    fn square(&self, board: Area, square: Square) -> Area {
        square_in(self.position.size(), self.flipped, board, square)
    }

    fn area(&self, at: BoardCoordinate) -> Area {
        let size = self.position.size();
        Area {
            x: self.x(at.half_turn),
            y: self.y(at.timeline),
            width: SQUARE * i32::from(size.width()),
            height: SQUARE * i32::from(size.height()),
        }
    }

    fn tiles(&self, marks: &Marks) -> Vec<Tile> {
        let multiverse = self.position.multiverse();
        let active = multiverse.active();
        let boards = multiverse.boards().filter(|(at, _)| self.shows(*at));
        let mut tiles: Vec<Tile> = boards
            .map(|(at, board)| Tile {
                at,
                label: format!("({}{})", self.position.parity().label(at.timeline), at.half_turn),
                area: self.area(at),
                duty: duty(self.position, at),
                active: active.contains(at.timeline),
                pieces: board.pieces().collect(),
                touched: Vec::new(),
                threatened: Vec::new(),
            })
            .collect();
        for Coordinate { board, square } in &marks.touched {
            if let Ok(index) = tiles.binary_search_by_key(&(board.timeline, board.half_turn), |tile| {
                (tile.at.timeline, tile.at.half_turn)
            }) {
                tiles[index].touched.push(*square);
            }
        }
        tiles
    }

    fn rows(&self, marks: &Marks) -> Vec<Row> {
        let multiverse = self.position.multiverse();
        let active = multiverse.active();
        let mut lanes: BTreeMap<HalfTurn, usize> = BTreeMap::new();
        let row = |&timeline: &Timeline| {
            let (start, end) = multiverse.span(timeline)?;
            let first = start.max(self.kept.first);
            let at = |half_turn| BoardCoordinate { timeline, half_turn };
            let y = self.area(at(first)).middle().y;
            let origin = marks.origin(timeline).or_else(|| self.likely_origin(timeline));
            let mut path = match origin.filter(|origin| self.shows(*origin)) {
                Some(origin) => {
                    let lane = lanes.entry(origin.half_turn).or_insert(0);
                    let right = self.x(origin.half_turn) + self.area(origin).width + FRAME;
                    let step = GAP / (i32::try_from(LANES).unwrap_or(1) + 1);
                    let x = right + step * (1 + i32::try_from(*lane % LANES).unwrap_or(0));
                    *lane += 1;
                    let from = self.area(origin).middle().y;
                    let bend = (y - from).signum() * 14;
                    format!(
                        "M{right} {from}H{}Q{x} {from} {x} {}V{}Q{x} {y} {} {y}",
                        x - 14,
                        from + bend,
                        y - bend,
                        x + 14
                    )
                }
                None => format!("M{} {y}", self.x(first) - FRAME - GAP / 2 + 6),
            };
            let right = self.x(end.max(first)) + self.area(at(first)).width + FRAME + GAP / 2 - 6;
            path += &format!("H{right}m-16 -16l16 16l-16 16");
            Some(Row {
                timeline,
                label: self.position.parity().label(timeline).to_string(),
                active: active.contains(timeline),
                path,
                label_at: Point { x: self.x(first) - FRAME - GAP - 8, y },
            })
        };
        let mut timelines = self.kept.timelines.clone();
        if self.flipped {
            timelines.reverse();
        }
        timelines.iter().filter_map(row).collect()
    }

    /// A guess of the board at which a timeline branched off: one that differs from the first board of the
    /// timeline by one square, on which a piece of the player who moved has arrived.
    fn likely_origin(&self, timeline: Timeline) -> Option<BoardCoordinate> {
        let multiverse = self.position.multiverse();
        if multiverse.parity().central().contains(timeline) {
            return None;
        }
        let (start, _) = multiverse.span(timeline)?;
        let first = multiverse.board(BoardCoordinate { timeline, half_turn: start })?;
        let before = HalfTurn(start.0 - 1);
        let nearer = |other: &Timeline| (other.0.abs_diff(0), *other);
        let others = multiverse.timelines().filter(|other| *other != timeline);
        others
            .filter(|&other| {
                let at = BoardCoordinate { timeline: other, half_turn: before };
                let Some(board) = multiverse.board(at) else { return false };
                let changed = first.differing_squares(board);
                let mut squares = (0..64).filter(|index| changed >> index & 1 == 1);
                let (Some(index), None) = (squares.next(), squares.next()) else { return false };
                let square = Square::new((index % 8) as u8, (index / 8) as u8);
                square.and_then(|square| first.get(square)).is_some_and(|piece| piece.color == before.color())
            })
            .min_by_key(nearer)
            .map(|other| BoardCoordinate { timeline: other, half_turn: before })
    }
}
