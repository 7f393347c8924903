//! The target `raw_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(raw_text);
