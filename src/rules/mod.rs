//! The rules: how pieces move, which actions are legal, and how a game stands.
//!
//! | file | question | chapter of `spec/` |
//! |---|---|---|
//! | `geometry` | which steps exist, as shifts of sets of squares | 02 |
//! | `movement` | what can a piece do now? | 02, 03 |
//! | `attacks` | which royal pieces can be captured? | 06 |
//! | `exposure` | does an action leave one to be captured? | 06 |
//! | `matching` | which boards jump to which? | - |
//! | `legal` | which actions may be submitted? | 05 |
//! | `meter` | what has a search cost so far? | - |
//! | `one_board` | is a single move on a board legal? | - |
//! | `outcome` | check, checkmate, stalemate, softmate | 06 |
//! | [`variants`] | which start positions have a name? | 07 |
//!
//! Numbers such as in the documentation are rules of `spec/`, where each has examples that are run.
//! The questions are methods of [`Position`](crate::state::Position).

mod attacks;
mod exposure;
mod geometry;
mod legal;
mod matching;
mod meter;
mod movement;
mod one_board;
mod outcome;
#[cfg(test)]
pub(crate) mod samples;
pub mod variants;

pub use attacks::Check;
pub(crate) use legal::Exploration;
pub use legal::{Count, LegalActions};
pub use outcome::{IllegalAction, IllegalReason, Outcome};
