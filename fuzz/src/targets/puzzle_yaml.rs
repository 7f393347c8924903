//! Any text is read as a file of puzzles and verified; every fault has its place and can be shown. Another reader of YAML finds the
//! same in a puzzle.

use std::collections::BTreeMap;

use arbitrary::Result;
use serde::Deserialize;
use serde::de::IgnoredAny;
use worldlines::notation::Span;
use worldlines::puzzle::{Document, Options, Spanned, load, refuse_repeated_ids, verify};

use super::assert_printable;
use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 600, "puzzle_yaml", Source::Puzzles);

/// The search steps of the proofs of one puzzle.
const NODES: u64 = 300;

fn run(bytes: &[u8]) -> Result<()> {
    check(load("fuzz/file.yaml", bytes));
    Ok(())
}

/// Checks that a repeated row of a table is refused, however the parser treats equal keys. The last of them
/// must not win silently.
fn assert_refuses_a_repeated_row(document: &Document, read: fn(&str, &[u8]) -> Vec<Document>) {
    let Ok(puzzle) = &document.puzzle else { return };
    let rows = puzzle.tries.iter().flat_map(|tries| &tries.value.rows.0);
    for (key, reply) in rows.take(2) {
        let text = document.text();
        let start = text[..key.span.range().start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length + 1);
        // Only rows on lines of their own are tested.
        let is_line = text[start..key.span.range().start].bytes().all(|byte| byte == b' ')
            && text[start..end].trim_end().len() + start == reply.reply.span.range().end
            && text[start..end].ends_with('\n');
        if is_line {
            let repeated = [&text[..end], &text[start..end], &text[end..]].concat();
            let accepted =
                read("fuzz/file.yaml", repeated.as_bytes()).iter().all(|again| again.puzzle.is_ok());
            assert!(!accepted, "a repeated row is accepted in\n{repeated}");
        }
    }
}

/// Parts of a puzzle, as serde-saphyr reads them.
#[derive(Deserialize)]
struct Read {
    id: String,
    title: String,
    source: ReadSource,
    unique: Option<bool>,
    #[serde(default)]
    solutions: Vec<Vec<String>>,
    tries: Option<ReadTries>,
}

#[derive(Deserialize)]
struct ReadSource {
    from: String,
}

#[derive(Deserialize)]
struct ReadTries {
    #[serde(default)]
    rows: BTreeMap<String, IgnoredAny>,
}

/// Checks that serde-saphyr reads a puzzle too, with the same texts.
fn assert_reads_the_same(document: &Document) {
    let (Ok(puzzle), None) = (&document.puzzle, &document.twin_of) else { return };
    let text = document.text();
    let other: Read = serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let line = |line: &Spanned<Vec<Spanned<String>>>| -> Vec<String> {
        line.value.iter().map(|action| action.value.clone()).collect()
    };
    let rows = puzzle.tries.as_ref().map_or(0, |tries| tries.value.rows.0.len());
    assert_eq!(other.id, puzzle.id.value, "{text}");
    assert_eq!(other.title, puzzle.title.value, "{text}");
    assert_eq!(other.source.from, puzzle.source.from.value, "{text}");
    assert_eq!(other.unique, puzzle.unique.as_ref().map(|unique| unique.value), "{text}");
    assert_eq!(other.solutions, puzzle.solutions.iter().map(line).collect::<Vec<_>>(), "{text}");
    assert_eq!(other.tries.map_or(0, |tries| tries.rows.len()), rows, "{text}");
}

fn check(mut documents: Vec<Document>) {
    assert!(!documents.is_empty(), "a file without a document says nothing");
    refuse_repeated_ids(&mut documents);
    let mut end = 0;
    for document in &documents {
        assert_refuses_a_repeated_row(document, load);
        assert_reads_the_same(document);
        // A twin is in the text of its puzzle.
        let may_begin = if document.twin_of.is_some() { document.range.start } else { end };
        assert!(document.range.start >= may_begin, "documents overlap");
        end = document.range.end;
        assert!(document.file.text.get(document.range.clone()).is_some(), "{:?}", document.range);
        assert!(document.range.contains(&document.start()) || document.range.is_empty());
        let options = Options { max_steps: Some(NODES), ..Options::default() };
        let report = verify(document, options);
        if let Some(bug) = report.bug() {
            panic!("a bug shows: {bug}");
        }
        let lines = document.file.text.matches('\n').count() + 1;
        for finding in &report.findings {
            let Span { start, end } = document.in_file(finding.span);
            let inside = document.file.text.get(start as usize..end as usize).is_some();
            assert!(inside, "{}: {start}..{end} is no part of the file", finding.code);
            let location = report.location(finding);
            assert!((1..=lines).contains(&location.line), "{}: {location} is not in the file", finding.code);
        }
        assert!(document.puzzle.is_ok() || !report.findings.is_empty(), "refused without a finding");
        let text = report.steps_text() + &report.findings_text();
        assert_printable(&text);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::targets::flags;

    /// Inputs on which YAML parsers are known to choke. The time is generous, so that slow machines pass; a
    /// bomb takes minutes or gigabytes.
    #[test]
    fn bombs_end_quickly() {
        let mut aliases = String::from("schema: worldlines/puzzle-1\na: &a [x,x,x,x,x,x,x,x,x]\n");
        for (name, of) in ('b'..='j').zip('a'..) {
            aliases += &format!("{name}: &{name} [*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of},*{of}]\n");
        }
        let deep = |open: &str, close: &str| {
            format!("schema: worldlines/puzzle-1\ntitle: {}{}\n", open.repeat(200_000), close.repeat(200_000))
        };
        let indented: String = (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        let bombs = [
            aliases,
            deep("[", "]"),
            deep("{a: ", "}"),
            deep("- ", ""),
            deep("? ", ""),
            deep("!!x ", ""),
            deep("&a ", ""),
            indented,
            "---\n".repeat(200_000),
            "---\na\n".repeat(50_000),
            format!("\"{}", "\\".repeat(1_000_000)),
            "a: |\n".to_owned() + &" \n".repeat(200_000),
        ];
        for (number, bomb) in bombs.iter().enumerate() {
            let start = Instant::now();
            run(bomb.as_bytes()).expect("every text is an input");
            assert!(start.elapsed() < Duration::from_secs(20), "bomb {number} took {:?}", start.elapsed());
        }
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        const PUZZLE: &[u8] = include_bytes!("../../../puzzles/small/rook-from-the-past.yaml");
        let last_row_wins = |path: &str, _: &[u8]| load(path, PUZZLE);
        let document = &load("file.yaml", PUZZLE)[0];
        assert_refuses_a_repeated_row(document, load);
        assert!(flags(|| assert_refuses_a_repeated_row(document, last_row_wins)));
        let documents = || load("file.yaml", b"id: a\n---\nid: b\n");
        check(documents());
        let mut beyond = documents();
        if let Err(findings) = &mut beyond[1].puzzle {
            findings[0].span = Span::new(0, 1_000);
        }
        assert!(flags(|| check(beyond)));
        assert!(flags(|| check(Vec::new())));
        let mut overlapping = documents();
        overlapping[1].range.start = 0;
        assert!(flags(|| check(overlapping)));
    }
}
