//! What puzzle files and certificates leave out of YAML although the library reads it: tags, and numbers and booleans that
//! are written as text.
//!
//! A tag can make a number of a text and a text of a number, and quotes are for texts. Programs disagree about both, so
//! that a file with them would say different things to different readers.

use std::collections::BTreeSet;

use granit_parser::{Event, Options, Parser, ScalarStyle};

use super::finding::Finding;
use super::model::{SCHEMA, Spanned};
use crate::notation::Span;
use crate::notation::work::look_at;

/// How deep lists and mappings may be nested. A written-out mate in 20 nests four times per action.
pub(super) const MAX_DEPTH: usize = 100;
/// The most scalars, lists and mappings of a document together.
pub(super) const MAX_NODES: usize = 250_000;
/// The longest key, in characters: an action of a hundred moves is a legitimate one.
pub(super) const MAX_KEY: usize = 1 << 14;

/// The first tag of a document, wherever it stands. What cannot be parsed is for the reader of the document to refuse.
pub(super) fn tag(text: &str) -> Option<Finding> {
    let tag = events(text).find_map(|(_, span)| span.tag_span()?.byte_range())?;
    let finding = Finding::new("tag", Span::new(tag.start, tag.end), "tags are not used in these files");
    Some(finding.note("hint: text that begins with `!` needs quotes"))
}

/// Where the scalars of a document begin that are written as text: in quotes, or as a block.
pub(super) struct Texts(BTreeSet<u32>);

impl Texts {
    /// All of a document.
    pub(super) fn of(text: &str) -> Texts {
        let starts = events(text).filter_map(|(event, span)| match event {
            Event::Scalar(_, style, ..) if style != ScalarStyle::Plain => {
                u32::try_from(span.byte_range()?.start).ok()
            }
            _ => None,
        });
        Texts(starts.collect())
    }

    /// Refuses a number that is written as text.
    pub(super) fn number<T>(&self, number: &Spanned<T>) -> Result<(), Finding> {
        self.refuse(number, "quoted-number", "a number")
    }

    /// Refuses a boolean that is written as text.
    pub(super) fn boolean(&self, boolean: &Spanned<bool>) -> Result<(), Finding> {
        self.refuse(boolean, "quoted-boolean", "`true` or `false`")
    }

    fn refuse<T>(&self, written: &Spanned<T>, code: &'static str, what: &str) -> Result<(), Finding> {
        if !self.0.contains(&written.span.start) {
            return Ok(());
        }
        let finding = Finding::new(code, written.span, format!("expected {what}, but found text"));
        Err(finding.note("hint: numbers, `true` and `false` are written without quotes"))
    }
}

pub(super) fn events(text: &str) -> impl Iterator<Item = (Event<'_>, granit_parser::Span)> {
    look_at(text.len());
    let mut options = Options::default();
    options.simple_key_max_lookahead = MAX_KEY;
    options.flow_nesting_limit = MAX_DEPTH;
    Parser::new_from_str_with_options(text, options).map_while(Result::ok)
}

/// The text of a field of the document itself, as far as the document can be read.
pub(super) fn field(text: &str, name: &str) -> Option<String> {
    let mut depth = 0;
    let mut is_key = true;
    let mut is_named = false;
    for (event, _) in events(text) {
        match event {
            Event::Scalar(value, ..) if depth == 1 && is_named => return Some(value.into_owned()),
            Event::Scalar(value, ..) if depth == 1 => {
                is_named = is_key && value == name;
                is_key = !is_key;
            }
            Event::Alias(..) if depth == 1 => is_key = !is_key,
            Event::Scalar(..) | Event::SequenceStart(..) if depth == 0 => return None,
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                depth += 1;
                is_named = false;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                depth -= 1;
                // This was a value, or a key that is no text.
                is_key = if depth == 1 { !is_key } else { is_key };
            }
            _ => {}
        }
    }
    None
}

/// The hint for files that do not.
pub(super) fn begins_with_schema() -> String {
    format!("hint: a puzzle begins with `schema: {SCHEMA}`")
}

/// Where the first line of a document stands that says something.
pub(super) fn first_line(text: &str) -> usize {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        look_at(line.len());
        let bare = line.strip_prefix("---").unwrap_or(line).trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            return offset;
        }
        offset += line.len();
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::load::parse;

    fn place(text: &str) -> Option<&str> {
        tag(text).map(|finding| finding.span.of(text))
    }

    #[test]
    fn tags_are_found_wherever_they_stand() {
        assert_eq!(place("a: !!str b"), Some("!!str"));
        assert_eq!(place("--- !mapping\na: b"), Some("!mapping"));
        assert_eq!(place("a:\n  - é\n  - !<tag:yaml.org,2002:int> 5\n"), Some("!<tag:yaml.org,2002:int>"));
        assert_eq!(place("a: [b, { !!str c: d }]"), Some("!!str"));
        assert_eq!(place("a: ! b"), Some("!"));
        assert_eq!(place("a: &b !!int\n"), Some("!!int"));
        let long = format!("? [\"{}\"]\n: !x y", "k".repeat(5000));
        assert_eq!(place(&long), Some("!x"));
        let long = format!("\"{}\": !x y", "k".repeat(5000));
        assert_eq!(place(&long), Some("!x"));
    }

    #[test]
    fn numbers_are_not_texts() {
        let refused = |text: &str| {
            let values: Vec<Spanned<u32>> = parse(text).unwrap();
            let texts = Texts::of(text);
            values.iter().map(|value| texts.number(value).is_err()).collect::<Vec<bool>>()
        };
        assert_eq!(refused("- 5\n- \"5\"\n- '5'\n-\n  5\n- |\n  5\n"), [false, true, true, false, true]);
        assert_eq!(refused("[5, \"5\", \n5]"), [false, true, false]);
        assert_eq!(refused("- >- # é\n\n  5"), [true]);
    }

    #[test]
    fn exclamation_marks_in_texts_are_no_tags() {
        assert_eq!(place("a: b !c\nd: \"!e\"\nf: |\n  !g\n# !h\n"), None);
    }
}
