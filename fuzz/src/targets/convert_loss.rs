//! A text is converted to every notation: without a reported loss it leads back to the same game.
//!
//! Every loss has a reason in words.

use arbitrary::Result;
use worldlines::notation::Options;
use worldlines::notation::{Format, Game, Loss, WriteError, Written};

use super::{Case, assert_printable, is_same};
use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 400, "pgn5d", Source::EveryNotation);

fn run(bytes: &[u8]) -> Result<()> {
    let Some(format) = Format::detect(bytes) else { return Ok(()) };
    let reading = format.parse(bytes, &Options::default());
    reading.losses.iter().for_each(assert_says_what);
    if let Some(game) = reading.value.filter(|_| reading.error.is_none()) {
        Format::all().for_each(|format| check(&game, format, |game, format| format.write(game)));
    }
    Ok(())
}

fn check(game: &Game, format: Format, write: fn(&Game, Format) -> std::result::Result<Written, WriteError>) {
    let written = match write(game, format) {
        Ok(written) => written,
        Err(error) => {
            assert!(!error.reason.is_empty(), "unwritable without a reason");
            assert_printable(&error.reason);
            assert!(error.action.is_none_or(|index| index < game.actions.len()), "{error:?}");
            return;
        }
    };
    for loss in &written.losses {
        assert_says_what(loss);
        assert!(loss.action.is_none_or(|index| index < game.actions.len()), "{loss:?}");
    }
    if !written.losses.is_empty() {
        return;
    }
    let text = String::from_utf8_lossy(&written.bytes);
    let found = Format::detect(&written.bytes);
    let layouts = [Some(Format::ChessJs), Some(Format::ChessJsShort)];
    let is_layout = layouts.contains(&found) && layouts.contains(&Some(format));
    // Headers alone are the same in these two.
    let headers_alone = format == Format::Tn && found == Some(Format::Pgn5d) && game.actions.is_empty();
    assert!(
        found.is_none() || found == Some(format) || is_layout || headers_alone,
        "{} is taken for {found:?}: {text}",
        format.name()
    );
    let again = format.parse(&written.bytes, &options(game, format, &written.bytes));
    assert_eq!(again.error, None, "{}: {text}\nfrom\n{}", format.name(), game.shown());
    assert!(
        again.value.is_some_and(|again| is_same(game, &again)),
        "{}, in which nothing is said to be lost: {text}\nis another game than\n{}",
        format.name(),
        game.shown()
    );
}

fn assert_says_what(loss: &Loss) {
    assert!(!loss.what.is_empty(), "a loss of nothing");
    assert_printable(&loss.what);
}

/// The options that a reader of a notation needs beside a text.
pub(super) fn options(game: &Game, format: Format, text: &[u8]) -> Options {
    match format {
        // Null moves before the game lead to its start from that of `Standard`.
        Format::Raw if text.starts_with(b"0000") => Options::default(),
        Format::Simplified | Format::Raw | Format::Hexicube | Format::Tn => {
            Options { start: Some(game.start.clone()), ..Options::default() }
        }
        _ => Options::default(),
    }
}

#[cfg(test)]
mod tests {
    use worldlines::notation::pgn5d;

    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = pgn5d::parse("[Board \"Standard\"]\n[White \"a\"]\n1. e4 / e5 2. Nf3 1-0")
            .into_result()
            .expect("a game");
        Format::all().for_each(|format| check(&game, format, |game, format| format.write(game)));
        // A writer that reports no losses.
        let is_silent = |game: &Game, format: Format| {
            format.write(game).map(|written| Written { losses: Vec::new(), ..written })
        };
        for format in [Format::Raw, Format::Simplified, Format::Uci5d, Format::Fen5d] {
            assert!(flags(|| check(&game, format, is_silent)), "{}", format.name());
        }
    }
}
