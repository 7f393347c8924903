//! Reports as JUnit XML, which CI servers show as test results.
//!
//! There is no standard. What is written is valid by the schema `junit-10.xsd` of Jenkins, whose elements GitLab and the reporters of
//! GitHub read too. Times are left out, so that the same puzzles give the same text.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::super::exit::Failure;
use worldlines::notation::printable;
use worldlines::puzzle::{Answer, Report};

/// How a test case ended, in the words of JUnit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl Ended {
    fn of(report: &Report<'_>, strict: bool) -> Ended {
        match report.answer() {
            _ if report.bug().is_some() => Ended::Error,
            Answer::Fail => Ended::Failure,
            _ if strict && !report.warnings.is_empty() => Ended::Failure,
            // Neither is the claim false, nor is it known to be true.
            Answer::Undecided => Ended::Error,
            Answer::Skipped => Ended::Skipped,
            Answer::Pass => Ended::Passed,
        }
    }
}

/// Prints a test suite for each folder, in the order in which the puzzles were read, with a test case for each puzzle.
pub fn print(reports: &[Report<'_>], strict: bool, out: &mut impl Write) -> Result<(), Failure> {
    let mut suites: Vec<(&str, Vec<&Report<'_>>)> = Vec::new();
    for report in reports {
        let folder = folder(report);
        match suites.iter_mut().find(|(name, _)| *name == folder) {
            Some((_, cases)) => cases.push(report),
            None => suites.push((folder, vec![report])),
        }
    }
    let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut all = start("testsuites", &[("name", "worldlines verify")]);
    count(&mut all, reports.iter(), strict);
    writer.write_event(Event::Start(all))?;
    for (folder, cases) in suites {
        let mut suite = start("testsuite", &[("name", folder)]);
        count(&mut suite, cases.iter().copied(), strict);
        let skipped = cases.iter().filter(|report| Ended::of(report, strict) == Ended::Skipped).count();
        suite.push_attribute(("skipped", &*skipped.to_string()));
        writer.write_event(Event::Start(suite))?;
        for report in cases {
            case(&mut writer, report, strict)?;
        }
        writer.write_event(Event::End(BytesEnd::new("testsuite")))?;
    }
    writer.write_event(Event::End(BytesEnd::new("testsuites")))?;
    writeln!(out)?;
    Ok(())
}

fn case<W: Write>(writer: &mut Writer<W>, report: &Report<'_>, strict: bool) -> io::Result<()> {
    let file = &report.document.file.path;
    let case = start("testcase", &[("name", &report.document.id), ("classname", file)]);
    let (kind, what) = match Ended::of(report, strict) {
        Ended::Passed if report.warnings.is_empty() => return writer.write_event(Event::Empty(case)),
        Ended::Passed => {
            writer.write_event(Event::Start(case))?;
            text_in(writer, BytesStart::new("system-out"), &report.findings_text())?;
            return writer.write_event(Event::End(BytesEnd::new("testcase")));
        }
        Ended::Failure => ("failure", report.findings.iter().chain(&report.warnings).collect::<Vec<_>>()),
        Ended::Error => ("error", Vec::new()),
        Ended::Skipped => ("skipped", Vec::new()),
    };
    let (code, mut message) = match (report.bug(), &what[..]) {
        (Some(bug), _) => ("bug", bug.to_owned()),
        (None, [first, ..]) => (first.code, first.message.clone()),
        (None, []) => (report.answer().name(), undecided(report).unwrap_or_default()),
    };
    if what.len() > 1 {
        message += &format!(", and {} more", what.len() - 1);
    }
    writer.write_event(Event::Start(case))?;
    let text = format!("{}\n{}", report.open_steps_text(), report.findings_text());
    text_in(writer, start(kind, &[("type", code), ("message", &message)]), text.trim_end())?;
    writer.write_event(Event::End(BytesEnd::new("testcase")))
}

/// What the first step that is undecided says.
pub fn undecided(report: &Report<'_>) -> Option<String> {
    let step = report.steps.iter().find(|(_, answer, _)| *answer == Answer::Undecided);
    step.map(|(step, _, note)| format!("{}: {note}", step.name()))
}

fn folder<'a>(report: &Report<'a>) -> &'a str {
    report.document.file.path.rsplit_once('/').map_or(".", |(folder, _)| folder)
}

/// A tag with attributes that may hold anything.
pub(super) fn start<'t>(tag: &'t str, attributes: &[(&str, &str)]) -> BytesStart<'t> {
    let mut start = BytesStart::new(tag);
    for (name, value) in attributes {
        start.push_attribute((*name, &*allowed(&printable(value))));
    }
    start
}

fn count<'r>(
    start: &mut BytesStart<'_>,
    reports: impl Iterator<Item = &'r Report<'r>> + Clone,
    strict: bool,
) {
    let number = |wanted: Ended| reports.clone().filter(|report| Ended::of(report, strict) == wanted).count();
    for (name, number) in [
        ("tests", reports.clone().count()),
        ("failures", number(Ended::Failure)),
        ("errors", number(Ended::Error)),
    ] {
        start.push_attribute((name, &*number.to_string()));
    }
}

/// An element that holds a text, which may be about anything.
pub(super) fn text_in<W: Write>(writer: &mut Writer<W>, start: BytesStart<'_>, text: &str) -> io::Result<()> {
    let lines: Vec<String> = text.lines().map(|line| allowed(&printable(line))).collect();
    let end = start.to_end().into_owned();
    writer.write_event(Event::Start(start.borrow()))?;
    writer.write_event(Event::Text(BytesText::new(&lines.join("\n"))))?;
    writer.write_event(Event::End(end))
}

/// A printable text without the two characters that XML does not allow all the same.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use worldlines::puzzle::{Document, Options, load, verify};

    /// Puzzles that fail, one that passes, and texts that try to be something else.
    fn documents() -> Vec<Document> {
        let hostile =
            "id: a\nx: \"]]></failure><b a='1' c=\\\"&amp;&#0;\u{fffe}\u{1b}[1m \u{ffff}\u{202e}\"\n";
        let mut documents = load("dir<&\"'>/\u{1}\u{fffe}.yaml", hostile.as_bytes());
        documents.extend(load("dir<&\"'>/bytes.yaml", b"id: b\n\xff\x00\x08"));
        for path in [
            "puzzles/rook/rook-tactics-4.yaml",
            "corpus/puzzles/wrong/not-unique.yaml",
            "corpus/puzzles/odd/king-capturable.yaml",
        ] {
            let bytes = std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
            documents.extend(load(path, &bytes));
        }
        documents
    }

    #[test]
    fn whatever_a_puzzle_holds_it_is_xml_with_these_test_cases() {
        let documents = documents();
        for (max_steps, strict, failures, errors) in
            [(None, false, 3, 0), (None, true, 4, 0), (Some(1), false, 2, 2)]
        {
            let options = || Options { max_steps, ..Options::default() };
            let reports: Vec<_> = documents.iter().map(|document| verify(document, options())).collect();
            let mut out = Vec::new();
            super::print(&reports, strict, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            let allowed = |c: char| !matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\u{fffe}' | '\u{ffff}');
            assert!(text.chars().all(allowed), "{text:?}");
            let (mut depth, mut cases, mut kinds) = (0, 0, std::collections::BTreeMap::new());
            let mut reader = Reader::from_str(&text);
            reader.config_mut().check_comments = true;
            loop {
                let event = reader.read_event().unwrap();
                if let Event::Start(tag) | Event::Empty(tag) = &event {
                    let name = tag.name().as_ref().to_owned();
                    for attribute in tag.attributes() {
                        attribute.unwrap().normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap();
                    }
                    cases += usize::from(name == "testcase");
                    *kinds.entry(name).or_insert(0) += 1;
                }
                match event {
                    Event::Start(_) => depth += 1,
                    Event::End(_) => depth -= 1,
                    Event::Eof => break,
                    _ => {}
                }
            }
            assert_eq!((depth, cases), (0, documents.len()), "{text}");
            let number = |name: &str| kinds.get(name).copied().unwrap_or(0);
            assert_eq!((number("failure"), number("error")), (failures, errors), "{text}");
            assert!(!kinds.contains_key("b"), "{text}");
            let counts = format!("tests=\"5\" failures=\"{failures}\" errors=\"{errors}\">");
            assert!(text.contains(&counts), "{text}");
        }
    }
}
