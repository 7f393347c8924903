//! The program of `src/targets/chessjs_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(chessjs_text);
