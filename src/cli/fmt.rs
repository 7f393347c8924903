//! `worldlines fmt`

use std::io::Write;
use std::path::{Path, PathBuf};

use super::exit::{Exit, Failure};
use super::files::{self, Held, STDIN, shown};
use super::{shipped, verify};
use worldlines::notation::printable;
use worldlines::puzzle;

/// Write puzzle files in their canonical form: the order of fields, lists and rows as blocks, quotes; comments are kept
///
/// A file is replaced at once or not at all, and only if it says the same afterwards.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines fmt my-puzzle.yaml
  worldlines fmt --check puzzles
  worldlines fmt - < draft.yaml > my-puzzle.yaml

Exit codes: 0 all are in canonical form now, 1 some are not with --check, or cannot be, 2 a file cannot be read or written.")]
pub struct Arguments {
    /// Files and folders; `-` reads standard input and prints what comes out
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Change nothing; name the files that are not in canonical form
    #[arg(long)]
    check: bool,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let mut exit = Exit::Ok;
    for path in verify::files(&arguments.paths)? {
        let name = shown(&path);
        let cannot =
            |what: &str, error: &std::io::Error| Failure::new(format_args!("cannot {what} {name}: {error}"));
        let is_input = path == Path::new(STDIN);
        let changes = !arguments.check && !is_input;
        if changes && shipped::read(&path).is_some() && !path.exists() {
            return Err(Failure::new(format_args!("{name} is a part of the program and cannot be changed")));
        }
        let held =
            if changes { Some(Held::of(&path).map_err(|error| cannot("change", &error))?) } else { None };
        let bytes = match &held {
            Some(held) => held.loaded().unwrap_or_default().to_vec(),
            None => files::read(&path).map_err(|error| cannot("read", &error))?,
        };
        let file = puzzle::File::new(files::name(&path), &bytes);
        let formatted = match &file.unreadable {
            Some(why) => Err(why.message.clone()),
            None => puzzle::format(&file.text).map_err(|why| why.to_string()),
        };
        let text = match formatted {
            Ok(text) => text,
            Err(why) => {
                writeln!(out, "not formatted {name}: {}", printable(&why))?;
                exit = Exit::Findings;
                continue;
            }
        };
        match held {
            _ if is_input && !arguments.check => out.write_all(text.as_bytes())?,
            _ if text.as_bytes() == bytes => {}
            Some(held) => {
                held.replace(&text).map_err(|error| cannot("change", &error))?;
                writeln!(out, "formatted {name}")?;
            }
            None => {
                writeln!(out, "not in canonical form: {name}")?;
                exit = Exit::Findings;
            }
        }
    }
    Ok(exit)
}
