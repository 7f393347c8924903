//! JSON and raw numbers: what the library writes, and what holds for every game.

use super::properties::{RAW, game};
use super::schema::{Action, Board, Move, Piece, Position, Timeline, Turn};
use super::{Raw, json, parse_with};
use crate::notation::common::samples::random_game;
use crate::notation::format::Format;
use crate::notation::{Options, hash};
use crate::types::{Color, PieceKind, Square};

#[test]
fn raw_numbers_are_those_of_the_readme() {
    let start = Raw::of(&game("")).unwrap();
    let at = |raw: &Raw, turn: usize, rank: usize, file: usize| {
        raw.0[0].as_ref().unwrap()[turn].as_ref().unwrap()[rank][file]
    };
    assert_eq!(at(&start, 0, 6, 4), -2);
    assert_eq!(
        start.write(),
        "[[[[-7,5,3,9,-11,3,5,-7],[-1,-1,-1,-1,-1,-1,-1,-1],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],[0,0,0,0,0,0,0,0],\
         [0,0,0,0,0,0,0,0],[-2,-2,-2,-2,-2,-2,-2,-2],[-8,6,4,10,-12,4,6,-8]]]]"
    );
    let library = |tag: &str| Raw::of_library(&game(&format!("[Variant \"{tag}\"]"))).unwrap();
    let first = |raw: Raw| raw.0[0].clone().unwrap().into_iter().flatten().next().unwrap();
    assert_eq!(first(library("standard"))[0], [-7, -5, -3, -9, -11, -3, -5, -7]);
    assert_eq!(first(library("standard"))[7], [-8, -6, -4, 10, -12, -4, -6, -8]);
    assert_eq!(first(library("defended_pawn"))[7], [-8, -10, -4, -6, -12, -4, -6, -8]);
    assert_eq!(first(library("half_reflected"))[0], [-7, -5, -3, -11, -9, -3, -5, -7]);
    assert_eq!(first(library("princess"))[0][3..5], [-13, -11]);
    assert_eq!(first(library("princess"))[7][3], 14);
    let turn_zero = library("turn_zero");
    assert_eq!(turn_zero.0[0].as_ref().unwrap().len(), 3);
    assert_eq!(turn_zero.0[0].as_ref().unwrap()[0], None);
    for tag in ["standard", "defended_pawn", "half_reflected", "princess", "turn_zero"] {
        let raw = library(tag);
        assert_eq!(Raw::parse(&raw.write()).as_ref(), Ok(&raw));
        assert_eq!(
            raw.position().unwrap().to_setup().boards,
            game(&format!("[Variant \"{tag}\"]")).start.to_setup().boards
        );
    }
    let key = "JHFLNFHJDDDDDDDD32EEEEEEEEKIGkOGIK";
    assert_eq!(library("standard").key(), key);
    assert_eq!(library("turn_zero").key(), format!("B{key}{key}"));
    let branched = Raw::of_library(&game(RAW)).unwrap();
    assert!(branched.0[1].is_none() && branched.0[2].as_ref().unwrap()[0].is_none());
    for (text, code) in [
        ("[[[[15]]]]", "unknown-piece"),
        ("[[[[-15]]]]", "unknown-piece"),
        ("[[[[1.5]]]]", "not-an-integer"),
        ("[[[[0,0,0,0,0,0,0,0,0]]]]", "board-too-large"),
        ("[[[\"x\"]]]", "unexpected-json"),
        ("{}", "unexpected-json"),
    ] {
        assert_eq!(Raw::parse(text).unwrap_err().issue.code, code, "{text}");
    }
    assert!(
        Raw(vec![]).position().is_err()
            && Raw(vec![Some(vec![Some(vec![vec![1], vec![]])])]).position().is_err()
    );
}

#[test]
fn json_of_the_library_is_read() {
    let actions = "[{\"action\":1,\"player\":\"white\",\"moves\":[{\"promotion\":null,\"enPassant\":null,\"castling\":null,\
        \"start\":{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"coordinate\":\"e2\",\"rank\":2,\"file\":5},\
        \"end\":{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"coordinate\":\"e3\",\"rank\":3,\"file\":5},\
        \"player\":\"white\",\"realEnd\":{\"timeline\":0}}]}]";
    let options = Options::default();
    let reading = json::parse_with(actions, &options);
    assert_eq!((reading.error, reading.warnings.len()), (None, 0));
    assert_eq!(reading.value.as_ref(), Some(&game("1w. 1:e2:e3")));
    assert_eq!(Format::detect(actions.as_bytes()), Some(Format::ChessJsJson));
    let written = json::write(&game("1w. 1:e2:e3")).unwrap();
    assert_eq!(
        String::from_utf8(written.bytes).unwrap(),
        "[{\"action\":1,\"player\":\"white\",\"moves\":[{\
         \"start\":{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"coordinate\":\"e2\",\"rank\":2,\"file\":5},\
         \"end\":{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"coordinate\":\"e3\",\"rank\":3,\"file\":5},\
         \"player\":\"white\",\"promotion\":null,\"enPassant\":null,\"castling\":null}]}]\n"
    );
    let piece = "{\"position\":{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"coordinate\":\"a8\",\"rank\":8,\"file\":1},\
        \"piece\":\"R\",\"player\":\"black\",\"hasMoved\":false}";
    let rook = Piece::parse(piece).unwrap();
    assert_eq!(
        (rook.piece, rook.player, rook.position.square.to_string()),
        (PieceKind::Rook, Color::Black, "a8".into())
    );
    let square = "{\"timeline\":-1,\"turn\":2,\"player\":\"black\",\"rank\":8,\"file\":1}";
    assert_eq!(
        Position::parse(square).unwrap().write(),
        square.replace("\"rank\"", "\"coordinate\":\"a8\",\"rank\"")
    );

    let castle =
        "1w. 1:e2:e4\n1b. 1:e7:e5\n2w. 2:Ng1:f3\n2b. 2:Ng8:f6\n3w. 3:Bf1:c4\n3b. 3:Bf8:c5\n4w. 4:0-0";
    let text = String::from_utf8(json::write(&game(castle)).unwrap().bytes).unwrap();
    assert!(text.contains(
        "\"castling\":{\"start\":{\"timeline\":0,\"turn\":4,\"player\":\"white\",\"coordinate\":\"h1\""
    ));
    let passant = "1w. 1:e2:e4\n1b. 1:a7:a6\n2w. 2:e4:e5\n2b. 2:d7:d5\n3w. 3:e5:xd6e.p.";
    let text = String::from_utf8(json::write(&game(passant)).unwrap().bytes).unwrap();
    let victim = "\"enPassant\":{\"timeline\":0,\"turn\":3,\"player\":\"white\",\"coordinate\":\"d5\",\"rank\":5,\"file\":4}";
    assert!(text.contains(victim), "{text}");
    let unmarked = json::parse_with(&text.replace(victim, "\"enPassant\":null"), &options);
    assert_eq!((unmarked.error, unmarked.warnings[0].code), (None, "wrong-remark"));
}

#[test]
fn json_says_where_a_game_starts() {
    let options = Options::default();
    for tag in ["princess", "turn_zero", "half_reflected", "defended_pawn"] {
        let game = game(&format!("[Variant \"{tag}\"]\n"));
        let text = String::from_utf8(json::write(&game).unwrap().bytes).unwrap();
        assert_eq!(text, format!("{{\"variant\":\"{tag}\",\"actions\":[]}}\n"));
        assert_eq!(json::parse_with(&text, &options).value, Some(game.clone()));
        let board = Board::of(&game).unwrap().write();
        assert_eq!(json::parse_with(&board, &options).value, Some(game.clone()), "{tag}");
        let raw = Raw::of_library(&game).unwrap().write();
        assert_eq!(json::parse_with(&raw, &options).value.as_ref(), Some(&game), "{tag}");
        let raw = Raw::of(&game).unwrap().write();
        assert_eq!(json::parse_with(&raw, &options).value, Some(game), "{tag}");
    }
    let princess = game("[Variant \"princess\"]\n").start;
    let given = Options { start: Some(princess.clone()), ..Options::default() };
    assert_eq!(json::parse_with("[]", &given).value.map(|game| game.start), Some(princess.clone()));
    assert_eq!(parse_with("1w. 1:d2:d3", &given).value.map(|game| game.start), Some(princess));
    for (text, class, code) in [
        ("", "malformed", "unexpected-json"),
        ("{}", "malformed", "unexpected-json"),
        ("[1]", "malformed", "unexpected-json"),
        ("{\"variant\":\"x\",\"actions\":[]}", "malformed", "unknown-variant"),
        ("[[null]]", "illegal", "no-multiverse"),
        ("[{\"action\":1,\"player\":\"white\",\"moves\":[]}]", "illegal", "no-move"),
        ("[{\"action\":1,\"player\":\"black\",\"moves\":[]}]", "illegal", "wrong-player"),
        ("[{\"action\":1,\"player\":\"green\",\"moves\":[]}]", "malformed", "unknown-player"),
        ("[{\"action\":1,\"action\":1}]", "malformed", "repeated-name"),
        ("[{\"action\":1,\"player\":\"white\"}]", "malformed", "missing-key"),
        ("[] x", "malformed", "unexpected-json"),
    ] {
        let error = json::parse_with(text, &options).error.unwrap();
        assert_eq!((error.class.name(), error.issue.code), (class, code), "{text}");
    }
}

#[test]
fn boards_say_which_pieces_have_moved_and_which_timelines_count() {
    let board = Board::of(&game("")).unwrap();
    assert_eq!(board.timelines[0].turns[0].pieces.len(), 32);
    assert!(board.timelines[0].turns[0].pieces.iter().all(|piece| !piece.has_moved));
    let branched = "1w. 1:e2:e3\n1b. 1:f7:f6\n2w. 2:Nb1<>1:b3\n2b. 1+1:a7:a6\n";
    let board = Board::of(&game(branched)).unwrap();
    let flags: Vec<_> = board.timelines.iter().map(|t| (t.timeline, t.player, t.active, t.present)).collect();
    assert_eq!(flags, [(0, Color::White, true, false), (1, Color::White, true, true)]);
    let moved: Vec<String> = board.timelines[1].turns[0]
        .pieces
        .iter()
        .filter(|piece| piece.has_moved)
        .map(|piece| piece.position.square.to_string())
        .collect();
    assert_eq!((moved, board.action, board.player), (vec!["b3".to_owned()], 3, Color::White));
}

#[test]
fn json_of_a_game_is_read_back() {
    let mut written = 0;
    for seed in 0..150 {
        let mut game = random_game(seed);
        game.headers.clear();
        game.result = None;
        let Ok(json) = json::write(&game) else { continue };
        let text = String::from_utf8(json.bytes).unwrap();
        let reading = json::parse_with(&text, &Options::default());
        assert_eq!((reading.error, reading.warnings), (None, vec![]), "{text}");
        let read_back = reading.value.unwrap();
        assert_eq!(read_back.actions, game.actions);
        assert_eq!(read_back.end().multiverse(), game.end().multiverse());
        // The promotions of the notation are the one thing that the text does not say.
        assert_eq!(read_back.start != game.start, json.losses.len() == 1, "{:?}", json.losses);
        written += 1;

        let board = Board::of(&game).unwrap();
        let text = board.write();
        assert_eq!(Board::parse(&text).as_ref(), Ok(&board));
        let position = board.position().unwrap();
        if !text.contains("\"turn\":0") && super::start::turn_offset(&game.start) == 0 {
            assert_eq!(position.to_setup().boards, game.end().to_setup().boards);
        }
        assert_eq!(board.contradictions(&position), Vec::<String>::new());
        let again = board.game().unwrap();
        assert_eq!(Board::of(&again).map(|b| Board { action: board.action, ..b }).as_ref(), Some(&board));
        if let Some(raw) = Raw::of_library(&game) {
            assert_eq!(hash::chessjs_036(&raw.game().unwrap()), hash::chessjs_036(&game));
        }
        let timeline = &board.timelines[0];
        assert_eq!(Timeline::parse(&timeline.write()).as_ref(), Ok(timeline));
        assert_eq!(Turn::parse(&timeline.turns[0].write()).as_ref(), Ok(&timeline.turns[0]));
        for piece in &timeline.turns[0].pieces {
            assert_eq!(Piece::parse(&piece.write()).as_ref(), Ok(piece));
            assert_eq!(Position::parse(&piece.position.write()).as_ref(), Ok(&piece.position));
        }
        if let Some(raw) = Raw::of(&game) {
            assert_eq!(Raw::parse(&raw.write()).as_ref(), Ok(&raw));
            let position = raw.position().unwrap();
            if super::start::turn_offset(&game.start) == 0 {
                assert_eq!(position.to_setup().boards, game.end().to_setup().boards);
            }
        }
    }
    assert!(written > 80, "{written}");
}

#[test]
fn actions_and_moves_are_written_and_read_back() {
    let square = |n| Position { timeline: -3, turn: 12, player: Color::Black, square: Square::from_index(n) };
    let castling = super::schema::Castling { start: square(7), end: square(5) };
    let plain = Move {
        start: square(4),
        end: square(6),
        player: Color::White,
        promotion: None,
        en_passant: None,
        castling: Some(castling),
        real_end: None,
    };
    for promotion in PieceKind::ALL {
        let m = Move { promotion: Some(promotion), en_passant: Some(square(9)), ..plain.clone() };
        let with_end = Move { real_end: Some(square(11)), ..m.clone() };
        assert!(with_end.write().contains("\"realEnd\":{"));
        assert_eq!(Move::parse(&with_end.write()).as_ref(), Ok(&m));
        assert_eq!(Move::parse(&m.write()).as_ref(), Ok(&m));
        let action = Action { action: 7, player: Color::Black, moves: vec![m, plain.clone()] };
        assert_eq!(Action::parse(&action.write()).as_ref(), Ok(&action));
    }
}
