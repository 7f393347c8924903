//! Cases as workflow commands of GitHub, which its pages show at the lines of the files.

use std::io::Write;

use super::super::exit::Failure;
use super::{Case, Ended, Level, Note, Place};
use worldlines::notation::printable;

/// Prints an annotation for each note of each case that was not skipped.
pub fn print(cases: &[Case], out: &mut dyn Write) -> Result<(), Failure> {
    for case in cases.iter().filter(|case| case.ended != Ended::Skipped) {
        for note in &case.notes {
            annotate(case, note, out)?;
        }
    }
    Ok(())
}

fn annotate(
    case: &Case,
    Note { level, code, message, place }: &Note,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let level = match level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let file = place.as_ref().map_or(&case.file, |place| &place.file);
    let mut properties = Vec::new();
    if !file.is_empty() {
        properties.push(("file", file.clone()));
    }
    if let Some(Place { line, column, .. }) = place {
        properties.push(("line", line.to_string()));
        properties.extend(column.map(|column| ("col", column.to_string())));
    }
    properties.push(("title", code.clone()));
    let properties = properties.iter().map(|(name, value)| format!("{name}={}", property(value)));
    let properties: Vec<String> = properties.collect();
    writeln!(out, "::{level} {}::{}", properties.join(","), data(&format!("{}: {message}", case.name)))?;
    Ok(())
}

/// A text for after `::`. Characters that would end the command are escaped, and invisible ones are replaced.
fn data(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| printable(line).replace('%', "%25")).collect();
    lines.join("%0A")
}

/// The value of a property. A colon or comma would end it, so both are escaped.
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
