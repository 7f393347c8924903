//! A game that was played is written as 5DPGN and read back equal; so are its actions and its marks of check.

use arbitrary::Result;
use worldlines::notation::pgn5d::{Marks, action_text, parse, parse_action, write};
use worldlines::notation::{Game, Issue, Written, games};

use super::{game_of, noted, shown};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 500);

fn run(bytes: &[u8]) -> Result<()> {
    let game = noted(game_of(bytes, |u| u.arbitrary())?)?;
    check(&game, write);
    Ok(())
}

fn check(game: &Game, write: fn(&Game, Marks) -> Written) {
    let mut position = game.start.clone();
    for action in &game.actions {
        let text = action_text(&position, action);
        match parse_action(&position, &text) {
            Ok(read) => assert!(read == *action, "{text} is read as {read:?} in{}", shown(&position)),
            Err(error) => panic!("{text} is refused: {error}; in{}", shown(&position)),
        }
        assert_eq!(position.play(action).err(), None, "{text} cannot be played in{}", shown(&position));
    }
    for marks in [Marks::None, Marks::Check] {
        let text = write(game, marks).into_text();
        let reading = parse(&text);
        assert_eq!(reading.error, None, "in\n{text}");
        // A game may come from a file with unknown rules or odd headers, which are written as they were read.
        let is_new = |issue: &&Issue| !["unknown-rules", "misspelt-header"].contains(&issue.code);
        assert_eq!(reading.warnings.iter().find(is_new), None, "in\n{text}");
        let notes = reading.value.as_ref().map(|read| &read.notes);
        assert_eq!(notes, Some(&game.notes), "with {marks:?} other words are read from\n{text}");
        assert!(reading.value.as_ref() == Some(game), "with {marks:?} another game is read from\n{text}");
        let twice = format!("{text}\n{text}");
        let parts: Vec<&str> = games(&twice).into_iter().map(|part| part.of(&twice).trim_end()).collect();
        assert_eq!(parts, [text.trim_end(); 2], "the same game twice is no two games");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;
    use crate::targets::game_notations::example;

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
        assert!(flags(|| check(&game, |game, marks| {
            Written::new(format!("{}1. Z9", write(game, marks).into_text()), Vec::new())
        })));
    }
}
