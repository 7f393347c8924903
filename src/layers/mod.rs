//! The import table: which rooms of the library may use which, and that no room goes round in a circle.
//!
//! The [sources](source) are read as modules: `mod`, `use` and paths, seen through every `pub use`. Tests may use anything.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use source::{Crate, Name};

/// Each room and the rooms it may use.
const TABLE: [(&str, &[&str]); 19] = [
    ("spelling", &[]),
    ("types", &[]),
    ("state", &["types"]),
    ("rules", &["types", "state", "spelling"]),
    ("slow", &["types"]),
    ("notation", &["types", "state", "rules"]),
    ("search", &["types", "state", "rules", "notation"]),
    ("chessjs", &["types", "state", "rules", "notation", "search"]),
    ("engine", &["types", "state", "rules", "notation", "search"]),
    ("generate", &["types", "state", "rules", "notation"]),
    ("render", &["types", "state", "rules", "notation"]),
    ("puzzle", &["types", "state", "rules", "slow", "notation", "search", "render", "spelling"]),
    ("compose", &["types", "state", "rules", "notation", "search", "puzzle"]),
    ("child", &[]),
    ("oracle", &["types", "state", "rules", "slow", "notation", "puzzle", "child", "generate"]),
    ("host", &["types", "state", "rules", "notation", "child"]),
    ("exam", &["types", "state", "rules", "notation", "search", "puzzle", "host"]),
    ("contest", &["types", "state", "rules", "notation", "host"]),
    // The command is declared in main.rs and reaches the library by its name.
    ("cli", &[]),
];

/// Rooms that answer the same on every machine: no clock, no files, no network, no threads.
const PURE: [&str; 8] = ["types", "state", "rules", "slow", "notation", "search", "chessjs", "engine"];

/// Folders whose files and folders must not use each other in a circle.
const FOLDERS: [&[&str]; 13] = [
    &["types"],
    &["state"],
    &["rules"],
    &["slow"],
    &["notation"],
    &["notation", "common"],
    &["search"],
    &["chessjs"],
    &["engine"],
    &["render"],
    &["puzzle"],
    &["host"],
    &["cli"],
];

/// The checker of certificates, which stands on boards and moves alone.
const CHECKER: [&str; 3] = ["capture", "cover", "check"];

static SOURCES: LazyLock<Crate> =
    LazyLock::new(|| Crate::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")));

/// Every use: the module that uses, its file and line, and the module that is used.
fn uses() -> impl Iterator<Item = (&'static Name, String, Name)> {
    SOURCES.0.iter().flat_map(|(name, module)| {
        module.uses.iter().filter(|(path, _)| path.first().is_none_or(|first| first != "std")).filter_map(
            move |(path, line)| {
                Some((name, format!("{}:{line}", module.file.display()), SOURCES.home(path)?))
            },
        )
    })
}

#[test]
fn imports_point_one_way() {
    let mut wrong = Vec::new();
    let mut seen = BTreeMap::new();
    for (user, place, used) in uses() {
        // What belongs to no room is lib.rs and main.rs, and they may use everything.
        let (Some(room), Some(other)) = (user.first(), used.first()) else { continue };
        let Some((_, allowed)) = TABLE.iter().find(|(known, _)| known == room) else {
            wrong.push(format!("{place}: the room {room} has no row in the table"));
            continue;
        };
        *seen.entry(room).or_insert(0) += 1;
        if room != other && !allowed.contains(&other.as_str()) {
            wrong.push(format!("{place}: {room} uses {other}"));
        }
    }
    // A room without a use is one that uses nothing.
    let silent =
        TABLE.iter().filter(|(room, uses)| !uses.is_empty() && !seen.contains_key(&room.to_string()));
    assert_eq!(silent.count(), 0, "rooms whose uses were read: {seen:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pure_rooms_ask_nothing_of_the_machine() {
    let impure = ["net", "fs", "time", "thread", "process", "env"];
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (name, module) in SOURCES
        .0
        .iter()
        .filter(|(name, _)| PURE.iter().any(|room| name.first().is_some_and(|first| first == room)))
    {
        for (path, line) in
            module.uses.iter().filter(|(path, _)| path.first().is_some_and(|first| first == "std"))
        {
            seen += 1;
            if path.get(1).is_some_and(|part| impure.contains(&part.as_str())) {
                wrong.push(format!(
                    "{}:{line}: {} uses {}",
                    module.file.display(),
                    name.join("::"),
                    path.join("::")
                ));
            }
        }
    }
    assert!(seen > 30, "only {seen} uses of the standard library were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_room_goes_round_in_a_circle() {
    let mut wrong = String::new();
    for folder in FOLDERS {
        let graph = graph(folder);
        assert!(graph.len() > 1, "{folder:?} was not found");
        for circle in circles_of(&graph) {
            for user in &circle {
                for (used, place) in graph[user].iter().filter(|(used, _)| circle.contains(*used)) {
                    wrong += &format!("\n  {place}: {user} uses {used}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these go round in a circle:{wrong}");
}

/// What each file or folder of a folder uses of the others, with a place where it does. `mod` is what `mod.rs` itself says.
fn graph(folder: &[&str]) -> BTreeMap<String, BTreeMap<String, String>> {
    let part = |name: &Name| {
        let inside = name.len() >= folder.len() && name.iter().zip(folder).all(|(a, b)| a == b);
        inside.then(|| name.get(folder.len()).cloned().unwrap_or("mod".to_owned()))
    };
    let mut graph: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for name in SOURCES.0.keys() {
        graph.extend(part(name).map(|part| (part, BTreeMap::new())));
    }
    for (user, place, used) in uses() {
        if let (Some(user), Some(used)) = (part(user), part(&used))
            && user != used
        {
            graph.entry(user).or_default().entry(used).or_insert(place);
        }
    }
    graph
}

/// The sets of parts that use each other, directly or not.
fn circles_of(graph: &BTreeMap<String, BTreeMap<String, String>>) -> BTreeSet<BTreeSet<String>> {
    let reached = |start: &String| {
        let mut reached: BTreeSet<&String> = BTreeSet::new();
        let mut left: Vec<&String> = graph[start].keys().collect();
        while let Some(part) = left.pop() {
            if reached.insert(part) {
                left.extend(graph[part].keys());
            }
        }
        reached
    };
    let from: BTreeMap<&String, BTreeSet<&String>> = graph.keys().map(|part| (part, reached(part))).collect();
    let in_circle = graph.keys().filter(|part| from[part].contains(part));
    in_circle
        .map(|part| {
            from[part]
                .iter()
                .filter(|other| from[*other].contains(part))
                .map(|&other| other.clone())
                .collect()
        })
        .collect()
}

#[test]
fn the_checker_of_certificates_trusts_nothing_but_moves() {
    let is_movement = |name: &Name| name.ends_with(&["movement".to_owned()]);
    let rules = SOURCES
        .0
        .iter()
        .filter(|(name, _)| name.first().is_some_and(|room| room == "rules") && !is_movement(name));
    let forbidden: Vec<&String> = rules.flat_map(|(_, module)| &module.methods_of_position).collect();
    assert!(forbidden.len() > 10, "{forbidden:?}");
    for known in ["legal_actions", "is_in_check", "outcome", "play"] {
        assert!(forbidden.iter().any(|name| *name == known), "{known} was not found");
    }
    let trusted = |name: &Name| {
        matches!(name.first().map(String::as_str), Some("types" | "state"))
            || name.starts_with(&["search".to_owned(), "certificate".to_owned()])
    };
    let checker = CHECKER.map(|file| ["search", "certificate", file].map(str::to_owned).to_vec());
    let mut seen = 0;
    for (user, place, used) in uses().filter(|(user, ..)| checker.contains(user)) {
        seen += 1;
        assert!(trusted(&used), "{place}: {} uses {}", user.join("::"), used.join("::"));
    }
    assert!(seen > 10, "only {seen} uses were read");
    for module in checker.iter().map(|name| &SOURCES.0[name]) {
        for (method, line) in &module.calls {
            assert!(!forbidden.contains(&method), "{}:{line}: {method}", module.file.display());
        }
    }
}
