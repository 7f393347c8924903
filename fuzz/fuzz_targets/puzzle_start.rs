//! The program of `src/targets/puzzle_start.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(puzzle_start);
