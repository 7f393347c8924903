//! A text in any notation is the start of a puzzle: the end of the game that is read from it, or its error at the same place; `fmt` keeps it.

use arbitrary::Result;
use worldlines::notation::{Format, Options};
use worldlines::puzzle::{Document, format, load};
use worldlines::state::Position;

use crate::Target;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(run, 300, "pgn5d", Source::EveryNotation);

/// The fields before the start.
const BEGIN: &str = "schema: worldlines/puzzle-1\nid: a\ntitle: \"T\"\nsource: { from: \"x\" }\n";
/// The fields after it.
const END: &str = "goal: { status: ongoing }\n";

fn run(bytes: &[u8]) -> Result<()> {
    let text = String::from_utf8_lossy(bytes);
    let detected = Format::detect(text.as_bytes()).filter(|&found| found != Format::Chess64Binary);
    check(&text, detected.unwrap_or(Format::GuiFen), read);
    Ok(())
}

/// A reader of the start of a puzzle file: its position, or the text of the file at the place of the first finding.
type Reader = fn(&str) -> std::result::Result<Position, String>;

fn read(file: &str) -> std::result::Result<Position, String> {
    let documents = load("a.yaml", file.as_bytes());
    let document: &Document = &documents[0];
    document.game().map(|game| game.end()).map_err(|findings| {
        let span = document.in_file(findings[0].span).range();
        document.file.text.get(span).expect("a finding is about a part of the file").to_owned()
    })
}

fn check(text: &str, notation: Format, read: Reader) {
    // A claim of the text itself is compared with that of the puzzle, which is another question.
    if text.to_ascii_lowercase().contains("puzzle") {
        return;
    }
    let file = |written: &str| format!("{BEGIN}start:\n  notation: {notation}\n  text: {written}\n{END}");
    let game = |text: &str| notation.parse(text.as_bytes(), &Options::default()).into_result();
    // A string of JSON is one of YAML, but for signs that no YAML file may hold.
    let may_stand = |c: char| c < '\u{7f}' || c.is_alphanumeric();
    if text.chars().all(may_stand) {
        let quoted = file(&serde_json::to_string(text).expect("a text"));
        let end = game(text).ok().map(|game| game.end());
        assert_eq!(read(&quoted).ok(), end, "another start than that of {text:?}");
        let formatted = format(&quoted).expect("a puzzle file");
        assert_eq!(read(&formatted).ok(), end, "another start after fmt: {formatted}");
    }
    if let Some(lines) = block(text)
        && let Err(error) = game(&lines)
    {
        let indented: String = lines.lines().map(|line| format!("    {line}\n")).collect();
        let found = read(&file(&format!("|\n{}", indented.trim_end_matches('\n'))));
        let place = error.span().of(&lines).lines().next().unwrap_or_default();
        let is_there = found.as_ref().is_err_and(|found| found.starts_with(place));
        assert!(is_there, "{found:?} instead of {place:?} in {lines:?}");
    }
}

/// The text as it may stand in a block, where no line is changed.
fn block(text: &str) -> Option<String> {
    let is_plain = |c: char| c == '\n' || c == ' ' || c.is_ascii_graphic();
    let lines = format!("{}\n", text.trim_end_matches('\n'));
    let are_lines = lines.lines().all(|line| !line.trim().is_empty()) && !lines.starts_with(' ');
    (text.chars().all(is_plain) && are_lines).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let good = "4;4;1;0;w;F\nr2k/4/4/P2K;;-;w1;0;";
        check(good, Format::GuiFen, read);
        check("4;4;1;0;w;F\nr2k/4/x/P2K;;-;w1;0;", Format::GuiFen, read);
        let standard: Reader = |_| Ok(Position::default());
        assert!(flags(|| check(good, Format::GuiFen, standard)));
        assert!(flags(|| check("nonsense", Format::GuiFen, standard)));
        let elsewhere: Reader = |_| Err("another place".to_owned());
        assert!(flags(|| check("4;4;1;0;w;F\nr2k/4/x/P2K;;-;w1;0;", Format::GuiFen, elsewhere)));
    }
}
