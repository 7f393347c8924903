//! The program of `src/targets/game_orthodox.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(game_orthodox);
