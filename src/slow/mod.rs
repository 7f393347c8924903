//! The rules of the game a second time, naive and obvious.
//!
//! This code shares only the basic types of [`crate::types`] with the fast rules: boards are plain lists of
//! squares, states are cloned freely, and legal actions are found by exhaustive search. If the two disagree,
//! this code can be compared line by line with the written rules. Begin at [`SlowState`].

mod actions;
mod mates;
mod movement;
mod selfmates;
mod state;

#[cfg(test)]
mod games;
#[cfg(test)]
mod positions;

pub use actions::Pruning;
pub use mates::Patience;
pub use state::{Cell, SlowError, SlowState};
