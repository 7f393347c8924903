//! The modules of a folder of JavaScript and which of them each imports.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The files of a folder at every depth, by their path in it, each with the files of the folder that it imports and the line.
pub fn imports_of(folder: &Path) -> BTreeMap<String, Vec<(String, usize)>> {
    let mut modules = BTreeMap::new();
    read_folder(folder, "", &mut modules);
    let known: Vec<String> = modules.keys().cloned().collect();
    for (file, imports) in &mut modules {
        imports.retain_mut(|(path, _)| {
            *path = joined(file, path);
            known.contains(path)
        });
    }
    modules
}

fn read_folder(folder: &Path, inside: &str, modules: &mut BTreeMap<String, Vec<(String, usize)>>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("an entry of the folder").path()) {
        let name = path.file_name().expect("an entry has a name").to_string_lossy();
        if path.is_dir() {
            read_folder(&path, &format!("{inside}{name}/"), modules);
        } else if name.ends_with(".js") {
            let text =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            modules.insert(format!("{inside}{name}"), imports(&text));
        }
    }
}

/// The paths of the static imports of a module, and of what it exports of other modules, with the lines on which they end.
fn imports(text: &str) -> Vec<(String, usize)> {
    let mut imports = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        is_open |=
            line.starts_with("import ") || line.starts_with("export {") || line.starts_with("export *");
        if !is_open {
            continue;
        }
        let (before, path) = line.split_once(['\'', '"']).unwrap_or((line, ""));
        if before.ends_with("from ") || before == "import " {
            imports.extend(path.split(['\'', '"']).next().map(|path| (path.to_owned(), index + 1)));
        }
        is_open = !line.contains(';') && path.is_empty();
    }
    imports
}

/// The path that a relative path stands for in a file. Whatever leaves the folder keeps its `..`.
fn joined(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn imports_are_read_over_several_lines() {
    let text = "import { a } from './a.js';\nimport './b.js';\nimport {\n  c,\n  d,\n} from \"../c.js\";\n\
                export { e } from './e.js';\nexport const f = './f.js';\nimport(input) from './g.js';\n  import * from './h.js'";
    let read = imports(text);
    let shown: Vec<String> = read.iter().map(|(path, line)| format!("{path}:{line}")).collect();
    assert_eq!(shown, ["./a.js:1", "./b.js:2", "../c.js:6", "./e.js:7"]);
    assert_eq!(joined("inner/x.js", "../c.js"), "c.js");
    assert_eq!(joined("x.js", "../worldlines/browser.js"), "../worldlines/browser.js");
}
