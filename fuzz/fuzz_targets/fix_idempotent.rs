//! The target `fix_idempotent`.
#![cfg_attr(fuzzing, no_main)]

worldlines_fuzz::target!(fix_idempotent);
