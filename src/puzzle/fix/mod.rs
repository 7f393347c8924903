//! Filling and repairing the solutions and tables of a puzzle, in the text that its author wrote.
//!
//! The claim itself is the author's: a goal that is not true is never changed. Everything that follows from it is
//! found by the prover, and put into the text where something is missing or wrong. All other bytes stay as they are.
//! The result is verified before it is returned, as far as the budget goes.

mod both;
mod certificate;
mod defence;
mod duals;
mod replies;
mod rows;
mod set_play;
mod solutions;
mod source;
mod tables;
mod tries;
mod twins;

pub use certificate::certify;

use std::fmt;

use super::check::NO_SOLUTIONS;
use super::fault::TAB;
use super::finding::Finding;
use super::grammar::fields_before;
use super::load::{self, Document};
use super::model::{Goal, Puzzle};
use super::report::Answer;
use super::resolve::Texts;
use super::verify::{Options, budget_of, show_defence, verify};
use super::yaml::{Kind, Node, Yaml};
use crate::notation::pgn5d::action_text;
use crate::search::{Analysis, PaidActions, Prover, Solution, Try, Verdict};
use crate::state::Position;
use crate::types::{Action, counted};
use source::{Edits, column};

/// The text of a puzzle after it was changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The text of the document now.
    pub text: String,
    /// The changes, in words.
    pub changes: Vec<String>,
    /// The tasks for which the budget was too small. Their fields are as they were, but solutions are written as far as they are known.
    pub open: Vec<&'static str>,
}

/// Why a puzzle is not fixed, or gets no certificate. The file is left as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FixError {
    /// The puzzle cannot be read, or something in it is wrong that only its author can set right.
    Text(String),
    /// The claim of the puzzle is not true.
    Claim(String),
    /// The budget is too small to do this.
    Undecided(&'static str),
}

impl fmt::Display for FixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FixError::Text(why) | FixError::Claim(why) => f.write_str(why),
            FixError::Undecided(what) => write!(f, "the budget is too small to {what}"),
        }
    }
}

impl std::error::Error for FixError {}

impl From<Finding> for FixError {
    fn from(finding: Finding) -> FixError {
        FixError::Text(finding.message)
    }
}

/// Fills and repairs what can be derived from the claim of a puzzle: `solutions`, `unique`, `tries` and `replies`. `None` when
/// nothing has to be changed.
///
/// | field | absent | there |
/// |---|---|---|
/// | `solutions` | filled | lines that are wrong are replaced or taken out, missing ones added |
/// | `unique` | filled | set right |
/// | `tries` | left out | wrong rows set right or taken out; rows that `scope: all` needs are added; a `plausible` table without rows is filled |
/// | `replies` | filled, for mates in 2 and more | an empty list stays; wrong rows are replaced, missing ones added |
/// | `duals` | left out | set right |
/// | `set-play` | left out | an empty list is filled, for mates in 2 and more; a wrong one is written anew |
///
/// The `solutions` and `unique` of twins are filled and set right in the same way. Names of fields and themes that are misspelt are
/// written as the hint of the finding says.
///
/// For a goal of the defender, `solutions` and `tries` hold what survives, and what mates after other actions. For a helpmate or a
/// selfmate there are `solutions` and `unique` only.
///
/// When the budget runs out, the remaining fields stay unchanged; tables are given up first.
///
/// # Errors
///
/// When the puzzle cannot be read, its claim is not true, or the budget does not suffice for anything.
pub fn fix(document: &Document, options: Options<'_>) -> Result<Option<Fixed>, FixError> {
    repair(document, options, Wanted::default())
}

/// Tables that nobody asks for by writing a part of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wanted {
    /// Whether every wrong action of the solver is to have a reply, at every turn.
    pub tables: bool,
    /// Whether the duals are to be listed.
    pub duals: bool,
    /// Whether set play is to be written, where there is some.
    pub set_play: bool,
}

/// Does what [`fix`] does, and fills more tables.
///
/// # Errors
///
/// Those of [`fix`].
pub fn repair(document: &Document, options: Options<'_>, wanted: Wanted) -> Result<Option<Fixed>, FixError> {
    // A twin is filled in with the puzzle whose twin it is.
    if document.twin_of.is_some() {
        return Ok(None);
    }
    let mut draft = Draft::of(document)?;
    let puzzle = draft.puzzle()?;
    let Some(n) = puzzle.goal.value.length() else { return draft.with_twins(options) };
    let defends = puzzle.goal.value.is_defence();
    let game = super::start::start(&draft.text, &puzzle)?;
    let mut prover = Prover::new(budget_of(&puzzle, options)).stopping_on(options.stop);
    let start = game.end();
    let claims_mate = matches!(puzzle.goal.value, Goal::MateIn(_));
    let mut work = Work { analysis: Analysis::new(&mut prover, &start, n), claims_mate };
    if defends {
        draft.edit(options, |page, edits| defence::fix(page, &mut work, edits))?;
        return draft.with_twins(options);
    }
    if let Goal::HelpmateIn(_) | Goal::SelfmateIn(_) = puzzle.goal.value {
        draft.edit(options, |page, edits| both::fix(page, &mut work, edits))?;
        return draft.with_twins(options);
    }
    let mut solution = work.solution()?;
    let budget = budget_of(&puzzle, options);
    if work.analysis.prover().left() < budget.steps / 2 {
        // The lines of the solutions are worth as much again.
        *work.analysis.prover() = Prover::new(budget).stopping_on(options.stop);
    }
    if work.claims_mate {
        draft.edit(options, |page, edits| solutions::fix(page, &mut work, &mut solution, edits))?;
        if !solution.complete {
            draft.open.insert(0, ALL_SOLUTIONS);
        }
        // All tables are about what follows a solution.
        if draft.puzzle()?.solutions.is_empty() {
            return draft.verified(options);
        }
    }
    if wanted.tables {
        draft.edit(options, |page, edits| tables::fix(page, &mut work, edits))?;
    }
    draft.edit(options, |page, edits| tries::fix(page, &mut work, edits))?;
    if work.claims_mate && n > 1 {
        draft.edit(options, |page, edits| replies::fix(page, &mut work, &solution, wanted.tables, edits))?;
        draft.edit(options, |page, edits| duals::fix(page, &mut work, wanted.duals, edits))?;
        draft.edit(options, |page, edits| set_play::fix(page, &mut work, wanted.set_play, edits))?;
    }
    draft.with_twins(options)
}

/// The question of a puzzle.
struct Work<'a> {
    analysis: Analysis<'a, 'a>,
    claims_mate: bool,
}

impl<'a> Work<'a> {
    fn start(&self) -> &'a Position {
        self.analysis.start()
    }

    /// N of the goal.
    fn n(&self) -> u32 {
        self.analysis.n()
    }

    fn prover(&mut self) -> &mut Prover<'a> {
        self.analysis.prover()
    }

    /// The legal first actions, which the prover pays for.
    fn start_actions(&mut self) -> PaidActions<'a> {
        let start = self.start();
        self.prover().actions(start)
    }

    /// The actions with which the listed lines begin, each once.
    fn listed_keys(&self, page: &Page<'_>) -> Vec<Action> {
        let firsts = page.puzzle.solutions.iter().filter_map(|line| line.value.first());
        let mut keys: Vec<Action> = Vec::new();
        for key in firsts.filter_map(|text| page.texts().action(self.start(), text).ok()) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// The solutions, or the status, if the goal is as claimed. A mate may have more solutions if they are not complete.
    fn solution(&mut self) -> Result<Solution, FixError> {
        let solution = self.analysis.solution().clone();
        let n = self.n();
        match (solution.verdict, self.claims_mate) {
            (Verdict::Undecided, _) => Err(FixError::Undecided("decide the goal")),
            (Verdict::Refuted, true) => {
                let near = solution.near_miss.map(|Try { action, refutation }| {
                    let after = self.analysis.after(std::slice::from_ref(&action));
                    let tried = action_text(self.start(), &action);
                    format!(", for example after {tried} {}", show_defence(&after, &refutation))
                });
                Err(FixError::Claim(format!("there is no mate in {n}{}", near.unwrap_or_default())))
            }
            (Verdict::Proven, false) => {
                Err(self.is_mate("mate", solution.mates_in.unwrap_or(n), solution.soonest.as_ref()))
            }
            (Verdict::Proven, true) if solution.shortest.is_some_and(|shortest| shortest < n) => {
                Err(self.is_mate("mate", solution.shortest.unwrap_or(n), solution.soonest.as_ref()))
            }
            (Verdict::Proven, true) if solution.keys.is_empty() => Err(FixError::Undecided(ALL_SOLUTIONS)),
            _ => Ok(solution),
        }
    }

    /// The claim is wrong, since there is such a mate in `n`, perhaps by a known action.
    fn is_mate(&self, what: &str, n: u32, action: Option<&Action>) -> FixError {
        let by = action.map(|action| format!(": `{}`", action_text(self.start(), action)));
        let goal =
            if self.claims_mate { format!(", so the goal would be `mate-in: {n}`") } else { String::new() };
        FixError::Claim(format!("there is a {what} in {n}{}{goal}", by.unwrap_or_default()))
    }
}

/// The most rounds in which names are spelt right; a field stands in fewer others.
const MOST_LEVELS: usize = 9;

/// The task that is left open where some solutions are known.
const ALL_SOLUTIONS: &str = "find all solutions";

fn spent<E>(_: E) -> FixError {
    FixError::Undecided("fill the tables")
}

/// The text under way.
struct Draft<'a> {
    path: &'a str,
    text: String,
    changes: Vec<String>,
    /// The faults of the text, if they were asked for since the last change.
    findings: Option<Vec<Finding>>,
    /// The tasks for which the budget was too small.
    open: Vec<&'static str>,
}

impl<'a> Draft<'a> {
    /// The text of a document in which nothing is missing but solutions, once its names are spelt right.
    fn of(document: &'a Document) -> Result<Draft<'a>, FixError> {
        let mut draft = Draft {
            path: &document.file.path,
            text: document.text().to_owned(),
            changes: Vec::new(),
            findings: None,
            open: Vec::new(),
        };
        // This asks the document, as a file that is not UTF-8 has another text than its bytes.
        let mut findings = document.puzzle.as_ref().err().cloned().unwrap_or_default();
        // The values of a field are compared once its name is right: a round for each level, one for themes, and one for tabs.
        for _ in 0..MOST_LEVELS {
            if !draft.replace_tabs(&findings) && !draft.respell(&findings) {
                break;
            }
            findings = match load::read_draft(&draft.text) {
                Ok((_, findings)) | Err(findings) => findings,
            };
        }
        match findings.into_iter().find(|finding| finding.code != NO_SOLUTIONS) {
            Some(finding) => Err(finding.into()),
            None => Ok(draft),
        }
    }

    /// Writes blanks for the tabs with which lines begin, if one is said to be wrong. Returns whether there were some.
    fn replace_tabs(&mut self, findings: &[Finding]) -> bool {
        if !findings.iter().any(|finding| finding.message == TAB) {
            return false;
        }
        let blanks = |line: &str| {
            let content = line.trim_start_matches([' ', '\t']);
            line[..line.len() - content.len()].replace('\t', "  ") + content
        };
        let text: String = self.text.split_inclusive('\n').map(blanks).collect();
        let is_changed = text != self.text;
        if is_changed {
            self.changes.push("tabs: written as blanks".to_owned());
            self.text = text;
        }
        is_changed
    }

    /// Writes the names that were probably meant. Returns whether there were some.
    fn respell(&mut self, findings: &[Finding]) -> bool {
        let mut edits = Edits::default();
        for finding in findings {
            if let Some(instead) = &finding.instead {
                let range = finding.span.range();
                let written = self.text.get(range.clone()).unwrap_or_default();
                self.changes.push(format!("{written}: written {instead}"));
                edits.replace(range, &**instead);
            }
        }
        let is_changed = !edits.is_empty();
        self.text = edits.apply(&self.text);
        is_changed
    }

    /// The same with its twins.
    fn with_twins(mut self, options: Options<'_>) -> Result<Option<Fixed>, FixError> {
        for index in 0..self.puzzle()?.twins.len() {
            self.edit(options, |page, edits| twins::fix(page, index, options, edits))?;
        }
        self.verified(options)
    }

    /// The new text, if something was changed and all of it is true. Where something was left open, rows and solutions may be
    /// missing and the answer may be undecided.
    fn verified(mut self, options: Options<'_>) -> Result<Option<Fixed>, FixError> {
        if self.changes.is_empty() {
            return match self.open.first() {
                Some(what) => Err(FixError::Undecided(what)),
                None => Ok(None),
            };
        }
        for fixed in &load::load(self.path, self.text.as_bytes()) {
            let report = verify(fixed, options);
            let expected = |finding: &&Finding| match finding.code {
                "missing-row" => !self.open.is_empty(),
                "unlisted-key" => self.open.contains(&ALL_SOLUTIONS),
                _ => false,
            };
            match (report.answer(), report.findings.iter().find(|finding| !expected(finding))) {
                (Answer::Pass | Answer::Skipped, _) => {}
                (_, Some(finding)) => {
                    return Err(match self.open.first() {
                        Some(what) if finding.code == NO_SOLUTIONS => FixError::Undecided(what),
                        _ => finding.clone().into(),
                    });
                }
                (_, None) if self.open.is_empty() => self.open.push("verify the result"),
                (_, None) => {}
            }
        }
        Ok(Some(Fixed { text: self.text, changes: self.changes, open: self.open }))
    }

    fn document(&self) -> Result<Document, FixError> {
        let first = load::load(self.path, self.text.as_bytes()).into_iter().next();
        first.ok_or_else(|| FixError::Text("the text holds no puzzle".to_owned()))
    }

    /// The puzzle as it is now, even if it lacks solutions.
    fn puzzle(&self) -> Result<Puzzle, FixError> {
        let (puzzle, findings) = load::read_draft(&self.text).map_err(|findings| {
            let messages: Vec<String> = findings.into_iter().map(|finding| finding.message).collect();
            FixError::Text(messages.join("; "))
        })?;
        match findings.into_iter().find(|finding| finding.code != NO_SOLUTIONS) {
            None => Ok(puzzle),
            Some(finding) => Err(finding.into()),
        }
    }

    /// Lets a part of the work make its changes. What the budget is too small for is left as it was.
    fn edit(
        &mut self,
        options: Options<'_>,
        part: impl FnOnce(&Page<'_>, &mut Edits) -> Result<Option<String>, FixError>,
    ) -> Result<(), FixError> {
        let puzzle = self.puzzle()?;
        let findings = match self.findings.take() {
            Some(findings) => findings,
            None => {
                let document = self.document()?;
                document.puzzle.as_ref().map_or_else(|_| Vec::new(), |_| verify(&document, options).findings)
            }
        };
        let yaml = Yaml::of(&self.text);
        let root = yaml.whole().filter(|root| root.is_block()).ok_or_else(|| {
            FixError::Text("only a puzzle whose fields stand on lines of their own can be changed".to_owned())
        })?;
        let mut edits = Edits::default();
        let page = Page { text: &self.text, puzzle: &puzzle, root, findings: &findings };
        let change = match part(&page, &mut edits) {
            Err(FixError::Undecided(what)) => {
                if !self.open.contains(&what) {
                    self.open.push(what);
                }
                self.findings = Some(findings);
                return Ok(());
            }
            change => change?,
        };
        if !edits.is_empty() {
            self.text = edits.apply(&self.text);
            self.changes.extend(change);
        } else {
            self.findings = Some(findings);
        }
        Ok(())
    }
}

/// A puzzle, its text, and what is wrong with it.
struct Page<'a> {
    text: &'a str,
    puzzle: &'a Puzzle,
    root: &'a Node,
    findings: &'a [Finding],
}

impl Page<'_> {
    /// The texts of the document as actions.
    fn texts(&self) -> Texts<'_> {
        Texts(self.text)
    }

    /// The faults within a node.
    fn findings_in<'f>(&'f self, node: &Node) -> impl Iterator<Item = &'f Finding> + use<'f> {
        let range = node.range.clone();
        self.findings.iter().filter(move |finding| range.contains(&finding.span.range().start))
    }

    /// Whether something is wrong inside a node.
    fn is_wrong(&self, node: &Node) -> bool {
        self.findings_in(node).next().is_some()
    }

    /// The key and the value of a field of the puzzle.
    fn field(&self, name: &str) -> Option<(&Node, &Node)> {
        self.root.field(name)
    }

    /// Writes another value for a field: behind the colon, or as lines below it that begin with a line break.
    fn replace_value(&self, key: &Node, value: &Node, by: String, edits: &mut Edits) {
        let gap = self.text[key.range.end..value.range.start]
            .find(':')
            .map_or(value.range.start, |at| key.range.end + at + 1);
        edits.replace(gap..value.range.end, by);
    }

    /// Adds the lines of a field after the nearest field that comes before it in canonical order, or else at the end.
    fn insert_field(&self, name: &str, lines: &str, edits: &mut Edits) {
        let before = fields_before(name).find_map(|name| self.field(name)).map(|(_, value)| value);
        let last = before.or(self.root.pairs().last().map(|(_, value)| value));
        let end = last.map_or(self.text.len(), |value| value.range.end);
        edits.insert_after_line(self.text, end, format!("{name}:{lines}\n"));
    }
}

/// Changes to the parts of a list or mapping.
#[derive(Default)]
struct Change {
    remove: Vec<usize>,
    replace: Vec<(usize, String)>,
    /// New parts, without dashes or indentation; lines after the first are indented already.
    add: Vec<String>,
    /// Whether the new parts come before the last one.
    before_last: bool,
}

impl Change {
    fn is_empty(&self) -> bool {
        self.remove.is_empty() && self.replace.is_empty() && self.add.is_empty()
    }

    /// The changes in words: `1 row added, 2 rows taken out`.
    fn describe(&self, what: &str) -> String {
        let parts =
            [(self.add.len(), "added"), (self.replace.len(), "replaced"), (self.remove.len(), "taken out")];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        parts.map(|(count, done)| format!("{} {done}", counted(*count, what))).collect::<Vec<_>>().join(", ")
    }

    /// Changes the value of a field in the text. A value in brackets is written anew, as a block if its `parent` is one.
    fn apply(mut self, page: &Page<'_>, parent: &Node, key: &Node, value: &Node, edits: &mut Edits) {
        let (mark, parts): (&str, Vec<std::ops::Range<usize>>) = match &value.kind {
            Kind::Sequence(_, items) => ("- ", items.iter().map(|item| item.range.clone()).collect()),
            Kind::Mapping(_, pairs) => {
                ("", pairs.iter().map(|(key, value)| key.range.start..value.range.end).collect())
            }
            Kind::Scalar(..) => ("", Vec::new()),
        };
        let text = page.text;
        let left = parts.len() - self.remove.len() + self.add.len();
        let block = value.is_block();
        if left == 0 {
            edits.replace(value.range.clone(), if mark.is_empty() { "{}" } else { "[]" });
        } else if block && self.remove.len() < parts.len() {
            let indent = " ".repeat(indentation(text, parts[0].start));
            let lines: String = self.add.iter().map(|part| format!("{indent}{mark}{part}\n")).collect();
            self.replace.into_iter().for_each(|(index, by)| edits.replace(parts[index].clone(), by));
            self.remove.iter().for_each(|&index| edits.remove_lines(text, &parts[index]));
            match (lines.is_empty(), parts.last()) {
                (false, Some(last)) if self.before_last => edits.insert_before_line(text, last.start, lines),
                (false, Some(last)) => edits.insert_after_line(text, last.end, lines),
                _ => {}
            }
        } else {
            let mut kept: Vec<String> = Vec::new();
            for (index, range) in parts.into_iter().enumerate() {
                let replaced = self.replace.iter().find(|(other, _)| *other == index);
                if !self.remove.contains(&index) {
                    kept.push(replaced.map_or_else(|| text[range].to_owned(), |(_, by)| by.clone()));
                }
            }
            let at = if self.before_last { kept.len().saturating_sub(1) } else { kept.len() };
            kept.splice(at..at, std::mem::take(&mut self.add));
            if !parent.is_block() {
                let (open, close) = if mark.is_empty() { ("{ ", " }") } else { ("[", "]") };
                edits.replace(value.range.clone(), format!("{open}{}{close}", kept.join(", ")));
                return;
            }
            let indent = " ".repeat(column(text, key.range.start) + 2);
            let lines: Vec<String> = kept.into_iter().map(|part| format!("\n{indent}{mark}{part}")).collect();
            let gap = text[key.range.end..value.range.start]
                .find(':')
                .map_or(value.range.start, |at| key.range.end + at + 1);
            edits.replace(gap..value.range.end, lines.concat());
        }
    }
}

/// The column in which the dashes of a list stand, or would stand in a block.
fn indentation_of_list(page: &Page<'_>, key: &Node, list: &Node) -> usize {
    match list.items().first() {
        Some(first) if list.is_block() => indentation(page.text, first.range.start),
        _ => column(page.text, key.range.start) + 2,
    }
}

/// The number of blanks with which the line of this place begins.
fn indentation(text: &str, at: usize) -> usize {
    let line = &text[at - column(text, at)..];
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "schema: worldlines/puzzle-1\nid: a\ntitle: T\nsource: { from: x }\n";
    const THREE_BOARDS: &str = "start:\n  size: 8x8\n  fen:\n    - \"[1qr1n2k/8/8/8/8/8/4PP2/6K1:-1:1:w]\"\n    - \"[k7/6p1/1K5P/8/8/8/8/6R1:0:1:w]\"\n    \
                                - \"[1qr1n2k/8/8/8/8/8/4PP2/6K1:1:1:w]\"\nrules: { profile: orthodox }\ngoal: { mate-in: 2 }\n";
    const TWO_ROOKS: &str = "start: { size: 4x4, fen: [\"[4/KR1R/4/2k1:0:1:w]\"] }\ngoal: { mate-in: 2 }\n";
    const SURVIVE: &str = "start: { size: 4x4, fen: [\"[4/kr1r/4/2K1:0:1:w]\"] }\ngoal: { survive: 1 }\n";

    /// A small budget leaves the file as it is, or fills in what it suffices for.
    #[test]
    fn no_budget_is_too_small_for_an_answer() {
        let all = Wanted { tables: true, duals: true, set_play: true };
        let (mut open, mut filled) = (0, 0);
        for claim in [THREE_BOARDS, TWO_ROOKS, SURVIVE] {
            let quoted = claim.replace("goal:", "\"goal\":");
            for (index, steps) in
                [1_000, 10_000, 30_000, 40_000, 50_000, 60_000, 200_000].into_iter().enumerate()
            {
                let (text, wanted) =
                    if index % 2 == 0 { (claim, Wanted::default()) } else { (&*quoted, all) };
                let document = load::load("a.yaml", format!("{HEAD}{text}").as_bytes()).remove(0);
                match repair(&document, Options { max_steps: Some(steps), ..Options::default() }, wanted) {
                    Err(FixError::Undecided(_)) => open += 1,
                    Ok(Some(fixed)) => {
                        filled += 1;
                        let again = load::load("a.yaml", fixed.text.as_bytes());
                        assert!(again[0].puzzle.is_ok(), "{steps}: {}", fixed.text);
                    }
                    other => panic!("{steps}: {other:?}"),
                }
            }
        }
        assert!(open > 2 && filled > 5, "{open}, {filled}");
    }

    /// A field comes behind the nearest one that is there, whichever that is.
    #[test]
    fn a_field_has_its_place() {
        let text = format!("{HEAD}budget: {{ nodes: 50000 }}\n{TWO_ROOKS}");
        let document = load::load("a.yaml", text.as_bytes()).remove(0);
        let fixed = fix(&document, Options::default()).unwrap().unwrap().text;
        let fields: Vec<&str> = fixed
            .lines()
            .filter(|line| !line.starts_with(' '))
            .filter_map(|line| line.split(':').next())
            .collect();
        let expected =
            ["schema", "id", "title", "source", "budget", "start", "goal", "solutions", "unique", "replies"];
        assert_eq!(fields, expected, "{fixed}");
    }

    #[test]
    fn names_are_spelt_right_where_they_decide_nothing() {
        let fix_text = |text: &str| fix(&load::load("a.yaml", text.as_bytes()).remove(0), Options::default());
        let text = format!("{HEAD}{TWO_ROOKS}")
            .replace("source: { from", "sorce: { form")
            .replace("goal:", "themes: [\"rok\"]\ngoal:");
        let fixed = fix_text(&text).unwrap().unwrap();
        let again = load::load("a.yaml", fixed.text.as_bytes()).remove(0);
        assert!(again.puzzle.is_ok() && fixed.text.contains("source: { from: x }"), "{}", fixed.text);
        assert!(fixed.text.contains("themes: [rook]"), "{}", fixed.text);
        assert_eq!(
            fixed.changes[..3],
            ["sorce: written source", "form: written from", "\"rok\": written rook"]
        );
        for (right, wrong) in
            [("title", "titel: Two\ntitle"), ("mate-in: 2", "mate-in: 2\nrules: { profile: ortodox }")]
        {
            let refused = fix_text(&format!("{HEAD}{TWO_ROOKS}").replacen(right, wrong, 1));
            assert!(matches!(refused, Err(FixError::Text(_))), "{wrong}: {refused:?}");
        }
    }

    #[test]
    fn tabs_become_blanks() {
        let text = format!("{HEAD}{TWO_ROOKS}unique: true\nbudget:\n\tnodes: 100000\n");
        let document = load::load("a.yaml", text.as_bytes()).remove(0);
        assert!(document.puzzle.is_err());
        let fixed = fix(&document, Options::default()).unwrap().unwrap();
        assert_eq!(fixed.changes[0], "tabs: written as blanks");
        assert!(fixed.text.contains("budget:\n  nodes: 100000\n"), "{}", fixed.text);
    }

    /// A wrong action that the list of replies to the rest does not refute gets a row.
    #[test]
    fn what_the_list_otherwise_does_not_refute_gets_a_row() {
        let text = include_str!("../../../puzzles/two-actions/rook-knight-in-2-9550cfdc.yaml");
        let (begin, rest) = text.split_once("  rows:\n").unwrap();
        let (_, end) = rest.split_once("  otherwise:").unwrap();
        let without = format!("{begin}  rows: {{}}\n  otherwise:{end}");
        let document = load::load("a.yaml", without.as_bytes()).remove(0);
        let fixed = fix(&document, Options::default()).unwrap().unwrap();
        let again = load::load("a.yaml", fixed.text.as_bytes());
        assert_eq!(verify(&again[0], Options::default()).answer(), Answer::Pass, "{}", fixed.text);
        let rows = |text: &str| text.split_once("  otherwise:").unwrap().0.matches("\": \"").count();
        assert_eq!(rows(&fixed.text), rows(text), "{}", fixed.text);
    }

    /// One listed solution is enough while there may be others: the next may hold it as a part.
    #[test]
    fn no_solution_is_added_to_another_before_all_are_known() {
        let text = include_str!("../../../puzzles/rook/rook-tactics-4.yaml");
        let line = "  - [\"(0T2)Rc4c2 (1T2)Ra2c2#\"]\n";
        assert!(text.contains(line));
        let document = load::load("a.yaml", text.replace(line, "").as_bytes()).remove(0);
        for complete in [true, false] {
            let mut draft = Draft::of(&document).unwrap();
            let puzzle = draft.puzzle().unwrap();
            let start = crate::puzzle::start::start(&draft.text, &puzzle).unwrap().end();
            let mut prover = Prover::new(budget_of(&puzzle, Options::default()));
            let mut work = Work { analysis: Analysis::new(&mut prover, &start, 1), claims_mate: true };
            let mut solution = work.solution().unwrap();
            assert!(solution.complete && solution.keys.len() == 2);
            solution.complete = complete;
            draft
                .edit(Options::default(), |page, edits| solutions::fix(page, &mut work, &mut solution, edits))
                .unwrap();
            assert_eq!(draft.text.contains("Rc4c2"), complete, "{}", draft.text);
        }
    }
}
