//! `duals`.

use super::source::Edits;
use super::{FixError, Page, Work, spent};
use crate::notation::pgn5d;
use crate::puzzle::model::NONE;
use crate::search::Dual;
use crate::types::counted;

/// Lists the duals, where the puzzle has a wrong list, or has none and one is `wanted`.
pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    wanted: bool,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let field = page.field("duals");
    let is_wrong = field.is_some_and(|(_, value)| page.is_wrong(value));
    if !is_wrong && (field.is_some() || !wanted) {
        return Ok(None);
    }
    let duals = work.analysis.duals(&work.listed_keys(page)).map_err(spent)?;
    let value = if duals.is_empty() {
        format!(" {NONE}")
    } else {
        duals.iter().map(|dual| format!("\n  - {}", row(work, dual))).collect()
    };
    match field {
        Some((key, old)) => page.replace_value(key, old, value, edits),
        None => page.insert_field("duals", &value, edits),
    }
    let said = if duals.is_empty() { NONE.to_owned() } else { counted(duals.len(), "row") };
    Ok(Some(format!("duals: {said}")))
}

fn row(work: &Work<'_>, dual: &Dual) -> String {
    let (after, position) = pgn5d::line_texts(work.start(), &dual.line);
    let mate = if dual.mates_in == 1 { "#" } else { "" };
    let answers: Vec<String> = dual
        .answers
        .iter()
        .map(|class| format!("\"{}{mate}\"", pgn5d::action_text(&position, class.key())))
        .collect();
    format!("{{ after: [\"{}\"], answers: [{}] }}", after.join("\", \""), answers.join(", "))
}
