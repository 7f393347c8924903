//! `solutions` and `unique` of a helpmate or a selfmate.

use super::source::Edits;
use super::{FixError, Page, Work, defence, solutions, spent};
use crate::puzzle::model::Goal;
use crate::puzzle::verify::MOST_HELPMATES;
use crate::search::Verdict;

pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let lines = match page.puzzle.goal.value {
        Goal::HelpmateIn(_) => helpmates(work)?,
        _ => selfmates(work)?,
    };
    Ok(defence::solutions(page, lines, true, edits))
}

const DECIDE: FixError = FixError::Undecided("decide the goal");
const ALL: FixError = FixError::Undecided("find all solutions");

pub(super) fn helpmates(work: &mut Work<'_>) -> Result<Vec<String>, FixError> {
    let n = work.n();
    match work.analysis.shortest_helpmate().map_err(|_| DECIDE)? {
        None => return Err(FixError::Claim(format!("there is no helpmate in {n}"))),
        Some(shortest) if shortest < n => {
            return Err(work.is_mate("helpmate", shortest, None));
        }
        Some(_) => {}
    }
    let found = work.analysis.helpmates(MOST_HELPMATES);
    if !found.complete && found.undecided.is_none() {
        return Err(FixError::Claim(format!("there are {MOST_HELPMATES} helpmates or more")));
    } else if !found.complete {
        return Err(ALL);
    }
    Ok(found.lines.iter().map(|line| solutions::line_text(work.start(), line)).collect())
}

pub(super) fn selfmates(work: &mut Work<'_>) -> Result<Vec<String>, FixError> {
    let n = work.n();
    let found = work.analysis.selfmates().clone();
    match (found.verdict, found.shortest) {
        (Verdict::Undecided, _) => return Err(DECIDE),
        (Verdict::Refuted, _) => return Err(FixError::Claim(format!("there is no selfmate in {n}"))),
        (Verdict::Proven, Some(shortest)) if shortest < n => {
            let key = found.keys.first().map(|class| class.key());
            return Err(work.is_mate("selfmate", shortest, key));
        }
        (Verdict::Proven, _) if !found.complete => return Err(ALL),
        _ => {}
    }
    let mut lines = Vec::new();
    for class in &found.keys {
        let line = work.analysis.selfmate_line(class.key()).map_err(spent)?;
        let line = line.ok_or(FixError::Claim("one of the solutions does not force it in time".into()))?;
        lines.push(solutions::line_text(work.start(), &line));
    }
    Ok(lines)
}
