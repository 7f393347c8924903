//! Tests: the examples of the library's documentation, call by call, and properties of every game.

use std::collections::BTreeSet;

use super::{Chess, Edition, Error, Selection, Text, Tokens, names, schema};
use crate::notation::samples::random_game;
use crate::notation::{Format, Options};
use crate::rules::variants;
use crate::types::{Action, BoardCoordinate, Color, Limit, Move};

const MATE: [&str; 5] = ["1w. 1:e2:e3", "1b. 1:f7:f6", "2w. 2:Qd1:e2", "2b. 2:Nb8:c6", "3w. 3:Qe2:h5"];
const CHECK: &str = "1w. 1:e2:e3\n1b. 1:f7:f6\n2w. 2:Nb1<>1:b3\n2b. 1+1:a7:a6\n3w. 2+1:c2:c3\n3b. 2:Nb8:c6\n\
                     3b. 2+1:Nb8:c6\n4w. 3:Qd1:h5\n4w. 3+1:Qd1:c2#";
const BOTH: [Edition; 2] = [Edition::Readme, Edition::Current];

fn played(edition: Edition, moves: &[&str]) -> Chess {
    let mut chess = Chess::new(edition);
    for text in moves {
        chess.make(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        chess.submit().unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    chess
}

fn pgn(chess: &Chess) -> String {
    chess.export(Text::Pgn5d(Tokens::default())).unwrap()
}

#[test]
fn the_example_of_three_actions_is_mate() {
    for edition in BOTH {
        let chess = played(edition, &MATE);
        assert_eq!(
            (chess.in_check(), chess.in_checkmate(), chess.in_stalemate()),
            (true, Ok(true), Ok(false))
        );
        assert_eq!((chess.player(), chess.action_number()), (Color::Black, 3));
        assert_eq!(chess.checks().unwrap().1.len(), 2);
        assert!(chess.moves(Selection::default()).is_empty());
        assert_eq!(chess.actions(Selection::ALL, Limit::NONE).count(), 0);
        assert!(!Chess { skip_detection: true, ..chess.clone() }.moves(Selection::default()).is_empty());
        // A move is possible even then; only the submission is refused.
        let mut after = chess.clone();
        after.make("a6").unwrap();
        assert_eq!(after.submit(), Err(Error::InCheckmate));
        assert_eq!(after.submit().unwrap_err().to_string(), "Cannot submit, currently in checkmate.");
        assert_eq!(chess.clone().pass(), Err(Error::InCheckmate));
    }
    let chess = played(Edition::Readme, &MATE);
    assert_eq!(chess.hash().unwrap(), "3370eaa42355dd543598d3c9a9927365");
    let head = "[Variant \"standard\"]\n";
    let full = "1w. 1:e2<>1:e3\n1b. 1:f7<>1:f6\n2w. 2:Qd1<>2:e2\n2b. 2:Nb8<>2:c6\n3w. 3:Qe2<>3:h5#\n";
    assert_eq!(chess.export(Text::Full).unwrap(), format!("{head}{full}"));
    let short = format!("{}#\n", MATE.join("\n"));
    assert_eq!(chess.export(Text::Short).unwrap(), format!("{head}{short}"));
    let chess = played(Edition::Current, &MATE);
    assert_eq!(chess.hash().unwrap(), "f2842c74db711815acfaf6d6b1bb956c");
    assert_eq!(pgn(&chess), "[Board \"Standard\"]\n[Mode \"5D\"]\n1. e3 / f6\n2. Qe2 / Nc6\n3. Qh5");
}

#[test]
fn the_example_that_the_readme_calls_mate_is_a_check() {
    for edition in BOTH {
        let chess = Chess::import(edition, CHECK, None).unwrap();
        assert_eq!((chess.in_check(), chess.in_checkmate()), (true, Ok(false)));
        assert_eq!(chess.actions(Selection::ALL, Limit::NONE).count(), 8);
        assert_eq!(chess.action_number(), 4);
        assert_eq!(chess.board_history().len(), 8);
        // The same game, whatever its form.
        let again = [
            chess.export(Text::Full).unwrap(),
            chess.export(Text::Short).unwrap(),
            pgn(&chess),
            chess.export_json(),
            chess.raw_action_history(),
            CHECK.replace('\n', " ; "),
            CHECK.replace('\n', "\r\n"),
        ];
        for text in again {
            let other = Chess::import(edition, &text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(other.hash(), chess.hash(), "{text}");
            assert_eq!(other.board(), chess.board());
        }
    }
    let chess = Chess::import(Edition::Readme, CHECK, None).unwrap();
    assert_eq!(chess.hash().unwrap(), "8048de452b714859b78d813254d21386");
    let numbers: Vec<u32> = chess.action_history().iter().map(|action| action.action).collect();
    assert_eq!(numbers, [1, 1, 2, 2, 3, 3, 4]);
}

#[test]
fn a_verdict_that_takes_too_long_is_no_mate() {
    let mut chess = played(Edition::Current, &MATE);
    chess.steps = 0;
    assert!(matches!(Error::from(chess.in_checkmate().unwrap_err()), Error::Undecided(_)));
    assert!(chess.in_stalemate().is_err());
    // No move is hidden because of a mate that is undecided.
    assert!(!chess.moves(Selection::default()).is_empty());
    chess.make("a6").unwrap();
    assert_eq!(chess.submit(), Err(Error::InCheck));
}

#[test]
fn the_start_is_as_the_readme_says() {
    let chess = Chess::new(Edition::Readme);
    assert_eq!((chess.player(), chess.action_number()), (Color::White, 1));
    assert_eq!((chess.in_check(), chess.in_checkmate(), chess.in_stalemate()), (false, Ok(false), Ok(false)));
    assert!(chess.move_buffer().is_empty() && chess.action_history().is_empty() && !chess.undoable());
    assert_eq!(chess.board_history(), [chess.board()]);
    assert_eq!(chess.moves(Selection::default()).len(), 20);
    assert_eq!(chess.actions(Selection::default(), Limit::NONE).count(), 20);
    assert_eq!(chess.export_json(), "[]");
    assert_eq!(chess.raw_board().unwrap().write().len(), chess.raw_board_history().unwrap()[0].write().len());
    let first = &chess.board().timelines[0].turns[0].pieces[0];
    assert_eq!(
        first.position.write(),
        "{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"coordinate\":\"a8\",\"rank\":8,\"file\":1}"
    );
    assert!(chess.board().timelines[0].turns[0].pieces.iter().all(|piece| !piece.has_moved));
    for (name, hash) in [
        ("standard", "9c8463c2e92f183d58a7d7412171fd98"),
        ("defended_pawn", "2e427fe2c3062b32d053dc63891cab02"),
        ("half_reflected", "649b88347ad842378793185ed7f34400"),
        ("princess", "ab33a363df55238777a20fae2966e4ad"),
        ("turn_zero", "3b6148ada09192b7894882927430564c"),
    ] {
        let start = Chess::start(Edition::Readme, name).unwrap();
        assert_eq!(start.hash().unwrap(), hash, "{name}");
        // A Board object and the numbers give the same start.
        for text in [start.board().write(), start.raw_board().unwrap().write()] {
            assert_eq!(Chess::start(Edition::Readme, &text).unwrap().hash().unwrap(), hash, "{name}");
        }
    }
}

#[test]
fn numbers_are_those_of_the_edition() {
    let raw = |edition| Chess::start(edition, "turn_zero").unwrap().raw_board().unwrap().0;
    for edition in BOTH {
        assert_eq!(raw(edition)[0].as_ref().unwrap()[0], None);
    }
    let squares = |edition| raw(edition)[0].as_ref().unwrap()[2].clone().unwrap();
    assert_eq!(squares(Edition::Readme)[7], [-8, -6, -4, 10, -12, -4, -6, -8]);
    assert_eq!(squares(Edition::Current)[0], [-8, -6, -4, -10, -12, -4, -6, -8]);
    let turns = |edition| -> Vec<i16> {
        let board = Chess::start(edition, "turn_zero").unwrap().board();
        board.timelines[0].turns.iter().map(|turn| turn.turn).collect()
    };
    assert_eq!((turns(Edition::Readme), turns(Edition::Current)), (vec![1, 2], vec![0, 1]));
    let two = Chess::start(Edition::Current, "two_timelines").unwrap();
    let lines: Vec<i16> = two.board().timelines.iter().map(|timeline| timeline.timeline).collect();
    assert_eq!(lines, [-1, 1]);
    assert_eq!(two.raw_board().unwrap().0.len(), 3);
    assert_eq!(Chess::start(Edition::Readme, "two_timelines").unwrap().raw_board(), Err(Error::NoNumbers));
    let princess = Chess::start(Edition::Current, "princess").unwrap();
    assert!(princess.board().write_for(Edition::Current).contains("\"piece\":\"S\""));
    assert!(princess.board().write_for(Edition::Readme).contains("\"piece\":\"P\""));
}

#[test]
fn moves_are_texts_and_objects_and_numbers() {
    let start = Chess::new(Edition::Current);
    let with = |text: &str| {
        let mut chess = start.clone();
        chess.make(text).map(|()| chess.hash().unwrap())
    };
    let hash = with("e4").unwrap();
    let object = "{\"start\":{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"coordinate\":\"e2\"},\
                  \"end\":{\"timeline\":0,\"turn\":1,\"player\":\"white\",\"rank\":4,\"file\":5},\"player\":\"white\"}";
    for text in ["(0T1)e2e4", "1w. 1:e2:e4", "[[0,0,1,4],[0,0,3,4]]", object] {
        assert_eq!(with(text).as_ref(), Ok(&hash), "{text}");
        assert!(start.moveable(text));
    }
    for (text, code) in [
        ("e5", "no-such-move"),
        ("1w. 1:e2:e5", "no-such-move"),
        ("garbage", "unexpected-character"),
        ("e4 d4", "no-such-move"),
        ("", "not-a-move"),
        ("[[0,0,1,4]]", "no-such-move"),
        ("[[0,0,1,4],[0,0,3,400000]]", "number-too-large"),
        ("[[0,0,1,4],[0,0,3,9]]", "missing-square"),
        ("[[9,9,1,4],[0,0,3,4]]", "no-such-timeline"),
        ("[[0,0,1,4],[0,0,3,4,99]]", "unknown-piece"),
        ("{}", "missing-key"),
        ("{\"start\":", "unexpected-json"),
    ] {
        let error = with(text).unwrap_err();
        assert!(!start.moveable(text), "{text}");
        assert!(error.span().is_some() && !error.to_string().is_empty(), "{text}: {error}");
        assert!(error.code() == code || code == "unexpected-character", "{text}: {} {error}", error.code());
    }
    // With the other edition the same numbers mean the other side of the board.
    assert!(Chess::new(Edition::Readme).moveable("[[0,0,6,4],[0,0,4,4]]"));
    assert!(!Chess::new(Edition::Readme).moveable("[[0,0,1,4],[0,0,3,4]]"));
}

/// Recorded from 1.2.1.
#[test]
fn moves_have_the_order_of_the_library() {
    let listed = |text: &str| {
        let moves = Chess::import(Edition::Current, text, None).unwrap().moves(Selection::ALL);
        let promotion = |m: &Move| m.promotion.map_or(String::new(), |kind| kind.letter().to_string());
        let text = |m: &Move| format!("{}{}{}", m.from.square, m.to.square, promotion(m));
        moves.iter().map(text).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        listed("1. Nf3 / Nf6\n2. (0T2)Nf3>>(0T1)f5~ / (1T1)Nf6\n3. (1T2)e3 / (0T2)d6 (1T2)d6"),
        "b1c3 b1a3 b1b3 b1b3 d1e2 e1e2 f1g1 h1g1 a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4 e2e3 e2e4 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 \
         b1c3 b1a3 b1b3 b1b3 d1e2 d1f3 d1g4 d1h5 e1e2 f1e2 f1d3 f1c4 f1b5 f1a6 f1g1 g1e2 g1h3 g1f3 g1g3 g1g3 a2a3 a2a4 b2b3 b2b4 \
         c2c3 c2c4 d2d3 d2d4 f2f3 f2f4 g2g3 g2g4 h2h3 h2h4 e3e4 e3e3 f5h6 f5d6 f5h4 f5d4 f5g7 f5e7 f5g3 f5h5 f5d5 f5f7 f5f3 f5h5 \
         f5d5 f5f7 f5f3 f5f5"
    );
    assert_eq!(
        listed("[Board \"Custom\"]\n[Size \"5x5\"]\n[Promotions \"Q,R,N\"]\n[k4/3rP/q4/1Q1N1/R*2K*1:0:1:w]"),
        "a1b1 a1c1 a1a2 a1a3 d1e1 d1c1 d1e2 d1c2 d1b1 b2c2 b2a2 b2b3 b2b4 b2b5 b2b1 b2c3 b2d4 b2c1 b2a3 d2b3 d2b1 d2c4 e4e5Q \
         e4e5R e4e5N"
    );
}

#[test]
fn moves_have_the_spellings_of_the_library() {
    let chess = Chess::new(Edition::Current);
    for text in ["c4", "c2 c4", "(0T1)c2 >> (0T1)c4", "(0T1)c2>(0T1)c4", "c4 (0T1)", "(0 T1) c4", "P c4"] {
        assert_eq!(chess.read_move(text), chess.read_move("c2c4"), "{text}");
    }
    for text in ["Nb1 c3", "Nc3 (0T1)", "(0T1)Nb1>(0T1)c3", "(0T1)N b1 >> (0T1)c3"] {
        assert_eq!(chess.read_move(text), chess.read_move("Nb1c3"), "{text}");
    }
    // A part that means something else is not left out.
    for text in ["Nc3 (1T1)", "Nc3 Nf3", "(0T1)c2>>(0T2)c4", "(0T1)c4 (1T1)"] {
        assert!(!chess.moveable(text), "{text}");
    }
    let Err(Error::Text(error)) = chess.read_move("c2 c9") else { panic!("no square") };
    assert_eq!(error.span().range(), 4..5, "the place is that of the text as it was given");
    let game = "1. (0T1)c2>>(0T1)c4 / (0T1)c7>>(0T1)c5\n2. (0T2)Nb1>>(0T1)b3";
    let read = Chess::import(Edition::Current, game, None).unwrap();
    assert!(pgn(&read).ends_with("1. c4 / c5\n2. (0T2)Nb1>>(0T1)b3~"), "{}", pgn(&read));
    let mut acted = Chess::new(Edition::Current);
    acted.act("(0T1)c2>>(0T1)c4").unwrap();
    assert!(pgn(&acted).ends_with("1. c4"));
}

#[test]
fn castling_is_written_as_a_move_of_the_king() {
    let text = "1. e4 / e5 2. Nf3 / Nf6 3. Bc4 / Bc5 4. O-O";
    let chess = Chess::import(Edition::Current, text, None).unwrap();
    assert!(pgn(&chess).ends_with("4. Kg1"), "{}", pgn(&chess));
    let again = Chess::import(Edition::Current, &pgn(&chess), None).unwrap();
    assert_eq!(again.raw_action_history(), chess.raw_action_history());
}

#[test]
fn undo_and_submit_say_what_they_miss() {
    let mut chess = Chess::new(Edition::Current);
    assert_eq!(chess.undo().unwrap_err().to_string(), "No moves to undo.");
    assert!(
        chess.submit().unwrap_err().to_string().starts_with("Action is not complete, more moves are needed")
    );
    assert!(!chess.submittable() && !chess.undoable());
    let before = chess.hash().unwrap();
    chess.make("e4").unwrap();
    assert!(chess.submittable() && chess.undoable());
    chess.undo().unwrap();
    assert_eq!(chess.hash().unwrap(), before);
    let mut exposed = Chess::import(Edition::Current, "1. e4 / e5 2. Qh5", None).unwrap();
    exposed.make("f6").unwrap();
    assert_eq!(exposed.submit().unwrap_err().to_string(), "Cannot submit, currently in check.");
    assert!(!exposed.submittable() && !exposed.actionable("g6") && exposed.move_buffer().len() == 1);
    exposed.undo().unwrap();
    assert_eq!(exposed.actions(Selection::default(), Limit::NONE).count(), 28);
    assert_eq!(exposed.moves(Selection::default()).len(), 30);
    assert!(exposed.actionable("g6") && !exposed.actionable("f6") && !exposed.actionable(""));
    assert!(exposed.move_buffer().is_empty());
}

#[test]
fn a_pass_leaves_copies_and_has_no_text() {
    for edition in BOTH {
        let mut chess = Chess::new(edition);
        assert!(chess.passable());
        chess.pass().unwrap();
        assert_eq!((chess.player(), chess.action_number()), (Color::Black, 1));
        assert_eq!(chess.board().timelines[0].turns.len(), 2);
        assert_eq!(chess.export_json(), "[{\"action\":1,\"player\":\"white\",\"moves\":[],\"pass\":true}]");
        assert_eq!(chess.export(Text::Full), Err(Error::Pass));
        chess.act("e5").unwrap();
        let again = Chess::import(edition, &chess.export_json(), None).unwrap();
        assert_eq!(again.board(), chess.board());
        let library = "[{\"action\":1,\"player\":\"white\",\"moves\":[]}]";
        assert_eq!(Chess::import(edition, library, None).unwrap().player(), Color::Black);
    }
    let mut checked = Chess::import(Edition::Current, "1. e4 / d6 2. Bb5", None).unwrap();
    assert_eq!(checked.pass(), Err(Error::InCheck));
}

#[test]
fn the_last_action_may_be_unfinished() {
    for text in [
        "1. e3 / f6 2. Nb1>>(0T1)b3 / (1T1)a6 3. (1T2)c3 / (0T2)Nc6",
        "1w. 1:e2:e3; 1b. 1:f7:f6; 2w. 2:Nb1<>1:b3; 2b. 1+1:a7:a6; 3w. 2+1:c2:c3; 3b. 2:Nb8:c6",
    ] {
        let chess = Chess::import(Edition::Current, text, None).unwrap();
        assert_eq!((chess.move_buffer().len(), chess.action_number()), (1, 3), "{text}");
        assert_eq!(chess.move_buffer()[0].real_end.unwrap().turn, 3);
        let earlier = text.replacen("e3", "h4", 1).replacen("2:e3", "2:h4", 1);
        assert!(Chess::import(Edition::Current, &format!("{earlier} 4. a3"), None).is_err());
    }
    let error = Chess::import(Edition::Current, "1. e4 / e5 2. Ke3 / Nf6", None).unwrap_err();
    assert_eq!((error.code(), error.span().map(|span| span.start)), ("no-such-move", Some(14)));
    let error = Chess::start(Edition::Current, "princes").unwrap_err();
    assert!(error.to_string().contains("Princess"), "{error}");
}

#[test]
fn starts_are_kept_in_every_form() {
    let turn_zero = "[Board \"Custom\"]\n[Mode \"5D\"]\n\
        [R*NBQK*BNR*/P*P*P*P*P*P*P*P*/8/8/8/8/p*p*p*p*p*p*p*p*/r*nbqk*bnr*:0:0:b]\n\
        [R*NBQK*BNR*/P*P*P*P*P*P*P*P*/8/8/8/8/p*p*p*p*p*p*p*p*/r*nbqk*bnr*:0:1:w]\n";
    for text in [turn_zero, &turn_zero.replace(":0:0:b", ":-0:1:b").replace(":0:1:w", ":+0:1:w")] {
        assert_eq!(pgn(&Chess::import(Edition::Current, text, None).unwrap()), text);
    }
    let mut begun = 0;
    for (name, short) in names() {
        let (long, short) = (Chess::start(Edition::Current, name), Chess::start(Edition::Current, &short));
        let (long, short) = (long.unwrap(), short.unwrap());
        assert_eq!(long.board(), short.board(), "{name}");
        let mut moved = long.clone();
        let Some(action) = long.actions(Selection::ALL, 10_000).next() else { continue };
        begun += 1;
        for m in &action {
            moved
                .make(&long.move_text(m, Text::Pgn5d(Tokens { boards: true, ..Tokens::default() })))
                .unwrap();
        }
        moved.submit().unwrap();
        let again = Chess::import(Edition::Current, &pgn(&moved), None).unwrap();
        assert_eq!(again.board(), moved.board(), "{name}");
        let variant = variants::by_name(name).unwrap().name;
        let given = Chess::import(Edition::Current, &moved.export_json(), Some(variant)).unwrap();
        assert_eq!(given.board(), moved.board(), "{name}");
    }
    assert!(begun > 40, "{begun}");
}

#[test]
fn promotions_are_what_stands_on_the_boards() {
    let text = "1. a3 / b5\n2. a4 / h6\n3. axb5 / g6\n4. b6 / f6\n5. b7 / e6";
    for (variant, letters) in [("Standard", "QNBR"), ("Princess", "SNBR")] {
        let head = format!("[Board \"{variant}\"]\n{text}");
        let mut chess = Chess::import(Edition::Current, &head, None).unwrap();
        let shown: Vec<String> = chess
            .moves(Selection::default())
            .iter()
            .map(|m| chess.move_text(m, Text::Pgn5d(Tokens::default())))
            .filter(|text| text.starts_with("bxc8="))
            .collect();
        let mut found: Vec<char> = shown.iter().filter_map(|text| text.chars().last()).collect();
        let mut expected: Vec<char> = letters.chars().collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{variant}");
        chess.act("bxc8=N").unwrap();
        // The header tells programs that only know queens.
        assert!(pgn(&chess).contains("[Promotions \""));
        let again = Format::Pgn5d.parse(pgn(&chess).as_bytes(), &Options::default()).into_result().unwrap();
        assert_eq!(&again.end(), chess.position());
    }
}

#[test]
fn selections_leave_out_what_they_say() {
    let text = "1. Nf3 / Nf6 2. Nf3>>(0T1)f5 / (1T1)e6 3. (1T2)Nc3";
    let chess = Chess::import(Edition::Current, text, None).unwrap();
    let count = |selection| chess.actions(selection, Limit::NONE).count();
    let present = Selection { present_only: true, ..Selection::ALL };
    let active = Selection { active_only: true, ..Selection::ALL };
    let all = count(Selection::ALL);
    assert!(count(present) <= count(active) && count(active) <= all);
    let spatial = Selection { spatial_only: true, ..Selection::ALL };
    let moves = chess.moves(Selection::ALL).len();
    assert!(chess.moves(spatial).len() < moves && !chess.moves(present).is_empty());
    // After White has created a timeline and Black none, White's next one is inactive.
    let text = "1. Nf3 / Nf6 2. Nf3>>(0T1)f5 / (1T1)Nc6 3. (1T2)e3 / (0T2)e6 (1T2)e6";
    let chess = Chess::import(Edition::Current, text, None).unwrap();
    let new = Selection { new_active_timelines_only: true, ..Selection::ALL };
    let (some, all) = (chess.actions(new, 100_000), chess.actions(Selection::ALL, 100_000));
    let (some, all) = (some.take(5_000).count(), all.take(5_000).count());
    assert!(some < all, "{some} of {all}");
    for rest in chess.actions(new, 100_000).take(200) {
        let mut after = chess.clone();
        for m in &rest {
            after.under_way.push(*m).unwrap();
        }
        let active = after.under_way.multiverse().active();
        let created = after.under_way.multiverse().timelines().filter(|line| line.0 > 1);
        assert!(created.into_iter().all(|line| active.contains(line)));
        after.submit().unwrap();
    }
}

#[test]
fn selected_actions_are_those_of_all_that_fit() {
    let (mut positions, mut kept, mut dropped) = (0, 0, 0);
    for seed in 0..400 {
        let game = random_game(seed);
        let chess = Chess::of(Edition::Current, &game);
        let all: Vec<Vec<Move>> = chess.actions(Selection::ALL, 50_000).take(3_001).collect();
        if all.len() > 3_000 {
            continue;
        }
        positions += 1;
        let before = chess.position();
        for mask in 1..8 {
            let selection = Selection {
                active_only: mask & 1 > 0,
                present_only: mask & 2 > 0,
                new_active_timelines_only: mask & 4 > 0,
                spatial_only: false,
            };
            let fits = |moves: &&Vec<Move>| {
                let mut after = before.clone();
                after.play(&Action::new((*moves).clone())).unwrap();
                let (active, was) = (after.multiverse().active(), before.multiverse().range());
                let starts = |at: BoardCoordinate| {
                    active.contains(at.timeline)
                        && (!selection.present_only || at.half_turn <= before.present())
                };
                let mut created = after.multiverse().timelines().filter(|line| !was.contains(*line));
                (mask & 3 == 0 || moves.iter().all(|m| starts(m.from.board)))
                    && (mask & 4 == 0 || created.all(|line| active.contains(line)))
            };
            let expected: BTreeSet<&Vec<Move>> = all.iter().filter(fits).collect();
            let found: Vec<Vec<Move>> = chess.actions(selection, Limit::NONE).collect();
            assert_eq!(found.iter().collect::<BTreeSet<_>>(), expected, "{selection:?} {before:?}");
            assert_eq!(found.len(), expected.len());
            kept += found.len();
            dropped += all.len() - found.len();
        }
    }
    assert!(positions > 100 && kept > 5_000 && dropped > 5_000, "{positions}: {kept} and {dropped}");
}

#[test]
fn what_is_written_is_read_back() {
    let (mut moves, mut texts) = (0, 0);
    for seed in 0..60 {
        let game = random_game(seed);
        let mut chess = Chess::of(Edition::Current, &game);
        let next = chess.actions(Selection::ALL, 20_000).next();
        for m in next.iter().flatten() {
            for text in [Text::Pgn5d(Tokens::default()), Text::Full, Text::Short] {
                let mut other = chess.clone();
                other.make(&chess.move_text(m, text)).unwrap();
                assert_eq!(other.under_way.moves().last(), Some(m));
                texts += 1;
            }
            let object = chess.move_object(chess.under_way.position(), m).write_for(Edition::Current);
            let raw = chess.raw_moves(chess.under_way.position(), &[*m]);
            for text in [object.as_str(), &raw[1..raw.len() - 1]] {
                let mut other = chess.clone();
                other.make(text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(other.under_way.moves().last(), Some(m), "{text}");
            }
            chess.make(&object).unwrap();
            moves += 1;
        }
        let again = Chess::import(Edition::Current, &chess.save(), None).unwrap();
        assert_eq!(again.board(), chess.board());
        assert_eq!(
            (again.save(), again.history, again.begun),
            (chess.save(), chess.history.clone(), chess.begun.clone())
        );
        let board = chess.board();
        assert_eq!(schema::Board::parse(&board.write_for(Edition::Current)), Ok(board));
        assert!(chess.print().starts_with("Current Player: "));
    }
    assert!(moves > 20 && texts > 60, "{moves} moves");
}
