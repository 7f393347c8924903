//! Any text is read as 5DPGN as far as it goes; errors, warnings and parts have their place; what is read is written and
//! read back equal.

use arbitrary::Result;
use worldlines::notation::pgn5d::{Marks, Record, read_so_far, write};
use worldlines::notation::{Game, Reading, Span};

use super::assert_has_place;
use super::fen5d_text::text_of;

/// Reads the text.
///
/// # Errors
///
/// Never: every text is an input.
///
/// # Panics
///
/// When reading panics, something has no place, or writing loses something.
pub fn run(bytes: &[u8]) -> Result<()> {
    let text = text_of(bytes);
    assert_parts_have_places(&text);
    check(&text, read_so_far, |game| write(game, Marks::None));
    Ok(())
}

fn check(text: &str, read: fn(&str) -> Reading, write: fn(&Game) -> String) {
    let Reading { game, spans, warnings, error, .. } = read(text);
    for warning in &warnings {
        assert_has_place(text, warning.span, &warning.excerpt("x", text));
    }
    if let Some(error) = &error {
        assert_has_place(text, error.span(), &error.excerpt("x", text));
    }
    let Some(game) = game else {
        assert!(error.is_some(), "no game and no error");
        return;
    };
    assert_eq!(spans.len(), game.actions.len(), "one place for each action");
    for span in spans {
        assert!(text.get(span.range()).is_some_and(|action| !action.is_empty()), "{span:?} is no action");
    }
    let mut position = game.start.clone();
    for action in &game.actions {
        position.play(action).unwrap_or_else(|error| panic!("an illegal action was read: {error}"));
    }
    let canonical = write(&game);
    let again = read(&canonical);
    assert_eq!(again.error, None, "{text}\nis written as\n{canonical}");
    assert_eq!(again.warnings, [], "{text}\nis written as\n{canonical}");
    assert_eq!(again.losses, [], "{text}\nis written as\n{canonical}");
    assert!(again.game.as_ref() == Some(&game), "{text}\nreads back as another game from\n{canonical}");
    assert_eq!(write(&game), canonical, "one game has one text");
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
    use super::*;
    use crate::oracle::{flags, smoke_text};

    const SAMPLES: [&str; 5] = [
        "[Board \"Standard\"]\n[Mode \"5D\"]\n1. (0T1)e2e3 / (0T1)f7f6\n2. (0T2)Nb1>>(0T1)b3 / (1T1)a7a6\n\
         3. (1T2)c2c3 / (0T2)Nb8c6 (1T2)Nb8c6\n4. (0T3)Qd1h5 (1T3)Qd1c2 *\n",
        "[White \"a \\\"b\\\" \\\\\"]\n[4k/P4/5/p4/4K:-0:1:w]\n[4k/5/5/5/4K:+0:1:w]\n1. (-0T1)a4a5=N (+0T1)Ke1e2\n",
        "1. Nf3 / Nf6 2. N>>f5~ (>L1) {a {b} c} (1. e4) / ; rest\r\n 1/2-1/2",
        "[Size \"3x3\"]\n[2k/3/K2:0:1:b]\n1b. Kc3c2",
        "[Board \"Small\"][Promotions \"Q,N\"] 1w. e2! 1b. O-O",
    ];
    const TOKENS: [&str; 26] = [
        "[",
        "]",
        "\"",
        "\\",
        "{",
        "}",
        "(",
        ")",
        ";",
        "\r",
        "\n",
        "é",
        "\0",
        "1.",
        "/",
        "O-O",
        ">>",
        "$(L+1T-2)",
        "=Q",
        "x",
        "(0T1)",
        "[A \"b\"]",
        "*",
        "(~T3)",
        "e.p.",
        "-0",
    ];

    #[test]
    fn smoke() {
        smoke_text(&SAMPLES, &TOKENS, 10_000, run);
        run(b"1. e4 \xff").expect("every text is an input");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let plain = |game: &Game| write(game, Marks::None);
        check(SAMPLES[0], read_so_far, plain);
        assert!(flags(
            || check(SAMPLES[0], read_so_far, |game| write(game, Marks::None).replace("Nb8c6", ""))
        ));
        assert!(flags(|| check("", |_| read_so_far("1. e9 e4"), plain)));
    }
}
