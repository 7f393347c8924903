//! The review of a game: mates that were missed or allowed, defences, blunders, forced actions. Begin at [`review`].
//!
//! | file | question |
//! |---|---|
//! | `look` | what is to be seen in a position? |
//! | `finding` | what can be said of an action? |
//! | `judge` | what is said of this one? [`judge`] |
//! | `whole` | what is said of a game? [`review`] |
//! | `annotate` | how is it said, and written into the game? |
//!
//! Every position is looked at once, and then each action is compared with both positions beside it. Mates are proved, with evidence;
//! the engine's judgement is a guess. Looks and judgements can be asked for one by one, in any order and by several threads, since none
//! depends on another of its kind.

mod annotate;
mod finding;
mod judge;
mod look;
mod whole;

pub use annotate::{annotated, score_for_white, short_text};
pub use finding::{Finding, Grade, expectation, negated};
pub use judge::{Judgement, judge};
pub use look::{Limits, Look, Mate};
pub use whole::{Review, positions, review};
