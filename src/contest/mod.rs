//! Games between engines, and their difference in strength.
//!
//! | file | question |
//! |---|---|
//! | `game` | how does a game between two engines go? [`play`] |
//! | `tally` | which engine is stronger, and how sure is that? [`Tally`] |

mod game;
mod tally;

pub use game::{Ending, Pace, Played, Said, Time, over, play};
pub use tally::{Elo, Sprt, Tally, Test};
