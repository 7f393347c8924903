//! The oracles of the fuzz targets, as a library that knows no fuzzer.
//!
//! Three layers: [`generate`] turns bytes into positions and actions, an oracle in [`oracle`] turns those into "no bug"
//! or a finding, and a target in `fuzz_targets/` is a line of glue. Every oracle also runs in `cargo test`.

use std::process::ExitCode;

pub mod generate;
pub mod oracle;

/// What an oracle takes: bytes. It panics on a finding.
pub type Oracle = fn(&[u8]) -> arbitrary::Result<()>;

/// Tells the fuzzer whether an input is worth keeping.
#[cfg(fuzzing)]
pub fn verdict(accepted: arbitrary::Result<()>) -> libfuzzer_sys::Corpus {
    match accepted {
        Ok(()) => libfuzzer_sys::Corpus::Keep,
        Err(_) => libfuzzer_sys::Corpus::Reject,
    }
}

/// The `main` of a target that is built without a fuzzer: runs the oracle on each file named on the command line.
pub fn replay_arguments(oracle: Oracle) -> ExitCode {
    for path in std::env::args_os().skip(1) {
        match std::fs::read(&path) {
            Err(error) => {
                eprintln!("error: {}: {error}", path.display());
                return ExitCode::from(2);
            }
            Ok(bytes) => {
                let accepted = oracle(&bytes).is_ok();
                println!("{}: {}", path.display(), if accepted { "no bug" } else { "not an input" });
            }
        }
    }
    ExitCode::SUCCESS
}
