//! `worldlines init`: creates a folder for puzzles.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::output::Format;

/// Create a folder for your own puzzles: a first puzzle, the schema for editors, and a file for CI
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines init my-puzzles

Exit codes: 0 the folder is ready, 2 it is not empty, or cannot be written.")]
pub struct Arguments {
    /// The folder, which must be empty or not exist yet
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// The files by name, with their content.
const FILES: [(&str, &str); 4] = [
    ("README.md", README),
    ("puzzles/first-mate.yaml", FIRST),
    ("puzzles/schema.json", include_str!("../../puzzles/schema.json")),
    (".github/workflows/puzzles.yml", WORKFLOW),
];

const README: &str = "\
# Puzzles for 5D chess

Each file in `puzzles/` is a puzzle that `worldlines` verifies.

| what | how |
|---|---|
| verify all of them | `worldlines verify puzzles` |
| verify again whenever a file changes | `worldlines verify --watch puzzles` |
| make one out of a game | `worldlines new GAME --at 8w puzzles/my-puzzle.yaml` |
| fill in solutions and tables | `worldlines verify --fix --tables puzzles/my-puzzle.yaml` |
| see what an editor would object to | `worldlines lint puzzles/my-puzzle.yaml` |
| understand it | `worldlines explain puzzles/my-puzzle.yaml` |
| play it | `worldlines play puzzles/my-puzzle.yaml` |

On GitHub, every push is verified too. The variable `WORLDLINES` of the repository (Settings, Secrets and variables, Actions, Variables) says
where the source of `worldlines` is, as `OWNER/NAME`.
";

const FIRST: &str = "\
# yaml-language-server: $schema=schema.json
schema: worldlines/puzzle-1
id: first-mate
title: \"Two rooks on the edge\"
source: { from: \"the folder that worldlines init made\" }
themes: [rook, endgame]
start:
  size: 4x4
  fen: [\"[4/KR1R/4/2k1:0:1:w]\"]
goal: { mate-in: 2 }
solutions:
  - [\"(0T1)Rb3c3\", \"(0T1)Kc1b1\", \"(0T2)Rd3d1#\"]
unique: true
replies:
  - { if: \"(0T1)Kc1b1\", answer: \"(0T2)Rd3d1#\" }
duals: none
";

const WORKFLOW: &str = "\
name: Puzzles
on: [push, pull_request]
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      # The variable names the repository of worldlines, as OWNER/NAME.
      - uses: actions/checkout@v4
        with:
          repository: ${{ vars.WORLDLINES || 'OWNER/worldlines' }}
          path: .worldlines
      - run: cargo install --locked --path .worldlines
      - run: worldlines fmt --check puzzles
      - run: worldlines verify --strict --format github puzzles
";

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let folder = &self.folder;
        let is_empty = match fs::read_dir(folder) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
            Err(error) => return Err(files::cannot_write(folder, &error)),
        };
        if !is_empty {
            return Err(Failure::new(format_args!("{} is not empty; name a new folder", shown(folder))));
        }
        for (name, text) in FILES {
            let path = folder.join(name);
            files::create(&path, text)?;
            writeln!(out, "wrote {}", shown(&path))?;
        }
        writeln!(out, "now: worldlines verify {}", shown(&folder.join("puzzles")))?;
        Ok(Exit::Ok)
    }

    fn format(&self) -> Format {
        Format::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use worldlines::puzzle::{Answer, Options, load, verify};

    #[test]
    fn the_first_puzzle_passes_and_is_in_canonical_form() {
        let documents = load("first-mate.yaml", FIRST.as_bytes());
        let report = verify(&documents[0], Options::default());
        assert_eq!(report.answer(), Answer::Pass, "{}", report.findings_text());
        assert_eq!(worldlines::puzzle::format(FIRST).as_deref(), Ok(FIRST));
    }

    #[test]
    fn the_workflow_needs_no_registry() {
        let installs: Vec<&str> = WORKFLOW.lines().filter(|line| line.contains("cargo install")).collect();
        assert!(matches!(installs[..], [line] if line.contains("--path .worldlines")), "{installs:?}");
    }
}
