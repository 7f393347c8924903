use super::*;
use crate::notation::common::samples::{assert_refused, read, without_headers};
use crate::notation::{fen5d, pgn5d};

fn moves(text: &str) -> String {
    without_headers(&pgn5d::write(&read(text, parse(text)), pgn5d::Marks::None).into_text())
}

#[test]
fn moves_go_from_the_highest_timeline_down() {
    let text = "1. Nf3 / Nf6\n2. N>>t-1f5 /\n2bT1. e6;-\n3. e3;_\n3b. a6;e6";
    assert_eq!(
        moves(text),
        "1. (0T1)Ng1f3 / (0T1)Ng8f6 2. (0T2)Nf3>>(0T1)f5 / (1T1)e7e6 3. (1T2)e2e3 / (0T2)e7e6 (1T2)a7a6"
    );
    // After a move that names its timeline, the next one is on the timeline below.
    assert_eq!(moves(text), moves(&text.replace("a6;e6", "0Le6;-\n").replace("0Le6;-", "0Le6;1La6")));
    assert_eq!(moves(text), moves(&text.replace("e6;-\n", "1Le6;-\n").replace(">>t-1", ">>0lT1")));
    assert_eq!(moves(text), moves(&text.replace("a6;e6", " a6 \n;\n e6")));
}

#[test]
fn jumps_to_last_boards_come_before_those_that_create_timelines() {
    let start = "1. Nf3 / Nf6\n2. N>>t-1f5 / e6\n3. e3 / 1LN>0Ld5;<\n";
    assert_eq!(parse(start).error.unwrap().issue.code, "no-such-move");
    let start = "1. Nf3 / Nf6\n2. N>>t-1f5 / e6;-\n3. e3;_ / ";
    for (action, made) in [
        ("Q>0Ld8;<", None),
        ("Nc6;d6", Some("(0T2)d7d6 (1T2)Nb8c6")),
        ("N>0Lg6;<", Some("(1T2)Ng8>(0T2)g6")),
        ("0LN>1Lf4", Some("(0T2)Nf6>(1T2)f4")),
    ] {
        let reading = parse(&format!("{start}{action}"));
        assert_eq!(reading.error.is_none(), made.is_some(), "{action}: {:?}", reading.error);
        if let Some(made) = made {
            assert!(moves(&format!("{start}{action}")).ends_with(made), "{action}");
        }
    }
}

#[test]
fn blanks_comments_and_line_ends_stand_between_parts() {
    let same = moves("1. e3 / Nf6\n2. Nf3");
    for text in [
        "e3\nNf6\nNf3",
        "1.e3/Nf6/Nf3",
        "1 w . e 3\r\n/ ? (c) / e4\n\n1b. N f 6 ? c\n2. Nf3 ? c",
        "\n/1wT1.Pe3\n1bT1. Nf6\n2. gNf3",
        "e2e3\n8Nf6\ng1Nf3\n",
        "0LT1e2e3 / 0LT1gNf6\nN0lt0f3\n",
        "e3 / Nf6 / Nf3\n3.",
    ] {
        assert_eq!(moves(text), same, "{text}");
    }
    let reading = parse("e3 ? a\n/ ? b\nNf6\n? c");
    let lost: Vec<_> = reading.losses.iter().map(|loss| loss.action).collect();
    assert_eq!(lost, [Some(0), Some(0), Some(1)]);
}

#[test]
fn headers_say_the_start() {
    let reading = parse("[White \"a\"]\n[Layout \"No Queens\"]\n[mode \"5D\"]\n\n1. d3 / Nf5");
    let game = reading.value.unwrap();
    assert_eq!((game.start.size().to_string(), reading.error), ("7x7".into(), None));
    assert_eq!(game.headers, [("White".to_owned(), "a".to_owned())]);
    let start = pgn5d::parse("[Board \"Small\"]").into_result().unwrap().start;
    let options = Options { start: Some(start), ..Options::default() };
    assert_eq!(parse_with("[mode \"5D\"] e4", &options).error.unwrap().issue.code, "no-such-move");
    assert_eq!(parse_with("[Layout \"Standard\"] e4", &options).error, None);
}

#[test]
fn every_mistake_has_its_class_and_place() {
    for (text, class, code, start, end) in [
        ("e4 e5", "illegal", "no-such-move", 0, 5),
        ("1. O-O", "malformed", "missing-destination", 3, 4),
        ("Nx", "malformed", "missing-destination", 2, 2),
        ("Qt-1", "malformed", "missing-destination", 4, 4),
        ("Qt", "malformed", "missing-turn", 2, 2),
        ("-1lQf3", "malformed", "relative-origin", 3, 4),
        ("e3;", "malformed", "missing-destination", 3, 3),
        ("Nbd2", "malformed", "missing-destination", 2, 3),
        ("e3\n[A \"b\"]", "malformed", "header-after-moves", 3, 4),
        ("e3=Q", "malformed", "unexpected-character", 2, 3),
        ("99999LNf3", "malformed", "number-too-large", 0, 5),
        ("1b. e5", "illegal", "wrong-player", 0, 3),
        ("e5", "illegal", "no-such-move", 0, 2),
        ("1Le4", "illegal", "no-such-timeline", 0, 4),
        ("0LT2e2e4", "illegal", "not-playable", 0, 8),
        ("e4;e4", "illegal", "no-such-timeline", 3, 5),
        ("-", "illegal", "no-move", 0, 1),
        ("Nf3 / Nf6 / Nt-1f5", "illegal", "no-such-move", 12, 18),
        ("Nf3 / e5 / Nc3 / e4 / Nb5 / a6 / Nd4", "ambiguous", "ambiguous-move", 33, 36),
    ] {
        assert_refused(text, parse(text), (class, code, start, end));
    }
    let many = "-;".repeat(3_000);
    assert_eq!(parse(&many).error.unwrap().issue.code, "too-many-moves");
}

#[test]
fn oddities_are_warnings() {
    for (text, codes) in [
        ("2. e4", &["wrong-number"][..]),
        ("T2. e4", &["wrong-present"]),
        ("e4 / / e5", &["needless-slash"]),
        ("Nxf3", &["not-a-capture"]),
        ("e4#", &["wrong-mark"]),
        ("e4;-", &["wrong-placeholder"]),
        ("-;0Le4", &[]),
        ("<;0Le4", &["wrong-placeholder"]),
        ("_;0Le4", &["wrong-placeholder"]),
        ("e4\nmate?", &["program-command"]),
        ("Nf3 / Nf6 / N>>t-1f5 / e6;- / e3;_ / N>>0Lg6", &["wrong-jump"]),
        ("Nf3 / Nf6 / N>>t-1f5 / e6+;-", &["misplaced-mark"]),
    ] {
        let reading = parse(text);
        let found: Vec<&str> = reading.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!((&found[..], &reading.error), (codes, &None), "{text}");
    }
    let start = fen5d::parse("[k4/5/1K3/5/4R:0:1:w]").into_result().unwrap();
    let mate = Options { start: Some(start), check_marks: true, ..Options::default() };
    assert_eq!(parse_with("Re5#", &mate).warnings, []);
    assert_eq!(parse_with("Re5+", &mate).warnings, []);
    let options = Options { check_marks: true, ..Options::default() };
    assert_eq!(parse_with("e4+", &options).warnings[0].code, "wrong-mark");
    assert_eq!(parse("e4+").warnings, []);
}

#[test]
fn what_tells_the_notation_stands_in_words() {
    for word in ["2bT1.", "T1.", "3T4.", "Q>>xt-3f7", "N>T1g6", "N>0Lf4", "-1LQd3", "0LT5Q>>xf7", "_"] {
        assert!(is_telling(word), "{word}");
    }
    for word in ["", "-", "1.", "1w.", "N>>f5", "N>>xf5", "Tf3", "T", "L1", "0", "(0T1)", "e4", "5wT", "12-L"]
    {
        assert!(!is_telling(word), "{word}");
    }
}
