//! The program of `src/targets/raw_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(raw_text);
