//! The program of `src/targets/game_notations.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(game_notations);
