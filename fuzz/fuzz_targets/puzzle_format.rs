//! The program of `src/targets/puzzle_format.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(puzzle_format);
