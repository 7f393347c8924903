//! Actions and moves are taken back without a trace, and the hash that is kept up to date is the one computed from
//! nothing.

use arbitrary::{Result, Unstructured};
use worldlines::state::Position;
use worldlines::types::Action;

use super::shown;
use crate::generate::{random_action, start};

/// The longest game that is played.
const MOST_ACTIONS: usize = 16;

/// Plays a game and takes it back.
///
/// # Errors
///
/// When the bytes give no position.
///
/// # Panics
///
/// When a position is not restored, or its hash is wrong.
pub fn run(bytes: &[u8]) -> Result<()> {
    let mut u = Unstructured::new(bytes);
    let position = start(&mut u)?;
    check(&mut u, position, Position::undo)
}

fn check(u: &mut Unstructured<'_>, mut position: Position, undo: fn(&mut Position, &Action)) -> Result<()> {
    let mut before = Vec::new();
    for _ in 0..u.int_in_range(0..=MOST_ACTIONS)? {
        assert_is_sound(&position);
        for m in position.pseudo_legal_moves() {
            let mut trial = position.clone();
            trial.push(&m);
            assert_eq!(trial.hash(), trial.hash_from_scratch(), "hash after {m:?} in{}", shown(&position));
            trial.pop(&m);
            assert!(trial == position, "{m:?} leaves a trace in{}", shown(&position));
            assert_eq!(trial.hash(), position.hash(), "hash after {m:?} and back in{}", shown(&position));
        }
        let Some(action) = random_action(u, &position)? else { break };
        before.push((position.clone(), action.clone()));
        position.play_unchecked(&action);
        assert_eq!(
            position.present().color(),
            position.to_move(),
            "after an action the present is the opponent's{}",
            shown(&position)
        );
    }
    assert_is_sound(&position);
    for (was, action) in before.into_iter().rev() {
        undo(&mut position, &action);
        assert!(position == was, "{action:?} leaves a trace in{}", shown(&was));
        assert_eq!(position.hash(), was.hash(), "hash after {action:?} and back in{}", shown(&was));
    }
    Ok(())
}

fn assert_is_sound(position: &Position) {
    assert_eq!(position.hash(), position.hash_from_scratch(), "hash of{}", shown(position));
    let again = Position::from_setup(&position.to_setup());
    assert!(again.as_ref() == Ok(position), "{again:?} is built from the boards of{}", shown(position));
    assert_eq!(again.map(|again| again.hash()), Ok(position.hash()), "hash of a rebuilt{}", shown(position));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Random, flags, smoke};

    #[test]
    fn smoke_runs() {
        let accepted = smoke(500, 600, run);
        assert!(accepted > 400, "only {accepted} games were played");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let mut random = Random::default();
        let run_with = |bytes: &[u8], undo| {
            let mut u = Unstructured::new(bytes);
            start(&mut u).and_then(|position| check(&mut u, position, undo))
        };
        let forgets_the_moves: fn(&mut Position, &Action) = |position, _| position.unsubmit();
        let flagged = (0..20).map(|_| random.bytes(600)).filter(|bytes| {
            assert!(!flags(|| run_with(bytes, Position::undo)));
            flags(|| run_with(bytes, forgets_the_moves))
        });
        assert!(flagged.count() > 5);
    }
}
