//! The program of `src/targets/ceo_entries.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(ceo_entries);
