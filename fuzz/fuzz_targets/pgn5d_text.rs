//! The target `pgn5d_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(pgn5d_text);
