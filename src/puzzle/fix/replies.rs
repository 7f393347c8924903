//! `replies`.

use super::rows::{Row, rows};
use super::source::Edits;
use super::{Change, FixError, Page, Work, spent};
use crate::notation::pgn5d;
use crate::puzzle::model::{Reply, Scope, Spanned};
use crate::search::certificate::{self, When};
use crate::search::{Evidence, Solution};
use crate::state::Position;
use crate::types::Action;
use crate::types::counted;

/// The most missing rows that are added one for each action. With more of them all rows of the solution are written anew.
const MOST_SINGLE: usize = 40;

pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    solution: &Solution,
    tables: bool,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let n = work.n();
    let written = &page.puzzle.replies;
    let mut keys = work.listed_keys(page);
    keys.retain(|key| solution.class_of(key).is_some());
    let several = keys.len() > 1;
    let field = page.field("replies");
    let lacks_tries = tables && !written.iter().all(answers_all);
    let Some((key_node, value)) = field.filter(|_| !lacks_tries && (!written.is_empty() || !tables)) else {
        let mut lines = String::new();
        let mut count = 0;
        for key in &keys {
            for row in all_rows(work, key, several, tables)? {
                count += row.count();
                lines += &row.lines(2)?;
            }
        }
        let lines = format!("\n{}", lines.trim_end_matches('\n'));
        let Some((key_node, value)) = field else {
            page.insert_field("replies", &lines, edits);
            return Ok(Some(format!("replies: {} added", counted(count, "row"))));
        };
        page.replace_value(key_node, value, lines, edits);
        return Ok(Some(format!(
            "replies: {} written anew, with replies to wrong answers",
            counted(count, "row")
        )));
    };
    let items = value.items();
    let wrong: Vec<usize> = (0..items.len())
        .filter(|&index| page.findings_in(&items[index]).any(|f| f.code != "missing-row"))
        .collect();
    let lacks = page
        .findings
        .iter()
        .any(|finding| finding.code == "missing-row" && value.range.contains(&finding.span.range().start));
    if written.is_empty() || (wrong.is_empty() && !lacks) {
        return Ok(None);
    }
    let mut change = Change { remove: wrong, ..Change::default() };
    for key in &keys {
        let belongs = |row: &Reply| match &row.key {
            Some(text) => page.texts().action(work.start(), text).is_ok_and(|action| action == *key),
            None => !several,
        };
        let kept: Vec<(usize, &Spanned<Reply>)> = written
            .iter()
            .enumerate()
            .filter(|(index, row)| !change.remove.contains(index) && belongs(&row.value))
            .collect();
        let after = work.analysis.after(std::slice::from_ref(key));
        let missing = unanswered(page, work, &after, &kept)?;
        let new = if missing.len() > MOST_SINGLE || kept.is_empty() {
            change.remove.extend(kept.iter().map(|(index, _)| *index));
            all_rows(work, key, several, tables)?
        } else {
            let single = missing.into_iter().map(|defence| answered(work, &after, defence));
            let single = single.collect::<Result<Vec<_>, FixError>>()?;
            change.before_last |= !several
                && kept.last().is_some_and(|(_, row)| row.value.otherwise.is_some())
                && !single.is_empty();
            let new = rows(work.prover(), &[after], &single, tables.then_some(n - 1))?;
            with_key(work, new, key, several)
        };
        // The first line gets its dash where the list is changed.
        for row in &new {
            let lines = row.lines(super::indentation_of_list(page, key_node, value))?;
            change.add.push(lines.trim_start().trim_start_matches("- ").trim_end_matches('\n').to_owned());
        }
    }
    let swapped = change.remove.len().min(change.add.len());
    let said = format!("replies: {}", change.describe("row"));
    if !change.before_last {
        change.remove.sort_unstable();
        change.replace = change.remove.drain(..swapped).zip(change.add.drain(..swapped)).collect();
    }
    change.apply(page, page.root, key_node, value, edits);
    Ok(Some(said))
}

/// Rows that answer everything after a key.
fn all_rows(work: &mut Work<'_>, key: &Action, several: bool, tables: bool) -> Result<Vec<Row>, FixError> {
    let (after, n) = (work.analysis.after(std::slice::from_ref(key)), work.n());
    let replies = work.analysis.evidence(key).map_err(spent)?.node.replies.clone();
    let rows = rows(work.prover(), &[after], &replies, tables.then_some(n - 1))?;
    Ok(with_key(work, rows, key, several))
}

/// Whether a row and those below it have replies to all wrong answers.
fn answers_all(row: &Spanned<Reply>) -> bool {
    row.value.tries.as_ref().is_some_and(|tries| tries.value.scope == Scope::All)
        && row.value.replies.iter().all(answers_all)
}

fn with_key(work: &Work<'_>, mut rows: Vec<Row>, key: &Action, several: bool) -> Vec<Row> {
    if several {
        let text = pgn5d::action_text(work.start(), key);
        rows.iter_mut().for_each(|row| row.key = Some(text.clone()));
    }
    rows
}

/// The legal defences that no row is about.
fn unanswered(
    page: &Page<'_>,
    work: &mut Work<'_>,
    after: &Position,
    kept: &[(usize, &Spanned<Reply>)],
) -> Result<Vec<Action>, FixError> {
    let rows: Vec<&Spanned<Reply>> = kept.iter().map(|(_, row)| *row).collect();
    let table = page.texts().replies(after, &rows);
    let mut legal = work.prover().actions(after);
    let mut missing = Vec::new();
    while let Some(action) = work.prover().next_action(&mut legal).map_err(spent)? {
        if table.get(&action).is_none() {
            work.prover().charge_memory(&action).map_err(spent)?;
            missing.push(action);
        }
    }
    Ok(missing)
}

/// The answer to one defence, with what follows it.
fn answered(work: &mut Work<'_>, after: &Position, defence: Action) -> Result<certificate::Reply, FixError> {
    let mut position = after.clone();
    position.play_unchecked(&defence);
    let left = work.n() - 1;
    let answer = work.prover().mating_answer(&position, left).map_err(spent)?;
    let answer = answer.ok_or(FixError::Claim("one of the solutions does not mate in time".into()))?;
    let Evidence { node, .. } = work.prover().confirm(&position, &answer, left).map_err(spent)?;
    Ok(certificate::Reply { when: When::If(defence), answer, node })
}
