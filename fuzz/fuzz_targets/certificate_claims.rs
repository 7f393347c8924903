//! The program of `src/targets/certificate_claims.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(certificate_claims);
