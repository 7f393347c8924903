//! The target `chessjs_short`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(chessjs_short);
