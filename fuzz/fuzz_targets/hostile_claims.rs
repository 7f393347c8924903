//! The program of `src/targets/hostile_claims.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(hostile_claims);
