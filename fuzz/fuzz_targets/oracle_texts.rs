//! The program of `src/targets/oracle_texts.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(oracle_texts);
