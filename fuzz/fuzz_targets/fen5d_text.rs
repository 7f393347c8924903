//! Text → 5DFEN: read without a panic, errors have their place, what is read is written and read back.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    worldlines_fuzz::verdict(worldlines_fuzz::oracle::fen5d_text::run(bytes))
});

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    worldlines_fuzz::replay_arguments(worldlines_fuzz::oracle::fen5d_text::run)
}
