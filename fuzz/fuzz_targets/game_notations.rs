//! The target `game_notations`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(game_notations);
