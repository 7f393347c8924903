//! The program of `src/targets/certificate.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(certificate);
