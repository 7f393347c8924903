//! `web/board/board.zip`: the board as one file, which is part of the command.
//!
//! The same files give the same bytes: they are in order and without times, and the library that compresses them is the one that
//! `Cargo.lock` names. Puzzles are not in it, because the command has them already. `made-of.json` names the sources by hashes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::{Web, tools};

/// The entry that says what the others were made of.
const MADE_OF: &str = "made-of.json";
/// The level of the library for fifteen rounds of zopfli: more take minutes and save a thousandth.
const ROUNDS: i64 = 24;
/// Files in the folders of the web that are no part of the board.
const BESIDE: [&str; 11] = [
    "types",
    "tsconfig.json",
    "node_modules",
    "dist",
    "test",
    "tests",
    "pictures",
    "README.md",
    "board.zip",
    "package.json",
    "package-lock.json",
];
/// The rooms of `src` that are in the command alone.
const COMMAND: [&str; 10] =
    ["cli", "child", "child.rs", "host", "oracle", "contest", "exam", "compose", "layers", "main.rs"];

/// The board as one file.
pub struct Embedded {
    bytes: Vec<u8>,
    files: usize,
}

impl Embedded {
    /// Packs the board that was built.
    pub fn of(web: &Web) -> Result<Embedded> {
        let dist = web.folder("board").join("dist");
        let mut files = BTreeMap::new();
        for path in files_below(&dist, &[])? {
            let name = slashed(path.strip_prefix(&dist)?);
            if !(name.starts_with("puzzles/") && name.ends_with(".yaml")) {
                files.insert(name, fs::read(&path)?);
            }
        }
        ensure!(files.contains_key("index.html"), "there is no index.html in {}", dist.display());
        files.insert(MADE_OF.to_owned(), MadeOf::now(web)?.json().into_bytes());
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options =
            SimpleFileOptions::default().last_modified_time(DateTime::default()).unix_permissions(0o644);
        for (name, content) in &files {
            // It is read where nothing can inflate it.
            let is_stored = name == MADE_OF;
            let method = if is_stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
            zip.start_file(
                name,
                options.compression_method(method).compression_level((!is_stored).then_some(ROUNDS)),
            )?;
            zip.write_all(content)?;
        }
        Ok(Embedded { files: files.len(), bytes: zip.finish()?.into_inner() })
    }

    /// Writes the file at once or not at all.
    pub fn write(&self, path: &Path) -> Result<()> {
        let beside = path.with_extension("zip.new");
        fs::write(&beside, &self.bytes)?;
        fs::rename(&beside, path).with_context(|| format!("cannot write {}", path.display()))
    }

    pub fn about(&self) -> String {
        format!("board.zip: {} files, {} KiB", self.files, self.bytes.len() / 1024)
    }

    /// Says how this one compares with the one at the path.
    pub fn compared(&self, path: &Path) -> Result<String> {
        let same = fs::read(path).with_context(|| format!("cannot read {}", path.display()))? == self.bytes;
        Ok(if same {
            "board.zip of the repository has the same bytes"
        } else {
            "board.zip of the repository is another one"
        }
        .to_owned())
    }
}

/// Hashes of the sources, and the compiler.
#[derive(PartialEq, Eq)]
struct MadeOf {
    board: String,
    package: String,
    library: String,
    compiler: String,
}

impl MadeOf {
    fn now(web: &Web) -> Result<MadeOf> {
        Ok(MadeOf {
            board: hash(&web.root, &web.folder("board"), &BESIDE)?,
            package: hash(&web.root, &web.folder("package"), &BESIDE)?,
            library: hash(&web.root, &web.root.join("src"), &COMMAND)?,
            compiler: tools::output("rustc", &["--version"])?,
        })
    }

    fn fields(&self) -> [(&'static str, &str); 4] {
        [
            ("web/board", &self.board),
            ("web/package", &self.package),
            ("src", &self.library),
            ("compiler", &self.compiler),
        ]
    }

    fn json(&self) -> String {
        let fields = self.fields().map(|(name, value)| format!("  \"{name}\": \"{value}\""));
        format!("{{\n{}\n}}\n", fields.join(",\n"))
    }
}

/// Says whether the board in the repository was made of the sources that are there.
pub fn staleness(web: &Web) -> Result<String> {
    let path = web.embedded();
    let mut zip = ZipArchive::new(Cursor::new(fs::read(&path)?))?;
    let mut said = String::new();
    zip.by_name(MADE_OF)?.read_to_string(&mut said)?;
    let now = MadeOf::now(web)?;
    // Another compiler makes other bytes of the same program.
    let changed: Vec<&str> = now
        .fields()
        .into_iter()
        .filter(|(name, value)| *name != "compiler" && !said.contains(&format!("\"{name}\": \"{value}\"")))
        .map(|(name, _)| name)
        .collect();
    Ok(if changed.is_empty() {
        "web/board/board.zip is up to date".to_owned()
    } else {
        format!(
            "web/board/board.zip is stale: {} changed since; `cargo web` makes it anew",
            changed.join(" and ")
        )
    })
}

/// One hash for the names and contents of all files of a folder.
fn hash(root: &Path, folder: &Path, without: &[&str]) -> Result<String> {
    let mut hash = Sha256::new();
    for path in files_below(folder, without)? {
        let content = fs::read(&path)?;
        // The lengths keep one file's end from being the next one's name.
        hash.update(format!("{}\n{}\n", slashed(path.strip_prefix(root)?), content.len()));
        hash.update(content);
    }
    Ok(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

/// The files of a folder at every depth, in order, without entries of the folder itself that have these names.
fn files_below(folder: &Path, without: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        if without.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => files.extend(files_below(&entry.path(), &[])?),
            false => files.push(entry.path()),
        }
    }
    files.sort();
    Ok(files)
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
