//! The common parts of both kinds of tables: rows about actions, however they are written, and the legal actions without a row.

use std::collections::BTreeSet;

use super::{NEEDS_SEARCH, StepResult, Verification, show};
use crate::notation::Span;
use crate::puzzle::finding::Finding;
use crate::puzzle::model::Spanned;
use crate::puzzle::table::Table;
use crate::state::Position;
use crate::types::{Action, Because, Undecided};

/// A row while a table is read: its place among the rows, and where it is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Row {
    pub index: usize,
    pub span: Span,
}

/// Legal actions without a row.
#[derive(Default)]
pub(super) struct Uncovered {
    count: usize,
    /// The first of them in canonical order.
    example: Option<Action>,
}

impl Uncovered {
    pub(super) fn add(&mut self, action: Action) {
        self.count += 1;
        if self.example.as_ref().is_none_or(|example| action < *example) {
            self.example = Some(action);
        }
    }

    /// The finding about them, if there are some. When not all legal actions were seen, there may be more.
    pub(super) fn finding(&self, position: &Position, span: Span, complete: bool) -> Option<Finding> {
        let example = self.example.as_ref()?;
        let more = if complete { "" } else { "at least " };
        let message = match self.count {
            1 if complete => "a legal action has no row".to_owned(),
            1 => "at least one legal action has no row".to_owned(),
            many => format!("{more}{many} legal actions have no row"),
        };
        let note = format!("for example: {}", show(position, example));
        Some(Finding::new("missing-row", span, message).note(note))
    }
}

/// Why a question that needs a search stays open when `--quick` forbids one.
pub(super) const NOT_SEARCHED: Undecided = Undecided { steps: 0, because: Because::Budget };

/// The rows about which something was said already, so that it is said once.
pub(super) type RowIndices = BTreeSet<usize>;

impl Verification<'_> {
    /// Adds the row about an action. A second row for the same action, however it is written, is a finding.
    pub(super) fn add_row(
        &mut self,
        table: &mut Table<Row>,
        action: Action,
        row: Row,
        told: &mut RowIndices,
    ) -> bool {
        let Err(&Row { span, .. }) = table.add(action, row) else { return true };
        if told.insert(row.index) {
            let message = "this action has another row, perhaps in another spelling";
            let note = self.first_is(span);
            self.findings.push(Finding::new("repeated-row", row.span, message).note(note));
        }
        false
    }

    /// Pays for comparing an action with every class of a table. Tables of the size that people write cost nothing.
    pub(super) fn pay_for_classes(&mut self, table: &Table<Row>) -> Result<(), Undecided> {
        const CLASSES_PER_NODE: usize = 64;
        self.analysis.prover.charge((table.classes() / CLASSES_PER_NODE) as u64)
    }

    /// The one row about an action. Several are a finding.
    pub(super) fn row_of(
        &mut self,
        table: &Table<Row>,
        position: &Position,
        action: &Action,
        told: &mut RowIndices,
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

    /// The budget as the reason, where no other is known.
    pub(super) fn spent(&self) -> Undecided {
        Undecided { steps: self.analysis.prover.steps(), because: Because::Budget }
    }

    /// The answer to a question about rows, of which some were perhaps left open.
    pub(super) fn unless_open(&self, open: Option<Undecided>, said: StepResult) -> StepResult {
        match open {
            None => said,
            Some(_) if self.quick => super::skipped(NEEDS_SEARCH),
            Some(why) => self.undecided(why),
        }
    }
}

/// A row that is about no legal action.
pub(super) fn unreachable_row<T>(row: &Spanned<T>) -> Finding {
    Finding::new("unreachable-row", row.span, "no legal action matches this row")
}
