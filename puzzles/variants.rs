//! The table of `puzzles/variants/README.md`, which tells the claims of the files beside it: proofs about the starts of variants.

use std::fmt::Write as _;
use std::sync::Arc;

use libtest_mimic::Failed;
use worldlines::puzzle::{Document, Goal, Puzzle};
use worldlines::rules::variants::{Confidence, VARIANTS};

use crate::page;

/// Compares the table with the puzzles, or writes it.
pub fn page_tells_them(documents: &[Arc<Document>]) -> Result<(), Failed> {
    page::tells("puzzles/variants/README.md", "table", &table(documents)?)
}

/// A row for each variant, in the order of the protocol of the game.
fn table(documents: &[Arc<Document>]) -> Result<String, Failed> {
    let mut table =
        String::from("| variant | boards | White, who begins | shortest game |\n|---|---|---|---|\n");
    let mut puzzles: Vec<&Document> =
        documents.iter().map(|document| &**document).filter(is_of_the_folder).collect();
    for variant in &VARIANTS {
        let (of_it, others) = puzzles.into_iter().partition(|document| starts_as(document, variant.name));
        puzzles = others;
        let of_it: Vec<&Document> = of_it;
        let told = |tell: fn(&Puzzle) -> Option<String>| {
            let puzzles = of_it.iter().filter_map(|document| document.puzzle.as_ref().ok());
            let told: Vec<String> = puzzles.filter_map(tell).collect();
            match told.len() {
                0 | 1 => Ok(told.into_iter().next()),
                count => Err(format!("{count} files claim the same kind of thing of {}", variant.name)),
            }
        };
        let result = told(result)?.ok_or_else(|| format!("no file tells of {}", variant.name))?;
        let boards = match variant.confidence {
            Confidence::Confirmed => "confirmed",
            Confidence::OneSource => "one source",
            Confidence::PartlyDisputed => "partly disputed",
            Confidence::Disputed => "disputed",
        };
        let shortest = told(shortest)?.unwrap_or_default();
        let _ = writeln!(table, "| {} | {boards} | {result} | {shortest} |", variant.name);
    }
    match puzzles.first() {
        None => Ok(table),
        Some(document) => Err(format!("{} is of no variant", document.file.path).into()),
    }
}

/// Whether a puzzle lies in the folder of the variants.
fn is_of_the_folder(document: &&Document) -> bool {
    document.file.path.starts_with("puzzles/variants/")
}

/// Whether a puzzle begins with the start of a variant.
fn starts_as(document: &Document, name: &str) -> bool {
    let start = document.puzzle.as_ref().ok().map(|puzzle| &puzzle.start.value);
    start.is_some_and(|start| start.variant.as_ref().is_some_and(|variant| variant.value == name))
}

/// The claim about mates that White can force.
fn result(puzzle: &Puzzle) -> Option<String> {
    match &puzzle.goal.value {
        Goal::NoMateIn(n) => Some(format!("no mate in {}", n.value)),
        Goal::MateIn(n) => {
            let keys = puzzle.solutions.iter().filter_map(|line| line.value.first());
            let keys: Vec<&str> = keys.map(|key| key.value.as_str()).collect();
            Some(format!("**wins: mate in {}** by {}", n.value, keys.join(", ")))
        }
        _ => None,
    }
}

/// A shortest game that ends in mate.
fn shortest(puzzle: &Puzzle) -> Option<String> {
    let Goal::HelpmateIn(_) = puzzle.goal.value else { return None };
    let line = puzzle.solutions.first()?;
    let line = line.value.iter().map(|action| action.value.as_str()).collect::<Vec<_>>().join(" / ");
    let others = puzzle.solutions.len() - 1;
    Some(if others == 0 { line } else { format!("{line}, and {others} others") })
}
