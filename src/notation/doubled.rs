//! Tests that reading takes linear time: a text twice as long makes about twice as many byte reads.
//!
//! The tests count the bytes reported to [`look_at`](super::work::look_at). Not counted are
//!
//! * work on positions: a game of twice the moves has twice the boards, and listing moves among them costs
//!   more by itself. So the games here move knights to and fro, or stop at an error;
//! * searches of the standard library in texts, other than those at which `look_at` is called, and copies of
//!   parts;
//! * writing, other than of excerpts;
//! * time and memory.
//!
//! Inputs up to the longest allowed were also timed, when this was written.

use super::{Format, LineIndex, Location, Options, Parsed, Source, ceo};
use crate::notation::common::work::{assert_in_proportion, looked_at};

/// Reads a text and prints all its messages, as the commands do.
fn read_and_show(format: Format, text: &str) {
    show(text, format.parse(text.as_bytes(), &Options::default()));
}

fn show<T>(text: &str, reading: Parsed<T>) {
    let lines = LineIndex::of(text);
    let source = Source::Indexed(text, &lines);
    for warning in &reading.warnings {
        source.location(warning.span.range().start);
        warning.excerpt("x", source).to_string();
    }
    if let Some(error) = reading.error {
        error.excerpt("x", source).to_string();
    }
}

/// A game in which knights go out and back `times` times. Each of `rounds` is the text of one round, with
/// `{}` for the turn.
fn shuttle(times: usize, separator: &str, rounds: [&str; 2]) -> String {
    let round = |turn: usize| rounds[(turn + 1) % 2].replace("{}", &turn.to_string());
    // Only a fifth of the parts: the cost of positions is not measured here.
    (1..=times.div_ceil(5)).map(round).collect::<Vec<_>>().join(separator)
}

/// A text that starts with `begin` and repeats `part`.
fn repeated(begin: &str, part: &str) -> impl Fn(usize) -> String {
    move |times| format!("{begin}{}", part.repeat(times))
}

/// Like [`repeated`], with `{}` replaced by the number of the repetition.
fn numbered(begin: &str, part: &str, end: &str) -> impl Fn(usize) -> String {
    move |times| {
        let parts = (0..times).map(|number| part.replace("{}", &number.to_string()));
        format!("{begin}{}{end}", parts.collect::<String>())
    }
}

/// A text with a given number of parts.
pub(super) type Growing = Box<dyn Fn(usize) -> String>;

/// Texts for each notation; each grows in a different way.
pub(super) fn growing() -> Vec<(Format, Growing)> {
    use Format::*;
    let mut all: Vec<(Format, Growing)> = Vec::new();
    let mut add = |format, text: Growing| all.push((format, text));
    for (begin, part) in [
        ("", "[H \"x\"]\n"),
        ("[H \"", "\\\""),
        ("", "[k/K:0:1:w]"),
        ("[k/K", "1"),
        ("1. Nf3~", " (e4)"),
        ("1. Nf3~", " (e4)\n"),
        ("1. Nf3~", " (1. e4 (0T1)e5)"),
        ("1. Nf3", " {c}"),
        ("1. Nf3", " ;c\n"),
        ("1. Nf3", "!"),
        ("1. Nf3", "\n"),
        ("", "/ "),
        ("1. ", "(1. "),
        ("1. ", "( "),
        ("", "{ "),
        ("1. ", "x"),
    ] {
        add(Pgn5d, Box::new(repeated(begin, part)));
    }
    add(Pgn5d, Box::new(|n| shuttle(n, "\n", ["{}x. Nf3 / Nf6", "{}. xNg1 / xNg8"]).replace("x.", ".")));
    add(Pgn5d, Box::new(|n| shuttle(n, " ", ["{}. xNf3 / xNf6", "{}. xNg1 / xNg8"])));
    add(Pgn5d, Box::new(numbered("[Board \"Standard\"]\n", "[H{} \"x\"]\n", "1. e4 / e5")));
    add(Fen5d, Box::new(numbered("", "[k/K:0:{}:w]\n[k/K:0:{}:b]\n", "")));
    add(Fen5d, Box::new(numbered("", "[k/K:{}:1:w]", "")));
    add(Fen5d, Box::new(repeated("[k/K", "*")));
    add(
        Uci5d,
        Box::new(|n| {
            let moves = ["({})g1f3 submit ({})g8f6 submit", "({})f3g1 submit ({})f6g8 submit"];
            format!("position startpos moves {}", shuttle(n, "\n", moves)).replace('(', "(0T")
        }),
    );
    add(Uci5d, Box::new(numbered("position size 1x2 odd fen ", "[k/K:0:{}:w] [k/K:0:{}:b] ", "")));
    add(Uci5d, Box::new(repeated("position startpos moves ", "(0T1)g1f3 ")));
    add(Uci5d, Box::new(repeated("position startpos moves ", " ")));
    add(Simplified, Box::new(|n| shuttle(n, " ", ["{}. g1xNf3, G8Nf6", "9. F3Ng1, f6xNg8"])));
    add(Simplified, Box::new(|n| shuttle(n, "\n", ["{}. g1xNf3, G8Nf6", "9. F3Ng1, f6xNg8"])));
    add(Simplified, Box::new(repeated("1. ", ";")));
    add(Simplified, Box::new(repeated("1. ", "x")));
    add(Simplified, Box::new(repeated("", "1")));
    for (begin, part) in
        [("M5m4", " "), ("", " "), ("M5m4", "\r\n"), ("M5m4", "="), ("CHESS64", "-"), ("GV", "mu")]
    {
        add(Chess64, Box::new(repeated(begin, part)));
        add(Chess64Binary, Box::new(repeated(begin, part)));
    }
    for short in [false, true] {
        let format = if short { ChessJsShort } else { ChessJs };
        add(
            format,
            Box::new(move |n| {
                let moves = ["{}w. {}:g1<>{}:xf3;9b. {}:g8<>{}:f6", "{}w. {}:f3<>{}:g1+;{}b. {}:f6<>{}:xg8"];
                shuttle(n, ";", moves).replace("<>", if short { ":" } else { "<>" })
            }),
        );
        add(format, Box::new(numbered("", "[Date \"{}\"]\n", "1w. 1:e2:e3")));
        add(format, Box::new(numbered("", "[Date \"{}\"];", "1w. 1:e2:e3")));
        add(format, Box::new(numbered("[Variant \"{\\\"a\\\":", "1", "}\"]")));
        add(format, Box::new(repeated("", ";")));
        add(format, Box::new(repeated("[Variant \"custom\"]", "[k/K:0:1:w]")));
    }
    for (begin, part, end) in [
        ("[", "0,", "0]"),
        ("[", "[0],", "0]"),
        ("{", "\"k{}\":[{\"a\":1}, null],", "\"actions\":[]}"),
        ("{\"variant\":\"", "\\u0041", "\"}"),
        ("[", " ", "]"),
        ("[[", "[[[0, 12]]], ", "null]]"),
        ("[", "1", "]"),
        ("[", "{\"action\":{},\"player\":\"white\",\"moves\":[]},", "]"),
    ] {
        add(ChessJsJson, Box::new(numbered(begin, part, end)));
    }
    add(
        Raw,
        Box::new(|n| {
            let moves =
                ["(7,1,{},0)(6,3,{},0)\n(7,8,{},0)(6,6,{},0)", "(6,3,{},0)(7,1,{},0)\n(6,6,{},0)(7,8,{},0)"];
            shuttle(n, "\n", moves)
        }),
    );
    add(Raw, Box::new(repeated("(7,1,1,0)(6,3,1,0)", ";0000")));
    add(Raw, Box::new(repeated("", "> \n")));
    add(Raw, Box::new(repeated("(", " ")));
    add(GuiFen, Box::new(numbered("8;8;1;0;w;F\nk7/8/8/8/8/8/8/7K;;-;", "{};", "w1;0")));
    add(GuiFen, Box::new(numbered("2;2;1500;0;w;F\n", "k1/1K;;-;w1;0\n", "")));
    add(GuiFen, Box::new(repeated("8;8;1;0;w;F\n", "k")));
    add(GuiFen, Box::new(repeated("8;8;1;0;w;F\nk7/8/8/8/8/8/8/7K;;-;w1;9;(1,8,1,0)(2,8,1,0)", ";0000")));
    add(Pgn, Box::new(|n| shuttle(n, " ", ["{}. Ng1-f3 Ng8f6+", "9. Nf3g1 Nf6g8"])));
    for (begin, part) in [
        ("", "[H \"x\"]\n"),
        ("1. e4", " $1"),
        ("1. e4", " {c}"),
        ("1. e4", " ;c\n"),
        ("1. e4", "\n%c"),
        ("1. e4", " (e5)"),
        ("1. e4", " ("),
        ("1. e4", " !"),
        ("1. e4", "\n"),
        ("", "1"),
    ] {
        add(Pgn, Box::new(repeated(begin, part)));
    }
    add(Hexicube, Box::new(|n| shuttle(n, " ", ["{}. Nf3 .. Nxf6", "9. Ng1 .. Ng8"])));
    add(Hexicube, Box::new(|n| shuttle(n, "\n", ["{}W. L0 Nf3; # 1B. Nf6", "9. L0f3 Nx g1 .. L0 Ng8"])));
    for (begin, part) in
        [("1. ", "e4 "), ("1. ", "-; "), ("1. e4;", " "), ("1. ", "#;"), ("1. N", "x"), ("", "1")]
    {
        add(Hexicube, Box::new(repeated(begin, part)));
    }
    add(Tn, Box::new(|n| shuttle(n, "\n", ["{}. Nf3 ? c\n/ Nxf6", "9wT{}. Ng1+ // 8bT7. Ng8#"])));
    for (begin, part) in [
        ("", "[H \"x\"]\n"),
        ("e4", "?"),
        ("e4", " ?\n"),
        ("e4", "/"),
        ("", "mate?\n"),
        ("e4", "\n"),
        ("e4", " "),
        ("", "-;"),
        ("e4;-", "+"),
        ("", "1"),
        ("N>>x", "1"),
    ] {
        add(Tn, Box::new(repeated(begin, part)));
    }
    for (begin, part, end) in [
        ("{\"Timelines\":{\"0L\":[", "\"k\",", "]}}"),
        ("{\"Timelines\":{\"0L\":[", "null,", "\"k\"]}}"),
        ("{\"Timelines\":{\"0L\":[\"", "k*", "\"]}}"),
        ("{\"Timelines\":{\"0L\":[\"", "9*", "\"]}}"),
        ("{\"Timelines\":{", "\"{}L\":[\"k\"],", "}}"),
        ("{\"Timelines\":{},", "\"a{}\":[],", "}"),
        ("[", "{\"Timelines\":{\"0L\":[\"k\",]}},", "]"),
    ] {
        add(VariantsJson, Box::new(numbered(begin, part, end)));
    }
    for begin in ["", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"] {
        for part in [" ", "8", "KQkq", " KQkq"] {
            add(Fen, Box::new(repeated(begin, part)));
        }
    }
    all
}

#[test]
fn every_reader_works_in_proportion_to_the_text() {
    let growing = growing();
    for format in Format::all() {
        assert!(growing.iter().any(|(other, _)| *other == format), "{}", format.name());
    }
    for (format, text) in growing {
        let name = format!("{}: {:.60}", format.name(), text(3));
        assert_in_proportion(&name, text, |text| read_and_show(format, text));
    }
}

#[test]
fn moves_of_another_game_are_read_in_proportion_to_the_text() {
    for (begin, part) in [
        ("", "KNd4e6\n"),
        ("", "rgd4e6\n"),
        ("", "axe4\n"),
        ("KNxe3=sl=d2", ",d2"),
        ("CT#c3", ",c4"),
        ("KN", "+"),
        ("", "a1"),
    ] {
        let text = repeated(begin, part);
        let name = format!("ceo: {:.60}", text(3));
        assert_in_proportion(&name, &text, |text| show(text, ceo::parse(text)));
        assert_in_proportion(&format!("detection: {name}"), &text, |text| {
            ceo::detect(text.as_bytes());
        });
    }
}

#[test]
fn detection_works_in_proportion_to_the_text() {
    for (format, text) in growing() {
        let name = format!("detection: {}: {:.60}", format.name(), text(3));
        assert_in_proportion(&name, text, |text| {
            Format::detect(text.as_bytes());
        });
    }
}

#[test]
fn what_reads_from_the_beginning_for_every_line_is_found_out() {
    let text = "1. e4\n".repeat(1_000);
    let work = |text: &str| {
        let places = || text.match_indices('\n').map(|(newline, _)| Location::of(text, newline).line).sum();
        looked_at::<usize>(places).1
    };
    assert!(work(&text.repeat(2)) > 39 * work(&text) / 10);
}
