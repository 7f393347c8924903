//! The program of `src/targets/hexicube_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(hexicube_text);
