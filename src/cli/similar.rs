//! `worldlines similar`

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::finds::{likeness_of, likenesses};
use super::output::{Format, print_json};
use super::source;
use worldlines::compose::NEAR_DUPLICATE;
use worldlines::notation::printable;

/// Find the puzzles that are most like one
///
/// Likeness goes from 0 to 1: half of it is the solution, three tenths the placing of the pieces, however shifted or mirrored, and two
/// tenths the material. Colours are swapped where they have to be. From 0.8 on two puzzles are near-duplicates. Only mates of the same
/// length are compared.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines similar my-puzzle.yaml
  worldlines similar my-puzzle.yaml my-puzzles --format json

Exit codes: 0 there is no near-duplicate, 1 there is one, 2 the puzzle cannot be used.")]
pub struct Arguments {
    /// The puzzle: FILE, or FILE#ID
    #[arg(value_name = "PUZZLE")]
    puzzle: String,
    /// Files and folders of puzzles to compare it with
    #[arg(value_name = "PATH", default_value = "puzzles")]
    paths: Vec<PathBuf>,
    /// How many to list
    #[arg(long, value_name = "K", default_value_t = 5)]
    most: usize,
    /// How to print the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const SCHEMA: &str = "worldlines/similar-1";

/// The puzzles that are most like one.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// The id of the puzzle.
    puzzle: String,
    /// From this likeness on puzzles are near-duplicates.
    near_duplicate: f64,
    /// The most alike first.
    puzzles: Vec<Alike>,
}

/// A puzzle that is like another.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Alike {
    id: String,
    /// From 0 to 1.
    likeness: f64,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let document = source::document(&arguments.puzzle)?;
    let likeness = likeness_of(&document).ok_or_else(|| {
        let id = printable(&document.id);
        Failure::new(format_args!("{id} claims no mate that can be studied, so it cannot be compared"))
    })?;
    let known = likenesses(&arguments.paths)?;
    let others = known.into_iter().filter(|(id, _)| *id != document.id);
    let mut puzzles: Vec<Alike> =
        others.map(|(id, other)| Alike { id, likeness: likeness.to(&other) }).collect();
    puzzles.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then_with(|| a.id.cmp(&b.id)));
    let exit = match puzzles.first() {
        Some(first) if first.likeness >= NEAR_DUPLICATE => Exit::Findings,
        _ => Exit::Ok,
    };
    puzzles.truncate(arguments.most);
    match arguments.format {
        Format::Text => {
            for Alike { id, likeness } in &puzzles {
                let mark = if *likeness >= NEAR_DUPLICATE { "  near-duplicate" } else { "" };
                writeln!(out, "{likeness:.2}  {}{mark}", printable(id))?;
            }
            if puzzles.is_empty() {
                writeln!(out, "there is no other mate in as many actions")?;
            }
        }
        Format::Json => {
            let puzzle = document.id.clone();
            print_json(out, &Report { schema: SCHEMA, puzzle, near_duplicate: NEAR_DUPLICATE, puzzles })?;
        }
    }
    Ok(exit)
}
