//! Tables that answer whatever the solver plays: a reply to every wrong action.

use std::collections::BTreeMap;

use super::rows::said_in_all;
use super::source::Edits;
use super::tries::{Kept, change_rows};
use super::{Change, FixError, Page, Work, spent};
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
        let table = Wrong::of_start(work)?.lines(2)?;
        page.insert_field("tries", &format!("\n{}", table.trim_end_matches('\n')), edits);
        return Ok(Some("tries: a reply to every wrong action".to_owned()));
    };
    let Some((_, field)) = page.field("tries") else { return Ok(None) };
    let Some((key, value)) = field.field("scope").filter(|_| written.value.scope == Scope::Plausible) else {
        return Ok(None);
    };
    let wrong = Wrong::of_start(work)?;
    let replies = wrong.otherwise();
    edits.replace(value.range.clone(), "all");
    if field.is_block() {
        let indent = " ".repeat(super::column(page.text, key.range.start));
        edits.insert_after_line(page.text, value.range.end, format!("{indent}otherwise: [{replies}]\n"));
    } else {
        edits.replace(value.range.end..value.range.end, format!(", otherwise: [{replies}]"));
    }
    let table = Kept::of(page, work, &written.value, field)?.table;
    let missing = wrong.rows.iter().filter(|(action, _)| table.get(action).is_none());
    let add = missing.map(|(_, (action, reply))| format!("\"{action}\": \"{reply}\"")).collect();
    change_rows(page, field, Change { add, ..Change::default() }, edits)?;
    Ok(Some("tries: a reply to every wrong action".to_owned()))
}

/// The replies to all wrong actions in some positions.
pub(super) struct Wrong {
    /// The first of these that is legal refutes an action without a row; most useful first.
    replies: Vec<String>,
    /// Whether there are actions that stalemate.
    stalemates: bool,
    /// What the replies do not refute, as text, with its own reply.
    rows: BTreeMap<Action, (String, String)>,
    /// An action for which no reply suits all positions.
    pub conflict: Option<String>,
}

impl Wrong {
    /// The replies to all wrong first actions.
    fn of_start(work: &mut Work<'_>) -> Result<Wrong, FixError> {
        let (start, n) = (work.start(), work.n());
        Wrong::of(work.prover(), std::slice::from_ref(start), n)
    }

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
        let mut places: BTreeMap<&Action, Vec<&Position>> = BTreeMap::new();
        for (position, action, _) in &all {
            places.entry(action).or_default().push(position);
        }
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
            wrong.rows.entry(action.clone()).or_insert_with(|| {
                let texts = places[action].iter().map(|position| pgn5d::action_text(position, action));
                (said_in_all(texts), own.clone())
            });
        }
        // A row is about its action in all positions.
        for (position, action, _) in &all {
            let Some((text, reply)) = wrong.rows.get(action) else { continue };
            let after = after(position, action);
            let suits = match pgn5d::parse_action(&after, reply) {
                Ok(reply) => refutes(&after, &reply)?,
                Err(_) => false,
            };
            if !suits {
                wrong.conflict = Some(text.clone());
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
            let sorted: BTreeMap<&String, &String> =
                self.rows.values().map(|(text, reply)| (text, reply)).collect();
            for (action, reply) in sorted {
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

#[cfg(test)]
mod tests {
    use crate::puzzle::{Answer, Options, Wanted, load, repair, verify};

    const PUZZLE: &str = r#"
schema: worldlines/puzzle-1
id: class-row
title: A row of the author's
source: { from: "made for this test" }
start: { 5dfen: "[5/NK2k/p4/5/5:0:1:w]" }
goal: { mate-in: 2 }
tries:
  scope: plausible
  classes:
    - { class: { "(0T1)": ["Kb4c5"] }, reply: "(0T1)Ke4e5" }
"#;

    #[test]
    fn what_a_class_is_about_gets_no_row() {
        let wanted = Wanted { tables: true, ..Wanted::default() };
        let documents = load("puzzle.yaml", PUZZLE.as_bytes());
        let fixed = repair(&documents[0], Options::default(), wanted).unwrap().unwrap();
        assert!(fixed.text.contains(r#"- { class: { "(0T1)": ["Kb4c5"] }, reply: "(0T1)Ke4e5" }"#));
        assert!(!fixed.text.contains(r#""(0T1)Kb4c5":"#), "{}", fixed.text);
        let again = load("puzzle.yaml", fixed.text.as_bytes());
        assert_eq!(verify(&again[0], Options::default()).answer(), Answer::Pass, "{}", fixed.text);
    }
}
