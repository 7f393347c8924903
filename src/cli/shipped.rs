//! The puzzles of this repository as a part of the program, for users who have only the program.

use std::path::Path;

/// Every puzzle and certificate.
static FILES: &[(&str, &str)] = include!("../../puzzles/list.rs");

/// The folder that these files replace.
pub const FOLDER: &str = "puzzles";

/// The paths of the puzzle files, without certificates, in order.
pub fn puzzles() -> impl Iterator<Item = &'static Path> {
    let names = FILES.iter().map(|(name, _)| Path::new(*name));
    names.filter(|name| !name.iter().any(|part| part == worldlines::puzzle::CERTIFICATES))
}

/// The file of the puzzle with this id.
pub fn file_of(id: &str) -> Option<&'static str> {
    let is_named = |path: &str| Path::new(path).file_stem().is_some_and(|stem| stem == id);
    let line = format!("\nid: {id}\n");
    let has_id = |bytes: &[u8]| bytes.windows(line.len()).any(|part| part == line.as_bytes());
    let mut named: Vec<&str> = all().filter(|(path, _)| is_named(path)).map(|(path, _)| path).collect();
    if named.is_empty() && !id.contains(char::is_whitespace) {
        named = all().filter(|(_, bytes)| has_id(bytes)).map(|(path, _)| path).collect();
    }
    named.first().copied()
}

/// The id of the puzzle that differs least from this one, if one is near.
pub fn closest(id: &str) -> Option<&'static str> {
    worldlines::puzzle::closest(id, puzzles().filter_map(|path| path.file_stem()?.to_str()))
}

/// Every puzzle file with its path and content.
pub fn all() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let files = FILES.iter().filter(|(name, _)| !name.contains("/certificates/"));
    files.map(|(name, text)| (*name, text.as_bytes()))
}

/// The content of a shipped file, empty if there is none at this path.
pub fn content(path: &str) -> &'static [u8] {
    FILES.iter().find(|(name, _)| *name == path).map_or(&[], |(_, text)| text.as_bytes())
}

/// The content of the file at this path, unless the current folder has puzzles of its own.
pub fn read(path: &Path) -> Option<&'static [u8]> {
    // Few paths begin so. The names lie between the contents, so that to compare them all loads the whole library.
    if !path.starts_with(FOLDER) || Path::new(FOLDER).exists() {
        return None;
    }
    FILES.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| text.as_bytes())
}
