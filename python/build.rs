//! Makes the puzzles of the repository, with their certificates, a part of the module.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("..");
    let folder = root.join("puzzles");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    let mut listed = Vec::new();
    for file in files {
        let path =
            file.strip_prefix(&root).expect("it is below the root").to_string_lossy().replace('\\', "/");
        listed.push((path, fs::canonicalize(&file)?));
    }
    listed.sort();
    let mut code = String::from(
        "/// Every puzzle and certificate of the collection, sorted by path.\nconst SHIPPED: &[(&str, &str)] = &[\n",
    );
    for (path, file) in listed {
        code += &format!("    ({path:?}, include_str!({:?})),\n", file.to_string_lossy());
    }
    code += "];\n";
    fs::write(Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("shipped.rs"), code)
}

/// The YAML files of a folder and its folders.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    Ok(())
}
