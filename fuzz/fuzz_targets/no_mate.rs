//! The program of `src/targets/no_mate.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(no_mate);
