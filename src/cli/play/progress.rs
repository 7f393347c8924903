//! The record of solved puzzles, in a file of this user.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::cli::exit::Failure;
use crate::cli::files::{self, Held, shown};
use crate::cli::terminal::say;

const SCHEMA: &str = "worldlines/progress-1";

/// The last solution of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// The day, such as `2026-11-22`.
    pub on: String,
    pub mistakes: u32,
    pub hints: u32,
}

#[derive(Serialize, Deserialize)]
struct File {
    schema: String,
    solved: BTreeMap<String, Solved>,
}

/// The solved puzzles, by id.
pub struct Progress {
    /// The file; `None` if there is no folder for it, or if the file there must not be replaced.
    path: Option<PathBuf>,
    solved: BTreeMap<String, Solved>,
    new: BTreeMap<String, Solved>,
}

/// The folder for the state of this program: below `$XDG_STATE_HOME`, or its default.
fn folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = of("XDG_STATE_HOME").or_else(|| {
        if cfg!(windows) {
            of("LOCALAPPDATA")
        } else {
            of("HOME").map(|home| home.join(".local").join("state"))
        }
    });
    folder.map(|folder| folder.join("worldlines"))
}

impl Progress {
    /// Loads the record from this file, or from that of the user. A file that cannot be read is left as it is.
    pub fn load(file: Option<&Path>) -> Progress {
        let own = || folder().map(|folder| folder.join("progress.json"));
        Progress::load_from(file.map(Path::to_owned).or_else(own))
    }

    fn load_from(path: Option<PathBuf>) -> Progress {
        let none = |path| Progress { path, solved: BTreeMap::new(), new: BTreeMap::new() };
        let Some(path) = path else { return none(None) };
        if !path.exists() {
            return none(Some(path));
        }
        match read(&path) {
            Ok(solved) => Progress { path: Some(path), solved, new: BTreeMap::new() },
            Err(why) => {
                say(&format!(
                    "note: your progress file {} cannot be read: {why}; it stays as it is, and this run remembers nothing",
                    shown(&path)
                ));
                none(None)
            }
        }
    }

    pub fn solved(&self, id: &str) -> Option<&Solved> {
        self.new.get(id).or_else(|| self.solved.get(id))
    }

    pub fn note(&mut self, id: &str, solved: Solved) {
        self.new.insert(id.to_owned(), solved);
    }

    /// Writes the new entries, and keeps those that another run has written meanwhile.
    pub fn save(&self) -> Result<(), Failure> {
        let Some(path) = self.path.as_ref().filter(|_| !self.new.is_empty()) else { return Ok(()) };
        let cannot = |why: &dyn std::fmt::Display| {
            Failure::new(format_args!("your progress cannot be written to {}: {why}", shown(path)))
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| cannot(&error))?;
        }
        let held = Held::of(path).map_err(|error| cannot(&error))?;
        let mut solved = match held.loaded() {
            None => BTreeMap::new(),
            Some(bytes) => of_bytes(bytes).map_err(|why| cannot(&why))?,
        };
        solved.extend(self.new.clone());
        let file = File { schema: SCHEMA.to_owned(), solved };
        let text = serde_json::to_string_pretty(&file).map_err(|error| cannot(&error))? + "\n";
        held.replace(&text).map_err(|error| cannot(&error))
    }
}

fn read(path: &Path) -> Result<BTreeMap<String, Solved>, String> {
    of_bytes(&files::read(path).map_err(|error| error.to_string())?)
}

fn of_bytes(bytes: &[u8]) -> Result<BTreeMap<String, Solved>, String> {
    let file: File = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if file.schema == SCHEMA { Ok(file.solved) } else { Err(format!("it is not of the format {SCHEMA}")) }
}

/// Today's date, by the clock of this machine, in UTC.
pub fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date((now / 86_400) as i64)
}

/// The date of a day, counted from 1970-01-01.
fn date(day: i64) -> String {
    // Years begin in March here, so that the leap day comes last.
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * march + 2) / 5 + 1, if march < 10 { march + 3 } else { march - 9 });
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The number of a day, counted from 1970-01-01.
pub fn day_of(text: &str) -> Result<i64, String> {
    let expected = || "expected a day such as 2026-11-22".to_owned();
    let parts: Vec<i64> =
        text.split('-').map(str::parse).collect::<Result<_, _>>().map_err(|_| expected())?;
    let [year @ 1970..=9999, month @ 1..=12, _] = parts[..] else { return Err(expected()) };
    // No month has more than 31 days, so the exact day is near this estimate.
    let near = (year - 1970) * 365 + (year - 1969) / 4 + (month - 1) * 30;
    (near - 40..near + 40).find(|&day| date(day) == text).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (day, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (789, "1972-02-29"),
            (20_779, "2026-11-22"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(day), text);
            assert_eq!(day_of(text), Ok(day));
        }
        for day in (0..200_000).step_by(97) {
            assert_eq!(day_of(&date(day)), Ok(day));
        }
        for wrong in ["", "2026", "2026-11-31", "2026-13-01", "x-y-z", "2026-11-22-1"] {
            assert!(day_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_solved_is_remembered_and_what_is_spoilt_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state").join("progress.json");
        let solved = |mistakes| Solved { on: "2026-11-22".into(), mistakes, hints: 0 };
        let mut one = Progress::load_from(Some(path.clone()));
        let mut other = Progress::load_from(Some(path.clone()));
        one.note("a", solved(1));
        one.save().unwrap();
        other.note("b", solved(2));
        other.save().unwrap();
        let loaded = Progress::load_from(Some(path.clone()));
        assert_eq!((loaded.solved("a"), loaded.solved("b")), (Some(&solved(1)), Some(&solved(2))));
        std::fs::write(&path, "{").unwrap();
        let mut spoilt = Progress::load_from(Some(path.clone()));
        spoilt.note("c", solved(3));
        spoilt.save().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{");
    }
}
