//! The program of `src/targets/fix_positions.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(fix_positions);
