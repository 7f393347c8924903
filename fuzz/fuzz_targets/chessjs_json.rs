//! The target `chessjs_json`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(chessjs_json);
