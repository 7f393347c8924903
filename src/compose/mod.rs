//! Finding puzzles: in games that were played, and by composing.
//!
//! | file | question |
//! |---|---|
//! | `step` | what does one action of a solution do? [`Step`] |
//! | `study` | what are the keys, the defences and the mates? [`Study`] |
//! | `line` | which line solves a helpmate or a selfmate? [`Line`] |
//! | `themes` | which themes does the solution show? [`themes`] |
//! | `likeness` | how like are two mates? [`Likeness`] |
//! | `merit` | how good is a mate, how hard, and which idea is it? [`Merit`] |
//! | `wishes` | what a composition should be: [`Wishes`] |
//! | `draft` | a position under composition, and its changes |
//! | `climb` | composing by small changes for the better: [`attempt`] |
//! | `mine` | which positions of a game are puzzles? [`mine`] |
//! | `defence` | in which positions of a game does one action alone avoid mate? [`only_defences`] |
//! | `words` | title and id of a position, in words |
//! | `point` | why does the solution work, in a few sentences? [`point()`] |
//! | `file` | the text of a puzzle file: [`puzzle_text`] |

mod climb;
mod defence;
mod draft;
mod file;
mod likeness;
mod line;
mod merit;
mod mine;
mod point;
mod step;
mod study;
mod themes;
mod wishes;
mod words;

use crate::notation::Game;
use crate::puzzle::Goal;
use crate::search::Prover;
use crate::state::Position;
use crate::types::Undecided;

pub use climb::attempt;
pub use defence::{OnlyDefence, only_defences};
pub use file::{Origin, defence_text, puzzle_text, quoted, rules_text, start_text};
pub use likeness::{Likeness, NEAR_DUPLICATE};
pub use line::{Line, LineGoal, MOST_LINES, MOST_REPLIES};
pub use merit::{Merit, Part};
pub use mine::{Sieve, mine};
pub use point::point;
pub use step::{Role, Step};
pub use study::{Continuation, SetAnswers, Study};
pub use themes::themes;
pub use wishes::{KeyWish, Wishes};
pub use words::{id, title};

/// A position that could be a puzzle.
#[derive(Clone, Debug)]
pub struct Found {
    /// A game that ends at the position.
    pub game: Game,
    /// Its solution.
    pub solution: Solution,
    /// The themes that its solution shows.
    pub themes: Vec<&'static str>,
    /// Its merit.
    pub merit: Merit,
}

/// The solution of a find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// Of a mate.
    Mate(Study),
    /// Of a helpmate or a selfmate.
    Line(Line),
}

impl Solution {
    /// The solution of the player to move for a goal. `None` if the goal is no mate, helpmate or selfmate, or if there is none of this length, or
    /// a shorter one.
    ///
    /// # Errors
    ///
    /// If the budget runs out first.
    pub fn of(
        position: &Position,
        goal: &Goal,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Solution>, Undecided> {
        let (line, n) = match goal {
            Goal::MateIn(n) => return Ok(Study::of(position, n.value, prover)?.map(Solution::Mate)),
            Goal::HelpmateIn(n) => (LineGoal::Helpmate, n.value),
            Goal::SelfmateIn(n) => (LineGoal::Selfmate, n.value),
            _ => return Ok(None),
        };
        Ok(Line::of(position, line, n, prover)?.map(Solution::Line))
    }

    /// N of the mate.
    pub fn mate_in(&self) -> u32 {
        match self {
            Solution::Mate(study) => study.mate_in,
            Solution::Line(line) => line.mate_in,
        }
    }
}
