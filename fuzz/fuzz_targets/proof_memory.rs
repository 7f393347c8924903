//! The program of `src/targets/proof_memory.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(proof_memory);
