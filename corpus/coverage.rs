//! `corpus/notation/coverage.toml`: the state of every feature of the five source documents.
//!
//! The documents were divided into numbered items, `000-1` to `004-24`; `X-1` to `X-11` are further
//! expectations of users. Each item has one line:
//!
//! ```toml
//! 000-1 = "covered"
//! 002-1 = "not-behaviour: how to install the package"
//! 004-23 = "later: the protocol of engines"
//! ```
//!
//! An item is covered if a case of the corpus says so in `covers`. The others have their reason after the
//! mark.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use libtest_mimic::Failed;

/// The documents, with the number of their items.
const ITEMS: [(&str, u32); 6] = [("000", 17), ("001", 15), ("002", 57), ("003", 28), ("004", 24), ("X", 11)];

/// Checks that every item has its mark, and every covered one its case. Prints the number of items with each
/// mark.
pub fn check() -> Result<(), Failed> {
    let text = fs::read_to_string(crate::root().join("corpus/notation/coverage.toml"))?;
    let mut marks: BTreeMap<&str, &str> = BTreeMap::new();
    let mut problems = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let pair = line
            .split_once(" = ")
            .and_then(|(item, mark)| Some((item, mark.strip_prefix('"')?.strip_suffix('"')?)));
        match pair {
            None => problems.push(format!("expected `item = \"mark\"`, but found: {line}")),
            Some((item, mark)) => {
                if marks.insert(item, mark).is_some() {
                    problems.push(format!("{item} has two lines"));
                }
            }
        }
    }

    let files = crate::files("corpus/notation", "yaml");
    let cases: BTreeSet<String> = files.iter().flat_map(|path| crate::cases::covered(path)).collect();
    let known: Vec<String> = ITEMS
        .iter()
        .flat_map(|(document, count)| (1..=*count).map(move |n| format!("{document}-{n}")))
        .collect();
    let mut counts = [0; 3];
    for item in &known {
        let Some(mark) = marks.remove(item.as_str()) else {
            problems.push(format!("{item} is missing"));
            continue;
        };
        let (kind, reason) = mark.split_once(": ").unwrap_or((mark, ""));
        let index = ["covered", "not-behaviour", "later"].iter().position(|known| *known == kind);
        let has_case = cases.contains(item);
        match index {
            Some(0) if !has_case => problems.push(format!("{item} is marked covered, and no case covers it")),
            Some(0) => {}
            Some(_) if reason.is_empty() => problems.push(format!("{item} is {kind}: expected a reason")),
            Some(_) if has_case => problems.push(format!("{item} is {kind}, but a case covers it")),
            Some(_) => {}
            None => problems.push(format!("{item} has the unknown mark `{mark}`")),
        }
        counts[index.unwrap_or(2)] += 1;
    }
    problems.extend(marks.keys().map(|item| format!("there is no item {item}")));
    problems.extend(
        cases
            .iter()
            .filter(|item| !known.contains(item))
            .map(|item| format!("a case covers {item}, which is no item")),
    );
    let [covered, not_behaviour, later] = counts;
    println!("{covered} items covered, {not_behaviour} not behaviour, {later} later");
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}
