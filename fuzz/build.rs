//! Lists the shipped puzzles for the oracle that changes them, since a fuzz target runs where the repository is not.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let puzzles = Path::new(env!("CARGO_MANIFEST_DIR")).join("../puzzles");
    let mut files = Vec::new();
    list(&puzzles, &mut files);
    files.sort();
    let rows: String = files.iter().map(|path| format!("    include_str!({path:?}),\n")).collect();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder")).join("puzzles.rs");
    fs::write(&out, format!("&[\n{rows}]\n")).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        // The proofs beside the puzzles are no puzzles.
        if path.is_dir() && !path.ends_with("certificates") {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
}
