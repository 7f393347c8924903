//! The target `certificate_mutation`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(certificate_mutation);
