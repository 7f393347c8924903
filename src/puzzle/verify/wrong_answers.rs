//! Wrong answers to a defence, below the first action, each with a reply.

use std::collections::{BTreeMap, BTreeSet};

use super::tables::{NOT_SEARCHED, Row, RowIndices, Uncovered};
use super::{Verification, show};
use crate::puzzle::finding::Finding;
use crate::puzzle::model::{STALEMATE, Scope, Spanned, Tries};
use crate::puzzle::table::Table;
use crate::search::Defence;
use crate::state::Position;
use crate::types::{Action, Undecided};

/// The wrong answers of one row of replies, as far as they were seen; they may follow many defences.
#[derive(Default)]
pub(super) struct Seen {
    /// The rows that were about some wrong action.
    used: RowIndices,
    /// Rows about actions that mate, each with the finding that holds if it is so after every defence.
    mating: BTreeMap<usize, Finding>,
    /// The rows of which something was said.
    told: RowIndices,
    /// The replies that are wrong, by their places.
    wrong: BTreeSet<u32>,
    lacks_rows: bool,
    /// The line that ends with the defence in question.
    pub line: Vec<Action>,
    /// The answers to it of which the certificate beside the puzzle proves that they mate.
    pub proven: Vec<Action>,
}

/// The most lines of which it is noted that several answers mate.
const MOST_LINES: usize = 1_000;

impl<'a> Verification<'a> {
    /// Whether the wrong answers in `position`, where the solver has `left` actions, are refuted as `tries` says.
    pub(super) fn wrong_answers(
        &mut self,
        position: &Position,
        tries: &'a Spanned<Tries>,
        left: u32,
        seen: &mut Seen,
    ) -> Result<(), Undecided> {
        let Spanned { value: written, span } = tries;
        let mut table = Table::default();
        for (index, (action, _)) in written.rows.0.iter().enumerate() {
            self.pay_for_reading(position)?;
            // An action that cannot be played after this defence may be playable after another one of the same row.
            if let Some(read) = self.texts.legal_action(position, action) {
                self.add_row(&mut table, read, Row { index, span: action.span }, &mut seen.told);
            }
        }
        for (index, row) in written.classes.iter().enumerate() {
            self.pay_for_reading(position)?;
            if let Ok(class) = self.texts.class(position, &row.value.class) {
                table.add_class(class, Row { index: written.rows.0.len() + index, span: row.span });
            }
        }
        let mut uncovered = Uncovered::default();
        let mut after = position.clone();
        let mut legal = self.analysis.prover.actions(position);
        while let Some(action) = self.analysis.prover.next_action(&mut legal)? {
            self.pay_for_classes(&table)?;
            let row = self.row_of(&table, position, &action, &mut seen.told);
            if row.is_none() && written.scope == Scope::Plausible {
                continue;
            }
            after.play_unchecked(&action);
            let answered = self.wrong_answer(position, &after, &action, row, written, left, seen);
            after.undo_unchecked(&action);
            if !answered? {
                uncovered.add(action);
            }
        }
        if let Some(finding) = uncovered.finding(position, *span, true).filter(|_| !seen.lacks_rows) {
            seen.lacks_rows = true;
            self.add_with_boards(finding, "Before these actions", position);
        }
        Ok(())
    }

    /// Whether an action mates, or there is something about it. What is wrong about it is a finding.
    #[expect(clippy::too_many_arguments, reason = "one question about one action in its place")]
    fn wrong_answer(
        &mut self,
        position: &Position,
        after: &Position,
        action: &Action,
        row: Option<Row>,
        written: &'a Tries,
        left: u32,
        seen: &mut Seen,
    ) -> Result<bool, Undecided> {
        let mates = seen.proven.contains(action);
        // Without a search a reply that leaves no mate shows that the action is wrong.
        let is_shown_by_reply = self.quick && left > 1 && !mates;
        let Some(Row { index, span }) = row else {
            let found = self.texts.otherwise(after, &written.otherwise);
            let Some((reply, Some(read))) = found else {
                return Ok(found.is_some() && self.is_stalemate(after)?
                    || self.defence_to(position, action, left, seen)?.is_none());
            };
            if left == 1 {
                return Ok(true);
            }
            if is_shown_by_reply || self.defence_to(position, action, left, seen)?.is_some() {
                self.reply_refutes(after, action, reply, &read, left - 1, seen)?;
            }
            return Ok(true);
        };
        if seen.told.contains(&index) {
            return Ok(true);
        }
        if !is_shown_by_reply && self.defence_to(position, action, left, seen)?.is_none() {
            let message = "this action is no mistake, but mates in time";
            let finding = Finding::new("try-mates", span, message)
                .note(format!("for example: {}", show(position, action)));
            seen.mating.entry(index).or_insert(finding);
            return Ok(true);
        }
        seen.used.insert(index);
        let reply = match written.rows.0.get(index) {
            Some((_, refutation)) => &refutation.reply,
            None => &written.classes[index - written.rows.0.len()].value.reply,
        };
        if reply.value == STALEMATE {
            if !self.is_stalemate(after)? {
                seen.told.insert(index);
                let message = format!("{} does not leave stalemate", show(position, action));
                let finding = Finding::new("no-stalemate", reply.span, message);
                self.add_with_boards(finding, "After the try", after);
            }
            return Ok(true);
        }
        match self.texts.action(after, reply) {
            Ok(read) => self.reply_refutes(after, action, reply, &read, left - 1, seen)?,
            // After this defence the action may mate, and then the row is about others.
            Err(_) if is_shown_by_reply => return Err(NOT_SEARCHED),
            Err(finding) => {
                seen.told.insert(index);
                self.add_with_boards(finding, "Before this action", after);
            }
        }
        Ok(true)
    }

    /// A defence against an answer that does not mate in `left`. An answer that mates is noted for a certificate.
    fn defence_to(
        &mut self,
        position: &Position,
        action: &Action,
        left: u32,
        seen: &Seen,
    ) -> Result<Option<Defence>, Undecided> {
        // With the last action, only a mated player has no reply.
        if self.quick && left > 1 {
            return if seen.proven.contains(action) { Ok(None) } else { Err(NOT_SEARCHED) };
        }
        let defence = self.analysis.prover.defence_against(position, action, left - 1)?;
        if defence.is_none() && left > 1 {
            self.note_answer(&seen.line, action, left);
        }
        Ok(defence)
    }

    /// Notes that an answer mates in `n`, for a certificate.
    pub(super) fn note_answer(&mut self, line: &[Action], answer: &Action, n: u32) {
        if !self.quick && self.mating_answers.len() < MOST_LINES {
            self.mating_answers.entry(line.to_vec()).or_default().insert(answer.clone(), n);
        }
    }

    /// A reply after which there is a mate in `left` is a finding.
    fn reply_refutes(
        &mut self,
        after: &Position,
        action: &Action,
        reply: &Spanned<String>,
        read: &Action,
        left: u32,
        seen: &mut Seen,
    ) -> Result<(), Undecided> {
        if left == 0 || seen.wrong.contains(&reply.span.start) {
            return Ok(());
        }
        let mut position = after.clone();
        position.play_unchecked(read);
        if self.quick {
            return self.deny(&position, left);
        }
        if let Some(mate) = self.analysis.prover.mating_answer(&position, left)? {
            seen.wrong.insert(reply.span.start);
            let message = format!("this reply does not refute `{action}`");
            let finding = Finding::new("wrong-refutation", reply.span, message)
                .note(format!("expected: no mate in {left} after it"))
                .note(format!("true: {} forces mate", show(&position, &mate)));
            self.add_with_boards(finding, "After the reply", &position);
            Ok(())
        } else {
            self.deny(&position, left)
        }
    }

    /// Says which rows were about no action after any of the defences.
    pub(super) fn unused_wrong_answers(&mut self, tries: &'a Tries, seen: &Seen) {
        let rows = tries.rows.0.iter().map(|(action, _)| action.span);
        let classes = tries.classes.iter().map(|class| class.span);
        for (index, span) in rows.chain(classes).enumerate() {
            if seen.used.contains(&index) || seen.told.contains(&index) {
                continue;
            }
            if let Some(finding) = seen.mating.get(&index) {
                self.findings.push(finding.clone());
            } else {
                let message = "no legal action matches this row";
                self.findings.push(Finding::new("unreachable-row", span, message));
            }
        }
    }
}
