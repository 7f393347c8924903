//! The program of `src/targets/certificate_mutation.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(certificate_mutation);
