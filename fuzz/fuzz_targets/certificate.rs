//! The target `certificate`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(certificate);
