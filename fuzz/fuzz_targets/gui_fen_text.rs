//! The program of `src/targets/gui_fen_text.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(gui_fen_text);
