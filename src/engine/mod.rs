//! An engine: it chooses an action, and answers a host over 5DUCI. Begin at [`think`] and [`Session`].
//!
//! | file | question |
//! |---|---|
//! | `question` | what is an engine asked, and what does it answer? |
//! | `reach` | which squares of a board are attacked? |
//! | `worth` | what is one board worth? |
//! | `evaluation` | what is a position worth? |
//! | `candidates` | which actions are worth a look? |
//! | `search` | which of them is the best? [`think`] |
//! | `meter` | what has a search cost so far? |
//! | `session` | what does the engine say to a host that speaks 5DUCI? [`Session`] |
//!
//! Nothing here reads a clock or starts a thread: [`think`] ends when its [`Limit`] does, whose flag another
//! thread may set.

mod candidates;
mod evaluation;
mod meter;
mod question;
mod reach;
mod search;
mod session;
mod worth;

pub use question::{Ending, Question, Report, Score, Thought};
pub use session::{Demand, Session, Task};

use crate::types::Limit;

/// Chooses an action within `limit`. The same question with a limit of steps only has the same answer on
/// every machine.
///
/// There is an answer if the player has a legal action and one is found within some ten thousand steps, even
/// if the limit allows fewer. `report` is called with interim results.
///
/// ```
/// use worldlines::engine::{Question, Score, think};
/// use worldlines::notation::fen5d;
/// use worldlines::types::Limit;
///
/// let position = fen5d::parse("[5k/w5/5K/1R4:0:1:w]").into_result()?;
/// let thought = think(&Question::new(position), Limit::steps(10_000), &mut |_| ());
/// assert_eq!(thought.score, Some(Score::Mate(1)));
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
pub fn think(question: &Question, limit: Limit<'_>, report: &mut dyn FnMut(&Report)) -> Thought {
    search::think(question, limit, report)
}
