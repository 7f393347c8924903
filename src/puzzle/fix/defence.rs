//! `solutions`, `unique` and `tries` of a goal of the defender.

use super::source::Edits;
use super::{Change, FixError, Page, Work, spent};
use crate::notation::pgn5d;
use crate::puzzle::model::{Goal, Scope};
use crate::types::Action;

/// The most solutions that are written.
const MOST: usize = 12;
/// The most that are named where there is to be one.
const NAMED: usize = 4;
/// The most rows with which an empty plausible table is filled.
const MOST_PLAUSIBLE: usize = 8;

pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let is_only = matches!(page.puzzle.goal.value, Goal::OnlyDefence(_));
    let (start, n) = (work.start(), work.n());
    let (surviving, _) = work.analysis.surviving_actions(MOST).map_err(|_| DECIDE)?;
    match (surviving.len(), is_only) {
        (0, _) => return Err(FixError::Claim(format!("no action survives a mate in {n}"))),
        (count @ 2.., true) => {
            let named: Vec<String> = surviving
                .iter()
                .take(NAMED)
                .map(|action| format!("`{}`", pgn5d::action_text(start, action)))
                .collect();
            let more = if count > NAMED { ", …" } else { "" };
            let why = format!("more than one action survives a mate in {n}: {}{more}", named.join(", "));
            return Err(FixError::Claim(why));
        }
        _ => {}
    }
    let mut said = Vec::new();
    let lines = surviving.iter();
    let lines = lines.map(|action| format!("[\"{}\"]", pgn5d::action_text(start, action))).collect();
    said.extend(solutions(page, lines, !is_only, edits));
    said.extend(tries(page, work, edits)?);
    Ok((!said.is_empty()).then(|| said.join("; ")))
}

const DECIDE: FixError = FixError::Undecided("decide the goal");

/// Writes these lines where there are none, or where something is wrong with those that there are; and `unique`, which is added only
/// with `asks_unique`.
pub(super) fn solutions(
    page: &Page<'_>,
    lines: Vec<String>,
    asks_unique: bool,
    edits: &mut Edits,
) -> Option<String> {
    let unique = lines.len() == 1;
    let mut said = Vec::new();
    match page.field("solutions") {
        None => {
            let text: String = lines.iter().map(|line| format!("\n  - {line}")).collect();
            page.insert_field("solutions", &text, edits);
            said.push(format!("solutions: {} added", super::counted(lines.len(), "line")));
        }
        Some((key, value)) if page.is_wrong(value) => {
            let lines: Vec<String> = lines.iter().map(|line| format!("\n  - {line}")).collect();
            page.replace_value(key, value, lines.concat(), edits);
            said.push(format!("solutions: {} written anew", super::counted(lines.len(), "line")));
        }
        Some(_) => {}
    }
    if asks_unique && page.field("unique").is_none() {
        page.insert_field("unique", &format!(" {unique}"), edits);
        said.push(format!("unique: {unique}"));
    }
    if let (Some((_, value)), Some(written)) = (page.field("unique"), &page.puzzle.unique)
        && written.value != unique
    {
        edits.replace(value.range.clone(), unique.to_string());
        said.push(format!("unique: {unique}"));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

fn tries(page: &Page<'_>, work: &mut Work<'_>, edits: &mut Edits) -> Result<Option<String>, FixError> {
    let (Some(tries), Some((_, field))) = (&page.puzzle.tries, page.field("tries")) else { return Ok(None) };
    let Some((key, value)) = field.field("rows") else { return Ok(None) };
    let tries = &tries.value;
    let (mut change, mut listed) = (Change::default(), Vec::new());
    for (index, ((key, value), (written, _))) in value.pairs().iter().zip(&tries.rows.0).enumerate() {
        let action = page.texts().action(work.start(), written).ok();
        let is_wrong = [key, value].into_iter().any(|node| page.findings_in(node).next().is_some());
        match action.and_then(|action| row(work, &action).transpose().map(|row| (action, row))) {
            Some((action, text)) => {
                let text = text?;
                if is_wrong {
                    change.replace.push((index, text));
                }
                listed.push(action);
            }
            None => change.remove.push(index),
        }
    }
    let is_empty = listed.is_empty() && tries.classes.is_empty();
    if tries.otherwise.is_empty() && tries.classes.is_empty() && (tries.scope == Scope::All || is_empty) {
        let mut legal = work.start_actions();
        while let Some(action) = work.prover().next_action(&mut legal).map_err(spent)? {
            if tries.scope == Scope::Plausible && change.add.len() >= MOST_PLAUSIBLE {
                break;
            }
            if !listed.contains(&action) {
                change.add.extend(row(work, &action)?);
            }
        }
    }
    if change.is_empty() {
        return Ok(None);
    }
    let said = format!("tries: {}", change.describe("row"));
    change.apply(page, field, key, value, edits);
    Ok(Some(said))
}

/// The row about a wrong action; nothing if it survives.
fn row(work: &mut Work<'_>, action: &Action) -> Result<Option<String>, FixError> {
    let after = work.analysis.after(std::slice::from_ref(action));
    let (start, n) = (work.start(), work.n());
    let mate = work.prover().mating_answer(&after, n).map_err(spent)?;
    Ok(mate.map(|mate| {
        format!("\"{}\": \"{}\"", pgn5d::action_text(start, action), pgn5d::action_text(&after, &mate))
    }))
}
