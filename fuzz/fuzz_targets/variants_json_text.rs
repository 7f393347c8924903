//! The program of `src/targets/variants_json_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(variants_json_text);
