//! The target `ceo_entries`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(ceo_entries);
