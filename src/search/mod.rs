//! Proving mates.

mod mate;

pub use mate::{Budget, Defence, Solution, Solve, Verdict, solve, surviving_defence};
