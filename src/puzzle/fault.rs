//! The faults of a YAML text in the words of puzzle files.

use granit_parser::{ErrorKind, ScanError};

use super::finding::Finding;
use crate::notation::Span;
use crate::notation::work::look_at;

/// The finding about a text that the parser cannot read on.
pub(super) fn explain(text: &str, error: &ScanError) -> Finding {
    use ErrorKind as Kind;
    let span = span_of(text, error);
    let kind = error.kind();
    match kind {
        Kind::UnknownAnchor => return anchor(span),
        Kind::RecursionLimitExceeded => return Finding::new("too-large", span, "this is nested too deeply"),
        Kind::ExpectedBlockMappingKey => return Finding::new("yaml", span, COLUMNS),
        Kind::ExpectedDocumentStart if is_left_of_first(text, span) => {
            return Finding::new("yaml", span, COLUMNS);
        }
        Kind::ExpectedDocumentStart => {
            return Finding::new("yaml", span, "the document ended before this, and nothing may follow");
        }
        Kind::TabNotAllowed
        | Kind::TabInBlockIndentation
        | Kind::TabInIndentation
        | Kind::TabInPlainScalar
        | Kind::TabAtBlockScalarStart => {
            return Finding::new("yaml", tab_at(text, span, kind), TAB)
                .hint("replace each tab by two blanks");
        }
        _ => {}
    }
    // A text without an end takes what follows for its own, where other faults are found then.
    let is_about_quotes = matches!(
        kind,
        Kind::UnclosedQuotedScalar
            | Kind::DocumentIndicatorInQuotedScalar
            | Kind::InvalidQuotedScalarIndent
            | Kind::InvalidTrailingSingleQuotedScalar
            | Kind::InvalidTrailingDoubleQuotedScalar
            | Kind::UnknownQuotedScalarEscape
            | Kind::InvalidQuotedScalarHexEscape
            | Kind::InvalidLowSurrogateHexEscape
            | Kind::InvalidLowSurrogate
            | Kind::MissingLowSurrogate
            | Kind::UnpairedLowSurrogate
            | Kind::InvalidUnicodeEscape
    );
    if let Some(mark) = open_quote(text, span).filter(|_| is_about_quotes) {
        let message = "this quotation mark begins a text that has no end";
        return Finding::new("yaml", mark, message).hint("write a second quotation mark where the text ends");
    }
    let finding = Finding::new("yaml", span, error.info());
    match cut_by_comment(text, span) {
        Some(line) => finding.hint(format!(
            "in line {line}, ` #` begins a comment: actions are written in quotes, as in `[\"(0T1)Rd3d1#\"]`"
        )),
        None => finding,
    }
}

/// The refusal of a key that stands in the same mapping before.
pub(super) fn repeated_key(name: &str, span: Span) -> Finding {
    Finding::new("repeated-key", span, format!("`{name}` is written twice"))
}

/// The refusal of a tag. It can make a number of a text and a text of a number, and programs disagree about it.
pub(super) fn tag(span: Span) -> Finding {
    Finding::new("tag", span, "tags are not used in these files")
        .hint("text that begins with `!` needs quotes")
}

/// The refusal of an anchor or an alias.
pub(super) fn anchor(span: Span) -> Finding {
    Finding::new("anchor", span, "anchors `&` and aliases `*` are not used in these files")
        .hint("text that begins with `&` or `*` needs quotes")
}

/// The refusal of a document that is longer or deeper than any that is read.
pub(super) fn too_large(span: Span) -> Finding {
    Finding::new("too-large", span, "this is nested too deeply, or is too long")
}

/// The message about a tab that YAML does not allow, which `--fix` replaces.
pub(super) const TAB: &str = "a tab stands where YAML wants blanks";

/// The message about fields of which one stands left or right of the others.
const COLUMNS: &str = "the fields do not begin in one column: look at the blanks before them";

/// Whether a field begins at a place that stands left of the first one, which has blanks before it.
fn is_left_of_first(text: &str, place: Span) -> bool {
    look_at(text.len());
    let is_said = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let is_indented = text.lines().find(is_said).is_some_and(|line| line.starts_with(' '));
    let rest = text.get(place.range().start..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    is_indented && (line.contains(": ") || line.ends_with(':'))
}

/// The last line up to a place in which a comment begins after a bracket, which it may keep from being closed.
fn cut_by_comment(text: &str, up_to: Span) -> Option<usize> {
    let mut found = None;
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        if offset > up_to.range().start {
            break;
        }
        offset += line.len();
        look_at(line.len());
        if let Some((before, _)) = line.split_once(" #")
            && before.contains(['[', '{'])
            && before.matches('"').count().is_multiple_of(2)
        {
            found = Some(index + 1);
        }
    }
    found
}

/// The quotation mark that was opened last before a place, on a line where it has no other.
fn open_quote(text: &str, up_to: Span) -> Option<Span> {
    let mut found = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if offset >= up_to.range().start {
            break;
        }
        look_at(line.len());
        let value = line.split_once(": ").map_or(line, |(_, value)| value).trim_start_matches([' ', '-']);
        // An apostrophe within a text opens none.
        for mark in ['"', '\''] {
            let may_open = mark == '"' || value.starts_with(mark);
            if may_open && !line.matches(mark).count().is_multiple_of(2) {
                let at = offset + line.rfind(mark).expect("an odd number of them");
                found = Some(Span::new(at, at + 1));
            }
        }
        offset += line.len();
    }
    found
}

/// The tab that a fault is about. The parser tells one in a text of several lines by the beginning of that text, which may have harmless
/// tabs beside it: there it is the first one before the words of a later line.
fn tab_at(text: &str, place: Span, kind: &ErrorKind) -> Span {
    let start = place.range().start;
    look_at(text.len());
    let (before, behind) = text.split_at_checked(start).unwrap_or((text, ""));
    let tab = match kind {
        ErrorKind::TabInPlainScalar | ErrorKind::TabAtBlockScalarStart => {
            let mut line_start = start;
            behind.split_inclusive('\n').find_map(|line| {
                let words = line.len() - line.trim_start_matches([' ', '\t']).len();
                let tab = line[..words].find('\t').filter(|_| line_start > start && !line.trim().is_empty());
                let found = tab.map(|offset| line_start + offset);
                line_start += line.len();
                found
            })
        }
        _ if behind.starts_with('\t') => Some(start),
        _ => {
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            before[line..].rfind('\t').map(|offset| line + offset)
        }
    };
    tab.map_or(place, |tab| Span::new(tab, tab + 1))
}

/// The character at which the parser stopped.
fn span_of(text: &str, error: &ScanError) -> Span {
    let start = error.marker().byte_offset().unwrap_or(text.len());
    let length = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    Span::new(start.min(text.len()), (start + length).min(text.len()))
}

#[cfg(test)]
mod tests {
    use crate::puzzle::yaml::Yaml;

    /// The bytes that a fault is about, its message, and its notes.
    fn fault(text: &str) -> (&str, String, String) {
        let found = Yaml::of(text).fault.expect("a text that cannot be read");
        (found.span.of(text), found.message.clone(), found.lines().join("; "))
    }

    const TWO_BLANKS: &str = "hint: replace each tab by two blanks";
    const SECOND_MARK: &str = "hint: write a second quotation mark where the text ends";
    const NO_END: &str = "this quotation mark begins a text that has no end";

    #[test]
    fn faults_that_authors_make_have_a_place_and_a_hint() {
        for (text, place, message, hint) in [
            ("a: 1\n\tb: 2\n", "\t", super::TAB, TWO_BLANKS),
            ("a: \"b\nc: d\n", "\"", NO_END, SECOND_MARK),
            ("a: 'b\nc: d\n", "'", NO_END, SECOND_MARK),
            ("a: \"b\nc: \"d\"\n", "\"", NO_END, SECOND_MARK),
            ("a: [\"b\n---\n", "\"", NO_END, SECOND_MARK),
            (
                "a: *b\n",
                "*",
                super::anchor(crate::notation::Span::default()).message.as_str(),
                "hint: text that begins with `&` or `*` needs quotes",
            ),
            ("[a]\nb\n", "b", "the document ended before this, and nothing may follow", ""),
            ("[a]\nb: c\n", "b", "the document ended before this, and nothing may follow", ""),
            (" a: b\nc: d\n", "c", super::COLUMNS, ""),
            ("# e\n\n a: b\nc:\n", "c", super::COLUMNS, ""),
            ("a:\n  b: c\n d: e\n", "d", super::COLUMNS, ""),
            ("a: \"\\ud800\nb: c\n", "\"", NO_END, SECOND_MARK),
        ] {
            let (at, said, notes) = fault(text);
            assert_eq!((at, said.as_str(), notes.as_str()), (place, message, hint), "{text:?}");
        }
    }

    #[test]
    fn the_tab_that_is_wrong_is_shown_and_no_other() {
        for (text, at) in [
            ("a: 1\n\tb: 2\n", 5),
            ("a:\n\t- b\n", 3),
            ("a:\t1\n\tb: 2\n", 5),
            ("a: x\ty\n\n  \n\tb: 2\n", 11),
            ("a:\t|\n\tx\n", 5),
            ("a: \"x\n\ty\"\n", 6),
            ("?\n\tfoo\n", 2),
        ] {
            let found = Yaml::of(text).fault.expect("a tab that is wrong");
            assert_eq!((found.message.as_str(), found.span.range()), (super::TAB, at..at + 1), "{text:?}");
        }
    }

    #[test]
    fn a_fault_within_a_text_that_has_its_end_is_told_in_the_words_of_the_parser() {
        for text in ["a: \"\\q\"\n", "a: \"\\xZZ\"\n", "a: 'b' c\n"] {
            let (_, said, notes) = fault(text);
            assert!(said != NO_END && notes.is_empty(), "{text:?}: {said}, {notes}");
        }
    }

    #[test]
    fn a_list_that_a_comment_cuts_is_told_by_its_line() {
        let (_, _, notes) = fault("a: b\nkeys: [(0T1)Rd3d1 # mate]\nc: d\n");
        assert!(notes.starts_with("hint: in line 2, ` #` begins a comment"), "{notes}");
    }
}
