//! The rules: how pieces move, which actions are legal, and what the status of a game is.
//!
//! | file | question | chapter of `spec/` |
//! |---|---|---|
//! | `geometry` | where do the pieces of several squares get by the same step? | - |
//! | `steps` | which steps does a piece have? | 02 |
//! | `movement` | what can a piece do now? | 02, 03 |
//! | `attacks` | which royal pieces can be captured? | 06 |
//! | `exposure` | does an action leave a royal piece open to capture? | 06 |
//! | `matching` | which boards jump to which? | - |
//! | `legal` | which actions may be submitted? | 05 |
//! | `play` | is this action legal, and what does it lead to? | 05 |
//! | `partial` | an action that is entered move by move | 05 |
//! | `illegal` | why is an action illegal? | 05 |
//! | `meter` | what has a search cost so far? | - |
//! | `one_board` | is a single move on a board legal? | - |
//! | `outcome` | check, checkmate, stalemate, softmate | 06 |
//! | [`variants`] | which start positions have a name? | 07 |
//!
//! The public types are [`PartialAction`], [`IllegalAction`], [`Outcome`], [`LegalActions`] and [`Check`].
//!
//! Numbers such as in the documentation are rules of `spec/`, where each rule has examples that the
//! tests run. The questions are methods of [`Position`](crate::state::Position).

mod attacks;
mod exposure;
mod geometry;
mod illegal;
mod legal;
mod matching;
mod meter;
mod movement;
mod one_board;
mod outcome;
mod partial;
mod play;
#[cfg(any(test, debug_assertions))]
mod random;
#[cfg(test)]
pub(crate) mod samples;
mod steps;
pub mod variants;

pub use attacks::Check;
pub use illegal::{IllegalAction, IllegalMove};
pub(crate) use legal::Sources;
pub(crate) use legal::{ActionSieve, Basis};
pub use legal::{Count, LegalActions};
pub use outcome::Outcome;
pub use partial::PartialAction;
