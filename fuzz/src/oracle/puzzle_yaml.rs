//! Any text is read as a file of puzzles and verified; whatever is wrong has its place in the file and can be shown.

use arbitrary::Result;
use worldlines::notation::Span;
use worldlines::puzzle::{Document, Options, load, refuse_repeated_ids, verify};

/// The nodes that the proofs of one puzzle may cost.
const NODES: u64 = 300;

/// Reads and verifies the file.
///
/// # Errors
///
/// Never: every text is an input.
///
/// # Panics
///
/// When reading or verifying panics, or a finding has no place.
pub fn run(bytes: &[u8]) -> Result<()> {
    check(load("fuzz/file.yaml", bytes));
    Ok(())
}

fn check(mut documents: Vec<Document>) {
    assert!(!documents.is_empty(), "a file without a document says nothing");
    refuse_repeated_ids(&mut documents);
    let mut end = 0;
    for document in &documents {
        assert!(document.range.start >= end, "documents overlap");
        end = document.range.end;
        assert!(document.file.text.get(document.range.clone()).is_some(), "{:?}", document.range);
        assert!(document.range.contains(&document.start()) || document.range.is_empty());
        let report = verify(document, Options { max_nodes: Some(NODES), ..Options::default() });
        if let Some(crash) = &report.crash {
            panic!("verify panicked: {crash}");
        }
        let lines = document.file.text.matches('\n').count() + 1;
        for finding in &report.findings {
            let Span { start, end } = document.in_file(finding.span);
            let inside = document.file.text.get(start as usize..end as usize).is_some();
            assert!(inside, "{}: {start}..{end} is no part of the file", finding.code);
            let location = report.location(finding);
            assert!((1..=lines).contains(&location.line), "{}: {location} is not in the file", finding.code);
        }
        assert_eq!(report.findings.is_empty(), document.puzzle.is_ok() && report.findings.is_empty());
        let text = report.steps_text() + &report.findings_text();
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "a control character in {text:?}");
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::oracle::{flags, smoke_text};

    const SAMPLES: [&str; 3] = [
        include_str!("../../../puzzles/small/rook-from-the-past.yaml"),
        include_str!("../../../puzzles/rook/rook-tactics-4.yaml"),
        include_str!("../../../corpus/puzzles/wrong/repeated-row.yaml"),
    ];
    const TOKENS: [&str; 24] = [
        "---\n", "...\n", "[", "]", "{", "}", "\"", "'", "&a ", "*a", "!!x ", "<<: ", "|\n", ">-\n", "\t",
        ": ", "- ", "é", "\r", "\0", "\u{feff}", "0x1", "~", "\n\n",
    ];

    #[test]
    fn smoke() {
        smoke_text(&SAMPLES, &TOKENS, 1_500, run);
        run(b"schema: \xff").expect("every text is an input");
    }

    /// What YAML parsers are known to choke on. Generous, so that slow machines pass; a bomb takes minutes or gigabytes.
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
