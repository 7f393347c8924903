//! The program of `src/targets/other_mates.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(other_mates);
