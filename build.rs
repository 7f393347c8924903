//! Names the commit for `worldlines --version` and for reports, where git knows it.
//!
//! Only release builds ask: with every new commit cargo compiles the whole package again, and development would wait for
//! that. The name depends on nothing but the commit, and an archive without a repository has none, so builds can be repeated. Changes
//! that are not committed yet are not seen.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let is_release =
        env::var_os("CARGO_FEATURE_CLI").is_some() && env::var("PROFILE").is_ok_and(|name| name == "release");
    let commit = if is_release { commit() } else { None };
    let named = commit.map_or_else(|| version.clone(), |commit| format!("{version} ({commit})"));
    println!("cargo::rustc-env=WORLDLINES_VERSION={named}");
}

/// The commit of the repository whose root is the folder of the package.
fn commit() -> Option<String> {
    // A package may lie in a folder of another repository.
    if !git(&["rev-parse", "--show-prefix"])?.is_empty() {
        return None;
    }
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    // Cargo would ask again each time if the file did not exist.
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}

/// The output of a git command in the folder of the package. `None` if there is no git, or it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
