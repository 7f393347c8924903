//! Proving mates.

pub mod certificate;
mod class;
mod mate;

pub use class::{Class, Start};
pub use mate::{Budget, Defence, Solution, Solve, Verdict, solve, surviving_defence};
