//! Evidence for the claim of a mate: the certificate beside the puzzle, or one that is made for this check.
//!
//! A certificate is checked without a search, by code that shares nothing with the search but boards and the moves of
//! pieces. No mate passes without one. If it contradicts the search, this program has a bug.

use super::{Answer, NEEDS_SEARCH, StepResult, Verification, counted, pass, skipped};
use crate::puzzle::certificate::{Certificate, Checked, Claim, read_file};
use crate::puzzle::finding::Finding;
use crate::puzzle::model::Goal;
use crate::search::certificate::Node;
use crate::search::{Evidence, KeyClass, Verdict};
use crate::state::Position;
use crate::types::{Action, Color, Undecided};

/// The evidence for the listed keys, kept until its step is asked.
pub(super) struct Certified {
    said: StepResult,
    /// Faults of the file.
    findings: Vec<Finding>,
}

/// The mates that there are, and those that there are not, as an accepted certificate shows.
#[derive(Default)]
pub(super) struct Shown {
    no_mate: Vec<(Position, u32)>,
    no_other_mate: Option<u32>,
    certificate: Option<Certificate>,
}

impl Shown {
    /// Whether it shows that the player to move has no mate in `n`.
    pub(super) fn denies(&self, position: &Position, n: u32) -> bool {
        self.no_mate.iter().any(|(denied, most)| n <= *most && denied == position)
    }

    /// The keys that it proves.
    fn keys(&self) -> Vec<Action> {
        let proofs = self.certificate.iter().flat_map(|certificate| &certificate.keys);
        proofs.map(|(key, _)| key.clone()).collect()
    }

    /// The number of actions in which the answer at the end of a line mates, if that is shown.
    pub(super) fn length_after(&self, line: &[Action]) -> Option<u32> {
        self.certificate.as_ref()?.proof_after(line).map(Node::mate_in)
    }

    /// Whether some answer after a line is shown to mate in so many.
    pub(super) fn mates_after(&self, line: &[Action], n: u32) -> bool {
        self.answers_after(line).iter().any(|(_, length)| *length <= n)
    }

    /// The answers that are shown to mate after a line, each with the number of actions that it needs.
    pub(super) fn answers_after(&self, line: &[Action]) -> Vec<(Action, u32)> {
        let answers = self.certificate.iter().flat_map(|certificate| certificate.answers_after(line));
        answers.map(|(answer, proof)| (answer.clone(), proof.mate_in())).collect()
    }
}

impl Verification<'_> {
    pub(super) fn certificate_accepted(&mut self) -> StepResult {
        let (Goal::MateIn(count) | Goal::NoMateIn(count) | Goal::Survive(count) | Goal::OnlyDefence(count)) =
            &self.puzzle.goal.value
        else {
            return skipped(if self.certificate.is_some() {
                "neither a mate nor no mate is claimed"
            } else {
                "none"
            });
        };
        let certified = match (self.certified.take(), self.certificate) {
            (Some(certified), _) => certified,
            (None, Some(_)) => self.check_file(count.value),
            (None, None) if !self.claims_mate() => return skipped("none"),
            (None, None) => {
                return skipped(if self.quick { NEEDS_SEARCH } else { "none, and no mate to confirm" });
            }
        };
        self.findings.extend(certified.findings);
        certified.said
    }

    /// Whether there is evidence for every listed key, or for some key if none is listed: the file beside the puzzle, or else
    /// certificates that are made now.
    ///
    /// # Errors
    ///
    /// Why there is none for some key.
    pub(super) fn keys_confirmed(&mut self, mate_in: u32) -> Result<(), StepResult> {
        let mut certified = match self.certificate {
            Some(_) => self.check_file(mate_in),
            None => Certified { said: skipped("none"), findings: Vec::new() },
        };
        let accepted = certified.said.0 == Answer::Pass && certified.findings.is_empty();
        let made = if accepted { Ok(String::new()) } else { self.certify() };
        let confirmed = made.as_ref().map(drop).map_err(|why| self.undecided(*why));
        if self.certificate.is_none() {
            certified.said = match made {
                Ok(made) => pass(format!("made now: {made}")),
                Err(why) => self.undecided(why),
            };
        }
        self.certified = Some(certified);
        confirmed
    }

    /// Whether the certificate beside the puzzle shows that these are all classes of keys of a mate in `n`.
    pub(super) fn classes_certified(&mut self, n: u32, classes: &[KeyClass]) -> bool {
        let keys = self.shown.keys();
        self.shown.no_other_mate >= Some(n)
            && self.analysis.prover.classes_of(self.start, &keys).is_ok_and(|shown| shown == classes)
    }

    /// Whether the certificate beside the puzzle shows a mate in so many, when nothing is searched.
    pub(super) fn mate_certified(&mut self, mate_in: u32) -> StepResult {
        if self.certificate.is_none() || self.listed().is_empty() {
            return skipped(NEEDS_SEARCH);
        }
        let certified = self.check_file(mate_in);
        let accepted = certified.said.0 == Answer::Pass && certified.findings.is_empty();
        self.certified = Some(certified);
        if !accepted {
            return skipped(NEEDS_SEARCH);
        }
        let keys = self.shown.keys();
        let complete = self.shown.no_other_mate >= Some(mate_in);
        let prover = &mut self.analysis.prover;
        match prover.certified_solution(self.start, mate_in, &keys, complete) {
            Err(_) => return skipped(NEEDS_SEARCH),
            Ok(solution) => {
                for (written, action) in self.listed() {
                    if solution.class_of(&action).is_none() {
                        self.superfluous_move(written.span, &action, &solution);
                    }
                }
                self.solution = Some(solution);
            }
        }
        pass(format!("mate in {mate_in}"))
    }

    /// Checks the certificate beside a puzzle that claims no keys, if there is one, for a mate in so many. Returns whether it is accepted.
    pub(super) fn is_certified(&mut self, mate_in: u32) -> bool {
        if self.certificate.is_some() {
            self.certified = Some(self.check_file(mate_in));
        }
        self.shown.certificate.is_some()
    }

    fn claims_mate(&self) -> bool {
        matches!(self.puzzle.goal.value, Goal::MateIn(_))
    }

    /// The player who mates, or does not.
    fn attacker(&self) -> Color {
        let to_move = self.start.to_move();
        if self.puzzle.goal.value.is_defence() { !to_move } else { to_move }
    }

    /// Checks the certificate that is a file. The budget for evidence pays.
    fn check_file(&mut self, mate_in: u32) -> Certified {
        let file = self.certificate.expect("there is a file");
        let in_file = |mut finding: Finding| {
            finding.in_certificate = true;
            finding
        };
        let certificate = match read_file(file) {
            Ok(certificate) => certificate,
            Err(finding) => return Certified { said: pass(""), findings: vec![in_file(finding)] },
        };
        let keys: Vec<Action> = self.listed().into_iter().map(|(_, key)| key).collect();
        let (puzzle, start) = (self.puzzle.id.value.as_str(), self.start);
        let claimed = self.claims_mate().then_some(&*keys);
        let claim = Claim { puzzle, start, attacker: self.attacker(), mate_in, keys: claimed };
        let checked = self.analysis.prover.on_evidence(|prover| {
            let looks = prover.looks();
            let checked = certificate.check(claim, &looks);
            let _ = prover.charge_looks(&looks);
            checked
        });
        let Checked { keys: proven, defences, findings, undecided, because, .. } = checked;
        let Checked { no_mate, no_other_mate, refutations, .. } = checked;
        if findings.is_empty()
            && undecided == 0
            && let Some(wrong) = keys.iter().find(|key| self.is_denied(key))
        {
            let what = "the certificate proves that this mates, and the search that it does not";
            self.analysis.prover.contradict(start, wrong, what);
        }
        let certificate = certificate.certificate;
        let (answers, denied) = (certificate.answers.len(), no_mate.len());
        self.analysis.prover.set_refutation_table(refutations);
        if findings.is_empty() && undecided == 0 {
            self.shown = Shown { no_mate, no_other_mate, certificate: Some(certificate) };
        }
        let said = match (undecided, because) {
            (0, _) if self.attacker() != start.to_move() => {
                let answers = counted(answers, "answer");
                pass(format!("no mate in {mate_in} after {}, {answers}", counted(denied, "action")))
            }
            (0, _) if !self.claims_mate() => pass(format!("no mate in {mate_in}")),
            (0, _) => pass(shown(proven, defences)),
            (open, Some(because)) => (Answer::Undecided, format!("{}: {because}", counted(open, "part"))),
            (open, None) => (Answer::Undecided, counted(open, "part")),
        };
        Certified { said, findings: findings.into_iter().map(in_file).collect() }
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

    /// Makes certificates of the listed keys that the search accepts, or of one key of those that it found, and says how many.
    fn certify(&mut self) -> Result<String, Undecided> {
        let Some(solution) = &self.solution else { return Ok(shown(0, 0)) };
        let is_found = |action: &Action| solution.class_of(action).is_some();
        let mut keys: Vec<Action> = self.listed().into_iter().map(|(_, key)| key).filter(is_found).collect();
        if keys.is_empty() {
            keys.extend(solution.keys.first().map(|class| class.key().clone()));
        }
        let shortest = solution.shortest;
        let mut defences = 0;
        for key in &keys {
            let Evidence { defences: answered, node, .. } = self.analysis.evidence(key)?.clone();
            defences += answered;
            if shortest.is_some_and(|shortest| node.mate_in() < shortest) {
                self.analysis.prover.contradict(
                    self.start,
                    key,
                    "the search says that no mate is so short as its certificate shows",
                );
            }
        }
        Ok(shown(keys.len(), defences))
    }
}

/// The number of keys that are proven, and of the defences against them.
fn shown(keys: usize, defences: u64) -> String {
    format!("{}, {}", counted(keys, "key"), counted(defences as usize, "defence"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::load::{Document, File, load};
    use crate::puzzle::model::Spanned;
    use crate::puzzle::verify::{Options, prover_of};
    use crate::puzzle::{Answer, Step, Support, verify};
    use crate::search::{Budget, Solution, Solve, solve};

    /// A mate in 2 that is none in 1.
    const PUZZLE: &str = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
    const CERTIFICATE: &str = include_str!("../../../puzzles/small/certificates/rook-from-the-past.yaml");

    fn document() -> Document {
        load("puzzle.yaml", PUZZLE.as_bytes()).remove(0)
    }

    /// The evidence when the search has found this, and the contradiction.
    fn asked(
        document: &Document,
        found: impl FnOnce(&mut Solution),
        mate_in: u32,
    ) -> (Result<(), StepResult>, Option<String>) {
        let start = document.game().expect("a start").end();
        let question = Solve { mate_in: 2, all: true, budget: Budget::default() };
        let mut solution = solve(&start, question);
        found(&mut solution);
        let mut puzzle = document.puzzle.clone().expect("a puzzle");
        puzzle.goal.value = Goal::MateIn(Spanned { value: mate_in, span: puzzle.goal.span });
        let mut prover = prover_of(&puzzle, Options::default());
        let mut asking = Verification::new(document, &puzzle, &start, Options::default(), &mut prover);
        asking.lines_legal();
        asking.solution = Some(solution);
        let said = asking.keys_confirmed(mate_in);
        (said, asking.analysis.prover.contradiction().map(ToString::to_string))
    }

    #[test]
    fn what_the_search_claims_in_vain_is_a_contradiction() {
        assert_eq!(asked(&document(), |_| {}, 2), (Ok(()), None));
        let (said, contradiction) = asked(&document(), |_| {}, 1);
        assert_eq!(said.unwrap_err().0, Answer::Undecided);
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

    /// Whoever writes the file sets the budget of the search, but not that of the evidence.
    #[test]
    fn no_mate_passes_without_evidence() {
        let answer = |evidence, quick| {
            let document = document();
            let report = verify(&document, Options { evidence, quick, ..Options::default() });
            let goal = report.steps.iter().find(|(step, ..)| *step == Step::GoalProven).expect("it is asked");
            assert_eq!(report.bug(), None);
            (report.answer(), goal.1, report.support(Step::GoalProven))
        };
        let open = (Answer::Undecided, Answer::Undecided, None);
        assert_eq!(answer(0, false), open);
        // Without a search there is no evidence but a certificate, and this document has none.
        assert_eq!(answer(1_000_000, true), open);
        assert_eq!(answer(1_000_000, false), (Answer::Pass, Answer::Pass, Some(Support::Evidence)));
    }

    /// A second key would pass on the word of the search.
    #[test]
    fn every_listed_key_is_confirmed() {
        let text = include_str!("../../../puzzles/rook/rook-tactics-4.yaml");
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        let report = verify(&document, Options::default());
        let step = report.steps.iter().find(|(step, ..)| *step == Step::CertificateAccepted);
        let (_, answer, said) = step.expect("it is asked");
        assert_eq!(*answer, Answer::Pass);
        assert!(said.starts_with("made now: 2 keys"), "{said}");
    }
}
