//! Replies as lines of a puzzle file.

use std::cmp::Reverse;
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
    let mut matched: Vec<Vec<Defended<'_>>> = vec![Vec::new(); replies.len()];
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
    for (reply, matched) in replies.iter().zip(&matched).flat_map(|(reply, matched)| parts(reply, matched)) {
        let mut of = |reply: &Reply, matched: &[Defended<'_>]| {
            row(reply, matched, wrong.as_mut().map(|(prover, left)| (&mut **prover, *left)))
        };
        let whole = of(&reply, &matched)?;
        let mut by_defence: BTreeMap<&Action, Vec<Defended<'_>>> = BTreeMap::new();
        for (position, defence) in &matched {
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

/// A position with a defence in it.
type Defended<'p> = (&'p Position, Action);

/// The rows that a reply takes, each with what it is about. A row is read in every position of its list, and of no use where one of its
/// moves cannot be made. So positions in which the same can be said have a row; those with the most moves come first.
fn parts<'p>(reply: &Reply, matched: &[Defended<'p>]) -> Vec<(Reply, Vec<Defended<'p>>)> {
    let mut parts: BTreeMap<String, (When, Vec<Defended<'p>>)> = BTreeMap::new();
    let mut add = |when: When, matched: &[Defended<'p>]| {
        let said = without_captures(&when_text(matched[0].0, &when));
        parts.entry(said).or_insert((when, Vec::new())).1.extend_from_slice(matched);
    };
    for matched in matched.chunk_by(|one, other| std::ptr::eq(one.0, other.0)) {
        let When::Class(class) = &reply.when else {
            add(reply.when.clone(), matched);
            continue;
        };
        let class = class::within(matched[0].0, class);
        if class.boards().is_empty() {
            // All that it names are boards that cannot be played here.
            matched.iter().for_each(|one| add(When::If(one.1.clone()), std::slice::from_ref(one)));
        } else {
            add(When::Class(class), matched);
        }
    }
    let mut parts: Vec<_> = parts.into_values().collect();
    parts.sort_by_key(|(when, _)| {
        Reverse(match when {
            When::Class(class) => class.boards().iter().map(|(_, starts)| starts.len()).sum(),
            When::If(_) | When::Otherwise => 1,
        })
    });
    parts.into_iter().map(|(when, matched)| (Reply { when, ..reply.clone() }, matched)).collect()
}

/// A text of moves without the marks of captures, which make no difference to what is read.
fn without_captures(moves: &str) -> String {
    moves.replace('x', "")
}

/// A text of moves without the letters of the pieces, which may be left out where the squares say it all.
fn without_letters(moves: &str) -> String {
    let mut text = String::new();
    let mut chars = moves.chars().peekable();
    while let Some(c) = chars.next() {
        let is_square_next = chars.peek().is_some_and(char::is_ascii_lowercase);
        if !(c.is_ascii_uppercase() && text.ends_with(')') && is_square_next) {
            text.push(c);
        }
    }
    text
}

/// What a row is about, as it is written.
fn when_text(position: &Position, when: &When) -> String {
    match when {
        When::If(defence) => format!("if: \"{}\"", action_text(position, defence)),
        When::Class(class) => format!("class: {}", class::write(position, class)),
        When::Otherwise => "otherwise: true".to_owned(),
    }
}

/// A row about these defences, of which there is one at least.
fn row(
    reply: &Reply,
    matched: &[Defended<'_>],
    mut wrong: Option<(&mut Prover<'_>, u32)>,
) -> Result<Row, FixError> {
    let position = matched[0].0;
    let after = |position: &Position, action: &Action| {
        let mut after = position.clone();
        after.play_unchecked(action);
        after
    };
    let answer_text =
        |(position, defence): &Defended<'_>| action_text(&after(position, defence), &reply.answer);
    let mut answer = answer_text(&matched[0]);
    // Where different pieces do the same, none is named.
    if matched.iter().any(|defended| without_captures(&answer_text(defended)) != without_captures(&answer)) {
        answer = without_letters(&answer);
    }
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
        when: when_text(position, &reply.when),
        answer: format!("{answer}{mate}"),
        tries,
        inner: rows(&ends, &reply.node.replies, wrong.map(|(prover, left)| (prover, left - 1)))?,
    })
}
