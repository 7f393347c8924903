//! The program of `src/targets/simplified_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(simplified_text);
