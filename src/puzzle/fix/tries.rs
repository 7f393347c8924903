//! `tries`.

use super::source::Edits;
use super::{Change, FixError, Node, Page, Work, spent};
use crate::notation::pgn5d;
use crate::puzzle::model::{STALEMATE, Scope};
use crate::puzzle::table::Table;
use crate::puzzle::{class, model::Tries};
use crate::search::{Defence, Try};
use crate::types::Action;

/// The most rows with which an empty plausible table is filled.
const MOST_PLAUSIBLE: usize = 8;

pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let (Some(tries), Some((_, field))) = (&page.puzzle.tries, page.field("tries")) else { return Ok(None) };
    let tries = &tries.value;
    let Kept { rows: mut change, classes: class_change, table } = Kept::of(page, work, tries, field)?;
    // What is empty after this would be filled the next time.
    let empty = tries.rows.0.len() == change.remove.len() && tries.classes.len() == class_change.remove.len();
    match tries.scope {
        // What has no row of its own has a reply already, unless some have none.
        Scope::All
            if !tries.otherwise.is_empty() && page.findings_in(field).all(|f| f.code != "missing-row") => {}
        Scope::All => {
            let missing =
                work.prover.wrong_actions(&work.start, work.n, |_, action| Ok(table.get(action).is_none()));
            for Try { action, refutation } in missing.map_err(spent)? {
                change.add.push(row_text(work, &action, &refutation, None));
            }
        }
        Scope::Plausible if empty => change.add = plausible(work)?,
        Scope::Plausible => {}
    }
    let mut said = Vec::new();
    if !change.is_empty() {
        said.push(format!("tries: {}", change.describe("row")));
    }
    if !class_change.is_empty() {
        said.push(format!("tries: {}", class_change.describe("class row")));
    }
    change_rows(page, field, change, edits)?;
    if let Some((key, value)) = field.field("classes").filter(|_| !class_change.is_empty()) {
        class_change.apply(page, field, key, value, edits);
    }
    Ok((!said.is_empty()).then(|| said.join("; ")))
}

/// Changes the rows of a table about single actions, which may have none.
pub(super) fn change_rows(
    page: &Page<'_>,
    field: &Node,
    change: Change,
    edits: &mut Edits,
) -> Result<(), FixError> {
    if change.is_empty() {
        return Ok(());
    }
    if let Some((key, value)) = field.field("rows") {
        change.apply(page, field, key, value, edits);
        return Ok(());
    }
    let (scope, value) = field
        .pairs()
        .first()
        .ok_or(FixError::Text("expected fields under `tries`, but found none".into()))?;
    if field.is_block() {
        let indent = " ".repeat(super::column(page.text, scope.range.start));
        let lines: String = change.add.iter().map(|row| format!("{indent}  {row}\n")).collect();
        edits.insert_after_line(page.text, value.range.end, format!("{indent}rows:\n{lines}"));
    } else {
        let rows = format!(", rows: {{ {} }}", change.add.join(", "));
        edits.replace(value.range.end..value.range.end, rows);
    }
    Ok(())
}

/// What stays of a table.
pub(super) struct Kept {
    /// Which rows about one action go or change.
    rows: Change,
    /// Which rows about a class go.
    classes: Change,
    /// What the others are about.
    pub table: Table<()>,
}

impl Kept {
    pub fn of(page: &Page<'_>, work: &mut Work<'_>, tries: &Tries, field: &Node) -> Result<Kept, FixError> {
        let (mut change, mut table) = (Change::default(), Table::default());
        let rows = field.field("rows").map(|(_, rows)| rows.pairs()).unwrap_or_default();
        for (index, ((key, value), (written, refutation))) in rows.iter().zip(&tries.rows.0).enumerate() {
            let action = pgn5d::parse_action(&work.start, &written.value).ok();
            let Some(action) = action.filter(|_| page.findings_in(key).next().is_none()) else {
                change.remove.push(index);
                continue;
            };
            if page.is_wrong(value) {
                let mut after = work.start.clone();
                after.play_unchecked(&action);
                let reply = work.prover.surviving_defence(&after, work.n - 1).map_err(spent)?;
                let Some(reply) = reply else {
                    change.remove.push(index);
                    continue;
                };
                let count = match refutation.refutations {
                    Some(_) => Some(work.prover.refutations(&after, work.n - 1).map_err(spent)?.count),
                    None => None,
                };
                let key = &page.text[key.range.clone()];
                change
                    .replace
                    .push((index, format!("{key}: {}", refutation_text(work, &action, &reply, count))));
            }
            let _ = table.add(action, ());
        }
        let items = field.field("classes").map(|(_, rows)| rows.items()).unwrap_or_default();
        let mut classes = Change::default();
        for (index, (item, row)) in items.iter().zip(&tries.classes).enumerate() {
            if page.findings_in(item).next().is_some() {
                classes.remove.push(index);
            } else if let Ok(class) = class::read(&work.start, page.text, &row.value.class.value) {
                table.add_class(class, ());
            }
        }
        Ok(Kept { rows: change, classes, table })
    }
}

/// How many wrong actions that look right are compared.
const COMPARED: usize = 400;

/// How many search steps the best reply to an action is worth, beside any reply.
const BEST_STEPS: u64 = 20_000;

/// The wrong actions that look right and are refuted in the fewest ways, as far as those are counted with a fair part of the budget.
fn plausible(work: &mut Work<'_>) -> Result<Vec<String>, FixError> {
    let start = work.start.clone();
    let wrong = work.prover.plausible_tries(&start, work.n, COMPARED).map_err(spent)?;
    let worth = work.prover.left() / 2 / wrong.len().max(1) as u64;
    let mut ranked = Vec::new();
    for Try { action, refutation } in wrong {
        let mut after = start.clone();
        after.play_unchecked(&action);
        let counted = work.prover.within(worth, |prover| prover.refutations(&after, work.n - 1));
        ranked.push((counted.map_or(u64::MAX, |refutations| refutations.count), action, refutation));
    }
    ranked.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
    ranked.truncate(MOST_PLAUSIBLE);
    for (_, action, refutation) in &mut ranked {
        let mut after = start.clone();
        after.play_unchecked(action);
        let best = work.prover.best_refutation(&after, work.n - 1, 1, BEST_STEPS).map_err(spent)?;
        *refutation = best.unwrap_or(refutation.clone());
    }
    let row = |(count, action, refutation): &(u64, Action, Defence)| {
        row_text(work, action, refutation, (*count < u64::MAX).then_some(*count))
    };
    Ok(ranked.iter().map(row).collect())
}

fn row_text(work: &Work<'_>, action: &Action, refutation: &Defence, count: Option<u64>) -> String {
    let text = pgn5d::action_text(&work.start, action);
    format!("\"{text}\": {}", refutation_text(work, action, refutation, count))
}

fn refutation_text(work: &Work<'_>, action: &Action, refutation: &Defence, count: Option<u64>) -> String {
    let mut after = work.start.clone();
    after.play_unchecked(action);
    match (refutation, count) {
        (Defence::Stalemate, _) => STALEMATE.to_owned(),
        (Defence::Action(reply), None) => format!("\"{}\"", pgn5d::action_text(&after, reply)),
        (Defence::Action(reply), Some(count)) => {
            format!("{{ reply: \"{}\", refutations: {count} }}", pgn5d::action_text(&after, reply))
        }
    }
}
