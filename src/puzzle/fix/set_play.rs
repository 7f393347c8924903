//! `set-play`.

use super::source::Edits;
use super::{FixError, Page, Work, solutions, spent};
use crate::puzzle::report::counted;
use crate::search::after_null_action;

/// The most lines that are written. Set play need not be complete.
const MOST: usize = 12;
/// The most actions of the opponent that are looked at.
const LOOKED_AT: usize = 1_000;

/// Fills an empty list, or one that is wrong; writes one that is `wanted` where there is none.
pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    wanted: bool,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let field = page.field("set-play");
    let is_wrong = field.is_some_and(|(_, value)| page.is_wrong(value));
    let is_empty = field.is_some() && page.puzzle.set_play.is_empty();
    if !(is_wrong || is_empty || wanted && field.is_none()) {
        return Ok(None);
    }
    let lines = lines(work)?;
    let text: String = lines.iter().map(|line| format!("\n  - {line}")).collect();
    match field {
        // What is empty and stays so is no change.
        Some(_) if is_empty && lines.is_empty() => return Ok(None),
        Some((key, value)) if lines.is_empty() => page.replace_value(key, value, " []".to_owned(), edits),
        Some((key, value)) => page.replace_value(key, value, text, edits),
        None if lines.is_empty() => return Ok(None),
        None => page.insert_field("set-play", &text, edits),
    }
    Ok(Some(format!("set-play: {}", counted(lines.len(), "line"))))
}

/// An answer to each action of the opponent after a pass that has one in time, and how it goes on to the mate.
fn lines(work: &mut Work<'_>) -> Result<Vec<String>, FixError> {
    let Some(passed) = after_null_action(&work.start) else { return Ok(Vec::new()) };
    let mut defences = Vec::new();
    let mut legal = work.prover.actions(&passed);
    while defences.len() < LOOKED_AT
        && let Some(defence) = work.prover.next_action(&mut legal).map_err(spent)?
    {
        defences.push(defence);
    }
    defences.sort_unstable();
    let mut lines = Vec::new();
    for defence in defences {
        let mut after = passed.clone();
        after.play_unchecked(&defence);
        let Some((n, keys)) = work.prover.shortest_mates(&after, work.n - 1).map_err(spent)? else {
            continue;
        };
        let Some(rest) = work.prover.line(&after, n, keys[0].key()).map_err(spent)? else { continue };
        lines.push(solutions::line_text(&passed, &[&[defence], &*rest].concat()));
        if lines.len() == MOST {
            break;
        }
    }
    Ok(lines)
}
