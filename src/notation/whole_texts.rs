//! Tests that a byte order mark, the kind of line ends and empty lines do not change the meaning of a text.

use super::common::samples::{random_game, random_orthodox_game};
use super::doubled::growing;
use super::{Format, Game, Location, Loss, Options, Parsed};

const MARK: &str = "\u{feff}";

/// Texts in every notation: games as they are written, also cut off in the middle, and short texts of all
/// kinds.
fn texts() -> Vec<(Format, String)> {
    let games = (0..40).map(random_game).chain((0..10).map(random_orthodox_game));
    let whole = games.flat_map(|game| Format::all().filter_map(move |format| written(&game, format)));
    let whole: Vec<(Format, String)> = whole.collect();
    let halves = whole.iter().map(|(format, text)| {
        let half = (0..=text.len() / 2).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        (*format, text[..half].to_owned())
    });
    let short = growing().into_iter().map(|(format, text)| (format, text(3)));
    let empty = Format::all().map(|format| (format, String::new()));
    let all = halves.chain(short).chain(empty).chain(whole.clone());
    // Bytes that are not text have no byte order mark.
    all.filter(|(format, _)| *format != Format::Chess64Binary).collect()
}

fn written(game: &Game, format: Format) -> Option<(Format, String)> {
    let bytes = format.write(game).ok()?.bytes;
    Some((format, String::from_utf8(bytes).ok()?))
}

fn read(format: Format, text: &str) -> Parsed {
    format.parse(text.as_bytes(), &Options { check_marks: true, ..Options::default() })
}

/// The place of every message about a text, as an editor shows it, and the part of the text there.
fn places<'t>(parsed: &Parsed, text: &'t str) -> Vec<(Location, &'t str)> {
    let issues = parsed.error.iter().map(|error| &error.issue).chain(&parsed.warnings);
    let spans = parsed.spans.iter().copied().chain(issues.map(|issue| issue.span));
    spans.map(|span| (Location::of(text, span.range().start), span.of(text))).collect()
}

/// The result of reading without places, which differ where lines end differently.
fn said(parsed: Parsed) -> (Option<Game>, Vec<Loss>, Vec<&'static str>, Option<&'static str>) {
    let codes = parsed.warnings.iter().map(|warning| warning.code).collect();
    (parsed.value, parsed.losses, codes, parsed.error.map(|error| error.issue.code))
}

#[test]
fn a_byte_order_mark_changes_nothing_but_places() {
    let mut counts = std::collections::BTreeMap::new();
    for (format, text) in texts() {
        let marked = format!("{MARK}{text}");
        let (with, without) = (read(format, &marked), read(format, &text));
        assert_eq!(places(&with, &marked), places(&without, &text), "{format}: {text}");
        assert_eq!(said(with), said(without), "{format}: {text}");
        let detected = Format::detect(text.as_bytes()).filter(|&found| found != Format::Chess64Binary);
        assert_eq!(Format::detect(marked.as_bytes()), detected, "{text}");
        let parts = |text: &str| -> Vec<String> {
            let games = format.games(text.as_bytes()).into_iter();
            games.map(|game| game.of(text).replacen(MARK, "", 1)).collect()
        };
        assert_eq!(parts(&marked), parts(&text), "{format}");
        *counts.entry(format).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), Format::all().count() - 1, "{counts:?}");
}

#[test]
fn the_kind_of_line_ends_changes_nothing() {
    for (format, text) in texts() {
        let expected = said(read(format, &text));
        for end in ["\r\n", "\r"] {
            let changed = text.replace('\n', end);
            assert_eq!(said(read(format, &changed)), expected, "{format}: {changed:?}");
            assert_eq!(Format::detect(changed.as_bytes()), Format::detect(text.as_bytes()), "{changed:?}");
        }
    }
}

#[test]
fn several_games_are_what_each_is_alone() {
    // The other notations with several games in a text hold positions alone.
    let alone = [Format::Fen5d, Format::VariantsJson];
    let several = Format::all().filter(|format| format.holds_several_games() && !alone.contains(format));
    for format in several {
        let games: Vec<String> = (0..60)
            .map(|seed| if format == Format::Pgn { random_orthodox_game(seed) } else { random_game(seed) })
            .map(|game| Game { headers: vec![("White".into(), "Ada".into())], ..game })
            .filter(|game| !game.actions.is_empty())
            .filter_map(|game| Some(written(&game, format)?.1))
            .collect();
        assert!(games.len() > 20, "{format}");
        for (front, between, end) in
            [("", "", "\n"), (MARK, "\n", "\n"), ("", MARK, "\n"), ("", "\n\n", "\r\n"), (MARK, MARK, "\r")]
        {
            let ended = |text: &str| text.replace('\n', end);
            let all = front.to_owned()
                + &games.iter().map(|text| ended(text)).collect::<Vec<_>>().join(&ended(between));
            let spans = format.games(all.as_bytes());
            assert_eq!(spans.len(), games.len(), "{format}: {front:?} {between:?} {end:?}");
            for (span, alone) in spans.into_iter().zip(&games) {
                assert_eq!(said(read(format, span.of(&all))), said(read(format, alone)), "{format}: {alone}");
            }
        }
    }
}

/// Games that are written and joined are found again, each as it is alone. A notation that has one game in a text joins none.
#[test]
fn joined_texts_hold_the_games_of_each() {
    for format in Format::all() {
        let any = |seed| if format.is_orthodox() { random_orthodox_game(seed) } else { random_game(seed) };
        let games = (0..40).map(|seed| Game { headers: vec![("White".into(), "Ada".into())], ..any(seed) });
        let texts: Vec<Vec<u8>> = games.filter_map(|game| Some(format.write(&game).ok()?.bytes)).collect();
        let Some(joined) = format.join(&texts) else {
            // Boards of 5DFEN whose first ones differ in place could be one position.
            assert!(!format.holds_several_games() || format == Format::Fen5d, "{format}");
            continue;
        };
        assert!(format.holds_several_games(), "{format}");
        let read = |bytes: &[u8]| said(format.parse(bytes, &Options::default()));
        let found = format.games(&joined).into_iter().map(|span| read(&joined[span.range()]));
        let alone = texts.iter().map(|text| read(text));
        assert_eq!(found.collect::<Vec<_>>(), alone.collect::<Vec<_>>(), "{format}");
    }
    // Games of PGN without headers would be one.
    let game = Format::Pgn.write(&random_orthodox_game(1)).unwrap().bytes;
    assert_eq!(Format::Pgn.join(&[game.clone(), game]), None);
}
