//! The program of `src/targets/pgn_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(pgn_text);
