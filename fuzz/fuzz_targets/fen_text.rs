//! The target `fen_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(fen_text);
