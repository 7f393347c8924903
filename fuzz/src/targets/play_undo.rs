//! Actions are taken back without a trace.

use arbitrary::Result;
use worldlines::notation::Game;
use worldlines::state::{Position, Undo};

use super::{game_of, noted, shown};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 1_500);

fn run(bytes: &[u8]) -> Result<()> {
    let game = noted(game_of(bytes, |u| u.arbitrary())?)?;
    check(&game, take_back);
    Ok(())
}

fn check(game: &Game, undo: fn(&mut Position, Undo)) {
    let mut position = game.start.clone();
    let mut played = Vec::new();
    for action in &game.actions {
        let before = position.clone();
        match position.play(action) {
            Ok(undo) => played.push((before, undo)),
            Err(error) => panic!("{action:?} is not legal: {error}, in{}", shown(&position)),
        }
        assert_eq!(
            position.present().color(),
            position.to_move(),
            "after an action the present is the opponent's{}",
            shown(&position)
        );
    }
    while let Some((was, token)) = played.pop() {
        let action = token.action().clone();
        // An earlier action is not taken back before a later one.
        if let Some((before, earlier)) = played.pop() {
            let after = position.clone();
            let refused =
                position.undo(earlier).expect_err("an earlier action was taken back before a later one");
            assert!(position == after, "a refused undo of {:?} leaves a trace", action);
            played.push((before, refused.into_undo()));
        }
        undo(&mut position, token);
        assert!(position == was, "{action:?} leaves a trace in{}", shown(&was));
        assert_eq!(position.present(), was.present(), "present after {action:?} and back in{}", shown(&was));
    }
}

/// Takes back the last action.
fn take_back(position: &mut Position, token: Undo) {
    position.undo(token).expect("what was played last can be taken back");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;
    use crate::targets::game_notations::example;

    #[test]
    fn what_is_wrong_is_flagged() {
        let game = example(|u| u.arbitrary());
        check(&game, take_back);
        let forgets_to: fn(&mut Position, Undo) = |_, token| drop(token);
        assert!(flags(|| check(&game, forgets_to)));
    }
}
