//! Checks that commands which answer the same question agree, on the positions of the games of the corpus.
//!
//! `status --each` and `status --at` give the same answer for each position. `actions` lists as many actions
//! as `count` counts, each once, in every notation that has actions of its own.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;

/// The most actions of a list; longer ones are cut, here and in the count.
const CAP: usize = 300;
/// One of this many positions is tested.
const STEP: usize = 4;
/// Notations in which a list of actions tells all of them apart.
const NOTATIONS: [&str; 4] = ["5dpgn", "5duci", "raw", "simplified"];

/// One trial for each game.
pub fn trials(trials: &mut Vec<Trial>) {
    for path in crate::files("corpus/games", "5dpgn") {
        trials.push(Trial::test(format!("agreement: {}", crate::shown(&path)), move || agree(&path)));
    }
}

fn agree(path: &Path) -> Result<(), Failed> {
    let file = crate::shown(path);
    let each = json(&["status", "--each", "--format", "json", &file])?;
    let positions = each["positions"].as_array().ok_or("no positions")?;
    assert!(!positions.is_empty(), "{file} has no position");
    for (index, position) in positions.iter().enumerate().step_by(STEP) {
        let at = index.to_string();
        let alone = json(&["status", "--at", &at, "--format", "json", &file])?;
        for (field, value) in position.as_object().ok_or("no object")? {
            assert_eq!(&alone[field], value, "{file} at {at}: {field}");
        }
        let count = counted(&file, &at)?;
        for notation in NOTATIONS {
            let listed = listed(&file, &at, notation)?;
            let distinct: BTreeSet<&str> = listed.lines().collect();
            assert_eq!(listed.lines().count(), count, "{file} at {at}: actions in {notation}");
            assert_eq!(distinct.len(), count, "{file} at {at}: distinct actions in {notation}");
        }
    }
    Ok(())
}

/// The number of legal actions, up to [`CAP`].
fn counted(file: &str, at: &str) -> Result<usize, Failed> {
    let counts = json(&["count", "--at", at, "--cap", &CAP.to_string(), "--format", "json", file])?;
    let count = counts["positions"][0]["legal_actions"].as_u64().ok_or("no count")?;
    Ok(usize::try_from(count)?)
}

fn listed(file: &str, at: &str, notation: &str) -> Result<String, Failed> {
    output(&["actions", "--at", at, "--cap", &CAP.to_string(), "--notation", notation, file])
}

fn json(arguments: &[&str]) -> Result<Value, Failed> {
    Ok(serde_json::from_str(&output(arguments)?)?)
}

/// Standard output of a command that answers, in full or in part.
fn output(arguments: &[&str]) -> Result<String, Failed> {
    let command =
        Command::new(env!("CARGO_BIN_EXE_worldlines")).current_dir(crate::root()).args(arguments).output()?;
    match command.status.code() {
        Some(0 | 3) => Ok(String::from_utf8(command.stdout)?),
        _ => Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&command.stderr)).into()),
    }
}
