//! The layout of a picture of a multiverse, as plain data.
//!
//! Timelines are rows and half-turns are columns, as players see them. The [SVG picture](super::svg) and the
//! board in the browser draw this layout and make no decisions of their own.
//!
//! A square is [`SQUARE`] units long; x grows to the right and y downwards.

use std::collections::BTreeMap;

use super::arrow::{self, Shape};
use super::geometry::{Area, Point, SQUARE};
use super::marks::{Arrow, ArrowKind, Marks};
use crate::state::Position;
use crate::types::{BoardCoordinate, BoardSize, Color, Coordinate, HalfTurn, Piece, Square, Timeline};

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
/// The most branches through one gap that are drawn apart.
const LANES: usize = 7;

/// Options for drawing a multiverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Whether the boards are turned round, as Black sees them.
    pub flipped: bool,
    /// The most columns: those with the latest boards, and always the present.
    pub columns: Option<u16>,
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
}

impl Layout {
    /// The layout of a position.
    pub fn new(position: &Position, marks: &Marks, options: Options) -> Layout {
        let plan = Plan::new(position, options);
        let mut tiles = plan.tiles(marks);
        let places: BTreeMap<BoardCoordinate, usize> =
            tiles.iter().enumerate().map(|(index, tile)| (tile.at, index)).collect();
        // An arrow to a board that exists only after a pass is drawn to the board before it.
        let drawn = |at: BoardCoordinate| {
            let before = BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - 1), ..at };
            places.get(&at).or_else(|| places.get(&before)).copied()
        };
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
        let present_area = Area {
            x: plan.x(position.present()) - FRAME - GAP / 2,
            y: TOP - 52,
            width: plan.pitch,
            height: plan.height - TOP + 52 - EDGE / 2,
        };
        Layout {
            width: plan.width,
            height: plan.height,
            size: position.size(),
            flipped: options.flipped,
            to_move: position.to_move(),
            present: position.present(),
            present_area,
            rows,
            tiles,
            arrows,
            left_out: plan.left_out,
        }
    }

    /// The area of a square of a board.
    pub fn square(&self, tile: &Tile, square: Square) -> Area {
        square_in(self.size, self.flipped, tile.area, square)
    }

    /// A description of the picture in a sentence.
    pub fn describe(&self) -> String {
        let mover = self.to_move.name();
        let counted =
            |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let mut text = format!(
            "{mover} to move, present {}: {} on {}",
            self.present,
            counted(self.tiles.len(), "board"),
            counted(self.rows.len(), "timeline")
        );
        if self.left_out > 0 {
            text += &format!(", without {}", counted(self.left_out.into(), "earlier column"));
        }
        text
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

/// The measures of a picture, known before its parts are placed.
struct Plan<'a> {
    position: &'a Position,
    flipped: bool,
    timelines: Vec<Timeline>,
    first: HalfTurn,
    left_out: u16,
    /// The distances between columns and between rows.
    pitch: i32,
    row_pitch: i32,
    width: i32,
    height: i32,
}

impl<'a> Plan<'a> {
    fn new(position: &'a Position, options: Options) -> Plan<'a> {
        let multiverse = position.multiverse();
        let mut timelines: Vec<Timeline> = multiverse.timelines().collect();
        if options.flipped {
            timelines.reverse();
        }
        let spans = timelines.iter().filter_map(|&timeline| multiverse.span(timeline));
        let (start, last) =
            spans.fold((i16::MAX, i16::MIN), |(start, last), (from, to)| (start.min(from.0), last.max(to.0)));
        let most = options.columns.map_or(i16::MAX, |most| i16::try_from(most.max(1)).unwrap_or(i16::MAX));
        let first = last.saturating_sub(most - 1).min(position.present().0).max(start);
        let size = position.size();
        let pitch = SQUARE * i32::from(size.width()) + 2 * FRAME + GAP;
        let row_pitch = SQUARE * i32::from(size.height()) + 2 * FRAME + LABEL + ROW_GAP;
        let columns = i32::from(last) - i32::from(first) + 1;
        let rows = i32::try_from(timelines.len()).unwrap_or(i32::MAX);
        Plan {
            position,
            flipped: options.flipped,
            timelines,
            first: HalfTurn(first),
            left_out: first.abs_diff(start),
            pitch,
            row_pitch,
            width: (MARGIN + columns * pitch - GAP / 2 + EDGE).max(LEAST_WIDTH),
            height: TOP + rows * row_pitch - ROW_GAP + EDGE,
        }
    }

    /// The left edge of the squares of a column.
    fn x(&self, half_turn: HalfTurn) -> i32 {
        MARGIN + FRAME + (i32::from(half_turn.0) - i32::from(self.first.0)) * self.pitch
    }

    /// The upper edge of the squares of a row.
    fn y(&self, timeline: Timeline) -> i32 {
        // The rows are in ascending or descending order, without gaps.
        let first = self.timelines.first().map_or(0, |first| first.0);
        TOP + LABEL + FRAME + i32::from(timeline.0.abs_diff(first)) * self.row_pitch
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
        let boards = multiverse.boards().filter(|(at, _)| at.half_turn >= self.first);
        let mut tiles: Vec<Tile> = boards
            .map(|(at, board)| {
                let duty = match self.position.playable(at.timeline) {
                    Some(playable) if playable == at => {
                        let must = active.contains(at.timeline) && at.half_turn == self.position.present();
                        if must { Duty::Must } else { Duty::May }
                    }
                    _ => Duty::None,
                };
                Tile {
                    at,
                    label: format!("({}{})", self.position.parity().label(at.timeline), at.half_turn),
                    area: self.area(at),
                    duty,
                    active: active.contains(at.timeline),
                    pieces: board.pieces().collect(),
                    touched: Vec::new(),
                    threatened: Vec::new(),
                }
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
            let first = start.max(self.first);
            let at = |half_turn| BoardCoordinate { timeline, half_turn };
            let y = self.area(at(first)).middle().y;
            let origin = marks.origin(timeline).or_else(|| self.likely_origin(timeline));
            let mut path = match origin.filter(|origin| origin.half_turn >= self.first) {
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
        self.timelines.iter().filter_map(row).collect()
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
