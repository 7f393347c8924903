//! Games between engines, and their difference in strength.
//!
//! | file | question |
//! |---|---|
//! | `game` | how does a game between two engines go? [`play`] |
//! | `schedule` | who meets whom in a tournament? [`Schedule`] |
//! | `standings` | who has how many points? [`Standings`] |
//! | `tally` | which engine is stronger, and how sure is that? [`Tally`] |

mod game;
mod schedule;
mod standings;
mod tally;

pub use game::{Conduct, Ending, Pace, Played, Proof, Said, Time, over, play};
pub use schedule::{Fixture, Schedule, Tournament};
pub use standings::{Score, Standings};
pub use tally::{Elo, Sprt, Tally, Test};
