//! Makes the table of targets from the files in `src/targets/`, and lists the shipped puzzles for the target that changes them,
//! since a fuzz target runs where the repository is not.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    // The folder of this run, even if the script was compiled elsewhere.
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names a folder"));
    let puzzles = files(&here.join("../puzzles"), "yaml");
    let rows: String = puzzles.iter().map(|path| format!("    include_str!({path:?}),\n")).collect();
    write("puzzles.rs", &format!("&[\n{rows}]\n"));

    let (mut table, mut tests) = (String::new(), String::new());
    for path in files(&here.join("src/targets"), "rs") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        if name == "mod" {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let about = text.lines().next().and_then(|line| line.strip_prefix("//! "));
        let about = about.unwrap_or_else(|| panic!("{}: the first line says what is asked", path.display()));
        let _ = writeln!(table, "    Target {{ name: {name:?}, about: {about:?}, ..{name}::TARGET }},");
        let _ = writeln!(
            tests,
            "#[test]\nfn {name}() {{\n    crate::runs::smoke(crate::named({name:?}), &crate::seeds::Repository::here());\n}}"
        );
    }
    write(
        "targets.rs",
        &format!("/// Every target, by name.\npub static TARGETS: &[Target] = &[\n{table}];\n"),
    );
    write("smoke.rs", &tests);
}

fn write(name: &str, text: &str) {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder")).join(name);
    fs::write(&out, text).unwrap_or_else(|error| panic!("{}: {error}", out.display()));
}

/// The files with this extension in a folder and those in it, by path.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        // The proofs beside the puzzles are no puzzles.
        if path.is_dir() && !path.ends_with("certificates") {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
