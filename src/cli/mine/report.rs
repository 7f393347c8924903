//! The report of `mine`, and how the reports of its parts become one.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::super::exit::{Exit, Failure};
use super::super::finds::{in_order, likeness_of, write_file};
use super::super::input::threads;
use super::super::json::Head;
use worldlines::compose::{Likeness, Sieve};
use worldlines::puzzle::{self, load};
use worldlines::types::counted;

pub const SCHEMA: &str = "worldlines/mine-1";

/// The puzzles that were found in games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    #[serde(flatten)]
    pub head: Head<Run>,
    pub games: Vec<Mined>,
    pub summary: Summary,
}

/// The options on which the answers depend, besides the games.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// The version of worldlines.
    pub version: String,
    /// The longest mate; `null` for only defences.
    pub longest: Option<u32>,
    /// The shortest mate; `null` for only defences.
    pub shortest: Option<u32>,
    /// The most classes of keys; `null` for only defences.
    pub keys: Option<usize>,
    /// The length of the mate that one action alone avoids; `null` for mates.
    pub only_defence: Option<u32>,
    /// The fewest legal first actions.
    pub first_actions: u64,
    /// The search steps for a position.
    pub budget: u64,
    /// The seconds for everything.
    pub time: Option<f64>,
    /// The memory of the search, in mebibytes.
    pub memory: u64,
    /// The search steps for evidence.
    pub evidence_budget: u64,
    /// The likeness from which a find is left out.
    pub likeness: f64,
    /// The files and folders of puzzles that finds are compared with.
    pub unlike: Vec<String>,
    /// The author that the files name.
    pub author: Option<String>,
}

/// A game that was searched.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Mined {
    /// Its number among all games, from 1.
    pub index: usize,
    /// The name of its file without the ending, with its number if the file has several games.
    pub name: String,
    /// The number of its positions.
    pub positions: usize,
    pub finds: Vec<Find>,
    /// The number of finds that were left out, since they are like others.
    pub alike: usize,
    /// The positions that a limit left open, by the number of actions before them.
    pub undecided: Vec<usize>,
}

/// A puzzle that was found.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Find {
    /// The number of actions before its position.
    pub at: usize,
    pub id: String,
    /// The text of its file.
    pub puzzle: String,
}

/// Numbers about all games.
#[derive(Clone, Copy, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    games: usize,
    positions: usize,
    finds: usize,
    alike: usize,
    /// The number of positions that a limit left open.
    undecided: usize,
}

impl Mined {
    pub fn new(index: usize, name: String, positions: usize) -> Mined {
        Mined { index, name, positions, finds: Vec::new(), alike: 0, undecided: Vec::new() }
    }
}

impl Summary {
    pub fn of(games: &[Mined]) -> Summary {
        let sum = |number: fn(&Mined) -> usize| games.iter().map(number).sum();
        Summary {
            games: games.len(),
            positions: sum(|mined| mined.positions),
            finds: sum(|mined| mined.finds.len()),
            alike: sum(|mined| mined.alike),
            undecided: sum(|mined| mined.undecided.len()),
        }
    }

    /// The numbers in words.
    pub fn text(&self) -> String {
        let mut text = format!("{} found", counted(self.finds, "puzzle"));
        if self.alike > 0 {
            text += &format!(", {} left out that are like others", self.alike);
        }
        if self.undecided > 0 {
            text += &format!(", {} undecided (--budget allows more)", counted(self.undecided, "position"));
        }
        text
    }

    /// The exit code. It is no mistake if nothing is found in a part: other parts may have something.
    pub fn exit(&self, is_unread: bool, is_part: bool) -> Exit {
        match self {
            _ if is_unread => Exit::Usage,
            Summary { finds: 1.., .. } => Exit::Ok,
            Summary { undecided: 1.., .. } => Exit::Undecided,
            _ if is_part => Exit::Ok,
            _ => Exit::NothingSelected,
        }
    }
}

/// Makes one answer of the answers of all parts, which are in the order of the whole run: leaves out finds that are like an earlier one. With
/// a folder, the files of the others are written into it.
pub fn merge(
    run: &Run,
    games: &mut [Mined],
    is_unread: bool,
    folder: Option<&Path>,
) -> Result<(Summary, Exit), Failure> {
    let stop = AtomicBool::new(false);
    let finds: Vec<&Find> = games.iter().flat_map(|mined| &mined.finds).collect();
    // The same limits as those of the search that found them.
    let sieve = Sieve { steps: run.budget, ..Sieve::default() };
    let options = puzzle::Options {
        max_steps: Some(sieve.study_steps()),
        memory: run.memory.saturating_mul(1 << 20),
        evidence: run.evidence_budget,
        ..puzzle::Options::default()
    };
    let study = |index: usize| {
        let Find { id, puzzle, .. } = finds[index];
        load(id, puzzle.as_bytes()).first().and_then(|document| likeness_of(document, options).ok().flatten())
    };
    let mut kept: Vec<Likeness> = Vec::new();
    let mut ids: BTreeSet<&str> = BTreeSet::new();
    let mut is_kept = Vec::with_capacity(finds.len());
    in_order(threads(None), finds.len(), &stop, study, |index, likeness| {
        let is_alike = |likeness: &Likeness| kept.iter().any(|other| likeness.to(other) >= run.likeness);
        let is_new = !likeness.as_ref().is_some_and(is_alike) && ids.insert(&finds[index].id);
        kept.extend(likeness.filter(|_| is_new));
        is_kept.push(is_new);
        Ok(true)
    })?;
    let mut is_kept = is_kept.into_iter();
    for mined in &mut *games {
        let before = mined.finds.len();
        mined.finds.retain(|_| is_kept.next().unwrap_or(true));
        mined.alike += before - mined.finds.len();
    }
    if let Some(folder) = folder {
        for Find { id, puzzle, .. } in games.iter().flat_map(|mined| &mined.finds) {
            write_file(folder, id, puzzle)?;
        }
    }
    let summary = Summary::of(games);
    Ok((summary, summary.exit(is_unread, false)))
}
