//! The files that are served: those of a folder, or the board of the command.

use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::board::Board;
use super::http::{Answer, Body, Request};
use crate::cli::files;

pub enum Site {
    Folder(PathBuf),
    Board(Board),
}

impl Site {
    /// Answers with the file that a request names.
    pub fn answer(&self, request: &Request) -> Answer {
        let found = relative(&request.path).and_then(|path| match self {
            Site::Folder(folder) => from_folder(folder, &path),
            Site::Board(board) => from_board(board, &path, request.accepts_gzip),
        });
        match found {
            Some(answer) => answer.unless_known(request.known.as_deref()),
            None => Answer::error("404 Not Found", "there is no such file"),
        }
    }
}

fn from_folder(folder: &Path, path: &Path) -> Option<Answer> {
    let mut file = folder.join(path);
    if file.is_dir() {
        file.push("index.html");
    }
    // A link may lead out of the folder.
    let (opened, length) = files::real_path_within(folder, &file).and_then(|real| files::open(&real)).ok()?;
    let changed = opened.metadata().and_then(|data| data.modified()).ok()?;
    let nanos = changed.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    // Weak: a file can change twice within what a clock tells apart.
    let tag = Some(format!("W/\"{length:x}-{nanos:x}\""));
    Some(Answer { tag, ..Answer::new(kind_of(&file), Body::File(opened, length)) })
}

fn from_board(board: &Board, path: &Path, accepts_gzip: bool) -> Option<Answer> {
    let found = board.find(&files::name(path), accepts_gzip)?;
    let kind = kind_of(if path == Path::new("") { Path::new("index.html") } else { path });
    Some(Answer { tag: Some(found.tag), is_packed: found.is_packed, ..Answer::new(kind, found.body) })
}

/// The path of a file in the folder; `None` if it leads out of the folder.
fn relative(path: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = path.trim_start_matches('/').bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            // A sign would be read as part of a number.
            if !digits.iter().all(u8::is_ascii_hexdigit) {
                return None;
            }
            u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
        } else {
            byte
        });
    }
    let path = PathBuf::from(String::from_utf8(bytes).ok()?);
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

fn kind_of(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("yaml" | "yml" | "md" | "txt" | "5dpgn" | "5dfen") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_named() {
        let out = [
            "/../secret",
            "/a/../../b",
            "/%2e%2e/x",
            "/a/%2e%2e%2f%2e%2e/x",
            "/%zz",
            "/%f",
            "/%ff",
            "/%+1",
            "/./..",
        ];
        for path in out {
            assert_eq!(relative(path), None, "{path}");
        }
        assert_eq!(relative("/js/main.js"), Some(PathBuf::from("js/main.js")));
        assert_eq!(relative("/a%20b"), Some(PathBuf::from("a b")));
        assert_eq!(relative("/"), Some(PathBuf::new()));
        assert_eq!(relative("///etc/passwd"), Some(PathBuf::from("etc/passwd")));
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let secret = tempfile::NamedTempFile::new().unwrap();
        std::os::unix::fs::symlink(secret.path(), folder.path().join("link")).unwrap();
        std::fs::write(folder.path().join("file"), "x").unwrap();
        let status = |site: &Site, path: &str| {
            site.answer(&Request { path: path.to_owned(), ..Request::default() }).status
        };
        let site = Site::Folder(folder.path().to_owned());
        assert_eq!(status(&site, "/file"), "200 OK");
        assert_eq!(status(&site, "/link"), "404 Not Found");
        assert_eq!(status(&site, "/file%00"), "404 Not Found");
        assert_eq!(status(&site, "/"), "404 Not Found");
    }
}
