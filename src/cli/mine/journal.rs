//! The journal of `mine`: a file with a line for each game that was searched, so that a run goes on where it ended.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::mem;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::super::exit::Failure;
use super::super::files;
use super::report::{Mined, Run};

/// The limits of the search in a position.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Effort {
    pub budget: u64,
    /// In mebibytes.
    pub memory: u64,
    pub evidence: u64,
}

impl Effort {
    /// Whether it may decide positions that another one left open.
    pub fn is_more_than(self, spent: Effort) -> bool {
        let Effort { budget, memory, evidence } = spent;
        self.budget > budget || self.memory > memory || self.evidence > evidence
    }
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct Entry<R> {
    /// The hash of the game.
    hash: String,
    effort: Effort,
    /// The options but for the limits.
    run: R,
    mined: Mined,
}

/// The games that were searched before with the same options.
pub struct Journal {
    path: Option<PathBuf>,
    run: Run,
    done: BTreeMap<(String, String), (Effort, Mined)>,
    /// Whether the last line was cut off, so that the next one must not go on with it.
    is_torn: bool,
}

impl Journal {
    /// Reads the journal at this path, if there is one. Of several lines about a game the last one counts.
    pub fn open(path: Option<PathBuf>, run: Run) -> Result<Journal, Failure> {
        let text = match &path {
            Some(path) if path.exists() => files::text(path, files::MAX_REPORT)?,
            _ => String::new(),
        };
        let asked = serde_json::to_value(&run).map_err(|error| Failure::new(&error))?;
        // A line that another version wrote, or that was cut off, is ignored: its game is searched again.
        let entries =
            text.lines().filter_map(|line| serde_json::from_str::<Entry<serde_json::Value>>(line).ok());
        let done = entries
            .filter(|entry| entry.run == asked)
            .map(|entry| ((entry.mined.name.clone(), entry.hash), (entry.effort, entry.mined)))
            .collect();
        let is_torn = !text.is_empty() && !text.ends_with('\n');
        Ok(Journal { path, run, done, is_torn })
    }

    /// The answer about a game, and what it cost at most.
    pub fn of(&self, name: &str, hash: &str) -> Option<(Effort, &Mined)> {
        self.done.get(&(name.to_owned(), hash.to_owned())).map(|(effort, mined)| (*effort, mined))
    }

    /// Adds a game.
    pub fn add(&mut self, hash: &str, effort: Effort, mined: &Mined) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        let is_torn = mem::take(&mut self.is_torn);
        let add = || {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let real = files::real_path_within(files::parent(path), path)?;
            let mut file = OpenOptions::new().create(true).append(true).open(real)?;
            let entry = Entry { hash: hash.to_owned(), effort, run: &self.run, mined: mined.clone() };
            let mut line = serde_json::to_string(&entry)? + "\n";
            if is_torn {
                line.insert(0, '\n');
            }
            file.write_all(line.as_bytes())
        };
        add().map_err(|error| files::cannot_write(path, &error))
    }
}
