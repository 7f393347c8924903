//! What is done with fuzz targets beside fuzzing.

// `cargo fuzz build` builds every program of the package with the fuzzer's instruments, this one too, and nobody runs the result.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|_bytes: &[u8]| {});

#[cfg(not(fuzzing))]
mod command;

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    command::main()
}
