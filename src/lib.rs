//! Rules, notations, verified puzzles and a test corpus for *5D Chess With Multiverse Time Travel*.

pub mod notation;
#[cfg(feature = "puzzle")]
pub mod puzzle;
pub mod render;
pub mod rules;
pub mod search;
#[cfg(feature = "slow-rules")]
pub mod slow;
pub mod state;
pub mod types;

#[cfg(test)]
mod layers;
