//! The target `convert_loss`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(convert_loss);
