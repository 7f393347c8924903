//! Properties that hold across notations, tested on random games and corrupted texts.
//!
//! Games are written in the notations of games, positions also in 5DFEN and FEN, which hold nothing else.
//! Only [`ceo`](super::ceo) is left out: its moves are those of another game, with other pieces and without a
//! start position, so it holds no game of ours and no other notation holds its moves. Its own properties are
//! in `ceo/tests.rs`.

use std::collections::BTreeMap;

use super::Options;
use super::pgn5d::Marks;
use super::{Format, fen, fen5d, gui_fen, pgn5d, raw, simplified};
use crate::notation::common::samples::{Random, assert_spans_fit, random_game, random_orthodox_game};
use crate::notation::common::{Game, MAX_INPUT_BYTES, Parsed, Written};
use crate::state::Position;

/// The notations of whole games.
const GAMES: [Format; 10] = [
    Format::Pgn5d,
    Format::Uci5d,
    Format::Simplified,
    Format::Raw,
    Format::GuiFen,
    Format::ChessJs,
    Format::ChessJsShort,
    Format::ChessJsJson,
    Format::Hexicube,
    Format::Tn,
];

/// The notations of whole games of orthodox chess.
const ORTHODOX: [Format; 4] = [Format::Pgn, Format::Chess64, Format::Chess64Binary, Format::Pgn5d];

/// The options that are needed to read a game back, for the parts that a notation does not say.
fn options(game: &Game, format: Format) -> Options {
    match format {
        Format::Simplified | Format::Raw | Format::Hexicube | Format::Tn => {
            Options { start: Some(game.start.clone()), ..Options::default() }
        }
        _ => Options::default(),
    }
}

fn read(bytes: &[u8], format: Format, options: &Options) -> Game {
    let Parsed { value: game, error, warnings, .. } = format.parse(bytes, options);
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(error, None, "{}: {text}", format.name());
    assert_eq!(warnings, [], "{}: {text}", format.name());
    game.unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn a_game_survives_every_notation() {
    let mut written_by = [0; GAMES.len()];
    for seed in 0..400 {
        let game = random_game(seed);
        for (index, format) in GAMES.into_iter().enumerate() {
            let Ok(written) = format.write(&game) else {
                let may_refuse =
                    [Format::GuiFen, Format::ChessJsJson, Format::Hexicube, Format::Tn].contains(&format);
                assert!(may_refuse, "{format}");
                continue;
            };
            let text = String::from_utf8_lossy(&written.bytes).into_owned();
            let mut options = options(&game, format);
            options.check_marks = seed % 10 == 0;
            if format == Format::GuiFen {
                // This notation says neither which pieces have moved nor the promotions: compare games
                // without these losses.
                let of_start =
                    |loss: &super::Loss| loss.what.contains("moved") || loss.what.contains("rules");
                if written.losses.iter().any(of_start) {
                    continue;
                }
            }
            if matches!(format, Format::Uci5d | Format::Hexicube)
                && written.losses.iter().any(|loss| loss.what.contains("rules"))
            {
                continue;
            }
            let again = read(&written.bytes, format, &options);
            assert_eq!(again.actions, game.actions, "{}: {text}", format.name());
            assert_eq!(again.end().multiverse(), game.end().multiverse(), "{}: {text}", format.name());
            if written.losses.is_empty() {
                assert_eq!(again, game, "{}: {text}", format.name());
            }
            // Writing the game that was read gives the same text.
            let printed = format.write(&again).unwrap();
            assert_eq!(String::from_utf8_lossy(&printed.bytes), text, "{}", format.name());
            written_by[index] += 1;
        }
    }
    assert!(written_by.iter().all(|&count| count > 50), "{written_by:?}");
}

/// Writes a game in each notation, converts it to each other one and back, and compares the texts, if neither
/// way loses anything.
fn assert_all_ways_lead_back(game: &Game, formats: &[Format], ways: &mut BTreeMap<(Format, Format), usize>) {
    // For notations that do not say the start position, it is among the options.
    let is_whole =
        |written: &Written| written.losses.iter().all(|loss| loss.what.contains("beside the text"));
    let texts = formats.iter().filter_map(|&format| {
        let written = format.write(game).ok().filter(is_whole)?;
        Some((format, written.bytes))
    });
    let texts: Vec<(Format, Vec<u8>)> = texts.collect();
    for (one, text) in &texts {
        let there = read(text, *one, &options(game, *one));
        assert_eq!(there.end().multiverse(), game.end().multiverse(), "{}", one.name());
        for (other, expected) in &texts {
            let name = format!("{} to {}", one.name(), other.name());
            let converted = other.write(&there).unwrap();
            assert!(is_whole(&converted), "{name}: {:?}", converted.losses);
            let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(show(&converted.bytes), show(expected), "{name}");
            let back = read(&converted.bytes, *other, &options(game, *other));
            assert_eq!(back.end().multiverse(), game.end().multiverse(), "{name}");
            assert_eq!(show(&one.write(&back).unwrap().bytes), show(text), "{name} and back");
            *ways.entry((*one, *other)).or_default() += 1;
        }
    }
}

#[test]
fn every_notation_leads_to_every_other_and_back() {
    let mut ways = BTreeMap::new();
    for seed in 400..520 {
        let game = random_game(seed);
        assert_all_ways_lead_back(&game, &GAMES, &mut ways);
        // Parts that only some notations can say are left out, so that all notations take part.
        let bare = Game { headers: Vec::new(), result: None, name: None, ..game };
        assert_all_ways_lead_back(&bare, &GAMES, &mut ways);
    }
    // 5DUCI and GUI FEN promote to queens only, the JSON to any of four pieces: no game with pawns is
    // complete in both.
    let queens_only =
        |format| matches!(format, Format::Uci5d | Format::GuiFen | Format::Hexicube | Format::Tn);
    let apart = |one, other| queens_only(one) && other == Format::ChessJsJson;
    for (one, other) in GAMES.into_iter().flat_map(|one| GAMES.map(|other| (one, other))) {
        let count = ways.get(&(one, other)).copied().unwrap_or_default();
        assert!(count > 20 || apart(one, other) || apart(other, one), "{one:?} to {other:?}: {count}");
    }
}

#[test]
fn orthodox_games_lead_from_every_notation_to_every_other_and_back() {
    let mut ways = BTreeMap::new();
    for seed in 0..60 {
        let game = Game { result: None, ..random_orthodox_game(seed) };
        assert_all_ways_lead_back(&game, &ORTHODOX, &mut ways);
    }
    assert_eq!(ways.len(), ORTHODOX.len() * ORTHODOX.len());
    assert!(ways.values().all(|&count| count > 20), "{ways:?}");
}

/// The notations that say where a game starts. The others get the start as an option and so hold no position.
const STARTS: [Format; 8] = [
    Format::Fen5d,
    Format::Pgn5d,
    Format::Uci5d,
    Format::GuiFen,
    Format::ChessJs,
    Format::ChessJsShort,
    Format::ChessJsJson,
    Format::VariantsJson,
];

/// A position in a notation; `None` unless the text gives all boards. Losses of rules do not count.
fn written_position(position: &Position, format: Format) -> Option<Vec<u8>> {
    let Written { bytes, losses } = format.write(&Game::new(position.clone(), Vec::new())).ok()?;
    let is_about_rules = |what: &str| what.contains("rules") || what.contains("pawns may become");
    losses.iter().all(|loss| is_about_rules(&loss.what)).then_some(bytes)
}

#[test]
fn positions_lead_from_every_notation_that_holds_them_to_every_other_and_back() {
    let mut ways = BTreeMap::new();
    for seed in 0..60 {
        let game = random_game(seed);
        for position in [game.end(), game.start] {
            let boards = fen5d::write(&position);
            let read_position = |bytes: &[u8], format| {
                let again = read(bytes, format, &Options::default()).start;
                assert_eq!(fen5d::write(&again), boards, "{format:?}: {}", String::from_utf8_lossy(bytes));
                assert_eq!(again.to_move(), position.to_move(), "{boards}");
                again
            };
            let texts: Vec<(Format, Vec<u8>)> = STARTS
                .into_iter()
                .filter_map(|format| Some((format, written_position(&position, format)?)))
                .collect();
            for (one, text) in &texts {
                let there = read_position(text, *one);
                for (other, _) in &texts {
                    let converted =
                        written_position(&there, *other).expect("a notation that holds the boards");
                    let back = written_position(&read_position(&converted, *other), *one);
                    read_position(&back.expect("a notation that holds the boards"), *one);
                    *ways.entry((*one, *other)).or_insert(0) += 1;
                }
            }
        }
    }
    for (one, other) in STARTS.into_iter().flat_map(|one| STARTS.map(|other| (one, other))) {
        let count = ways.get(&(one, other)).copied().unwrap_or_default();
        assert!(count > 20, "{one:?} to {other:?}: {count}");
    }
}

/// A FEN without its half-move clock, which only notations with headers keep.
fn without_clock(fen: &str) -> String {
    let fields = fen.split(' ').enumerate().filter(|(index, _)| *index != 4);
    fields.map(|(_, field)| field).collect::<Vec<_>>().join(" ")
}

#[test]
fn orthodox_positions_lead_through_every_notation_and_back() {
    let mut through = BTreeMap::new();
    for seed in 0..120 {
        let game = Game { result: None, ..random_orthodox_game(seed) };
        let fen = String::from_utf8(Format::Fen.write(&game).unwrap().bytes).unwrap();
        let position = read(fen.as_bytes(), Format::Fen, &Options::default());
        // The JSON of variants takes every piece of the first board for unmoved.
        let starts = STARTS.into_iter().filter(|&format| format != Format::VariantsJson);
        for format in starts.chain([Format::Fen, Format::Pgn]) {
            let Ok(Written { bytes, losses }) = format.write(&position) else {
                // After a double step there are boards before the one of the FEN.
                assert_eq!(format, Format::GuiFen, "{fen}");
                assert!(position.start.multiverse().boards().count() > 1, "{fen}");
                continue;
            };
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            let again = read(&bytes, format, &options(&position, format));
            let back = Format::Fen.write(&again).unwrap();
            assert!(back.losses.iter().all(|loss| loss.what.contains("rules")), "{shown}: {:?}", back.losses);
            let back = String::from_utf8(back.bytes).unwrap();
            if losses.iter().any(|loss| loss.what.contains(fen::HALFMOVE_CLOCK)) {
                assert_eq!(without_clock(&back), without_clock(&fen), "{}: {shown}", format.name());
            } else {
                assert_eq!(back, fen, "{}: {shown}", format.name());
            }
            *through.entry(format).or_insert(0) += 1;
        }
    }
    assert_eq!(through.len(), STARTS.len() + 1);
    assert!(through.values().all(|&count| count > 20), "{through:?}");
}

#[test]
fn what_is_written_is_never_taken_for_another_notation() {
    for seed in 0..200 {
        let game = random_game(seed);
        for format in Format::all() {
            let Ok(written) = format.write(&game) else { continue };
            let found = Format::detect(&written.bytes);
            let text = String::from_utf8_lossy(&written.bytes);
            // A game without moves within a board is the same in both layouts.
            let layouts = [Some(Format::ChessJs), Some(Format::ChessJsShort)];
            // Headers alone are the same in these two.
            let headers_alone =
                format == Format::Tn && found == Some(Format::Pgn5d) && game.actions.is_empty();
            let same = found == Some(format)
                || headers_alone
                || layouts.contains(&found) && layouts.contains(&Some(format));
            assert!(found.is_none() || same, "{}: {found:?}: {text}", format.name());
            // Only a game without moves may be too short to detect.
            let is_clear =
                game.actions.len() > 1 || matches!(format, Format::Pgn5d | Format::Fen5d | Format::Uci5d);
            assert!(found.is_some() || !is_clear, "{}: {text}", format.name());
        }
    }
}

#[test]
fn both_forms_of_a_game_mean_the_same() {
    for seed in 0..150 {
        let game = random_game(seed);
        let semicolons = simplified::write(&game, simplified::Separator::Semicolon).into_text();
        let options = options(&game, Format::Simplified);
        let again = read(semicolons.as_bytes(), Format::Simplified, &options);
        assert_eq!(again.actions, game.actions, "{semicolons}");
        let Ok(origins) = gui_fen::write(&game, Some(gui_fen::Generation::Origins)) else { continue };
        let origins = origins.into_text();
        let Parsed { value: Some(read), error, .. } = gui_fen::parse_with(&origins, &Options::default())
        else {
            panic!("{origins}")
        };
        if error.is_none() {
            assert_eq!(read.actions, game.actions, "{origins}");
        }
    }
}

#[test]
fn every_text_is_read_without_panic_and_every_span_fits() {
    let mut random = Random(0x1357_9bdf);
    let samples: Vec<(Format, Vec<u8>, Options)> = (0..40)
        .flat_map(|seed| {
            let game = random_game(seed);
            let write =
                move |format: Format| Some((format, format.write(&game).ok()?.bytes, options(&game, format)));
            GAMES.into_iter().filter_map(write).collect::<Vec<_>>()
        })
        .collect();
    for round in 0..6_000 {
        let (format, bytes, options) = &samples[random.below(samples.len())];
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(5) {
                0 => bytes.truncate(at),
                1 => {
                    let other = &samples[random.below(samples.len())].1;
                    let from = random.below(other.len() + 1);
                    let piece = &other[from..other.len().min(from + random.below(30))];
                    bytes.splice(at..at, piece.iter().copied());
                }
                2 => bytes[at] = b"();,/=+-#xLTOKQ0189>;wb\n *"[random.below(26)],
                3 => bytes[at] = random.below(128) as u8,
                _ => {
                    bytes.remove(at);
                }
            }
        }
        let options = Options { check_marks: true, ..options.clone() };
        let text = String::from_utf8_lossy(&bytes);
        let reading = format.parse(text.as_bytes(), &options);
        assert_spans_fit(&text, &reading);
        // Every game that was read is written and read back with the same actions.
        if let Some(game) = &reading.value {
            let again = pgn5d::parse(&pgn5d::write(game, Marks::None).into_text()).into_result();
            assert_eq!(again.as_ref(), Ok(game), "round {round}: {text}");
            let text = raw::write(game).into_text();
            let start = Options { start: Some(game.start.clone()), ..Options::default() };
            let again = raw::parse_with(&text, &start);
            assert_eq!(again.value.map(|again| again.actions).as_ref(), Some(&game.actions), "{text}");
        }
    }
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    // Each of these would take hours if reading a part began at the start of the text.
    for (format, front, piece) in [
        (Format::Simplified, "1. ", "e2e3 "),
        (Format::Simplified, "", "1. "),
        (Format::Simplified, "1. ", ";"),
        (Format::Simplified, "1. L", "1"),
        (Format::Raw, "", "(1,1,1,0)(1,1,1,0);"),
        (Format::Raw, "", "(1,0,1,0)(1,1,1,0)\n"),
        (Format::Raw, "", "0000;"),
        (Format::Raw, "", "("),
        (Format::Uci5d, "position startpos moves ", "submit "),
        (Format::Uci5d, "position fen ", "[k:0:1:w] "),
        (Format::GuiFen, "8;8;1;0\n", ";"),
        (Format::GuiFen, "8;8;2000;0\n", "8/8;;;w1;0;\n"),
        (Format::GuiFen, "8;8;1;0\n8/8/8/8/8/8/8/8;;-;w1;0;", "(1,1,1,0)(1,1,2,0);"),
        (Format::GuiFen, "8;8;1;0\n8/8/8/8/8/8/8/8;;-;", "1;"),
        (Format::GuiFen, "1;1;0;1;0;w\nk;;-;w1\n", "(1,1,1,0)(1,1,1,0);"),
        (Format::Chess64, "M5m4", " "),
        (Format::Chess64, "M5m4", "\r\n"),
    ] {
        let text = front.to_owned() + &piece.repeat(MAX_INPUT_BYTES / 8 / piece.len());
        let reading = format.parse(text.as_bytes(), &Options::default());
        assert!(reading.error.is_some() || reading.value.is_some(), "{front}{piece}");
        let _ = Format::detect(text.as_bytes());
    }
}
