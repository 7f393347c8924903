//! The program of `src/targets/outcome_twin.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(outcome_twin);
