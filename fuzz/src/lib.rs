//! The oracles of the fuzz targets, as a library that knows no fuzzer.
//!
//! Three layers: [`generate`] turns bytes into positions and actions, an oracle in [`oracle`] turns those into "no bug"
//! or a finding, and a target in `fuzz_targets/` is a line of glue. Every oracle also runs in `cargo test`.

use std::process::ExitCode;

pub mod generate;
pub mod oracle;

/// What an oracle takes: bytes. It panics on a finding.
pub type Oracle = fn(&[u8]) -> arbitrary::Result<()>;

/// Every oracle by the name of its target.
pub const ORACLES: [(&str, Oracle); 8] = [
    ("certificate", oracle::certificate::run),
    ("fen5d_text", oracle::fen5d_text::run),
    ("mate_prover", oracle::mate_prover::run),
    ("pgn5d_game", oracle::pgn5d_game::run),
    ("pgn5d_text", oracle::pgn5d_text::run),
    ("play_undo", oracle::play_undo::run),
    ("puzzle_yaml", oracle::puzzle_yaml::run),
    ("rules_twin", oracle::rules_twin::run),
];

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::ORACLES;

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
        let lines = text.lines().filter_map(|line| line.strip_prefix(before)?.split_once(after));
        lines.map(|(name, _)| name.to_owned()).collect()
    }

    #[test]
    fn every_list_names_the_same_targets() {
        let registered: BTreeSet<String> = ORACLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        let manifest = read(&here().join("Cargo.toml"));
        let bins = names(manifest.split_once("[[bin]]").expect("a target").1, "name = \"", "\"");
        assert_eq!(bins, registered, "Cargo.toml");
        assert_eq!(names(&manifest, "path = \"fuzz_targets/", ".rs\""), registered, "paths in Cargo.toml");
        let folder = |name: &str| -> BTreeSet<String> {
            entries(&here().join(name)).iter().map(|path| stem(path)).collect()
        };
        assert_eq!(folder("fuzz_targets"), registered, "fuzz_targets/");
        let mut oracles = folder("src/oracle");
        oracles.remove("mod");
        assert_eq!(oracles, registered, "src/oracle/");
        assert_eq!(names(&read(&here().join("README.md")), "### `", "`"), registered, "README.md");
        for path in entries(&here().join("fuzz_targets")) {
            assert_eq!(
                read(&path).matches(&format!("oracle::{}::run", stem(&path))).count(),
                2,
                "{}",
                path.display()
            );
        }
        assert!(folder("dictionaries").is_subset(&registered), "dictionaries/");
    }

    #[test]
    fn dictionaries_are_what_the_fuzzer_reads() {
        for path in entries(&here().join("dictionaries")) {
            for (number, line) in read(&path).lines().enumerate() {
                let entry = line.trim();
                let inner = entry.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or("\"");
                let plain = inner.replace("\\\\", "").replace("\\\"", "").replace("\\x", "");
                let is_token = !inner.is_empty() && !plain.contains(['"', '\\']) && entry.is_ascii();
                let is_comment = entry.is_empty() || entry.starts_with('#');
                assert!(is_comment || is_token, "{}:{}: {entry}", path.display(), number + 1);
            }
        }
    }

    /// What was found once stays mended, and somebody has written down what it was.
    #[test]
    fn regressions_stay_mended() {
        let mut replayed = 0;
        for folder in entries(&here().join("../corpus/regressions")) {
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let oracle = ORACLES.iter().find(|(oracle, _)| *oracle == name);
            let (_, oracle) = oracle.unwrap_or_else(|| panic!("there is no oracle for {}", folder.display()));
            for path in entries(&folder) {
                if path.extension().is_some_and(|extension| extension == "md") {
                    assert!(path.with_extension("input").exists(), "{} has no input", path.display());
                    continue;
                }
                let note = path.with_extension("md");
                assert!(path.extension().is_some_and(|e| e == "input"), "{} is no .input", path.display());
                for part in ["Cause: ", "Fix: "] {
                    assert!(
                        read(&note).lines().any(|line| line.starts_with(part)),
                        "{}: {part}",
                        note.display()
                    );
                }
                println!("{}", path.display());
                let bytes = fs::read(&path).expect("a readable input");
                assert!(oracle(&bytes).is_ok(), "{} is no input of its oracle any more", path.display());
                replayed += 1;
            }
        }
        assert!(replayed > 0, "nothing was replayed");
    }
}
