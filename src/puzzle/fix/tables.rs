//! Tables that answer whatever the solver plays: a reply to every wrong action.

use std::collections::BTreeMap;

use super::source::Edits;
use super::{Change, FixError, Page, Work, spent, tries};
use crate::notation::pgn5d;
use crate::puzzle::model::{STALEMATE, Scope};
use crate::search::{Defence, Prover, Try};
use crate::state::Position;
use crate::types::Action;

/// Makes the table of first actions one of all of them.
pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let Some(written) = &page.puzzle.tries else {
        let table = Wrong::of(work.prover, std::slice::from_ref(&work.start), work.n)?.lines(2)?;
        page.insert_field(&["unique", "solutions", "goal"], format!("tries:\n{table}"), edits);
        return Ok(Some("tries: a reply to every wrong action".to_owned()));
    };
    let Some((_, field)) = page.field("tries") else { return Ok(None) };
    let scope = field.pairs().iter().find(|(key, _)| &page.text[key.range.clone()] == "scope");
    let Some((key, value)) = scope.filter(|_| written.value.scope == Scope::Plausible) else {
        return Ok(None);
    };
    let wrong = Wrong::of(work.prover, std::slice::from_ref(&work.start), work.n)?;
    let replies = wrong.otherwise();
    edits.replace(value.range.clone(), "all");
    if field.is_block() {
        let indent = " ".repeat(super::column(page.text, key.range.start));
        edits.insert_after_line(page.text, value.range.end, format!("{indent}otherwise: [{replies}]\n"));
    } else {
        edits.replace(value.range.end..value.range.end, format!(", otherwise: [{replies}]"));
    }
    let listed = written
        .value
        .rows
        .0
        .iter()
        .filter_map(|(text, _)| pgn5d::parse_action(&work.start, &text.value).ok());
    let listed: Vec<String> = listed.map(|action| pgn5d::action_text(&work.start, &action)).collect();
    let missing = wrong.rows.iter().filter(|(action, _)| !listed.contains(action));
    let add = missing.map(|(action, reply)| format!("\"{action}\": \"{reply}\"")).collect();
    tries::change_rows(page, field, Change { add, ..Change::default() }, edits)?;
    Ok(Some("tries: a reply to every wrong action".to_owned()))
}

/// The replies to all wrong actions in some positions.
pub(super) struct Wrong {
    /// The first of these that is legal refutes an action without a row; most useful first.
    replies: Vec<String>,
    /// Whether there are actions that stalemate.
    stalemates: bool,
    /// What the replies do not refute, with its own reply.
    rows: BTreeMap<String, String>,
    /// An action for which no reply suits all positions.
    pub conflict: Option<String>,
}

impl Wrong {
    /// Where the solver has `n` actions left.
    pub fn of(prover: &mut Prover<'_>, positions: &[Position], n: u32) -> Result<Wrong, FixError> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        // Where, what, and the reply as text and as action, if it is not stalemate.
        type Found<'p> = (&'p Position, Action, Option<(String, Action)>);
        let mut all: Vec<Found<'_>> = Vec::new();
        for position in positions {
            for Try { action, refutation } in
                prover.wrong_actions(position, n, |_, _| Ok(true)).map_err(spent)?
            {
                let reply = match refutation {
                    Defence::Stalemate => None,
                    Defence::Action(reply) => {
                        let text = pgn5d::action_text(&after(position, &action), &reply);
                        *counts.entry(text.clone()).or_default() += 1;
                        Some((text, reply))
                    }
                };
                all.push((position, action, reply));
            }
        }
        let mut replies: Vec<String> = counts.keys().cloned().collect();
        replies.sort_by_key(|reply| (std::cmp::Reverse(counts[reply]), reply.clone()));
        let stalemates = all.iter().any(|(.., reply)| reply.is_none());
        let mut wrong = Wrong { replies, stalemates, rows: BTreeMap::new(), conflict: None };
        let mut refutes = |after: &Position, reply: &Action| -> Result<bool, FixError> {
            // With the last action whatever is legal refutes.
            if n == 1 {
                return Ok(true);
            }
            let mut replied = after.clone();
            replied.play_unchecked(reply);
            Ok(prover.mating_answer(&replied, n - 1).map_err(spent)?.is_none())
        };
        for (position, action, reply) in &all {
            let Some((own, reply)) = reply else { continue };
            let after = after(position, action);
            let first = wrong.replies.iter().find_map(|text| pgn5d::parse_action(&after, text).ok());
            let is_answered = match first {
                Some(first) => first == *reply || refutes(&after, &first)?,
                None => false,
            };
            if is_answered {
                continue;
            }
            wrong.rows.entry(pgn5d::action_text(position, action)).or_insert_with(|| own.clone());
        }
        // A row is about its action in all positions.
        for (position, action, _) in &all {
            let text = pgn5d::action_text(position, action);
            let Some(reply) = wrong.rows.get(&text) else { continue };
            let after = after(position, action);
            let suits = match pgn5d::parse_action(&after, reply) {
                Ok(reply) => refutes(&after, &reply)?,
                Err(_) => false,
            };
            if !suits {
                wrong.conflict = Some(text);
                break;
            }
        }
        Ok(wrong)
    }

    /// The replies as a list of a file.
    fn otherwise(&self) -> String {
        let quoted = self.replies.iter().map(|reply| format!("\"{reply}\""));
        let stalemate = self.stalemates.then(|| STALEMATE.to_owned());
        quoted.chain(stalemate).collect::<Vec<_>>().join(", ")
    }

    /// The table as lines of a block in this column.
    pub fn lines(&self, column: usize) -> Result<String, FixError> {
        if let Some(action) = &self.conflict {
            return Err(FixError::Text(format!(
                "no reply to `{action}` suits all actions of a row of `replies`: write a row for each of them"
            )));
        }
        let indent = " ".repeat(column);
        let mut lines = format!("{indent}scope: all\n");
        if !self.rows.is_empty() {
            lines += &format!("{indent}rows:\n");
            for (action, reply) in &self.rows {
                lines += &format!("{indent}  \"{action}\": \"{reply}\"\n");
            }
        }
        let otherwise = self.otherwise();
        if !otherwise.is_empty() {
            lines += &format!("{indent}otherwise: [{otherwise}]\n");
        }
        Ok(lines)
    }
}

fn after(position: &Position, action: &Action) -> Position {
    let mut after = position.clone();
    after.play_unchecked(action);
    after
}
