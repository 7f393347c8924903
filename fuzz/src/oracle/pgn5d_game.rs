//! A game that was played is written as 5DPGN and read back equal; so are its actions and its marks of check.

use arbitrary::Result;
use worldlines::notation::Game;
use worldlines::notation::pgn5d::{Marks, action_text, parse_action, read_so_far, write};

use super::{Question, game_of, shown};

/// A game that was played.
pub struct Marked;

impl Question for Marked {
    type Case = Game;

    fn case(bytes: &[u8]) -> Result<Game> {
        game_of(bytes, |u| u.arbitrary())
    }

    fn ask(game: Game) -> Result<()> {
        check(&game, write);
        Ok(())
    }
}

fn check(game: &Game, write: fn(&Game, Marks) -> String) {
    let mut position = game.start.clone();
    for action in &game.actions {
        let text = action_text(&position, action);
        match parse_action(&position, &text) {
            Ok(read) => assert!(read == *action, "{text} is read as {read:?} in{}", shown(&position)),
            Err(error) => panic!("{text} is refused: {error}; in{}", shown(&position)),
        }
        assert_eq!(position.play(action), Ok(()), "{text} cannot be played in{}", shown(&position));
    }
    for marks in [Marks::None, Marks::Check] {
        let text = write(game, marks);
        let reading = read_so_far(&text);
        assert_eq!(reading.error, None, "in\n{text}");
        assert_eq!(reading.warnings, [], "in\n{text}");
        assert!(reading.game.as_ref() == Some(game), "with {marks:?} another game is read from\n{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::flags;
    use crate::oracle::game_notations::example;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = example(|u| u.arbitrary());
        check(&game, write);
        let forgets_the_end = |game: &Game, marks| {
            let mut shorter = game.clone();
            shorter.actions.pop();
            write(&shorter, marks)
        };
        assert!(flags(|| check(&game, forgets_the_end)));
        assert!(flags(|| check(&game, |game, marks| format!("{}1. Z9", write(game, marks)))));
    }
}
