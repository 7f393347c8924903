//! A file means the same with a byte order mark and other line ends, and each game means the same alone.

use arbitrary::Result;
use worldlines::notation::{Format, Game, Loss, Options, Parsed, Span};

use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 300, "pgn5d", Source::EveryNotation);

const MARK: &str = "\u{feff}";

fn run(bytes: &[u8]) -> Result<()> {
    check(&String::from_utf8_lossy(bytes), division)
}

/// A way to find the games of a text in a notation.
type Division = fn(Format, &str) -> Vec<Span>;

fn division(format: Format, text: &str) -> Vec<Span> {
    format.games(text.as_bytes())
}

/// The result of reading, without places.
#[derive(PartialEq, Debug)]
struct Said {
    game: Option<Game>,
    losses: Vec<Loss>,
    warnings: Vec<&'static str>,
    error: Option<&'static str>,
}

impl Said {
    fn of(format: Format, text: &str) -> Said {
        let Parsed { value, losses, warnings, error, .. } =
            format.parse(text.as_bytes(), &Options::default());
        let warnings = warnings.iter().map(|warning| warning.code).collect();
        Said { game: value, losses, warnings, error: error.map(|error| error.issue.code) }
    }

    fn of_all(format: Format, text: &str, division: Division) -> Vec<Said> {
        division(format, text).into_iter().map(|game| Said::of(format, game.of(text))).collect()
    }
}

fn check(text: &str, division: Division) -> Result<()> {
    let detected = Format::detect(text.as_bytes());
    let format = detected.unwrap_or(Format::Pgn5d);
    // Bytes that are no text have neither mark nor lines, and a second mark is no mark.
    if format == Format::Chess64Binary || text.starts_with(MARK) {
        return Ok(());
    }
    let said = Said::of_all(format, text, division);
    let mut variants = vec![format!("{MARK}{text}")];
    if !text.contains('\r') {
        variants.extend(["\r\n", "\r"].map(|end| text.replace('\n', end)));
    }
    for variant in &variants {
        assert_eq!(Format::detect(variant.as_bytes()), detected, "the notation of {variant:?}");
        assert_eq!(Said::of_all(format, variant, division), said, "as {format}: {variant:?}");
    }
    for game in division(format, text) {
        let alone = game.of(text);
        assert_eq!(division(format, alone), [Span::new(0, alone.len())], "as {format}, alone: {alone:?}");
    }
    check_twice(format, text, &said, division);
    check_joined(&said, division);
    Ok(())
}

/// If a file begins with a header and is repeated, its games are read twice.
fn check_twice(format: Format, text: &str, said: &[Said], division: Division) {
    let begins_with_header =
        text.starts_with('[') && text.lines().next().is_some_and(|line| line.ends_with("\"]"));
    // The headers that follow a game without moves may be its own.
    let has_moves = |game: &Said| game.game.as_ref().is_some_and(|game| !game.actions.is_empty());
    let ends_with_moves = said.last().is_some_and(has_moves);
    if !begins_with_header
        || !ends_with_moves
        || !format.holds_several_games()
        || said.iter().any(|game| game.error.is_some())
    {
        return;
    }
    for between in ["\n\n", &format!("\n\n{MARK}")] {
        let twice = format!("{text}{between}{text}");
        let expected: Vec<&Said> = said.iter().chain(said).collect();
        let found = Said::of_all(format, &twice, division);
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{twice:?}");
    }
}

/// The games are written in each notation that holds several, and the texts joined: each game is found there as it is alone.
fn check_joined(said: &[Said], division: Division) {
    let games: Vec<&Game> = said.iter().filter_map(|said| said.game.as_ref()).collect();
    for format in Format::all().filter(|format| format.holds_several_games()) {
        let texts: Vec<Vec<u8>> =
            games.iter().filter_map(|game| Some(format.write(game).ok()?.bytes)).collect();
        let Some(joined) = format.join(&texts).and_then(|joined| String::from_utf8(joined).ok()) else {
            // Positions whose boards stand in different places could be one, and games of PGN without headers.
            assert!(
                matches!(format, Format::Fen5d | Format::Pgn) || texts.is_empty(),
                "{format} does not join {texts:?}"
            );
            continue;
        };
        let alone = texts.iter().map(|text| Said::of(format, &String::from_utf8_lossy(text)));
        let alone: Vec<Said> = alone.collect();
        assert_eq!(Said::of_all(format, &joined, division), alone, "as {format}, joined: {joined}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let text =
            "[Board \"Standard\"]\n[White \"a\"]\n1. e4 / e5\n\n[Board \"Standard\"]\n1. d4 ; c\n/ d5\n";
        assert_eq!(check(text, division), Ok(()));
        // This reader takes the mark for a move.
        let split_after_mark: Division =
            |format, text| match text.strip_prefix(MARK).and_then(|rest| rest.find("\n[")) {
                Some(line) => {
                    vec![Span::new(0, MARK.len() + line + 1), Span::new(MARK.len() + line + 1, text.len())]
                }
                None => division(format, text),
            };
        assert!(flags(|| check(text, split_after_mark)));
        // This reader divides games only at `\n`.
        let at_newlines: Division = |format, text| match text.contains('\r') && !text.contains('\n') {
            true => vec![Span::new(0, text.len())],
            false => division(format, text),
        };
        assert!(flags(|| check(text, at_newlines)));
        // This reader never divides games.
        assert!(flags(|| check("[Board \"Standard\"]\n1. e4", |_, text| vec![Span::new(0, text.len())])));
    }
}
