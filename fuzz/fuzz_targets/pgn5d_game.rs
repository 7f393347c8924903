//! Bytes → a game that was played: written as 5DPGN it is read back, as a whole and action by action.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    worldlines_fuzz::verdict(worldlines_fuzz::oracle::pgn5d_game::run(bytes))
});

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    worldlines_fuzz::replay_arguments(worldlines_fuzz::oracle::pgn5d_game::run)
}
