//! Every target on stable Rust, and the lists that must agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::finding::watched;
use crate::seeds::{Repository, seeds, token};
use crate::{TARGETS, Target, of_program};

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

/// Three places name a target: its file, its program, and the entry of the program in `Cargo.toml`.
#[test]
fn every_target_has_a_program() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    let programs: BTreeSet<String> =
        entries(&here().join("fuzz_targets")).iter().map(|path| stem(path)).collect();
    assert_same("fuzz_targets/", &programs, &targets);
    let manifest = read(&here().join("Cargo.toml"));
    let bins: BTreeSet<String> =
        manifest.split("[[bin]]\n").skip(1).map(|bin| bin.trim_end().to_owned()).collect();
    assert_same("Cargo.toml", &bins, &targets.iter().map(|name| bin(name)).collect());
    for name in targets {
        let path = here().join(format!("fuzz_targets/{name}.rs"));
        assert_eq!(read(&path), program(&name), "{}", path.display());
    }
}

fn assert_same(place: &str, found: &BTreeSet<String>, wanted: &BTreeSet<String>) {
    let missing: Vec<&String> = wanted.difference(found).collect();
    let unknown: Vec<&String> = found.difference(wanted).collect();
    assert!(missing.is_empty(), "{place} lacks, of the targets in src/targets/: {missing:#?}");
    assert!(unknown.is_empty(), "{place} has what src/targets/ lacks: {unknown:#?}");
}

/// The entry that `cargo fuzz add` makes.
fn bin(name: &str) -> String {
    format!("name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\ntest = false\ndoc = false\nbench = false")
}

/// The lines that take the place of its template.
fn program(name: &str) -> String {
    let file = format!("src/targets/{name}.rs");
    format!("//! The program of `{file}`.\n#![cfg_attr(fuzzing, no_main)]\nworldlines_fuzz::main!({name});\n")
}

#[test]
fn a_program_is_the_target_of_its_name() {
    assert_eq!(of_program("out/play_undo").map(|target| target.name), Ok("play_undo"));
    assert!(of_program("out/worldlines-fuzz").is_err_and(|error| error.contains("`worldlines-fuzz`")));
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
