//! Tables that answer whatever the solver plays: a reply to every wrong action.

use super::rows::Wrong;
use super::source::Edits;
use super::tries::{Kept, change_rows};
use super::{Change, FixError, Page, Work};
use crate::puzzle::model::Scope;

/// Makes the table of first actions one of all of them.
pub(super) fn fix(
    page: &Page<'_>,
    work: &mut Work<'_>,
    edits: &mut Edits,
) -> Result<Option<String>, FixError> {
    let Some(written) = &page.puzzle.tries else {
        let table = first_actions(work)?.lines(2)?;
        page.insert_field("tries", &format!("\n{}", table.trim_end_matches('\n')), edits);
        return Ok(Some("tries: a reply to every wrong action".to_owned()));
    };
    let Some((_, field)) = page.field("tries") else { return Ok(None) };
    let Some((key, value)) = field.field("scope").filter(|_| written.value.scope == Scope::Plausible) else {
        return Ok(None);
    };
    let wrong = first_actions(work)?;
    let replies = wrong.otherwise();
    edits.replace(value.range.clone(), "all");
    if field.is_block() {
        let indent = " ".repeat(super::column(page.text, key.range.start));
        edits.insert_after_line(page.text, value.range.end, format!("{indent}otherwise: [{replies}]\n"));
    } else {
        edits.replace(value.range.end..value.range.end, format!(", otherwise: [{replies}]"));
    }
    let table = Kept::of(page, work, &written.value, field)?.table;
    let missing = wrong.rows.iter().filter(|(action, _)| table.get(action).is_none());
    let add = missing.map(|(_, (action, reply))| format!("\"{action}\": \"{reply}\"")).collect();
    change_rows(page, field, Change { add, ..Change::default() }, edits)?;
    Ok(Some("tries: a reply to every wrong action".to_owned()))
}

/// The replies to all wrong first actions.
fn first_actions(work: &mut Work<'_>) -> Result<Wrong, FixError> {
    let (start, n) = (work.start(), work.n());
    Wrong::of(work.prover(), std::slice::from_ref(start), n)
}

#[cfg(test)]
mod tests {
    use crate::puzzle::{Answer, Options, Wanted, load, repair, verify};

    const PUZZLE: &str = r#"
schema: worldlines/puzzle-1
id: class-row
title: A row of the author's
source: { from: "made for this test" }
start: { 5dfen: "[5/NK2k/p4/5/5:0:1:w]" }
goal: { mate-in: 2 }
tries:
  scope: plausible
  classes:
    - { class: { "(0T1)": ["Kb4c5"] }, reply: "(0T1)Ke4e5" }
"#;

    #[test]
    fn what_a_class_is_about_gets_no_row() {
        let wanted = Wanted { tables: true, ..Wanted::default() };
        let documents = load("puzzle.yaml", PUZZLE.as_bytes());
        let fixed = repair(&documents[0], Options::default(), wanted).unwrap().unwrap();
        assert!(fixed.text.contains(r#"- { class: { "(0T1)": ["Kb4c5"] }, reply: "(0T1)Ke4e5" }"#));
        assert!(!fixed.text.contains(r#""(0T1)Kb4c5":"#), "{}", fixed.text);
        let again = load("puzzle.yaml", fixed.text.as_bytes());
        assert_eq!(verify(&again[0], Options::default()).answer(), Answer::Pass, "{}", fixed.text);
    }
}
