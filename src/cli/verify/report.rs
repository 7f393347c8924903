//! The report of `worldlines verify`: as JSON, and its last line as text.

use serde::Serialize;

use super::super::json::Head;
use super::fix::Fix;
use worldlines::puzzle::{Answer, Finding, Report, Support};
use worldlines::types::counted;

pub const SCHEMA: &str = "worldlines/verify-1";

/// The results of verifying puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Json<'a> {
    #[serde(flatten)]
    pub head: Head<Run<'a>>,
    /// The changes of `--fix` and `--certify`, and the reasons for those that failed.
    pub fixes: Vec<Fix>,
    pub puzzles: Vec<JsonPuzzle<'a>>,
    pub summary: Summary,
}

/// The settings on which the answers depend, besides the puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run<'a> {
    /// The version of worldlines.
    pub version: &'static str,
    /// The terms of `--filter`.
    pub filter: &'a str,
    /// The search steps of `--budget`.
    pub budget: Option<u64>,
    /// The seconds of `--time`.
    pub time: Option<f64>,
    /// The mebibytes of `--memory`.
    pub memory: u64,
    /// The search steps of `--evidence-budget`.
    pub evidence_budget: u64,
    pub quick: bool,
    pub paranoid: bool,
    pub strict: bool,
}

/// The result of verifying a puzzle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JsonPuzzle<'a> {
    /// Its number among all puzzles that were read, from 1.
    index: usize,
    id: &'a str,
    file: &'a str,
    /// The worst answer of its steps.
    answer: JsonAnswer,
    steps: Vec<JsonStep<'a>>,
    /// The faults of the puzzle.
    findings: Vec<JsonFinding<'a>>,
    /// Oddities of the start, although every claim may be true.
    warnings: Vec<JsonFinding<'a>>,
    /// The rules in force; `null` without a legal start.
    rules: Option<String>,
    /// The pieces that pawns and brawns may become; `null` without a legal start.
    promotions: Option<String>,
    /// The number of search steps of the proofs.
    search_steps: u64,
    /// The number of search steps of the evidence.
    evidence_steps: u64,
    /// The command that verifies this puzzle again, for a shell.
    rerun: String,
    /// A bug in worldlines: the message of a panic.
    crash: Option<&'a str>,
    /// A bug in worldlines: two opinions that contradict each other.
    contradiction: Option<&'a str>,
}

/// The answer to a step.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum JsonAnswer {
    Pass,
    Fail,
    /// A limit ended the search first.
    Undecided,
    /// The step does not concern this puzzle, or an earlier one failed.
    Skipped,
}

impl From<Answer> for JsonAnswer {
    fn from(answer: Answer) -> JsonAnswer {
        match answer {
            Answer::Pass => JsonAnswer::Pass,
            Answer::Fail => JsonAnswer::Fail,
            Answer::Undecided => JsonAnswer::Undecided,
            Answer::Skipped => JsonAnswer::Skipped,
        }
    }
}

/// The grounds on which a step passes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum JsonSupport {
    /// The text and the rules: it can be read and played.
    Rules,
    /// Certificates of mates, which the checker accepted.
    Evidence,
    /// The search alone.
    Search,
}

impl From<Support> for JsonSupport {
    fn from(support: Support) -> JsonSupport {
        match support {
            Support::Rules => JsonSupport::Rules,
            Support::Evidence => JsonSupport::Evidence,
            Support::Search => JsonSupport::Search,
        }
    }
}

/// A step of the verification.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct JsonStep<'a> {
    /// Its name, from the list in `spec/puzzle-files.md`.
    step: &'static str,
    answer: JsonAnswer,
    /// The grounds on which the step passes; `null` if it did not pass.
    rests_on: Option<JsonSupport>,
    /// More about the answer, for people.
    note: &'a str,
}

/// A fault or an oddity of a puzzle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct JsonFinding<'a> {
    /// A stable name for its kind.
    code: &'static str,
    /// The message, for people.
    message: &'a str,
    /// The file that it is about: that of the puzzle, or of its certificate.
    file: &'a str,
    /// The line of the file, from 1.
    line: usize,
    /// The character of the line, from 1.
    column: usize,
    /// Notes: the expected text, the truth, or a hint.
    notes: Vec<String>,
    /// A drawing of the boards that it is about.
    boards: Option<&'a str>,
}

pub fn json<'a>(index: usize, report: &'a Report<'a>) -> JsonPuzzle<'a> {
    JsonPuzzle {
        index,
        id: &report.document.id,
        file: &report.document.file.path,
        answer: report.answer().into(),
        steps: report
            .steps
            .iter()
            .map(|(step, answer, note)| {
                let rests_on = report.support(*step).map(JsonSupport::from);
                JsonStep { step: step.name(), answer: (*answer).into(), rests_on, note }
            })
            .collect(),
        findings: report.findings.iter().map(|finding| json_finding(report, finding)).collect(),
        warnings: report.warnings.iter().map(|warning| json_finding(report, warning)).collect(),
        rules: report.profile.map(|profile| profile.to_string()),
        promotions: report.profile.map(|profile| profile.promotions.to_string()),
        search_steps: report.nodes,
        evidence_steps: report.evidence_steps,
        rerun: report.rerun(),
        crash: report.crash.as_deref(),
        contradiction: report.contradiction.as_deref(),
    }
}

fn json_finding<'a>(report: &'a Report<'a>, finding: &'a Finding) -> JsonFinding<'a> {
    let location = report.location(finding);
    JsonFinding {
        code: finding.code,
        message: &finding.message,
        file: &report.document.place(finding).0.path,
        line: location.line,
        column: location.column,
        notes: finding.lines(),
        boards: finding.boards.as_deref(),
    }
}

/// The number of puzzles, and the numbers of answers of each kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    puzzles: usize,
    pass: usize,
    fail: usize,
    undecided: usize,
    /// Warnings about start positions.
    warnings: usize,
    /// Puzzles that the filter left out.
    filtered: usize,
    /// Puzzles that pass, every claim with evidence.
    by_evidence: usize,
    /// Puzzles that pass, some claim on the word of the search alone.
    by_search: usize,
    /// Puzzles that pass, some claim left out because it needs a search.
    left_out: usize,
    steps: Steps,
}

/// The number of steps with each answer.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Steps {
    pass: usize,
    fail: usize,
    undecided: usize,
    skipped: usize,
}

impl Summary {
    pub fn of(reports: &[Report<'_>], filtered: usize) -> Summary {
        let mut steps = Steps::default();
        for (_, answer, _) in reports.iter().flat_map(|report| &report.steps) {
            *match answer {
                Answer::Pass => &mut steps.pass,
                Answer::Fail => &mut steps.fail,
                Answer::Undecided => &mut steps.undecided,
                Answer::Skipped => &mut steps.skipped,
            } += 1;
        }
        let count = |wanted: Answer| reports.iter().filter(|report| report.answer() == wanted).count();
        let pass = count(Answer::Pass);
        let resting_on = |grounds| reports.iter().filter(|report| report.grounds() == Some(grounds)).count();
        let (by_evidence, by_search) = (resting_on(Support::Evidence), resting_on(Support::Search));
        Summary {
            by_evidence,
            by_search,
            left_out: pass - by_evidence - by_search,
            puzzles: reports.len(),
            pass,
            fail: count(Answer::Fail),
            undecided: count(Answer::Undecided),
            warnings: reports.iter().map(|report| report.warnings.len()).sum(),
            filtered,
            steps,
        }
    }

    /// The numbers on one line, for people.
    pub fn text(&self, verbose: bool) -> String {
        let Summary { puzzles, pass, fail, undecided, warnings, filtered, steps, .. } = self;
        let all = counted(*puzzles, "puzzle");
        let mut text = format!("{all}: {pass} pass, {fail} fail, {undecided} undecided");
        if *warnings > 0 {
            text += &format!(", {}", counted(*warnings, "warning"));
        }
        if *filtered > 0 {
            text += &format!(" ({filtered} filtered out)");
        }
        if *pass > 0 {
            text += &format!("; every claim by evidence: {}", self.by_evidence);
        }
        if self.by_search > 0 {
            text += &format!(", part by search only: {}", self.by_search);
        }
        if self.left_out > 0 {
            text += &format!(", part not asked without a search: {}", self.left_out);
        }
        if verbose {
            let Steps { pass, fail, undecided, skipped } = steps;
            text += &format!("; steps: {pass} pass, {fail} fail, {undecided} undecided, {skipped} skipped");
        }
        text
    }
}
