//! The WebAssembly side of the npm package. `js/api.js` makes the JavaScript API of it.
//!
//! Every function takes and returns numbers, booleans and strings. Objects cross the border as JSON, which
//! JavaScript engines read fastest; errors do too, see [`Fault`]. The memory of an object is freed by `free`,
//! or by JavaScript's garbage collector some time after the object is gone.

mod board;
mod chess;
mod fault;
mod puzzles;
mod setup;
mod tools;
mod trees;

pub use board::{grade_limits, grade_of, is_likely_mate, picture_style, pieces, win_chance};
pub use chess::{Chess, variants};
pub use fault::{Fault, last_panic, start};
pub use puzzles::{judge_answer, puzzle_game, puzzle_solution, puzzles_of};
pub use setup::{
    boards_of, game_of_boards, with_board, with_next_board, with_piece, with_size, without_board,
};
pub use tools::{certificate, convert, formats, solve, verify};
pub use trees::{read_tree, write_tree};
