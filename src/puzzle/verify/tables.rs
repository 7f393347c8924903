//! What both kinds of tables share: rows about actions, however they are written, and the legal actions without a row.

use std::collections::BTreeSet;

use super::{Answer, Asking, NEEDS_SEARCH, Said, show};
use crate::notation::Span;
use crate::puzzle::model::At;
use crate::puzzle::report::Finding;
use crate::puzzle::table::Table;
use crate::state::Position;
use crate::types::Action;

/// The most legal actions that a complete table may have to cover.
const MAX_TABLE: usize = 100_000;

/// A row while a table is read: its place among the rows, and where it is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Row {
    pub index: usize,
    pub span: Span,
}

/// The rows about which something was said already, so that it is said once.
pub(super) type Told = BTreeSet<usize>;

impl Asking<'_> {
    /// The legal actions of a position, listed with what is left of the budget. `None` when there are too many.
    pub(super) fn legal(&mut self, position: &Position) -> Option<Vec<Action>> {
        let left = self.prover.left();
        let most = MAX_TABLE.min(usize::try_from(left).unwrap_or(MAX_TABLE));
        let mut actions = position.legal_actions().within(left);
        let legal: Vec<Action> = actions.by_ref().take(most).collect();
        let complete = actions.next().is_none() && actions.is_complete();
        let paid = self.prover.spend(actions.steps() + legal.len() as u64);
        (complete && paid.is_ok()).then_some(legal)
    }

    /// Adds the row about an action. A second row for the same action, however it is written, is a finding.
    pub(super) fn add_row(
        &mut self,
        table: &mut Table<Row>,
        action: Action,
        row: Row,
        told: &mut Told,
    ) -> bool {
        let Err(&Row { span, .. }) = table.add(action, row) else { return true };
        if told.insert(row.index) {
            let message = "this action has another row, however it is written";
            let note = self.first_is(span);
            self.findings.push(Finding::new("repeated-row", row.span, message).note(note));
        }
        false
    }

    /// The one row about an action. Several are a finding.
    pub(super) fn row_of(
        &mut self,
        table: &Table<Row>,
        position: &Position,
        action: &Action,
        told: &mut Told,
    ) -> Option<Row> {
        let mut matching: Vec<Row> = table.matching(action).copied().collect();
        matching.sort_unstable();
        for pair in matching.windows(2) {
            let [first, second] = [pair[0], pair[1]];
            if told.insert(second.index) {
                let finding =
                    Finding::new("overlapping-rows", second.span, "another row is about the same action")
                        .note(format!("for example: {}", show(position, action)))
                        .note(self.first_is(first.span));
                self.findings.push(finding);
            }
        }
        table.get(action).copied()
    }

    /// The answer to a question about rows, of which some were left open.
    pub(super) fn unless_open(&self, open: usize, said: Said) -> Said {
        match open {
            0 => said,
            _ if self.quick => super::skipped(NEEDS_SEARCH),
            _ => self.undecided(),
        }
    }
}

pub(super) fn too_many() -> Said {
    (Answer::Undecided, format!("more than {MAX_TABLE} legal actions, or than the budget allows to list"))
}

/// Some legal actions have no row, this one for example.
pub(super) fn missing_rows(position: &Position, span: Span, count: usize, example: &Action) -> Finding {
    let message = match count {
        1 => "a legal action has no row".to_owned(),
        many => format!("{many} legal actions have no row"),
    };
    Finding::new("missing-row", span, message).note(format!("for example: {}", show(position, example)))
}

/// A row that is about no legal action.
pub(super) fn unreachable_row<T>(row: &At<T>) -> Finding {
    Finding::new("unreachable-row", row.span, "no legal action matches this row")
}
