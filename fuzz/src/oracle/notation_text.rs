//! Any text is read in a notation as far as it goes; errors, warnings and actions have their place; what was read is legal,
//! is written, and is read back equal. One oracle for every notation of games.

use arbitrary::Result;
use worldlines::notation::format::{read, write};
use worldlines::notation::pgn5d::Record;
use worldlines::notation::{Format, Game, Issue, Reading, Span, Unwritable, Written, text_of};

use super::{Question, assert_has_place, assert_marks, is_same};

/// Makes a question of a notation.
macro_rules! notations {
    ($($name:ident is $format:ident;)*) => {
        $(
            #[doc = concat!("The question for `Format::", stringify!($format), "`.")]
            pub struct $name;

            impl Question for $name {
                type Case = Vec<u8>;

                fn case(bytes: &[u8]) -> Result<Vec<u8>> {
                    Ok(bytes.to_vec())
                }

                fn ask(bytes: Vec<u8>) -> Result<()> {
                    asked(&bytes, Format::$format)
                }
            }
        )*
    };
}

notations! {
    Chess64 is Chess64;
    Chess64Binary is Chess64Binary;
    ChessJs is ChessJs;
    ChessJsShort is ChessJsShort;
    ChessJsJson is ChessJsJson;
    Fen is Fen;
    Fen5d is Fen5d;
    GuiFen is GuiFen;
    Pgn is Pgn;
    Pgn5d is Pgn5d;
    Raw is Raw;
    Simplified is Simplified;
    Uci5d is Uci5d;
}

fn asked(bytes: &[u8], format: Format) -> Result<()> {
    if format == Format::Chess64Binary {
        check(bytes, None, |bytes| read(bytes, format), |game| write(game, format));
        return Ok(());
    }
    let text = match text_of(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let span = error.span().range();
            assert!(span.start < span.end && span.end <= bytes.len(), "{span:?} is no part of the bytes");
            assert!(read(bytes, format).error.is_some(), "what is no text was read");
            // The fuzzer's work is not wasted: the rest is asked about the nearest text.
            String::from_utf8_lossy(bytes).into_owned()
        }
    };
    if format == Format::Pgn5d {
        assert_parts_have_places(&text);
    }
    check(text.as_bytes(), Some(&text), |bytes| read(bytes, format), |game| write(game, format));
    Ok(())
}

fn check(
    bytes: &[u8],
    text: Option<&str>,
    read: impl Fn(&[u8]) -> Reading,
    write: impl Fn(&Game) -> std::result::Result<Written, Unwritable>,
) {
    let Reading { game, spans, warnings, error, .. } = read(bytes);
    let inside = |span: Span| match text {
        Some(text) => text.get(span.range()).is_some(),
        None => span.range().end <= bytes.len(),
    };
    let issues = warnings.iter().chain(error.iter().map(|error| error.issue()));
    for issue in issues {
        assert!(inside(issue.span), "{}: {:?} is not in the input", issue.code, issue.span);
        match text {
            Some(text) => assert_has_place(text, issue.span, &issue.excerpt("x", text)),
            None => assert_marks(&issue.excerpt("x", bytes)),
        }
    }
    let Some(game) = game else {
        assert!(error.is_some(), "no game and no error");
        return;
    };
    assert_eq!(spans.len(), game.actions.len(), "one place for each action");
    for span in spans {
        assert!(inside(span) && !span.range().is_empty(), "{span:?} is no action");
    }
    let mut position = game.start.clone();
    for action in &game.actions {
        position.play(action).unwrap_or_else(|error| panic!("an illegal action was read: {error}"));
    }
    let written = write(&game).unwrap_or_else(|error| panic!("what was read is not written: {error}"));
    let shown = || String::from_utf8_lossy(&written.bytes).into_owned();
    let again = read(&written.bytes);
    assert_eq!(again.error, None, "in what is written of it:\n{}", shown());
    // What is kept as it was, such as the value of a header, is as odd as before.
    let is_new = |issue: &&Issue| warnings.iter().all(|before| before.code != issue.code);
    assert_eq!(again.warnings.iter().find(is_new), None, "in what is written of it:\n{}", shown());
    let read_again = again.game.unwrap_or_else(|| panic!("no game in\n{}", shown()));
    if written.losses.is_empty() {
        assert!(is_same(&game, &read_again), "another game is read from\n{}", shown());
    }
    assert_eq!(
        write(&read_again).map(|twice| twice.bytes),
        Ok(written.bytes.clone()),
        "one game has one text: {}",
        shown()
    );
}

/// Every part of a record is a part of its text.
fn assert_parts_have_places(text: &str) {
    let (record, error) = Record::parse(text);
    if let Some(error) = error {
        assert_has_place(text, error.span(), &error.excerpt("x", text));
    }
    let inside = |span: Span| assert!(text.get(span.range()).is_some(), "{span:?} is no part of the text");
    record.headers.iter().flat_map(|header| [header.span, header.key, header.value]).for_each(inside);
    record.boards.iter().map(|board| board.span).for_each(inside);
    record.moves.iter().map(|m| m.span).for_each(inside);
    record.comments.iter().copied().for_each(inside);
    record.variations.iter().map(|variation| variation.span).for_each(inside);
    for action in &record.actions {
        inside(action.span);
        for m in record.moves_of(action) {
            assert!(
                action.span.start <= m.span.start && m.span.end <= action.span.end,
                "a move outside its action"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use worldlines::notation::pgn5d;

    use super::*;
    use crate::oracle::flags;

    const GAME: &str = "[Board \"Standard\"]\n1. (0T1)e2e3 / (0T1)f7f6\n2. (0T2)Nb1>>(0T1)b3 / (1T1)a7a6\n";

    #[test]
    fn what_is_wrong_is_flagged() {
        for format in Format::all().filter(|&format| format != Format::Ceo) {
            let start = if format.is_orthodox() { "" } else { GAME };
            let game = pgn5d::read(start).expect("a game");
            let bytes = write(&game, format).expect("a game of the notation").bytes;
            let text = std::str::from_utf8(&bytes).ok().filter(|_| format != Format::Chess64Binary);
            let reads = |bytes: &[u8]| read(bytes, format);
            check(&bytes, text, reads, |game| write(game, format));
            let forgets_the_end = |game: &Game| {
                let start = pgn5d::read("[Board \"Standard - Half Reflected\"]").expect("a start").start;
                write(&Game { start, actions: Vec::new(), ..game.clone() }, format)
            };
            let is_silent =
                |game: &Game| forgets_the_end(game).map(|written| Written { losses: Vec::new(), ..written });
            // Notations that do not say where a game starts are told apart by the actions only.
            if !matches!(format, Format::Chess64 | Format::Chess64Binary) {
                assert!(flags(|| check(&bytes, text, reads, is_silent)), "{}", format.name());
            }
            let cannot_write = |_: &Game| Err(Unwritable::new("a fault"));
            assert!(flags(|| check(&bytes, text, reads, cannot_write)), "{}", format.name());
        }
        // The error of another text, whose place is beyond the end of this one.
        let elsewhere = |_: &[u8]| read(b"1. e9 e4 and something else", Format::Pgn5d);
        assert!(flags(|| check(b"short", Some("short"), elsewhere, |game| write(game, Format::Pgn5d))));
    }
}
