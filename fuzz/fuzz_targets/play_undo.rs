//! The target `play_undo`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(play_undo);
