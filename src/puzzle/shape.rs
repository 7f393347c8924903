//! Which fields a puzzle file has, and what each of them holds.
//!
//! The YAML library stops at the first value that has not the type it should have, and names types of its own. What is written
//! is compared with the shapes of this file then: everything is reported at once, in the words of puzzle files, with an
//! example. A test holds the shapes against `puzzles/schema.json`, and thereby against `model.rs`.

use granit_parser::{Event, ScalarStyle};

use super::check::{closest, did_you_mean};
use super::finding::Finding;
use super::plain::{MAX_DEPTH, begins_with_schema, events, first_line};
use crate::notation::Span;

/// What a field holds.
enum Shape {
    /// Text.
    Text,
    /// A number, without quotes.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A list of such values.
    List(&'static Shape),
    /// These fields.
    Fields(&'static [Field]),
    /// One of these fields.
    OneOf(&'static [Field]),
    /// Texts, each with such a value.
    Rows(&'static Shape),
    /// Text, or something else.
    TextOr(&'static Shape),
}

/// A field of a mapping.
struct Field {
    name: &'static str,
    shape: &'static Shape,
    is_required: bool,
    /// How it may be written.
    example: &'static str,
}

const fn required(name: &'static str, shape: &'static Shape, example: &'static str) -> Field {
    Field { name, shape, is_required: true, example }
}

const fn optional(name: &'static str, shape: &'static Shape, example: &'static str) -> Field {
    Field { name, shape, is_required: false, example }
}

static TEXTS: Shape = Shape::List(&Shape::Text);
static LINES: Shape = Shape::List(&TEXTS);
static CLASS: Shape = Shape::Rows(&Shape::TextOr(&TEXTS));
static REPLIES: Shape = Shape::List(&REPLY);

static PUZZLE: Shape = Shape::Fields(&[
    required("schema", &Shape::Text, "schema: worldlines/puzzle-1"),
    required("id", &Shape::Text, "id: rook-tactics-4"),
    required("title", &Shape::Text, "title: Two rooks on the edge"),
    optional("point", &Shape::Text, "point: Only the quiet move mates."),
    required("source", &SOURCE, "source: { from: \"made for this page\" }"),
    optional("themes", &TEXTS, "themes: [rook, two-timelines]"),
    required("start", &START, "start: { size: 4x4, fen: [\"[r2k/4/4/P2K:0:1:w]\"] }"),
    optional("rules", &RULES, "rules: { promotions: [Q, N] }"),
    required("goal", &GOAL, "goal: { mate-in: 2 }"),
    optional("solutions", &LINES, "solutions: [[\"(0T1)Rb3c3\", \"(0T1)Kc1b1\", \"(0T2)Rd3d1#\"]]"),
    optional("unique", &Shape::Boolean, "unique: true"),
    optional("tries", &TRIES, "tries: { scope: plausible, rows: { \"(0T1)Kd4d3\": \"(0T1)Kd1c1\" } }"),
    optional("replies", &REPLIES, "replies: [{ if: \"(0T1)Kc1b1\", answer: \"(0T2)Rd3d1\" }]"),
    optional("duals", &DUALS, "duals: none"),
    optional("set-play", &LINES, "set-play: [[\"(0T1)Kc1b1\", \"(0T2)Rd3d1#\"]]"),
    optional(
        "twins",
        &Shape::List(&TWIN),
        "twins: [{ id: b, change: [{ remove: \"(0T1)a2\" }], solutions: [[\"(0T1)Rd3d1\"]] }]",
    ),
    optional("hints", &TEXTS, "hints: [\"Look at the board of yesterday.\"]"),
    optional("difficulty", &Shape::Number, "difficulty: 3"),
    optional("date", &Shape::Text, "date: 2026-11-22"),
    optional("award", &Shape::Text, "award: first prize"),
    optional(
        "comments",
        &Shape::List(&COMMENT),
        "comments: [{ after: [\"(0T1)Rb3c3\"], text: The rook waits. }]",
    ),
    optional("texts", &Shape::Rows(&LANGUAGE), "texts: { de: { title: Zwei Türme am Rand } }"),
    optional("budget", &BUDGET, "budget: { nodes: 200000 }"),
]);

static TWIN: Shape = Shape::Fields(&[
    required("id", &Shape::Text, "id: b"),
    required("change", &Shape::List(&CHANGE), "change: [{ remove: \"(0T1)a2\" }]"),
    optional("point", &Shape::Text, "point: Now the other rook mates."),
    optional("goal", &GOAL, "goal: { mate-in: 2 }"),
    optional("solutions", &LINES, "solutions: [[\"(0T1)Rb3c3\", \"(0T1)Kc1b1\", \"(0T2)Rd3d1#\"]]"),
    optional("unique", &Shape::Boolean, "unique: true"),
]);

static CHANGE: Shape = Shape::OneOf(&[
    optional("remove", &Shape::Text, "remove: \"(0T1)a2\""),
    optional("put", &Shape::Text, "put: \"N(0T1)a2\""),
    optional("move", &Shape::Text, "move: \"(0T1)a2b3\""),
    optional("to-move", &Shape::Text, "to-move: black"),
]);

static DUALS: Shape = Shape::TextOr(&Shape::List(&DUAL));

static DUAL: Shape = Shape::Fields(&[
    required("after", &TEXTS, "after: [\"(0T1)Rb3c3\", \"(0T1)Kc1b1\"]"),
    required("answers", &TEXTS, "answers: [\"(0T2)Rd3d1\", \"(0T2)Rc3c1\"]"),
]);

static COMMENT: Shape = Shape::Fields(&[
    required("after", &TEXTS, "after: [\"(0T1)Rb3c3\"]"),
    required("text", &Shape::Text, "text: The rook waits."),
]);

static LANGUAGE: Shape = Shape::Fields(&[
    optional("title", &Shape::Text, "title: Zwei Türme am Rand"),
    optional("point", &Shape::Text, "point: Nur der stille Zug setzt matt."),
    optional("hints", &TEXTS, "hints: [\"Sieh auf das Brett von gestern.\"]"),
]);

static SOURCE: Shape = Shape::Fields(&[
    required("from", &Shape::Text, "from: \"a game of 2021\""),
    optional("author", &Shape::Text, "author: somebody"),
    optional("url", &Shape::Text, "url: https://example.org"),
]);

static START: Shape = Shape::Fields(&[
    optional("size", &Shape::Text, "size: 8x8"),
    optional("fen", &TEXTS, "fen: [\"[r2k/4/4/P2K:0:1:w]\"]"),
    optional("variant", &Shape::Text, "variant: Standard"),
    optional("5dfen", &Shape::Text, "5dfen: \"[r2k/4/4/P2K:0:1:w]\""),
    optional("5dpgn", &Shape::Text, "5dpgn: \"1. e3 / f6\""),
    optional("moves", &Shape::Text, "moves: \"1. e3 / f6\""),
]);

static RULES: Shape = Shape::Fields(&[
    optional("profile", &Shape::Text, "profile: default +en-passant-onto-vacated"),
    optional("promotions", &TEXTS, "promotions: [Q, N]"),
]);

static GOAL: Shape = Shape::OneOf(&[
    optional("mate-in", &Shape::Number, "mate-in: 2"),
    optional("no-mate-in", &Shape::Number, "no-mate-in: 2"),
    optional("status", &Shape::Text, "status: checkmate"),
    optional("survive", &Shape::Number, "survive: 1"),
    optional("only-defence", &Shape::Number, "only-defence: 1"),
    optional("helpmate-in", &Shape::Number, "helpmate-in: 2"),
    optional("selfmate-in", &Shape::Number, "selfmate-in: 2"),
]);

static TRIES: Shape = Shape::Fields(&[
    required("scope", &Shape::Text, "scope: all"),
    optional("rows", &Shape::Rows(&REFUTATION), "rows: { \"(0T1)Kd4d3\": \"(0T1)Kd1c1\" }"),
    optional(
        "classes",
        &Shape::List(&TRY_CLASS),
        "classes: [{ class: { \"(0T1)\": any }, reply: \"(0T1)Kd1c1\" }]",
    ),
    optional("otherwise", &TEXTS, "otherwise: [\"(0T1)Kd1c1\"]"),
]);

static REFUTATION: Shape = Shape::TextOr(&Shape::Fields(&[
    required("reply", &Shape::Text, "reply: \"(0T1)Kd1c1\""),
    optional("refutations", &Shape::Number, "refutations: 3"),
]));

static TRY_CLASS: Shape = Shape::Fields(&[
    required("class", &CLASS, "class: { \"(0T1)\": [\"a2a3\", pass], \"(1T1)\": any }"),
    required("reply", &Shape::Text, "reply: \"(0T1)Kd1c1\""),
]);

static REPLY: Shape = Shape::Fields(&[
    optional("key", &Shape::Text, "key: \"(0T1)Rb3c3\""),
    optional("if", &Shape::Text, "if: \"(0T1)Kc1b1\""),
    optional("class", &CLASS, "class: { \"(0T1)\": [\"a2a3\", pass], \"(1T1)\": any }"),
    optional("otherwise", &Shape::Boolean, "otherwise: true"),
    required("answer", &Shape::Text, "answer: \"(0T2)Rd3d1\""),
    optional("tries", &TRIES, "tries: { scope: all, otherwise: [\"(0T2)Kb1a1\"] }"),
    optional("replies", &REPLIES, "replies: [{ if: \"(0T1)Kc1b1\", answer: \"(0T2)Rd3d1\" }]"),
]);

static BUDGET: Shape = Shape::Fields(&[optional("nodes", &Shape::Number, "nodes: 200000")]);

/// Everything of a document that has not the shape of a puzzle. Nothing if the document is no YAML: then there is nothing to
/// compare.
pub(super) fn misshapen(text: &str) -> Vec<Finding> {
    let Some(root) = Node::read(text) else { return Vec::new() };
    let top = first_line(text);
    let mut comparison = Comparison { text, findings: Vec::new() };
    let root = Node { span: Span::new(top, top), ..root };
    comparison.compare(
        &root,
        &PUZZLE,
        &Field { name: "", ..required("", &PUZZLE, "schema: worldlines/puzzle-1") },
    );
    comparison.findings
}

struct Comparison<'t> {
    text: &'t str,
    findings: Vec<Finding>,
}

impl Comparison<'_> {
    /// Compares a value with the shape that a part of `field` should have.
    fn compare(&mut self, node: &Node, shape: &Shape, field: &Field) {
        match (shape, &node.value) {
            (Shape::Text, Value::Scalar { .. }) | (Shape::TextOr(_), Value::Scalar { .. }) => {}
            (Shape::TextOr(other), _) => self.compare(node, other, field),
            // Whether a number is in quotes is for the checks of a puzzle that can be read.
            (Shape::Number, Value::Scalar { .. }) if node.unquoted(self.text).parse::<u64>().is_ok() => {}
            (Shape::Boolean, Value::Scalar { .. })
                if matches!(node.unquoted(self.text), "true" | "false") => {}
            (Shape::List(inner), Value::List(values)) => {
                for value in values {
                    self.compare(value, inner, field);
                    // Of values that are all wrong in the same way one is enough.
                    if self
                        .findings
                        .last()
                        .is_some_and(|last| last.code == "shape" && last.span == value.span)
                    {
                        break;
                    }
                }
            }
            (Shape::Rows(inner), Value::Mapping(rows)) => {
                for (key, value) in rows {
                    self.compare(key, &Shape::Text, field);
                    self.compare(value, inner, field);
                }
            }
            (Shape::Fields(fields), Value::Mapping(rows)) => {
                self.rows(fields, rows);
                let is_there =
                    |field: &Field| rows.iter().any(|(key, _)| key.unquoted(self.text) == field.name);
                let missing = fields.iter().filter(|field| field.is_required && !is_there(field));
                let missing = missing.map(|missing| {
                    let finding = Finding::new(
                        "missing-field",
                        node.span,
                        format!("the field `{}` is missing", missing.name),
                    );
                    match missing.name {
                        "schema" => finding.note(begins_with_schema()),
                        _ => finding.note(format!("hint: for example `{}`", missing.example)),
                    }
                });
                self.findings.extend(missing.collect::<Vec<_>>());
            }
            (Shape::OneOf(fields), Value::Mapping(rows)) => {
                self.rows(fields, rows);
                if let Some((second, _)) = rows.get(1) {
                    let message = "expected one claim, but found a second one";
                    self.findings.push(Finding::new("several-claims", second.span, message));
                }
            }
            (expected, found) => self.refuse(node, expected, found, field),
        }
    }

    fn rows(&mut self, fields: &'static [Field], rows: &[(Node, Node)]) {
        for (key, value) in rows {
            let name = key.unquoted(self.text);
            match fields.iter().find(|field| field.name == name) {
                Some(field) => self.compare(value, field.shape, field),
                None => {
                    let note = match closest(name, fields.iter().map(|field| field.name)) {
                        Some(near) => did_you_mean(near),
                        None => {
                            let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                            format!("hint: the fields are {}", names.join(", "))
                        }
                    };
                    let message = format!("there is no field `{name}` here");
                    self.findings.push(Finding::new("unknown-field", key.span, message).note(note));
                }
            }
        }
    }

    fn refuse(&mut self, node: &Node, expected: &Shape, found: &Value, field: &Field) {
        let expected = match expected {
            Shape::Text | Shape::TextOr(_) => "text",
            Shape::Number => "a number",
            Shape::Boolean => "`true` or `false`",
            Shape::List(Shape::List(_)) => "a list of lists",
            Shape::List(_) => "a list",
            Shape::Fields(_) | Shape::OneOf(_) => "fields",
            Shape::Rows(_) => "rows of a text, `:` and a value",
        };
        let found = match found {
            Value::Scalar { is_empty: true } => "nothing",
            Value::Scalar { .. } => "text",
            Value::List(_) => "a list",
            Value::Mapping(_) => "fields",
        };
        let place = if field.name.is_empty() { String::new() } else { format!(" under `{}`", field.name) };
        let message = format!("expected {expected}{place}, but found {found}");
        let finding = Finding::new("shape", node.span, message);
        let finding = match expected {
            "text" => finding.note("hint: text that begins with `[` or `{`, as 5DFEN does, needs quotes"),
            _ => finding,
        };
        self.findings.push(finding.note(format!("hint: for example `{}`", field.example)));
    }
}

/// A value of a document, and where it stands.
struct Node {
    value: Value,
    span: Span,
}

enum Value {
    Scalar { is_empty: bool },
    List(Vec<Node>),
    Mapping(Vec<(Node, Node)>),
}

impl Node {
    /// The only value of a document. Nothing if it is no plain YAML.
    fn read(text: &str) -> Option<Node> {
        // The lists and mappings that are open, each with its values: in mappings keys and values in turn.
        let mut open: Vec<(bool, Span, Vec<Node>)> = Vec::new();
        for (event, span) in events(text) {
            let range = span.byte_range().unwrap_or_default();
            let span = Span::new(range.start, range.end);
            let closed = match event {
                Event::Scalar(value, style, ..) => {
                    let is_empty = value.is_empty() && style == ScalarStyle::Plain;
                    Node { value: Value::Scalar { is_empty }, span }
                }
                Event::SequenceStart(..) | Event::MappingStart(..) if open.len() < MAX_DEPTH => {
                    let is_mapping = matches!(event, Event::MappingStart(..));
                    open.push((is_mapping, Span::new(range.start, range.start), Vec::new()));
                    continue;
                }
                Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(..) => return None,
                Event::SequenceEnd | Event::MappingEnd => {
                    let (is_mapping, span, values) = open.pop()?;
                    let value = if is_mapping { Value::Mapping(pairs(values)) } else { Value::List(values) };
                    Node { value, span }
                }
                _ => continue,
            };
            match open.last_mut() {
                Some((_, _, values)) => values.push(closed),
                None => return Some(closed),
            }
        }
        None
    }

    /// What is written, without the quotes around it.
    fn unquoted<'t>(&self, text: &'t str) -> &'t str {
        self.span.of(text).trim_matches(['"', '\''])
    }
}

fn pairs(values: Vec<Node>) -> Vec<(Node, Node)> {
    let mut values = values.into_iter();
    std::iter::from_fn(|| Some((values.next()?, values.next()?))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;

    use super::*;

    fn said(text: &str) -> Vec<String> {
        let findings = misshapen(text);
        findings.iter().map(|finding| format!("{}: {}", finding.span.of(text), finding.message)).collect()
    }

    #[test]
    fn everything_is_said_at_once() {
        let text = "schema: worldlines/puzzle-1\nsource: me\nstart: { size: 4x4, fen: \"[k]\", mvoes: x }\n\
                    goal: { mate-in: two }\nsolutions: [Rd1, Nd3#]\nunique: yes\n";
        assert_eq!(
            said(text),
            [
                "me: expected fields under `source`, but found text",
                "\"[k]\": expected a list under `fen`, but found text",
                "mvoes: there is no field `mvoes` here",
                "two: expected a number under `mate-in`, but found text",
                "Rd1: expected a list under `solutions`, but found text",
                "yes: expected `true` or `false` under `unique`, but found text",
                ": the field `id` is missing",
                ": the field `title` is missing",
            ]
        );
    }

    #[test]
    fn what_is_no_yaml_or_too_deep_is_left_to_the_library() {
        assert_eq!(said("goal: [\n"), [""; 0]);
        assert_eq!(said("a: *b\n"), [""; 0]);
        assert_eq!(said(&format!("replies: {}\n", "[".repeat(100_000))), [""; 0]);
        assert_eq!(said(&format!("{}x\n", "- ".repeat(100_000))), [""; 0]);
    }

    /// The node of a schema that a reference leads to, without the possibility that there is nothing.
    fn resolved<'s>(root: &'s Json, node: &'s Json) -> &'s Json {
        if let Some(path) = node["$ref"].as_str() {
            return resolved(root, root.pointer(path.trim_start_matches('#')).expect("a definition"));
        }
        let is_null = |option: &&Json| option["type"] == "null";
        match node["anyOf"].as_array() {
            Some(options) if options.iter().any(|option| is_null(&option)) => {
                resolved(root, options.iter().find(|option| !is_null(option)).expect("another option"))
            }
            _ => node,
        }
    }

    fn is(node: &Json, name: &str) -> bool {
        node["type"] == name
            || node["type"].as_array().is_some_and(|types| types.iter().any(|one| one == name))
    }

    fn agrees(root: &Json, node: &Json, shape: &Shape, depth: usize) {
        let node = resolved(root, node);
        match shape {
            // Replies hold replies.
            _ if depth == 0 => {}
            Shape::Text => assert!(
                is(node, "string") || node.get("enum").is_some() || node.get("oneOf").is_some(),
                "{node}"
            ),
            Shape::Number => assert!(is(node, "integer"), "{node}"),
            Shape::Boolean => assert!(is(node, "boolean"), "{node}"),
            Shape::List(inner) => {
                assert!(is(node, "array"), "{node}");
                agrees(root, &node["items"], inner, depth - 1);
            }
            Shape::Rows(inner) => agrees(root, &node["additionalProperties"], inner, depth - 1),
            Shape::TextOr(other) => {
                let options = node["anyOf"].as_array().or(node["oneOf"].as_array());
                let is_text = |one: &Json| is(one, "string") || one.get("const").is_some();
                let mut others = options.into_iter().flatten().filter(|one| !is_text(resolved(root, one)));
                agrees(root, others.next().unwrap_or_else(|| panic!("{node}")), other, depth - 1);
            }
            Shape::Fields(fields) => {
                let names = |fields: &mut dyn Iterator<Item = String>| {
                    let mut names: Vec<String> = fields.collect();
                    names.sort();
                    names
                };
                let properties = node["properties"].as_object().unwrap_or_else(|| panic!("{node}"));
                assert_eq!(
                    names(&mut fields.iter().map(|field| field.name.to_owned())),
                    names(&mut properties.keys().cloned())
                );
                let required = node["required"].as_array().into_iter().flatten();
                assert_eq!(
                    names(
                        &mut fields
                            .iter()
                            .filter(|field| field.is_required)
                            .map(|field| field.name.to_owned())
                    ),
                    names(&mut required.filter_map(|name| Some(name.as_str()?.to_owned())))
                );
                for field in *fields {
                    agrees(root, &properties[field.name], field.shape, depth - 1);
                }
            }
            Shape::OneOf(fields) => {
                let options = node["oneOf"].as_array().unwrap_or_else(|| panic!("{node}"));
                let names =
                    options.iter().flat_map(|option| option["properties"].as_object().into_iter().flatten());
                let names: Vec<&str> = names.map(|(name, _)| name.as_str()).collect();
                assert_eq!(names, fields.iter().map(|field| field.name).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn the_shapes_are_those_of_the_model() {
        let schema: Json =
            serde_json::from_str(include_str!("../../puzzles/schema.json")).expect("a schema is JSON");
        agrees(&schema, &schema, &PUZZLE, 8);
    }
}
