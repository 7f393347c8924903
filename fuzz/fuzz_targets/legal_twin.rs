//! The target `legal_twin`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(legal_twin);
