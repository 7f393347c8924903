//! Bugs of this program: each ends with exit code 70 and leaves a file for a bug report.

use std::io::{self, Write};
use std::panic;
use std::path::PathBuf;
use std::sync::Mutex;

use super::files::shown;
use super::json::VERSION;
use super::terminal::say;

/// The message of the first panic; later panics follow from it.
static PANICKED: Mutex<Option<String>> = Mutex::new(None);

/// Stores the message of every panic, besides printing it.
pub fn watch() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        print(panic);
        if let Ok(mut panicked) = PANICKED.lock() {
            panicked.get_or_insert_with(|| panic.to_string());
        }
    }));
}

/// Writes the panic into a file, with the command that led to it, and prints the name of the file.
pub fn keep_panic() {
    let message = PANICKED.lock().ok().and_then(|mut panicked| panicked.take());
    let command: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into()).collect();
    keep(&format!("{}\n\ncommand: {command:?}\n", message.as_deref().unwrap_or("a panic without a message")));
}

/// Writes the text about a bug into a file for a bug report, and prints the name of the file.
pub fn keep(about: &str) {
    let text = format!("worldlines {VERSION}, {}\n{about}", std::env::consts::OS);
    let written = || -> io::Result<PathBuf> {
        let mut file = tempfile::Builder::new().prefix("worldlines-bug-").suffix(".txt").tempfile()?;
        file.write_all(text.as_bytes())?;
        Ok(file.keep().map_err(|error| error.error)?.1)
    };
    match written() {
        Ok(path) => say(&format!("note: please report this bug with the file {}", shown(&path))),
        Err(error) => say(&format!("note: please report this bug; no file was written: {error}")),
    }
}
