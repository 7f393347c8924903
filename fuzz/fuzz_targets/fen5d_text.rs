//! The program of `src/targets/fen5d_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(fen5d_text);
