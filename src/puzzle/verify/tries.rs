//! Wrong actions with their refutations.

use super::tables::{NOT_SEARCHED, Row, RowIndices, Uncovered, unreachable_row};
use super::{StepResult, Try, Verification, counted, pass, show, skipped};
use crate::puzzle::finding::Finding;
use crate::puzzle::model::{Goal, STALEMATE, Scope, Spanned, Tries};
use crate::puzzle::table::Table;
use crate::search::{Analysis, Defence, KeyClass, Verdict};
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The rows that legal actions belong to, and the actions that lack one.
#[derive(Default)]
struct Coverage {
    /// The rows that are about one of them.
    rows: RowIndices,
    /// Those without a row that have to have one.
    uncovered: Uncovered,
    /// The limit that left open whether one of them solves the puzzle.
    open: Option<Undecided>,
}

impl<'a> Verification<'a> {
    pub(super) fn table_complete(&mut self) -> StepResult {
        let Some(Spanned { value: tries, span }) = &self.puzzle.tries else { return skipped("no tries") };
        let mut told = RowIndices::new();
        let table = match self.table_of_tries(tries, &mut told) {
            Ok(table) => table,
            Err(why) => return self.undecided(why),
        };
        let rows = counted(tries.rows.0.len() + tries.classes.len(), "row");
        self.search_only |= !self.solutions_evident && !matches!(self.puzzle.goal.value, Goal::NoMateIn(_));
        if tries.scope == Scope::Plausible && !table.has_classes() {
            return pass(format!("{rows}, a choice"));
        }
        match (&self.puzzle.goal.value, &self.solution) {
            (Goal::MateIn(_), Some(solution)) if !solution.complete => return self.no_proof(),
            (Goal::MateIn(_), None) if !self.quick => return self.no_proof(),
            _ => {}
        }
        let mut coverage = Coverage::default();
        let listed = self.cover(tries, &table, &mut told, &mut coverage);
        for (index, written) in tries.classes.iter().enumerate() {
            let index = tries.rows.0.len() + index;
            if listed.is_ok() && !coverage.rows.contains(&index) && !told.contains(&index) {
                self.findings.push(unreachable_row(written));
            }
        }
        self.classes_seen = listed.is_ok();
        self.findings.extend(coverage.uncovered.finding(self.start, *span, listed.is_ok()));
        let covered = match tries.scope {
            Scope::All => "every legal action",
            Scope::Plausible => "a choice",
        };
        self.unless_open(coverage.open.or(listed.err()), pass(format!("{rows}, {covered}")))
    }

    /// The rows and classes of the tries. Tries of rows are noted for the next step.
    fn table_of_tries(&mut self, tries: &'a Tries, told: &mut RowIndices) -> Result<Table<Row>, Undecided> {
        let mut table = Table::default();
        for (index, (written, refutation)) in tries.rows.0.iter().enumerate() {
            self.pay_for_reading(self.start)?;
            let Some(action) = self.play(&mut self.start.clone(), written) else { continue };
            let row = Row { index, span: written.span };
            if !self.add_row(&mut table, action.clone(), row, told) {
                continue;
            }
            if self.is_key(&action) || self.is_known_to_survive(&action) {
                let message = "this action is no mistake, but solves the puzzle";
                self.findings.push(Finding::new("try-mates", written.span, message));
            } else {
                let count = refutation.refutations.as_ref();
                self.tries.push(Try { reply: &refutation.reply, count, action });
            }
        }
        for (index, written) in tries.classes.iter().enumerate() {
            self.pay_for_reading(self.start)?;
            match self.texts.class(self.start, &written.value.class) {
                Ok(class) => {
                    table.add_class(class, Row { index: tries.rows.0.len() + index, span: written.span });
                }
                Err(finding) => self.add_with_boards(finding, "Before this action", self.start),
            }
        }
        Ok(table)
    }

    /// Goes through the legal actions and notes the tries among them that classes and `otherwise` are about.
    fn cover(
        &mut self,
        tries: &'a Tries,
        table: &Table<Row>,
        told: &mut RowIndices,
        coverage: &mut Coverage,
    ) -> Result<(), Undecided> {
        let mut legal = self.analysis.prover.actions(self.start);
        while let Some(action) = self.analysis.prover.next_action(&mut legal)? {
            self.pay_for_classes(table)?;
            let Some(Row { index, span }) = self.row_of(table, self.start, &action, told) else {
                if tries.scope == Scope::All {
                    match self.solves(&action) {
                        Ok(true) => {}
                        Ok(false) => {
                            if let Some(action) = self.unanswered(action, &tries.otherwise)? {
                                coverage.uncovered.add(action);
                            }
                        }
                        Err(why) => coverage.open = Some(why),
                    }
                }
                continue;
            };
            coverage.rows.insert(index);
            let Some(class) = index.checked_sub(tries.rows.0.len()) else { continue };
            if !self.is_key(&action) {
                self.analysis.prover.charge_memory(&action)?;
                self.tries.push(Try { reply: &tries.classes[class].value.reply, count: None, action });
            } else if told.insert(index) {
                let finding = Finding::new("try-mates", span, "an action of this class solves the puzzle")
                    .note(format!("for example: {}", show(self.start, &action)));
                self.findings.push(finding);
            }
        }
        Ok(())
    }

    /// Notes the first legal reply of a list to a wrong first action, which comes back if there is none.
    fn unanswered(
        &mut self,
        action: Action,
        replies: &'a [Spanned<String>],
    ) -> Result<Option<Action>, Undecided> {
        let mut after = self.start.clone();
        after.play_unchecked(&action);
        let reply = match self.texts.otherwise(&after, replies) {
            Some((reply, Some(_))) => reply,
            Some((reply, None)) if self.is_stalemate(&after)? => reply,
            _ => return Ok(Some(action)),
        };
        self.analysis.prover.charge_memory(&action)?;
        self.tries.push(Try { reply, count: None, action });
        Ok(None)
    }

    /// Whether the player to move in a position is stalemated.
    pub(super) fn is_stalemate(&mut self, position: &Position) -> Result<bool, Undecided> {
        Ok(self.analysis.prover.surviving_defence(position, 0)? == Some(Defence::Stalemate))
    }

    /// Whether an action is known to survive, where that is the goal.
    fn is_known_to_survive(&mut self, action: &Action) -> bool {
        match &self.puzzle.goal.value {
            Goal::Survive(count) | Goal::OnlyDefence(count) => self.survives(action, count.value) == Ok(true),
            _ => false,
        }
    }

    /// Whether a first action is no mistake.
    fn solves(&mut self, action: &Action) -> Result<bool, Undecided> {
        match &self.puzzle.goal.value {
            Goal::MateIn(count) => self.mates(action, count.value),
            Goal::Survive(count) | Goal::OnlyDefence(count) => self.survives(action, count.value),
            // The other goals have no table.
            _ => Ok(false),
        }
    }

    /// Whether a first action mates in time. It may be a key with moves that are not needed, which is no solution and
    /// no mistake either.
    fn mates(&mut self, action: &Action, mate_in: u32) -> Result<bool, Undecided> {
        if self.is_key(action) {
            return Ok(true);
        }
        if let Some(solution) = &self.solution
            && !solution.keys.iter().flat_map(KeyClass::keys).any(|key| action.contains(key))
        {
            return Ok(false);
        }
        if self.quick && mate_in > 1 {
            return Err(NOT_SEARCHED);
        }
        Ok(self.analysis.prover.defence_against(self.start, action, mate_in - 1)?.is_none())
    }

    pub(super) fn tries_refuted(&mut self) -> StepResult {
        let count = match &self.puzzle.goal.value {
            Goal::MateIn(count) | Goal::NoMateIn(count) => count,
            Goal::Survive(count) | Goal::OnlyDefence(count) => count,
            _ => return skipped("no tries"),
        };
        let defends = self.puzzle.goal.value.is_defence();
        let Some(Spanned { value: written, .. }) = &self.puzzle.tries else { return skipped("no tries") };
        let rows = counted(written.rows.0.len() + written.classes.len(), "row");
        let tries = std::mem::take(&mut self.tries);
        let (mut open, mut told) = (None, RowIndices::new());
        for Try { reply, count: written, action } in &tries {
            let mut after = self.start.clone();
            after.play_unchecked(action);
            let before = self.findings.len();
            let decided = if told.contains(&reply.span.range().start) {
                Ok(())
            } else if defends {
                self.punishes(&after, action, reply, count.value - 1)
            } else if reply.value == STALEMATE {
                self.stalemates(&after, action, reply)
            } else {
                self.refutes(&after, action, reply, count.value - 1)
            };
            let decided = decided.and_then(|()| match written {
                Some(written) if defends => self.counts_mates(&after, written, count.value),
                Some(written) => self.counts_refutations(action, written, count.value - 1),
                None => Ok(()),
            });
            open = open.or(decided.err());
            if self.findings.len() > before {
                // The other actions of a class have the same reply.
                told.insert(reply.span.range().start);
            }
        }
        if !written.classes.is_empty() && !self.classes_seen {
            // A try that was not seen may be anything.
            open = open.or(self.open).or(Some(self.spent()));
        }
        self.unless_open(open, pass(rows))
    }

    /// A reply that leaves a mate in `left` actions, or is illegal, is a finding.
    fn refutes(
        &mut self,
        after: &Position,
        action: &Action,
        reply: &Spanned<String>,
        left: u32,
    ) -> Result<(), Undecided> {
        let mut position = after.clone();
        // After the only action of a mate in 1 every legal reply refutes.
        if self.play(&mut position, reply).is_none() || left == 0 {
            return Ok(());
        }
        if self.quick {
            return self.deny(&position, left);
        }
        let answer = Analysis::new(self.analysis.prover, &position, left).mate();
        match answer.verdict {
            Verdict::Refuted => {
                if !self.is_evidently_denied(&position, left) {
                    self.search_only = true;
                } else if let Ok(played) = self.texts.action(after, reply) {
                    self.denied_lines.push((vec![action.clone(), played], left));
                }
                Ok(())
            }
            Verdict::Undecided => Err(answer.undecided.unwrap_or(NOT_SEARCHED)),
            Verdict::Proven => {
                let message = format!("this reply does not refute {}", show(self.start, action));
                let mut finding = Finding::new("wrong-refutation", reply.span, message)
                    .note(format!("expected: no mate in {left} after it"));
                if let Some(key) = answer.keys.first() {
                    finding = finding.note(format!("true: {} forces mate", show(&position, key.key())));
                }
                self.add_with_boards(finding, "After the reply", &position);
                Ok(())
            }
        }
    }

    /// A try that does not leave stalemate, although its row says so, is a finding.
    fn stalemates(
        &mut self,
        after: &Position,
        action: &Action,
        reply: &Spanned<String>,
    ) -> Result<(), Undecided> {
        if self.analysis.prover.surviving_defence(after, 0)? != Some(Defence::Stalemate) {
            let message = format!("{} does not leave stalemate", show(self.start, action));
            let finding = Finding::new("no-stalemate", reply.span, message)
                .note("expected: no legal action, and not in check")
                .note(format!("true: {}", self.standing(after)));
            self.add_with_boards(finding, "After the try", after);
        }
        Ok(())
    }

    /// A number that is not the number of actions that force mate in `n` is a finding.
    fn counts_mates(&mut self, after: &Position, written: &Spanned<u64>, n: u32) -> Result<(), Undecided> {
        if self.quick {
            return Err(NOT_SEARCHED);
        }
        self.search_only = true;
        let mut analysis = Analysis::new(self.analysis.prover, after, n);
        let solution = analysis.searched();
        let mates = solution.mating_actions;
        if mates.capped {
            return Err(solution.undecided.unwrap_or(NOT_SEARCHED));
        }
        if mates.count != written.value {
            let finding = Finding::new("wrong-count", written.span, "this is not the number of refutations")
                .note(format!("true: {}", counted(mates.count as usize, "refutation")));
            self.findings.push(finding);
        }
        Ok(())
    }

    /// Whether there is evidence for each reply to an action: that there is a mate in `left` after it, or none.
    fn replies_evident(&mut self, action: &Action, left: u32) -> Result<bool, Undecided> {
        let mut position = self.start.clone();
        position.play_unchecked(action);
        let tried = position.clone();
        let prover = &mut *self.analysis.prover;
        let mut replies = prover.actions(&tried);
        while let Some(reply) = prover.next_action(&mut replies)? {
            position.play_unchecked(&reply);
            let evident = match prover.mating_answer(&position, left)? {
                Some(mate) => prover.confirm_mate(&position, &mate, left).is_ok(),
                None => prover.deny(&position, left, &[]).is_ok(),
            };
            position.undo_unchecked(&reply);
            if !evident {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A number that is not the number of legal replies after which there is no mate in `left` is a finding.
    fn counts_refutations(
        &mut self,
        action: &Action,
        written: &Spanned<u64>,
        left: u32,
    ) -> Result<(), Undecided> {
        if left > 0 && self.quick {
            return Err(NOT_SEARCHED);
        }
        self.search_only |= left > 0 && !self.replies_evident(action, left)?;
        let refutations = self.analysis.count_refutations(action)?.count;
        if refutations != written.value {
            let finding = Finding::new("wrong-count", written.span, "this is not the number of refutations")
                .note(format!("true: {}", counted(refutations as usize, "refutation")));
            self.findings.push(finding);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::puzzle::report::{Answer, Step};
    use crate::puzzle::{Options, load, verify};

    /// The answer about one row with both of these tries and this reply.
    fn answer(tries: [&str; 2], reply: &str) -> Answer {
        let text = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        let (before, rest) = text.split_once("tries:\n").expect("tries");
        let (_, after) = rest.split_once("replies:\n").expect("replies");
        let [one, other] = tries;
        let class =
            format!("{{ class: {{ \"(0T1)\": [\"{one}\", \"{other}\"] }}, reply: \"(0T1){reply}\" }}");
        let text = format!(
            "{before}tries:\n  scope: plausible\n  rows: {{}}\n  classes:\n    - {class}\nreplies:\n{after}"
        );
        let documents = load("puzzle.yaml", text.as_bytes());
        let report = verify(&documents[0], Options::default());
        let step = report.steps.iter().find(|(step, ..)| *step == Step::TriesRefuted);
        step.expect("the step is there").1
    }

    #[test]
    fn the_reply_of_a_class_refutes_each_of_its_tries() {
        assert_eq!(answer(["Rc3b3", "Rc3d3"], "Kd4c4"), Answer::Pass);
        // Each of these replies is legal after one of the tries only, whichever of them is asked about first.
        assert_eq!(answer(["Rc3c2", "Rc3d3"], "Kd4c4"), Answer::Fail);
        assert_eq!(answer(["Rc3c2", "Rc3d3"], "Rd1b1"), Answer::Fail);
    }
}
