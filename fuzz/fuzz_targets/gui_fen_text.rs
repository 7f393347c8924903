//! The target `gui_fen_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(gui_fen_text);
