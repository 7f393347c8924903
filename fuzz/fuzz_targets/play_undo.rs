//! The program of `src/targets/play_undo.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(play_undo);
