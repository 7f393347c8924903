//! A second opinion: the certificate beside the puzzle, or one that is made for this check.
//!
//! A certificate is checked without a search, by code that shares nothing with the search but boards and the moves of
//! pieces. So every proven mate is checked in this way. If the two contradict each other, this program has a bug.

use super::{Answer, NEEDS_SEARCH, StepResult, Verification, counted, pass, skipped};
use crate::puzzle::certificate::{Claim, looks_within, pay_for, read_file};
use crate::puzzle::model::Goal;
use crate::search::certificate::{self as proof, BuildError};
use crate::search::{KeyClass, Solution, Verdict};
use crate::state::Position;
use crate::types::{Action, Because};

/// What came of the certificates made for some keys.
#[derive(Default)]
struct Made {
    keys: usize,
    defences: u64,
    /// Why not all were made.
    open: Option<Because>,
}

impl Verification<'_> {
    pub(super) fn certificate_accepted(&mut self) -> StepResult {
        let Goal::MateIn(count) = &self.puzzle.goal.value else {
            return skipped(if self.certificate.is_some() { "no mate is claimed" } else { "none" });
        };
        match self.certificate {
            Some(_) => self.check_file(count.value),
            None if self.quick => skipped(NEEDS_SEARCH),
            None => match self.solution.take() {
                Some(solution) if solution.verdict == Verdict::Proven => {
                    let said = self.certify(&solution, count.value);
                    self.solution = Some(solution);
                    said
                }
                other => {
                    self.solution = other;
                    skipped("none, and no mate to confirm")
                }
            },
        }
    }

    /// Checks the certificate that is a file.
    fn check_file(&mut self, mate_in: u32) -> StepResult {
        let Some(file) = self.certificate else { return skipped("none") };
        let keys: Vec<Action> = self.listed().into_iter().map(|(_, key)| key).collect();
        let (puzzle, start) = (self.puzzle.id.value.as_str(), self.start);
        let looks = looks_within(&self.prover);
        let checked = match read_file(file) {
            Ok(certificate) => certificate.check(Claim { puzzle, start, mate_in, keys: &keys }, &looks),
            Err(mut finding) => {
                finding.in_certificate = true;
                self.findings.push(finding);
                return pass("");
            }
        };
        let _ = pay_for(&looks, &mut self.prover);
        let accepted = checked.findings.is_empty() && checked.undecided == 0;
        for mut finding in checked.findings {
            finding.in_certificate = true;
            self.findings.push(finding);
        }
        if accepted && let Some(wrong) = keys.iter().find(|key| self.is_denied(key)) {
            self.contradiction(
                wrong,
                "the certificate proves that this mates, and the search that it does not",
            );
        }
        match (checked.undecided, checked.because) {
            (0, _) => pass(format!(
                "{}, {}",
                counted(checked.keys, "key"),
                counted(checked.defences as usize, "defence")
            )),
            (open, Some(because)) => (Answer::Undecided, format!("{}: {because}", counted(open, "key"))),
            (open, None) => (Answer::Undecided, counted(open, "key")),
        }
    }

    /// Whether the search says that an action does not mate in time.
    fn is_denied(&self, key: &Action) -> bool {
        self.solution.as_ref().is_some_and(|solution| match solution.verdict {
            Verdict::Refuted => true,
            Verdict::Proven if solution.complete => {
                !solution.keys.iter().flat_map(KeyClass::keys).any(|part| key.contains(part))
            }
            Verdict::Proven | Verdict::Undecided => false,
        })
    }

    /// Makes and checks a certificate of every key class that was found.
    fn certify(&mut self, solution: &Solution, mate_in: u32) -> StepResult {
        let mut made = Made::default();
        for class in &solution.keys {
            self.certify_key(class.key(), mate_in, &mut made);
        }
        let keys = format!("{}, {}", counted(made.keys, "key"), counted(made.defences as usize, "defence"));
        match (made.open, made.keys) {
            (None, _) => pass(format!("made now: {keys}")),
            (Some(because), 0) => skipped(&format!("none, and none was made: {because}")),
            (Some(because), _) => skipped(&format!("not for all keys, but for {keys}: {because}")),
        }
    }

    fn certify_key(&mut self, key: &Action, mate_in: u32, made: &mut Made) {
        let mut after = self.start.clone();
        after.play_unchecked(key);
        let looks = looks_within(&self.prover);
        let mut open = None;
        let mut answers = |position: &Position, n| match self.prover.mating_answer(position, n) {
            Ok(answer) => answer,
            Err(why) => {
                open = Some(why.because);
                None
            }
        };
        let node = proof::certify(&after, mate_in, &mut answers, &looks);
        let _ = pay_for(&looks, &mut self.prover);
        match (node, open) {
            (_, Some(because)) | (Err(BuildError::Undecided(because)), None) => made.open = Some(because),
            (Err(error), None) => {
                self.contradiction(key, &format!("the search proves that this mates, but {error}"))
            }
            (Ok(node), None) => {
                let looks = looks_within(&self.prover);
                let verdict = proof::check(self.start, key, node.mate_in(), &node, &looks);
                let _ = pay_for(&looks, &mut self.prover);
                match verdict {
                    proof::Verdict::Accepted { .. } if node.mate_in() > mate_in => {
                        self.contradiction(key, "the certificate shows a longer mate than the search");
                    }
                    proof::Verdict::Accepted { defences } => {
                        made.keys += 1;
                        made.defences += defences;
                    }
                    proof::Verdict::Undecided(because) => made.open = Some(because),
                    proof::Verdict::Rejected(rejection) => {
                        let why =
                            format!("the certificate made of its proof is rejected: {}", rejection.flaw);
                        self.contradiction(key, &why);
                    }
                }
            }
        }
    }

    /// Notes that two opinions contradict each other, which is a bug in this program.
    fn contradiction(&mut self, key: &Action, what: &str) {
        let text = super::show(self.start, key);
        self.contradiction.get_or_insert_with(|| format!("{text}: {what}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::load::{Document, File, load};
    use crate::puzzle::verify::Options;
    use crate::puzzle::{Answer, verify};
    use crate::search::{Budget, Solve, solve};

    /// A mate in 2 that is none in 1.
    const PUZZLE: &str = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
    const CERTIFICATE: &str = include_str!("../../../puzzles/small/certificates/rook-from-the-past.yaml");

    fn document() -> Document {
        load("puzzle.yaml", PUZZLE.as_bytes()).remove(0)
    }

    /// What is said of the certificate when the search has found this, and the contradiction.
    fn asked(
        document: &Document,
        found: impl FnOnce(&mut Solution),
        mate_in: u32,
    ) -> (StepResult, Option<String>) {
        let start = document.game().expect("a start").end();
        let question = Solve { mate_in: 2, all: true, budget: Budget::default() };
        let mut solution = solve(&start, question);
        found(&mut solution);
        let puzzle = document.puzzle.as_ref().expect("a puzzle");
        let mut asking = Verification::new(document, puzzle, &start, Options::default());
        asking.lines_legal();
        let said = match document.certificate {
            None => asking.certify(&solution, mate_in),
            Some(_) => {
                asking.solution = Some(solution);
                asking.check_file(mate_in)
            }
        };
        (said, asking.contradiction)
    }

    #[test]
    fn what_the_search_claims_in_vain_is_a_contradiction() {
        let ((answer, note), contradiction) = asked(&document(), |_| {}, 2);
        assert_eq!((answer, contradiction), (Answer::Pass, None), "{note}");
        let (_, contradiction) = asked(&document(), |_| {}, 1);
        let contradiction = contradiction.expect("its key does not mate in 1");
        assert!(contradiction.ends_with("a legal defence has no answer that mates"), "{contradiction}");
    }

    #[test]
    fn what_the_search_denies_and_a_certificate_proves_is_a_contradiction() {
        let mut document = document();
        document.certificate = Some(File::new("certificate.yaml", CERTIFICATE.as_bytes()).into());
        assert_eq!(asked(&document, |_| {}, 2).1, None);
        let denied = |solution: &mut Solution| solution.verdict = Verdict::Refuted;
        assert!(asked(&document, denied, 2).1.is_some());
        let overlooked = |solution: &mut Solution| solution.keys.clear();
        assert!(asked(&document, overlooked, 2).1.is_some());
        assert_eq!(verify(&document, Options::default()).bug(), None);
    }
}
