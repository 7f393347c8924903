//! The record of scores, `scores.tsv`, which `puzzles/daily` writes: they take minutes, so a test asks for some of them anew.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use libtest_mimic::Failed;
use worldlines::compose::{Merit, Solution};
use worldlines::puzzle::{Document, Goal};
use worldlines::search::{Budget, Prover};

const TABLE: &str = include_str!("scores.tsv");

/// One mate in 1 to 3 of so many is scored anew, and every helpmate and selfmate.
const ONE_OF: usize = 40;

/// The score of a puzzle, as it was recorded.
pub struct Row {
    /// In points.
    pub score: f64,
    /// The idea in short.
    pub signature: &'static str,
}

/// The rows by the ids of their puzzles.
pub fn rows() -> Result<BTreeMap<&'static str, Row>, Failed> {
    let row = |line: &'static str| {
        let mut cells = line.split('\t');
        let (id, score) = (cells.next()?, cells.next()?.parse().ok()?);
        Some((id, Row { score, signature: cells.nth(1)? }))
    };
    let rows =
        TABLE.lines().skip(1).map(|line| row(line).ok_or_else(|| format!("scores.tsv: {line:?}").into()));
    rows.collect()
}

/// The table has what the library has, and scores that are asked for anew are the same.
pub fn are_recorded(library: &[Arc<Document>]) -> Result<(), Failed> {
    let rows = rows()?;
    let goals = library.iter().filter_map(|it| Some((it, &it.puzzle.as_ref().ok()?.goal.value)));
    let has_score = |goal: &Goal| matches!(goal, Goal::MateIn(_) | Goal::HelpmateIn(_) | Goal::SelfmateIn(_));
    let with_score: Vec<_> = goals.filter(|(_, goal)| has_score(goal)).collect();
    let ids: BTreeSet<&str> = with_score.iter().map(|(document, _)| document.id.as_str()).collect();
    let recorded: BTreeSet<&str> = rows.keys().copied().collect();
    if ids != recorded {
        let differ: Vec<&str> = ids.symmetric_difference(&recorded).copied().collect();
        return Err(format!(
            "in scores.tsv or among the puzzles alone: {}: run puzzles/daily",
            differ.join(", ")
        )
        .into());
    }
    let (mates, lines): (Vec<_>, Vec<_>) =
        with_score.into_iter().partition(|(_, goal)| matches!(goal, Goal::MateIn(_)));
    let is_short = |goal: &Goal| matches!(goal, Goal::MateIn(n) if n.value <= 3);
    let short = mates.into_iter().filter(|(_, goal)| is_short(goal)).step_by(ONE_OF);
    for (document, goal) in short.chain(lines) {
        let mut prover = Prover::new(Budget::default());
        let position = document.game().map_err(|_| format!("{} has no start", document.id))?.end();
        let solution = Solution::of(&position, goal, &mut prover)?.ok_or("no solution")?;
        let merit = Merit::of_solution(&solution, &position, &mut prover);
        let row = &rows[document.id.as_str()];
        if (row.score, row.signature) != (merit.score(), merit.signature.as_str()) {
            let (score, signature) = (merit.score(), &merit.signature);
            let message = format!(
                "{}: {score}, {signature}; recorded is {}, {}",
                document.id, row.score, row.signature
            );
            return Err(format!("{message}: run puzzles/daily --all").into());
        }
    }
    Ok(())
}
