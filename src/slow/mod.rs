//! The rules of the game a second time, naive and obvious.
//!
//! Nothing here is shared with the fast core except the vocabulary of [`crate::types`]: boards are plain lists of
//! squares, states are cloned freely, and legal actions are found by trying everything. When the two disagree, this
//! is the one that can be read next to the written rules and settled by hand.

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
