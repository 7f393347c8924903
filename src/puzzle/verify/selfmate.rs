//! Selfmates: the player to move forces the opponent to mate.

use super::{NEEDS_SEARCH, StepResult, Verification, counted, pass, show, skipped};
use crate::notation::Span;
use crate::puzzle::finding::Finding;
use crate::puzzle::model::Spanned;
use crate::search::{Analysis, Defence, KeyClass, Selfmates, Try, Verdict};
use crate::state::Position;
use crate::types::{Action, Undecided};

impl Verification<'_> {
    pub(super) fn selfmate_proven(&mut self, count: &Spanned<u32>) -> StepResult {
        let n = count.value;
        if let Err(why) = self.unfinished_lines() {
            return self.undecided(why);
        }
        let found = match self.quick {
            false => self.analysis.selfmates().clone(),
            true => match self.analysis.prover.listed_selfmates(self.start, n) {
                Ok(listed) => listed,
                Err(_) => return skipped(NEEDS_SEARCH),
            },
        };
        self.open = found.undecided;
        let mut open = None;
        match found.verdict {
            Verdict::Undecided => return self.no_proof(),
            Verdict::Refuted => self.no_such_selfmate(count, &found),
            Verdict::Proven => {
                // Nothing is said of other actions if a shorter selfmate was met without a search.
                let listed = if self.quick && !found.complete { Vec::new() } else { self.listed() };
                for (written, action) in listed {
                    if !found.keys.iter().any(|class| class.contains(&action)) {
                        open = open.or(self.wrong_selfmate(n, written.span, &action, &found).err());
                    }
                }
                let prover = &mut self.analysis.prover;
                self.solutions_evident =
                    found.complete && (self.quick || prover.confirms_selfmates(self.start, n, &found.keys));
                self.search_only = !self.quick && !self.solutions_evident;
            }
        }
        self.selfmates = Some(found);
        match open {
            Some(why) => self.undecided(why),
            None => pass(format!("selfmate in {n}")),
        }
    }

    fn no_such_selfmate(&mut self, count: &Spanned<u32>, found: &Selfmates) {
        let message = format!("there is no selfmate in {}", count.value);
        let mut finding = Finding::new("no-such-mate", count.span, message)
            .note(format!("examined: {}", counted(found.legal_actions.count as usize, "first action")));
        if let Some(Try { action, refutation }) = &found.near_miss {
            let mut after = self.start.clone();
            after.play_unchecked(action);
            let tried = show(self.start, action);
            finding =
                finding.note(format!("for example: after {tried} {}", show_evasion(&after, refutation)));
        }
        self.add_with_boards(finding, "The start", self.start);
    }

    fn wrong_selfmate(
        &mut self,
        n: u32,
        span: Span,
        action: &Action,
        found: &Selfmates,
    ) -> Result<(), Undecided> {
        let mut after = self.start.clone();
        after.play_unchecked(action);
        match self.analysis.prover.selfmate_evasion(&after, n - 1)? {
            Some(evasion) => {
                let message = format!("this action does not force a selfmate in {n}");
                let finding = Finding::new("wrong-key", span, message)
                    .note(format!("true: {}", show_evasion(&after, &evasion)));
                self.add_with_boards(finding, "After this action", &after);
            }
            None => {
                let part = found.keys.iter().flat_map(KeyClass::keys).find(|key| action.contains(key));
                if let Some(part) = part {
                    let message = "this action forces it, but not all of its moves are needed";
                    let finding = Finding::new("superfluous-move", span, message)
                        .note(format!("true: {} forces it too", show(self.start, part)));
                    self.findings.push(finding);
                }
            }
        }
        Ok(())
    }

    pub(super) fn shortest_selfmate(&mut self, count: &Spanned<u32>) -> StepResult {
        if count.value == 1 {
            return pass("nothing is shorter than 1");
        }
        let Some(found) = &self.selfmates else { return self.no_proof() };
        if let Some(shorter) = found.shortest.filter(|&shortest| shortest < count.value) {
            let quicker = match self.quick {
                false => Analysis::new(self.analysis.prover, self.start, shorter).selfmate(),
                true => found.clone(),
            };
            let mut finding = Finding::new(
                "shorter-mate",
                count.span,
                format!("there is a shorter selfmate, in {shorter}"),
            )
            .note(format!("expected: no selfmate in fewer than {} actions", count.value));
            if let Some(key) = quicker.keys.first() {
                finding =
                    finding.note(format!("true: {} forces it in {shorter}", show(self.start, key.key())));
            }
            self.add_with_boards(finding, "The start", self.start);
        } else {
            let prover = &mut self.analysis.prover;
            self.search_only = !self.quick && !prover.confirms_selfmates(self.start, count.value - 1, &[]);
        }
        pass(format!("no selfmate in {}", count.value - 1))
    }

    pub(super) fn selfmates_listed(&mut self) -> StepResult {
        let Some(found) = &self.selfmates else { return self.no_proof() };
        if !found.complete {
            return self.no_proof();
        }
        self.search_only = !self.solutions_evident;
        let (classes, examined) = (found.keys.clone(), found.legal_actions.count);
        self.classes_listed(&classes, examined)
    }
}

/// The defence against a selfmate, in words.
fn show_evasion(position: &Position, evasion: &Defence) -> String {
    match evasion {
        Defence::Action(_) => super::show_defence(position, evasion),
        Defence::Stalemate if position.is_in_check() => {
            format!("{} is mated", super::mover(position))
        }
        Defence::Stalemate => super::show_defence(position, evasion),
    }
}

#[cfg(test)]
mod tests {
    use crate::puzzle::{Answer, Options, load, verify};

    /// The checker finds by listing what the search finds.
    #[test]
    fn selfmates_are_checked_without_a_search() {
        let wrong = include_str!("../../../corpus/puzzles/wrong/selfmate.yaml");
        let good = include_str!("../../../corpus/puzzles/good/selfmate.yaml");
        let shipped = include_str!("../../../puzzles/selfmates/last-pawn.yaml");
        for (text, count, answer) in
            [(wrong, 3, Answer::Fail), (good, 1, Answer::Pass), (shipped, 1, Answer::Pass)]
        {
            for document in load("puzzle.yaml", text.as_bytes()).iter().take(count) {
                let quick = verify(document, Options { quick: true, ..Options::default() });
                let whole = verify(document, Options::default());
                let codes = |report: &crate::puzzle::Report<'_>| -> Vec<&'static str> {
                    report.findings.iter().map(|finding| finding.code).collect()
                };
                assert_eq!((quick.answer(), codes(&quick)), (answer, codes(&whole)), "{}", document.id);
                assert_eq!(quick.grounds(), whole.grounds(), "{}", document.id);
            }
        }
    }
}
