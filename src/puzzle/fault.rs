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
        Kind::ExpectedBlockMappingKey => {
            let message = "the fields do not begin in one column: look at the blanks before them";
            return Finding::new("yaml", span, message);
        }
        Kind::ExpectedDocumentStart => {
            return Finding::new("yaml", span, "the document ended before this, and nothing may follow");
        }
        Kind::TabNotAllowed
        | Kind::TabInBlockIndentation
        | Kind::TabInIndentation
        | Kind::TabInPlainScalar
        | Kind::TabAtBlockScalarStart => {
            return Finding::new("yaml", span, TAB).note("hint: replace each tab by two blanks");
        }
        _ => {}
    }
    let message = error.info();
    let is_about_quotes = *kind == Kind::UnclosedQuotedScalar || message.contains("quoted scalar");
    if let Some(mark) = open_quote(text, span).filter(|_| is_about_quotes) {
        let message = "this quotation mark begins a text that has no end";
        return Finding::new("yaml", mark, message)
            .note("hint: write a second quotation mark where the text ends");
    }
    let finding = Finding::new("yaml", span, message);
    match cut_by_comment(text, span) {
        Some(line) => finding.note(format!(
            "hint: in line {line}, ` #` begins a comment: actions are written in quotes, as in `[\"(0T1)Rd3d1#\"]`"
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
        .note("hint: text that begins with `!` needs quotes")
}

/// The refusal of an anchor or an alias.
pub(super) fn anchor(span: Span) -> Finding {
    Finding::new("anchor", span, "anchors `&` and aliases `*` are not used in these files")
        .note("hint: text that begins with `&` or `*` needs quotes")
}

/// The refusal of a document that is longer or deeper than any that is read.
pub(super) fn too_large(span: Span) -> Finding {
    Finding::new("too-large", span, "this is nested too deeply, or is too long")
}

/// The message about a tab that YAML does not allow, which `--fix` replaces.
pub(super) const TAB: &str = "a tab stands where YAML wants blanks";

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

/// The character at which the parser stopped.
fn span_of(text: &str, error: &ScanError) -> Span {
    let start = error.marker().byte_offset().unwrap_or(text.len());
    let length = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    Span::new(start.min(text.len()), (start + length).min(text.len()))
}
