//! The program of `src/targets/mate_prover.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(mate_prover);
