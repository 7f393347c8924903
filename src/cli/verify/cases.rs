//! Turns reports about puzzles into cases for CI servers.

use super::super::ci::{Case, Ended, Level, Note, Place};
use worldlines::puzzle::{Answer, Finding, Report};

/// A case for each puzzle, in suites by folder. With `strict`, warnings are findings.
pub fn cases(reports: &[Report<'_>], strict: bool) -> Vec<Case> {
    reports.iter().map(|report| case(report, strict)).collect()
}

fn case(report: &Report<'_>, strict: bool) -> Case {
    let file = &report.document.file.path;
    let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
    let ended = ended(report, strict);
    let text = match ended {
        Ended::Passed => report.search_only_text() + &report.findings_text(),
        _ => format!("{}\n{}", report.open_steps_text(), report.findings_text()),
    };
    Case {
        suite: folder.to_owned(),
        name: report.document.id.clone(),
        file: file.clone(),
        ended,
        notes: notes(report, strict),
        text,
    }
}

fn ended(report: &Report<'_>, strict: bool) -> Ended {
    match report.answer() {
        _ if report.bug().is_some() => Ended::Error,
        Answer::Fail => Ended::Failed,
        _ if strict && !report.warnings.is_empty() => Ended::Failed,
        // The claim is neither false nor known to be true.
        Answer::Undecided => Ended::Error,
        Answer::Skipped => Ended::Skipped,
        Answer::Pass => Ended::Passed,
    }
}

fn notes(report: &Report<'_>, strict: bool) -> Vec<Note> {
    let start = {
        let place = report.document.file.location(report.document.start());
        Place { file: report.document.file.path.clone(), line: place.line, column: Some(place.column) }
    };
    let of_puzzle = |level, code: &str, message: String| Note {
        level,
        code: code.to_owned(),
        message,
        place: Some(start),
    };
    let first = match (report.bug(), undecided(report)) {
        (Some(bug), _) => {
            let message = format!("a bug in worldlines, not in the puzzle\n{bug}");
            Some(of_puzzle(Level::Error, "bug", message))
        }
        (None, Some(why)) => Some(of_puzzle(Level::Warning, "undecided", why)),
        (None, None) => None,
    };
    let of_warnings = if strict { Level::Error } else { Level::Warning };
    let findings = report.findings.iter().map(|finding| note(report, Level::Error, finding));
    let warnings = report.warnings.iter().map(|warning| note(report, of_warnings, warning));
    findings.chain(first).chain(warnings).collect()
}

fn note(report: &Report<'_>, level: Level, finding: &Finding) -> Note {
    let location = report.location(finding);
    let file = report.document.place(finding).0.path.clone();
    Note {
        level,
        code: finding.code.to_owned(),
        message: std::iter::once(finding.message.clone())
            .chain(finding.lines())
            .collect::<Vec<_>>()
            .join("\n"),
        place: Some(Place { file, line: location.line, column: Some(location.column) }),
    }
}

/// The note of the first step that is undecided.
fn undecided(report: &Report<'_>) -> Option<String> {
    let step = report.steps.iter().find(|(_, answer, _)| *answer == Answer::Undecided);
    step.map(|(step, _, note)| format!("{}: {note}", step.name()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::super::ci;
    use super::{Ended, cases};
    use worldlines::puzzle::{Document, Options, load, verify};

    /// Puzzles that fail, one that passes with a warning, and texts that try to break out of their place.
    fn documents() -> Vec<Document> {
        let hostile = "id: a\nx: \"]]></failure><b a='1'\u{1b}[1m \u{ffff}\u{202e}\"\n";
        let mut documents = load("dir<&\"'>/\u{1}\u{fffe}.yaml", hostile.as_bytes());
        documents.extend(load("dir<&\"'>/bytes.yaml", b"id: b\n\xff\x00\x08"));
        for path in [
            "puzzles/rook/rook-tactics-4.yaml",
            "corpus/puzzles/wrong/not-unique.yaml",
            "corpus/puzzles/odd/king-capturable.yaml",
        ] {
            let bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
            documents.extend(load(path, &bytes));
        }
        documents
    }

    #[test]
    fn a_puzzle_ends_as_its_report_says() {
        let documents = documents();
        for (max_steps, strict, failures, errors) in
            [(None, false, 3, 0), (None, true, 4, 0), (Some(1), false, 2, 2)]
        {
            let options = || Options { max_steps, ..Options::default() };
            let reports: Vec<_> = documents.iter().map(|document| verify(document, options())).collect();
            let cases = cases(&reports, strict);
            let number = |ended| cases.iter().filter(|case| case.ended == ended).count();
            assert_eq!((number(Ended::Failed), number(Ended::Error)), (failures, errors));
            for case in &cases {
                let is_told = !case.notes.is_empty() && !case.text.trim().is_empty();
                assert!(case.ended == Ended::Passed || is_told, "{}", case.name);
            }
            let (mut xml, mut lines) = (Vec::new(), Vec::new());
            ci::junit("worldlines verify", &cases, &mut xml).unwrap();
            ci::github(&cases, &mut lines).unwrap();
            assert!(!String::from_utf8(xml).unwrap().contains("<b"));
            let lines = String::from_utf8(lines).unwrap();
            let notes: usize = cases.iter().map(|case| case.notes.len()).sum();
            assert!(lines.lines().count() == notes && lines.lines().all(|line| line.starts_with("::")));
        }
    }
}
