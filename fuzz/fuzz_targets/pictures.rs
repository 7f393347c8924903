//! The program of `src/targets/pictures.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(pictures);
