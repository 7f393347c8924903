//! The target `fen5d_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(fen5d_text);
