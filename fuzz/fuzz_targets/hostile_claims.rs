//! The target `hostile_claims`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(hostile_claims);
