//! The target `pgn_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(pgn_text);
