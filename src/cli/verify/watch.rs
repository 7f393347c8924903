//! `worldlines verify --watch`: notices changes of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// The time between two looks at the files.
const EVERY: Duration = Duration::from_millis(300);

/// The state of each file by which a change is noticed: its length and time of writing.
pub type Stamps = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

/// The states of the files at these paths, with certificates; if there are no paths, of the folder `puzzles`.
pub fn stamps(paths: &[PathBuf]) -> Stamps {
    let usual = [PathBuf::from("puzzles")];
    let paths = if paths.is_empty() { &usual } else { paths };
    let mut stamps = Stamps::new();
    for path in paths {
        let files = super::files(std::slice::from_ref(path)).unwrap_or_default();
        for file in files {
            let folder = file.parent().unwrap_or(Path::new(""));
            let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let certificate = folder.join(super::CERTIFICATES).join(format!("{stem}.yaml"));
            for file in [file, certificate] {
                if let Ok(metadata) = fs::metadata(&file) {
                    stamps.insert(file, (metadata.len(), metadata.modified().ok()));
                }
            }
        }
    }
    stamps
}

/// Waits until one of the files changes, appears or vanishes.
pub fn wait(paths: &[PathBuf], before: &Stamps) {
    while stamps(paths) == *before {
        thread::sleep(EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_a_new_file_and_one_that_is_gone_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().to_owned()];
        let file = |name: &str| folder.path().join(name);
        fs::write(file("a.yaml"), "a").unwrap();
        fs::write(file("no-puzzle.txt"), "a").unwrap();
        let first = stamps(&paths);
        assert_eq!(first.len(), 1);
        assert_eq!(stamps(&paths), first);
        fs::write(file("a.yaml"), "ab").unwrap();
        let second = stamps(&paths);
        assert_ne!(second, first);
        fs::write(file("b.yaml"), "b").unwrap();
        let third = stamps(&paths);
        assert_eq!(third.len(), 2);
        wait(&paths, &second);
        fs::remove_file(file("a.yaml")).unwrap();
        assert_ne!(stamps(&paths), third);
    }
}
