//! In a shipped puzzle with at most one changed square, the search finds the solutions of the file.
//!
//! Otherwise verifying the file reports the difference.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use arbitrary::{Error, Result, Unstructured};
use worldlines::generate::edited;
use worldlines::notation::pgn5d;
use worldlines::puzzle::{Answer, Document, Goal, Options, Report, load, verify};
use worldlines::search::{Budget, Solution, Solve, Verdict, solve};
use worldlines::state::Position;
use worldlines::types::Action;

use super::{Case, noted, puzzle_about};
use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target { seeds: Source::Bytes, ..Target::of_choices(run, 60) };

/// The text of every shipped puzzle.
static PUZZLES: &[&str] = include!(concat!(env!("OUT_DIR"), "/puzzles.rs"));

/// The search steps of a proof. Puzzles that need more are left to `worldlines verify`.
const NODES: u64 = 20_000;

/// The claim of a shipped puzzle.
struct Claim {
    position: Position,
    mate_in: u32,
    /// The lines of the solutions.
    lines: Vec<Vec<String>>,
}

/// The claims of mates that are cheap to prove.
static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
    let documents = PUZZLES.iter().flat_map(|text| load("puzzle.yaml", text.as_bytes()));
    documents.filter_map(|document| claim(&document)).collect()
});

fn claim(document: &Document) -> Option<Claim> {
    let puzzle = document.puzzle.as_ref().ok()?;
    let Goal::MateIn(mate_in) = &puzzle.goal.value else { return None };
    // Verifying a longer mate takes many searches.
    if mate_in.value > 2 {
        return None;
    }
    let lines = puzzle.solutions.iter().map(|line| line.value.iter().map(|a| a.value.clone()).collect());
    let claim = Claim {
        position: document.game().map(|game| game.end()).ok()?,
        mate_in: mate_in.value,
        lines: lines.collect(),
    };
    let solution = answer(&claim.position, claim.mate_in);
    (solution.verdict == Verdict::Proven && solution.complete).then_some(claim)
}

fn answer(position: &Position, mate_in: u32) -> Solution {
    solve(position, Solve { mate_in, all: true, budget: Budget::steps(NODES) })
}

/// A claim, and the position that replaces its own.
struct Mutated {
    claim: &'static Claim,
    position: Position,
}

impl Mutated {
    fn yaml(&self) -> String {
        let lines: String = self.claim.lines.iter().map(|line| format!("  - {line:?}\n")).collect();
        let about = puzzle_about(&self.position, "mutated");
        format!("{about}goal: {{ mate-in: {} }}\nsolutions:\n{lines}", self.claim.mate_in)
    }
}

impl Case for Mutated {
    fn shown(&self) -> String {
        self.yaml()
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let case = noted(case(bytes)?)?;
    check(&case, answer)
}

/// A shipped puzzle whose position may be changed.
fn case(bytes: &[u8]) -> Result<Mutated> {
    let mut u = Unstructured::new(bytes);
    let claim = u.choose(&CLAIMS)?;
    let position = if u.ratio(1, 8)? { claim.position.clone() } else { edited(&mut u, &claim.position)? };
    Ok(Mutated { claim, position })
}

fn check(case: &Mutated, answer: fn(&Position, u32) -> Solution) -> Result<()> {
    let Mutated { claim, position } = case;
    let solution = answer(position, claim.mate_in);
    if solution.verdict == Verdict::Undecided || !solution.complete {
        return Err(Error::IncorrectFormat);
    }
    let listed: Option<BTreeSet<Action>> =
        claim.lines.iter().map(|line| pgn5d::parse_action(position, line.first()?).ok()).collect();
    // At least one key of each class is listed, and nothing else.
    let found: Vec<BTreeSet<Action>> =
        solution.keys.iter().map(|class| class.keys().iter().cloned().collect()).collect();
    let agrees = listed.as_ref().is_some_and(|listed| {
        found.iter().all(|class| !class.is_disjoint(listed))
            && listed.iter().all(|key| found.iter().any(|class| class.contains(key)))
    }) && solution.shortest == Some(claim.mate_in);
    let text = case.yaml();
    let documents = load("mutated.yaml", text.as_bytes());
    let [document] = &documents[..] else { panic!("{} documents in\n{text}", documents.len()) };
    let report = verify(document, Options { max_steps: Some(20 * NODES), ..Options::default() });
    if let Some(bug) = report.bug() {
        panic!("a bug shows: {bug}\n{text}");
    }
    let said = |report: &Report<'_>| report.steps_text() + &report.findings_text();
    match (report.answer(), agrees) {
        (Answer::Undecided, _) => return Err(Error::IncorrectFormat),
        (Answer::Fail, false) => {
            assert!(!report.findings.is_empty(), "a failure without a finding in\n{text}");
        }
        (Answer::Pass, true) => {}
        // The rest of a longer line may have become illegal while its first action still mates.
        (Answer::Fail, true) if claim.mate_in > 1 => {}
        _ => panic!(
            "the search found {found:?}, listed are {listed:?}, but verify said\n{}in\n{text}",
            said(&report)
        ),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    #[test]
    fn shipped_puzzles_are_what_is_changed() {
        assert!(CLAIMS.len() * 3 > PUZZLES.len(), "{} of {} are cheap", CLAIMS.len(), PUZZLES.len());
        for claim in CLAIMS.iter() {
            let unchanged = Mutated { claim, position: claim.position.clone() };
            assert_eq!(check(&unchanged, answer), Ok(()), "{}", unchanged.shown());
        }
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let claim = &CLAIMS[0];
        let unchanged = Mutated { claim, position: claim.position.clone() };
        let sees_nothing =
            |position: &Position, mate_in| Solution { keys: Vec::new(), ..answer(position, mate_in) };
        assert!(flags(|| check(&unchanged, sees_nothing)));
    }
}
