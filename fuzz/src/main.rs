//! Under the fuzzer: all targets in one program, which is linked once. Otherwise: the command `worldlines-fuzz`.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
worldlines_fuzz::fuzz!(worldlines_fuzz::of_program(&std::env::args().next().unwrap_or_default()));

#[cfg(not(fuzzing))]
mod command;

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    command::main()
}
