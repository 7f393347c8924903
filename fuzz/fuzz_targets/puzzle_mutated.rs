//! The target `puzzle_mutated`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(puzzle_mutated);
