//! The target `game_orthodox`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(game_orthodox);
