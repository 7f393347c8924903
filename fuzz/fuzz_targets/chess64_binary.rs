//! The target `chess64_binary`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(chess64_binary);
