//! The fuzz targets as a library that knows no fuzzer.
//!
//! [`worldlines::generate`] turns bytes into positions and games. A target in [`targets`] asks a question
//! about them, and panics with a finding or is silent. Every target also runs in `cargo test`. For the fuzzer
//! all targets are in one program; [`chosen`] is the one that runs.

pub mod ceo;
pub mod finding;
pub mod notation_text;
pub mod question;
pub mod random;
pub mod replay;
pub mod runs;
pub mod seeds;
pub mod targets;
#[cfg(test)]
mod tests;

use std::path::Path;

use arbitrary::Result;

use question::{Case, Question};
use seeds::Source;
pub use targets::TARGETS;

/// A [`Question`], with the data that fuzzing needs.
pub struct Target {
    /// The name of its file. The table of targets fills it in.
    pub name: &'static str,
    /// The question in words: the first line of its file.
    pub about: &'static str,
    /// Asks the question about these bytes. Panics on a finding; an error means that the bytes are no input.
    pub run: fn(&[u8]) -> Result<()>,
    /// The case of these bytes, as text for people.
    pub show: fn(&[u8]) -> Result<String>,
    /// The number of runs of the smoke test: a second or two in a test build.
    pub smoke_runs: u32,
    /// The dictionary in `dictionaries/` that helps; none if the bytes are choices and not text.
    pub dictionary: Option<&'static str>,
    /// The files of the repository that are good first inputs.
    pub seeds: Source,
}

impl Target {
    /// A target whose bytes are choices.
    const fn of_choices<Q: Question>(smoke_runs: u32) -> Target {
        Target {
            name: "",
            about: "",
            run: ask::<Q>,
            show: show::<Q>,
            smoke_runs,
            dictionary: None,
            seeds: Source::Games,
        }
    }

    /// A target whose bytes are text.
    const fn of_text<Q: Question>(smoke_runs: u32, dictionary: &'static str, seeds: Source) -> Target {
        Target { dictionary: Some(dictionary), seeds, ..Target::of_choices::<Q>(smoke_runs) }
    }

    /// The target of this name.
    pub fn by_name(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }
}

fn ask<Q: Question>(bytes: &[u8]) -> Result<()> {
    let case = Q::case(bytes)?;
    finding::generated();
    Q::ask(case)
}

fn show<Q: Question>(bytes: &[u8]) -> Result<String> {
    Ok(Q::case(bytes)?.shown())
}

/// The target of a name that is written in the code.
///
/// # Panics
///
/// When there is none of this name.
pub fn named(name: &str) -> &'static Target {
    Target::by_name(name).unwrap_or_else(|| panic!("there is no target `{name}`"))
}

/// The environment variable that names the fuzzer's target.
pub const CHOICE: &str = "WORLDLINES_TARGET";

/// The target for the fuzzer: named by the environment variable, or by the file of the program.
///
/// # Errors
///
/// A message if neither names a target.
pub fn chosen() -> std::result::Result<&'static Target, String> {
    let wanted = std::env::var(CHOICE).ok();
    let program = std::env::args().next().unwrap_or_default();
    let file = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
    let name = wanted.as_deref().unwrap_or(&file);
    Target::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("`{name}` is no target. Set {CHOICE} to one of: {}", names.join(", "))
    })
}
