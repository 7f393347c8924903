//! A second opinion: the certificate beside the puzzle, or one that is made for the occasion.
//!
//! A certificate is checked without a search, by code that shares nothing with the search but boards and the moves of pieces. So it
//! is asked about every mate that was proven. Where the two contradict each other, one of them is wrong, and so is this program.

use super::{Answer, Asking, NEEDS_SEARCH, Said, counted, pass, skipped};
use crate::puzzle::certificate::{Claim, looks_within, pay_for, read_file};
use crate::puzzle::model::Goal;
use crate::search::certificate::{self as proof, BuildError};
use crate::search::{Solution, Verdict};
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

impl Asking<'_> {
    pub(super) fn certificate_accepted(&mut self) -> Said {
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
    fn check_file(&mut self, mate_in: u32) -> Said {
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
        if accepted && let Some(wrong) = keys.iter().find(|key| self.is_refuted(key, mate_in)) {
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

    /// Whether the search has shown that an action does not mate in time.
    fn is_refuted(&mut self, key: &Action, mate_in: u32) -> bool {
        let decided = self.solution.as_ref().is_some_and(|solution| {
            solution.verdict == Verdict::Refuted || solution.complete && !solution.keys.is_empty()
        });
        let mut after = self.start.clone();
        decided
            && after.play(key).is_ok()
            && matches!(self.prover.surviving_defence(&after, mate_in - 1), Ok(Some(_)))
    }

    /// Makes and checks a certificate of every key class that was found.
    fn certify(&mut self, solution: &Solution, mate_in: u32) -> Said {
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
