//! The program of `src/targets/fen_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(fen_text);
