//! `solutions` and `unique`.

use super::source::Edits;
use super::{Change, FixError, Page, Work};
use crate::notation::pgn5d;
use crate::search::{KeyClass, Solution};
use crate::state::Position;
use crate::types::Action;

/// Says of the `solution` that it is not complete if the budget is too small for all lines.
pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    solution: &mut Solution,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let mut said = Vec::new();
    let field = page.field("solutions");
    let items = field.map(|(_, value)| value.items()).unwrap_or_default();
    let mut change = Change::default();
    let mut listed: Vec<Action> = Vec::new();
    for (index, (item, line)) in items.iter().zip(&page.puzzle.solutions).enumerate() {
        let wrong = page.findings_in(item).any(|finding| finding.code != "unlisted-key");
        let first = line.value.first().map(|first| page.texts().action(work.start(), first));
        match first {
            Some(Ok(action)) if !wrong => listed.push(action),
            _ => change.remove.push(index),
        }
    }
    let is_listed = |class: &&KeyClass| listed.iter().any(|action| class.contains(action));
    let mut missing: Vec<&KeyClass> = solution.keys.iter().filter(|class| !is_listed(class)).collect();
    // One of them will do while there may be others, which may have it as a part.
    if !solution.complete {
        missing.truncate(usize::from(listed.is_empty()));
    }
    let mut lines_are_complete = solution.complete;
    for class in missing {
        let line = match work.analysis.line(class.key()) {
            Err(_) if !(change.add.is_empty() && listed.is_empty()) => {
                lines_are_complete = false;
                break;
            }
            line => line.map_err(|_| FixError::Undecided("find a line to the mate"))?,
        };
        let line = line.ok_or(FixError::Claim("one of the solutions does not mate in time".into()))?;
        change.add.push(line_text(work.start(), &line));
    }
    solution.complete = lines_are_complete;
    // A line that goes makes room for one that comes.
    let swapped = change.remove.len().min(change.add.len());
    change.replace = change.remove.drain(..swapped).zip(change.add.drain(..swapped)).collect();
    let unique = solution.keys.len() == 1;
    if field.is_none() {
        let lines: String = change.add.iter().map(|line| format!("\n  - {line}")).collect();
        page.insert_field("solutions", &lines, edits);
    }
    let is_right = page.puzzle.unique.as_ref().is_some_and(|written| written.value == unique);
    if solution.complete && !is_right {
        match page.field("unique") {
            None => page.insert_field("unique", &format!(" {unique}"), edits),
            Some((_, value)) => edits.replace(value.range.clone(), unique.to_string()),
        }
        said.push(format!("unique: {unique}"));
    }
    if !change.is_empty() {
        said.insert(0, format!("solutions: {}", change.describe("line")));
    }
    if let Some((key, value)) = field.filter(|_| !change.is_empty()) {
        change.apply(page, page.root, key, value, edits);
    }
    Ok(Some(said.join("; ")))
}

/// A line that ends in mate, as a list in brackets.
pub(super) fn line_text(start: &Position, line: &[Action]) -> String {
    format!("[\"{}#\"]", pgn5d::line_texts(start, line).0.join("\", \""))
}
