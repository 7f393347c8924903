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

/// What is known of the actions of the defender.
#[derive(Debug)]
pub(super) struct Defences {
    /// Those that survive, in canonical order; if there are `MOST` there may be more.
    surviving: Vec<Action>,
    /// How many do not, of those that were looked at.
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
        if self.quick {
            return skipped(NEEDS_SEARCH);
        }
        for line in self.lines.clone() {
            let mut after = self.start.clone();
            after.play_unchecked(&line.actions[0]);
            match self.analysis.prover.mating_answer(&after, count.value) {
                Err(why) => return self.open_goal(why),
                Ok(None) => {}
                Ok(Some(mate)) => {
                    let message = format!("after this action there is a mate in {}", count.value);
                    let finding = Finding::new("wrong-key", line.written[0].span, message)
                        .note(format!("true: {} mates", show(&after, &mate)));
                    self.add_with_boards(finding, "After this action", &after);
                }
            }
        }
        let (surviving, losing) = match self.analysis.surviving_actions(MOST) {
            Err(why) => return self.open_goal(why),
            Ok(found) => found,
        };
        let before = self.search_only;
        for action in &surviving {
            let mut after = self.start.clone();
            after.play_unchecked(action);
            let _ = self.deny(&after, count.value);
        }
        self.solutions_evident = !self.search_only;
        self.search_only |= before;
        let defences = Defences { surviving, losing };
        let mates = format!("a mate in {}", count.value);
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
            return Err(super::tables::NOT_SEARCHED);
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
