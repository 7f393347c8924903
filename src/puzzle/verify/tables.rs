//! The tables: wrong actions with their refutations, and answers to every defence.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Asking, NEEDS_SEARCH, Said, Try, counted, pass, show, show_defence, skipped, standing};
use crate::notation::Span;
use crate::puzzle::model::{At, Goal, Reply, STALEMATE, Scope};
use crate::puzzle::report::Finding;
use crate::search::Verdict;
use crate::state::Position;
use crate::types::{Action, Status};

/// The most legal actions that a complete table may have to cover.
const MAX_TABLE: usize = 100_000;

/// The legal actions that have no row.
enum Missing {
    None,
    Some { count: usize, example: Action },
    TooMany,
}

impl<'a> Asking<'a> {
    pub(super) fn table_complete(&mut self) -> Said {
        let Some(tries) = &self.puzzle.tries else { return skipped("no tries") };
        let mut seen = BTreeMap::new();
        for (written, reply) in &tries.value.rows.0 {
            let mut after = self.start.clone();
            let Some(action) = self.play_row(&mut after, written, &mut seen) else { continue };
            if self.is_key(&action) {
                let message = "this action is no mistake: it solves the puzzle";
                self.findings.push(Finding::new("try-mates", written.span, message));
            } else {
                self.tries.push(Try { reply, action, after });
            }
        }
        let rows = counted(tries.value.rows.0.len(), "row");
        if tries.value.scope == Scope::Plausible {
            return pass(format!("{rows}, a choice"));
        }
        let keys_known = match (&self.puzzle.goal.value, &self.solution) {
            (Goal::MateIn(_), Some(solution)) => !solution.examined.capped,
            (Goal::MateIn(_), None) => self.quick,
            _ => true,
        };
        if !keys_known {
            return self.undecided();
        }
        match self.missing(self.start, |asking, action| seen.contains_key(action) || asking.is_key(action)) {
            Missing::None => pass(format!("{rows}, every legal action")),
            Missing::TooMany => too_many(),
            Missing::Some { count, example } => {
                self.findings.push(missing_rows(self.start, tries.span, count, &example));
                pass("")
            }
        }
    }

    pub(super) fn tries_refuted(&mut self) -> Said {
        let (Goal::MateIn(count) | Goal::NoMateIn(count)) = &self.puzzle.goal.value else {
            return skipped("no tries");
        };
        if self.puzzle.tries.is_none() {
            return skipped("no tries");
        }
        let tries = std::mem::take(&mut self.tries);
        let mut open = 0;
        for Try { reply, action, after } in &tries {
            if reply.value == STALEMATE {
                if !self.is_stalemate(after, action, reply) {
                    open += 1;
                }
                continue;
            }
            let mut position = after.clone();
            // After the only action of a mate in 1 every legal reply refutes.
            if self.play(&mut position, reply).is_none() || count.value == 1 {
                continue;
            }
            if self.quick {
                open += 1;
                continue;
            }
            let answer = self.solve(&position, count.value - 1, false);
            match answer.verdict {
                Verdict::Refuted => {}
                Verdict::Undecided => open += 1,
                Verdict::Proven => {
                    let message = format!("this reply does not refute {}", show(self.start, action));
                    let mut finding = Finding::new("wrong-refutation", reply.span, message)
                        .note(format!("expected: no mate in {} after it", count.value - 1));
                    if let Some(key) = answer.keys.first() {
                        finding = finding.note(format!("true: {} forces mate", show(&position, key.key())));
                    }
                    self.add_with_boards(finding, "After the reply", &position);
                }
            }
        }
        self.unless_open(open, pass(counted(tries.len(), "row")))
    }

    /// Whether it could be decided that a try leaves stalemate. If it does not, that is a finding.
    fn is_stalemate(&mut self, after: &Position, action: &Action, reply: &At<String>) -> bool {
        let Ok(outcome) = after.outcome_within(self.nodes_left) else { return false };
        if outcome.status != Status::Stalemate {
            let message = format!("{} does not leave stalemate", show(self.start, action));
            let finding = Finding::new("no-stalemate", reply.span, message)
                .note("expected: no legal action, and not in check")
                .note(format!("true: {}", standing(after)));
            self.add_with_boards(finding, "After the try", after);
        }
        true
    }

    pub(super) fn replies_complete(&mut self) -> Said {
        let Goal::MateIn(count) = &self.puzzle.goal.value else { return skipped("no mate is claimed") };
        if count.value == 1 {
            return skipped("a mate in 1 leaves none");
        }
        if self.puzzle.replies.is_empty() {
            return skipped("none listed: covered by search only");
        }
        let mut rows: BTreeMap<Action, Vec<&'a At<Reply>>> =
            self.listed().into_iter().map(|(_, key)| (key, Vec::new())).collect();
        let Some(only) = rows.keys().next().cloned() else { return skipped("no legal line") };
        for row in &self.puzzle.replies {
            let Some(written) = &row.value.key else {
                rows.entry(only.clone()).or_default().push(row);
                continue;
            };
            let Some(key) = self.play(&mut self.start.clone(), written) else { continue };
            match rows.get_mut(&key) {
                Some(rows) => rows.push(row),
                None => {
                    let message = "no line of the solutions begins with this action";
                    self.findings.push(Finding::new("key", written.span, message));
                }
            }
        }
        let mut tally = Tally::default();
        for (key, rows) in rows {
            let mut position = self.start.clone();
            position.play_unchecked(&key);
            let place = rows.first().map_or(self.puzzle.goal.span, |row| row.span);
            self.replies_to(&position, &rows, place, count.value - 1, &mut tally);
        }
        self.unless_open(tally.open, pass(counted(tally.rows, "row")))
    }

    /// Whether these rows answer every action in `position`, after which the solver has `mate_in` actions left.
    fn replies_to(
        &mut self,
        position: &Position,
        rows: &[&'a At<Reply>],
        place: Span,
        mate_in: u32,
        tally: &mut Tally,
    ) {
        let mut seen = BTreeMap::new();
        for row in rows {
            let Reply { defence: Some(written), answer, replies, .. } = &row.value else { continue };
            let mut after = position.clone();
            tally.rows += 1;
            if self.play_row(&mut after, written, &mut seen).is_none()
                || self.play(&mut after, answer).is_none()
            {
                continue;
            }
            let inner: Vec<&At<Reply>> = replies.iter().collect();
            let Ok(outcome) = after.outcome_within(self.nodes_left) else {
                tally.open += 1;
                continue;
            };
            if outcome.status == Status::Checkmate {
                if let Some(first) = inner.first() {
                    let message = "the answer mates, so nothing is left to reply to";
                    self.findings.push(Finding::new("after-mate", first.span, message));
                }
            } else if mate_in == 1 {
                let finding = Finding::new("wrong-reply", answer.span, "this answer does not mate")
                    .note("expected: checkmate")
                    .note(format!("true: {}", standing(&after)));
                self.add_with_boards(finding, "After the answer", &after);
            } else if let Some(first) = inner.first() {
                self.replies_to(&after, &inner, first.span, mate_in - 1, tally);
            } else {
                self.answer_wins(&after, answer, mate_in, tally);
            }
        }
        match self.missing(position, |_, action| seen.contains_key(action)) {
            Missing::None => {}
            Missing::TooMany => tally.open += 1,
            Missing::Some { count, example } => {
                let finding = missing_rows(position, place, count, &example);
                self.add_with_boards(finding, "Before these actions", position);
            }
        }
    }

    /// Whether an answer that no rows follow leaves the opponent without a defence. `mate_in` counts the answer too.
    fn answer_wins(&mut self, after: &Position, answer: &At<String>, mate_in: u32, tally: &mut Tally) {
        if self.quick {
            tally.open += 1;
            return;
        }
        match self.defence(after, mate_in - 1) {
            Ok(None) => {}
            Err(_) => tally.open += 1,
            Ok(Some(defence)) => {
                let finding =
                    Finding::new("wrong-reply", answer.span, "this answer does not force mate in time")
                        .note(format!("true: {}", show_defence(after, &defence)));
                self.add_with_boards(finding, "After the answer", after);
            }
        }
    }

    /// The legal actions of a position that are not covered, listed with what is left of the budget.
    fn missing(&mut self, position: &Position, is_covered: impl Fn(&Self, &Action) -> bool) -> Missing {
        let most = MAX_TABLE.min(usize::try_from(self.nodes_left).unwrap_or(MAX_TABLE));
        let mut actions = position.legal_actions().within(self.nodes_left);
        let legal: Vec<Action> = actions.by_ref().take(most).collect();
        let complete = actions.next().is_none() && actions.is_complete();
        self.nodes_left = self.nodes_left.saturating_sub(actions.steps() + legal.len() as u64);
        if !complete {
            return Missing::TooMany;
        }
        let uncovered: BTreeSet<Action> =
            legal.into_iter().filter(|action| !is_covered(self, action)).collect();
        let count = uncovered.len();
        uncovered.into_iter().next().map_or(Missing::None, |example| Missing::Some { count, example })
    }

    /// Plays the action that a row is about. A second row for the same action, however it is written, is a finding.
    fn play_row(
        &mut self,
        position: &mut Position,
        written: &At<String>,
        seen: &mut BTreeMap<Action, Span>,
    ) -> Option<Action> {
        let action = self.play(position, written)?;
        if let Some(&first) = seen.get(&action) {
            let finding = Finding::new(
                "repeated-row",
                written.span,
                "this action has another row, however it is written",
            );
            let note = self.first_is(first);
            self.findings.push(finding.note(note));
            return None;
        }
        seen.insert(action.clone(), written.span);
        Some(action)
    }

    fn unless_open(&self, open: usize, said: Said) -> Said {
        match open {
            0 => said,
            _ if self.quick => skipped(NEEDS_SEARCH),
            _ => self.undecided(),
        }
    }
}

/// What was seen in a tree of replies.
#[derive(Default)]
struct Tally {
    rows: usize,
    /// Questions that the budget, or the wish to be quick, left open.
    open: usize,
}

fn too_many() -> Said {
    (Answer::Undecided, format!("more than {MAX_TABLE} legal actions, or than the budget allows to list"))
}

fn missing_rows(position: &Position, span: Span, count: usize, example: &Action) -> Finding {
    let message = match count {
        1 => "a legal action has no row".to_owned(),
        many => format!("{many} legal actions have no row"),
    };
    Finding::new("missing-row", span, message).note(format!("for example: {}", show(position, example)))
}
