//! Replies as lines of a puzzle file.

use crate::notation::pgn5d::action_text;
use crate::puzzle::class;
use crate::search::certificate::{Reply, When};
use crate::state::Position;
use crate::types::Action;

/// A row of a list of replies.
pub(super) struct Row {
    /// The key that it follows, if it has to say so.
    pub key: Option<String>,
    when: String,
    answer: String,
    inner: Vec<Row>,
}

impl Row {
    /// Lines of a block list whose dashes stand in this column.
    pub fn lines(&self, column: usize) -> String {
        let indent = " ".repeat(column);
        let key = self.key.as_ref().map(|key| format!("key: \"{key}\", ")).unwrap_or_default();
        if self.inner.is_empty() {
            return format!("{indent}- {{ {key}{}, answer: \"{}\" }}\n", self.when, self.answer);
        }
        let mut lines = match &self.key {
            None => format!("{indent}- {}\n", self.when),
            Some(key) => format!("{indent}- key: \"{key}\"\n{indent}  {}\n", self.when),
        };
        lines += &format!("{indent}  answer: \"{}\"\n{indent}  replies:\n", self.answer);
        self.inner.iter().for_each(|row| lines += &row.lines(column + 4));
        lines
    }

    /// How many rows it takes, with those below.
    pub fn count(&self) -> usize {
        1 + self.inner.iter().map(Row::count).sum::<usize>()
    }
}

/// The rows of a list that answers what follows in each of these positions.
pub(super) fn rows(positions: &[Position], replies: &[Reply]) -> Vec<Row> {
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
    replies.iter().zip(&matched).filter_map(|(reply, matched)| row(reply, matched)).collect()
}

/// A row about these defences; nothing if there are none.
fn row(reply: &Reply, matched: &[(&Position, Action)]) -> Option<Row> {
    let (position, defence) = matched.first()?;
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
    Some(Row {
        key: None,
        when: match &reply.when {
            When::If(_) => format!("if: \"{}\"", action_text(position, defence)),
            When::Class(class) => format!("class: {}", class::write(position, class)),
            When::Otherwise => "otherwise: true".to_owned(),
        },
        answer: format!("{}{mate}", action_text(&answered, &reply.answer)),
        inner: rows(&ends, &reply.node.replies),
    })
}
