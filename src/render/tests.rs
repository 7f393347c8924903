//! Tests that pictures are well-formed, show everything once, and stay small.

use std::collections::BTreeSet;

use super::*;
use crate::notation::{Game, fen5d, pgn5d};
use crate::rules::samples::multiverses;
use crate::state::{Position, Setup};
use crate::types::{BoardCoordinate, BoardSize, Color, Coordinate, Parity, RuleProfile, Square, Timeline};

fn inside(area: Area, layout: &Layout) -> bool {
    area.x >= 0 && area.y >= 0 && area.x + area.width <= layout.width && area.y + area.height <= layout.height
}

fn apart(one: Area, other: Area) -> bool {
    one.x + one.width <= other.x
        || other.x + other.width <= one.x
        || one.y + one.height <= other.y
        || other.y + other.height <= one.y
}

fn wide(area: Area, by: i32) -> Area {
    Area { x: area.x - by, y: area.y - by, width: area.width + 2 * by, height: area.height + 2 * by }
}

#[test]
fn boards_stand_apart_and_every_one_is_there_once() {
    let mut boards = 0;
    for position in multiverses(31, 200) {
        for flipped in [false, true] {
            let layout = Layout::new(&position, &Marks::default(), Options { flipped, ..Options::default() });
            let there: Vec<BoardCoordinate> = layout.tiles.iter().map(|tile| tile.at).collect();
            assert_eq!(there, position.multiverse().boards().map(|(at, _)| at).collect::<Vec<_>>());
            for (index, tile) in layout.tiles.iter().enumerate() {
                assert!(inside(wide(tile.area, FRAME), &layout), "{tile:?}");
                for other in &layout.tiles[..index] {
                    assert!(apart(wide(tile.area, FRAME), wide(other.area, FRAME)), "{tile:?} {other:?}");
                }
                boards += 1;
            }
            let picture = svg(&layout);
            for tile in &layout.tiles {
                assert_eq!(picture.matches(&format!("data-board=\"{}\"", tile.label)).count(), 1);
            }
        }
    }
    assert!(boards > 1_000, "{boards}");
}

#[test]
fn a_turned_picture_shows_black_below() {
    let position = Position::default();
    let tile = |layout: &Layout, square: &str| {
        let square = layout.square(&layout.tiles[0], square.parse().unwrap());
        (square.x - layout.tiles[0].area.x, square.y - layout.tiles[0].area.y)
    };
    let layout =
        |flipped| Layout::new(&position, &Marks::default(), Options { flipped, ..Options::default() });
    assert_eq!(tile(&layout(false), "a1"), (0, 420));
    assert_eq!(tile(&layout(false), "h8"), (420, 0));
    assert_eq!(tile(&layout(true), "a1"), (420, 0));
    assert_eq!(tile(&layout(true), "h8"), (0, 420));
}

fn game(text: &str) -> Game {
    pgn5d::parse(text).into_result().unwrap()
}

#[test]
fn arrows_point_to_squares_and_new_timelines_come_from_where_they_branched_off() {
    let game = game("1. Nf3 / Nf6 2. N>>f5");
    let marks = Marks::of_game(&game);
    let shown: Vec<String> =
        marks.arrows.iter().map(|arrow| format!("{:?} {} {}", arrow.kind, arrow.from, arrow.to)).collect();
    assert_eq!(shown, ["Made (0T2w)f3 (0T1w)f5"]);
    let touched: Vec<String> = marks.touched.iter().map(Coordinate::to_string).collect();
    assert_eq!(touched, ["(0T2b)f3", "(1T1b)f5"]);
    assert_eq!(marks.origin(Timeline(1)), Some(BoardCoordinate::new(0, 1, Color::White)));

    let layout = Layout::new(&game.end(), &marks, Options::default());
    let drawn = &layout.arrows[0];
    for (end, coordinate) in [(drawn.shape.from, drawn.arrow.from), (drawn.shape.to, drawn.arrow.to)] {
        let tile = layout.tiles.iter().find(|tile| tile.at == coordinate.board).unwrap();
        assert_eq!(layout.square(tile, coordinate.square).middle(), end);
    }
    // Boards without a history show the origin of the timeline too.
    let mut alone = Marks::default();
    let position = fen5d::parse(&fen5d::write(&game.end())).into_result();
    let guessed = position.map(|position| Layout::new(&position, &alone, Options::default()).rows);
    assert_eq!(guessed.as_ref().map(|rows| &rows[1].path), Ok(&layout.rows[1].path));
    // An arrow to a board that does not exist is left out.
    let far =
        Coordinate { board: BoardCoordinate::new(5, 1, Color::White), square: Square::new(0, 0).unwrap() };
    alone.arrows.push(Arrow { kind: ArrowKind::Planned, from: far, to: far });
    assert!(Layout::new(&game.end(), &alone, Options::default()).arrows.is_empty());
}

#[test]
fn checks_are_shown_on_boards_that_exist() {
    let position = fen5d::parse("[k2/1Q1/1K1:0:1:b]").into_result().unwrap();
    let mut marks = Marks::default();
    marks.checks(&position.checks());
    let layout = Layout::new(&position, &marks, Options::default());
    assert_eq!(layout.arrows.len(), 1);
    assert_eq!(layout.tiles[0].threatened, ["a3".parse().unwrap()]);
    let picture = svg(&layout);
    assert!(picture.contains("class=\"danger\"") && picture.contains("arrow check"), "{picture}");
}

#[test]
fn the_columns_that_are_kept_are_the_latest_and_the_present() {
    let game = game("1. e4 / e5 2. Nf3 / Nc6 3. Bb5 / a6");
    let layout =
        |columns| Layout::new(&game.end(), &Marks::of_game(&game), Options { columns, ..Options::default() });
    assert_eq!((layout(None).tiles.len(), layout(None).left_out), (7, 0));
    assert_eq!((layout(Some(2)).tiles.len(), layout(Some(2)).left_out), (2, 5));
    assert_eq!(layout(Some(0)).tiles.len(), 1);
    assert!(layout(Some(2)).describe().ends_with("without 5 earlier columns"));
}

/// White's knight left for a new timeline, and Black has answered there.
#[test]
fn a_cropped_picture_has_what_happens_and_says_what_is_left_out() {
    let game = game("1. e3 / e6 2. Nf3 / Nf6 3. Nc3 / Nc6 4. N>>f5 / (1T3)a6");
    let marks = Marks::of_game(&game);
    let layout = |crop| Layout::new(&game.end(), &marks, Options { crop, ..Options::default() });
    let (whole, cropped) = (layout(false), layout(true));
    assert_eq!(
        (whole.left_out, whole.timelines_left_out, whole.describe().contains("without")),
        (0, 0, false)
    );
    assert!(cropped.tiles.len() < whole.tiles.len(), "{}", cropped.describe());
    for touched in &marks.touched {
        assert!(cropped.tiles.iter().any(|tile| tile.at == touched.board), "{touched}");
    }
    for tile in whole.tiles.iter().filter(|tile| tile.duty == Duty::Must) {
        assert!(cropped.tiles.iter().any(|kept| kept.at == tile.at), "{}", tile.label);
    }
    let words = cropped.describe().split_once("without").map(|(_, words)| words.to_owned()).unwrap();
    assert!(svg(&cropped).contains(&format!("without{words}</tspan>")), "{words}");
}

#[test]
fn a_cropped_picture_has_every_arrow() {
    let mut left_out = 0;
    for position in multiverses(35, 200) {
        let mut marks = Marks::default();
        marks.checks(&position.checks());
        for flipped in [false, true] {
            let options = Options { flipped, crop: true, ..Options::default() };
            let layout = Layout::new(&position, &marks, options);
            let whole = Layout::new(&position, &marks, Options { crop: false, ..options });
            assert_eq!(layout.arrows.len(), whole.arrows.len());
            assert_eq!(layout.rows.len() + layout.timelines_left_out, whole.rows.len());
            for (index, tile) in layout.tiles.iter().enumerate() {
                assert!(inside(wide(tile.area, FRAME), &layout), "{tile:?}");
                assert!(layout.tiles[..index].iter().all(|other| apart(tile.area, other.area)));
            }
            left_out += layout.timelines_left_out;
        }
    }
    assert!(left_out > 0);
}

#[test]
fn timelines_without_a_board_in_the_columns_that_are_kept_are_left_out() {
    // Timeline 2 is inactive and has one early board.
    let places = ["0:1:w", "0:1:b", "0:2:w", "0:2:b", "0:3:w", "1:1:b", "1:2:w", "1:2:b", "1:3:w", "2:1:b"];
    let text: String = places.iter().map(|place| format!("[k2/3/2K:{place}]\n")).collect();
    let position = fen5d::parse(&text).into_result().unwrap();
    let left_out = |columns| {
        let layout = Layout::new(&position, &Marks::default(), Options { columns, ..Options::default() });
        let has_board = |row: &Row| layout.tiles.iter().any(|tile| tile.at.timeline == row.timeline);
        assert!(layout.rows.iter().all(has_board));
        layout.timelines_left_out
    };
    assert_eq!([left_out(None), left_out(Some(9)), left_out(Some(1))], [0, 0, 1]);
}

/// A queen of the latest board attacks a king of the first, five columns before it.
#[test]
fn columns_with_a_check_are_kept() {
    let boards = [
        "2k/3/K1Q:0:1:w",
        "2k/3/K1Q:0:1:b",
        "k2/3/K1Q:0:2:w",
        "k2/3/K1Q:0:2:b",
        "k2/3/K1Q:0:3:w",
        "k1Q/3/K2:0:3:b",
    ];
    let text: String = boards.iter().map(|board| format!("[{board}]\n")).collect();
    let position = fen5d::parse(&text).into_result().unwrap();
    let mut marks = Marks::default();
    let options = Options { columns: Some(1), ..Options::default() };
    assert_eq!(Layout::new(&position, &marks, options).left_out, 5);
    marks.checks(&position.checks());
    let layout = Layout::new(&position, &marks, options);
    let earliest = marks.arrows.iter().map(|arrow| arrow.to.board.half_turn).min();
    assert_eq!(layout.tiles.iter().map(|tile| tile.at.half_turn).min(), earliest);
    assert_eq!(layout.arrows.len(), marks.arrows.len());
}

#[test]
fn a_legend_names_the_pieces_that_orthodox_chess_does_not_have() {
    let layout = |fen: &str, legend| {
        let position = fen5d::parse(fen).into_result().unwrap();
        Layout::new(&position, &Marks::default(), Options { legend, ..Options::default() })
    };
    let strange = "[k1u/1d1/UK1:0:1:w]";
    let named = layout(strange, true);
    let letters: String = named.legend.iter().map(|entry| entry.piece.letter()).collect();
    assert_eq!(letters, "Ud");
    assert!(named.legend.iter().all(|entry| entry.words.starts_with(entry.piece.kind.name())));
    assert!(svg(&named).contains("unicorn: slides") && named.height > layout(strange, false).height);
    assert!(layout(strange, false).legend.is_empty());
    assert!(layout("[kqr/bnp/PRK:0:1:w]", true).legend.is_empty());
}

fn timelines(count: i16, turns: i16) -> Position {
    let (start, size) = (Position::default(), BoardSize::STANDARD);
    let board = *start.board(BoardCoordinate::new(0, 1, Color::White)).unwrap();
    let lines = (-count / 2..count - count / 2).flat_map(|l| (0..turns).map(move |turn| (l, turn)));
    let boards = lines.map(|(l, turn)| {
        let color = if turn % 2 == 0 { Color::White } else { Color::Black };
        (BoardCoordinate::new(l, 1 + turn / 2, color), board)
    });
    let (parity, profile) = (Parity::Odd, RuleProfile::default());
    Position::from_setup(&Setup { size, parity, profile, boards: boards.collect() }).unwrap()
}

#[test]
fn thirty_timelines_fit_into_a_megabyte() {
    let layout = Layout::new(&timelines(30, 40), &Marks::default(), Options::default());
    assert_eq!((layout.rows.len(), layout.tiles.len()), (30, 1_200));
    let size = svg(&layout).len();
    assert!(size < 1_000_000, "{size}");
}

/// The names that are defined, or those that are used.
fn names(picture: &str, before: &str) -> Vec<String> {
    let rest = picture.split(before).skip(1);
    rest.map(|rest| rest.split('"').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_is_used_is_defined_once() {
    let mut sheet = Sheet::new("x");
    let pictures: String = multiverses(33, 40)
        .map(|position| sheet.picture(&Layout::new(&position, &Marks::default(), Options::default())))
        .collect();
    let definitions = sheet.definitions();
    let defined = names(&definitions, " id=\"");
    let unique: BTreeSet<&String> = defined.iter().collect();
    assert_eq!(unique.len(), defined.len());
    let used = names(&(definitions.clone() + &pictures), "href=\"#");
    assert!(used.len() > 100 && used.iter().all(|name| unique.contains(name) && name.starts_with('x')));
}

#[test]
fn text_is_escaped() {
    assert_eq!(
        escape("<a href='x'>\"&\u{202e}\u{7}\u{ffff}"),
        "&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{fffd}\u{fffd}\u{fffd}"
    );
}
