//! The target `diagnostics`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(diagnostics);
