//! The program of `src/targets/chessjs_json.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(chessjs_json);
