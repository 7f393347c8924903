//! The program of `src/targets/uci5d_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(uci5d_text);
