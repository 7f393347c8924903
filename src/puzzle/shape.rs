//! The comparison of a document with the grammar.
//!
//! Everything is reported at once, in the words of puzzle files, with an example: a deserialiser would stop at the first value of another
//! type. Numbers, `true` and `false` that are written as text are refused, since programs disagree about them.

use std::collections::BTreeSet;

use granit_parser::ScalarStyle;

use super::check::closest;
use super::fault::repeated_key;
use super::finding::Finding;
use super::grammar::{DROPPED, Field, Kind};
use super::model::SCHEMA;
use super::yaml::{Kind as Form, Node};
use crate::notation::Span;

/// The longest word or prose, in bytes: each twin has a copy of those of its puzzle.
const MAX_TEXT: usize = 2_000;

/// Everything of a document that is not as the grammar says, in the order of the text.
pub(super) fn misshapen(text: &str, root: &Node, grammar: &'static Kind) -> Vec<Finding> {
    let mut comparison = Comparison { text, findings: Vec::new() };
    comparison.compare(root, grammar, None);
    comparison.findings.sort_by_key(|finding| finding.span.start);
    comparison.findings
}

/// The hint for files that do not.
pub(super) fn begins_with_schema() -> String {
    format!("a puzzle begins with `schema: {SCHEMA}`")
}

struct Comparison<'t> {
    text: &'t str,
    findings: Vec<Finding>,
}

impl Comparison<'_> {
    /// Compares a value with the kind that a part of a field should have.
    fn compare(&mut self, node: &Node, kind: &Kind, field: Option<&Field>) {
        match (kind, &node.kind) {
            (Kind::Or(Kind::Word([word]), _), Form::Scalar(_, said)) if said != word => {
                let message = format!("expected a list or the word `{word}`, but found `{said}`");
                self.refuse("unknown-word", node.span(), message);
            }
            (Kind::Or(kind, _), Form::Scalar(..)) | (Kind::Or(_, kind), _) => self.compare(node, kind, field),
            (Kind::List(inner), Form::Sequence(_, items)) => self.items(items, inner, field),
            (Kind::Rows(inner), Form::Mapping(_, rows)) => {
                self.repeated(rows);
                for (key, value) in rows {
                    self.compare(key, &Kind::Quoted(&[]), field);
                    self.compare(value, inner, field);
                }
            }
            (Kind::Fields(fields), Form::Mapping(_, rows)) => {
                self.rows(fields, rows);
                self.missing(node, fields);
            }
            (Kind::OneOf(fields), Form::Mapping(_, rows)) => {
                self.rows(fields, rows);
                if rows.is_empty() {
                    let names = fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
                    let message = format!("expected one of the fields {names}, but found none");
                    self.refuse("missing-field", node.span(), message);
                }
                if let Some((second, _)) = rows.get(1) {
                    let message = "expected one claim, but found a second one";
                    self.refuse("several-claims", second.span(), message);
                }
            }
            (_, Form::Scalar(style, said)) => self.scalar(node, *style, said, kind, field),
            _ => self.wrong(node, kind, field),
        }
    }

    fn items(&mut self, items: &[Node], kind: &Kind, field: Option<&Field>) {
        for item in items {
            self.compare(item, kind, field);
            // Of items that are all wrong in the same way one is enough.
            if self.findings.last().is_some_and(|last| last.code == "shape" && last.span == item.span()) {
                break;
            }
        }
    }

    fn rows(&mut self, fields: &[Field], rows: &[(Node, Node)]) {
        self.repeated(rows);
        for (key, value) in rows {
            let name = key.said().unwrap_or_default();
            match fields.iter().find(|field| field.name == name) {
                Some(field) => self.compare(value, field.kind, Some(field)),
                None => self.unknown(key, name, fields),
            }
        }
    }

    fn repeated(&mut self, rows: &[(Node, Node)]) {
        self.findings.extend(repeated_keys(rows).map(|(name, span)| repeated_key(name, span)));
    }

    fn unknown(&mut self, key: &Node, name: &str, fields: &[Field]) {
        let names = || fields.iter().map(|field| field.name);
        let dropped = DROPPED.iter().find(|(dropped, _)| *dropped == name);
        let found = |message: String| Finding::new("unknown-field", key.span(), message);
        let is_unknown = || found(format!("there is no field `{name}` here"));
        self.findings.push(match (dropped, closest(name, names())) {
            (Some((_, instead)), _) => found(format!("the field `{name}` is no longer there")).hint(*instead),
            (None, Some(near)) => is_unknown().misspelt(near),
            (None, None) => {
                let names = names().collect::<Vec<_>>().join(", ");
                is_unknown().hint(format!("the fields are {names}"))
            }
        });
    }

    fn missing(&mut self, node: &Node, fields: &[Field]) {
        for field in fields.iter().filter(|field| field.is_needed && node.field(field.name).is_none()) {
            let place = Span::new(node.range.start, node.range.start);
            let message = format!("the field `{}` is missing", field.name);
            let finding = Finding::new("missing-field", place, message);
            self.findings.push(match field.kind {
                Kind::Word([SCHEMA]) => finding.hint(begins_with_schema()),
                _ => finding.hint(format!("{}; for example `{}`", field.says, field.example)),
            });
        }
    }

    fn scalar(&mut self, node: &Node, style: ScalarStyle, said: &str, kind: &Kind, field: Option<&Field>) {
        let span = node.span();
        let is_plain = style == ScalarStyle::Plain;
        match kind {
            Kind::Prose if is_nothing(node) || said.trim().is_empty() => {
                self.refuse("empty", span, "expected some words, but found none");
            }
            _ if is_nothing(node) => self.wrong(node, kind, field),
            Kind::Number if is_number(bare(said)) => {
                self.plain(span, is_plain, "quoted-number", "a number");
            }
            Kind::Number if said.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-')) => {
                self.refuse("malformed", span, "expected the number in decimal digits alone");
            }
            Kind::Boolean if matches!(bare(said), "true" | "false") => {
                self.plain(span, is_plain, "quoted-boolean", "`true` or `false`");
            }
            Kind::Quoted(words) if !words.contains(&said) => self.quoted(span, style),
            Kind::Word(words) if !words.is_empty() && !words.contains(&said) => {
                self.word(span, said, words);
            }
            Kind::Prose | Kind::Word(_) if said.len() > MAX_TEXT => {
                let length = said.len();
                let message = format!("a text has at most {MAX_TEXT} bytes here, but this one has {length}");
                self.refuse("too-large", span, message);
            }
            Kind::Notation if is_plain => self.no_comment_after(span),
            Kind::Prose | Kind::Word(_) | Kind::Text | Kind::Notation | Kind::Quoted(_) => {}
            _ => self.wrong(node, kind, field),
        }
    }

    /// Refuses a number or a boolean that is written as text.
    fn plain(&mut self, span: Span, is_plain: bool, code: &'static str, expected: &str) {
        if !is_plain {
            let finding = Finding::new(code, span, format!("expected {expected}, but found text"));
            let hint = "numbers, `true` and `false` are written without quotes";
            self.findings.push(finding.hint(hint));
        }
    }

    fn quoted(&mut self, span: Span, style: ScalarStyle) {
        if !matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
            let message = "expected quotes around this text, as around all actions and 5DFEN";
            let finding = Finding::new("quotes", span, message);
            self.findings.push(finding.hint("without quotes, ` #` begins a comment in YAML"));
        }
    }

    fn word(&mut self, span: Span, said: &str, words: &[&'static str]) {
        let finding = Finding::new("unknown-word", span, format!("there is no word `{said}` here"));
        self.findings.push(match closest(said, words.iter().copied()) {
            Some(near) => finding.meant(near),
            None => finding.hint(format!("expected one of {}", words.join(", "))),
        });
    }

    /// Refuses a comment behind plain text, which may be the mate sign of the last move.
    fn no_comment_after(&mut self, span: Span) {
        let rest = self.text.get(span.range().end..).unwrap_or_default().trim_start_matches([' ', '\t']);
        if rest.starts_with('#') {
            let message = "what follows begins with ` #`, which makes it a comment in YAML";
            self.findings.push(Finding::new("quotes", span, message).hint("write the text in quotes"));
        }
    }

    fn refuse(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.findings.push(Finding::new(code, span, message));
    }

    fn wrong(&mut self, node: &Node, kind: &Kind, field: Option<&Field>) {
        let expected = match kind {
            Kind::Number => "a number",
            Kind::Boolean => "`true` or `false`",
            Kind::List(Kind::List(_)) => "a list of lists",
            Kind::List(_) => "a list",
            Kind::Fields(_) | Kind::OneOf(_) => "fields",
            Kind::Rows(_) => "rows of a text, `:` and a value",
            _ => "text",
        };
        let found = match &node.kind {
            Form::Scalar(..) if is_nothing(node) => "nothing",
            Form::Scalar(..) => "text",
            Form::Sequence(..) => "a list",
            Form::Mapping(..) => "fields",
        };
        let place = field.map_or(String::new(), |field| format!(" under `{}`", field.name));
        let message = format!("expected {expected}{place}, but found {found}");
        let mut finding = Finding::new("shape", node.span(), message);
        if expected == "text" {
            finding = finding.hint("text that begins with `[` or `{`, as 5DFEN does, needs quotes");
        }
        let example = field.map_or(begins_with_schema(), |field| format!("for example `{}`", field.example));
        self.findings.push(finding.hint(example));
    }
}

/// The keys of a mapping that stand in it before.
pub(super) fn repeated_keys(rows: &[(Node, Node)]) -> impl Iterator<Item = (&str, Span)> {
    let mut seen = BTreeSet::new();
    let names = rows.iter().filter_map(|(key, _)| Some((key.said()?, key.span())));
    names.filter(move |(name, _)| !seen.insert(*name))
}

/// Whether a value was left out. The parser tells of a `~` where nothing is written.
pub(super) fn is_nothing(node: &Node) -> bool {
    matches!(
        &node.kind,
        Form::Scalar(ScalarStyle::Plain, said) if matches!(&**said, "" | "~" | "null" | "Null" | "NULL")
    )
}

/// A text without the blanks and ends of lines around it. What else looks empty is part of a text in YAML.
pub(super) fn bare(said: &str) -> &str {
    said.trim_matches([' ', '\t', '\r', '\n'])
}

/// Whether a text is a number in decimal digits alone, however large: programs disagree about `0x2`, `02` and `+2`.
pub(super) fn is_number(said: &str) -> bool {
    said == "0"
        || !said.starts_with('0') && !said.is_empty() && said.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::grammar::PUZZLE;
    use crate::puzzle::yaml::Yaml;

    fn said(text: &str) -> Vec<String> {
        let yaml = Yaml::of(text);
        let findings = yaml.whole().map_or_else(Vec::new, |root| misshapen(text, root, &PUZZLE));
        findings.iter().map(|finding| format!("{}: {}", finding.span.of(text), finding.message)).collect()
    }

    #[test]
    fn everything_is_said_at_once() {
        let text = "schema: worldlines/puzzle-1\nsource: me\nstart: { size: 4x4, fen: \"[k]\", mvoes: x }\n\
                    goal: { mate-in: two }\nsolutions: [Rd1, Nd3#]\nunique: yes\ntries: { scope: al, rows: {} }\n";
        assert_eq!(
            said(text),
            [
                ": the field `id` is missing",
                ": the field `title` is missing",
                "me: expected fields under `source`, but found text",
                "\"[k]\": expected a list under `fen`, but found text",
                "mvoes: there is no field `mvoes` here",
                "two: expected a number under `mate-in`, but found text",
                "Rd1: expected a list under `solutions`, but found text",
                "yes: expected `true` or `false` under `unique`, but found text",
                "al: there is no word `al` here",
            ]
        );
    }

    #[test]
    fn numbers_are_not_texts() {
        let refused = |number: &str| {
            let text = format!("budget: {{ nodes: {number} }}\n");
            said(&text).iter().any(|said| said.ends_with("expected a number, but found text"))
        };
        let block = |number: &str| {
            let text = format!("budget:\n  nodes: {number}\n");
            said(&text).iter().any(|said| said.ends_with("expected a number, but found text"))
        };
        assert!(
            ["0x5", "05", "+5", "-5", "5.0", ""]
                .iter()
                .all(|number| !said(&format!("difficulty: {number}\n")).is_empty())
        );
        assert_eq!(["5", "\"5\"", "'5'", "\n5"].map(refused), [false, true, true, false]);
        assert_eq!(["5", "|-\n    5", ">- # é\n\n    5"].map(block), [false, true, true]);
    }

    #[test]
    fn a_field_that_is_there_says_something() {
        let text = "point:\ntries:\nunique:\ndate:\n";
        let said = said(text);
        for expected in
            ["some words", "fields under `tries`", "`true` or `false` under `unique`", "text under `date`"]
        {
            let expected = format!(": expected {expected}, but found no");
            assert!(said.iter().any(|said| said.starts_with(&expected)), "{expected}: {said:?}");
        }
    }

    #[test]
    fn what_is_no_yaml_or_too_deep_is_left_to_the_parser() {
        assert_eq!(said("goal: [\n"), [""; 0]);
        assert_eq!(said("a: *b\n"), [""; 0]);
        assert_eq!(said(&format!("replies: {}\n", "[".repeat(100_000))), [""; 0]);
        assert_eq!(said(&format!("{}x\n", "- ".repeat(100_000))), [""; 0]);
    }
}
