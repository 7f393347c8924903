//! The canonical text of a puzzle file: the order of the fields, the layout of lists and rows, the quotes. Comments are kept.
//!
//! The text is taken apart into parts, which are the fields, rows and items of all its lists and mappings. A comment belongs to the
//! part in whose line it ends, or else to the next part. What comes out is read again and compared: a text whose meaning or comments
//! would change is not formatted.

use std::fmt;
use std::ops::Range;

use granit_parser::{ScalarStyle, StructureStyle};

use super::grammar::{Kind, PUZZLE};
use super::load::is_puzzle_file;
use super::yaml::{self, Node, Yaml, documents};

/// The longest line of a list or mapping in brackets where a block is possible.
const WIDTH: usize = 110;

/// Why a text is not formatted. It is left as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotFormatted(String);

impl fmt::Display for NotFormatted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFormatted {}

/// The canonical text of a file with one puzzle or several. Formatting twice changes nothing more.
///
/// ```
/// let text = "goal: {mate-in: 1}  # easy\nid: 'a'\n";
/// assert_eq!(worldlines::puzzle::format(text)?, "id: a\ngoal: { mate-in: 1 } # easy\n");
/// # Ok::<(), worldlines::puzzle::NotFormatted>(())
/// ```
///
/// # Errors
///
/// When it is no YAML of the plain kind that puzzle files are, or comments stand where no puzzle is.
pub fn format(text: &str) -> Result<String, NotFormatted> {
    let ranges = documents(text);
    let covered: usize = ranges.iter().map(|range| text[range.clone()].matches('#').count()).sum();
    if ranges.is_empty() || covered != text.matches('#').count() {
        return Err(NotFormatted("there are comments, or nothing at all, where no puzzle is".to_owned()));
    }
    let mut formatted = Vec::new();
    for range in ranges {
        let part = &text[range];
        let part = part.strip_prefix('\u{feff}').unwrap_or(part);
        let tree = Tree::of(part).map_err(|why| {
            if is_puzzle_file(text) { why } else { NotFormatted("this is no puzzle file".to_owned()) }
        })?;
        let lines = tree.lines();
        let again = Tree::of(&lines)?;
        if !tree.says_the_same(&again) {
            return Err(NotFormatted("it cannot be formatted without changing what it says".to_owned()));
        }
        formatted.push(lines);
    }
    Ok(formatted.join("---\n"))
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Scalar {
    /// Its meaning.
    value: String,
    style: ScalarStyle,
}

impl Scalar {
    /// The name of a field, which has no quotes if it is known.
    fn of_key(self, kind: &Kind) -> Scalar {
        if kind.rank(&self.value).is_some() { self.plain() } else { self }
    }

    /// The value of a field, in the spelling of its kind.
    fn of_kind(self, kind: &Kind) -> Scalar {
        match (self.style, kind) {
            (ScalarStyle::Literal, _) => self,
            // A number stays one, and is refused where it should not be.
            (ScalarStyle::Plain, _) if is_typed(&self.value) => self,
            (_, Kind::Prose) => Scalar { style: ScalarStyle::DoubleQuoted, ..self },
            (_, Kind::Word(_)) if is_word(&self.value) => self.plain(),
            (_, Kind::Or(kind, _)) => self.of_kind(kind),
            _ => self,
        }
    }

    fn plain(self) -> Scalar {
        Scalar { style: ScalarStyle::Plain, ..self }
    }
}

#[derive(Clone, Debug)]
enum Value {
    Scalar(Scalar),
    /// The numbers of its parts.
    List(Vec<usize>),
    Mapping(Vec<usize>),
}

#[derive(Clone, Debug)]
struct Part {
    key: Option<Scalar>,
    kind: &'static Kind,
    value: Value,
    /// Comments on lines of their own before it.
    before: Vec<String>,
    /// The comments at the end of its line.
    trailing: Vec<String>,
}

/// A document, part by part. The first part is the whole.
struct Tree {
    parts: Vec<Part>,
    /// Comments after everything.
    after: Vec<String>,
}

/// The place of something of a part in the text.
struct Mark {
    at: usize,
    part: usize,
    /// Whether the part begins there.
    begins: bool,
}

impl Tree {
    fn of(text: &str) -> Result<Tree, NotFormatted> {
        let yaml = Yaml::of(text);
        // A tag may make a text of a number, and an anchor has another use elsewhere: both would be lost.
        if let Some(why) = yaml.refused.or(yaml.fault) {
            return Err(NotFormatted(why.message));
        }
        let root = yaml.root.filter(|root| matches!(root.kind, yaml::Kind::Mapping(..)));
        let root = root.ok_or_else(|| NotFormatted("it is no mapping of fields".to_owned()))?;
        let mut tree = Tree { parts: Vec::new(), after: Vec::new() };
        let mut marks = Vec::new();
        tree.add(None, &root, &PUZZLE, &mut marks)?;
        // The whole is no part that a comment could belong to.
        marks.retain(|mark| mark.part > 0);
        marks.sort_by_key(|mark| (mark.at, mark.part));
        tree.place_comments(text, yaml.comments, &marks);
        Ok(tree)
    }

    /// Adds a value with all its parts, and gives its number.
    fn add(
        &mut self,
        key: Option<&Node>,
        node: &Node,
        kind: &'static Kind,
        marks: &mut Vec<Mark>,
    ) -> Result<usize, NotFormatted> {
        let part = self.parts.len();
        let value = Value::List(Vec::new());
        self.parts.push(Part { key: None, kind, value, before: Vec::new(), trailing: Vec::new() });
        marks.extend(key.map(|key| Mark { at: key.range.start, part, begins: true }));
        marks.push(Mark { at: node.range.start, part, begins: key.is_none() });
        self.parts[part].value = match &node.kind {
            yaml::Kind::Scalar(style, said) => {
                Value::Scalar(Scalar { value: said.clone(), style: *style }.of_kind(kind))
            }
            yaml::Kind::Sequence(_, items) => {
                let items = items.iter().map(|item| self.add(None, item, kind.item(), marks));
                Value::List(items.collect::<Result<_, _>>()?)
            }
            yaml::Kind::Mapping(_, pairs) => {
                let rows = pairs.iter().map(|(key, value)| self.add_row(key, value, kind, marks));
                Value::Mapping(rows.collect::<Result<_, _>>()?)
            }
        };
        // Behind a closing bracket a comment belongs to the part that the bracket closes.
        if let yaml::Kind::Sequence(StructureStyle::Flow, _) | yaml::Kind::Mapping(StructureStyle::Flow, _) =
            node.kind
        {
            marks.push(Mark { at: node.range.end - 1, part, begins: false });
        }
        Ok(part)
    }

    /// Adds a field or row of a mapping.
    fn add_row(
        &mut self,
        key: &Node,
        value: &Node,
        kind: &'static Kind,
        marks: &mut Vec<Mark>,
    ) -> Result<usize, NotFormatted> {
        let yaml::Kind::Scalar(style, said) = &key.kind else {
            return Err(NotFormatted("a key is a list or a mapping".to_owned()));
        };
        let part = self.add(Some(key), value, kind.under(said), marks)?;
        self.parts[part].key = Some(Scalar { value: said.clone(), style: *style }.of_key(kind));
        Ok(part)
    }

    fn place_comments(&mut self, text: &str, mut comments: Vec<Range<usize>>, marks: &[Mark]) {
        comments.sort_by_key(|range| range.start);
        for range in comments {
            let line = text[..range.start].rsplit('\n').next().unwrap_or_default().trim();
            let is_alone = line.is_empty() || line == "---";
            let place = marks.partition_point(|mark| mark.at < range.start);
            let before = marks[..place].last().filter(|_| !is_alone);
            let next = marks[place..].iter().find(|mark| mark.begins);
            let comment = text[range].trim_end().to_owned();
            match (before, next) {
                (Some(mark), _) => self.parts[mark.part].trailing.push(comment),
                (None, Some(mark)) => self.parts[mark.part].before.push(comment),
                (None, None) => self.after.push(comment),
            }
        }
    }

    fn lines(&self) -> String {
        let mut out = String::new();
        if let Value::Mapping(parts) = &self.parts[0].value {
            for part in self.in_order(&PUZZLE, parts) {
                self.block(part, "", 0, "", &mut out);
            }
        }
        self.after.iter().for_each(|comment| out += &format!("{comment}\n"));
        out
    }

    /// The parts of a mapping in the order of their fields; rows that are no fields stay where they are.
    fn in_order(&self, kind: &Kind, parts: &[usize]) -> Vec<usize> {
        let rank = |part: &usize| kind.rank(&self.parts[*part].key.as_ref()?.value);
        let mut parts = parts.to_vec();
        if parts.iter().all(|part| rank(part).is_some()) {
            parts.sort_by_key(rank);
        }
        parts
    }

    /// The part in brackets on one line behind its name, `head`, if it fits and may be written so.
    fn flowing(&self, part: usize, parent: &str, indent: usize, head: &str) -> Option<String> {
        let Part { key, value, .. } = &self.parts[part];
        let name = key.as_ref().map_or(parent, |key| &key.value);
        let text = self.flow(part)?;
        let fits = indent + head.len() + text.chars().count() < WIDTH;
        let flows = match (value, name) {
            (Value::Scalar(_), _) => false,
            (Value::List(items) | Value::Mapping(items), _) if items.is_empty() => true,
            _ if is_row(key.as_ref(), parent) => true,
            // Each item stands on lines of its own; inside it is written in brackets where nothing is nested.
            (_, "solutions" | "replies" | "duals" | "set-play" | "comments" | "classes" | "rows")
                if key.is_some() =>
            {
                false
            }
            (_, "twins") => false,
            (_, "replies") => !self.has_any(part, &["replies", "tries"]),
            (_, "solutions" | "duals" | "set-play" | "comments" | "classes") => true,
            (_, "tries") => fits && !self.has_any(part, &["rows", "classes"]),
            (_, "start") if key.is_some() => false,
            // Each board has a line of its own.
            (Value::List(boards), "fen") => boards.len() < 2,
            (Value::Mapping(_), "fen") => false,
            (_, "otherwise" | "class") => true,
            _ => fits,
        };
        flows.then_some(text)
    }

    /// Writes a part as lines of a block. `parent` is the name of the field that it belongs to, `mark` what its first line
    /// begins with: the dash of an item.
    fn block(&self, part: usize, parent: &str, indent: usize, mark: &str, out: &mut String) {
        let Part { key, kind, value, before, trailing, .. } = &self.parts[part];
        let name = key.as_ref().map_or(parent, |key| &key.value);
        let blanks = " ".repeat(indent);
        let head = key.as_ref().map_or(String::new(), |key| format!("{}:", scalar_text(key, false)));
        let gap = if head.is_empty() { "" } else { " " };
        let note = |comments: &[String], out: &mut String| {
            comments.iter().for_each(|comment| *out += &format!("{blanks}{comment}\n"));
        };
        if let Some(text) = self.flowing(part, parent, indent, &head) {
            let (before, trailing) = self.comments_of_all(part);
            note(&before, out);
            *out += &format!("{blanks}{mark}{head}{gap}{text}{}\n", at_end(&trailing));
            return;
        }
        note(before, out);
        let end = at_end(trailing);
        let deeper = indent + mark.len();
        if let Value::List(_) | Value::Mapping(_) = value
            && !head.is_empty()
        {
            *out += &format!("{blanks}{mark}{head}{end}\n");
        }
        match value {
            Value::Scalar(scalar) => match block_scalar(scalar) {
                Some((header, content)) => {
                    *out += &format!("{blanks}{mark}{head} {header}{end}\n");
                    for line in content {
                        let before = if line.is_empty() { 0 } else { deeper + 2 };
                        *out += &format!("{}{line}\n", " ".repeat(before));
                    }
                }
                None => *out += &format!("{blanks}{mark}{head}{gap}{}{end}\n", scalar_text(scalar, false)),
            },
            Value::List(items) => {
                items.iter().for_each(|&item| self.block(item, name, deeper + 2, "- ", out));
            }
            Value::Mapping(rows) if !head.is_empty() => {
                let name = if is_row(key.as_ref(), parent) { "" } else { name };
                for row in self.in_order(kind, rows) {
                    self.block(row, name, deeper + 2, "", out);
                }
            }
            Value::Mapping(rows) => {
                note(trailing, out);
                for (index, row) in self.in_order(kind, rows).into_iter().enumerate() {
                    let mut lines = String::new();
                    self.block(row, "", deeper, "", &mut lines);
                    if index == 0 {
                        lines = with_mark(&lines, indent, mark);
                    }
                    *out += &lines;
                }
            }
        }
    }

    /// Whether one of the rows of a part has one of these names, and says something.
    fn has_any(&self, part: usize, names: &[&str]) -> bool {
        let Value::Mapping(rows) = &self.parts[part].value else { return false };
        rows.iter().map(|row| &self.parts[*row]).any(|row| {
            let is_empty =
                matches!(&row.value, Value::List(parts) | Value::Mapping(parts) if parts.is_empty());
            row.key.as_ref().is_some_and(|key| names.contains(&&*key.value)) && !is_empty
        })
    }

    /// A value in brackets, on one line; nothing if a text in it needs a block.
    fn flow(&self, part: usize) -> Option<String> {
        let Part { kind, value, .. } = &self.parts[part];
        match value {
            Value::Scalar(scalar) => block_scalar(scalar).is_none().then(|| scalar_text(scalar, true)),
            Value::List(items) => {
                let items = items.iter().map(|&item| self.flow(item)).collect::<Option<Vec<_>>>()?;
                Some(format!("[{}]", items.join(", ")))
            }
            Value::Mapping(rows) => {
                let rows = self.in_order(kind, rows).into_iter().map(|row| {
                    let key = self.parts[row].key.as_ref().map(|key| scalar_text(key, true))?;
                    Some(format!("{key}: {}", self.flow(row)?))
                });
                let rows = rows.collect::<Option<Vec<_>>>()?;
                Some(if rows.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", rows.join(", ")) })
            }
        }
    }

    /// The comments of a part and everything in it: those before it, and those at its end.
    fn comments_of_all(&self, part: usize) -> (Vec<String>, Vec<String>) {
        let Part { value, before, trailing, .. } = &self.parts[part];
        let (mut before, mut end) = (before.clone(), Vec::new());
        if let Value::List(parts) | Value::Mapping(parts) = value {
            for &inner in parts {
                before.append(&mut end);
                let (inner_before, inner_end) = self.comments_of_all(inner);
                before.extend(inner_before);
                end = inner_end;
            }
        }
        end.extend(trailing.clone());
        (before, end)
    }

    /// Whether two texts have the same values and the same comments.
    fn says_the_same(&self, other: &Tree) -> bool {
        let comments = |tree: &Tree| {
            let mut all: Vec<String> = tree.after.clone();
            tree.parts.iter().for_each(|part| {
                all.extend(part.before.iter().chain(&part.trailing).cloned());
            });
            all.sort_unstable();
            all
        };
        comments(self) == comments(other) && self.meaning(0) == other.meaning(0)
    }

    /// A text that two values share only if they are the same but for the order of fields.
    fn meaning(&self, part: usize) -> String {
        match &self.parts[part].value {
            // A number and the same digits in quotes are two things.
            Value::Scalar(Scalar { value, style, .. }) => {
                let kind = if is_typed(value) && *style == ScalarStyle::Plain { "=" } else { "" };
                format!("{kind}{value:?}")
            }
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|&item| self.meaning(item)).collect();
                format!("[{}]", items.join(","))
            }
            Value::Mapping(rows) => {
                let is_table = rows.iter().any(|&row| {
                    self.parts[row].key.as_ref().is_none_or(|key| key.style != ScalarStyle::Plain)
                });
                let mut rows: Vec<String> = rows
                    .iter()
                    .map(|&row| {
                        let key = self.parts[row].key.as_ref().map(|key| key.value.clone());
                        format!("{key:?}:{}", self.meaning(row))
                    })
                    .collect();
                if !is_table {
                    rows.sort_unstable();
                }
                format!("{{{}}}", rows.join(","))
            }
        }
    }
}

/// The lines of a mapping, the first of which begins with the mark of an item.
fn with_mark(lines: &str, indent: usize, mark: &str) -> String {
    let blanks = " ".repeat(indent);
    let mut marked = String::new();
    let mut is_marked = false;
    for line in lines.split_inclusive('\n') {
        if is_marked {
            marked += line;
        } else if line.trim_start().starts_with('#') {
            // Comments come before the mark, where they belong to the item.
            marked += &format!("{blanks}{}", line.trim_start());
        } else {
            marked += &format!("{blanks}{mark}{}", line.trim_start());
            is_marked = true;
        }
    }
    marked
}

/// The comments at the end of a line.
fn at_end(comments: &[String]) -> String {
    comments.iter().map(|comment| format!(" {comment}")).collect()
}

/// Whether a part is a row of a table, which stands on one line.
fn is_row(key: Option<&Scalar>, parent: &str) -> bool {
    parent == "rows" && key.is_some()
}

/// Whether a text means the same with quotes and without.
fn is_word(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/'))
        && !is_typed(value)
}

/// Whether a plain scalar may be something else than text. Several words are nothing else.
fn is_typed(value: &str) -> bool {
    let is_word = matches!(
        &*value.to_ascii_lowercase(),
        "" | "true" | "false" | "null" | "~" | "yes" | "no" | "on" | "off"
    );
    let is_number = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
    is_word || is_number && !value.contains(' ')
}

/// The header and the lines of a text that is written as a block, without their indentation.
fn block_scalar(scalar: &Scalar) -> Option<(String, Vec<String>)> {
    let mark = match scalar.style {
        ScalarStyle::Literal => '|',
        // Only the folded text is certain where lines are folded.
        _ => return None,
    };
    let ends = scalar.value.len() - scalar.value.trim_end_matches('\n').len();
    let body = &scalar.value[..scalar.value.len() - ends];
    let is_plain = !body.is_empty()
        && !body.starts_with([' ', '\t', '\n'])
        && body
            .lines()
            .all(|line| line.trim_end() == line && !line.chars().any(|c| c.is_control() || c == '\u{feff}'));
    let header = match ends {
        0 => format!("{mark}-"),
        1 => mark.to_string(),
        _ => return None,
    };
    is_plain.then(|| (header, body.split('\n').map(str::to_owned).collect()))
}

/// A scalar on one line.
fn scalar_text(scalar: &Scalar, in_brackets: bool) -> String {
    let Scalar { value, style, .. } = scalar;
    let splits = value.contains(": ") || value.contains(" #") || value.ends_with(':');
    let closes = in_brackets && value.contains([',', '[', ']', '{', '}', ':']);
    // Lines that were folded are one.
    let is_safe = !splits && !closes && !value.contains('\n');
    if *style == ScalarStyle::Plain && (value.is_empty() || is_safe) {
        return value.clone();
    }
    let mut text = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{a0}' => {
                text.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c if c.is_control() => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use quickcheck::{QuickCheck, TestResult};

    use super::*;
    use crate::puzzle::load::shipped_files;
    use crate::puzzle::load::{load, spoilt};

    #[test]
    fn fields_rows_and_comments_have_their_places() {
        let text = "# first\n---\ngoal: {mate-in: 2} # two\nid: 'a'\n# about the title\ntitle: T: \"x\"\n";
        assert!(format(text).is_err(), "that is no YAML");
        let text = "--- # first\ngoal: {mate-in: 2} # two\nid: 'a'\n# about the title\ntitle: T\nreplies: [{answer: \"A\", # why\n  \
                    if: \"B\"}, {otherwise: true, answer: 'C', replies: [{if: \"D\", answer: \"E\"}]}]\n\
                    tries: {rows: {\"X\": \"Y\", \"W\": {refutations: 3, reply: 'Z'}}, scope: all}\n\
                    start:\n  moves: |\n      1. e4\n       / e5\n  variant: Standard\nunknown: 1 # end\n# last\n";
        let expected = "# first\ngoal: { mate-in: 2 } # two\nid: a\n# about the title\ntitle: \"T\"\nreplies:\n  # why\n  \
                        - { if: \"B\", answer: \"A\" }\n  - otherwise: true\n    answer: \"C\"\n    replies:\n      \
                        - { if: \"D\", answer: \"E\" }\ntries:\n  scope: all\n  rows:\n    \"X\": \"Y\"\n    \
                        \"W\": { reply: \"Z\", refutations: 3 }\nstart:\n  variant: \"Standard\"\n  moves: |\n    1. e4\n     / e5\n\
                        unknown: 1 # end\n# last\n";
        assert_eq!(format(text).unwrap(), expected);
        assert_eq!(format(expected).unwrap(), expected);
        let known = expected.replace("unknown: 1 # end\n", "");
        assert!(format(&known).unwrap().starts_with("id: a\n# about the title\ntitle: \"T\"\nstart:"));
    }

    /// The canonical form does not depend on how names and values were quoted or folded.
    #[test]
    fn spellings_of_one_puzzle_have_one_form() {
        let expected =
            "schema: worldlines/puzzle-1\nid: a\ntitle: \"16 pieces\"\ngoal: { mate-in: 2 }\nunique: true\n";
        for text in [
            "unique: true\nschema: worldlines/puzzle-1\ngoal: { mate-in: 2 }\nid: a\ntitle: 16\n  pieces\n",
            "\"unique\": true\n\"schema\": \"worldlines/puzzle-1\"\n'goal': {\"mate-in\": 2}\nid: 'a'\ntitle: >-\n  16\n  pieces\n",
            "{\"unique\": true, \"title\": \"16 pieces\", \"schema\": \"worldlines/puzzle-1\", \"id\": \"a\", \"goal\": {\"mate-in\": 2}}",
        ] {
            assert_eq!(format(text).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(format("unknown: a folded\n  text\n").as_deref(), Ok("unknown: a folded text\n"));
        assert_eq!(format("title: 16\n").as_deref(), Ok("title: 16\n"), "it is no text");
        assert_eq!(format("id: \"12\"\n").as_deref(), Ok("id: \"12\"\n"), "it is no number");
    }

    #[test]
    fn what_would_be_lost_is_refused() {
        for text in ["", "- a\n", "a: [\n", "a: *b\n", "a: 1\n---\n# nothing but this\n", "? [a]\n: b\n"] {
            assert!(format(text).is_err(), "{text:?}");
        }
        assert_eq!(format("a: 1\n---\nb: '2'\n").unwrap(), "a: 1\n---\nb: \"2\"\n");
    }

    /// Every shipped puzzle can be formatted, says the same afterwards, and is then left as it is.
    #[test]
    fn shipped_puzzles_say_the_same() {
        let files = shipped_files();
        assert!(files.len() > 50);
        for (name, text) in files {
            let formatted = format(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(format(&formatted).unwrap(), formatted, "{name}");
            let read = |text: &str| {
                let document = load(&name, text.as_bytes()).remove(0);
                let mut puzzle = format!("{:?}", document.puzzle.unwrap());
                // Places change, texts do not.
                while let Some(start) = puzzle.find("span: Span") {
                    let end = puzzle[start..].find('}').map_or(puzzle.len(), |end| start + end + 1);
                    puzzle.replace_range(start..end, "");
                }
                puzzle
            };
            assert_eq!(read(&text), read(&formatted), "{name}");
        }
    }

    /// Whatever is done to a puzzle, formatting it twice is formatting it once.
    #[test]
    fn formatting_twice_is_formatting_once() {
        const PUZZLE: &str = include_str!("../../corpus/puzzles/good/every-field.yaml");
        const TOKENS: [&str; 14] =
            ["---\n", "[", "]", "{", "\"", "'", "# c\n", " # d", "|\n", "\n", ": ", "- ", "é", ", "];
        fn check(edits: Vec<(u16, u8, u8)>) -> TestResult {
            let text = spoilt(PUZZLE, &edits, &TOKENS);
            match format(&text) {
                Err(_) => TestResult::discard(),
                Ok(formatted) if format(&formatted).as_ref() == Ok(&formatted) => TestResult::passed(),
                Ok(formatted) => TestResult::error(format!("{text}\n=>\n{formatted}")),
            }
        }
        QuickCheck::new()
            .tests(400)
            .max_tests(20_000)
            .quickcheck(check as fn(Vec<(u16, u8, u8)>) -> TestResult);
    }
}
