//! Cases as JUnit XML, which CI servers show as test results.
//!
//! There is no standard. The output is valid by the schema `junit-10.xsd` of Jenkins, whose elements GitLab
//! and the reporters of GitHub also read. It has no times, so that the same answers give the same text.

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use super::super::exit::Failure;
use super::{Case, Ended};
use worldlines::notation::printable;

/// Prints one test suite for each suite of the cases, in their order.
pub fn print(name: &str, cases: &[Case], out: &mut dyn Write) -> Result<(), Failure> {
    let mut suites: Vec<(&str, Vec<&Case>)> = Vec::new();
    for case in cases {
        match suites.iter_mut().find(|(name, _)| *name == case.suite) {
            Some((_, cases)) => cases.push(case),
            None => suites.push((&case.suite, vec![case])),
        }
    }
    let mut writer = Writer::new_with_indent(&mut *out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let mut all = start("testsuites", &[("name", name)]);
    count(&mut all, cases.iter());
    writer.write_event(Event::Start(all))?;
    for (name, cases) in suites {
        let mut suite = start("testsuite", &[("name", name)]);
        count(&mut suite, cases.iter().copied());
        let skipped = cases.iter().filter(|case| case.ended == Ended::Skipped).count();
        suite.push_attribute(("skipped", &*skipped.to_string()));
        writer.write_event(Event::Start(suite))?;
        for case in cases {
            write(&mut writer, case)?;
        }
        writer.write_event(Event::End(BytesEnd::new("testsuite")))?;
    }
    writer.write_event(Event::End(BytesEnd::new("testsuites")))?;
    writeln!(out)?;
    Ok(())
}

fn write<W: Write>(writer: &mut Writer<W>, case: &Case) -> io::Result<()> {
    let tag = start("testcase", &[("name", &case.name), ("classname", &case.file)]);
    let kind = match case.ended {
        Ended::Passed if case.text.trim().is_empty() => return writer.write_event(Event::Empty(tag)),
        Ended::Passed => None,
        Ended::Failed => Some("failure"),
        Ended::Error => Some("error"),
        Ended::Skipped => Some("skipped"),
    };
    writer.write_event(Event::Start(tag))?;
    let element = match kind {
        None => BytesStart::new("system-out"),
        Some(kind) => {
            let code = case.notes.first().map_or("skipped", |note| &note.code);
            let message = case.notes.first().and_then(|note| note.message.lines().next()).unwrap_or_default();
            let more = case.notes.len().saturating_sub(1);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            start(kind, &[("type", code), ("message", &format!("{message}{more}"))])
        }
    };
    text_in(writer, element, case.text.trim())?;
    writer.write_event(Event::End(BytesEnd::new("testcase")))
}

/// A tag with attributes whose values are arbitrary text.
fn start<'t>(tag: &'t str, attributes: &[(&str, &str)]) -> BytesStart<'t> {
    let mut start = BytesStart::new(tag);
    for (name, value) in attributes {
        start.push_attribute((*name, &*allowed(&printable(value))));
    }
    start
}

fn count<'c>(start: &mut BytesStart<'_>, cases: impl Iterator<Item = &'c Case> + Clone) {
    let number = |wanted: Ended| cases.clone().filter(|case| case.ended == wanted).count();
    for (name, number) in [
        ("tests", cases.clone().count()),
        ("failures", number(Ended::Failed)),
        ("errors", number(Ended::Error)),
    ] {
        start.push_attribute((name, &*number.to_string()));
    }
}

/// An element that contains arbitrary text.
fn text_in<W: Write>(writer: &mut Writer<W>, start: BytesStart<'_>, text: &str) -> io::Result<()> {
    let lines: Vec<String> = text.lines().map(|line| allowed(&printable(line))).collect();
    let end = start.to_end().into_owned();
    writer.write_event(Event::Start(start.borrow()))?;
    writer.write_event(Event::Text(BytesText::new(&lines.join("\n"))))?;
    writer.write_event(Event::End(end))
}

/// A printable text without the two characters that XML forbids.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quick_xml::events::Event;
    use quick_xml::{Reader, XmlVersion};

    use super::super::{Case, Ended, Note};

    const HOSTILE: &str = "]]></failure><b a='1' c=\"&amp;&#0;\u{fffe}\u{1b}[1m \u{ffff}\u{202e}\0\u{8}";

    /// A case in which every text tries to break out of its place.
    fn case(suite: &str, ended: Ended, notes: usize) -> Case {
        let text = format!("{HOSTILE}\n{HOSTILE}");
        let note = || Note::error(HOSTILE, text.clone());
        let name = format!("<{suite}>{HOSTILE}");
        let suite = suite.to_owned();
        Case {
            suite,
            name,
            file: HOSTILE.to_owned(),
            ended,
            notes: (0..notes).map(|_| note()).collect(),
            text,
        }
    }

    #[test]
    fn whatever_a_case_holds_it_is_xml_with_these_test_cases() {
        let cases = [
            case("a<&\"'>", Ended::Failed, 2),
            case("b", Ended::Passed, 0),
            case("a<&\"'>", Ended::Error, 1),
            case("b", Ended::Skipped, 0),
            case("b", Ended::Failed, 1),
        ];
        let mut out = Vec::new();
        super::print(HOSTILE, &cases, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let allowed = |c: char| !matches!(c, '\0'..='\x08' | '\x0b'..='\x1f' | '\u{fffe}' | '\u{ffff}');
        assert!(text.chars().all(allowed), "{text:?}");
        let (mut depth, mut kinds) = (0, BTreeMap::new());
        let mut reader = Reader::from_str(&text);
        reader.config_mut().check_comments = true;
        loop {
            let event = reader.read_event().unwrap();
            if let Event::Start(tag) | Event::Empty(tag) = &event {
                for attribute in tag.attributes() {
                    attribute.unwrap().normalized_value(XmlVersion::Implicit1_0).unwrap();
                }
                *kinds.entry(tag.name().as_ref().to_owned()).or_insert(0) += 1;
            }
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(depth, 0);
        let kinds: Vec<(&str, i32)> = kinds.iter().map(|(name, count)| (&**name, *count)).collect();
        let expected = [
            ("error", 1),
            ("failure", 2),
            ("skipped", 1),
            ("system-out", 1),
            ("testcase", 5),
            ("testsuite", 2),
            ("testsuites", 1),
        ];
        assert_eq!(kinds, expected, "{text}");
        assert!(text.contains("tests=\"5\" failures=\"2\" errors=\"1\">"), "{text}");
        assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\">"), "{text}");
        assert_eq!(text.matches(", and 1 more\"").count(), 1, "{text}");
    }
}
