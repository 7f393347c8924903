//! Helpmates and selfmates, in which the player who begins is mated: told by one line of actions of both players. Begin at [`Line::of`].

use super::step::{Role, Step, captured, goes_back, manner, played};
use crate::rules::Count;
use crate::search::{Analysis, Prover, Verdict};
use crate::state::Position;
use crate::types::{Action, Because, Undecided};

/// The goal of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineGoal {
    /// Both players play for the mate of the one who begins.
    Helpmate,
    /// The player who begins forces the opponent to mate.
    Selfmate,
}

impl LineGoal {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            LineGoal::Helpmate => "helpmate",
            LineGoal::Selfmate => "selfmate",
        }
    }
}

/// A helpmate or a selfmate in N.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The goal.
    pub goal: LineGoal,
    /// N of the mate; none is shorter.
    pub mate_in: u32,
    /// A solution, to its last action: of a helpmate 2N actions, of a selfmate as long as the opponent can resist.
    pub actions: Vec<Action>,
    /// The number of solutions: of the lines of a helpmate, at most [`MOST_LINES`]; of the keys of a selfmate.
    pub solutions: usize,
    /// The number of legal first actions.
    pub first_actions: Count,
    /// The number of replies to the key of a selfmate, at most [`MOST_REPLIES`]; 1 in a helpmate, where nobody is forced.
    pub replies: usize,
}

/// The most helpmates that are looked for: a position with more is no puzzle.
pub const MOST_LINES: usize = 12;
/// The most replies to the key of a selfmate that are counted.
pub const MOST_REPLIES: usize = 40;
/// The most legal actions that are counted.
const MOST_ACTIONS: u64 = 10_000;

impl Line {
    /// The helpmate or selfmate in `mate_in`, at least 1, of the player to move. `None` if there is none, or a shorter one.
    ///
    /// ```
    /// use worldlines::compose::{Line, LineGoal};
    /// use worldlines::notation::fen5d;
    /// use worldlines::search::{Budget, Prover};
    ///
    /// let position = fen5d::parse("[k3/4/2K1/2Q1:0:1:w]").into_result()?;
    /// let mut prover = Prover::new(Budget::default());
    /// let line = Line::of(&position, LineGoal::Helpmate, 2, &mut prover).expect("the budget suffices").expect("there is one");
    /// assert_eq!((line.actions.len(), line.solutions), (4, 1));
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the budget runs out first.
    pub fn of(
        position: &Position,
        goal: LineGoal,
        mate_in: u32,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Line>, Undecided> {
        match goal {
            LineGoal::Helpmate => helpmate(position, mate_in, prover),
            LineGoal::Selfmate => selfmate(position, mate_in, prover),
        }
    }

    /// Calls `visit` with each action as a step. No action is called a defence, and those that are left are counted for both players.
    pub fn visit(&self, position: &Position, mut visit: impl FnMut(Step<'_>)) {
        let mut at = position.clone();
        for (action, left) in self.actions.iter().zip((1..=self.actions.len() as u32).rev()) {
            let role = if left == 1 { Role::Mate } else { Role::Attack };
            visit(Step { position: &at, action, role, left });
            at = played(&at, action);
        }
    }

    /// Whether a piece travels in the line.
    pub fn travels(&self) -> bool {
        self.actions.iter().any(Action::travels)
    }

    /// The number of pieces that are captured, except en passant.
    pub(super) fn captures(&self, position: &Position) -> usize {
        let mut captures = 0;
        self.visit(position, |step| captures += captured(step.position, step.action).len());
        captures
    }

    /// Whether a piece returns to the square that it left, with its player's next action.
    pub(super) fn has_switchback(&self, position: &Position) -> bool {
        let mut before: Vec<Position> = Vec::new();
        self.visit(position, |step| before.push(step.position.clone()));
        let pairs = self.actions.iter().zip(self.actions.iter().skip(2)).zip(&before);
        pairs.into_iter().any(|((action, next), at)| {
            action.moves().iter().any(|first| next.moves().iter().any(|then| goes_back(at, first, then)))
        })
    }

    /// The pieces that move in each action, with their ways.
    pub(super) fn manners(&self, position: &Position) -> Vec<Vec<String>> {
        let mut manners = Vec::new();
        self.visit(position, |step| {
            manners.push(step.action.moves().iter().map(|m| manner(step.position, m)).collect());
        });
        manners
    }
}

fn helpmate(position: &Position, mate_in: u32, prover: &mut Prover<'_>) -> Result<Option<Line>, Undecided> {
    for length in 1..=mate_in {
        let most = if length < mate_in { 1 } else { MOST_LINES };
        let found = prover.helpmates(position, length, most);
        match found.undecided {
            Some(why) => return Err(why),
            None if length < mate_in && !found.lines.is_empty() => return Ok(None),
            None if length < mate_in => {}
            None => {
                let solutions = found.lines.len();
                let line = |actions| Line {
                    goal: LineGoal::Helpmate,
                    mate_in,
                    actions,
                    solutions,
                    first_actions: position.count_legal_actions(MOST_ACTIONS),
                    replies: 1,
                };
                return Ok(found.lines.into_iter().next().map(line));
            }
        }
    }
    Ok(None)
}

fn selfmate(position: &Position, mate_in: u32, prover: &mut Prover<'_>) -> Result<Option<Line>, Undecided> {
    let found = prover.selfmates(position, mate_in, true);
    match (found.verdict, found.undecided) {
        (Verdict::Refuted, _) => return Ok(None),
        (Verdict::Proven, None) if found.complete => {}
        (_, why) => {
            return Err(why.unwrap_or(Undecided { steps: prover.steps(), because: Because::Budget }));
        }
    }
    if found.shortest != Some(mate_in) {
        return Ok(None);
    }
    let key = found.keys[0].key();
    let mut analysis = Analysis::new(prover, position, mate_in);
    let replies = analysis.forced_replies(key, MOST_REPLIES).items.len();
    Ok(analysis.selfmate_line(key)?.map(|actions| Line {
        goal: LineGoal::Selfmate,
        mate_in,
        actions,
        solutions: found.keys.iter().map(|class| class.keys().len()).sum(),
        first_actions: found.legal_actions,
        replies,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::Budget;

    fn line(boards: &str, goal: LineGoal, mate_in: u32) -> Option<Line> {
        let position = fen5d::parse(boards).into_result().expect("a position");
        Line::of(&position, goal, mate_in, &mut Prover::new(Budget::default())).expect("the budget suffices")
    }

    #[test]
    fn a_line_has_its_length_and_no_shorter_one() {
        let boards = "[4q/3k1/K4/5/2U2:0:1:b]";
        let found = line(boards, LineGoal::Selfmate, 2).expect("a shipped puzzle");
        assert_eq!((found.actions.len(), found.solutions), (4, 1));
        assert!(found.replies > 1, "{found:?}");
        assert_eq!(line(boards, LineGoal::Selfmate, 1), None);
        assert_eq!(line(boards, LineGoal::Selfmate, 3), None, "it is shorter");
        let boards = "[K2k1/bU3/5/5/1Q3:0:1:w]";
        assert_eq!(line(boards, LineGoal::Helpmate, 2).map(|line| line.solutions), Some(1));
        assert_eq!(line(boards, LineGoal::Helpmate, 1), None);
    }

    #[test]
    fn captures_travels_and_switchbacks_of_a_line_are_seen() {
        let boards = "[K2k1/bU3/5/5/1Q3:0:1:w]";
        let position = fen5d::parse(boards).into_result().expect("a position");
        let found = line(boards, LineGoal::Helpmate, 2).expect("a shipped puzzle");
        assert!(found.travels() && !found.has_switchback(&position));
        assert_eq!(found.captures(&position), 1);
        assert_eq!(found.manners(&position), [["K"], ["K"], ["K>>"], ["B"]]);
    }

    #[test]
    fn without_a_budget_nothing_is_said() {
        let position = fen5d::parse("[4q/3k1/K4/5/2U2:0:1:b]").into_result().expect("a position");
        for goal in [LineGoal::Helpmate, LineGoal::Selfmate] {
            let mut prover = Prover::new(Budget { steps: 3, ..Budget::default() });
            assert!(Line::of(&position, goal, 2, &mut prover).is_err(), "{goal:?}");
        }
    }
}
