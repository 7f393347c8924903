//! The target `hash_incremental`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(hash_incremental);
