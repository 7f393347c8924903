//! The program of `src/targets/pgn5d_game.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(pgn5d_game);
