//! The program of `src/targets/legal_twin.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(legal_twin);
