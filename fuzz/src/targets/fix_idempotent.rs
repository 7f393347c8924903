//! The output of `verify --fix` verifies and is not changed again; another YAML parser reads the same values.

use arbitrary::Result;
use worldlines::puzzle::{Answer, Document, Finding, FixError, Fixed, Options, fix, load, verify};

use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 60, "puzzle_yaml", Source::Puzzles);

/// The limits of the proofs of one puzzle. A puzzle that needs more is left undecided, and not fixed.
const OPTIONS: Options<'_> = Options {
    quick: false,
    max_steps: Some(3_000),
    memory: 1 << 24,
    evidence: 100_000,
    paranoid: false,
    stop: None,
};

fn run(bytes: &[u8]) -> Result<()> {
    load("file.yaml", bytes).iter().for_each(|document| check(document, fix));
    Ok(())
}

pub(super) type Outcome = std::result::Result<Option<Fixed>, FixError>;
type Fixer = fn(&Document, Options<'_>) -> Outcome;

fn check(document: &Document, fix: Fixer) {
    let fixed = match fix(document, OPTIONS) {
        Ok(Some(fixed)) => fixed,
        Ok(None) => return,
        Err(reason) => return assert!(!reason.to_string().is_empty(), "not fixed without a reason"),
    };
    check_fixed(document, &fixed, OPTIONS, |again| fix(again, OPTIONS));
}

/// Checks that the fixed text differs, that its changes are listed, that it verifies, and that it is not
/// changed again.
pub(super) fn check_fixed(
    document: &Document,
    fixed: &Fixed,
    options: Options<'_>,
    fix: impl FnOnce(&Document) -> Outcome,
) {
    let text = &fixed.text;
    assert_ne!(text, document.text(), "nothing is changed by {:?}", fixed.changes);
    assert!(!fixed.changes.is_empty(), "a change without a word in\n{text}");
    let documents = load("file.yaml", text.as_bytes());
    let puzzles = documents.iter().filter(|document| document.twin_of.is_none()).count();
    assert_eq!(puzzles, 1, "puzzles in\n{text}");
    // The id of a puzzle that could not be read was a guess.
    let is_guessed = document.puzzle.is_err() && document.twin_of.is_none();
    let same =
        |again: &&Document| again.twin_of == document.twin_of && (again.id == document.id || is_guessed);
    let again = documents.iter().find(same).unwrap_or_else(|| panic!("{} is gone from\n{text}", document.id));
    let report = verify(again, options);
    assert_eq!(report.bug(), None, "in\n{text}");
    let answer = report.answer();
    let is_whole = fixed.open.is_empty();
    let holds = matches!(answer, Answer::Pass | Answer::Skipped);
    // Parts that were left open may be missing rows or solutions, or be undecided.
    let is_missing = |finding: &Finding| match finding.code {
        "missing-row" => true,
        "unlisted-key" => fixed.open.contains(&"find all solutions"),
        _ => false,
    };
    let lacks_lines = report.findings.iter().all(is_missing);
    assert!(holds || !is_whole && lacks_lines, "{answer}: {}in\n{text}", report.findings_text());
    if is_whole {
        assert_eq!(fix(again), Ok(None), "fixed twice: {text}");
    }
    if values_agree(document.text()) {
        assert!(values_agree(text), "two parsers read different values from\n{text}");
    }
}

/// Whether the parser that the library uses and `serde_yaml` read the same values.
fn values_agree(text: &str) -> bool {
    let here = serde_saphyr::from_str::<serde_json::Value>(text);
    let there = serde_yaml::from_str::<serde_json::Value>(text);
    matches!((here, there), (Ok(here), Ok(there)) if here == there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let text = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        let wrong = text.replace("unique: true", "unique: false");
        let document = || load("file.yaml", wrong.as_bytes()).remove(0);
        check(&document(), fix);
        let never_done: Fixer = |document, _| {
            Ok(Some(Fixed {
                text: format!("{}# again\n", document.text()),
                changes: vec!["x".into()],
                open: Vec::new(),
            }))
        };
        assert!(flags(|| check(&load("file.yaml", text.as_bytes()).remove(0), never_done)));
        assert!(flags(|| check(&document(), never_done)));
        assert!(values_agree(text) && !values_agree("a: 0o17\na: 1\n"));
    }
}
