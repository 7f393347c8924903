//! The program of `src/targets/tn_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(tn_text);
