//! From the text of a file to puzzles.
//!
//! A document is read once, by an event parser into a tree (`yaml.rs`). The tree is compared with the grammar (`shape.rs`), and serde makes
//! the model of it (`deserialize.rs`).
//!
//! Puzzle files use a plain part of YAML: no anchors, aliases, tags or merge keys; repeated keys are errors; actions and 5DFEN stand in
//! quotes, because unquoted ` #` starts a comment, and numbers and booleans do not.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::announced::contradiction;
use super::check::{Check, MAX_ID, NO_SOLUTIONS, check, is_kebab_case};
use super::deserialize::parse_all;
use super::finding::Finding;
use super::grammar::PUZZLE;
use super::model::{Puzzle, SCHEMA, Spanned, Twin};
use super::shape::begins_with_schema;
use super::start::start;
use super::yaml::{Yaml, documents, first_line};
use crate::notation::work::look_at;
use crate::notation::{Format, Game, LineIndex, Location, Source, Span, text_of};

/// The longest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 16 << 20;
/// The most puzzles of one file.
pub const MAX_DOCUMENTS: usize = 10_000;

/// The name of the folders with the certificates of the puzzles beside them.
pub const CERTIFICATES: &str = "certificates";

/// The text of a file, and the name under which it is reported.
#[derive(Debug)]
pub struct File {
    /// The path as reports show it.
    pub path: String,
    /// Its content, as far as that can be shown.
    pub text: String,
    /// Why the text is not what the file holds.
    pub unreadable: Option<Finding>,
    /// The places of its lines.
    lines: LineIndex,
}

impl File {
    /// The file that holds these bytes.
    pub fn new(path: impl Into<String>, bytes: &[u8]) -> File {
        if bytes.len() > MAX_FILE_BYTES {
            return File::unread(path, "too-large", format!("a file holds at most {MAX_FILE_BYTES} bytes"));
        }
        let (text, unreadable) = match text_of(bytes) {
            Ok(text) => (text.to_owned(), None),
            Err(error) => {
                let issue = &error.issue;
                // In the text that is shown, this character stands for the wrong bytes.
                let start = issue.span.range().start;
                let span = Span::new(start, start + char::REPLACEMENT_CHARACTER.len_utf8());
                let unreadable = Finding::new(issue.code, span, &issue.message);
                (String::from_utf8_lossy(bytes).into_owned(), Some(unreadable))
            }
        };
        let lines = LineIndex::of(&text);
        File { path: path.into(), text, unreadable, lines }
    }

    /// A file whose bytes are not known.
    pub fn unread(path: impl Into<String>, code: &'static str, why: impl Into<String>) -> File {
        let unreadable = Some(Finding::new(code, Span::default(), why));
        File { path: path.into(), text: String::new(), unreadable, lines: LineIndex::of("") }
    }

    /// The text, for excerpts.
    pub fn source(&self) -> Source<'_> {
        Source::Indexed(&self.text, &self.lines)
    }

    /// The line and column of a byte.
    pub fn location(&self, offset: usize) -> Location {
        self.source().location(offset)
    }
}

/// One puzzle of a file, or what is wrong with it.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file that it stands in.
    pub file: Arc<File>,
    /// Its bytes in the file.
    pub range: Range<usize>,
    /// The number of puzzles in the file, twins included.
    pub siblings: usize,
    /// The id of the puzzle whose twin it is, if it is one.
    pub twin_of: Option<String>,
    /// The puzzle's id; when it cannot be read, the name of the file.
    pub id: String,
    /// The puzzle, or everything that is wrong with it.
    pub puzzle: Result<Puzzle, Vec<Finding>>,
    /// The earlier puzzle that has its id; see [`refuse_repeated_ids`].
    pub repeated_id: Option<RepeatedId>,
    /// The file of its certificate, if there is one; see [`Document::certificate_path`]. Not part of what [`load`] reads.
    pub certificate: Option<Arc<File>>,
    /// See [`Document::start`]. Twins have it of their puzzle.
    start: usize,
}

/// An earlier puzzle has the id of this one.
#[derive(Clone, Debug)]
pub struct RepeatedId {
    /// The finding that says so, at the later id.
    pub finding: Finding,
    /// The file of the earlier puzzle.
    pub first: String,
}

impl Document {
    /// The only puzzle of a file, without a certificate.
    fn new(
        file: &Arc<File>,
        range: Range<usize>,
        start: usize,
        id: String,
        puzzle: Result<Puzzle, Vec<Finding>>,
    ) -> Document {
        let file = Arc::clone(file);
        let (siblings, twin_of, repeated_id, certificate) = (1, None, None, None);
        Document { file, range, start, siblings, twin_of, id, puzzle, repeated_id, certificate }
    }

    /// The text of the document; every span of the puzzle counts from its beginning.
    pub fn text(&self) -> &str {
        &self.file.text[self.range.clone()]
    }

    /// The place in its file at which the document begins: its first line that is neither `---` nor a comment.
    pub fn start(&self) -> usize {
        self.start
    }

    /// A range of the document as a range of its file.
    pub fn in_file(&self, span: Span) -> Span {
        Span::new(self.range.start + span.start as usize, self.range.start + span.end as usize)
    }

    /// The puzzle, even if it lacks solutions: who solves it or looks at it needs none.
    ///
    /// # Errors
    ///
    /// Everything else that is wrong with it.
    pub fn draft(&self) -> Result<Cow<'_, Puzzle>, Vec<Finding>> {
        match &self.puzzle {
            Ok(puzzle) => Ok(Cow::Borrowed(puzzle)),
            Err(findings) if findings.iter().any(|finding| finding.code != NO_SOLUTIONS) => {
                Err(findings.clone())
            }
            Err(_) => {
                let (puzzle, _) = read_draft(self.text())?;
                let twins = puzzle.twins.iter().map(|twin| puzzle.of_twin(&twin.value));
                let twin = twins.into_iter().find(|twin| self.twin_of.is_some() && twin.id.value == self.id);
                Ok(Cow::Owned(twin.unwrap_or(puzzle)))
            }
        }
    }

    /// The game that leads to the puzzle's position, at its end.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the puzzle but a lack of solutions, or with its start.
    pub fn game(&self) -> Result<Game, Vec<Finding>> {
        start(self.text(), &*self.draft()?).map_err(|finding| vec![finding])
    }

    /// The path of the file of its certificate, if there is one.
    pub fn certificate_path(&self) -> String {
        let folder = self.file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let slash = if folder.is_empty() { "" } else { "/" };
        format!("{folder}{slash}{CERTIFICATES}/{}.yaml", self.id)
    }

    /// The folder that the file stands in.
    pub fn collection(&self) -> &str {
        self.file.path.rsplit('/').nth(1).unwrap_or("")
    }
}

/// Whether a text says that it is a puzzle file, in any spelling that YAML has: whenever [`load`] reads a puzzle, it is one.
///
/// ```
/// assert!(worldlines::puzzle::is_puzzle_file("{\"schema\": \"worldlines/puzzle-1\", \"id\": \"a\"}"));
/// assert!(!worldlines::puzzle::is_puzzle_file("1. e4 / e5"));
/// ```
pub fn is_puzzle_file(text: &str) -> bool {
    documents(text).into_iter().any(|range| is_ours(&text[range.clone()], &Yaml::of(&text[range])))
}

/// Whether a document says that it is a puzzle.
fn is_ours(text: &str, yaml: &Yaml) -> bool {
    said(text, yaml, "schema").is_some_and(|schema| schema.starts_with(FORMAT))
}

/// The beginning of the schemas of all versions of puzzle files.
const FORMAT: &str = "worldlines/puzzle-";

/// The text of a field of the document itself. Something before it may be no YAML: its line is seen all the same.
fn said<'t>(text: &'t str, yaml: &'t Yaml, field: &str) -> Option<&'t str> {
    let of_line = |line: &'t str| line.strip_prefix(field)?.strip_prefix(':');
    yaml.said(field).or_else(|| {
        look_at(text.len());
        Some(text.lines().find_map(of_line)?.trim().trim_matches(['"', '\'']))
    })
}

/// Reads all puzzles of a file. There is always at least one document; it may hold nothing but an error.
pub fn load(path: &str, bytes: &[u8]) -> Vec<Document> {
    let file = Arc::new(File::new(path, bytes));
    let refuse = |finding: Finding| {
        let (range, start) = (0..file.text.len(), first_line(&file.text).unwrap_or(0));
        vec![Document::new(&file, range, start, stem(path), Err(vec![finding]))]
    };
    if let Some(finding) = &file.unreadable {
        return refuse(finding.clone());
    }
    let ranges = documents(&file.text);
    if ranges.is_empty() {
        let finding = Finding::new("no-puzzle", Span::default(), "there is no puzzle in this file");
        return refuse(finding.hint(begins_with_schema()));
    }
    if let Some(range) = ranges.get(MAX_DOCUMENTS) {
        let message =
            format!("a file holds at most {MAX_DOCUMENTS} puzzles, but this one holds {}", ranges.len());
        let span = Span::new(range.start, range.start);
        return refuse(Finding::new("too-large", span, message));
    }
    let mut is_puzzle = false;
    let mut documents = Vec::new();
    for range in ranges {
        let text = &file.text[range.clone()];
        let yaml = Yaml::of(text);
        is_puzzle |= is_ours(text, &yaml);
        let puzzle = read(text, &yaml);
        let id = match &puzzle {
            Ok(puzzle) => puzzle.id.value.clone(),
            Err(_) => guess_id(text, &yaml).unwrap_or_else(|| stem(path)),
        };
        let start = range.start + first_line(text).unwrap_or(0);
        documents.push(Document::new(&file, range, start, id, puzzle));
    }
    if let Some(finding) = game(&file.text).filter(|_| !is_puzzle) {
        return refuse(finding);
    }
    let siblings = documents.len() + refuse_surplus_twins(&mut documents);
    let with_twins = documents.into_iter().flat_map(|document| {
        let twins = twins(&document);
        std::iter::once(document).chain(twins)
    });
    let mut documents: Vec<Document> = with_twins.collect();
    documents.iter_mut().for_each(|document| document.siblings = siblings);
    documents
}

/// Refuses the puzzles with which, twins included, a file holds too many. Gives the number of twins that are left.
fn refuse_surplus_twins(documents: &mut [Document]) -> usize {
    let most = MAX_DOCUMENTS - documents.len();
    let mut count = 0;
    for document in documents {
        let Ok(puzzle) = &document.puzzle else { continue };
        let twins = puzzle.twins.len();
        if let Some(surplus) = puzzle.twins.get(most - count) {
            let message = format!("a file holds at most {MAX_DOCUMENTS} puzzles, twins included");
            document.puzzle = Err(vec![Finding::new("too-large", surplus.span, message)]);
        } else {
            count += twins;
        }
    }
    count
}

/// The twins of a puzzle, as puzzles.
fn twins(document: &Document) -> Vec<Document> {
    let Ok(puzzle) = &document.puzzle else { return Vec::new() };
    if puzzle.twins.is_empty() {
        return Vec::new();
    }
    let mut check = Check::default();
    let twin = |twin: &Spanned<Twin>| {
        let merged = puzzle.of_twin(&twin.value);
        let mut findings = check.twin(&merged);
        // A part that is missing here is missing in the twin.
        let goal = twin.value.goal.as_ref().map_or(twin.value.id.span, |goal| goal.span);
        findings
            .iter_mut()
            .filter(|finding| finding.code == NO_SOLUTIONS)
            .for_each(|finding| finding.span = goal);
        let id = merged.id.value.clone();
        let puzzle = if findings.is_empty() { Ok(merged) } else { Err(findings) };
        let twin_of = Some(document.id.clone());
        let Document { file, range, start, .. } = document;
        Document { twin_of, ..Document::new(file, range.clone(), *start, id, puzzle) }
    };
    puzzle.twins.iter().map(twin).collect()
}

/// Says of a file without a schema that it is a game and no puzzle, if it looks so.
fn game(text: &str) -> Option<Finding> {
    let is_field = |line: &str| field_of(line).is_some();
    // No part of a text that looks like a puzzle is taken for a game.
    if text.lines().inspect(|line| look_at(line.len())).any(is_field) {
        return None;
    }
    let notation = Format::detect(text.as_bytes())?;
    let message = format!("this is no puzzle, but looks like a game in {}", notation.title());
    let finding = Finding::new("no-puzzle", Span::default(), message);
    let hint = "`worldlines show`, `status --why`, `review`, `solve` and `convert` read games";
    Some(finding.hint(hint).hint(begins_with_schema()))
}

/// The name of a field at the beginning of a line.
fn field_of(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    (is_kebab_case(name) && (rest.is_empty() || rest.starts_with([' ', '\r']))).then_some(name)
}

/// Finds every puzzle whose id belongs to another one: its report says so, beside all else that is wrong with it. An id belongs to the first
/// puzzle whose file has that name, or else to the first one that has it, even if that cannot be read otherwise.
pub fn refuse_repeated_ids(documents: &mut [Document]) {
    let id = |document: &Document| match &document.puzzle {
        Ok(puzzle) => Some((puzzle.id.value.clone(), document.in_file(puzzle.id.span).range().start)),
        Err(_) => Some((guess_id(document.text(), &Yaml::of(document.text()))?, document.start())),
    };
    let ids: Vec<Option<(String, usize)>> = documents.iter().map(id).collect();
    let mut owners: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for (index, (document, id)) in documents.iter().zip(&ids).enumerate() {
        let Some((id, _)) = id else { continue };
        let is_named = stem(&document.file.path) == *id;
        let owner = owners.entry(id).or_insert((index, is_named));
        if is_named && !owner.1 {
            *owner = (index, true);
        }
    }
    for index in 0..documents.len() {
        let Some((owner, _)) = ids[index].as_ref().map(|(id, _)| owners[id.as_str()]) else { continue };
        let (Ok(puzzle), Some((_, at)), true) = (&documents[index].puzzle, &ids[owner], owner != index)
        else {
            continue;
        };
        let file = &documents[owner].file;
        let finding = Finding::new("repeated-id", puzzle.id.span, "another puzzle has this id")
            .note(format!("first: {}:{}", file.path, file.location(*at)))
            .hint("ids are unique over everything that is verified together");
        let first = file.path.clone();
        documents[index].repeated_id = Some(RepeatedId { finding, first });
    }
}

/// The shipped puzzle files, each with its path and its text, in the order of the paths.
#[cfg(test)]
pub(crate) fn shipped_files() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles");
    let entries = |folder: &std::path::Path| std::fs::read_dir(folder).into_iter().flatten();
    let paths = |folder: &std::path::Path| entries(folder).map(|entry| entry.expect("an entry").path());
    let files = paths(&folder).flat_map(|collection| paths(&collection).collect::<Vec<_>>());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    files.sort();
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable puzzle");
        (path.display().to_string().replace('\\', "/"), text)
    };
    files.into_iter().map(read).collect()
}

fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name).to_owned()
}

/// The id of a puzzle that cannot be read, when the field can be.
fn guess_id(text: &str, yaml: &Yaml) -> Option<String> {
    said(text, yaml, "id").filter(|id| is_kebab_case(id) && id.len() <= MAX_ID).map(str::to_owned)
}

fn read(text: &str, yaml: &Yaml) -> Result<Puzzle, Vec<Finding>> {
    let (puzzle, findings) = draft(text, yaml)?;
    if findings.is_empty() { Ok(puzzle) } else { Err(findings) }
}

/// A puzzle as far as it is YAML with the right fields, and everything else that is wrong with it.
///
/// # Errors
///
/// The reasons why it cannot be read: everything that has not the shape of a puzzle, or else the first thing that is no plain YAML.
pub(super) fn read_draft(text: &str) -> Result<(Puzzle, Vec<Finding>), Vec<Finding>> {
    draft(text, &Yaml::of(text))
}

fn draft(text: &str, yaml: &Yaml) -> Result<(Puzzle, Vec<Finding>), Vec<Finding>> {
    if let Some(finding) = other_schema(yaml) {
        return Err(vec![finding]);
    }
    let (puzzle, mut findings) = parse_all(text, yaml, &PUZZLE)?;
    findings.extend(check(&puzzle));
    findings.extend(contradiction(text, &puzzle));
    findings.sort_by_key(|finding| finding.span.start);
    Ok((puzzle, findings))
}

/// The finding that the file is of another format or version altogether.
fn other_schema(yaml: &Yaml) -> Option<Finding> {
    let (_, schema) = yaml.whole()?.field("schema")?;
    let message = format!("expected `{SCHEMA}`, the only format of puzzles that this version reads");
    schema.said().filter(|said| *said != SCHEMA).map(|_| Finding::new("schema", schema.span(), message))
}

/// A text of which up to four pieces, each given by its place and its length, were replaced by tokens.
#[cfg(test)]
pub(super) fn spoilt(text: &str, edits: &[(u16, u8, u8)], tokens: &[&str]) -> String {
    let mut text = text.to_owned();
    for &(place, length, token) in edits.iter().take(4) {
        let start = usize::from(place) % text.len();
        let end = (start + usize::from(length % 8)).min(text.len());
        if text.is_char_boundary(start) && text.is_char_boundary(end) {
            text.replace_range(start..end, tokens[usize::from(token) % tokens.len()]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use quickcheck::{QuickCheck, TestResult};

    use super::*;
    use crate::notation::work::assert_in_proportion;
    use crate::puzzle::{Options, verify};

    fn ids(text: &str) -> Vec<String> {
        load("folder/file.yaml", text.as_bytes()).into_iter().map(|document| document.id).collect()
    }

    /// An id belongs to the file of that name, also where that puzzle cannot be read.
    #[test]
    fn an_id_belongs_to_the_file_that_has_its_name() {
        let puzzle = include_str!("../../puzzles/rook/rook-tactics-4.yaml");
        let spoilt = puzzle.replace("solutions:", "solutoins:");
        for owner in [puzzle, &spoilt] {
            let mut documents: Vec<Document> =
                [("a.yaml", puzzle), ("rook-tactics-4.yaml", owner), ("z.yaml", puzzle)]
                    .into_iter()
                    .flat_map(|(path, text)| load(path, text.as_bytes()))
                    .collect();
            refuse_repeated_ids(&mut documents);
            let firsts = documents.iter().map(|document| document.repeated_id.as_ref().map(|id| &*id.first));
            let named = Some("rook-tactics-4.yaml");
            assert_eq!(firsts.collect::<Vec<_>>(), [named, None, named]);
        }
    }

    #[test]
    fn a_file_falls_apart_into_documents() {
        assert_eq!(ids("id: a\n---\nid: b\n"), ["a", "b"]);
        assert_eq!(ids("# comment\n--- # more\n\nid: a\n---\n# end\n"), ["a"]);
        assert_eq!(ids("\u{feff}id: a\n...\n---\nid: b\n...\n"), ["a", "b"]);
        assert_eq!(ids("id: a\ntext: |\n  ---\n"), ["a"]);
        assert_eq!(ids(""), ["file"]);
        assert_eq!(ids("nonsense"), ["file"]);
    }

    const ONGOING: &str = "schema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: { from: x }\n\
                           start: { size: 2x2, fen: [\"[k1/1K:0:1:w]\"] }\ngoal: { status: ongoing }\n";

    #[test]
    fn whatever_is_read_as_a_puzzle_is_a_puzzle_file() {
        let quoted = ONGOING.replace("schema:", "\"schema\":");
        let blank = ONGOING.replace("schema:", "schema :");
        let last = ONGOING.strip_prefix("schema: worldlines/puzzle-1\n").unwrap().to_owned()
            + "'schema': \"worldlines/puzzle-1\"\n";
        let flow = format!("{{ {} }}", ONGOING.trim_end().replace('\n', ", "));
        let json = "{\"id\": \"a\", \"title\": \"t\", \"source\": {\"from\": \"x\"}, \"start\": {\"5dpgn\": \"1. e4 / e5\"}, \
                    \"goal\": {\"status\": \"ongoing\"}, \"schema\": \"worldlines/puzzle-1\"}";
        let moves = "{schema: worldlines/puzzle-1, id: a, title: t, source: {from: x}, goal: {status: ongoing}, \
                     start: {variant: Standard, moves: \"1. e4 / e5\"}}";
        let folded = ONGOING.replace("schema: ", "schema:\n  ");
        let escaped = ONGOING.replace("schema:", "\"\\x73chema\":");
        for spelling in [ONGOING, &quoted, &blank, &last, &flow, json, moves, &folded, &escaped] {
            for text in [
                spelling.to_owned(),
                format!("\u{feff}{spelling}"),
                spelling.replace('\n', "\r\n"),
                format!("---\n{spelling}"),
                format!("# a comment\n---\n{spelling}\n..."),
                format!("{}---\n{spelling}", ONGOING.replace("id: a", "id: b")),
            ] {
                let documents = load("file.yaml", text.as_bytes());
                assert!(documents.iter().all(|document| document.puzzle.is_ok()), "{text}\n{documents:?}");
                assert!(is_puzzle_file(&text), "{text}");
            }
        }
        for other in [
            "1. e4 / e5",
            "[Board \"Standard\"]\n1. e4 / e5",
            "",
            "schema: a",
            "a: { schema: worldlines/puzzle-1 }",
        ] {
            assert!(!is_puzzle_file(other), "{other}");
        }
        assert!(is_puzzle_file("id: [\nschema: worldlines/puzzle-1\n"), "its error is one of a puzzle");
    }

    #[test]
    fn a_repeated_id_hides_nothing() {
        let wrong = ONGOING.replace("ongoing", "checkmate");
        let mut documents = load("file.yaml", format!("{ONGOING}---\n{wrong}").as_bytes());
        refuse_repeated_ids(&mut documents);
        let codes = |document: &Document| {
            let report = verify(document, Options::default());
            report.findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&documents[0]), [""; 0]);
        let found = codes(&documents[1]);
        assert!(found.len() == 2 && found[0] == "repeated-id", "{found:?}");
    }

    #[test]
    fn who_solves_a_puzzle_needs_no_solutions() {
        let open = ONGOING.replace("status: ongoing", "mate-in: 1");
        let document = load("file.yaml", open.as_bytes()).remove(0);
        assert!(document.puzzle.is_err());
        assert!(document.game().is_ok() && document.draft().is_ok_and(|puzzle| puzzle.solutions.is_empty()));
        let wrong = open.replace("mate-in: 1", "mate-in: 99");
        assert!(load("file.yaml", wrong.as_bytes())[0].draft().is_err());
    }

    /// Everything that is found out and said about a file without a search.
    fn load_and_report(text: &str) {
        let mut documents = load("file.yaml", text.as_bytes());
        refuse_repeated_ids(&mut documents);
        for document in &documents {
            let report = verify(document, Options { quick: true, ..Options::default() });
            report.steps_text();
            report.findings_text();
            for finding in report.findings.iter().chain(&report.warnings) {
                report.location(finding);
            }
        }
    }

    /// A file of twice the parts takes about twice the work. Not counted is what the YAML parser does with a document, which
    /// counts by its length once, and what is done to positions.
    #[test]
    fn loading_takes_work_in_proportion_to_the_file() {
        const START: &str = "schema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: { from: x }\nstart: { size: 2x2, \
             fen: [\"[k1/1K:0:1:w]\"] }\n";
        const BROKEN: &str = "goal: { mate-in: 1 }\nsolutions:\n";
        const TRIES: &str = "goal: { no-mate-in: 1 }\ntries:\n  scope: plausible\n";
        const LONG: &str = "goal: { mate-in: 2 }\nsolutions: [[\"Kb1a1\"]]\n";
        const TWIN: &str = "{ id: t{}, change: [{ put: \"K(0T1)a1\" }], solutions: [[\"Kb1c1\"]] }";
        for (begin, part, end) in [
            ("", "---\nid: p{}\n", ""),
            ("", "---\n{start}goal: { status: ongoing }\n", ""),
            ("", "---\n# nothing\n", "---\nid: a\n"),
            ("", "# comment\n", "{start}goal: { status: ongoing }\n"),
            ("#", " comment", "\n{start}goal: { status: ongoing }\n"),
            ("{start}goal: { status: ongoing }\nthemes: [", "rook, endgame, nonsense, ", "rook]\n"),
            ("{start}{broken}", "  - [\"Kb1a1\"]\n", ""),
            ("{start}{broken}", "  - [\"Kb1c1\"]\n", ""),
            ("{start}{broken}", "  - [Kb1c1]\n", ""),
            ("{start}goal: { mate-in: 1 }\nsolutions: [", "[\"Kb1c1\"], ", "[\"Kb1a1\"]]\n"),
            ("{start}{tries}  rows:\n", "    \"Kb1a{}\": \"Ka2b2\"\n", ""),
            ("{start}{tries}  rows:\n", "    Kb1a{}: Ka2b2\n", ""),
            (
                "{start}{tries}  classes:\n",
                "    - { class: { \"(0T1)\": [\"Kb1a{}\"] }, reply: \"Ka2b2\" }\n",
                "",
            ),
            ("{start}{tries}  otherwise:\n", "    - \"Ka2b{}\"\n", ""),
            ("{start}{long}replies:\n", "  - { if: \"Ka2a{}\", answer: \"Kb1c1\" }\n", ""),
            (
                "{start}{long}duals:\n",
                "  - { after: [\"Kb1c1\", \"Ka{}\"], answers: [\"Kb1\", \"Kc1\"] }\n",
                "",
            ),
            ("{start}{long}set-play:\n", "  - [\"Ka2a{}\", \"Kb1a1\"]\n", ""),
            ("{start}{long}comments:\n", "  - { after: [\"Kb1a{}\"], text: x }\n", ""),
            ("{start}{long}hints:\n", "  - hint {}\n", ""),
            ("{start}{long}twins:\n", "  - {twin}\n", ""),
            ("{start}{long}twins:\n", "  - {twin}\n  # comment\n", ""),
            ("{start}{long}twins:\n  - id: b\n    change:\n", "      - { put: \"K(0T1)a1\" }\n", ""),
            (
                "{start}{long}twins:\n  - id: b\n    change: [{ remove: \"(0T1)a2\" }]\n    solutions:\n",
                "      - [\"Kb1a{}\"]\n",
                "",
            ),
        ] {
            let text = |times: usize| {
                let part = part.replace("{twin}", TWIN);
                let parts = (0..times).map(|number| part.replace("{}", &number.to_string()));
                let text = format!("{begin}{}{end}", parts.collect::<String>());
                let text = text.replace("{start}", START).replace("{long}", LONG);
                text.replace("{broken}", BROKEN).replace("{tries}", TRIES)
            };
            assert_in_proportion(&format!("{begin:.40}{part}"), text, load_and_report);
        }
    }

    /// The file has as many twins as words in a comment before them, and neither is looked at once for each of the other.
    #[test]
    fn a_long_puzzle_is_not_read_for_each_twin() {
        let text = |parts: usize| {
            let twin = |number| format!("  - {{ id: t{number}, change: [{{ put: \"K(0T1)a1\" }}] }}\n");
            format!(
                "#{}\nschema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: {{ from: x }}\n\
                 start: {{ size: 2x2, fen: [\"[k1/1K:0:1:w]\"] }}\ngoal: {{ status: ongoing }}\ntwins:\n{}",
                " comment".repeat(parts),
                (0..parts).map(twin).collect::<String>()
            )
        };
        assert_in_proportion("twins", text, load_and_report);
        let documents = load("a.yaml", text(2).as_bytes());
        let starts: Vec<_> =
            documents.iter().map(|document| &document.puzzle.as_ref().unwrap().start).collect();
        assert_eq!(starts.len(), 3);
        assert!(starts.iter().all(|start| Arc::ptr_eq(start, starts[0])));
    }

    #[test]
    fn no_twin_is_left_out_without_a_word() {
        let puzzle = |id: &str, twins: usize| {
            let twin = |number| format!("  - {{ id: t{number}, change: [{{ put: \"K(0T1)a1\" }}] }}\n");
            format!(
                "schema: worldlines/puzzle-1\nid: {id}\ntitle: T\nsource: {{ from: x }}\n\
                 start: {{ size: 2x2, fen: [\"[k1/1K:0:1:w]\"] }}\ngoal: {{ status: ongoing }}\ntwins:\n{}",
                (0..twins).map(twin).collect::<String>()
            )
        };
        let text = format!("{}---\n{}---\n{}", puzzle("a", 6_000), puzzle("b", 6_000), puzzle("c", 3_997));
        let documents = load("a.yaml", text.as_bytes());
        assert_eq!(documents.len(), MAX_DOCUMENTS);
        let refused: Vec<&Document> = documents.iter().filter(|document| document.puzzle.is_err()).collect();
        let [refused] = &refused[..] else { panic!("{} are refused", refused.len()) };
        assert_eq!(refused.puzzle.as_ref().unwrap_err()[0].code, "too-large");
    }

    /// Whatever is done to a puzzle, the answer is a report that can be shown.
    #[test]
    fn a_spoilt_file_is_reported() {
        const PUZZLE: &str = include_str!("../../puzzles/small/rook-from-the-past.yaml");
        const TOKENS: [&str; 12] =
            ["---\n", "[", "{", "\"", "&a ", "*a", "!!x ", "|\n", "\t", ": ", "- ", "é"];
        fn report(edits: Vec<(u16, u8, u8)>) -> TestResult {
            let text = spoilt(PUZZLE, &edits, &TOKENS);
            for document in load("file.yaml", text.as_bytes()) {
                let report =
                    verify(&document, Options { quick: true, max_steps: Some(1_000), ..Options::default() });
                if report.bug().is_some() || report.steps_text().is_empty() {
                    return TestResult::error(text);
                }
                report.findings_text();
            }
            TestResult::passed()
        }
        QuickCheck::new().tests(500).quickcheck(report as fn(Vec<(u16, u8, u8)>) -> TestResult);
    }
}
