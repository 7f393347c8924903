//! The program of `src/targets/diagnostics.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(diagnostics);
