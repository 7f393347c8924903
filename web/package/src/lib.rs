//! The WebAssembly side of the npm package. What JavaScript sees is made of it in `index.js`.
//!
//! Every function takes and gives numbers, booleans and strings: objects cross the border as JSON, which engines of JavaScript read
//! fastest. An error crosses it as JSON too, see [`Fault`]. Memory of an object is given back by `free`, or by the collector
//! of JavaScript some time after the object is gone.

mod board;
mod chess;
mod fault;
mod puzzles;
mod tools;

pub use board::{picture_style, pieces};
pub use chess::{Chess, variants};
pub use fault::{Fault, last_panic, start};
pub use puzzles::{judge_answer, puzzle_game, puzzle_solution, puzzles_of};
pub use tools::{convert, formats, solve, verify};
