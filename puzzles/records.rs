//! The tables of `puzzles/records.md`: the longest mates, the fewest pieces, and what else is most or least of its kind in the library.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use libtest_mimic::Failed;
use worldlines::puzzle::{Document, Goal, Resolved, themes};
use worldlines::types::BoardSize;

use crate::page;

/// Compares the tables with the puzzles, or writes them.
pub fn page_tells_them(documents: &[Arc<Document>]) -> Result<(), Failed> {
    let mates: Vec<Mate<'_>> = documents.iter().filter_map(|document| Mate::of(document)).collect();
    let themes: Vec<&str> = themes().map(|(theme, _)| theme).collect();
    let tables = [
        (
            "longest by size",
            table(
                &mates,
                ["boards", "mate in", "pieces"],
                |mate| Some((mate.size.width(), mate.size.height())),
                |mate| (mate.mate_in, Reverse(mate.pieces)),
                |_, mate| [mate.boards(), mate.mate_in.to_string(), mate.pieces.to_string()],
            ),
        ),
        (
            "longest by pieces",
            table(
                &mates,
                ["pieces", "mate in", "boards"],
                |mate| (mate.pieces <= FEW).then_some(mate.pieces),
                |mate| mate.mate_in,
                |pieces, mate| [pieces.to_string(), mate.mate_in.to_string(), mate.boards()],
            ),
        ),
        (
            "most timelines",
            table(
                &mates,
                ["mate in", "timelines"],
                |mate| Some(mate.mate_in),
                |mate| mate.timelines,
                |n, mate| [n.to_string(), mate.timelines.to_string()],
            ),
        ),
        (
            "shortest certificates",
            table(
                &mates,
                ["mate in", "bytes"],
                |mate| Some(mate.mate_in),
                |mate| Reverse(mate.certificate_bytes),
                |n, mate| [n.to_string(), mate.certificate_bytes.to_string()],
            ),
        ),
        (
            "fewest pieces by theme",
            table(
                &mates,
                ["theme", "pieces", "mate in"],
                |mate| Vec::from_iter(themes.iter().enumerate().filter(|(_, theme)| mate.shows(theme))),
                |mate| (Reverse(mate.pieces), mate.mate_in),
                |(_, theme), mate| [theme.to_string(), mate.pieces.to_string(), mate.mate_in.to_string()],
            ),
        ),
    ];
    tables.iter().try_for_each(|(name, table)| page::tells("puzzles/records.md", name, table))
}

/// The most pieces for which there is a row.
const FEW: usize = 8;

/// A puzzle that asks for a mate, whose claims have evidence.
struct Mate<'d> {
    document: &'d Document,
    mate_in: u32,
    size: BoardSize,
    /// The pieces on the last boards.
    pieces: usize,
    /// The timelines after the main line of the solution.
    timelines: usize,
    certificate_bytes: usize,
}

impl<'d> Mate<'d> {
    fn of(document: &'d Document) -> Option<Mate<'d>> {
        let puzzle = document.puzzle.as_ref().ok()?;
        let Goal::MateIn(n) = &puzzle.goal.value else { return None };
        let certificate_bytes = document.certificate.as_ref()?.text.len();
        let resolved = Resolved::of(document).ok()?;
        let start = &resolved.start;
        let line = resolved.solutions.first()?;
        Some(Mate {
            document,
            mate_in: n.value,
            size: start.size(),
            pieces: start.multiverse().ends().map(|(_, board)| board.pieces().count()).sum(),
            timelines: resolved.after(line).multiverse().timelines().count(),
            certificate_bytes,
        })
    }

    fn shows(&self, theme: &str) -> bool {
        let puzzle = self.document.puzzle.as_ref();
        puzzle.is_ok_and(|puzzle| puzzle.themes.iter().any(|shown| shown.value == theme))
    }

    fn boards(&self) -> String {
        format!("{}×{}", self.size.width(), self.size.height())
    }

    fn link(&self) -> String {
        let path = self.document.file.path.trim_start_matches("puzzles/");
        format!("[{}]({path})", self.document.id)
    }
}

/// A table with a row for each key that some mate has, about the best of those mates: the first by id of equally good ones.
fn table<'d, K: Ord, Keys: IntoIterator<Item = K>, Good: Ord, const COLUMNS: usize>(
    mates: &[Mate<'d>],
    head: [&str; COLUMNS],
    keys: impl Fn(&Mate<'d>) -> Keys,
    good: impl Fn(&Mate<'d>) -> Good,
    row: impl Fn(&K, &Mate<'d>) -> [String; COLUMNS],
) -> String {
    let mut best: BTreeMap<K, &Mate<'d>> = BTreeMap::new();
    for mate in mates {
        for key in keys(mate) {
            let known = best.entry(key).or_insert(mate);
            let rank = |one: &Mate<'d>| (good(one), Reverse(one.document.id.to_string()));
            if rank(mate) > rank(known) {
                *known = mate;
            }
        }
    }
    let mut table = format!("| {} | puzzle |\n{}|\n", head.join(" | "), "|---".repeat(COLUMNS + 1));
    for (key, mate) in best {
        let _ = writeln!(table, "| {} | {} |", row(&key, mate).join(" | "), mate.link());
    }
    table
}
