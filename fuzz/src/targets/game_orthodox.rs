//! One random game of orthodox chess through PGN, FEN and CHESS64, as text and as bytes.

use arbitrary::{Result, Unstructured};
use worldlines::generate::orthodox_game;
use worldlines::notation::{Format, Game};

use super::game_notations::check;
use super::{game_of, noted};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 150);

/// The notations of orthodox chess, and those of 5D chess that can name its rules.
const ORTHODOX: [Format; 5] =
    [Format::Pgn, Format::Fen, Format::Chess64, Format::Chess64Binary, Format::Pgn5d];

/// The most actions of a game: longer ones slow the target down.
const MOST_ACTIONS: usize = 60;

fn run(bytes: &[u8]) -> Result<()> {
    let game = noted(game_of(bytes, generate)?)?;
    check(&game, &ORTHODOX, |game, format| format.write(game));
    Ok(())
}

fn generate(u: &mut Unstructured<'_>) -> Result<Game> {
    orthodox_game(u, MOST_ACTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;
    use crate::targets::game_notations::example;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = example(generate);
        check(&game, &ORTHODOX, |game, format| format.write(game));
        let forgets_the_end = |game: &Game, format: Format| {
            let mut shorter = game.clone();
            shorter.actions.pop();
            format.write(&shorter)
        };
        let start = worldlines::notation::pgn::parse("1. e4 e5 2. Nf3 Nc6").into_result().expect("a game");
        for format in ORTHODOX {
            assert!(flags(|| check(&start, &[format], forgets_the_end)), "{}", format.name());
        }
    }
}
