//! Reports as the workflow commands of GitHub, which its pages show at the lines of the files.

use std::io::Write;

use super::super::exit::Failure;
use super::junit::undecided;
use worldlines::notation::printable;
use worldlines::puzzle::{Finding, Report};

/// Prints an annotation for each finding and each warning, and for each puzzle that is undecided.
pub fn print(reports: &[Report<'_>], strict: bool, out: &mut impl Write) -> Result<(), Failure> {
    let of_warnings = if strict { "error" } else { "warning" };
    for report in reports {
        let id = &report.document.id;
        for (level, findings) in [("error", &report.findings), (of_warnings, &report.warnings)] {
            for finding in findings {
                let message = [&[format!("{id}: {}", finding.message)], &finding.notes[..]].concat();
                annotate(out, level, report, Some(finding), finding.code, &message)?;
            }
        }
        if let Some(bug) = report.bug() {
            let message = [format!("{id}: a bug in worldlines, not in the puzzle"), bug.to_owned()];
            annotate(out, "error", report, None, "bug", &message)?;
        } else if let Some(step) = undecided(report) {
            annotate(out, "warning", report, None, "undecided", &[format!("{id}: {step}")])?;
        }
    }
    Ok(())
}

/// Prints an annotation at a finding, or where the puzzle begins.
fn annotate(
    out: &mut impl Write,
    level: &str,
    report: &Report<'_>,
    finding: Option<&Finding>,
    title: &str,
    message: &[String],
) -> Result<(), Failure> {
    let document = report.document;
    let (file, place) = match finding {
        Some(finding) => (document.place(finding).0, report.location(finding)),
        None => (&*document.file, document.file.location(document.start())),
    };
    let (path, title) = (property(&file.path), property(title));
    let message = data(&message.join("\n"));
    writeln!(out, "::{level} file={path},line={},col={},title={title}::{message}", place.line, place.column)?;
    Ok(())
}

/// A text behind `::`. What would end the command is escaped, and what is not to be seen is replaced.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| printable(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

/// The value of a property, where more would end it.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn nothing_in_a_text_ends_the_command() {
        assert_eq!(data("50%\nno, really: \u{1b}[1m::error::"), "50%25%0Ano, really: \u{fffd}[1m::error::");
        assert_eq!(data("a\r\nb\rc%0A"), "a%0Ab\u{fffd}c%250A");
        assert_eq!(property("C:\\a,b%\n"), "C%3A\\a%2Cb%25");
    }
}
