//! The program of `src/targets/chess64_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(chess64_text);
