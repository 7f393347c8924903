//! Properties of all games and texts, tested on random ones.

use super::{MAX_NESTING, Record, parse, san, write};
use crate::notation::common::samples::{Random, assert_refused, assert_spans_fit, random_orthodox_game};
use crate::notation::common::{Game, GameResult, MAX_INPUT_BYTES};
use crate::notation::{Format, fen, pgn5d};

/// A game that starts in the middle of another, with headers.
fn random_part(seed: u64) -> Game {
    let mut game = random_orthodox_game(seed);
    if seed.is_multiple_of(3) {
        game.headers.push(("White".into(), "a \"b\" \\ é".into()));
        game.headers.push(("Result".into(), game.result.map_or("*", GameResult::text).into()));
    }
    if seed.is_multiple_of(2) {
        let middle = Game { actions: game.actions[..game.actions.len() / 2].to_vec(), ..game.clone() };
        let text = fen::write(&middle.end(), 0).unwrap();
        let (start, clock) = fen::parse(&text).into_result().unwrap();
        assert_eq!(clock, 0);
        game = Game { start, actions: game.actions[game.actions.len() / 2..].to_vec(), ..game };
    }
    game
}

fn text(game: &Game) -> String {
    String::from_utf8(write(game).unwrap().bytes).unwrap()
}

#[test]
fn the_moves_of_a_game_are_written_as_each_by_itself() {
    for seed in 0..20 {
        let game = Game { result: None, ..random_orthodox_game(seed) };
        let text = text(&game);
        let body = text.split_once("\n\n").map_or(&*text, |(_, body)| body);
        let is_move = |word: &&str| !word.ends_with('.') && *word != "*";
        let mut position = game.start.clone();
        let moves = game.actions.iter().map(|action| {
            let san = san(&position, &action.moves()[0]);
            position.play_unchecked(action);
            san
        });
        assert!(moves.eq(body.split_whitespace().filter(is_move).map(str::to_owned)), "{text}");
    }
}

#[test]
fn what_is_odd_before_a_wrong_start_is_told_too() {
    let reading = parse("[Variant \"Antichess\"]\n[FEN \"8/8 w\"]\n\n1. e4 *\n");
    assert!(reading.value.is_none() && reading.error.is_some());
    let codes: Vec<_> = reading.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["other-variant"]);
}

#[test]
fn a_written_game_is_read_back() {
    for seed in 0..300 {
        let game = random_part(seed);
        let text = text(&game);
        assert!(text.lines().all(|line| line.starts_with('[') || line.len() <= super::COLUMNS), "{text}");
        let reading = parse(&text);
        assert_eq!((&reading.error, &reading.warnings), (&None, &vec![]), "{text}");
        assert_eq!(reading.value.as_ref(), Some(&game), "{text}");
        assert_eq!(self::text(&game), text);
    }
}

#[test]
fn every_position_has_a_fen_that_is_read_back() {
    let mut skipped = 0;
    for seed in 0..100 {
        let game = random_orthodox_game(seed);
        let mut position = game.start.clone();
        for action in &game.actions {
            position.play(action).unwrap();
            let text = fen::write(&position, 3).unwrap();
            let (read, clock) = fen::parse(&text).into_result().unwrap();
            assert_eq!(fen::write(&read, clock).as_deref(), Ok(text.as_str()));
            skipped += usize::from(!text.contains(" - 3"));
            // The same moves are possible.
            let (mut one, mut other) = (Vec::new(), Vec::new());
            position.legal_moves_on_board(&mut one);
            read.legal_moves_on_board(&mut other);
            assert_eq!(one, other, "{text}");
        }
    }
    assert!(skipped > 100, "{skipped} double steps");
}

#[test]
fn games_that_belong_to_both_worlds_go_over_and_back() {
    let mut over = 0;
    for seed in 0..150 {
        let mut game = random_orthodox_game(seed);
        game.actions.truncate(12);
        game.result = None;
        let Ok((in_5d, losses)) = crate::notation::orthodox::to_5d(&game) else { continue };
        assert_eq!(losses.len(), 1);
        let through =
            pgn5d::parse(&pgn5d::write(&in_5d, pgn5d::Marks::None).into_text()).into_result().unwrap();
        assert_eq!(text(&through), text(&game));
        over += 1;
    }
    assert!(over > 50, "{over}");
}

/// The bytes of random texts.
const ALPHABET: &[u8] = b" \n.()[]{};:\"\\$%x0123456789abcdefghPNBRQKO=+-*#!?/";

#[test]
fn any_text_is_read_or_refused() {
    let samples: Vec<String> = (0..20).map(|seed| text(&random_part(seed))).collect();
    let mut random = Random(7);
    let mut read_some = 0;
    for round in 0..3_000 {
        let text = random.spoil(&samples, ALPHABET);
        let reading = parse(&text);
        assert_spans_fit(&text, &reading);
        if let Some(game) = reading.value.as_ref().filter(|_| reading.error.is_none()) {
            // A start position made by random changes may have no FEN.
            let Ok(written) = write(game) else { panic!("round {round}: {text}") };
            let canonical = String::from_utf8(written.bytes).unwrap();
            let back = parse(&canonical)
                .into_result()
                .unwrap_or_else(|error| panic!("round {round}: {canonical}: {error}"));
            assert_eq!(back.actions, game.actions, "round {round}: {text}");
            read_some += 1;
        }
        let _ = fen::parse_game(&text);
    }
    assert!(read_some > 200, "{read_some} texts were read");
    let fens: Vec<String> =
        (0..20).map(|seed| fen::write(&random_orthodox_game(seed).end(), 1).unwrap()).collect();
    for _ in 0..5_000 {
        let mut bytes = fens[random.below(fens.len())].clone().into_bytes();
        for _ in 0..=random.below(2) {
            let at = random.below(bytes.len());
            bytes[at] = b"pnbrqkPNBRQK12345678/ wb-KQkqabcdefgh09x"[random.below(40)];
        }
        let text = String::from_utf8(bytes).unwrap();
        let reading = fen::parse_game(&text);
        if let Some(game) = reading.value {
            let written = fen::write_game(&game).unwrap();
            assert_eq!(written.losses, [], "{text}");
            let back = fen::parse_game(std::str::from_utf8(&written.bytes).unwrap());
            assert_eq!((back.value, back.warnings), (Some(game), vec![]), "{text}");
        }
    }
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    for piece in ["{", "(1. ", "[A \"", ";", "e4 ", "(", "1. e4 ", "\\\"", "$1 ", "( ", "%", "1", "!", "e.p."]
    {
        let text = piece.repeat(MAX_INPUT_BYTES / 8 / piece.len());
        let (record, _) = Record::parse(&text);
        assert!(record.moves.len() <= text.len());
    }
    let nested = "(".repeat(MAX_NESTING) + &")".repeat(MAX_NESTING);
    assert!(parse(&format!("1. e4 {nested} *")).into_result().is_ok());
    assert!(parse(&format!("1. e4 ({nested}) *")).into_result().is_err());
}

/// The codes of the warnings for a text, which must be read to its end.
fn warned(text: &str) -> Vec<&'static str> {
    let reading = parse(text);
    assert_eq!(reading.error, None, "{text}");
    reading.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn relaxed_text_means_the_same_with_a_warning() {
    let canonical = "1. e4 d5 2. exd5 Nf6 3. Bb5+ c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O *\n";
    for (text, warnings) in [
        ("1. e4 d5 2. exd5 Nf6 3. Bb5+ c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O *", &[][..]),
        ("1.e4 d5 2.exd5 Nf6 3.Bb5+ c6 4.dxc6 bxc6 5.Nf3 cxb5 6.O-O *", &[]),
        ("1. e4 1... d5 2. exd5 {x} 2... Nf6 $1 3. Bb5+ ;y\n c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O *", &[]),
        ("% hidden\n1. e4 d5 2. exd5 Nf6 3. Bb5+ c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O\n*\n", &[]),
        ("e4 d5 exd5 Nf6 Bb5+ c6 dxc6 bxc6 Nf3 cxb5 O-O *", &[]),
        ("1. Pe4 d5 2. exd5 Nf6 3. Bb5+ c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O *", &["other-spelling"]),
        ("1. e2-e4 d5 2. ed5 Ngf6 3. Bb5+ c6 4. dxc6 bxc6 5. Ng1f3 cxb5 6. 0-0 *", &["other-spelling"; 5]),
        ("1. e4 d5 2. exd5 Nf6 3. Bb5 c6 4. dxc6+ bxc6 5. Nf3 cxb5 6. O-O *", &["wrong-check-mark"; 2]),
        ("1. e4 d5 2. exd5 Nf6 3. Bb5++ c6 4. dxc6 bxc6 5. Nf3# cxb5 6. O-O *", &["wrong-check-mark"; 2]),
        ("1. e4 d5 3. exd5 Nf6 3. Bb5+ c6 4. dxc6 4. bxc6 5. Nf3 cxb5 6. O-O *", &["wrong-number"; 3]),
        (
            "1. e4 d5 2. exd5 (2. d4 (2. c4) {)}) Nf6 3. Bb5+ c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O *",
            &["variation-skipped"],
        ),
        ("1. e4! d5?! 2. exd5 Nf6 !? 3. Bb5+!! c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O *", &[]),
        ("1. e4 d5 2. exd5 Nf6 3. Bb5+ c6 4. dxc6 bxc6 5. Nf3 cxb5 6. O-O", &["missing-result"]),
    ] {
        assert_eq!(warned(text), warnings, "{text}");
        assert_eq!(self::text(&parse(text).into_result().unwrap()), canonical, "{text}");
    }
    let text = "1. e4 a6 2. e5 d5 3. exd6 e.p. cxd6 4. c4 a5 5. c5 a4 6. h3 b5 7. cxb6ep a3 8. b7 axb2 9. bxa8 bxa1(R) 1/2";
    let shown = "1. e4 a6 2. e5 d5 3. exd6 cxd6 4. c4 a5 5. c5 a4 6. h3 b5 7. cxb6 a3 8. b7 axb2\n\
                 9. bxa8=Q bxa1=R 1/2-1/2\n";
    let expected =
        ["other-spelling", "other-spelling", "missing-promotion", "other-spelling", "other-spelling"];
    assert_eq!(warned(text), expected);
    assert_eq!(self::text(&parse(text).into_result().unwrap()), shown);
}

#[test]
fn headers_are_kept_and_compared() {
    for (text, warnings) in [
        ("[Result \"1-0\"] 1. e4 1-0", &[][..]),
        ("[Result \"1-0\"] 1. e4 0-1", &["contradicting-result"]),
        ("[Result \"1-0\"] 1. e4", &["missing-result"]),
        ("[SetUp \"1\"] 1. e4 *", &["missing-start"]),
        ("[Variant \"Atomic\"] 1. e4 *", &["other-variant"]),
        ("[Variant \"Standard\"] 1. e4 *", &[]),
        ("[FEN \"4k3/8/8/8/8/8/8/4K2R w KQ - 0 1\"] 1. O-O *", &["castling-dropped"]),
    ] {
        assert_eq!(warned(text), warnings, "{text}");
    }
    assert_eq!(parse("[Result \"1-0\"] 1. e4").into_result().unwrap().result, Some(GameResult::WhiteWins));
    let start =
        "[White \"a\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 12 40\"]\n\n40... Kd8 41. O-O *\n";
    let game = parse(start).into_result().unwrap();
    assert_eq!(game.headers[1], (fen::HALFMOVE_CLOCK.to_string(), "12".to_string()));
    assert_eq!(text(&game), start);
    // The place of an error in a FEN is its place in the text.
    let text = "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"] *";
    assert_refused(text, parse(text), ("illegal", "king-count", 6, 31));
}

#[test]
fn pieces_are_told_apart_as_far_as_needed() {
    for (start, moves) in [
        ("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "1. Nfd2"),
        ("4k3/8/8/1N6/8/1N6/8/4K3 w - - 0 1", "1. N3d4"),
        ("7k/8/8/1Q6/8/1Q3Q2/8/4K3 w - - 0 1", "1. Qb3d5"),
        ("4k3/8/8/8/1b6/8/3N4/1N2K3 w - - 0 1", "1. Nc3"),
        ("8/1k6/8/8/8/8/8/R3K2R w KQ - 0 1", "1. O-O-O"),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "1. a8=Q+"),
        ("k7/2K5/8/1Q6/8/8/8/8 w - - 0 1", "1. Qb7#"),
    ] {
        let text = format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n\n{moves} *\n");
        assert_eq!(warned(&text), [""; 0], "{text}");
        assert_eq!(self::text(&parse(&text).into_result().unwrap()), text);
    }
}

/// En passant depends on the previous board in orthodox chess; in 5D chess on the board a turn earlier.
#[test]
fn en_passant_onto_a_vacated_square() {
    let text = "1. e4 a6 2. e5 a5 3. Nc3 a4 4. Nd5 a3 5. Nb4 d5 6. exd6 *\n";
    let game = parse(text).into_result().unwrap();
    assert_eq!(self::text(&game), text);
    let refused = crate::notation::orthodox::to_5d(&game).map(|_| ()).unwrap_err();
    assert_eq!(refused.action, Some(10), "{refused}");
}

#[test]
fn every_mistake_has_its_class_and_place() {
    for (text, class, code, start, end) in [
        ("1. e4 e5 2. Ke3 *", "illegal", "no-such-move", 12, 15),
        ("1. e4 e5 2. O-O *", "illegal", "no-such-move", 12, 15),
        ("1. e4 e5 2. Nd2 *", "illegal", "no-such-move", 12, 15),
        ("1. e4 d5 2. Bb5+ a6 *", "illegal", "royal-exposed", 17, 19),
        ("1. f3 e5 2. g4 Qh4# 3. a3 *", "illegal", "game-over", 23, 25),
        ("1... e5 *", "illegal", "wrong-player", 0, 4),
        ("[FEN \"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1\"] 1. Nd2 *", "ambiguous", "ambiguous-move", 44, 47),
        ("1. e4 -- *", "malformed", "null-move", 6, 8),
        ("1. e9 *", "malformed", "missing-destination", 4, 5),
        ("1. Nf *", "malformed", "missing-destination", 5, 6),
        ("1. ex *", "malformed", "missing-destination", 5, 6),
        ("1. e4e5e6 *", "malformed", "malformed-move", 7, 8),
        ("1. nf3 *", "malformed", "malformed-move", 3, 4),
        ("1. e8= *", "malformed", "malformed-promotion", 6, 7),
        ("1. 2. e4 *", "malformed", "missing-move", 3, 4),
        ("1. *", "malformed", "missing-move", 0, 2),
        ("1. e4 {x", "malformed", "unclosed-comment", 6, 7),
        ("1. e4 (x", "malformed", "unclosed-variation", 6, 7),
        ("1. e4 )", "malformed", "malformed-move", 6, 7),
        ("1. e4 $x", "malformed", "malformed-annotation", 7, 8),
        ("1. e4 !!! *", "malformed", "malformed-annotation", 6, 9),
        ("[White a]", "malformed", "malformed-header", 7, 8),
        ("[White \"a]", "malformed", "unclosed-header", 10, 10),
        ("[White \"a\" x]", "malformed", "unclosed-header", 11, 12),
        ("1. e4 * [Event \"b\"] 1. d4 *", "malformed", "second-game", 8, 9),
        ("1. e4 [Event \"b\"] 1. d4 *", "malformed", "second-game", 6, 7),
        ("1. e4 1-0 0-1", "malformed", "second-game", 10, 11),
    ] {
        assert_refused(text, parse(text), (class, code, start, end));
    }
    // The part before the error is there.
    let reading = parse("1. e4 e5 2. Ke3 *");
    assert_eq!((reading.value.unwrap().actions.len(), reading.spans.len()), (2, 2));
    assert!(reading.error.unwrap().issue.message.starts_with("action 2w: "));
}

#[test]
fn what_a_game_cannot_hold_is_a_loss() {
    let text = "{a} 1. e4 $1 e5 (1... c5) 2. Nf3 ;b\n%c\n*";
    let losses: Vec<(String, Option<usize>)> =
        parse(text).losses.into_iter().map(|loss| (loss.what, loss.action)).collect();
    let expected = [("a variation", Some(1)), ("a line that begins with `%`", Some(2))];
    assert_eq!(losses, expected.map(|(what, action)| (what.to_string(), action)));
    // Comments and annotations are part of the game, but PGN is written without them.
    let game = parse(text).value.unwrap();
    assert_eq!((&game.notes[&0].comments[..], &game.notes[&1].glyphs[..]), (&["a".to_owned()][..], &[1][..]));
    assert_eq!(game.notes[&3].comments, ["b"]);
    let lost: Vec<String> =
        Format::Pgn.write(&game).unwrap().losses.into_iter().map(|loss| loss.what).collect();
    assert_eq!(lost, ["a comment", "the judgement `!`", "a comment"]);
}
