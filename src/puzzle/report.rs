//! The report of verification, as data and as text. Begin at [`Report`].

use std::fmt::{self, Write};

use super::finding::Finding;
use super::load::{Document, File};
use super::model::Goal;
use crate::notation::{Excerpt, Location, Span, is_hidden, printable};
use crate::types::{RuleProfile, counted};

/// The steps of verification, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Whether the file can be read and says everything that it must.
    WellFormed,
    /// Whether the start position exists and its moves are legal.
    StartLegal,
    /// Whether every action of every line is legal.
    LinesLegal,
    /// Whether the claim is true, and every listed solution achieves it.
    GoalProven,
    /// Whether there is no shorter mate.
    Shortest,
    /// Whether every solution is listed.
    EveryKeyListed,
    /// Whether the tries are legal, distinct, wrong, and as many as their scope says.
    TableComplete,
    /// Whether the reply to every try refutes it.
    TriesRefuted,
    /// Whether the replies cover every defence exactly once, and every answer wins.
    RepliesComplete,
    /// Whether the listed duals are all that there are, if the file lists duals.
    DualsListed,
    /// Whether the set play is right, where there is some.
    SetPlayHolds,
    /// Whether a certificate proves every solution: the one beside the puzzle, or one made from the search.
    CertificateAccepted,
    /// Whether the naive rules say the same, where that was asked for.
    NaiveRulesAgree,
}

impl Step {
    /// The steps of every report, in the order in which they are answered. Some puzzles have further steps.
    pub const ALL: [Step; 10] = [
        Step::WellFormed,
        Step::StartLegal,
        Step::LinesLegal,
        Step::GoalProven,
        Step::Shortest,
        Step::EveryKeyListed,
        Step::TableComplete,
        Step::TriesRefuted,
        Step::RepliesComplete,
        Step::CertificateAccepted,
    ];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Step::WellFormed => "well-formed",
            Step::StartLegal => "start legal",
            Step::LinesLegal => "lines legal",
            Step::GoalProven => "goal proven",
            Step::Shortest => "shortest",
            Step::EveryKeyListed => "every key class listed",
            Step::TableComplete => "table complete",
            Step::TriesRefuted => "every try refuted",
            Step::RepliesComplete => "replies complete",
            Step::DualsListed => "every dual listed",
            Step::SetPlayHolds => "set play holds",
            Step::CertificateAccepted => "certificate accepted",
            Step::NaiveRulesAgree => "naive rules agree",
        }
    }
}

/// The note of a step that is skipped because nothing is searched.
pub(super) const NEEDS_SEARCH: &str = "needs a search";

/// The grounds on which a step passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// The text and the rules: it can be read and played.
    Rules,
    /// The checker of certificates, which does not search, or the line of a helpmate.
    Evidence,
    /// The search alone, at least in part.
    Search,
}

/// The answer to a step of verification. Greater is worse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Answer {
    /// The question was not asked; the note says why.
    Skipped,
    /// Yes.
    Pass,
    /// The budget was spent before the answer was known.
    Undecided,
    /// No.
    Fail,
}

impl Answer {
    /// Every answer, best first.
    pub const ALL: [Answer; 4] = [Answer::Pass, Answer::Fail, Answer::Undecided, Answer::Skipped];

    /// The word in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Answer::Skipped => "skipped",
            Answer::Pass => "pass",
            Answer::Undecided => "undecided",
            Answer::Fail => "fail",
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of verifying one puzzle.
#[derive(Debug)]
pub struct Report<'a> {
    /// The document that was verified.
    pub document: &'a Document,
    /// The answer to every step, with a note; empty after a crash.
    pub steps: Vec<(Step, Answer, String)>,
    /// The faults, in the order of the steps.
    pub findings: Vec<Finding>,
    /// Oddities of the start, although every claim may be true.
    pub warnings: Vec<Finding>,
    /// The rules under which everything was proven; `None` without a legal start.
    pub profile: Option<RuleProfile>,
    /// The number of search steps of the proofs.
    pub nodes: u64,
    /// The number of search steps of the evidence.
    pub evidence_steps: u64,
    /// The steps of which some part rests on the search alone.
    pub search_only: Vec<Step>,
    /// The message of a panic: a bug in this program, whatever the puzzle contains.
    pub crash: Option<String>,
    /// A contradiction between two proofs of this program: also a bug in it.
    pub contradiction: Option<String>,
}

impl<'a> Report<'a> {
    pub(super) fn new(document: &'a Document) -> Report<'a> {
        Report {
            document,
            steps: Vec::new(),
            findings: Vec::new(),
            warnings: Vec::new(),
            profile: None,
            nodes: 0,
            evidence_steps: 0,
            search_only: Vec::new(),
            crash: None,
            contradiction: None,
        }
    }

    /// Ends the report at a step that failed, because the later steps depend on it.
    pub(super) fn stop(&mut self, at: Step, why: &str, findings: Vec<Finding>) {
        let found = counted(findings.len(), "finding");
        self.steps.push((at, Answer::Fail, found));
        let rest = Step::ALL.into_iter().skip_while(|&step| step != at).skip(1);
        self.steps.extend(rest.map(|step| (step, Answer::Skipped, why.to_owned())));
        self.findings.extend(findings);
    }

    /// The grounds on which a step passes; `None` if it did not pass.
    pub fn support(&self, step: Step) -> Option<Support> {
        let passed = |(asked, answer, _): &(Step, Answer, String)| *asked == step && *answer == Answer::Pass;
        self.steps.iter().find(|step| passed(step))?;
        let puzzle = self.document.puzzle.as_ref().ok()?;
        let is_played_out = || puzzle.tries.as_ref().is_some_and(|tries| tries.value.names_every_reply());
        Some(match (step, &puzzle.goal.value) {
            (Step::WellFormed | Step::StartLegal | Step::LinesLegal, _) => Support::Rules,
            (Step::Shortest, Goal::MateIn(n) | Goal::HelpmateIn(n) | Goal::SelfmateIn(n)) if n.value == 1 => {
                Support::Rules
            }
            (Step::TriesRefuted, Goal::MateIn(n)) if n.value == 1 && is_played_out() => Support::Rules,
            _ if self.search_only.contains(&step) => Support::Search,
            _ => Support::Evidence,
        })
    }

    /// The grounds on which the puzzle as a whole passes: the weakest of those of its steps. `None` if it does not pass, or if a step was
    /// left out for want of a search.
    pub fn grounds(&self) -> Option<Support> {
        let is_left_out =
            |(_, answer, note): &(Step, Answer, String)| *answer == Answer::Skipped && note == NEEDS_SEARCH;
        if self.answer() != Answer::Pass || self.steps.iter().any(is_left_out) {
            return None;
        }
        let is_searched = |(step, ..): &(Step, Answer, String)| self.support(*step) == Some(Support::Search);
        Some(if self.steps.iter().any(is_searched) { Support::Search } else { Support::Evidence })
    }

    /// The steps that rest on the search alone, in a line. Empty if there are none.
    pub fn search_only_text(&self) -> String {
        let is_searched = |step: &Step| self.support(*step) == Some(Support::Search);
        let steps = self.steps.iter().map(|(step, ..)| *step).filter(is_searched).map(Step::name);
        let steps: Vec<&str> = steps.collect();
        if steps.is_empty() { String::new() } else { format!("search only: {}\n", steps.join(", ")) }
    }

    /// The worst answer of all steps.
    pub fn answer(&self) -> Answer {
        if self.bug().is_some() {
            return Answer::Fail;
        }
        self.steps.iter().map(|(_, answer, _)| *answer).max().unwrap_or(Answer::Skipped)
    }

    /// A sign that this program is wrong, whatever the puzzle contains: a panic or a contradiction.
    pub fn bug(&self) -> Option<&str> {
        self.crash.as_deref().or(self.contradiction.as_deref())
    }

    /// The line and column of a finding in its file.
    pub fn location(&self, finding: &Finding) -> Location {
        let (file, span) = self.document.place(finding);
        file.location(span.range().start)
    }

    /// The shell command that verifies only this puzzle; with the file of an earlier puzzle that has its id, for the finding about it needs both.
    pub fn rerun(&self) -> String {
        let own = &self.document.file.path;
        let other =
            self.document.repeated_id.iter().map(|repeated| &repeated.first).filter(|path| *path != own);
        let paths: Vec<String> = other.chain([own]).map(|path| path_for_shell(path)).collect();
        let paths = paths.join(" ");
        if self.document.siblings == 1 {
            format!("worldlines verify {paths}")
        } else {
            format!("worldlines verify {paths} --filter {}", for_shell(&format!("={}", self.document.id)))
        }
    }

    /// The steps, one per line, below the name of the puzzle.
    pub fn steps_text(&self) -> String {
        self.steps_that(|_| true)
    }

    /// Like [`Report::steps_text`], but only the steps that failed or are undecided. Steps that were skipped
    /// because another one failed are left out.
    pub fn open_steps_text(&self) -> String {
        self.steps_that(|answer| matches!(answer, Answer::Fail | Answer::Undecided))
    }

    fn steps_that(&self, shown: impl Fn(Answer) -> bool) -> String {
        let Location { line, .. } = self.document.file.location(self.document.start());
        let (id, path) = (printable(&self.document.id), printable(&self.document.file.path));
        let mut out = format!("{id} ({path}:{line})\n");
        for (step, answer, note) in self.steps.iter().filter(|(_, answer, _)| shown(*answer)) {
            let only = if self.support(*step) == Some(Support::Search) { " (search only)" } else { "" };
            let text = format!("  {:<22}  {answer:<9}  {note}{only}", step.name());
            out.push_str(text.trim_end());
            out.push('\n');
        }
        if self.crash.is_some() {
            out.push_str("  worldlines crashed here\n");
        }
        if self.contradiction.is_some() {
            out.push_str("  worldlines contradicts itself here\n");
        }
        out
    }

    /// The findings and warnings with their excerpts and boards, and the command to verify this puzzle again.
    /// Empty if there are none.
    pub fn findings_text(&self) -> String {
        let mut out = String::new();
        for finding in &self.findings {
            let _ = writeln!(out, "{}", self.document.show("error", finding));
        }
        for warning in &self.warnings {
            let _ = writeln!(out, "{}", self.document.show("warning", warning));
        }
        if let Some(message) = self.bug() {
            let (id, message) = (printable(&self.document.id), printable(message));
            let _ = writeln!(out, "error: a bug in worldlines, not in the puzzle `{id}`: {message}");
        }
        if !out.is_empty() {
            let _ = writeln!(out, "run again: {}", self.rerun());
        }
        out
    }
}

impl Document {
    /// The file that a finding is about, and the span in it.
    pub fn place(&self, finding: &Finding) -> (&File, Span) {
        match &self.certificate {
            Some(certificate) if finding.in_certificate => (certificate, finding.span),
            _ => (&self.file, self.in_file(finding.span)),
        }
    }

    /// A finding with its excerpt of the file and its boards. `level` is `error` or `warning`.
    pub fn show(&self, level: &str, finding: &Finding) -> String {
        let (file, span) = self.place(finding);
        let excerpt = Excerpt {
            name: &file.path,
            source: file.source(),
            span,
            title: format!("{level}[{}]: {}", finding.code, finding.message),
            notes: finding.lines(),
        };
        let mut text = format!("{excerpt}\n");
        if let Some(boards) = &finding.boards {
            let _ = writeln!(text, "\n{}", boards.trim_end());
        }
        text
    }
}

/// A path quoted for a shell. A name that begins with a hyphen would be taken for an option.
fn path_for_shell(path: &str) -> String {
    let here = if path.starts_with('-') && path != "-" { "./" } else { "" };
    for_shell(&format!("{here}{path}"))
}

/// A word quoted for a shell, if it needs quotes. Invisible characters are written as the octal numbers of
/// their bytes, which needs a shell that knows `$'…'`.
fn for_shell(word: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | ',' | '+' | '@' | '%');
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if !word.chars().any(is_hidden) {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut quoted = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if is_hidden(c) => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

#[cfg(test)]
mod tests {
    use super::{Step, Support, for_shell};
    use crate::puzzle::{Options, load, refuse_repeated_ids, verify};

    /// The support of a step of the first puzzle of a text.
    fn support(text: &str, step: Step) -> Option<Support> {
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        verify(&document, Options::default()).support(step)
    }

    #[test]
    fn a_step_of_which_a_part_is_searched_rests_on_the_search() {
        let (fields, one) = (
            include_str!("../../corpus/puzzles/good/every-field.yaml"),
            include_str!("../../puzzles/from-games/rook-in-1-8432.yaml"),
        );
        let survive = include_str!("../../corpus/puzzles/good/survive.yaml");
        let reply = "\"(0T2)Nc4a3\"";
        let mates = survive.replace(reply, &format!("{{ reply: {reply}, refutations: 5 }}"));
        let tried = |reply: &str| {
            let (before, _) = one.split_once("tries:").expect("tries");
            format!("{before}tries: {{ scope: plausible, rows: {{ \"(0T1)Rb1a1\": {reply} }} }}\n")
        };
        let named = tried("\"(0T1)Wa3a2\"");
        let numbered = tried("{ reply: \"(0T1)Wa3a2\", refutations: 2 }");
        let rests = [
            (fields, Step::LinesLegal, Support::Rules),
            (fields, Step::GoalProven, Support::Evidence),
            (fields, Step::Shortest, Support::Evidence),
            (fields, Step::EveryKeyListed, Support::Evidence),
            (fields, Step::TableComplete, Support::Evidence),
            (fields, Step::TriesRefuted, Support::Evidence),
            (fields, Step::RepliesComplete, Support::Evidence),
            (fields, Step::DualsListed, Support::Evidence),
            (fields, Step::SetPlayHolds, Support::Evidence),
            (fields, Step::CertificateAccepted, Support::Evidence),
            (&mates, Step::GoalProven, Support::Evidence),
            (&mates, Step::TriesRefuted, Support::Search),
            (&named, Step::TriesRefuted, Support::Rules),
            (&numbered, Step::TriesRefuted, Support::Evidence),
            (one, Step::TriesRefuted, Support::Evidence),
        ];
        for (text, step, rests_on) in rests {
            assert_eq!(support(text, step), Some(rests_on), "{} of {text}", step.name());
        }
    }

    /// A claim of *no* passes without evidence, and the report says so.
    #[test]
    fn with_little_for_evidence_the_search_alone_denies() {
        let text = include_str!("../../puzzles/small/rook-from-the-past.yaml");
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        let poor = verify(&document, Options { evidence: 150, ..Options::default() });
        assert_eq!(poor.support(Step::EveryKeyListed), Some(Support::Search));
        assert_eq!(poor.grounds(), Some(Support::Search));
        assert!(poor.search_only_text().starts_with("search only: every key class listed, table complete"));
        let rich = verify(&document, Options::default());
        assert_eq!((rich.grounds(), rich.search_only_text()), (Some(Support::Evidence), String::new()));
        let quick = verify(&document, Options { quick: true, ..Options::default() });
        assert_eq!(quick.grounds(), None, "there is no certificate");
    }

    /// The search alone says that there is a helpmate at all.
    #[test]
    fn without_a_legal_line_a_helpmate_has_no_evidence() {
        let text = include_str!("../../corpus/puzzles/good/helpmate.yaml");
        assert_eq!(support(text, Step::GoalProven), Some(Support::Evidence));
        let illegal = text.replace("Kb1a2", "Kb1d1");
        assert_eq!(support(&illegal, Step::GoalProven), None);
    }

    /// A fault that two files have together does not show in one of them.
    #[test]
    fn a_repeated_id_is_verified_again_with_both_files() {
        let text = include_str!("../../puzzles/small/rook-from-the-past.yaml");
        let mut documents: Vec<_> =
            ["p/a.yaml", "p/-b.yaml"].iter().flat_map(|path| load(path, text.as_bytes())).collect();
        refuse_repeated_ids(&mut documents);
        let again = |document| verify(document, Options { quick: true, ..Options::default() }).rerun();
        assert_eq!(again(&documents[0]), "worldlines verify p/a.yaml");
        assert_eq!(again(&documents[1]), "worldlines verify p/a.yaml p/-b.yaml");
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let cases = [
            ("puzzles/rook/rook-tactics-4.yaml", "puzzles/rook/rook-tactics-4.yaml"),
            ("dérivé/例.yaml", "dérivé/例.yaml"),
            ("my puzzle.yaml", "'my puzzle.yaml'"),
            ("=id", "'=id'"),
            ("a$(b)`c`\"d\\;e", "'a$(b)`c`\"d\\;e'"),
            ("it's", r"'it'\''s'"),
            ("a\u{a0}b", "'a\u{a0}b'"),
            ("a\x1b[1m\n'\\", r"$'a\033[1m\012\'\\'"),
            ("\u{202e}1", r"$'\342\200\2561'"),
            ("", "''"),
        ];
        for (word, quoted) in cases {
            assert_eq!(for_shell(word), quoted);
        }
    }
}
