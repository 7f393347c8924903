//! The text of a puzzle as a tree whose nodes know their bytes, and changes of the text that leave all others as they are.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{Event, Parser, StructureStyle};

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
    /// With what it says, however it is written.
    Scalar(String),
    Sequence(Style, Vec<Node>),
    Mapping(Style, Vec<(Node, Node)>),
}

/// Whether a collection is written in brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Block,
    Flow,
}

impl Node {
    /// The tree of a document that was read before. `None` where it cannot be followed.
    pub fn of(text: &str) -> Option<Node> {
        let mut events = Parser::new_from_str(text).filter_map(|event| match event {
            Ok((Event::Comment(..) | Event::StreamStart | Event::DocumentStart(..), _)) => None,
            event => Some(event.ok().and_then(|(event, span)| Some((event, span.byte_range()?)))),
        });
        node(&mut events)
    }

    /// The key and the value of a field of a mapping, however its name is quoted.
    pub fn field(&self, name: &str) -> Option<(&Node, &Node)> {
        let is_named = |key: &Node| matches!(&key.kind, Kind::Scalar(said) if said == name);
        self.pairs().iter().find(|(key, _)| is_named(key)).map(|(key, value)| (key, value))
    }

    /// The pairs of a mapping.
    pub fn pairs(&self) -> &[(Node, Node)] {
        match &self.kind {
            Kind::Mapping(_, pairs) => pairs,
            Kind::Scalar(_) | Kind::Sequence(..) => &[],
        }
    }

    /// The items of a sequence.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Sequence(_, items) => items,
            Kind::Scalar(_) | Kind::Mapping(..) => &[],
        }
    }

    /// Whether it is a block whose parts begin lines of their own.
    pub fn is_block(&self) -> bool {
        match &self.kind {
            Kind::Sequence(Style::Block, items) => !items.is_empty(),
            Kind::Mapping(Style::Block, pairs) => !pairs.is_empty(),
            _ => false,
        }
    }
}

fn node<'t>(events: &mut impl Iterator<Item = Option<(Event<'t>, Range<usize>)>>) -> Option<Node> {
    let (event, range) = events.next()??;
    node_from(event, range, events)
}

fn node_from<'t>(
    event: Event<'t>,
    range: Range<usize>,
    events: &mut impl Iterator<Item = Option<(Event<'t>, Range<usize>)>>,
) -> Option<Node> {
    let style_of = |style| if style == StructureStyle::Flow { Style::Flow } else { Style::Block };
    let (mut end, kind) = match event {
        Event::Scalar(said, ..) => return Some(Node { range, kind: Kind::Scalar(said.into_owned()) }),
        Event::SequenceStart(style, ..) => {
            let mut items = Vec::new();
            let end = loop {
                match events.next()?? {
                    (Event::SequenceEnd, end) => break end,
                    (event, range) => items.push(node_from(event, range, events)?),
                }
            };
            (end, Kind::Sequence(style_of(style), items))
        }
        Event::MappingStart(style, ..) => {
            let mut pairs = Vec::new();
            let end = loop {
                match events.next()?? {
                    (Event::MappingEnd, end) => break end,
                    (event, range) => pairs.push((node_from(event, range, events)?, node(events)?)),
                }
            };
            (end, Kind::Mapping(style_of(style), pairs))
        }
        _ => return None,
    };
    // The parser notices the end of a block where the next thing begins.
    let last = match &kind {
        Kind::Sequence(Style::Block, items) => items.last(),
        Kind::Mapping(Style::Block, pairs) => pairs.last().map(|(_, value)| value),
        _ => None,
    };
    if let Some(last) = last {
        end = last.range.clone();
    }
    Some(Node { range: range.start..end.end, kind })
}

/// Changes of a text, which must not touch each other.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes something else in place of a range.
    pub fn replace(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.0.push((range, by.into()));
    }

    /// Takes out the lines of a range, which holds nothing else but a comment at its end.
    pub fn remove_lines(&mut self, text: &str, range: &Range<usize>) {
        self.0.push((line_start(text, range.start)..line_end(text, range.end), String::new()));
    }

    /// Adds lines after the line in which something ends. Each ends with a line break, the last line of the text only if it did before.
    pub fn insert_after_line(&mut self, text: &str, at: usize, lines: String) {
        let at = line_end(text, at);
        let broken = text[..at].ends_with('\n');
        self.0.push((at..at, if broken { lines } else { format!("\n{}", lines.trim_end_matches('\n')) }));
    }

    /// Adds lines before the line in which something begins.
    pub fn insert_before_line(&mut self, text: &str, at: usize, lines: String) {
        let at = line_start(text, at);
        self.0.push((at..at, lines));
    }

    /// The text with all changes. Those at one place come in the order in which they were made.
    pub fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut changed = String::with_capacity(text.len());
        let mut at = 0;
        for (range, by) in self.0 {
            changed.push_str(&text[at.min(range.start)..range.start]);
            let by: Cow<'_, str> =
                if line_break(text) == "\r\n" { by.replace('\n', "\r\n").into() } else { by.into() };
            changed.push_str(&by);
            at = range.end.max(at);
        }
        changed.push_str(&text[at..]);
        changed
    }
}

/// The line break of a text.
fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1)
}

/// The distance of a place from the beginning of its line.
pub(super) fn column(text: &str, at: usize) -> usize {
    at - line_start(text, at)
}
