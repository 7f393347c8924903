//! `solutions` and `unique` of a twin.

use super::source::Edits;
use super::{ALL_SOLUTIONS, FixError, Page, Work, both, counted, solutions, spent};
use crate::notation::pgn5d;
use crate::puzzle::model::{Goal, Puzzle};
use crate::puzzle::start::start;
use crate::puzzle::verify::{Options, budget_of, verify};
use crate::puzzle::{check, load};
use crate::search::{Analysis, Prover};

/// The most actions of a defender that are listed.
const MOST: usize = 12;

/// Writes the lines of a twin that has none, or wrong ones.
pub(super) fn fix(
    page: &Page<'_>,
    index: usize,
    options: Options<'_>,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let twin = &page.puzzle.twins[index].value;
    let merged = page.puzzle.of_twin(twin);
    if let Some(finding) =
        check::check(&merged).into_iter().find(|finding| finding.code != check::NO_SOLUTIONS)
    {
        // A wrong length of a line is set right with the line.
        if finding.code != "line-length" {
            return Err(finding.into());
        }
    }
    let documents = load("twins.yaml", page.text.as_bytes());
    let is_right = documents
        .get(index + 1)
        .is_some_and(|document| document.puzzle.is_ok() && verify(document, options).findings.is_empty());
    // A list of the only defence has no second one.
    let asks_unique = !matches!(merged.goal.value, Goal::OnlyDefence(_));
    if is_right && (twin.unique.is_some() || !asks_unique)
        || matches!(merged.goal.value, Goal::Status(_) | Goal::NoMateIn(_))
    {
        return Ok(None);
    }
    let node = page.field("twins").and_then(|(_, list)| list.items().get(index));
    let Some(node) = node.filter(|node| node.is_block()) else {
        return Err(FixError::Text(
            "only a twin whose fields stand on lines of their own can be changed".to_owned(),
        ));
    };
    let lines = if is_right { None } else { Some(lines(page, &merged, options)?) };
    let (first, _) = node.pairs().first().ok_or(FixError::Text("expected fields, but found none".into()))?;
    let indent = " ".repeat(super::column(page.text, first.range.start));
    let last = ["solutions", "goal", "change"].into_iter().find_map(|name| node.field(name));
    let count = lines.as_ref().map_or(twin.solutions.len(), Vec::len);
    let mut more = String::new();
    if let Some(lines) = &lines {
        let text: String = lines.iter().map(|line| format!("\n{indent}  - {line}")).collect();
        match node.field("solutions") {
            Some((key, value)) => page.replace_value(key, value, text, edits),
            None => more += &format!("{indent}solutions:{text}\n"),
        }
    }
    match node.field("unique") {
        Some((_, value)) => edits.replace(value.range.clone(), (count == 1).to_string()),
        None if asks_unique => more += &format!("{indent}unique: {}\n", count == 1),
        None => {}
    }
    if let Some((_, last)) = last.filter(|_| !more.is_empty()) {
        edits.insert_after_line(page.text, last.range.end, more);
    }
    Ok(Some(format!("twin {}: {}", twin.id.value, counted(count, "line"))))
}

/// The lines that solve it.
fn lines(page: &Page<'_>, merged: &Puzzle, options: Options<'_>) -> Result<Vec<String>, FixError> {
    let goal = &merged.goal.value;
    let (Some(n), false) = (goal.length(), matches!(goal, Goal::NoMateIn(_))) else { return Ok(Vec::new()) };
    let claims_mate = matches!(goal, Goal::MateIn(_));
    let start = start(page.text, merged)?.end();
    let mut prover = Prover::new(budget_of(merged, options)).stopping_on(options.stop);
    let mut work = Work { analysis: Analysis::new(&mut prover, &start, n), claims_mate };
    match goal {
        Goal::HelpmateIn(_) => both::helpmates(&mut work),
        Goal::SelfmateIn(_) => both::selfmates(&mut work),
        Goal::MateIn(_) => {
            let mut lines = Vec::new();
            let solution = work.solution()?;
            if !solution.complete {
                return Err(FixError::Undecided(ALL_SOLUTIONS));
            }
            for class in &solution.keys {
                let line = work.analysis.line(class.key()).map_err(spent)?;
                let line =
                    line.ok_or(FixError::Claim("one of the solutions does not mate in time".into()))?;
                lines.push(solutions::line_text(&start, &line));
            }
            Ok(lines)
        }
        _ => {
            let (surviving, _) = work.analysis.surviving_actions(MOST).map_err(spent)?;
            if surviving.is_empty() {
                return Err(FixError::Claim(format!("no action survives a mate in {n}")));
            }
            let text = |action| format!("[\"{}\"]", pgn5d::action_text(&start, action));
            Ok(surviving.iter().map(text).collect())
        }
    }
}
