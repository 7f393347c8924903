//! Bytes → a tiny position: the search for mates says what trying everything says.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    worldlines_fuzz::verdict(worldlines_fuzz::oracle::mate_prover::run(bytes))
});

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    worldlines_fuzz::replay_arguments(worldlines_fuzz::oracle::mate_prover::run)
}
