//! Helpmates: both players play for the mate of the one who begins.
//!
//! Nobody is forced, so a line is its own proof. Only the claim that there is no other line, or no shorter
//! one, needs a search. It tries every action of both players; for the last one it asks for mates in one,
//! which excludes many actions at a time.

use super::prover::Prover;
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The helpmates of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Helpmates {
    /// Lines of 2N actions in canonical order. The last action of each mates the player who begins. No line
    /// has superfluous moves: no line made of some of its moves ends in mate too.
    pub lines: Vec<Vec<Action>>,
    /// Whether there are no others.
    pub complete: bool,
    /// The reason why the search ended early, unless it had found `most` lines.
    pub undecided: Option<Undecided>,
}

/// Whether each action of a line contains the matching action of another. If so, and the two differ, the line
/// has superfluous moves.
pub(crate) fn line_contains(line: &[Action], part: &[Action]) -> bool {
    line.len() == part.len() && line.iter().zip(part).all(|(action, part)| action.contains(part))
}

impl Prover<'_> {
    /// The helpmates in `n`, at least 1: the player to move plays first, and is mated by the opponent's `n`-th action. At most `most`
    /// lines are looked for.
    ///
    /// ```
    /// use worldlines::notation::{fen5d, pgn5d};
    /// use worldlines::search::{Budget, Prover};
    ///
    /// let position = fen5d::parse("[4/2R1/1K2/3k:0:1:b]").into_result()?;
    /// let help = Prover::new(Budget::default()).helpmates(&position, 1, 10);
    /// assert!(help.complete);
    /// for line in &help.lines {
    ///     let mut end = position.clone();
    ///     line.iter().for_each(|action| { end.play(action).expect("a legal action"); });
    ///     assert!(end.is_checkmate() && line.len() == 2);
    /// }
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    pub fn helpmates(&mut self, position: &Position, n: u32, most: usize) -> Helpmates {
        let plies = 2 * n as usize;
        self.help_from(position, plies, most)
    }

    /// The lines of `plies` actions, of both players in turn, that end in mate. The player of the last action
    /// mates.
    pub(crate) fn help_from(&mut self, position: &Position, plies: usize, most: usize) -> Helpmates {
        self.ask_about(position);
        let mut lines = Vec::new();
        let searched = match plies {
            0 => Ok(()),
            _ => self.help(position, plies, &mut Vec::new(), most, &mut lines),
        };
        let complete = searched.is_ok() && lines.len() < most;
        // A line that contains another line has superfluous moves.
        let is_needed =
            |line: &&Vec<Action>| !lines.iter().any(|part| part != *line && line_contains(line, part));
        let mut needed: Vec<Vec<Action>> = lines.iter().filter(is_needed).cloned().collect();
        needed.sort_unstable();
        Helpmates { lines: needed, complete, undecided: searched.err() }
    }

    fn help(
        &mut self,
        position: &Position,
        plies: usize,
        line: &mut Vec<Action>,
        most: usize,
        found: &mut Vec<Vec<Action>>,
    ) -> Result<(), Undecided> {
        if plies == 1 {
            let mut mates = Vec::new();
            let searched = self.keys(position, 1, &mut mates);
            for mate in mates.into_iter().take(most - found.len()) {
                line.iter().chain([&mate]).try_for_each(|action| self.charge_memory(action))?;
                found.push(line.iter().cloned().chain([mate]).collect());
            }
            return searched;
        }
        let mut after = position.clone();
        let mut actions = self.actions(position);
        while found.len() < most
            && let Some(action) = self.next_action(&mut actions)?
        {
            after.play_unchecked(&action);
            line.push(action);
            let searched = self.help(&after, plies - 1, line, most, found);
            let action = line.pop().expect("it was put there");
            after.undo_unchecked(&action);
            searched?;
        }
        Ok(())
    }

    /// The number of actions of the shortest helpmate, at most `n`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// When the budget is spent first.
    pub(crate) fn shortest_helpmate(
        &mut self,
        position: &Position,
        n: u32,
    ) -> Result<Option<u32>, Undecided> {
        for length in 1..=n {
            let help = self.helpmates(position, length, 1);
            match (help.lines.is_empty(), help.undecided) {
                (false, _) => return Ok(Some(length)),
                (true, Some(why)) => return Err(why),
                (true, None) => {}
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;
    use crate::types::Because;

    fn position(text: &str) -> Position {
        fen5d::parse(text).into_result().unwrap()
    }

    #[test]
    fn a_budget_that_is_spent_says_nothing_of_other_lines() {
        let position = position("[4/KR1R/4/1k2:0:1:b]");
        let all = Prover::new(Budget::default()).helpmates(&position, 2, 10_000);
        assert!(all.complete && all.lines.len() > 1, "{all:?}");
        let few = Prover::new(Budget::default()).helpmates(&position, 2, 1);
        assert!(!few.complete && few.lines.len() == 1 && few.undecided.is_none());
        let poor = Prover::new(Budget::steps(3)).helpmates(&position, 2, 100);
        assert!(!poor.complete);
        assert_eq!(poor.undecided.map(|why| why.because), Some(Because::Budget));
    }

    #[test]
    fn a_line_ends_in_mate_and_no_shorter_one_does() {
        let position = position("[2Q1/2D1/1p1k/1K2:0:1:w]");
        let mut prover = Prover::new(Budget::default());
        assert_eq!(prover.shortest_helpmate(&position, 3), Ok(Some(2)));
        let found = prover.helpmates(&position, 2, 50);
        assert!(found.complete && found.lines.len() == 1, "{found:?}");
        let mut end = position.clone();
        found.lines[0].iter().for_each(|action| drop(end.play(action).expect("a legal action")));
        assert!(end.is_checkmate() && found.lines[0].len() == 4);
    }
}
