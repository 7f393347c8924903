//! A game that was played is written as 5DPGN and read back equal; so are its actions and its marks of check.

use arbitrary::{Result, Unstructured};
use worldlines::notation::pgn5d::{Marks, action_text, parse_action, read_so_far, write};
use worldlines::notation::{Game, GameResult};

use super::shown;
use crate::generate::{random_action, start};

/// The longest game that is played.
const MOST_ACTIONS: usize = 12;

/// Plays a game, writes it and reads it.
///
/// # Errors
///
/// When the bytes give no game.
///
/// # Panics
///
/// When something is lost.
pub fn run(bytes: &[u8]) -> Result<()> {
    let mut u = Unstructured::new(bytes);
    let game = game(&mut u)?;
    check(&game, write);
    Ok(())
}

fn game(u: &mut Unstructured<'_>) -> Result<Game> {
    let start = start(u)?;
    let mut position = start.clone();
    let mut actions = Vec::new();
    for _ in 0..u.int_in_range(0..=MOST_ACTIONS)? {
        let Some(action) = random_action(u, &position)? else { break };
        position.play_unchecked(&action);
        actions.push(action);
    }
    let mut game = Game::new(start, actions);
    game.result =
        *u.choose(&[None, Some(GameResult::WhiteWins), Some(GameResult::Draw), Some(GameResult::Open)])?;
    if u.ratio(1, 4)? {
        game.headers.push(("Event".into(), any_value(u)?));
    }
    Ok(game)
}

/// A header's value: anything but the ends of lines, which headers do not have.
fn any_value(u: &mut Unstructured<'_>) -> Result<String> {
    let value: String = u.arbitrary()?;
    Ok(value.replace(['\n', '\r'], "\\"))
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
    use crate::oracle::{Random, flags, smoke};

    #[test]
    fn smoke_runs() {
        let accepted = smoke(1_500, 700, run);
        assert!(accepted > 1_200, "only {accepted} games were played");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let mut random = Random::default();
        let games = (0..50).filter_map(|_| game(&mut Unstructured::new(&random.bytes(700))).ok());
        let game = games.into_iter().find(|game| game.actions.len() > 3).expect("a longer game");
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
