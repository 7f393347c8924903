//! Actions and moves are taken back without a trace.

use arbitrary::Result;
use worldlines::notation::Game;
use worldlines::state::Position;
use worldlines::types::Action;

use super::{Question, game_of, shown};

/// A game that was played.
pub struct Undo;

impl Question for Undo {
    type Case = Game;

    fn case(bytes: &[u8]) -> Result<Game> {
        game_of(bytes, |u| u.arbitrary())
    }

    fn ask(game: Game) -> Result<()> {
        check(&game, Position::undo);
        Ok(())
    }
}

fn check(game: &Game, undo: fn(&mut Position, &Action)) {
    let mut position = game.start.clone();
    let mut before = Vec::new();
    for action in &game.actions {
        before.push(position.clone());
        assert_eq!(position.play(action), Ok(()), "{action:?} is not legal in{}", shown(&position));
        assert_eq!(
            position.present().color(),
            position.to_move(),
            "after an action the present is the opponent's{}",
            shown(&position)
        );
    }
    for (was, action) in before.iter().zip(&game.actions).rev() {
        undo(&mut position, action);
        assert!(position == *was, "{action:?} leaves a trace in{}", shown(was));
        assert_eq!(position.present(), was.present(), "present after {action:?} and back in{}", shown(was));
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
        check(&game, Position::undo);
        let forgets_the_moves: fn(&mut Position, &Action) = |position, _| position.unsubmit();
        assert!(flags(|| check(&game, forgets_the_moves)));
    }
}
