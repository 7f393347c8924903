//! Bytes → a game: every action is taken back without a trace.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    worldlines_fuzz::verdict(worldlines_fuzz::oracle::play_undo::run(bytes))
});

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    worldlines_fuzz::replay_arguments(worldlines_fuzz::oracle::play_undo::run)
}
