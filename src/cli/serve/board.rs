//! The board that is part of the command: `web/board/board.zip`, which `cargo web` makes.
//!
//! Its files are sent as they are packed, to browsers that accept gzip. Puzzles are the shipped ones.

use std::collections::BTreeMap;
use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::http::Body;
use crate::cli::shipped;

static ARCHIVE: &[u8] = include_bytes!("../../../web/board/board.zip");
/// The list of puzzles that the board offers.
const INDEX: &str = "puzzles/index.json";

/// The files of the board by their names.
pub struct Board {
    files: BTreeMap<String, Packed>,
    /// The list of puzzles without those that are no longer shipped, if there are any.
    index: Option<Vec<u8>>,
}

/// A file as it lies in the archive.
#[derive(Clone, Copy)]
struct Packed {
    bytes: &'static [u8],
    is_deflated: bool,
    checksum: u32,
    length: u32,
}

/// A file of the board that was asked for.
pub struct Found {
    pub body: Body,
    pub is_packed: bool,
    pub tag: String,
}

/// An entry of the list of puzzles.
#[derive(Deserialize)]
struct Listed {
    file: String,
}

impl Board {
    /// Opens the archive.
    pub fn new() -> Result<Board, String> {
        let mut board = Board { files: files(ARCHIVE)?, index: None };
        let index = board.files.get(INDEX).map(Packed::unpacked).transpose()?;
        board.index = index.and_then(|index| still_shipped(&index));
        Ok(board)
    }

    /// The file of this name. An empty name stands for the page.
    pub fn find(&self, name: &str, accepts_gzip: bool) -> Option<Found> {
        let name = if name.is_empty() { "index.html" } else { name };
        if let Some(puzzle) = name.strip_prefix("puzzles/").and_then(puzzle) {
            let mut crc = Crc::new();
            crc.update(puzzle);
            let body = Body::Parts(Vec::new(), puzzle, Vec::new());
            return Some(Found { body, is_packed: false, tag: tag(crc.sum(), crc.amount(), false) });
        }
        let index = self.index.as_ref().filter(|_| name == INDEX);
        if let Some(index) = index {
            let mut crc = Crc::new();
            crc.update(index);
            let tag = tag(crc.sum(), crc.amount(), false);
            return Some(Found { body: Body::Bytes(index.clone()), is_packed: false, tag });
        }
        let file = self.files.get(name)?;
        let is_packed = accepts_gzip && file.is_deflated;
        let body = if is_packed { file.gzip() } else { Body::Bytes(file.unpacked().ok()?) };
        Some(Found { body, is_packed, tag: tag(file.checksum, file.length, is_packed) })
    }
}

/// The name of a content. The packed form has another one, as HTTP demands.
fn tag(checksum: u32, length: u32, is_packed: bool) -> String {
    format!("\"{checksum:08x}-{length:x}{}\"", if is_packed { "-gz" } else { "" })
}

/// The files of an archive.
fn files(archive: &'static [u8]) -> Result<BTreeMap<String, Packed>, String> {
    let said = |error: rawzip::Error| error.to_string();
    let zip = ZipArchive::from_slice(archive).map_err(said)?;
    let mut files = BTreeMap::new();
    let mut entries = zip.entries();
    while let Some(entry) = entries.next_entry().map_err(said)? {
        let name = entry.file_path().try_normalize().map_err(said)?.as_ref().to_owned();
        let is_deflated = match entry.compression_method() {
            CompressionMethod::STORE => false,
            CompressionMethod::DEFLATE => true,
            other => return Err(format!("{name} is compressed by {other:?}")),
        };
        let (begin, end) = zip.get_entry(entry.wayfinder()).map_err(said)?.compressed_data_range();
        let place = |number: u64| usize::try_from(number).ok();
        let range = place(begin).zip(place(end)).map(|(begin, end)| begin..end);
        let bytes =
            range.and_then(|range| archive.get(range)).ok_or_else(|| format!("{name} has no place"))?;
        let length =
            u32::try_from(entry.uncompressed_size_hint()).map_err(|_| format!("{name} is too long"))?;
        files.insert(name, Packed { bytes, is_deflated, checksum: entry.crc32(), length });
    }
    Ok(files)
}

impl Packed {
    /// The content. Its length is known, so that spoilt data cannot fill the memory.
    fn unpacked(&self) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        if self.is_deflated {
            let read =
                DeflateDecoder::new(self.bytes).take(u64::from(self.length) + 1).read_to_end(&mut content);
            read.map_err(|error| error.to_string())?;
        } else {
            content.extend_from_slice(self.bytes);
        }
        let mut crc = Crc::new();
        crc.update(&content);
        if (crc.sum(), crc.amount()) == (self.checksum, self.length) {
            Ok(content)
        } else {
            Err("the content is spoilt".to_owned())
        }
    }

    /// The packed content between the head and the end that gzip has.
    fn gzip(&self) -> Body {
        const HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
        let end = [self.checksum.to_le_bytes(), self.length.to_le_bytes()].concat();
        Body::Parts(HEAD.to_vec(), self.bytes, end)
    }
}

/// The shipped puzzle file of this name.
fn puzzle(name: &str) -> Option<&'static [u8]> {
    shipped::all().find(|(path, _)| path.rsplit('/').next() == Some(name)).map(|(_, content)| content)
}

/// The list without puzzles that are not shipped; `None` if all are, or if it cannot be read.
fn still_shipped(index: &[u8]) -> Option<Vec<u8>> {
    let listed: Vec<&RawValue> = serde_json::from_slice(index).ok()?;
    let is_shipped = |entry: &&&RawValue| {
        serde_json::from_str(entry.get()).is_ok_and(|Listed { file }| puzzle(&file).is_some())
    };
    let kept: Vec<&&RawValue> = listed.iter().filter(is_shipped).collect();
    if kept.len() == listed.len() { None } else { serde_json::to_vec(&kept).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The endings of files that pages and scripts name.
    const ENDINGS: [&str; 10] =
        [".js", ".mjs", ".css", ".html", ".wasm", ".json", ".webmanifest", ".png", ".ico", ".woff2"];

    /// The archive of the command, or the one that was just built, which the variable WORLDLINES_BOARD names.
    fn archive() -> &'static [u8] {
        match std::env::var_os("WORLDLINES_BOARD") {
            Some(path) => Vec::leak(std::fs::read(path).expect("an archive")),
            None => ARCHIVE,
        }
    }

    fn content(files: &BTreeMap<String, Packed>, name: &str) -> Vec<u8> {
        files[name].unpacked().unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The relative paths that a text has in quotes or in `url()`. A word of the board, such as `text.png`, is none.
    fn named(text: &str) -> Vec<&str> {
        let is_path = |part: &&str| {
            let letters = part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
            letters && ENDINGS.iter().any(|ending| part.len() > ending.len() && part.ends_with(ending))
        };
        let parts: Vec<&str> = text.split(['\'', '"', '`', '(', ')']).collect();
        let after_attribute = parts.windows(2).filter(|pair| !pair[0].ends_with("data-words="));
        after_attribute.map(|pair| pair[1]).filter(is_path).collect()
    }

    /// The name that a relative path stands for in a file.
    fn joined(file: &str, path: &str) -> String {
        let mut parts: Vec<&str> = file.split('/').collect();
        parts.pop();
        for part in path.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                _ => parts.push(part),
            }
        }
        parts.join("/")
    }

    #[test]
    fn every_file_that_is_named_is_there() {
        let files = files(archive()).unwrap();
        let mut missing = Vec::new();
        let mut seen = 0;
        for name in files
            .keys()
            .filter(|name| [".html", ".js", ".css", ".webmanifest"].iter().any(|end| name.ends_with(end)))
        {
            let text = String::from_utf8(content(&files, name)).unwrap();
            // The border to JavaScript has this name for the functions that it gives to the WebAssembly.
            for path in named(&text).into_iter().filter(|path| *path != "./worldlines_bg.js") {
                seen += 1;
                // A worker's paths begin at the page too.
                if ![joined(name, path), joined("", path)].iter().any(|path| files.contains_key(path)) {
                    missing.push(format!("{name} names {path}"));
                }
            }
        }
        assert!(seen > 30, "only {seen} names were read");
        assert!(missing.is_empty(), "cargo web packs the board anew: {}", missing.join(", "));
        for name in ["index.html", "js/boot.js", "js/wasm/worldlines_bg.wasm", "made-of.json", INDEX] {
            assert!(files.contains_key(name), "{name}");
        }
        assert!(
            !files.keys().any(|name| name.starts_with('/') || name.contains("..") || name.contains('\\'))
        );
    }

    #[test]
    fn every_file_is_whole() {
        for (name, file) in files(archive()).unwrap() {
            let plain = file.unpacked().unwrap_or_else(|error| panic!("{name}: {error}"));
            if !file.is_deflated {
                continue;
            }
            let Body::Parts(before, middle, after) = file.gzip() else { panic!("{name} has parts") };
            let packed = [&before[..], middle, &after].concat();
            let mut unpacked = Vec::new();
            flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
            assert!(unpacked == plain, "{name} is another file as gzip");
        }
    }

    #[test]
    fn what_is_spoilt_is_not_served() {
        for (length, checksum) in [(5, 0), (4, 0x3610_a686), (6, 0x3610_a686)] {
            let spoilt = Packed { bytes: b"hello", is_deflated: false, checksum, length };
            assert!(spoilt.unpacked().is_err());
        }
        let whole = Packed { bytes: b"hello", is_deflated: false, checksum: 0x3610_a686, length: 5 };
        assert_eq!(whole.unpacked().unwrap(), b"hello");
        // It would be much longer than it says.
        let mut bomb = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut bomb, &vec![0; 1 << 20]).unwrap();
        let bytes = Vec::leak(bomb.finish().unwrap());
        assert!(Packed { bytes, is_deflated: true, checksum: 0, length: 10 }.unpacked().is_err());
        assert!(files(b"no archive").is_err());
    }

    #[test]
    fn every_puzzle_that_is_listed_is_shipped() {
        let board = Board::new().unwrap();
        let found = board.find(INDEX, false).unwrap();
        let Body::Bytes(index) = found.body else { panic!("the list is unpacked") };
        let listed: Vec<Listed> = serde_json::from_slice(&index).unwrap();
        assert!(listed.len() > 300);
        for Listed { file } in &listed {
            assert!(board.find(&format!("puzzles/{file}"), true).is_some(), "{file}");
        }
        let mut names: Vec<&str> = shipped::all().filter_map(|(path, _)| path.rsplit('/').next()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two puzzle files have one name");
    }

    #[test]
    fn puzzles_that_are_gone_are_not_listed() {
        let index = r#"[{"id":"a","file":"scholars-mate.yaml","x":[1]}, {"file":"gone.yaml"}, {"id":"b"}]"#;
        let kept = still_shipped(index.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(kept).unwrap(), r#"[{"id":"a","file":"scholars-mate.yaml","x":[1]}]"#);
        assert_eq!(still_shipped(br#"[{"file":"scholars-mate.yaml"}]"#), None);
    }
}
