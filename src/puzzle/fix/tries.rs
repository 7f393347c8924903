//! `tries`.

use super::source::Edits;
use super::{Change, FixError, Node, Page, Work, spent};
use crate::notation::pgn5d;
use crate::puzzle::finding::Finding;
use crate::puzzle::model::{STALEMATE, Scope, Spanned, Tries};
use crate::puzzle::table::Table;
use crate::search::{Defence, Failing, Try};
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
    // A table that is empty after this would be filled the next time.
    let empty = tries.rows.0.len() == change.remove.len() && tries.classes.len() == class_change.remove.len();
    match tries.scope {
        // `otherwise` answers the rest, unless `verify` says that something is missing or wrong there.
        Scope::All if !tries.otherwise.is_empty() && page.findings_in(field).all(is_about_a_row(field)) => {}
        Scope::All => {
            let missing = work.analysis.wrong_actions(|_, action| Ok(table.get(action).is_none()));
            for Try { action, refutation } in missing.map_err(spent)? {
                if !is_answered(page, work, &action, &tries.otherwise)? {
                    change.add.push(row_text(work, &action, &refutation, None));
                }
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

/// Whether a finding in a table is about one of its rows or classes, and not about the table or its list `otherwise`.
fn is_about_a_row(field: &Node) -> impl Fn(&Finding) -> bool {
    let otherwise = field.field("otherwise").map(|(_, replies)| replies.range.clone());
    move |finding| {
        let place = finding.span.range().start;
        finding.code != "missing-row" && otherwise.as_ref().is_none_or(|replies| !replies.contains(&place))
    }
}

/// Whether the first legal of these replies refutes a wrong first action.
fn is_answered(
    page: &Page<'_>,
    work: &mut Work<'_>,
    action: &Action,
    replies: &[Spanned<String>],
) -> Result<bool, FixError> {
    let mut after = work.analysis.after(std::slice::from_ref(action));
    match page.texts().otherwise(&after, replies) {
        None => Ok(false),
        Some((_, None)) => {
            Ok(work.prover().surviving_defence(&after, 0).map_err(spent)? == Some(Defence::Stalemate))
        }
        Some((_, Some(reply))) => {
            after.play_unchecked(&reply);
            let left = work.n() - 1;
            Ok(left == 0 || work.prover().mating_answer(&after, left).map_err(spent)?.is_none())
        }
    }
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

/// The rows of a table that stay, and those that go.
pub(super) struct Kept {
    /// Rows about one action that go or change.
    rows: Change,
    /// Rows about a class that go.
    classes: Change,
    /// The actions that the others are about.
    pub table: Table<()>,
}

impl Kept {
    pub fn of(page: &Page<'_>, work: &mut Work<'_>, tries: &Tries, field: &Node) -> Result<Kept, FixError> {
        let (mut change, mut table) = (Change::default(), Table::default());
        let rows = field.field("rows").map(|(_, rows)| rows.pairs()).unwrap_or_default();
        for (index, ((key, value), (written, refutation))) in rows.iter().zip(&tries.rows.0).enumerate() {
            let action = page.texts().action(work.start(), written).ok();
            let Some(action) = action.filter(|_| page.findings_in(key).next().is_none()) else {
                change.remove.push(index);
                continue;
            };
            if page.is_wrong(value) {
                let (after, left) = (work.analysis.after(std::slice::from_ref(&action)), work.n() - 1);
                let reply = work.prover().surviving_defence(&after, left).map_err(spent)?;
                let Some(reply) = reply else {
                    change.remove.push(index);
                    continue;
                };
                let count = match refutation.refutations {
                    Some(_) => Some(work.prover().refutations(&after, left).map_err(spent)?.count),
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
            } else if let Ok(class) = page.texts().class(work.start(), &row.value.class) {
                table.add_class(class, ());
            }
        }
        Ok(Kept { rows: change, classes, table })
    }
}

/// The wrong actions that look right and are refuted in the fewest ways.
fn plausible(work: &mut Work<'_>) -> Result<Vec<String>, FixError> {
    let found = work.analysis.tries(MOST_PLAUSIBLE);
    if let (true, Some(why)) = (found.items.is_empty(), found.undecided()) {
        return Err(spent(why));
    }
    let row = |Failing { action, refutations, best }: &Failing| row_text(work, action, best, *refutations);
    Ok(found.items.iter().map(row).collect())
}

fn row_text(work: &Work<'_>, action: &Action, refutation: &Defence, count: Option<u64>) -> String {
    let text = pgn5d::action_text(work.start(), action);
    format!("\"{text}\": {}", refutation_text(work, action, refutation, count))
}

fn refutation_text(work: &Work<'_>, action: &Action, refutation: &Defence, count: Option<u64>) -> String {
    let after = work.analysis.after(std::slice::from_ref(action));
    match (refutation, count) {
        (Defence::Stalemate, _) => STALEMATE.to_owned(),
        (Defence::Action(reply), None) => format!("\"{}\"", pgn5d::action_text(&after, reply)),
        (Defence::Action(reply), Some(count)) => {
            format!("{{ reply: \"{}\", refutations: {count} }}", pgn5d::action_text(&after, reply))
        }
    }
}
