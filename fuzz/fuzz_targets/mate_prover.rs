//! The target `mate_prover`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(mate_prover);
