//! Replies as lines of a puzzle file.

use std::collections::BTreeMap;

use super::FixError;
use super::tables::Wrong;
use crate::notation::pgn5d::action_text;
use crate::puzzle::class;
use crate::search::Prover;
use crate::search::certificate::{Reply, When};
use crate::state::Position;
use crate::types::Action;

/// A row of a list of replies.
pub(super) struct Row {
    /// The key that it follows, if it has to say so.
    pub key: Option<String>,
    when: String,
    answer: String,
    /// The replies to wrong answers, if they are wanted.
    tries: Option<Wrong>,
    inner: Vec<Row>,
}

impl Row {
    /// Lines of a block list whose dashes stand in this column.
    pub fn lines(&self, column: usize) -> Result<String, FixError> {
        let indent = " ".repeat(column);
        let key = self.key.as_ref().map(|key| format!("key: \"{key}\", ")).unwrap_or_default();
        if self.inner.is_empty() && self.tries.is_none() {
            return Ok(format!("{indent}- {{ {key}{}, answer: \"{}\" }}\n", self.when, self.answer));
        }
        let mut lines = match &self.key {
            None => format!("{indent}- {}\n", self.when),
            Some(key) => format!("{indent}- key: \"{key}\"\n{indent}  {}\n", self.when),
        };
        lines += &format!("{indent}  answer: \"{}\"\n", self.answer);
        if let Some(tries) = &self.tries {
            lines += &format!("{indent}  tries:\n{}", tries.lines(column + 4)?);
        }
        if !self.inner.is_empty() {
            lines += &format!("{indent}  replies:\n");
        }
        for row in &self.inner {
            lines += &row.lines(column + 4)?;
        }
        Ok(lines)
    }

    /// Whether there is a wrong action here or below for which no reply suits all positions.
    fn has_conflict(&self) -> bool {
        self.tries.as_ref().is_some_and(|tries| tries.conflict.is_some())
            || self.inner.iter().any(Row::has_conflict)
    }

    /// How many rows it takes, with those below.
    pub fn count(&self) -> usize {
        1 + self.inner.iter().map(Row::count).sum::<usize>()
    }
}

/// The rows of a list that answers what follows in each of these positions. With a prover, and the number of actions that the solver has
/// left, wrong answers have replies too.
pub(super) fn rows(
    positions: &[Position],
    replies: &[Reply],
    mut wrong: Option<(&mut Prover<'_>, u32)>,
) -> Result<Vec<Row>, FixError> {
    let mut matched: Vec<Vec<(&Position, Action)>> = vec![Vec::new(); replies.len()];
    let single = |reply: &Reply| reply.when != When::Otherwise;
    for position in positions {
        for defence in position.legal_actions() {
            let named = replies.iter().position(|reply| single(reply) && reply.when.holds(&defence));
            let row = named.or_else(|| replies.iter().position(|reply| !single(reply)));
            if let Some(row) = row {
                matched[row].push((position, defence));
            }
        }
    }
    let mut rows = Vec::new();
    for (reply, matched) in replies.iter().zip(&matched).filter(|(_, matched)| !matched.is_empty()) {
        let mut of = |reply: &Reply, matched: &[(&Position, Action)]| {
            row(reply, matched, wrong.as_mut().map(|(prover, left)| (&mut **prover, *left)))
        };
        let whole = of(reply, matched)?;
        let mut by_defence: BTreeMap<&Action, Vec<(&Position, Action)>> = BTreeMap::new();
        for (position, defence) in matched {
            by_defence.entry(defence).or_default().push((position, defence.clone()));
        }
        // What cannot be said of all of them at once is said of each.
        if !whole.has_conflict() || by_defence.len() == 1 {
            rows.push(whole);
            continue;
        }
        for (defence, matched) in by_defence {
            rows.push(of(&Reply { when: When::If(defence.clone()), ..reply.clone() }, &matched)?);
        }
    }
    Ok(rows)
}

/// A row about these defences, of which there is one at least.
fn row(
    reply: &Reply,
    matched: &[(&Position, Action)],
    mut wrong: Option<(&mut Prover<'_>, u32)>,
) -> Result<Row, FixError> {
    let (position, defence) = &matched[0];
    let after = |position: &Position, action: &Action| {
        let mut after = position.clone();
        after.play_unchecked(action);
        after
    };
    let answered = after(position, defence);
    let mate = if reply.node.replies.is_empty() { "#" } else { "" };
    let ends: Vec<Position> = match mate {
        "#" => Vec::new(),
        _ => matched
            .iter()
            .map(|(position, defence)| after(&after(position, defence), &reply.answer))
            .collect(),
    };
    let tries = match &mut wrong {
        None => None,
        Some((prover, left)) => {
            let positions: Vec<Position> =
                matched.iter().map(|(position, defence)| after(position, defence)).collect();
            Some(Wrong::of(prover, &positions, *left)?)
        }
    };
    Ok(Row {
        key: None,
        when: match &reply.when {
            When::If(_) => format!("if: \"{}\"", action_text(position, defence)),
            When::Class(class) => format!("class: {}", class::write(position, class)),
            When::Otherwise => "otherwise: true".to_owned(),
        },
        answer: format!("{}{mate}", action_text(&answered, &reply.answer)),
        tries,
        inner: rows(&ends, &reply.node.replies, wrong.map(|(prover, left)| (prover, left - 1)))?,
    })
}
