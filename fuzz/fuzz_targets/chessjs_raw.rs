//! The target `chessjs_raw`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(chessjs_raw);
