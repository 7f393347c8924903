//! The program of `src/targets/falsehoods.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(falsehoods);
