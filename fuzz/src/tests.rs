//! Every target on stable Rust, and the lists that must agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::finding::watched;
use crate::seeds::{Repository, seeds, token};
use crate::{TARGETS, Target};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// One test for each target, so that they run in parallel and fail under their names.
mod smoke {
    include!(concat!(env!("OUT_DIR"), "/smoke.rs"));
}

#[test]
fn every_dictionary_is_used_and_is_what_the_fuzzer_reads() {
    let used: BTreeSet<String> =
        TARGETS.iter().filter_map(|target| Some(target.dictionary?.to_owned())).collect();
    let folder: BTreeSet<String> =
        entries(&here().join("dictionaries")).iter().map(|path| stem(path)).collect();
    assert_eq!(folder, used, "dictionaries/");
    for path in entries(&here().join("dictionaries")) {
        for (number, line) in read(&path).lines().enumerate() {
            let is_comment = line.trim().is_empty() || line.starts_with('#');
            let is_token = token(line).is_some_and(|token| !token.is_empty()) && line.is_ascii();
            assert!(is_comment || is_token, "{}:{}: {line}", path.display(), number + 1);
        }
    }
}

#[test]
fn seeds_are_loaded() {
    let repository = Repository::here();
    for target in TARGETS {
        let seeds = seeds(target, &repository);
        let loaded = seeds.iter().filter(|seed| target.seeds.loads(&seed.bytes)).count();
        println!("{}: {loaded} of {} seeds are loaded", target.name, seeds.len());
        assert!(seeds.len() >= 20, "{}: only {} seeds", target.name, seeds.len());
        // The other seeds are wrong on purpose, each in its own way.
        assert!(loaded * 3 >= seeds.len(), "{}: only {loaded} of {} are loaded", target.name, seeds.len());
        let names: BTreeSet<&String> = seeds.iter().map(|seed| &seed.name).collect();
        assert_eq!(names.len(), seeds.len(), "{}: two seeds of one name", target.name);
    }
}

/// Every regression stays fixed, and has a note that says what it was.
#[test]
fn regressions_stay_mended() {
    let mut replayed = 0;
    for folder in entries(&here().join("../corpus/regressions")) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let target = Target::by_name(&name);
        let target = target.unwrap_or_else(|| panic!("there is no target for {}", folder.display()));
        for path in entries(&folder) {
            if path.extension().is_some_and(|extension| extension == "md") {
                assert!(path.with_extension("input").exists(), "{} has no input", path.display());
                continue;
            }
            let note = path.with_extension("md");
            assert!(path.extension().is_some_and(|e| e == "input"), "{} is no .input", path.display());
            for part in ["Cause: ", "Fix: "] {
                assert!(read(&note).lines().any(|line| line.starts_with(part)), "{}: {part}", note.display());
            }
            println!("{}", path.display());
            let bytes = fs::read(&path).expect("a readable input");
            assert!(watched(target, &bytes).is_ok(), "{} is no input of its target any more", path.display());
            replayed += 1;
        }
    }
    assert!(replayed > 0, "nothing was replayed");
}
