//! The program of `src/targets/many_defences.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(many_defences);
