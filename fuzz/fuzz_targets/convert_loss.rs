//! The program of `src/targets/convert_loss.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(convert_loss);
