//! `worldlines similar`: finds puzzles that are like one.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::finds::{Known, are_twins, likeness_of, likenesses};
use super::input::Proving;
use super::output::{Format, print_json};
use super::source;
use super::terminal::say;
use super::verify;
use worldlines::compose::{Likeness, NEAR_DUPLICATE};
use worldlines::notation::printable;
use worldlines::puzzle::Document;

/// Find the puzzles that are most like one
///
/// Mates, helpmates and selfmates are compared, each with its own kind. Likeness goes from 0 to 1. The solution has a
/// weight of 0.5, the placing of the pieces, however shifted or mirrored, 0.3, and the material 0.2. Colours are swapped
/// if the attacker is Black. Two puzzles with a likeness of 0.8 or more are near-duplicates. Puzzles of different lengths
/// are not alike, but one may be the tail of the other: the longer leads to it after its key and a defence. A copy with
/// the same id in another place is also compared, but not a twin. Of a mate with very many defences the first are
/// compared, since most answers repeat; such a puzzle is marked as cut.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines similar my-puzzle.yaml
  worldlines similar my-puzzle.yaml my-puzzles --format json

Exit codes: 0 there is no near-duplicate, 1 there is one, 2 the puzzle cannot be used, 3 a limit was reached first.")]
pub struct Arguments {
    /// The puzzle: FILE, FILE#ID if the file holds several, or the id of a shipped one
    #[arg(value_name = "PUZZLE")]
    puzzle: String,
    /// Files and folders of puzzles to compare it with [default: the folder `puzzles`, or else the puzzles that are part of the program]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// List the K most similar puzzles
    #[arg(long, value_name = "K", default_value_t = 5)]
    most: usize,
    #[command(flatten)]
    proving: Proving,
    /// Format of the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub const SCHEMA: &str = "worldlines/similar-1";

/// The puzzles that are most like one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The id of the puzzle.
    puzzle: String,
    /// Whether it has so many defences that only the first were compared.
    cut: bool,
    /// The likeness from which puzzles are near-duplicates.
    near_duplicate: f64,
    /// The puzzles, the most similar first.
    puzzles: Vec<Alike>,
    /// The number of puzzles that could not be compared within the limits, and of files that could not be read.
    undecided: usize,
}

/// A puzzle that is like another.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Alike {
    id: String,
    file: String,
    /// The likeness, from 0 to 1.
    likeness: f64,
    /// Whether the shorter of the two is the tail of the longer.
    tail: bool,
    /// Whether it has so many defences that only the first were compared.
    cut: bool,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let clock = self.proving.limits.time.start();
        let options = self.proving.options(Some(clock.stop()));
        let document = source::document(&self.puzzle)?;
        if let Err(findings) = &document.puzzle {
            return Err(source::unreadable(&document, findings));
        }
        let id = printable(&document.id);
        let likeness = match likeness_of(&document, options) {
            Ok(likeness) => likeness.ok_or_else(|| {
                Failure::new(format_args!(
                    "{id} claims no mate, helpmate or selfmate that can be studied, so it cannot be compared"
                ))
            })?,
            Err(undecided) => {
                say(&format!("{id} cannot be compared: {undecided}"));
                return Ok(Exit::Undecided);
            }
        };
        let (mut others, unread) = likenesses(&verify::chosen(&self.paths)?, options)?;
        others.retain(|other| !are_twins(&other.document, &document));
        let undecided = unread + others.iter().filter(|other| other.likeness.is_err()).count();
        let puzzles = most_alike(&likeness, others);
        let exit = match puzzles.first() {
            Some(first) if first.tail || first.likeness >= NEAR_DUPLICATE => Exit::Findings,
            _ if undecided > 0 => Exit::Undecided,
            _ => Exit::Ok,
        };
        self.print(&document, !likeness.is_complete(), puzzles, undecided, out)?;
        Ok(exit)
    }

    fn format(&self) -> Format {
        self.format
    }
}

fn most_alike(likeness: &Likeness, others: Vec<Known>) -> Vec<Alike> {
    let alike = others.into_iter().filter_map(|Known { document, likeness: other }| {
        let other = other.ok()?;
        let tail = likeness.is_tail_of(&other) || other.is_tail_of(likeness);
        let (likeness, cut) = (likeness.to(&other), !other.is_complete());
        (likeness > 0.0 || tail).then(|| Alike {
            id: document.id,
            file: document.file.path.clone(),
            likeness,
            tail,
            cut,
        })
    });
    let mut puzzles: Vec<Alike> = alike.collect();
    puzzles.sort_by(|a, b| {
        (b.tail.cmp(&a.tail))
            .then(b.likeness.total_cmp(&a.likeness))
            .then_with(|| (&a.id, &a.file).cmp(&(&b.id, &b.file)))
    });
    puzzles
}

impl Arguments {
    fn print(
        &self,
        document: &Document,
        cut: bool,
        mut puzzles: Vec<Alike>,
        undecided: usize,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        puzzles.truncate(self.most);
        match self.format {
            Format::Text => {
                for Alike { id, file, likeness, tail, cut } in &puzzles {
                    let mark = match (tail, *likeness >= NEAR_DUPLICATE) {
                        (true, _) => "  tail",
                        (false, true) => "  near-duplicate",
                        (false, false) => "",
                    };
                    let cut = if *cut { "  cut" } else { "" };
                    writeln!(out, "{likeness:.2}  {} in {}{mark}{cut}", printable(id), printable(file))?;
                }
                if cut {
                    writeln!(out, "cut: {} has more defences than were compared", printable(&document.id))?;
                }
                if puzzles.is_empty() && undecided == 0 {
                    writeln!(out, "there is no other puzzle of its kind and length")?;
                }
                if undecided > 0 {
                    writeln!(out, "not compared within the limits: {undecided}")?;
                }
            }
            Format::Json => {
                let puzzle = document.id.clone();
                let near_duplicate = NEAR_DUPLICATE;
                let report = Report { schema: SCHEMA, puzzle, cut, near_duplicate, puzzles, undecided };
                print_json(out, &report)?;
            }
        }
        Ok(())
    }
}
