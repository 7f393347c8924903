//! Tests: the examples of the source, and properties of all games and bytes.

use super::encode::pack;
use super::table::{BASE64, SQUARES};
use super::*;
use crate::notation::common::samples::{Random, assert_refused, random_orthodox_game};
use crate::notation::pgn;
use crate::notation::{Format, Game, ParseError};
use crate::types::Square;

const SAMPLE: &str = "M5m4GVbsF1ftHHjrV4t4D/gv/n";
const MISPRINT: &str = "M5m4GVbsF1ftHHV4t4D/gv/n";
const SAMPLE_PGN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bd6 4. O-O b6 5. Nxe5 Bxe5 6. Qh5 Nf6 7. Qxf7# 1-0\n";

fn text(game: &Game) -> String {
    String::from_utf8(write(game).unwrap().bytes).unwrap()
}

fn pgn_text(text: &str) -> String {
    String::from_utf8(pgn::write(&parse(text).into_result().unwrap()).unwrap().bytes).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

fn warned(text: &str) -> Vec<&'static str> {
    let reading = parse(text);
    assert_eq!(reading.error, None, "{text}");
    reading.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn a_game_is_recognised_whatever_its_first_move() {
    let start = pgn::parse("1. e4 e5").into_result().unwrap().start;
    for action in start.legal_actions() {
        let mut after = start.clone();
        after.play_unchecked(&action);
        let reply = after.legal_actions().next().expect("Black can move");
        let text = text(&Game::new(start.clone(), vec![action, reply]));
        assert_eq!(Format::detect(text.as_bytes()), Some(Format::Chess64), "{text}");
    }
}

#[test]
fn every_square_has_its_character() {
    let rows =
        ["abcdefgh", "ijklmnop", "qrstuvwx", "yz02468/", "YZ13579+", "QRSTUVWX", "IJKLMNOP", "ABCDEFGH"];
    for (row, rank) in rows.into_iter().zip((0..8).rev()) {
        for (c, file) in row.chars().zip(0..8) {
            let here = Square::new(file, rank).unwrap();
            assert_eq!((character(here), square(c)), (c, Some(here)));
            let white = c.is_ascii_uppercase() || "13579+".contains(c);
            assert_eq!(white, rank < 4, "{c}");
            let mirrored = character(Square::new(file, 7 - rank).unwrap());
            let expected = match c {
                '+' => '/',
                '/' => '+',
                '0'..='9' => char::from(c as u8 ^ 1),
                _ => char::from(c as u8 ^ 0x20),
            };
            assert_eq!(mirrored, expected);
        }
    }
    let sorted = |table: &[u8]| {
        let mut table = table.to_vec();
        table.sort_unstable();
        table
    };
    assert_eq!(sorted(SQUARES), sorted(BASE64));
}

#[test]
fn the_sample_is_read_as_its_game_once_the_missing_token_is_there() {
    assert_eq!(pgn_text(SAMPLE), SAMPLE_PGN);
    let game = pgn::parse(SAMPLE_PGN).into_result().unwrap();
    assert_eq!(text(&game), SAMPLE);
    assert_eq!(write(&game).unwrap().losses, []);
    let reading = parse(MISPRINT);
    assert_eq!(reading.spans.len(), 7);
    let error = reading.error.unwrap();
    assert_eq!((error.class.name(), error.span().of(MISPRINT), error.span().start), ("illegal", "V4", 14));
    assert!(error.issue.message.starts_with("action 4b: `V4` is a move from f3"), "{error}");
    // Several legal tokens can replace the missing one.
    let repaired = |token: String| MISPRINT[..14].to_string() + &token + &MISPRINT[14..];
    let pairs =
        SQUARES.iter().flat_map(|a| SQUARES.iter().map(move |b| format!("{}{}", *a as char, *b as char)));
    let legal: Vec<Game> = pairs.filter_map(|token| parse(&repaired(token)).into_result().ok()).collect();
    assert_eq!(legal.len(), 18);
    assert_eq!(legal.iter().filter(|game| game.result.is_some()).count(), 14);
}

#[test]
fn special_moves_have_their_tokens() {
    for (text, expected) in [
        ("JZiyZypxyqx/qj/+jaNN", "1. b4 a5 2. bxa5 h6 3. a6 h5 4. axb7 h4 5. bxa8=N *\n"),
        ("IQp/QY/+JR+XRZXOKSOHrr", "1. a3 h5 2. a4 h4 3. b3 h3 4. b4 hxg2 5. c3 gxh1=R *\n"),
        ("L3l2BSbsC7c6DTdtAAaa", "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd3 Qd6 5. O-O-O O-O-O *\n"),
        ("M5m4GVgvF1f0HHhh", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n"),
        ("M5iq54l24t", "1. e4 a6 2. e5 d5 3. exd6 *\n"),
        ("M5kk", "1. e4 1-0\n"),
        ("M5KK", "1. e4 0-1\n"),
        ("M5dd", "1. e4 1/2-1/2\n"),
        ("DD", "1/2-1/2\n"),
        ("", "*\n"),
    ] {
        assert_eq!(pgn_text(text), expected, "{text}");
        assert_eq!(warned(text), [""; 0], "{text}");
        assert_eq!(self::text(&parse(text).into_result().unwrap()), text);
        assert_eq!(self::text(&pgn::parse(expected).into_result().unwrap()), text);
    }
}

#[test]
fn every_relaxation_is_a_warning() {
    for (text, code, strict) in [
        ("M5 m4", "white-space", "M5m4"),
        ("M5\r\nm4\n", "white-space", "M5m4"),
        ("M 5 m 4", "white-space", "M5m4"),
        ("M5m4==", "base64-padding", "M5m4"),
        ("IQp_", "address-alphabet", "IQp/"),
        ("IQp/P-", "address-alphabet", "IQp/P+"),
        ("CHESS64M5m4", "text-with-header", "M5m4"),
        ("M5m4GVgvF1f0EGeg", "castling-by-king", "M5m4GVgvF1f0HHhh"),
        ("L3l2BSbsC7c6DTdtECec", "castling-by-king", "L3l2BSbsC7c6DTdtAAaa"),
        ("JZiyZypxyqx/qj/+ja", "missing-promotion", "JZiyZypxyqx/qj/+jaQQ"),
        ("JZiyZypxyqx/qj/+jaiy", "missing-promotion", ""),
        ("JZiyZypxyqx/qj/+jann", "promotion-case", "JZiyZypxyqx/qj/+jaNN"),
        ("M5DD", "draw-case", "M5dd"),
    ] {
        if strict.is_empty() {
            assert!(parse(text).into_result().is_err());
            continue;
        }
        assert_eq!(warned(text)[0], code, "{text}");
        assert_eq!(self::text(&parse(text).into_result().unwrap()), strict);
        assert_eq!(parse(text).strict().unwrap_err().issue.code, code);
    }
    // A text file ends with a line end.
    assert_eq!(warned("M5m4\n"), [""; 0]);
    assert_eq!(warned("M5m4\r\n"), [""; 0]);
    // Each kind gives one warning.
    assert_eq!(warned("M5 m4 GV"), ["white-space"]);
}

#[test]
fn everything_else_is_refused() {
    for (text, class, code, start, end) in [
        ("M", "malformed", "odd-length", 0, 1),
        ("M5m", "malformed", "odd-length", 2, 3),
        ("M5m\u{e4}", "malformed", "foreign-character", 3, 5),
        ("M5.4", "malformed", "foreign-character", 2, 3),
        ("M5=m4", "malformed", "padding-inside", 2, 3),
        ("M4", "illegal", "no-such-move", 0, 2),
        ("M5M5", "illegal", "no-such-move", 2, 4),
        ("45", "illegal", "no-such-move", 0, 2),
        ("M5m4QQ", "illegal", "misplaced-promotion", 4, 6),
        ("HH", "illegal", "no-such-move", 0, 2),
        ("M5m4GVgvF1f0hh", "illegal", "no-such-move", 12, 14),
        ("JZiyZypxyqx/qj/+jaNNNN", "illegal", "misplaced-promotion", 20, 22),
        ("M5kkm4", "malformed", "text-after-end", 4, 6),
        ("M5ddkk", "malformed", "text-after-end", 4, 6),
        ("M5m4GVbsF1ftHHjrV4t4D/gv/nkk", "illegal", "game-over", 26, 28),
        ("M5m4GVbsF1ftHHjrV4t4D/gv/ndd", "illegal", "game-over", 26, 28),
        ("M5m4GVbsF1ftHHjrV4t4D/gv/nen", "illegal", "game-over", 26, 28),
        ("M5l2Fziq", "illegal", "royal-exposed", 6, 8),
    ] {
        assert_refused(text, parse(text), (class, code, start, end));
    }
    // `ks` puts a pawn in the way of the bishop.
    assert_eq!(parse("M5l2Fzks").into_result().map(|game| game.actions.len()), Ok(4));
    // Of the 64 pairs of equal characters, 16 have a meaning.
    let code = |text: &str| parse(text).into_result().unwrap_err().issue.code;
    let pair = |byte: &u8| code(&String::from_utf8(vec![*byte, *byte]).unwrap());
    let undefined =
        SQUARES.iter().filter(|byte| !b"KkDd".contains(byte)).filter(|b| pair(b) == "undefined-pair");
    assert_eq!(undefined.count(), 64 - 16);
}

#[test]
fn binaries_are_padded_with_zero_bits() {
    let game = parse(SAMPLE).into_result().unwrap();
    let whole = "434845535336343399b81956ec1757ed1c78eb578b780ff82ffe70";
    let written = write_binary(&game).unwrap().bytes;
    assert_eq!((hex(&written).as_str(), written.len()), (whole, 27));
    let reading = parse_binary(&written);
    assert_eq!((reading.warnings, reading.error, reading.value), (vec![], None, Some(game)));
    assert_eq!(hex(&pack(MISPRINT)), "434845535336343399b81956ec1757ed1c7578b780ff82ffe7");
    // The misprint has 24 characters, so that nothing is padded; the bytes of `V4` are blamed.
    let error = parse_binary(&pack(MISPRINT)).error.unwrap();
    assert_eq!((error.class.name(), error.span()), ("illegal", Span::new(17, 19)));
    let empty = parse_binary(HEADER);
    assert_eq!((empty.error, empty.value.unwrap().actions.len()), (None, 0));
}

#[test]
fn a_token_that_lost_four_bits_is_completed_if_that_is_unique() {
    let binary = |text: &str| pack(text);
    let naive = |text: &str| {
        let mut bytes = binary(text);
        assert_eq!((bytes.len() - HEADER.len()) % 3, 2);
        bytes.pop();
        bytes
    };
    // h5 takes f7 or h7.
    let reading = parse_binary(&naive(SAMPLE));
    let error = reading.error.unwrap();
    assert_eq!(
        (error.class.name(), error.issue.code, reading.spans.len()),
        ("ambiguous", "damaged-binary", 12)
    );
    assert_eq!(error.issue.hint.as_deref(), Some("the last token is one of `/n`, `/p`"));
    // e4 e5 Ke2: of the squares with its two bits only one can be reached.
    let reading = parse_binary(&naive("M5m4EM"));
    assert_eq!(reading.error, None);
    assert_eq!(reading.warnings[0].code, "damaged-binary");
    assert_eq!(text(&reading.clone().value.unwrap()), "M5m4EM");
    assert_eq!(reading.strict().unwrap_err().class.name(), "malformed");
    // Nothing fits.
    let mut none = binary("M5m4");
    none.push(0xff);
    assert_eq!(parse_binary(&none).error.unwrap().class.name(), "malformed");
    // Bits that are not zero.
    let mut nonzero = binary("M5");
    *nonzero.last_mut().unwrap() |= 1;
    assert_eq!(parse_binary(&nonzero).error.unwrap().issue.code, "nonzero-padding");
}

#[test]
fn a_file_without_header_may_be_text() {
    let reading = parse_binary(b"M5m4\n");
    assert_eq!(reading.warnings[0].code, "missing-header");
    assert_eq!(text(&reading.value.unwrap()), "M5m4");
    for bytes in [&b""[..], b"CHESS", b"\x00", b"M5.m4", b"chess64"] {
        let error = parse_binary(bytes).error.unwrap();
        assert!(error.issue.code == "missing-header" || bytes == b"CHESS" || bytes == b"chess64");
    }
    assert_eq!(parse_binary(&bytes("43484553533634")).error, None);
}

#[test]
fn what_is_not_said_is_a_loss() {
    let game =
        pgn::parse("[White \"a\"]\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 0-1").into_result().unwrap();
    let written = write(&game).unwrap();
    let losses: Vec<&str> = written.losses.iter().map(|loss| loss.what.as_str()).collect();
    assert_eq!(losses, ["the header `White`", "the result `0-1`: the game ends with checkmate"]);
    let other = pgn::parse("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"] *").into_result().unwrap();
    assert!(write(&other).unwrap_err().reason.contains("no other start"));
    let later = START.replace("0 1", "0 9");
    let later = pgn::parse(&format!("[FEN \"{later}\"] 9. e4 *")).into_result().unwrap();
    let written = write(&later).unwrap();
    assert_eq!((written.bytes.as_slice(), written.losses.len()), (&b"M5"[..], 1));
    let jump = crate::notation::pgn5d::parse("1. Nf3 / Nf6 2. N>>f5").into_result().unwrap();
    assert_eq!(write(&jump).unwrap_err().action, Some(2));
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn random_games_are_read_back_from_text_and_binary() {
    let mut special = [0; 5];
    for seed in 0..400 {
        let game = random_orthodox_game(seed);
        let text = text(&game);
        for (count, kind) in special.iter_mut().zip(["AA", "HH", "aa", "hh", "QQ"]) {
            *count += text.as_bytes().chunks(2).filter(|token| *token == kind.as_bytes()).count();
        }
        let reading = parse(&text);
        assert_eq!((reading.error, reading.warnings), (None, vec![]), "{text}");
        let back = reading.value.unwrap();
        assert_eq!(back.actions, game.actions, "{text}");
        assert_eq!(self::text(&back), text);
        let binary = write_binary(&game).unwrap().bytes;
        assert_eq!(binary.len(), HEADER.len() + (text.len() * 6).div_ceil(8));
        let reading = parse_binary(&binary);
        assert_eq!((reading.error, reading.warnings), (None, vec![]), "{text}");
        assert_eq!(self::text(&reading.value.unwrap()), text);
    }
    assert!(special.iter().all(|&count| count > 0), "{special:?}");
}

#[test]
fn any_bytes_are_read_or_refused() {
    let mut random = Random(11);
    for seed in 0..2_000 {
        let game = random_orthodox_game(seed % 50);
        let text = text(&game);
        let binary = random.below(2) == 0;
        let mut bytes = if binary { pack(&text) } else { text.into_bytes() };
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len() + 1);
            match random.below(4) {
                0 if at < bytes.len() => bytes[at] = SQUARES[random.below(64)],
                1 => bytes.insert(at, b"\n =-_KkDdQqRrNnAaHh\xc3"[random.below(20)]),
                2 => bytes.truncate(at),
                _ => bytes.insert(at, random.below(256) as u8),
            }
        }
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let (reading, length) =
            if binary { (parse_binary(&bytes), bytes.len()) } else { (parse(&shown), shown.len()) };
        let spans = reading.error.iter().map(ParseError::span).chain(reading.warnings.iter().map(|w| w.span));
        assert!(spans.into_iter().all(|span| span.start <= span.end && span.end as usize <= length));
        if let Some(game) = reading.value.filter(|_| reading.error.is_none()) {
            let canonical = self::text(&game);
            assert_eq!(parse(&canonical).strict().as_ref(), Ok(&game), "{shown}");
        }
    }
}
