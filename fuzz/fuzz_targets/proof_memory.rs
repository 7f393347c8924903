//! The target `proof_memory`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(proof_memory);
