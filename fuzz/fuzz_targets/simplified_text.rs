//! The target `simplified_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(simplified_text);
