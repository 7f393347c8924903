//! Every oracle on stable Rust, and the lists that must agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::finding::watched;
use crate::seeds::{Repository, seeds, token};
use crate::{ORACLES, Oracle};

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

/// What stands between `before` and `after` in the lines of a text.
fn names(text: &str, before: &str, after: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix(before)?.split_once(after));
    lines.map(|(name, _)| name.to_owned()).collect()
}

/// One test for each oracle, so that they run beside each other and fail under their names.
macro_rules! smoke {
    ($($name:ident)*) => {
        mod smoke {
            $(
                #[test]
                fn $name() {
                    crate::runs::smoke(crate::named(stringify!($name)), &crate::seeds::Repository::here());
                }
            )*
        }

        const SMOKED: &[&str] = &[$(stringify!($name)),*];
    };
}

smoke! {
    ceo_entries ceo_text certificate certificate_mutation chess64_binary chess64_text chessjs_json chessjs_raw chessjs_short chessjs_text convert_loss diagnostics fen5d_text fen_text fix_idempotent game_notations game_orthodox gui_fen_text hostile_claims legal_twin mate_prover outcome_twin pgn5d_game pgn5d_text pgn_text play_undo proof_memory puzzle_mutated puzzle_yaml raw_text simplified_text uci5d_text
}

#[test]
fn every_list_names_the_same_targets() {
    let registered: BTreeSet<String> = ORACLES.iter().map(|oracle| oracle.name.to_owned()).collect();
    assert!(ORACLES.is_sorted_by_key(|oracle| oracle.name), "ORACLES is sorted and names nothing twice");
    assert_eq!(registered.len(), ORACLES.len());
    let manifest = read(&here().join("Cargo.toml"));
    let bins = names(manifest.split_once("[[bin]]").expect("a target").1, "name = \"", "\"");
    assert_eq!(bins, registered, "Cargo.toml");
    assert_eq!(names(&manifest, "path = \"fuzz_targets/", ".rs\""), registered, "paths in Cargo.toml");
    let folder: BTreeSet<String> =
        entries(&here().join("fuzz_targets")).iter().map(|path| stem(path)).collect();
    assert_eq!(folder, registered, "fuzz_targets/");
    for path in entries(&here().join("fuzz_targets")) {
        let name = stem(&path);
        assert!(read(&path).contains(&format!("worldlines_fuzz::target!({name});")), "{name}");
    }
    let smoked: BTreeSet<String> = SMOKED.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(smoked, registered, "smoke tests");
    assert_eq!(names(&read(&here().join("README.md")), "| `", "` |"), registered, "table in README.md");
    let workflow = read(&here().join("../.github/workflows/fuzz.yml"));
    let (_, matrix) = workflow.split_once("        target:\n").expect("a matrix");
    let matrix = matrix.lines().map_while(|line| line.strip_prefix("          - ")).map(str::to_owned);
    assert_eq!(matrix.collect::<BTreeSet<_>>(), registered, "matrix of .github/workflows/fuzz.yml");
}

#[test]
fn every_dictionary_is_used_and_is_what_the_fuzzer_reads() {
    let used: BTreeSet<String> =
        ORACLES.iter().filter_map(|oracle| Some(oracle.dictionary?.to_owned())).collect();
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
fn seeds_are_loaded_and_the_readme_knows_the_dictionaries() {
    let repository = Repository::here();
    for oracle in ORACLES {
        let seeds = seeds(oracle, &repository);
        let loaded = seeds.iter().filter(|seed| oracle.seeds.loads(&seed.bytes)).count();
        println!("{}: {loaded} of {} seeds are loaded", oracle.name, seeds.len());
        let row = format!("| `{}` | ", oracle.name);
        let readme = read(&here().join("README.md"));
        let row = readme.lines().find(|line| line.starts_with(&row)).unwrap_or_default();
        let dictionary = oracle.dictionary.map(|name| format!("text, dictionary `{name}`"));
        assert!(row.contains(dictionary.as_deref().unwrap_or("choices")), "README.md: {row}");
        assert!(seeds.len() >= 20, "{}: only {} seeds", oracle.name, seeds.len());
        // The others are wrong on purpose, each in its own way.
        assert!(loaded * 3 >= seeds.len(), "{}: only {loaded} of {} are loaded", oracle.name, seeds.len());
        let names: BTreeSet<&String> = seeds.iter().map(|seed| &seed.name).collect();
        assert_eq!(names.len(), seeds.len(), "{}: two seeds of one name", oracle.name);
    }
}

/// What was found once stays mended, and somebody has written down what it was.
#[test]
fn regressions_stay_mended() {
    let mut replayed = 0;
    for folder in entries(&here().join("../corpus/regressions")) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let oracle = Oracle::by_name(&name);
        let oracle = oracle.unwrap_or_else(|| panic!("there is no oracle for {}", folder.display()));
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
            assert!(watched(oracle, &bytes).is_ok(), "{} is no input of its oracle any more", path.display());
            replayed += 1;
        }
    }
    assert!(replayed > 0, "nothing was replayed");
}
