//! The fuzz targets as a library that knows no fuzzer.
//!
//! [`worldlines::generate`] turns bytes into positions and games. A target in [`targets`] asks a question
//! about them, and panics with a finding or is silent. Every target also runs in `cargo test`. For the fuzzer
//! each has a program of three lines in `fuzz_targets/`, made by [`main!`].

mod cases;
mod ceo;
pub mod certificates;
pub mod finding;
pub mod games;
mod notation_text;
pub mod random;
pub mod replay;
pub mod runs;
pub mod seeds;
pub mod targets;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::ExitCode;

use arbitrary::Result;

use seeds::Source;
pub use targets::TARGETS;

/// A question about bytes, with the data that fuzzing needs.
pub struct Target {
    /// The name of its file. The table of targets fills it in.
    pub name: &'static str,
    /// The question in words: the first line of its file.
    pub about: &'static str,
    /// Asks the question about these bytes. Panics on a finding; an error means that the bytes are no input.
    pub run: fn(&[u8]) -> Result<()>,
    /// The number of runs of the smoke test: a second or two in a test build.
    pub smoke_runs: u32,
    /// The dictionary in `dictionaries/` that helps; none if the bytes are choices and not text.
    pub dictionary: Option<&'static str>,
    /// The files of the repository that are good first inputs.
    pub seeds: Source,
}

impl Target {
    /// A target whose bytes are choices.
    const fn of_choices(run: fn(&[u8]) -> Result<()>, smoke_runs: u32) -> Target {
        Target { name: "", about: "", run, smoke_runs, dictionary: None, seeds: Source::Games }
    }

    /// A target whose bytes are text.
    const fn of_text(
        run: fn(&[u8]) -> Result<()>,
        smoke_runs: u32,
        dictionary: &'static str,
        seeds: Source,
    ) -> Target {
        Target { dictionary: Some(dictionary), seeds, ..Target::of_choices(run, smoke_runs) }
    }

    /// The target of this name.
    pub fn by_name(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }
}

/// The target of a name that is written in the code.
///
/// # Panics
///
/// When there is none of this name.
pub fn named(name: &str) -> &'static Target {
    Target::by_name(name).unwrap_or_else(|| panic!("there is no target `{name}`"))
}

/// The target whose name this program has.
///
/// # Errors
///
/// A message if its file has the name of none.
pub fn of_program(path: &str) -> std::result::Result<&'static Target, String> {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    Target::by_name(&name).ok_or_else(|| {
        format!(
            "`{name}` is no target. Run `cargo fuzz run TARGET`, or give this program the name of a target."
        )
    })
}

/// The program of a target: libFuzzer's under `cargo fuzz`, otherwise one that says how it is run.
#[macro_export]
macro_rules! main {
    ($target:ident) => {
        #[cfg(fuzzing)]
        $crate::fuzz!(Ok($crate::named(stringify!($target))));

        #[cfg(not(fuzzing))]
        fn main() -> std::process::ExitCode {
            $crate::without_fuzzer(stringify!($target))
        }
    };
}

/// libFuzzer's program for a target, or for none with a message.
#[macro_export]
macro_rules! fuzz {
    ($target:expr) => {
        libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
            static TARGET: std::sync::LazyLock<&$crate::Target> = std::sync::LazyLock::new(|| {
                $target.unwrap_or_else(|error: String| {
                    eprintln!("error: {error}");
                    std::process::exit(2)
                })
            });
            match $crate::finding::watched(&TARGET, bytes) {
                Ok(()) => libfuzzer_sys::Corpus::Keep,
                Err(_) => libfuzzer_sys::Corpus::Reject,
            }
        });
    };
}

/// Says how a target is run, from a program of it that was built without a fuzzer.
pub fn without_fuzzer(name: &str) -> ExitCode {
    eprintln!(
        "error: `{name}` was built without a fuzzer\n\
         with one:  cargo fuzz run {name}\n\
         without:   cargo run -p worldlines-fuzz -- replay {name} FILE…"
    );
    ExitCode::from(2)
}
