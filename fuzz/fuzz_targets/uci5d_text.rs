//! The target `uci5d_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(uci5d_text);
