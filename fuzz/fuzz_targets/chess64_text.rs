//! The target `chess64_text`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(chess64_text);
