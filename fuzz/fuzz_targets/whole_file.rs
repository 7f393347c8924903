//! The program of `src/targets/whole_file.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(whole_file);
