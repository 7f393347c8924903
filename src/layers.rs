//! The import table: which rooms of the library may use which.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room and the rooms it may import.
const TABLE: [(&str, &[&str]); 10] = [
    ("types", &[]),
    ("state", &["types"]),
    ("rules", &["types", "state"]),
    ("slow", &["types"]),
    ("notation", &["types", "state", "rules"]),
    ("search", &["types", "state", "rules", "notation"]),
    ("generate", &["types", "state", "rules", "notation"]),
    ("render", &["types", "state", "rules", "notation"]),
    ("puzzle", &["types", "state", "rules", "slow", "notation", "search", "render"]),
    // The command is declared in main.rs and reaches the library by its name.
    ("cli", &["cli"]),
];

/// Rooms that answer the same on every machine: no clock, no files, no network, no threads.
const PURE: [&str; 6] = ["types", "state", "rules", "slow", "notation", "search"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn imports_point_one_way() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (room, allowed) in TABLE {
        let folder = source.join(room);
        if !folder.exists() {
            continue;
        }
        for path in sources(&folder) {
            let text = fs::read_to_string(&path).expect("a readable source");
            for (number, line) in text.lines().enumerate() {
                for imported in line.split("crate::").skip(1) {
                    let imported =
                        imported.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
                    seen += 1;
                    if imported != room && !allowed.contains(&imported) {
                        wrong.push(format!("{}:{}: {room} uses {imported}", path.display(), number + 1));
                    }
                }
                let impure = ["std::net", "std::fs", "std::time", "std::thread", "std::process"];
                if PURE.contains(&room) {
                    for name in impure.into_iter().filter(|name| line.contains(name)) {
                        if !text[..text.find(line).unwrap_or(0)].contains("#[cfg(test)]") {
                            wrong.push(format!("{}:{}: {room} uses {name}", path.display(), number + 1));
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 30, "only {seen} imports were read");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The checker of certificates, which stands on boards and moves alone.
const CHECKER: [&str; 3] = ["capture.rs", "cover.rs", "check.rs"];

/// The bodies of all `impl Position` in a file.
fn methods_of_position(text: &str) -> Vec<String> {
    let bodies = text.split("\nimpl Position {\n").skip(1).filter_map(|rest| rest.split("\n}\n").next());
    let names =
        bodies.flat_map(str::lines).filter_map(|line| line.trim().strip_prefix("pub")?.split_once("fn "));
    names.filter_map(|(_, name)| Some(name.split_once(['(', '<'])?.0.to_owned())).collect()
}

#[test]
fn the_checker_of_certificates_trusts_nothing_but_moves() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: &Path| fs::read_to_string(path).expect("a readable source");
    let rules = sources(&source.join("rules"));
    let others = rules.iter().filter(|path| !path.ends_with("movement.rs"));
    let forbidden: Vec<String> = others.flat_map(|path| methods_of_position(&read(path))).collect();
    assert!(forbidden.len() > 10, "{forbidden:?}");
    for known in ["legal_actions", "is_in_check", "outcome", "play"] {
        assert!(forbidden.iter().any(|name| name == known), "{known} was not found");
    }
    for name in CHECKER {
        let text = read(&source.join("search/certificate").join(name));
        for (number, line) in text.lines().enumerate() {
            let trusted = ["crate::types", "crate::state"];
            let imports = line.matches("crate::").count();
            let allowed: usize = trusted.iter().map(|room| line.matches(room).count()).sum();
            assert_eq!(imports, allowed, "{name}:{}: {line}", number + 1);
            assert!(!line.contains("super::super"), "{name}:{}: {line}", number + 1);
            for method in &forbidden {
                assert!(!line.contains(&format!(".{method}(")), "{name}:{}: {line}", number + 1);
            }
        }
    }
}
