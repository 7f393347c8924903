//! The import table: which rooms of the library may use which, and that no folder of the project goes round in a circle.
//!
//! The [sources](source) are read as modules: `mod`, `use` and paths, seen through every `pub use`. Tests may use anything.
//! [JavaScript](javascript) is read by its `import` lines.

mod javascript;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use source::{Crate, Name};

/// Each room and the rooms it may use.
const TABLE: [(&str, &[&str]); 20] = [
    ("spelling", &[]),
    ("types", &[]),
    ("state", &["types"]),
    ("rules", &["types", "state", "spelling"]),
    ("slow", &["types"]),
    ("notation", &["types", "state", "rules", "spelling"]),
    ("search", &["types", "state", "rules", "notation"]),
    ("chessjs", &["types", "state", "rules", "notation", "search"]),
    ("engine", &["types", "state", "rules", "notation", "search"]),
    ("review", &["types", "state", "notation", "search", "engine"]),
    ("generate", &["types", "state", "rules", "notation"]),
    ("render", &["types", "state", "rules", "notation"]),
    ("puzzle", &["types", "state", "rules", "slow", "notation", "search", "render", "spelling"]),
    ("compose", &["types", "state", "rules", "notation", "search", "puzzle"]),
    ("child", &[]),
    ("oracle", &["types", "state", "rules", "slow", "notation", "puzzle", "child", "generate"]),
    ("host", &["types", "state", "rules", "notation", "child"]),
    ("exam", &["types", "state", "rules", "notation", "search", "puzzle", "host"]),
    ("contest", &["types", "state", "rules", "notation", "search", "host"]),
    // The command is declared in main.rs and reaches the library by its name.
    ("cli", &[]),
];

/// Rooms that answer the same on every machine: no clock, no files, no network, no threads.
const PURE: [&str; 10] =
    ["types", "state", "rules", "slow", "notation", "search", "chessjs", "engine", "review", "render"];

/// The crates of the project, by their folders and the files in which they begin.
const CRATES: [(&str, &[&str]); 7] = [
    ("src", &["lib.rs", "main.rs"]),
    ("fuzz/src", &["lib.rs", "main.rs"]),
    ("web/package/src", &["lib.rs"]),
    ("python/src", &["lib.rs"]),
    ("corpus", &["run.rs"]),
    ("puzzles", &["run.rs"]),
    ("spec", &["run.rs"]),
];

/// The folders of JavaScript.
const SCRIPTS: [&str; 2] = ["web/package/js", "web/board/js"];

/// The checker of certificates, which stands on boards and moves alone.
const CHECKER: [&str; 6] = ["capture", "cover", "cover::choice", "cover::reply", "check", "deny"];

static SOURCES: LazyLock<Crate> = LazyLock::new(|| read_crate(CRATES[0]));

fn read_crate((folder, roots): (&str, &[&str])) -> Crate {
    Crate::read(&root().join(folder), roots)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A use within a crate: the module that uses, its file and line, and the module that is used.
type Use<'a> = (&'a Name, String, Name);

fn uses(sources: &Crate) -> impl Iterator<Item = Use<'_>> {
    sources.0.iter().flat_map(move |(name, module)| {
        module.uses.iter().filter(|(path, _)| path.first().is_none_or(|first| first != "std")).filter_map(
            move |(path, line)| {
                let file = module.file.strip_prefix(root()).unwrap_or(&module.file);
                Some((name, format!("{}:{line}", file.display()), sources.home(path)?))
            },
        )
    })
}

#[test]
fn imports_point_one_way() {
    let mut wrong = Vec::new();
    let mut seen = BTreeMap::new();
    for (user, place, used) in uses(&SOURCES) {
        // Outside of the rooms are lib.rs and main.rs, which may use everything.
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
fn no_folder_goes_round_in_a_circle() {
    let mut wrong = String::new();
    for entry in CRATES {
        let sources = read_crate(entry);
        let uses: Vec<Use<'_>> = uses(&sources).collect();
        assert!(uses.iter().any(|(user, _, used)| *user != used), "no use was read in {}", entry.0);
        for folder in sources.folders() {
            wrong += &circles(&graph(&sources, &uses, folder));
        }
    }
    assert!(wrong.is_empty(), "these go round in a circle:{wrong}");
}

#[test]
fn no_script_goes_round_in_a_circle() {
    let mut wrong = String::new();
    for folder in SCRIPTS {
        let imports = javascript::imports_of(&root().join(folder));
        assert!(imports.values().any(|imports| !imports.is_empty()), "no import was read in {folder}");
        let places = |(file, imports): (String, Vec<(String, usize)>)| {
            let place = |(used, line)| (used, format!("{folder}/{file}:{line}"));
            (file.clone(), imports.into_iter().map(place).collect())
        };
        wrong += &circles(&imports.into_iter().map(places).collect());
    }
    assert!(wrong.is_empty(), "these go round in a circle:{wrong}");
}

#[test]
fn circles_are_found_with_their_places() {
    let uses = |used: &[&str]| used.iter().map(|used| (used.to_string(), format!("{used}:1"))).collect();
    let graph = [("a", uses(&["b", "d"])), ("b", uses(&["c"])), ("c", uses(&["a"])), ("d", uses(&[]))];
    let graph: Graph = graph.into_iter().map(|(part, uses)| (part.to_owned(), uses)).collect();
    assert_eq!(circles(&graph), "\n  b:1: a uses b\n  c:1: b uses c\n  a:1: c uses a");
    assert_eq!(circles(&graph.into_iter().filter(|(part, _)| part == "d").collect()), "");
}

/// The files and folders of a folder, and which others each uses, with a place where it does.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// The graph of a folder of a crate. The file of a room itself is a part too, `mod`. Deeper down a folder and its file are one thing:
/// it holds what the files in it share, and calls them.
fn graph(sources: &Crate, uses: &[Use<'_>], folder: &[String]) -> Graph {
    let part = |name: &Name| match name.strip_prefix(folder)? {
        [] => (folder.len() == 1).then(|| "mod".to_owned()),
        [first, ..] => Some(first.clone()),
    };
    let mut graph = Graph::new();
    for name in sources.0.keys() {
        graph.extend(part(name).map(|part| (part, BTreeMap::new())));
    }
    for (user, place, used) in uses {
        if let (Some(user), Some(used)) = (part(user), part(used))
            && user != used
        {
            graph.entry(user).or_default().entry(used).or_insert(place.clone());
        }
    }
    graph
}

/// The uses by which parts go round in circles, a line each.
fn circles(graph: &Graph) -> String {
    let mut lines = String::new();
    for circle in circles_of(graph) {
        for user in &circle {
            for (used, place) in graph[user].iter().filter(|(used, _)| circle.contains(*used)) {
                lines += &format!("\n  {place}: {user} uses {used}");
            }
        }
    }
    lines
}

/// The sets of parts that use each other, directly or not.
fn circles_of(graph: &Graph) -> BTreeSet<BTreeSet<String>> {
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
    let checker = CHECKER.map(|name| {
        let path = ["search", "certificate"].into_iter().chain(name.split("::"));
        path.map(str::to_owned).collect::<Name>()
    });
    let mut seen = 0;
    for (user, place, used) in uses(&SOURCES).filter(|(user, ..)| checker.contains(user)) {
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
