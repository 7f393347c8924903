//! The target `outcome_twin`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(outcome_twin);
