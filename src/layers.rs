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
    ("puzzle", &["types", "state", "rules", "notation", "search", "render"]),
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
