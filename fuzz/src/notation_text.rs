//! The question about texts of a notation: any text is read as far as possible; errors, warnings and actions
//! have their place; the result is legal, is written, and is read back equal.
//!
//! Each notation of games has a target that asks this.

use arbitrary::Result;
use worldlines::notation::Options;
use worldlines::notation::pgn5d::{LineText, Record};
use worldlines::notation::{Format, Game, Issue, Parsed, Span, WriteError, Written, text_of};

use crate::cases::{assert_has_place, assert_marks, is_same};

/// Makes a target of a notation.
macro_rules! target {
    ($format:ident, $smoke_runs:literal, $dictionary:literal) => {
        /// The target.
        pub const TARGET: $crate::Target = $crate::Target::of_text(
            |bytes| $crate::notation_text::asked(bytes, worldlines::notation::Format::$format),
            $smoke_runs,
            $dictionary,
            $crate::seeds::Source::Notation(worldlines::notation::Format::$format),
        );
    };
}
pub(crate) use target;

pub(crate) fn asked(bytes: &[u8], format: Format) -> Result<()> {
    let read = |bytes: &[u8]| format.parse(bytes, &Options::default());
    if format == Format::Chess64Binary {
        check(bytes, None, (read, read), |game| format.write(game));
        return Ok(());
    }
    let text = match text_of(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let span = error.span().range();
            assert!(span.start < span.end && span.end <= bytes.len(), "{span:?} is no part of the bytes");
            assert!(format.parse(bytes, &Options::default()).error.is_some(), "what is no text was read");
            // Bytes that are no text are used too: as the nearest text.
            String::from_utf8_lossy(bytes).into_owned()
        }
    };
    if format == Format::Pgn5d {
        assert_parts_have_places(&text);
    }
    check(text.as_bytes(), Some(&text), (read, read), |game| format.write(game));
    Ok(())
}

/// The first reader reads the input, the second one the text that is written of it.
fn check(
    bytes: &[u8],
    text: Option<&str>,
    (read, read_written): (impl Fn(&[u8]) -> Parsed, impl Fn(&[u8]) -> Parsed),
    write: impl Fn(&Game) -> std::result::Result<Written, WriteError>,
) {
    let Parsed { value: game, spans, warnings, error, .. } = read(bytes);
    let inside = |span: Span| match text {
        Some(text) => text.get(span.range()).is_some(),
        None => span.range().end <= bytes.len(),
    };
    let issues = warnings.iter().chain(error.iter().map(|error| &error.issue));
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
    let again = read_written(&written.bytes);
    assert_eq!(again.error, None, "in what is written of it:\n{}", shown());
    // Parts that are copied, such as the value of a header, may give the same warnings again.
    let is_new = |issue: &&Issue| warnings.iter().all(|before| before.code != issue.code);
    assert_eq!(again.warnings.iter().find(is_new), None, "in what is written of it:\n{}", shown());
    let read_again = again.value.unwrap_or_else(|| panic!("no game in\n{}", shown()));
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
    assert_line_has_places(&record.line, &inside);
}

/// Every part of a line is a part of its text.
fn assert_line_has_places(line: &LineText, inside: &impl Fn(Span)) {
    line.moves.iter().map(|m| m.span).for_each(inside);
    line.remarks.iter().map(|remark| remark.span).for_each(inside);
    for action in &line.actions {
        inside(action.span);
        for m in line.moves_of(action) {
            let is_within = action.span.start <= m.span.start && m.span.end <= action.span.end;
            assert!(is_within, "a move outside its action");
        }
    }
    for variation in &line.variations {
        inside(variation.span);
        assert_line_has_places(&variation.line, inside);
    }
}

#[cfg(test)]
mod tests {
    use worldlines::notation::pgn5d;

    use super::*;
    use crate::cases::flags;

    const GAME: &str = "[Board \"Standard\"]\n1. (0T1)e2e3 / (0T1)f7f6\n2. (0T2)Nb1>>(0T1)b3 / (1T1)a7a6\n";

    #[test]
    fn what_is_wrong_is_flagged() {
        for format in Format::all() {
            let start = if format.is_orthodox() { "" } else { GAME };
            let game = pgn5d::parse(start).into_result().expect("a game");
            let bytes = format.write(&game).expect("a game of the notation").bytes;
            let text = std::str::from_utf8(&bytes).ok().filter(|_| format != Format::Chess64Binary);
            let reads = |bytes: &[u8]| format.parse(bytes, &Options::default());
            check(&bytes, text, (reads, reads), |game| format.write(game));
            let forgets_the_end = |game: &Game| {
                let start = pgn5d::parse("[Board \"Standard - Half Reflected\"]")
                    .into_result()
                    .expect("a start")
                    .start;
                format.write(&Game { start, actions: Vec::new(), ..game.clone() })
            };
            let is_silent =
                |game: &Game| forgets_the_end(game).map(|written| Written { losses: Vec::new(), ..written });
            // Notations without the start of a game are told apart only by the actions.
            if !matches!(format, Format::Chess64 | Format::Chess64Binary) {
                assert!(flags(|| check(&bytes, text, (reads, reads), is_silent)), "{}", format.name());
            }
            let cannot_write = |_: &Game| Err(WriteError::new("a fault"));
            assert!(flags(|| check(&bytes, text, (reads, reads), cannot_write)), "{}", format.name());
        }
        for (format, text) in [
            (Format::Hexicube, "1. e4 .. e5"),
            (Format::Tn, "e4 / e5"),
            (Format::VariantsJson, "{\"Timelines\":{\"0L\":[\"k\"]}}"),
        ] {
            let read = |bytes: &[u8]| format.parse(bytes, &Options::default());
            let again = |bytes: &[u8]| format.parse(bytes, &Options::default());
            let write = |game: &Game| format.write(game);
            check(text.as_bytes(), Some(text), (read, again), write);
            let of_another = |_: &Game| {
                let other = pgn5d::parse("[Board \"Small\"]").into_result().expect("a start");
                Format::Pgn5d.write(&other)
            };
            assert!(flags(|| check(text.as_bytes(), Some(text), (read, again), of_another)), "{format}");
        }
        // The error of another text, with a place beyond the end of this one.
        let elsewhere = |_: &[u8]| Format::Pgn5d.parse(b"1. e9 e4 and something else", &Options::default());
        assert!(flags(
            || check(b"short", Some("short"), (elsewhere, elsewhere), |game| Format::Pgn5d.write(game))
        ));
    }
}
