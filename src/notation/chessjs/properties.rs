//! Examples of the README with what the library makes of them, and what holds for every game and every text.

use super::schema::Board;
use super::{Layout, Raw, Record, frames, json, parse, parse_with, write};
use crate::notation::Options;
use crate::notation::common::samples::{Random, assert_spans_fit, random_game};
use crate::notation::common::{Game, GameResult, MAX_INPUT_BYTES, Parsed};
use crate::notation::format::Format;
use crate::notation::{CheckMark, Shape};
use crate::notation::{hash, pgn5d};
use crate::rules::variants;
use crate::types::{self, PieceKind, Square};

/// The README's raw and minified columns, and its call.
pub(super) const RAW: &str = "1w. 1:e2<>1:e3\n1b. 1:f7<>1:f6\n2w. 2:Nb1<+1>1:b3\n2b. 1+1:a7<>1+1:a6\n\
    3w. 2+1:c2<>2+1:c3\n3b. 2:Nb8<>2:c6\n3b. 2+1:Nb8<>2+1:c6\n4w. 3:Qd1<>3:h5\n4w. 3+1:Qd1<>3+1:c2#\n";
const MINIFIED: &str = "1w. 1:e2:e3\n1b. 1:f7:f6\n2w. 2:Nb1<>1:b3\n2b. 1+1:a7:a6\n3w. 2+1:c2:c3\n\
    3b. 2:Nb8:c6\n3b. 2+1:Nb8:c6\n4w. 3:Qd1:h5\n4w. 3+1:Qd1:c2#\n";
const MATE: &str = "1w. 1:e2:e3\n1b. 1:f7:f6\n2w. 2:Qd1:e2\n2b. 2:Nb8:c6\n3w. 3:Qe2:h5\n";

pub(super) fn game(text: &str) -> Game {
    parse(text).into_result().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn full(game: &Game) -> String {
    String::from_utf8(write(game, Layout::Full).bytes).unwrap()
}

fn short(game: &Game) -> String {
    String::from_utf8(write(game, Layout::Short).bytes).unwrap()
}

fn warnings(text: &str) -> Vec<&'static str> {
    let reading = parse_with(text, &Options::default());
    assert_eq!(reading.error, None, "{text}");
    reading.warnings.iter().map(|warning| warning.code).collect()
}

fn refused(text: &str) -> (&'static str, &'static str) {
    let error = parse(text).into_result().unwrap_err();
    (error.class.name(), error.issue.code)
}

#[test]
fn the_layouts_of_one_game_give_one_state() {
    let layouts = [
        RAW.to_owned(),
        MINIFIED.to_owned(),
        RAW.replace('\n', ";"),
        MINIFIED.replace('\n', "\r\n"),
        MINIFIED.replace('\n', " ; "),
    ];
    for text in &layouts {
        let game = game(text);
        assert_eq!(hash::chessjs_036(&game).unwrap(), "8048de452b714859b78d813254d21386");
        let head = "[Variant \"standard\"]\n";
        assert_eq!(full(&game), format!("{head}{}", RAW.replace('#', "+")));
        // The new timeline is kept, and the mark, which the library loses in this layout.
        let kept = MINIFIED.replace("<>", "<+1>").replace('#', "+");
        assert_eq!(short(&game), format!("{head}{kept}"));
        assert_eq!(warnings(text), ["wrong-mark"]);
    }
    let reading = parse_with(RAW, &Options::default());
    assert_eq!(reading.warnings[0].message, "the move is marked as checkmate, but it is check");
    let end = reading.value.unwrap().end();
    assert_eq!(end.status(), types::Status::Softmate);
    assert_eq!(end.count_legal_actions(100).count, 8);
    let actions: Vec<u32> =
        Record::parse(RAW).0.actions().map(|moves| moves[0].number.unwrap().value).collect();
    assert_eq!(actions, [1, 1, 2, 2, 3, 3, 4]);
}

#[test]
fn a_game_of_three_actions_is_mate() {
    let game = game(MATE);
    assert_eq!(game.end().status(), types::Status::Checkmate);
    assert_eq!(game.end().checks().len(), 2);
    assert_eq!(
        full(&game),
        "[Variant \"standard\"]\n1w. 1:e2<>1:e3\n1b. 1:f7<>1:f6\n2w. 2:Qd1<>2:e2\n2b. 2:Nb8<>2:c6\n\
         3w. 3:Qe2<>3:h5#\n"
    );
    assert_eq!(short(&game), format!("[Variant \"standard\"]\n{}", MATE.replace("h5\n", "h5#\n")));
}

#[test]
fn a_long_game_of_the_library_is_written_back_byte_for_byte() {
    let text = include_str!("../../../corpus/notation/seed000.chessjs.txt");
    let game = game(text);
    assert_eq!(full(&game), text);
    assert_eq!(game.actions.len(), 38);
    assert_eq!(game.end().status(), types::Status::Checkmate);
    let library_short = include_str!("../../../corpus/notation/seed000.chessjs-short.txt");
    let without_marks = |text: &str| text.replace(['+', '#'], "~").replace("~\n", "\n");
    assert_eq!(without_marks(&short(&game)), without_marks(library_short));
    assert_eq!(parse(library_short).into_result().as_ref(), Ok(&game));
    assert_eq!(parse(&short(&game)).into_result().as_ref(), Ok(&game));
}

#[test]
fn the_variants_have_their_boards_and_promotions() {
    for (tag, name, promotions) in [
        ("standard", "Standard", "Q,N,B,R"),
        ("defended_pawn", "Standard - Defended Pawn", "Q,N,B,R"),
        ("half_reflected", "Standard - Half Reflected", "Q,N,B,R"),
        ("princess", "Standard - Princess", "N,B,R,S"),
        ("turn_zero", "Standard - Turn Zero", "Q,N,B,R"),
    ] {
        let text = format!("[Variant \"{tag}\"]\n");
        let game = game(&text);
        let variant = variants::by_name(name).unwrap();
        assert_eq!(game.start.to_setup().boards, variant.setup().boards, "{tag}");
        assert_eq!(game.start.profile().promotions.to_string(), promotions, "{tag}");
        assert_eq!(game.start.count_legal_actions(100).count, 20);
        assert_eq!((full(&game), short(&game)), (text.clone(), text.clone()));
        assert_eq!(Format::detect(text.as_bytes()), Some(Format::ChessJs));
    }
    assert_eq!(full(&game("")), "[Variant \"standard\"]\n");
    assert_eq!(refused("[Variant \"chess960\"]\n1w. 1:e2:e3"), ("malformed", "unknown-variant"));
}

#[test]
fn the_princess_is_p_here_and_s_elsewhere() {
    let text = "[Variant \"princess\"]\n1w. 1:d2<>1:d3\n1b. 1:d7<>1:d6\n2w. 2:Pd1<>2:d2\n";
    let game = game(text);
    assert_eq!(full(&game), text);
    let pgn = pgn5d::write(&game, pgn5d::Marks::None).into_text();
    assert!(pgn.ends_with("2. (0T2)Sd1d2\n"), "{pgn}");
    assert!(frames::text(&game, frames::Labels::None).contains("║rnbskbnr║"));
    let promotion = "[Variant \"princess\"]\n1w. 1:b2:b4\n1b. 1:a7:a5\n2w. 2:b4:xa5\n2b. 2:h7:h6\n3w. 3:a5:a6\n\
        3b. 3:h6:h5\n4w. 4:a6:xb7\n4b. 4:h5:h4\n5w. 5:b7:xPc8\n";
    let end = parse(promotion).into_result().unwrap().end();
    let board = end.multiverse().last(types::Timeline(0)).unwrap().1;
    assert_eq!(board.get(Square::new(2, 7).unwrap()).unwrap().kind, PieceKind::Princess);
    assert_eq!(refused(&promotion.replace("xPc8", "xQc8")), ("illegal", "no-such-move"));
    assert_eq!(refused(&promotion.replace("Pc8", "Sc8")), ("malformed", "unknown-piece"));
    assert_eq!(refused(&promotion.replace("Pc8", "c8")), ("ambiguous", "missing-promotion"));
    assert_eq!(refused(&promotion.replace("Pc8", "Kc8")), ("illegal", "no-such-move"));
}

#[test]
fn turn_zero_is_numbered_from_one() {
    let text = "[Variant \"turn_zero\"]\n1w. 2:e2<>2:e3\n1b. 2:Nb8<-1>1:b6\n";
    let played = game(text);
    assert_eq!(full(&played), text);
    assert_eq!(warnings(&text.replace("1w.", "2w.").replace("1b.", "2b.")), [""; 0]);
    let pgn = pgn5d::write(&played, pgn5d::Marks::None).into_text();
    assert!(
        pgn.contains("[Board \"Standard - Turn Zero\"]") && pgn.contains("1. (0T1)e2e3 / (0T1)Nb8>>(0T0)b6")
    );
    // In other games numbers begin with 1.
    assert_eq!(warnings("7w. 1:e2:e3"), ["wrong-number"]);
    assert_eq!(warnings("2w. 1:e2:e3"), ["wrong-number"]);
    assert_eq!(warnings("1w. 1:e2:e3\n7b. 1:e7:e6"), ["wrong-number"]);
}

#[test]
fn castling_beside_the_e_file_is_a_king_move() {
    let standard = "1w. 1:e2:e4\n1b. 1:e7:e5\n2w. 2:Ng1:f3\n2b. 2:Ng8:f6\n3w. 3:Bf1:c4\n3b. 3:Bf8:c5\n4w. 4:0-0\n4b. 4:0-0\n";
    let castled = game(standard);
    assert!(full(&castled).ends_with("4w. 4:0-0\n4b. 4:0-0\n"));
    assert_eq!(parse(&standard.replace("0-0", "O-O")).into_result().as_ref(), Ok(&castled));
    let as_move = standard.replace("4w. 4:0-0", "4w. 4:Ke1:g1");
    assert_eq!(
        (parse(&as_move).into_result().as_ref(), warnings(&as_move)),
        (Ok(&castled), vec!["castling-as-move"])
    );
    assert_eq!(refused(&standard.replace("4w. 4:0-0", "4w. 4:0-0-0")), ("illegal", "no-such-move"));

    let reflected = "[Variant \"half_reflected\"]\n1w. 1:e2<>1:e3\n1b. 1:Nb8<>1:c6\n2w. 2:e3<>2:e4\n2b. 2:b7<>2:b6\n\
        3w. 3:e4<>3:e5\n3b. 3:Bc8<>3:b7\n4w. 4:a2<>4:a3\n4b. 4:Kd8<>4:b8\n";
    assert_eq!(full(&game(reflected)), reflected);
    assert_eq!(refused(&reflected.replace("Kd8<>4:b8", "0-0")), ("illegal", "no-such-move"));
}

#[test]
fn en_passant_and_promotions_are_marked() {
    let passant = "1w. 1:e2<>1:e4\n1b. 1:a7<>1:a6\n2w. 2:e4<>2:e5\n2b. 2:d7<>2:d5\n3w. 3:e5<>3:xd6e.p.\n";
    let captured = game(passant);
    assert_eq!(full(&captured), format!("[Variant \"standard\"]\n{passant}"));
    assert!(short(&captured).ends_with("3w. 3:e5:xd6e.p.\n"));
    for (other, codes) in [("xd6", vec!["missing-en-passant"]), ("d6ep", vec![]), ("d6e.p.", vec![])] {
        let text = passant.replace("xd6e.p.", other);
        assert_eq!((parse(&text).into_result().as_ref(), warnings(&text)), (Ok(&captured), codes), "{other}");
    }
    assert_eq!(refused(&passant.replace("e.p.", "+e.p.")), ("malformed", "unexpected-character"));
    let promotion = "1w. 1:b2<>1:b4\n1b. 1:a7<>1:a5\n2w. 2:b4<>2:xa5\n2b. 2:h7<>2:h6\n3w. 3:a5<>3:a6\n\
        3b. 3:h6<>3:h5\n4w. 4:a6<>4:xb7\n4b. 4:h5<>4:h4\n5w. 5:b7<>5:xQa8\n";
    assert_eq!(full(&game(promotion)), format!("[Variant \"standard\"]\n{promotion}"));
    assert_eq!(refused(&promotion.replace("Qa8", "a8")), ("ambiguous", "missing-promotion"));
    let queens_only = format!("[Promotions \"Q\"]\n{}", promotion.replace("Qa8", "a8"));
    assert_eq!(warnings(&queens_only), ["missing-promotion"]);
    assert!(full(&game(&queens_only)).starts_with("[Variant \"standard\"]\n[Promotions \"Q\"]\n"));
}

#[test]
fn what_is_for_the_eye_may_be_wrong_or_missing() {
    let before = "1w. 1:e2:e3\n1b. 1:f7:f6\n";
    for (text, codes) in [
        ("2w. 2:Nb1<>1:b3", &[][..]),
        ("2w. 2:Nb1<+1>1:b3", &[]),
        ("2w. 2:Nb1<+9>1:b3", &["wrong-remark"]),
        ("2w. 2:Nb1<-1>1+0:b3", &["wrong-remark"]),
        ("2w. 2+0:Nb1<>1-0:b3", &[]),
        ("2w.  2:Nb1<>1:b3", &[]),
        ("2w.2:Nb1<>1:b3", &[]),
        ("2W. 2:Nb1<>1:b3", &[]),
        (" 2w. 2:Nb1<>1:b3 ", &[]),
        ("2w. 2:b1<>1:b3", &[]),
        ("2w. 2:Qb1<>1:b3", &["wrong-letter"]),
        ("2w. 2:Nb1<>1:xb3", &["not-a-capture"]),
        ("2w. 2:Nb1<>1:b3#", &["wrong-mark"]),
        ("2w. 2:Nb1<>1:b3=", &["wrong-mark"]),
        ("2w. 2:Nb1<>:c3", &[]),
        ("2w. 2:Nb1:c3+", &["wrong-mark"]),
        ("2w. 2:Nb1<+1>:c3", &["wrong-remark"]),
    ] {
        assert_eq!(warnings(&format!("{before}{text}")), codes, "{text}");
    }
    for (text, class, code) in [
        ("2w. 2:nb1<>1:b3", "malformed", "missing-square"),
        ("2w. 2:NB1<>1:b3", "malformed", "missing-square"),
        ("2w. 2:Nb1:1:b3", "malformed", "missing-square"),
        ("2w. 2:Nb1<><>2:c3", "malformed", "missing-colon"),
        ("2w. 2:Nb1<1:b3", "malformed", "missing-bracket"),
        ("2:Nb1:c3", "malformed", "missing-colour"),
        ("w. 2:Nb1:c3", "malformed", "missing-number"),
        ("2w 2:Nb1:c3", "malformed", "missing-full-stop"),
        ("2w. :Nb1:c3", "malformed", "missing-turn"),
        ("2w. 2Nb1:c3", "malformed", "missing-colon"),
        ("2w. 2:Nb1c3", "malformed", "missing-colon"),
        ("2w. 2:Nb1:c9", "malformed", "missing-square"),
        ("2w. 2:Nb1:c3 junk", "malformed", "unexpected-character"),
        ("2w. 2:Zb1:c3", "malformed", "unknown-piece"),
        ("garbage", "malformed", "missing-number"),
        ("2w. 2:e3:e5", "illegal", "no-such-move"),
        ("2w. 1:e3:e4", "illegal", "not-playable"),
        ("2w. 2+1:e3:e4", "illegal", "no-such-timeline"),
        ("2b. 2:e7:e6", "illegal", "wrong-player"),
        ("2w. 2:Nb1<>0:b3", "illegal", "no-such-board"),
        ("2w. 2:Nb1<>1+1:b3", "illegal", "no-such-board"),
        ("2w. 2:e3:e4\n2w. 2:d2:d3", "illegal", "not-playable"),
        ("2w. 2:Nb1<>1:b3\n2b. 2:e7:e6", "illegal", "present-stays"),
    ] {
        assert_eq!(refused(&format!("{before}{text}")), (class, code), "{text}");
    }
    // An action that is not finished.
    let unfinished = &MINIFIED[..MINIFIED.find("4w. 3+1").unwrap()];
    assert_eq!(refused(unfinished), ("illegal", "present-stays"));
    let reading = parse_with(unfinished, &Options::default());
    assert_eq!(reading.value.unwrap().actions.len(), 6);
    let mid = MINIFIED.replace("3:Qd1:h5", "3:Qd1:h5+");
    assert_eq!(warnings(&mid), ["misplaced-mark", "wrong-mark"]);
}

#[test]
fn an_error_takes_the_moves_of_its_action_with_it() {
    for (text, left) in [
        ("1w. 1:e2:e3\n?", 0),
        ("1w. 1:e2:e3\n1b. 1:f7:f6\n1b. ?", 1),
        ("1w. 1:e2:e3\n1b. 1:f7:f6\n2w. ?", 2),
        ("1w. 1:e2:e3\n1b. 1:f7:f6\n2w. 2:Nb1<>1:b3\n2w. 2:d2:d3\n2w. 2:", 2),
    ] {
        let (record, error) = Record::parse(text);
        assert!(error.is_some() && record.moves.len() == left, "{text}: {:?}", record.moves);
    }
}

#[test]
fn a_header_that_becomes_the_result_is_a_loss() {
    let losses = |text: &str| {
        let written = write(&pgn5d::parse(text).into_result().unwrap(), Layout::Full).losses;
        written.into_iter().map(|loss| loss.what).collect::<Vec<_>>()
    };
    let said = "that the game has no result, where a header says `1-0`";
    assert_eq!(losses("[Result \"1-0\"] 1. e3"), [said]);
    assert_eq!(losses("[Result \"1-0\"] [Event \"a\"] 1. e3 1-0"), [""; 0]);
    assert_eq!(losses("[Result \"won\"] 1. e3"), [""; 0]);
}

#[test]
fn tags_are_kept_in_order() {
    let text = "[Event \"Random Bot Test\"]\n[Site \"Internet\"]\n[Date \"2020.10.22\"]\n[Round \"1\"]\n\
        [White \"Random Bot\"]\n[Black \"Random Bot\"]\n[Result \"1-0\"]\n[Variant \"defended_pawn\"]\n1w. 1:e2<>1:e3\n";
    let read_back = game(text);
    assert_eq!(read_back.headers.len(), 6);
    assert_eq!(read_back.result, Some(GameResult::WhiteWins));
    let variant = "[Variant \"defended_pawn\"]\n";
    assert_eq!(full(&read_back), format!("{variant}{}", text.replace(variant, "")));
    assert_eq!(warnings(text), [""; 0]);

    let text = "[Variant \"standard\"]\n[Site \"New York City, NY USA; a \\\"b\\\" \\\\\"]\n[Date \"????.??.??\"]\n\
        [Result \"*\"]\n[WhiteElo \"1200\"]\n[round \"1\"]\n1w. 1:e2<>1:e3\n";
    let read_back = game(text);
    assert_eq!(read_back.headers[0].1, "New York City, NY USA; a \"b\" \\");
    assert_eq!(read_back.headers[2], ("Result".to_owned(), "*".to_owned()));
    assert_eq!((full(&read_back), warnings(text)), (text.to_owned(), vec![]));
    let issues = Record::parse(text).0.tags_outside_the_readme();
    assert_eq!(issues.len(), 2);
    let late = text.replace("1w. 1:e2<>1:e3\n", "") + "1w. 1:e2<>1:e3;[White \"w\"]\n1b. 1:e7:e6";
    assert_eq!(game(&late).headers.len(), 6);
    assert_eq!(warnings("[Date \"2020-10-22\"]\n[Result \"2-0\"]\n"), ["unknown-date", "unknown-result"]);
    for (text, code) in [
        ("[Variant standard]", "missing-field"),
        ("[Variant \"standard]", "unclosed-header"),
        ("[Variant \"standard\"", "unclosed-header"),
        ("[\"standard\"]", "malformed-header"),
        ("[Variant \"princess\"]\n[Variant \"standard\"]", "contradicting-headers"),
        ("[Variant \"custom\"]", "missing-start"),
        ("[Variant \"standard\"] 1w. 1:e2:e3", "unexpected-character"),
    ] {
        assert_eq!(refused(text).1, code, "{text}");
    }
}

#[test]
fn positions_of_ones_own_are_boards() {
    let text = "[Variant \"custom\"]\n[4k/5/5/5/R*3K:-0:1:w]\n[4k/5/5/5/R*3K:+0:1:w]\n\
        1w. 1-0:Ra1<>1-0:a2\n1w. 1+0:Ra1<>1+0:a2\n";
    let own = game(text);
    assert_eq!(full(&own), text);
    assert!(short(&own).ends_with("1w. 1-0:Ra1:a2\n1w. 1+0:Ra1:a2\n"));
    assert_eq!(refused(&text.replace("1-0:", "1:")), ("ambiguous", "unsigned-zero"));
    assert!(json::write(&own).is_err());
    assert_eq!((Raw::of(&own), Board::of(&own), hash::chessjs_036(&own)), (None, None, None));

    let named = "[Variant \"Opposing Triangles\"]\n[k1/1K:0:0:b]\n[k1/1K:0:1:w]\n1w. 1:Kb1<>1:a1+\n";
    let reading = parse_with(named, &Options::default());
    let own = reading.value.unwrap();
    assert_eq!(own.name.as_deref(), Some("Opposing Triangles"));
    assert!(full(&own).starts_with("[Variant \"Opposing Triangles\"]\n[k1/1K:0:0:b]\n[k1/1K:0:1:w]\n"));
    // A board with no place in the numbers, and pieces that have none.
    assert_eq!(Raw::of(&own), None);
    assert_eq!(Raw::of(&game("[Variant \"custom\"]\n[ku/UK:0:1:w]")), None);
}

#[test]
fn a_board_in_the_variant_tag_is_read() {
    let princess = game("[Variant \"princess\"]\n");
    let board = Board::of(&princess).unwrap().write();
    let text = format!("[Variant \"{board}\"]\n1w. 1:d2<>1:d3\n");
    let read_back = game(&text);
    assert_eq!(read_back.start, princess.start);
    assert_eq!(Format::detect(text.as_bytes()), Some(Format::ChessJs));
    assert_eq!(refused(&text.replacen("\"rank\":8", "\"rank\":7", 1)).1, "contradicting-keys");
    assert_eq!(refused(&text.replacen("\"timelines\"", "\"times\"", 1)).1, "missing-key");
    let error = parse(&text.replacen("\"rank\":8", "\"rank\":9", 1)).into_result().unwrap_err();
    assert_eq!(error.span().range().start, text.find("\"rank\":8").unwrap() + 7);
}

#[test]
fn frames_are_those_of_the_readme() {
    let drawn = frames::text(&game(RAW), frames::Labels::None);
    assert_eq!(drawn, include_str!("../../../corpus/notation/readme-frames.txt"));
    let labelled = frames::text(&game(RAW), frames::Labels::RawIndices);
    let mut lines = labelled.lines();
    assert_eq!(lines.next(), Some("Current Player: Black"));
    assert_eq!(lines.next(), Some("Action Number: 4"));
    assert!(lines.next().unwrap().starts_with("╔0,0═════╗╔0,1═════╗"));
    assert!(labelled.contains("\n          ╔2,1═════╗╔2,2═════╗"));
    assert_eq!(
        frames::text(&game(MATE), frames::Labels::RawIndices).lines().nth(1),
        Some("Action Number: 3")
    );
}

#[test]
fn a_written_game_is_read_back() {
    for seed in 0..200 {
        let game = random_game(seed);
        for layout in [Layout::Full, Layout::Short] {
            let written = write(&game, layout);
            assert_eq!(written.losses, []);
            let text = String::from_utf8(written.bytes).unwrap();
            let Parsed { value: read_back, warnings, error, .. } = parse_with(&text, &Options::default());
            assert_eq!((error, warnings), (None, vec![]), "{text}");
            assert_eq!(read_back.as_ref(), Some(&game), "{text}");
        }
    }
}

#[test]
fn a_game_that_goes_through_5dpgn_stays_the_same() {
    for seed in 0..60 {
        let game = random_game(seed);
        let format = if seed % 2 == 0 { Format::ChessJs } else { Format::ChessJsShort };
        let text = format.write(&game).unwrap().bytes;
        let through = format.parse(&text, &Options::default()).value.unwrap();
        let pgn = Format::Pgn5d.write(&through).unwrap().bytes;
        let end = Format::Pgn5d.parse(&pgn, &Options::default()).value.unwrap();
        assert_eq!(end, game);
        assert_eq!(format.write(&end).unwrap().bytes, text);
    }
}

/// Bytes of which games are made.
const ALPHABET: &[u8] = b" \n;:.[]{}<>\",+-=#x0123456789wbabcdefghNBRQKPUDWCYOe";

#[test]
fn any_text_is_read_or_refused() {
    let mut samples: Vec<String> = (0..20)
        .map(|seed| {
            let layout = if seed % 2 == 0 { Layout::Full } else { Layout::Short };
            String::from_utf8(write(&random_game(seed), layout).bytes).unwrap()
        })
        .collect();
    let boards = Board::of(&game("1w. 1:e2:e3")).unwrap().write();
    samples.extend([boards, Raw::of(&game(RAW)).unwrap().write()]);
    samples
        .extend((0..8).filter_map(|seed| {
            Some(String::from_utf8(json::write(&random_game(seed)).ok()?.bytes).unwrap())
        }));
    let mut random = Random(7);
    for round in 0..3000 {
        let text = random.spoil(&samples, ALPHABET);
        for reading in [parse_with(&text, &Options::default()), json::parse_with(&text, &Options::default())]
        {
            assert_spans_fit(&text, &reading);
            // Whatever was read is a game, and its text means the same.
            if let Some(game) = &reading.value {
                let written = write(game, Layout::Short);
                let again = parse(&String::from_utf8(written.bytes).unwrap()).into_result();
                let lossless = written.losses.is_empty() && game.also_moved.is_empty();
                assert!(!lossless || again.as_ref() == Ok(game), "round {round}: {text}");
            }
        }
        let _ = Format::detect(text.as_bytes());
    }
}

#[test]
fn reading_takes_time_in_proportion_to_the_text() {
    for piece in [
        "1w. ",
        "[k",
        "[A \"",
        ";",
        "1w. 1:e2:e3;",
        "[A \"b\"]",
        "[Variant \"{",
        "1w. 1:e2<",
        "[[",
        "[{\"a\":",
    ] {
        let text = piece.repeat(MAX_INPUT_BYTES / 8 / piece.len());
        let (record, _) = Record::parse(&text);
        assert!(record.moves.len() <= text.len());
        let _ = json::parse_with(&text, &Options::default());
    }
    let moves = Record::parse("1w. 1:0-0-0=").0.moves;
    assert_eq!((moves[0].shape, moves[0].check), (Shape::CastlingLeft, Some(CheckMark::Stalemate)));
}
