//! The claim itself: proven, shortest, and complete.

use std::slice;

use super::{NEEDS_SEARCH, StepResult, Verification, counted, pass, show, show_defence, skipped};
use crate::notation::Span;
use crate::puzzle::finding::Finding;
use crate::puzzle::model::{Goal, Spanned, StatusWord};
use crate::puzzle::report::Answer;
use crate::search::{Analysis, KeyClass, Solution, Try, Verdict};
use crate::types::{Action, Because, Undecided};

/// The most unlisted solutions that a finding names.
const NAMED_KEYS: usize = 10;

impl Verification<'_> {
    /// Whether the goal is true. Without a search or a certificate it stays open, since no puzzle passes on a goal that nobody looked at.
    pub(super) fn goal_proven(&mut self) -> StepResult {
        let (answer, note) = match &self.puzzle.goal.value {
            Goal::Status(word) => self.status_proven(word),
            Goal::MateIn(count) => self.mate_proven(count),
            Goal::NoMateIn(count) => self.no_mate_proven(count),
            Goal::Survive(count) => self.defence_proven(count, false),
            Goal::OnlyDefence(count) => self.defence_proven(count, true),
            Goal::HelpmateIn(count) => self.helpmate_proven(count),
            Goal::SelfmateIn(count) => self.selfmate_proven(count),
        };
        match answer {
            Answer::Skipped => (Answer::Undecided, note),
            _ => (answer, note),
        }
    }

    fn status_proven(&mut self, word: &Spanned<StatusWord>) -> StepResult {
        let claimed = word.value.status();
        let outcome = match self.outcome(self.start) {
            Ok(outcome) => outcome,
            Err(why) => return self.undecided(why),
        };
        if outcome.status != claimed {
            let finding = Finding::new("wrong-status", word.span, format!("the start is not {claimed}"));
            let finding = finding
                .note(format!("expected: {claimed}"))
                .note(format!("true: {}", self.standing(self.start)));
            self.add_with_boards(finding, "The start", self.start);
        }
        match self.analysis.prover.standing(self.start) {
            Ok(standing) if standing.status() != outcome.status => {
                let what = "the rules and the checker of certificates see different legal actions";
                self.contradiction.get_or_insert_with(|| what.to_owned());
            }
            standing => self.search_only |= standing.is_err(),
        }
        pass(claimed.to_string())
    }

    fn mate_proven(&mut self, count: &Spanned<u32>) -> StepResult {
        let mate_in = count.value;
        let unfinished = match self.unfinished_lines() {
            Ok(unfinished) => unfinished,
            Err(why) => return self.undecided(why),
        };
        if self.quick {
            return self.mate_certified(mate_in);
        }
        let solution = self.analysis.searched().clone();
        let mut open = None;
        self.open = solution.undecided;
        match solution.verdict {
            Verdict::Undecided => return self.no_proof(),
            Verdict::Refuted => self.no_such_mate(count, &solution),
            Verdict::Proven => {
                for (written, action) in self.listed() {
                    // A line of one action that does not mate was found above.
                    let told = unfinished.iter().any(|line| *line == slice::from_ref(&action));
                    if !told && solution.class_of(&action).is_none() {
                        open = open.or(self.wrong_key(mate_in, written.span, &action, &solution).err());
                    }
                }
            }
        }
        let is_found = solution.verdict == Verdict::Proven;
        self.solution = Some(solution);
        if let Some(why) = open {
            return self.undecided(why);
        }
        match is_found.then(|| self.keys_confirmed(mate_in)) {
            Some(Err(unconfirmed)) => unconfirmed,
            Some(Ok(())) | None => pass(format!("mate in {mate_in}")),
        }
    }

    /// Reports the lines that do not end in mate, and gives them.
    ///
    /// # Errors
    ///
    /// When the budget is spent before all were looked at.
    pub(super) fn unfinished_lines(&mut self) -> Result<Vec<Vec<Action>>, Undecided> {
        let mut unfinished = Vec::new();
        let mut open = Ok(());
        for line in self.lines.clone() {
            let (last, before) = line.actions.split_last().expect("a line has an action");
            match self.analysis.prover.defence_against(&self.after(before), last, 0) {
                Ok(None) => {}
                Ok(Some(_)) => unfinished.push(line),
                Err(why) => {
                    self.open = Some(why);
                    open = Err(why);
                    break;
                }
            }
        }
        for line in &unfinished {
            let end = self.after(&line.actions);
            let last = line.written.last().map_or(self.puzzle.goal.span, |action| action.span);
            let finding = Finding::new("no-mate", last, "this line does not end in mate")
                .note("expected: checkmate")
                .note(format!("true: {}", self.standing(&end)));
            self.add_with_boards(finding, "After the line", &end);
        }
        open.map(|()| unfinished.into_iter().map(|line| line.actions).collect())
    }

    fn no_such_mate(&mut self, count: &Spanned<u32>, solution: &Solution) {
        let message = format!("there is no mate in {}", count.value);
        let mut finding = Finding::new("no-such-mate", count.span, message)
            .note(format!("examined: {}", counted(solution.legal_actions.count as usize, "first action")));
        match &solution.near_miss {
            Some(Try { action, refutation }) => {
                let mut after = self.start.clone();
                after.play_unchecked(action);
                let tried = show(self.start, action);
                finding =
                    finding.note(format!("for example: after {tried} {}", show_defence(&after, refutation)));
            }
            None => finding = finding.note(format!("true: {}", self.standing(self.start))),
        }
        self.add_with_boards(finding, "The start", self.start);
    }

    /// Looks into an action that the search did not find among the keys. When the search was cut short, it may still be
    /// one.
    fn wrong_key(
        &mut self,
        mate_in: u32,
        span: Span,
        action: &Action,
        solution: &Solution,
    ) -> Result<(), Undecided> {
        let complete = solution.complete;
        let mut after = self.start.clone();
        after.play_unchecked(action);
        let defence = match self.analysis.prover.defence_against(self.start, action, mate_in - 1) {
            Ok(None) => {
                self.superfluous_move(span, action, solution);
                return Ok(());
            }
            Ok(defence) => defence,
            Err(why) if why.because == Because::Unconfirmed => return Err(why),
            Err(_) if complete => None,
            Err(why) => return Err(why),
        };
        let message = format!("this action does not force mate in {mate_in}");
        let mut finding = Finding::new("wrong-key", span, message);
        if let Some(defence) = defence {
            finding = finding.note(format!("true: {}", show_defence(&after, &defence)));
        }
        self.add_with_boards(finding, "After this action", &after);
        Ok(())
    }

    /// Reports an action that contains a key.
    pub(super) fn superfluous_move(&mut self, span: Span, action: &Action, solution: &Solution) {
        let part = solution.keys.iter().flat_map(KeyClass::keys).find(|key| action.contains(key));
        if let Some(part) = part {
            let message = "this action mates, but not all of its moves are needed";
            let finding = Finding::new("superfluous-move", span, message)
                .note(format!("true: {} mates too", show(self.start, part)));
            self.findings.push(finding);
        }
    }

    fn no_mate_proven(&mut self, count: &Spanned<u32>) -> StepResult {
        let denied = self.is_certified(count.value) && self.shown.denies(self.start, count.value);
        if self.quick {
            return if denied { pass(format!("no mate in {}", count.value)) } else { skipped(NEEDS_SEARCH) };
        }
        let solution = self.analysis.mate();
        self.open = solution.undecided;
        match solution.verdict {
            Verdict::Undecided => return self.no_proof(),
            Verdict::Refuted => {
                let _ = self.deny(self.start, count.value);
            }
            Verdict::Proven => {
                let mut finding =
                    Finding::new("mate", count.span, format!("there is a mate in {}", count.value));
                if let Some(key) = solution.keys.first() {
                    finding = finding.note(format!("true: {} mates", show(self.start, key.key())));
                    if denied {
                        let what =
                            "the certificate proves that there is no mate, and the search that this mates";
                        self.analysis.prover.contradict(self.start, key.key(), what);
                    }
                }
                self.add_with_boards(finding, "The start", self.start);
            }
        }
        let examined = counted(solution.legal_actions.count as usize, "first action");
        self.solution = Some(solution);
        pass(format!("no mate in {} after {examined}", count.value))
    }

    pub(super) fn shortest(&mut self) -> StepResult {
        let count = match &self.puzzle.goal.value {
            Goal::MateIn(count) => count,
            Goal::HelpmateIn(count) => return self.shortest_help(count),
            Goal::SelfmateIn(count) => return self.shortest_selfmate(count),
            _ => return skipped("no mate is claimed"),
        };
        if count.value == 1 {
            return pass("nothing is shorter than 1");
        }
        let Some(solution) = &self.solution else { return self.no_proof() };
        let shorter = solution.mates_in.filter(|&mates_in| mates_in < count.value);
        if shorter.is_none() && solution.verdict == Verdict::Proven && solution.shortest.is_none() {
            return self.no_proof();
        }
        if let Some(shorter) = shorter {
            let quicker = Analysis::new(self.analysis.prover, self.start, shorter).mate();
            let mut finding =
                Finding::new("shorter-mate", count.span, format!("there is a shorter mate, in {shorter}"))
                    .note(format!("expected: no mate in fewer than {} actions", count.value));
            if let Some(key) = quicker.keys.first() {
                finding = finding.note(format!("true: {} mates in {shorter}", show(self.start, key.key())));
            }
            self.add_with_boards(finding, "The start", self.start);
        } else if self.deny(self.start, count.value - 1).is_err() {
            return skipped(NEEDS_SEARCH);
        }
        pass(format!("no mate in {}", count.value - 1))
    }

    pub(super) fn every_key_listed(&mut self) -> StepResult {
        match &self.puzzle.goal.value {
            Goal::Survive(_) | Goal::OnlyDefence(_) => return self.defences_listed(),
            Goal::HelpmateIn(_) => return self.helpmates_listed(),
            Goal::SelfmateIn(_) => return self.selfmates_listed(),
            Goal::MateIn(_) => {}
            _ => return skipped("no mate is claimed"),
        }
        let Some(solution) = &self.solution else { return self.no_proof() };
        if !solution.complete {
            return self.no_proof();
        }
        let (classes, examined) = (solution.keys.clone(), solution.legal_actions.count);
        if solution.verdict == Verdict::Proven {
            let n = self.analysis.n();
            // Without a search the classes are those of the certificate.
            self.solutions_evident = self.quick
                || self.classes_certified(n, &classes)
                || self.analysis.prover.confirm_classes(self.start, n, &classes).is_ok();
            self.search_only = !self.solutions_evident;
        }
        self.classes_listed(&classes, examined)
    }

    /// Whether each of these classes has a line, and `unique` is right.
    pub(super) fn classes_listed(&mut self, classes: &[KeyClass], examined: u64) -> StepResult {
        let does =
            if let Goal::SelfmateIn(_) = self.puzzle.goal.value { "also forces it" } else { "also mates" };
        let listed = self.listed();
        let is_listed = |class: &&KeyClass| listed.iter().any(|(_, action)| class.contains(action));
        let missing = classes.iter().filter(|class| !is_listed(class));
        let missing: Vec<String> =
            missing.map(|key| format!("{does}: {}", show(self.start, key.key()))).collect();
        self.report_missing(missing, "");
        let solutions = self.check_unique(classes.len());
        pass(format!("{solutions} among {}", counted(examined as usize, "first action")))
    }

    /// Reports the solutions that have no line, each in words.
    pub(super) fn report_missing(&mut self, missing: Vec<String>, at_least: &str) {
        let Some(last) = self.puzzle.solutions.last().filter(|_| !missing.is_empty()) else { return };
        let message = match (missing.len(), at_least) {
            (1, "") => "a solution is missing".to_owned(),
            (1, at_least) => format!("{at_least}one solution is missing"),
            (many, at_least) => format!("{at_least}{many} solutions are missing"),
        };
        let mut finding = Finding::new("unlisted-key", last.span, message);
        let more = missing.len().saturating_sub(NAMED_KEYS);
        for words in missing.into_iter().take(NAMED_KEYS) {
            finding = finding.note(words);
        }
        if more > 0 {
            finding = finding.note(format!("and {more} more"));
        }
        self.add_with_boards(finding, "The start", self.start);
    }

    /// Reports a claim of uniqueness that is wrong, if there are so many solutions. Gives their number in words.
    pub(super) fn check_unique(&mut self, solutions: usize) -> String {
        let words = counted(solutions, "solution");
        if let Some(unique) = self.puzzle.unique.as_ref().filter(|unique| unique.value != (solutions == 1)) {
            let message = if unique.value { "the solution is not unique" } else { "the solution is unique" };
            self.findings.push(Finding::new("unique", unique.span, message).note(format!("true: {words}")));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::prover_of;
    use super::{Solution, Verification};
    use crate::puzzle::{Answer, Options, load, verify};
    use crate::search::{Budget, Solve, solve};

    #[test]
    fn a_line_that_ends_in_stalemate_is_reported() {
        let text = include_str!("../../../corpus/puzzles/wrong/line-ends-in-stalemate.yaml");
        let documents = load("puzzle.yaml", text.as_bytes());
        let report = verify(&documents[0], Options::default());
        let found: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
        assert!(found.contains(&"no-mate"), "{found:?}");
    }

    /// A long mate by checks may be found before it is known that none is shorter.
    #[test]
    fn whether_a_mate_is_the_shortest_may_stay_undecided() {
        let text = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        let start = document.game().expect("a start").end();
        let puzzle = document.puzzle.as_ref().expect("a puzzle");
        let found = solve(&start, Solve { mate_in: 2, all: true, budget: Budget::default() });
        for (shortest, answer) in [(Some(2), Answer::Pass), (None, Answer::Undecided)] {
            let mut prover = prover_of(puzzle, Options::default());
            let mut asking = Verification::new(&document, puzzle, &start, Options::default(), &mut prover);
            asking.solution = Some(Solution { shortest, ..found.clone() });
            assert_eq!(asking.shortest().0, answer, "{shortest:?}");
        }
    }
}
