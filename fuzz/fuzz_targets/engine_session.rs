//! The program of `src/targets/engine_session.rs`.
#![cfg_attr(fuzzing, no_main)]
worldlines_fuzz::main!(engine_session);
