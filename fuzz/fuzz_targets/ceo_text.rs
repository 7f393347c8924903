//! The target `ceo_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(ceo_text);
