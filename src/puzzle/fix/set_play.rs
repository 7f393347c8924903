//! `set-play`.

use super::source::Edits;
use super::{FixError, Page, Work, solutions, spent};
use crate::search::Variation;
use crate::types::counted;

/// The most lines that are written. Set play need not be complete.
const MOST: usize = 12;

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
        // An empty list that stays empty is no change.
        Some(_) if is_empty && lines.is_empty() => return Ok(None),
        Some((key, value)) if lines.is_empty() => page.replace_value(key, value, " []".to_owned(), edits),
        Some((key, value)) => page.replace_value(key, value, text, edits),
        None if lines.is_empty() => return Ok(None),
        None => page.insert_field("set-play", &text, edits),
    }
    Ok(Some(format!("set-play: {}", counted(lines.len(), "line"))))
}

/// The first answer to each action of the opponent after a pass that has one in time, and how it goes on to the mate.
fn lines(work: &mut Work<'_>) -> Result<Vec<String>, FixError> {
    let Some(found) = work.analysis.set_play(MOST) else { return Ok(Vec::new()) };
    if let Some(why) = found.met.undecided() {
        return Err(spent(why));
    }
    let mut lines = Vec::new();
    for Variation { defence, mates_in, answers } in found.met.items {
        let mut after = found.passed.clone();
        after.play_unchecked(&defence);
        let rest = work.prover().line(&after, mates_in, answers[0].key()).map_err(spent)?;
        if let Some(rest) = rest {
            lines.push(solutions::line_text(&found.passed, &[&[defence], &*rest].concat()));
        }
    }
    Ok(lines)
}
