//! The program of `src/targets/fix_idempotent.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(fix_idempotent);
