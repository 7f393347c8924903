//! Goals of the defender: the player to move has to find what survives.

use super::{NEEDS_SEARCH, StepResult, Verification, counted, pass, show, skipped};
use crate::puzzle::finding::Finding;
use crate::puzzle::model::Spanned;
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The most surviving actions that are looked for.
const MOST: usize = 12;
/// The most that a finding names.
const NAMED: usize = 10;

/// The actions of the defender, as far as they are known.
#[derive(Debug)]
pub(super) struct Defences {
    /// Those that survive, in canonical order; if there are `MOST` there may be more.
    surviving: Vec<Action>,
    /// The number of those that do not, among those that were looked at.
    losing: u64,
}

impl Defences {
    /// Whether an action survives, if that is known.
    pub(super) fn survives(&self, action: &Action) -> Option<bool> {
        let is_listed = self.surviving.contains(action);
        (is_listed || self.surviving.len() < MOST).then_some(is_listed)
    }

    fn examined(&self) -> String {
        let more = if self.surviving.len() < MOST { "" } else { "at least " };
        let all = self.surviving.len() + self.losing as usize;
        format!("{more}{} of {} survive", self.surviving.len(), counted(all, "first action"))
    }
}

impl Verification<'_> {
    /// Whether some action survives a mate in so many, or exactly one, and all that are listed do.
    pub(super) fn defence_proven(&mut self, count: &Spanned<u32>, is_only: bool) -> StepResult {
        let n = count.value;
        if !self.is_certified(n) && self.quick && n > 1 {
            return skipped(NEEDS_SEARCH);
        }
        for line in self.lines.clone() {
            let mut after = self.start.clone();
            after.play_unchecked(&line.actions[0]);
            match self.mating_answer(&line.actions[..1], &after, n) {
                Err(_) if self.quick => return skipped(NEEDS_SEARCH),
                Err(why) => return self.open_goal(why),
                Ok(None) => {}
                Ok(Some(mate)) => {
                    let message = format!("after this action there is a mate in {n}");
                    let finding = Finding::new("wrong-key", line.written[0].span, message)
                        .note(format!("true: {} mates", show(&after, &mate)));
                    self.add_with_boards(finding, "After this action", &after);
                }
            }
        }
        let found =
            if self.quick { self.surviving_as_shown(n) } else { self.analysis.surviving_actions(MOST) };
        let (surviving, losing) = match found {
            Err(_) if self.quick => return skipped(NEEDS_SEARCH),
            Err(why) => return self.open_goal(why),
            Ok(found) => found,
        };
        let before = self.search_only;
        if !self.quick {
            for action in &surviving {
                let mut after = self.start.clone();
                after.play_unchecked(action);
                if self.shown.mates_after(std::slice::from_ref(action), n) {
                    let what = "the certificate proves that this loses, and the search that it does not";
                    self.analysis.prover.contradict(self.start, action, what);
                }
                if self.is_evidently_denied(&after, n) {
                    self.denied_lines.push((vec![action.clone()], n));
                } else {
                    self.search_only = true;
                }
            }
            self.search_only |= !self.are_all_actions(&surviving, losing);
        }
        self.solutions_evident = !self.search_only;
        self.search_only |= before;
        let defences = Defences { surviving, losing };
        let mates = format!("a mate in {n}");
        if defences.surviving.is_empty() {
            let finding = Finding::new("no-defence", count.span, format!("no action survives {mates}"))
                .note(format!("examined: {}", counted(losing as usize, "first action")));
            self.add_with_boards(finding, "The start", self.start);
        } else if is_only && defences.surviving.len() > 1 {
            let message = format!("more than one action survives {mates}");
            let mut finding = Finding::new("several-defences", count.span, message);
            for action in defences.surviving.iter().take(NAMED) {
                finding = finding.note(format!("survives: {}", show(self.start, action)));
            }
            if defences.surviving.len() > NAMED {
                finding = finding.note("and more");
            }
            self.add_with_boards(finding, "The start", self.start);
        }
        let examined = defences.examined();
        self.defences = Some(defences);
        pass(examined)
    }

    /// Whether the checker lists as many first actions as were looked at. Of some, more is not claimed than that these survive.
    fn are_all_actions(&mut self, surviving: &[Action], losing: u64) -> bool {
        if surviving.len() >= MOST {
            return true;
        }
        let Ok(listed) = self.analysis.prover.shown_legal_actions(self.start) else { return false };
        let agrees = listed.len() as u64 == surviving.len() as u64 + losing;
        if let (false, Some(action)) = (agrees, listed.first().or(surviving.first())) {
            let what = "the checker lists other first actions than the search";
            self.analysis.prover.contradict(self.start, action, what);
        }
        agrees
    }

    /// A mate in so many of the opponent, who is to move after this line. Without a search a mate in one is found by the checker; of a longer one
    /// the certificate says whether there is one.
    fn mating_answer(
        &mut self,
        line: &[Action],
        after: &Position,
        n: u32,
    ) -> Result<Option<Action>, Undecided> {
        let denied = self.shown.denies(after, n);
        if !self.quick {
            let mate = self.analysis.prover.mating_answer(after, n)?;
            if let (true, Some(answer)) = (denied, &mate) {
                let what = "the certificate proves that there is no mate, and the search that this mates";
                self.analysis.prover.contradict(after, answer, what);
            }
            return Ok(mate);
        }
        let shown = self.shown.answers_after(line).into_iter().find(|(_, length)| *length <= n);
        match shown {
            _ if denied => Ok(None),
            Some((answer, _)) => Ok(Some(answer)),
            None if n == 1 => self.analysis.prover.shown_mate_in_one(after),
            None => Err(super::tables::NOT_SEARCHED),
        }
    }

    /// The first actions after which the opponent has no mate in so many, at most `MOST`, and the number of others. The checker lists the actions;
    /// of each it finds out whether it survives a mate in one, and the certificate says it of longer ones.
    fn surviving_as_shown(&mut self, n: u32) -> Result<(Vec<Action>, u64), Undecided> {
        let (mut surviving, mut losing) = (Vec::new(), 0);
        let mut after = self.start.clone();
        for action in self.analysis.prover.shown_legal_actions(self.start)? {
            after.play_unchecked(&action);
            let survives = self.mating_answer(std::slice::from_ref(&action), &after, n)?.is_none();
            after.undo_unchecked(&action);
            if !survives {
                losing += 1;
                continue;
            }
            surviving.push(action);
            if surviving.len() >= MOST {
                break;
            }
        }
        Ok((surviving, losing))
    }

    fn open_goal(&mut self, why: Undecided) -> StepResult {
        self.open = Some(why);
        self.undecided(why)
    }

    /// Whether the file is right that the solution of a goal of the defender is the only one.
    pub(super) fn defences_listed(&mut self) -> StepResult {
        self.search_only = !self.solutions_evident;
        let Some(defences) = &self.defences else { return self.no_proof() };
        let count = defences.surviving.len();
        if let Some(unique) = self.puzzle.unique.as_ref().filter(|unique| unique.value != (count == 1)) {
            let message = if unique.value { "the solution is not unique" } else { "the solution is unique" };
            let mut finding = Finding::new("unique", unique.span, message);
            for action in defences.surviving.iter().take(NAMED) {
                finding = finding.note(format!("survives: {}", show(self.start, action)));
            }
            self.findings.push(finding);
        }
        pass(match self.defences.as_ref().map(|defences| defences.surviving.len()) {
            Some(1) => "nothing else survives".to_owned(),
            _ => "one of several is enough".to_owned(),
        })
    }

    /// Whether the opponent cannot mate in so many after this first action.
    pub(super) fn survives(&mut self, action: &Action, n: u32) -> Result<bool, Undecided> {
        if let Some(known) = self.defences.as_ref().and_then(|defences| defences.survives(action)) {
            return Ok(known);
        }
        if self.quick {
            return Err(super::tables::NOT_SEARCHED);
        }
        let mut after = self.start.clone();
        after.play_unchecked(action);
        Ok(self.analysis.prover.mating_answer(&after, n)?.is_none())
    }

    /// A reply that does not force mate with so many further actions is a finding.
    pub(super) fn punishes(
        &mut self,
        after: &Position,
        action: &Action,
        reply: &Spanned<String>,
        left: u32,
    ) -> Result<(), Undecided> {
        let mut position = after.clone();
        let Some(played) = self.play(&mut position, reply) else { return Ok(()) };
        if self.quick && left > 0 {
            let line = [action.clone(), played];
            let shown = self.shown.length_after(&line).is_some_and(|length| length <= left + 1);
            return if shown { Ok(()) } else { Err(super::tables::NOT_SEARCHED) };
        }
        if let Some(defence) = self.analysis.prover.defence_against(after, &played, left)? {
            let message = format!("this reply does not refute {}", show(self.start, action));
            let finding = Finding::new("wrong-refutation", reply.span, message)
                .note(format!("expected: mate in {} with it", left + 1))
                .note(format!("true: {}", super::show_defence(&position, &defence)));
            self.add_with_boards(finding, "After the reply", &position);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::puzzle::{Answer, Options, Step, load, verify};

    /// Without a search the checker alone finds what survives a mate in one, and all helpmates.
    #[test]
    fn the_checker_alone_finds_the_same_faults() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (mut wrong, mut right) = (0, 0);
        for file in [
            "corpus/puzzles/wrong/several-defences.yaml",
            "corpus/puzzles/wrong/no-defence.yaml",
            "corpus/puzzles/wrong/defence-loses.yaml",
            "corpus/puzzles/wrong/helpmate.yaml",
            "puzzles/course/flee-into-the-past.yaml",
            "puzzles/only-defences/brawn-saves-6fe8.yaml",
            "puzzles/helpmates/pawn-needs-help.yaml",
        ] {
            for document in load(file, &fs::read(root.join(file)).expect("a file")) {
                let asked = |quick| {
                    let report = verify(&document, Options { quick, ..Options::default() });
                    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
                    let goal = report.steps.iter().find(|(step, ..)| *step == Step::GoalProven);
                    (codes, goal.map(|(_, answer, _)| *answer), report.answer())
                };
                let (searched, checked) = (asked(false), asked(true));
                if searched.2 != Answer::Undecided {
                    assert_eq!(checked, searched, "{file}: {}", document.id);
                }
                wrong += usize::from(checked.2 == Answer::Fail);
                right += usize::from(checked.1 == Some(Answer::Pass));
            }
        }
        assert!(wrong > 4 && right > 2, "{wrong} {right}");
    }
}
