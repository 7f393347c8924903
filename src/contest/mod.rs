//! Games between engines, and their difference in strength.
//!
//! | file | question |
//! |---|---|
//! | `game` | how does a game between two engines go? [`play`] |
//! | `scores` | when do the scores of the engines end a game? [`Resign`], [`Draw`] |
//! | `schedule` | who meets whom in a tournament? [`Schedule`] |
//! | `standings` | who has how many points? [`Standings`] |
//! | `tally` | which engine is stronger, and how sure is that? [`Tally`] |

mod game;
mod schedule;
mod scores;
mod standings;
mod tally;

pub use game::{Conduct, Ending, Pace, Played, Proof, Said, Time, over, play};
pub use schedule::{Fixture, Schedule, Tournament};
pub use scores::{Draw, Resign};
pub use standings::{Score, Standings};
pub use tally::{Elo, Sprt, Tally, Test};
