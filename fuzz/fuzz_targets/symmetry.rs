//! The program of `src/targets/symmetry.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(symmetry);
