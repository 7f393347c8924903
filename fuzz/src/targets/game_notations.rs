//! One random game through every notation of 5D chess: the same actions, the same position at the end, the same hash.

use arbitrary::Result;
#[cfg(test)]
use arbitrary::Unstructured;
use std::collections::BTreeSet;

use worldlines::notation::{Format, Game, Issue, Parsed, WriteError, Written, hash};
use worldlines::state::Position;

use super::convert_loss::options;
use super::{Case, game_of, noted};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 300);

/// The notations in which any game of 5D chess can be written.
fn of_games() -> Vec<Format> {
    let holds_games =
        |format: &Format| !format.is_orthodox() && !matches!(format, Format::Fen5d | Format::VariantsJson);
    Format::all().filter(holds_games).collect()
}

fn run(bytes: &[u8]) -> Result<()> {
    let game = noted(game_of(bytes, |u| u.arbitrary())?)?;
    check(&game, &of_games(), |game, format| format.write(game));
    Ok(())
}

/// Writes the game in each notation, reads it back, and writes the result in the next one.
pub(super) fn check(
    game: &Game,
    formats: &[Format],
    write: fn(&Game, Format) -> std::result::Result<Written, WriteError>,
) {
    let end = game.end();
    let name = hash::fen5d_md5(&end);
    for &format in formats {
        let Ok(written) = write(game, format) else { continue };
        // If the start or the rules are lost, other actions may be legal.
        if written.losses.iter().any(|loss| loss.what.contains("moved") || loss.what.contains("rules")) {
            continue;
        }
        let text = String::from_utf8_lossy(&written.bytes);
        let Parsed { value: again, warnings, error, .. } =
            format.parse(&written.bytes, &options(game, format, &written.bytes));
        assert_eq!(error, None, "{}: {text}\nfrom\n{}", format.name(), game.shown());
        // Headers are copied, odd ones too. GUI-FEN has no boards before the first, and null moves stand for boards; reading them gives a
        // warning.
        let expected = ["implied-boards", "null-move-before-the-game"];
        let is_new = |issue: &&Issue| game.headers.is_empty() && !expected.contains(&issue.code);
        assert_eq!(warnings.iter().find(is_new), None, "{}: {text}\nfrom\n{}", format.name(), game.shown());
        let again = again.unwrap_or_else(|| panic!("{} has no game: {text}", format.name()));
        if format == Format::Fen {
            // Compares one board, without its past, and without marks of pieces that lose no right by having
            // moved.
            let last = |position: &Position| {
                let (_, board) = position.to_setup().boards.pop()?;
                Some(board.pieces().collect::<Vec<_>>())
            };
            assert_eq!(last(&again.start), last(&end), "{}: {text}", format.name());
            let moves = |position: &Position| {
                let moves = position.pseudo_legal_moves().into_iter();
                moves.map(|m| (m.from.square, m.to.square, m.promotion)).collect::<BTreeSet<_>>()
            };
            assert_eq!(moves(&again.start), moves(&end), "moves, castling too, after {text}");
            continue;
        }
        assert!(
            again.actions == game.actions && again.end().multiverse() == end.multiverse(),
            "{}: {text}\nis another game than\n{}",
            format.name(),
            game.shown()
        );
        assert_eq!(hash::fen5d_md5(&again.end()), name, "{}: {text}", format.name());
        assert_eq!(
            write(&again, format).map(|twice| twice.bytes),
            Ok(written.bytes.clone()),
            "{}: one game has one text: {text}",
            format.name()
        );
    }
}

/// A game for the tests with faults: it is long enough to lose a part.
#[cfg(test)]
pub(super) fn example(generate: fn(&mut Unstructured<'_>) -> Result<Game>) -> Game {
    let mut random = super::Random::default();
    let games = (0..200).filter_map(|_| generate(&mut Unstructured::new(&random.bytes(700))).ok());
    games.into_iter().find(|game| game.actions.len() > 3).expect("a longer game")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = worldlines::notation::pgn5d::parse("1. e4 / e5 2. Nf3 / Nf6 3. Nf3>>f5")
            .into_result()
            .expect("a game");
        check(&game, &of_games(), |game, format| format.write(game));
        let forgets_the_end = |game: &Game, format: Format| {
            let mut shorter = game.clone();
            shorter.actions.pop();
            format.write(&shorter)
        };
        for format in of_games() {
            assert!(flags(|| check(&game, &[format], forgets_the_end)), "{}", format.name());
        }
        // Two notations that agree with each other but not with the game.
        let other = example(|u| u.arbitrary());
        assert!(flags(|| check(&other, &of_games(), forgets_the_end)));
    }
}
