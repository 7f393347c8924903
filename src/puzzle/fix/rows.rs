//! Replies as lines of a puzzle file: to defences, and to wrong actions of the solver.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{FixError, spent};
use crate::notation::pgn5d::{action_text, parse_action};
use crate::puzzle::class;
use crate::puzzle::model::STALEMATE;
use crate::search::certificate::{Reply, When};
use crate::search::{Class, Defence, Prover, Try};
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

    /// The number of rows that it takes, with those below.
    pub fn count(&self) -> usize {
        1 + self.inner.iter().map(Row::count).sum::<usize>()
    }
}

/// The rows of a list that answers what follows in each of these positions. With the number of actions that the solver has left, wrong
/// answers have replies too.
pub(super) fn rows(
    prover: &mut Prover<'_>,
    positions: &[Position],
    replies: &[Reply],
    left: Option<u32>,
) -> Result<Vec<Row>, FixError> {
    let mut matched: Vec<Vec<Defended<'_>>> = vec![Vec::new(); replies.len()];
    let is_named = |reply: &Reply| reply.when != When::Otherwise;
    for position in positions {
        let mut legal = prover.actions(position);
        while let Some(defence) = prover.next_action(&mut legal).map_err(spent)? {
            prover.charge_memory(&defence).map_err(spent)?;
            let named = replies.iter().position(|reply| is_named(reply) && reply.when.holds(&defence));
            let row = named.or_else(|| replies.iter().position(|reply| !is_named(reply)));
            if let Some(row) = row {
                matched[row].push((position, defence));
            }
        }
    }
    let mut rows = Vec::new();
    for (index, reply) in replies.iter().enumerate().filter(|(index, _)| !matched[*index].is_empty()) {
        let mut of = |parts: Vec<Part<'_>>| {
            let row =
                |(when, matched): Part<'_>| row(prover, &Reply { when, ..reply.clone() }, &matched, left);
            parts.into_iter().map(row).collect::<Result<Vec<Row>, FixError>>()
        };
        let one_by_one = || {
            let mut by_defence: BTreeMap<&Action, Vec<Defended<'_>>> = BTreeMap::new();
            for (position, defence) in &matched[index] {
                by_defence.entry(defence).or_default().push((position, defence.clone()));
            }
            let parts = by_defence.into_iter().map(|(defence, matched)| (When::If(defence.clone()), matched));
            parts.collect::<Vec<Part<'_>>>()
        };
        // Defences of which no class says all at once get a row each.
        let whole = match &reply.when {
            When::Class(class) => parts(class, index, &matched),
            When::If(_) | When::Otherwise => Some(vec![(reply.when.clone(), matched[index].clone())]),
        };
        let new = match whole {
            None => of(one_by_one())?,
            Some(parts) => {
                let new = of(parts)?;
                let defences = if new.iter().any(Row::has_conflict) { one_by_one() } else { Vec::new() };
                if defences.len() > 1 { of(defences)? } else { new }
            }
        };
        rows.extend(new);
    }
    Ok(rows)
}

/// A position with a defence in it.
type Defended<'p> = (&'p Position, Action);

/// A row that is to be, and the defences that it is about.
type Part<'p> = (When, Vec<Defended<'p>>);

/// The rows that the reply of this index takes, which is to a class, each with what it is about. A row is read in every position of its list,
/// and is of no use where one of its moves cannot be made. So positions in which the same can be said have a row. `None` if one of these
/// rows would say something of other defences too.
fn parts<'p>(class: &Class, index: usize, matched: &[Vec<Defended<'p>>]) -> Option<Vec<Part<'p>>> {
    let mut parts: BTreeMap<String, (Class, Vec<Defended<'p>>)> = BTreeMap::new();
    for matched in matched[index].chunk_by(|one, other| std::ptr::eq(one.0, other.0)) {
        let position = matched[0].0;
        let class = class::within(position, class);
        if class.boards().is_empty() {
            return None;
        }
        let said = without_captures(&class::write(position, &class));
        parts.entry(said).or_insert((class, Vec::new())).1.extend_from_slice(matched);
    }
    let says_more = |(class, about): &(Class, Vec<Defended<'p>>)| {
        let is_about = |position| about.iter().any(|(other, _)| std::ptr::eq(*other, position));
        matched.iter().enumerate().any(|(other, matched)| {
            matched.chunk_by(|one, other| std::ptr::eq(one.0, other.0)).any(|matched| {
                let position = matched[0].0;
                !(other == index && is_about(position))
                    && class::is_readable(position, class, about[0].0)
                    && matched.iter().any(|(_, defence)| class.contains(defence))
            })
        })
    };
    if parts.values().any(says_more) {
        return None;
    }
    // Those with the most moves first: that is only for the reader.
    let mut parts: Vec<(Class, Vec<Defended<'p>>)> = parts.into_values().collect();
    parts.sort_by_key(|(class, _)| {
        Reverse(class.boards().iter().map(|(_, starts)| starts.len()).sum::<usize>())
    });
    Some(parts.into_iter().map(|(class, matched)| (When::Class(class), matched)).collect())
}

/// The text that is true in several positions. Where different pieces do the same, none is named.
fn said_in_all(mut texts: impl Iterator<Item = String>) -> String {
    let first = texts.next().unwrap_or_default();
    let said = without_captures(&first);
    if texts.all(|text| without_captures(&text) == said) { first } else { without_letters(&first) }
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

/// The defences that a row is about, as it is written.
fn when_text(matched: &[Defended<'_>], when: &When) -> String {
    match when {
        When::If(defence) => {
            let texts = matched.iter().map(|(position, _)| action_text(position, defence));
            format!("if: \"{}\"", said_in_all(texts))
        }
        When::Class(class) => format!("class: {}", class::write(matched[0].0, class)),
        When::Otherwise => "otherwise: true".to_owned(),
    }
}

/// A row about these defences, of which there is one at least.
fn row(
    prover: &mut Prover<'_>,
    reply: &Reply,
    matched: &[Defended<'_>],
    left: Option<u32>,
) -> Result<Row, FixError> {
    let answers =
        matched.iter().map(|(position, defence)| action_text(&after(position, defence), &reply.answer));
    let answer = said_in_all(answers);
    let mate = if reply.node.replies.is_empty() { "#" } else { "" };
    let ends: Vec<Position> = match mate {
        "#" => Vec::new(),
        _ => matched
            .iter()
            .map(|(position, defence)| after(&after(position, defence), &reply.answer))
            .collect(),
    };
    let tries = match left {
        None => None,
        Some(left) => {
            let positions: Vec<Position> =
                matched.iter().map(|(position, defence)| after(position, defence)).collect();
            Some(Wrong::of(prover, &positions, left)?)
        }
    };
    Ok(Row {
        key: None,
        when: when_text(matched, &reply.when),
        answer: format!("{answer}{mate}"),
        tries,
        inner: rows(prover, &ends, &reply.node.replies, left.map(|left| left - 1))?,
    })
}

/// The replies to all wrong actions in some positions.
pub(super) struct Wrong {
    /// The first of these that is legal refutes an action without a row; most useful first.
    replies: Vec<String>,
    /// Whether there are actions that stalemate.
    stalemates: bool,
    /// Actions that the replies do not refute, as text, each with its own reply.
    pub rows: BTreeMap<Action, (String, String)>,
    /// An action for which no reply suits all positions.
    pub conflict: Option<String>,
}

impl Wrong {
    /// Finds them where the solver has `n` actions left.
    pub fn of(prover: &mut Prover<'_>, positions: &[Position], n: u32) -> Result<Wrong, FixError> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        // A position, a wrong action, and the reply as text and as action if it is not stalemate.
        type Found<'p> = (&'p Position, Action, Option<(String, Action)>);
        let mut all: Vec<Found<'_>> = Vec::new();
        for position in positions {
            for Try { action, refutation } in
                prover.wrong_actions(position, n, |_, _| Ok(true)).map_err(spent)?
            {
                let reply = match refutation {
                    Defence::Stalemate => None,
                    Defence::Action(reply) => {
                        let text = action_text(&after(position, &action), &reply);
                        *counts.entry(text.clone()).or_default() += 1;
                        Some((text, reply))
                    }
                };
                all.push((position, action, reply));
            }
        }
        let mut replies: Vec<String> = counts.keys().cloned().collect();
        replies.sort_by_key(|reply| (Reverse(counts[reply]), reply.clone()));
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
            let first = wrong.replies.iter().find_map(|text| parse_action(&after, text).ok());
            let is_answered = match first {
                Some(first) => first == *reply || refutes(&after, &first)?,
                None => false,
            };
            if is_answered {
                continue;
            }
            wrong.rows.entry(action.clone()).or_insert_with(|| {
                let texts = places[action].iter().map(|position| action_text(position, action));
                (said_in_all(texts), own.clone())
            });
        }
        // A row is about its action in all positions.
        for (position, action, _) in &all {
            let Some((text, reply)) = wrong.rows.get(action) else { continue };
            let after = after(position, action);
            let suits = match parse_action(&after, reply) {
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
    pub fn otherwise(&self) -> String {
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
