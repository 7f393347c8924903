//! Under the fuzzer: all targets in one program. Otherwise: the command `worldlines-fuzz`.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    static TARGET: std::sync::LazyLock<&worldlines_fuzz::Target> = std::sync::LazyLock::new(|| {
        worldlines_fuzz::chosen().unwrap_or_else(|error| {
            eprintln!("error: {error}");
            std::process::exit(2)
        })
    });
    match worldlines_fuzz::finding::watched(&TARGET, bytes) {
        Ok(()) => libfuzzer_sys::Corpus::Keep,
        Err(_) => libfuzzer_sys::Corpus::Reject,
    }
});

#[cfg(not(fuzzing))]
mod command;

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    command::main()
}
