//! The text of a YAML document as a tree whose nodes know their bytes, read once.
//!
//! Everything that asks how something is written asks this tree: the fields and their kinds, tags, quotes, the schema, the changes of
//! `--fix`, the layout of `fmt`, and the deserialiser (`deserialize.rs`), which makes the model of it.

use std::ops::Range;

use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle};

use super::fault::{anchor, explain, tag, too_large};
use super::finding::Finding;
use crate::notation::Span;
use crate::notation::work::look_at;

/// The deepest nesting of lists and mappings. A written-out mate in 20 nests four times per action.
pub(super) const MAX_DEPTH: usize = 100;
/// The most scalars, lists and mappings of a document together.
pub(super) const MAX_NODES: usize = 250_000;
/// The longest key, in characters: an action of a hundred moves is a legitimate one.
pub(super) const MAX_KEY: usize = 1 << 14;

/// A document.
#[derive(Debug, Default)]
pub(super) struct Yaml {
    /// Its value, as far as it can be read.
    pub root: Option<Node>,
    /// Why it cannot be read to its end.
    pub fault: Option<Finding>,
    /// The refusal of its first value with a tag or an anchor, wherever that stands: it may be the cause of any other fault.
    pub refused: Option<Finding>,
    /// Its comments, which the parser may tell sooner than the nodes before them.
    pub comments: Vec<Range<usize>>,
}

/// A value of the document and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    /// Its bytes, for a block without the lines that follow its last value.
    pub range: Range<usize>,
    /// Its kind, with its parts.
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// With the text that it stands for, however it is written.
    Scalar(ScalarStyle, String),
    Sequence(StructureStyle, Vec<Node>),
    Mapping(StructureStyle, Vec<(Node, Node)>),
}

impl Yaml {
    /// Reads a document. No text is too long or too deep for it: it stops there.
    pub fn of(text: &str) -> Yaml {
        look_at(text.len());
        let mut options = Options::default();
        options.simple_key_max_lookahead = MAX_KEY;
        options.flow_nesting_limit = MAX_DEPTH;
        let mut reader = Reader::default();
        let fault = Parser::new_from_str_with_options(text, options).find_map(|event| match event {
            Ok((event, span)) => reader.take(event, &span).err(),
            Err(error) => Some(explain(text, &error)),
        });
        while !reader.open.is_empty() {
            reader.close(text.len());
        }
        Yaml { fault, ..reader.yaml }
    }

    /// Its value, if there is nothing that cannot be read.
    pub fn whole(&self) -> Option<&Node> {
        self.root.as_ref().filter(|_| self.fault.is_none())
    }

    /// Its value.
    ///
    /// # Errors
    ///
    /// The refusal of a tag or an anchor, the fault that ends the text early, or a document without a value.
    pub fn value(&self) -> Result<&Node, Finding> {
        match (&self.refused, &self.fault, &self.root) {
            (Some(finding), ..) | (_, Some(finding), _) => Err(finding.clone()),
            (_, _, None) => Err(Finding::new("yaml", Span::default(), "there is nothing in this document")),
            (_, _, Some(root)) => Ok(root),
        }
    }

    /// The text of one of its own fields, as far as it can be read.
    pub fn said(&self, field: &str) -> Option<&str> {
        self.root.as_ref()?.field(field)?.1.said()
    }
}

/// The tree under way.
#[derive(Default)]
struct Reader {
    yaml: Yaml,
    /// The lists and mappings that are not closed, each with its values: in mappings keys and values in turn.
    open: Vec<Open>,
    count: usize,
}

struct Open {
    start: usize,
    style: StructureStyle,
    is_mapping: bool,
    values: Vec<Node>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, span: &granit_parser::Span) -> Result<(), Finding> {
        let range = span.byte_range().unwrap_or_default();
        if let Some(place) = span.tag_span().and_then(|tag| tag.byte_range()) {
            self.refuse(tag, &place);
        }
        if let Event::Scalar(_, _, 1.., _)
        | Event::SequenceStart(_, 1.., _)
        | Event::MappingStart(_, 1.., _) = &event
        {
            self.refuse(anchor, &range);
        }
        match event {
            Event::DocumentStart(..) if self.yaml.root.is_some() => {
                let message = "another document begins here";
                return Err(Finding::new("yaml", Span::new(range.start, range.end), message));
            }
            Event::Comment(..) => self.yaml.comments.push(range),
            Event::Scalar(said, style, ..) => {
                self.count(&range)?;
                self.add(Node { range, kind: Kind::Scalar(style, said.into_owned()) });
            }
            Event::SequenceStart(style, ..) => self.begin(&range, style, false)?,
            Event::MappingStart(style, ..) => self.begin(&range, style, true)?,
            Event::SequenceEnd | Event::MappingEnd => self.close(range.end),
            // An anchor, which was refused, stands before it.
            Event::Alias(..) => return Err(anchor(Span::new(range.start, range.end))),
            _ => {}
        }
        Ok(())
    }

    fn refuse(&mut self, why: fn(Span) -> Finding, place: &Range<usize>) {
        self.yaml.refused.get_or_insert_with(|| why(Span::new(place.start, place.end)));
    }

    fn count(&mut self, place: &Range<usize>) -> Result<(), Finding> {
        self.count += 1;
        if self.count > MAX_NODES { Err(too_large(Span::new(place.start, place.end))) } else { Ok(()) }
    }

    fn begin(
        &mut self,
        place: &Range<usize>,
        style: StructureStyle,
        is_mapping: bool,
    ) -> Result<(), Finding> {
        self.count(place)?;
        if self.open.len() >= MAX_DEPTH {
            return Err(too_large(Span::new(place.start, place.end)));
        }
        self.open.push(Open { start: place.start, style, is_mapping, values: Vec::new() });
        Ok(())
    }

    /// Closes the last list or mapping.
    fn close(&mut self, end: usize) {
        let Some(Open { start, style, is_mapping, values }) = self.open.pop() else { return };
        // The parser notices the end of a block where the next thing begins.
        let last = values.last().filter(|_| style == StructureStyle::Block);
        let end = last.map_or(end, |last| last.range.end);
        let kind =
            if is_mapping { Kind::Mapping(style, pairs(values)) } else { Kind::Sequence(style, values) };
        self.add(Node { range: start..end, kind });
    }

    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.values.push(node),
            None => self.yaml.root = Some(node),
        }
    }
}

fn pairs(values: Vec<Node>) -> Vec<(Node, Node)> {
    let mut values = values.into_iter();
    std::iter::from_fn(|| Some((values.next()?, values.next()?))).collect()
}

impl Node {
    /// The place of a finding about it: a scalar, or the bracket or the beginning of a list or mapping.
    pub fn span(&self) -> Span {
        let Range { start, end } = self.range;
        // A pair within a list may be a mapping without a bracket.
        let has_bracket = match &self.kind {
            Kind::Scalar(..) => return Span::new(start, end),
            Kind::Sequence(style, _) => *style == StructureStyle::Flow,
            Kind::Mapping(style, pairs) => {
                *style == StructureStyle::Flow && pairs.first().is_none_or(|(key, _)| key.range.start > start)
            }
        };
        Span::new(start, start + usize::from(has_bracket))
    }

    /// The text that a scalar stands for.
    pub fn said(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(_, said) => Some(said),
            _ => None,
        }
    }

    /// The key and the value of a field of a mapping, however its name is quoted.
    pub fn field(&self, name: &str) -> Option<(&Node, &Node)> {
        self.pairs().iter().find(|(key, _)| key.said() == Some(name)).map(|(key, value)| (key, value))
    }

    /// The pairs of a mapping.
    pub fn pairs(&self) -> &[(Node, Node)] {
        match &self.kind {
            Kind::Mapping(_, pairs) => pairs,
            _ => &[],
        }
    }

    /// The items of a sequence.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Sequence(_, items) => items,
            _ => &[],
        }
    }

    /// Whether it is a block whose parts begin lines of their own.
    pub fn is_block(&self) -> bool {
        match &self.kind {
            Kind::Sequence(StructureStyle::Block, items) => !items.is_empty(),
            Kind::Mapping(StructureStyle::Block, pairs) => !pairs.is_empty(),
            _ => false,
        }
    }
}

/// The places of the documents of a YAML stream. Those that hold nothing but comments are left out.
///
/// YAML allows `---` and `...` at the beginning of a line nowhere else than between documents. Each document is parsed
/// on its own, so an error in one of them leaves the others readable.
pub(super) fn documents(text: &str) -> Vec<Range<usize>> {
    look_at(text.len());
    let mut starts = vec![if text.starts_with('\u{feff}') { 3 } else { 0 }];
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let marker = |marker: &str| {
            line.strip_prefix(marker)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        };
        if marker("---") && offset > 0 {
            starts.push(offset);
        } else if marker("...") {
            starts.push(offset + 3);
        }
        offset += line.len();
    }
    starts.push(text.len());
    let ranges = starts.windows(2).map(|pair| pair[0]..pair[1]);
    ranges.filter(|range| first_line(&text[range.clone()]).is_some()).collect()
}

/// The place of the first line of a document that is neither `---` nor a comment.
pub(super) fn first_line(text: &str) -> Option<usize> {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        look_at(line.len());
        let bare = line.strip_prefix("---").unwrap_or(line).trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            return Some(offset);
        }
        offset += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Option<&str> {
        let refused = Yaml::of(text).refused.filter(|finding| finding.code == "tag");
        refused.map(|finding| finding.span.of(text))
    }

    #[test]
    fn tags_are_found_wherever_they_stand() {
        assert_eq!(tag("a: !!str b"), Some("!!str"));
        assert_eq!(tag("--- !mapping\na: b"), Some("!mapping"));
        assert_eq!(tag("a:\n  - é\n  - !<tag:yaml.org,2002:int> 5\n"), Some("!<tag:yaml.org,2002:int>"));
        assert_eq!(tag("a: [b, { !!str c: d }]"), Some("!!str"));
        assert_eq!(tag("a: ! b"), Some("!"));
        assert_eq!(tag("a: !!int &b\n"), Some("!!int"));
        let long = format!("? [\"{}\"]\n: !x y", "k".repeat(5000));
        assert_eq!(tag(&long), Some("!x"));
        let long = format!("\"{}\": !x y", "k".repeat(5000));
        assert_eq!(tag(&long), Some("!x"));
        assert_eq!(tag("a: b !c\nd: \"!e\"\nf: |\n  !g\n# !h\n"), None);
    }

    #[test]
    fn a_document_is_read_as_far_as_it_goes() {
        let broken = Yaml::of("id: a\nlist: [b, { \"\\x63\": d }]\nmore: [\n");
        assert!(broken.fault.is_some() && broken.whole().is_none());
        assert_eq!(broken.said("id"), Some("a"));
        let (_, list) = broken.root.as_ref().and_then(|root| root.field("list")).expect("a list");
        assert_eq!(list.items()[1].field("c").and_then(|(_, value)| value.said()), Some("d"));
        for (text, code) in [
            ("a: &b c\nd: *b\n".to_owned(), "anchor"),
            ("a: *b\n".to_owned(), "anchor"),
            (format!("{}x\n", "- ".repeat(MAX_DEPTH + 1)), "too-large"),
            ("- a\n".repeat(MAX_NODES), "too-large"),
        ] {
            assert_eq!(Yaml::of(&text).fault.map(|fault| fault.code), Some(code));
        }
    }
}
