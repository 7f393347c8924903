//! One random game of orthodox chess through PGN, FEN and CHESS64, as text and as bytes.

use arbitrary::{Result, Unstructured};
use worldlines::generate::orthodox_game;
use worldlines::notation::format::write;
use worldlines::notation::{Format, Game};

use super::game_notations::check;
use super::{Question, game_of};

/// The notations of orthodox chess, and those of 5D chess that have a word for its rules.
const ORTHODOX: [Format; 5] =
    [Format::Pgn, Format::Fen, Format::Chess64, Format::Chess64Binary, Format::Pgn5d];

/// The longest game that is played: promotions take a while.
const MOST_ACTIONS: usize = 60;

/// A game that was played.
pub struct Orthodox;

impl Question for Orthodox {
    type Case = Game;

    fn case(bytes: &[u8]) -> Result<Game> {
        game_of(bytes, generate)
    }

    fn ask(game: Game) -> Result<()> {
        check(&game, &ORTHODOX, write);
        Ok(())
    }
}

fn generate(u: &mut Unstructured<'_>) -> Result<Game> {
    orthodox_game(u, MOST_ACTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::flags;
    use crate::oracle::game_notations::example;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = example(generate);
        check(&game, &ORTHODOX, write);
        let forgets_the_end = |game: &Game, format| {
            let mut shorter = game.clone();
            shorter.actions.pop();
            write(&shorter, format)
        };
        let start = worldlines::notation::pgn::read("1. e4 e5 2. Nf3 Nc6").expect("a game");
        for format in ORTHODOX {
            assert!(flags(|| check(&start, &[format], forgets_the_end)), "{}", format.name());
        }
    }
}
