//! The target `puzzle_yaml`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(puzzle_yaml);
