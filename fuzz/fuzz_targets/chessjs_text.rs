//! The target `chessjs_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(chessjs_text);
