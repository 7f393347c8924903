//! Properties of all games and texts, tested on random ones.

use super::{
    Marks, Options, Record, action_text, parse, parse_action, parse_board, parse_start, parse_with,
    start_text, write,
};
use crate::notation::common::ErrorClass;
use crate::notation::common::MAX_INPUT_BYTES;
use crate::notation::common::describe::check_mark;
use crate::notation::common::samples::{Random, assert_spans_fit, random_game};
use crate::notation::fen5d;

#[test]
fn a_written_game_is_read_back() {
    for seed in 0..300 {
        let game = random_game(seed);
        let text = write(&game, Marks::None).into_text();
        let reading = parse(&text);
        assert_eq!(reading.error, None, "{text}");
        assert_eq!(reading.warnings, [], "{text}");
        assert_eq!(reading.value.as_ref(), Some(&game), "{text}");
        assert_eq!(write(&game, Marks::None).into_text(), text);
    }
}

#[test]
fn every_position_of_a_game_is_written_and_read_back() {
    for seed in 0..100 {
        let end = random_game(seed).end();
        let given = fen5d::Given { profile: end.profile(), ..fen5d::Given::default() };
        let text = fen5d::write(&end);
        assert_eq!(
            fen5d::blocks(&text).and_then(|blocks| fen5d::position(&blocks, given)).as_ref(),
            Ok(&end),
            "{text}"
        );
    }
}

#[test]
fn marks_do_not_change_the_game() {
    for seed in 0..40 {
        let game = random_game(seed);
        assert_eq!(parse(&write(&game, Marks::Check).into_text()).into_result(), Ok(game));
    }
}

#[test]
fn a_mark_that_is_too_hard_to_judge_is_not_blamed() {
    let text = include_str!("../../../corpus/regressions/pgn5d_game/a-mark-that-takes-long.input").trim_end();
    let game = parse(text).into_result().unwrap();
    assert!(check_mark(&game.end()).is_err(), "a harder position is needed here");
    assert!(write(&game, Marks::Check).into_text().trim_end().ends_with("f7+"));
    let options = Options { check_marks: true, ..Options::default() };
    for mark in ["+", "*", "#"] {
        let reading = parse_with(&format!("{text}{mark}"), &options);
        assert_eq!((reading.error, reading.warnings), (None, vec![]), "{mark}");
    }
}

/// A text with parts left out may be ambiguous. It never means another action, as long as the letter stays.
#[test]
fn shorthand_means_the_same_or_is_ambiguous() {
    let mut same = 0;
    for seed in 0..100 {
        let game = random_game(seed);
        let mut position = game.start.clone();
        for action in &game.actions {
            let text = action_text(&position, action);
            for short in shorthands(&text) {
                match parse_action(&position, &short) {
                    Ok(read) => {
                        assert_eq!(&read, action, "{short} for {text}");
                        same += 1;
                    }
                    Err(error) if error.class == ErrorClass::Ambiguous => {}
                    Err(error) => panic!("{short} for {text}: {error}"),
                }
            }
            position.play_unchecked(action);
        }
    }
    assert!(same > 1000, "{same} of the shorthands were unambiguous");
}

/// The text of an action without captures, without origins, without jump targets, and without boards.
fn shorthands(text: &str) -> [String; 4] {
    let map = |change: fn(&str) -> String| text.split(' ').map(change).collect::<Vec<_>>().join(" ");
    [
        text.replace('x', ""),
        map(|m| {
            // Letter and target stay; `O-O` and pawns have no letter.
            let (board, rest) = m.split_once(')').unwrap_or(("", m));
            match rest.as_bytes() {
                [b'A'..=b'Z', b'a'..=b'h', ..] => format!("{board}){}{}", &rest[..1], &rest[3..]),
                _ => m.to_string(),
            }
        }),
        map(|m| match (m.rfind('('), m.rfind(')')) {
            (Some(open @ 1..), Some(close)) => format!("{}{}", &m[..open], &m[close + 1..]),
            _ => m.to_string(),
        }),
        map(|m| m.split_once(')').map_or(m, |(_, rest)| rest).to_string()),
    ]
}

/// The bytes of random texts.
const ALPHABET: &[u8] = b" \n/.()[]{};:\"\\$>xTLwb0123456789abcdefghPNBRQKUDSWCY=+-*#~!?Oe";

#[test]
fn what_starts_on_a_board_is_one_move_and_nothing_else() {
    let position = parse("1. Nf3 / Nf6").into_result().unwrap().end();
    let board = parse_board(&position, "(0T2)").unwrap();
    let code = |text: &str| parse_start(&position, board, text).map_err(|error| error.issue.code);
    for (text, canonical) in [("Nc3", "Nb1c3"), ("1. e4", "e2e4"), ("N>>f5", "Nf3>>(0T1)f5")] {
        assert_eq!(start_text(&position, &code(text).unwrap()), canonical);
    }
    for text in ["", "Nc3 d4", "Nc3 / d5", "Nc3 1-0", "[A \"b\"] Nc3", "[4k3/8/8/8/8/8/8/4K3:0:1:w] Nc3"] {
        assert_eq!(code(text), Err("not-a-move"), "{text}");
    }
}

#[test]
fn any_text_is_read_or_refused() {
    let samples: Vec<String> =
        (0..20).map(|seed| write(&random_game(seed), Marks::None).into_text()).collect();
    let mut random = Random(7);
    for round in 0..4000 {
        let text = random.spoil(&samples, ALPHABET);
        let reading = parse(&text);
        assert_spans_fit(&text, &reading);
        // Every game that was read has a canonical text with the same meaning.
        if let Some(game) = &reading.value {
            assert_eq!(
                parse(&write(game, Marks::None).into_text()).into_result().as_ref(),
                Ok(game),
                "round {round}: {text}"
            );
        }
    }
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    // Each of these would take hours if reading a part began at the start of the text.
    for piece in ["{", "(1. ", "[k", "[A \"", ";", "e4 ", "(", "1. e4 / ", "\\\"", "(L-0T1)", "$(", "( "] {
        let text = piece.repeat(MAX_INPUT_BYTES / 8 / piece.len());
        let (record, _) = Record::parse(&text);
        assert!(record.line.actions.len() <= text.len());
    }
}
