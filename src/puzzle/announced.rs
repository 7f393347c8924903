//! The header `[Puzzle "mate-in-2"]`, with which the format of adri326 says of a game which puzzle its end is.

use super::check::MAX_MATE_IN;
use super::finding::Finding;
use super::model::{Goal, Puzzle};
use super::start::in_document;
use crate::notation::Game;
use crate::notation::pgn5d::Record;

/// The name of the header; its case does not matter.
pub const PUZZLE_HEADER: &str = "Puzzle";

/// The code of the finding that such a header is false.
pub const FALSE_HEADER: &str = "false-header";

/// The mate in N that a header of a game announces for its end, if its value is of that form.
///
/// ```
/// use worldlines::notation::pgn5d;
/// use worldlines::puzzle::announced_mate;
///
/// let game = pgn5d::parse("[Puzzle \"mate-in-2\"]").into_result()?;
/// assert_eq!(announced_mate(&game), Some(2));
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn announced_mate(game: &Game) -> Option<u32> {
    mate_in(game.header(PUZZLE_HEADER)?)
}

/// N of `mate-in-N`, with blanks or underscores for hyphens too.
fn mate_in(value: &str) -> Option<u32> {
    let words = value.to_ascii_lowercase().replace(['-', '_'], " ");
    let words: Vec<&str> = words.split_ascii_whitespace().collect();
    match words[..] {
        ["mate", "in", n] => n.parse().ok().filter(|n| (1..=MAX_MATE_IN).contains(n)),
        _ => None,
    }
}

/// The finding that the start of a puzzle has a header that announces another claim than its goal.
pub(super) fn contradiction(text: &str, puzzle: &Puzzle) -> Option<Finding> {
    let written = puzzle.start.value.whole_text()?;
    let (record, _) = Record::parse(&written.value);
    let is_puzzle = |key: &str| key.eq_ignore_ascii_case(PUZZLE_HEADER);
    let header = record.headers.iter().find(|header| is_puzzle(header.key.of(record.text)))?;
    let announced = mate_in(&header.value(record.text))?;
    let goal = match &puzzle.goal.value {
        Goal::MateIn(n) if n.value == announced => return None,
        goal => goal.length().map_or(goal.name().to_owned(), |n| format!("{}: {n}", goal.name())),
    };
    let message = format!("the header announces a mate in {announced}, but the goal is `{goal}`");
    let finding = Finding::new(FALSE_HEADER, in_document(text, written, header.span), message);
    Some(finding.hint("correct one of them, or leave the header out"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Position;

    #[test]
    fn a_header_may_announce_a_mate() {
        let announced = |value: &str| {
            let mut game = Game::new(Position::default(), Vec::new());
            game.headers.push(("puzzle".into(), value.into()));
            announced_mate(&game)
        };
        assert_eq!([announced("mate-in-2"), announced("Mate in 20")], [Some(2), Some(20)]);
        for other in ["mate-in-21", "mate-in-x", "find the best move", "mate-in-0", ""] {
            assert_eq!(announced(other), None, "{other}");
        }
    }
}
