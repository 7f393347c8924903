//! Text → a puzzle file: read and verified without a panic, every finding has its place in the file.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    worldlines_fuzz::verdict(worldlines_fuzz::oracle::puzzle_yaml::run(bytes))
});

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    worldlines_fuzz::replay_arguments(worldlines_fuzz::oracle::puzzle_yaml::run)
}
