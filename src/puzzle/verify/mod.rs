//! Checks whether all claims of a puzzle are true.
//!
//! All proofs of one puzzle are made by one thread, one after another, out of one budget of steps: the report of a
//! puzzle depends on its document and the options alone.

mod certificate;
mod defence;
mod duals;
mod goal;
mod helpmate;
mod replies;
mod selfmate;
mod tables;
mod tries;
#[cfg(feature = "slow-rules")]
pub(crate) mod twin;
mod wrong_answers;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use super::certificate::NoMate;
use super::finding::Finding;
use super::lint::{lint, mover};
use super::load::{Document, File};
use super::model::{DEFAULT_NODES, Goal, Puzzle, Spanned};
use super::report::{Answer, NEEDS_SEARCH, Report, Step};
use super::resolve::{Played, Texts};
use super::start::start;
use crate::notation::{Location, Span, pgn5d};
use crate::render::{Frame, text as draw};
use crate::rules::Outcome;
use crate::search::certificate::RefutationTable;
use crate::search::{
    Analysis, Budget, Defence, Helpmates, Prover, Selfmates, Solution, Verdict, cost_of_size,
};
use crate::state::Position;
use crate::types::{Action, Because, RuleProfile, Status, Undecided, counted};
use certificate::{Certified, Shown};
use defence::Defences;
pub(super) use helpmate::MOST as MOST_HELPMATES;
use tables::NOT_SEARCHED;

/// The questions to ask, and the work that they may take.
#[derive(Clone, Copy, Debug)]
pub struct Options<'s> {
    /// Whether to check only what needs no search: lines, tables, and what a certificate shows.
    pub quick: bool,
    /// The most search steps that the proofs of one puzzle may take, whatever its file says.
    pub max_steps: Option<u64>,
    /// The most bytes that the proofs of one puzzle may remember.
    pub memory: u64,
    /// The most search steps for the evidence of one puzzle: see [`Budget::evidence`]. Its file has no say in it.
    pub evidence: u64,
    /// Whether to ask the naive rules too, where that is possible: they try everything. Needs the feature `slow-rules`.
    pub paranoid: bool,
    /// Leaves everything undecided that is not decided by the time this is true. Another thread may set it.
    pub stop: Option<&'s AtomicBool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            quick: false,
            max_steps: None,
            memory: Budget::default().memory,
            evidence: Budget::default().evidence,
            paranoid: false,
            stop: None,
        }
    }
}

/// Verifies one puzzle. A panic on the way becomes part of the report.
pub fn verify<'a>(document: &'a Document, options: Options<'_>) -> Report<'a> {
    catch_unwind(AssertUnwindSafe(|| answer_all(document, options))).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Report { crash: Some(message.to_owned()), ..Report::new(document) }
    })
}

fn answer_all<'a>(document: &'a Document, options: Options<'_>) -> Report<'a> {
    let mut report = Report::new(document);
    let puzzle = match &document.puzzle {
        Ok(puzzle) => puzzle,
        Err(findings) => {
            report.stop(Step::WellFormed, "not well-formed", findings.clone());
            return report;
        }
    };
    report.findings.extend(document.repeated_id.as_ref().map(|repeated| repeated.finding.clone()));
    report.steps.push(match report.findings.len() {
        0 => (Step::WellFormed, Answer::Pass, String::new()),
        found => (Step::WellFormed, Answer::Fail, counted(found, "finding")),
    });
    let game = match start(document.text(), puzzle) {
        Ok(game) => game,
        Err(finding) => {
            report.stop(Step::StartLegal, "no legal start", vec![finding]);
            return report;
        }
    };
    let (start, actions) = (game.end(), game.actions.len());
    let boards = start.multiverse().count();
    let mut note = format!("{}, {} to move", counted(boards, "board"), start.to_move());
    if actions > 0 {
        note += &format!(" after {}", counted(actions, "action"));
    }
    if start.profile().to_string() != RuleProfile::default().to_string() {
        note += &format!(", rules: {}", start.profile());
    }
    report.profile = Some(start.profile());
    report.steps.push((Step::StartLegal, Answer::Pass, note));

    let mut prover = prover_of(puzzle, options);
    let mut asking = Verification::new(document, puzzle, &start, options, &mut prover);
    for (step, question) in questions(puzzle, options) {
        if !matches!(step, Step::CertificateAccepted | Step::NaiveRulesAgree) && asking.goal_is_false() {
            report.steps.push((step, Answer::Skipped, GOAL_IS_FALSE.to_owned()));
            continue;
        }
        let before = asking.findings.len();
        asking.search_only = false;
        let (answer, note) = question(&mut asking);
        report.search_only.extend(asking.search_only.then_some(step));
        let found = asking.findings.len() - before;
        report.steps.push(match found {
            0 => (step, answer, note),
            _ => (step, Answer::Fail, counted(found, "finding")),
        });
    }
    asking.conclude(&mut report);
    report
}

/// Why the lines and tables of a false goal are not looked at: all of them are about that goal, and one finding says enough.
const GOAL_IS_FALSE: &str = "the goal is false";

/// The most wrong actions whose replies a certificate proves one by one.
const MOST_DENIED: usize = 500;

/// The content of a certificate besides its keys, as far as there is evidence.
#[derive(Default)]
pub(super) struct Content {
    /// The mates that the puzzle denies.
    pub no: Vec<NoMate>,
    /// The replies that show it.
    pub refutations: RefutationTable,
    /// Answers that mate after a line, each with the number of actions in which it must.
    pub answers: Vec<(Vec<Action>, Action, u32)>,
}

/// The content that a certificate of a puzzle can have besides its keys.
pub(super) fn content(document: &Document, options: Options<'_>) -> Content {
    let Ok(puzzle) = &document.puzzle else { return Content::default() };
    let Ok(game) = start(document.text(), puzzle) else { return Content::default() };
    let start = game.end();
    let mut prover = prover_of(puzzle, options);
    let mut asking = Verification::new(document, puzzle, &start, options, &mut prover);
    let mut no = Vec::new();
    for (step, question) in questions(puzzle, options) {
        asking.search_only = false;
        let passed = question(&mut asking).0 == Answer::Pass && asking.findings.is_empty();
        let length = puzzle.goal.value.length().filter(|_| passed && !asking.search_only);
        let claim = match (step, length) {
            (Step::Shortest, Some(n)) if n > 1 => Some((n - 1, false)),
            (Step::GoalProven, Some(n)) if matches!(puzzle.goal.value, Goal::NoMateIn(_)) => Some((n, false)),
            (Step::EveryKeyListed, Some(n)) if matches!(puzzle.goal.value, Goal::MateIn(_)) => {
                Some((n, true))
            }
            _ => None,
        };
        no.extend(claim.map(|(mate_in, but_keys)| NoMate { after: Vec::new(), mate_in, but_keys }));
    }
    let lines = std::mem::take(&mut asking.denied_lines).into_iter().take(MOST_DENIED);
    no.extend(lines.map(|(after, mate_in)| NoMate { after, mate_in, but_keys: false }));
    let answers = match puzzle.goal.value {
        Goal::MateIn(_) => asking.all_mating_answers(),
        _ => Vec::new(),
    };
    Content { no, refutations: asking.analysis.prover.refutation_table().fresh(), answers }
}

/// The most that the proofs of a puzzle may cost: the budget of its file, as far as the options allow.
pub(super) fn budget_of(puzzle: &Puzzle, options: Options<'_>) -> Budget {
    let nodes = puzzle.budget.nodes.as_ref().map_or(DEFAULT_NODES, |nodes| nodes.value);
    let steps = options.max_steps.map_or(nodes, |most| nodes.min(most));
    Budget { steps, memory: options.memory, evidence: options.evidence }
}

/// The prover of a puzzle, which notes contradictions.
fn prover_of<'s>(puzzle: &Puzzle, options: Options<'s>) -> Prover<'s> {
    Prover::new(budget_of(puzzle, options)).stopping_on(options.stop).noting()
}

type Question<'a> = fn(&mut Verification<'a>) -> StepResult;

/// The questions about a puzzle with a legal start, in the order in which later questions use earlier answers.
fn questions<'a>(puzzle: &Puzzle, options: Options<'_>) -> Vec<(Step, Question<'a>)> {
    let mut asked: Vec<(Step, Question<'a>)> = vec![
        (Step::LinesLegal, Verification::lines_legal),
        (Step::GoalProven, Verification::goal_proven),
        (Step::Shortest, Verification::shortest),
        (Step::EveryKeyListed, Verification::every_key_listed),
        (Step::TableComplete, Verification::table_complete),
        (Step::TriesRefuted, Verification::tries_refuted),
        (Step::RepliesComplete, Verification::replies_complete),
    ];
    if puzzle.duals.is_some() {
        asked.push((Step::DualsListed, Verification::duals_listed));
    }
    if !puzzle.set_play.is_empty() {
        asked.push((Step::SetPlayHolds, Verification::set_play_holds));
    }
    asked.push((Step::CertificateAccepted, Verification::certificate_accepted));
    asked.extend(naive_rules(options));
    asked
}

/// The step of the naive rules, if it is wanted.
#[cfg(feature = "slow-rules")]
fn naive_rules<'a>(options: Options<'_>) -> Option<(Step, Question<'a>)> {
    options.paranoid.then_some((Step::NaiveRulesAgree, Verification::naive_rules_agree))
}

/// Built without the naive rules, so they cannot be asked.
#[cfg(not(feature = "slow-rules"))]
fn naive_rules<'a>(_: Options<'_>) -> Option<(Step, Question<'a>)> {
    None
}

/// The result of a question that has added no finding; a question that has added some has failed.
type StepResult = (Answer, String);

fn pass(note: impl Into<String>) -> StepResult {
    (Answer::Pass, note.into())
}

fn skipped(why: &str) -> StepResult {
    (Answer::Skipped, why.to_owned())
}

/// A puzzle that is being verified: what it says, and what has been found out so far.
struct Verification<'a> {
    puzzle: &'a Puzzle,
    certificate: Option<&'a File>,
    texts: Texts<'a>,
    document: &'a Document,
    quick: bool,
    /// The steps that all answers may cost together.
    budget: u64,
    /// The analysis of the goal in the start, with the prover that pays for everything.
    analysis: Analysis<'a, 'a>,
    start: &'a Position,
    /// The solutions whose actions are all legal.
    lines: Vec<Line<'a>>,
    /// Their first actions.
    keys: BTreeSet<Action>,
    /// The result of the search from the start, when it was asked and could decide.
    solution: Option<Solution>,
    /// For a goal of the defender: what survives, when that was asked and decided.
    defences: Option<Defences>,
    /// For a goal of both players: the helpmates that there are.
    helpmates: Option<Helpmates>,
    /// For a selfmate: what forces it, if that was decided.
    selfmates: Option<Selfmates>,
    /// Whether a part of the current step rests on the search alone.
    search_only: bool,
    /// Whether there is evidence of which first actions reach the goal.
    solutions_evident: bool,
    /// The mates that there are, and that there are not, as the certificate beside the puzzle shows.
    shown: Shown,
    /// The lines after which the goal was denied.
    denied_lines: Vec<(Vec<Action>, u32)>,
    /// The answers that mate after a line, each with the number of actions in which it must.
    mating_answers: BTreeMap<Vec<Action>, BTreeMap<Action, u32>>,
    /// The tries that are legal and do not mate.
    tries: Vec<Try<'a>>,
    findings: Vec<Finding>,
    /// Whether every legal action was seen that belongs to a class of tries.
    classes_seen: bool,
    /// Why the search did not decide the goal.
    open: Option<Undecided>,
    /// The evidence for the keys, once the goal was asked.
    certified: Option<Certified>,
    /// The contradiction between two ways to find something out.
    contradiction: Option<String>,
    /// The positions that were drawn, each with its heading.
    drawn: Vec<(Position, String)>,
}

#[derive(Clone)]
struct Line<'a> {
    written: &'a [Spanned<String>],
    actions: Vec<Action>,
}

struct Try<'a> {
    reply: &'a Spanned<String>,
    /// The number of replies that refute it, if the row has one.
    count: Option<&'a Spanned<u64>>,
    action: Action,
}

impl<'a> Verification<'a> {
    /// Whether a finding says that the goal itself is false, whatever the lines and tables say.
    fn goal_is_false(&self) -> bool {
        let count = self.puzzle.goal.value.count();
        count.is_some_and(|n| {
            self.findings.iter().any(|finding| finding.span == n.span && !finding.in_certificate)
        })
    }

    fn new(
        document: &'a Document,
        puzzle: &'a Puzzle,
        start: &'a Position,
        options: Options<'a>,
        prover: &'a mut Prover<'a>,
    ) -> Verification<'a> {
        let budget = budget_of(puzzle, options);
        let n = puzzle.goal.value.length().unwrap_or(1);
        Verification {
            puzzle,
            certificate: document.certificate.as_deref(),
            texts: Texts(document.text()),
            document,
            quick: options.quick,
            budget: budget.steps,
            analysis: Analysis::new(prover, start, n),
            start,
            lines: Vec::new(),
            keys: BTreeSet::new(),
            solution: None,
            defences: None,
            helpmates: None,
            selfmates: None,
            search_only: false,
            solutions_evident: false,
            shown: Shown::default(),
            denied_lines: Vec::new(),
            mating_answers: BTreeMap::new(),
            tries: Vec::new(),
            classes_seen: false,
            open: None,
            certified: None,
            contradiction: None,
            findings: Vec::new(),
            drawn: Vec::new(),
        }
    }

    fn lines_legal(&mut self) -> StepResult {
        if let Err(why) = self.comments_legal() {
            return self.undecided(why);
        }
        let written = &self.puzzle.solutions;
        if written.is_empty() {
            return skipped("no lines");
        }
        let mut first: BTreeMap<Vec<Action>, Span> = BTreeMap::new();
        for line in written {
            if let Err(why) = self.pay_for_reading(self.start) {
                return self.undecided(why);
            }
            let Some((actions, _)) = self.play_line(self.start, &line.value) else { continue };
            if let Some(&earlier) = first.get(&actions) {
                let note = self.first_is(earlier);
                self.findings
                    .push(Finding::new("repeated-line", line.span, "this line is listed twice").note(note));
            } else {
                first.insert(actions.clone(), line.value[0].span);
                self.keys.insert(actions[0].clone());
                self.lines.push(Line { written: &line.value, actions });
            }
        }
        pass(counted(written.len(), "line"))
    }

    /// Whether every comment is about actions that can be played.
    fn comments_legal(&mut self) -> Result<(), Undecided> {
        for comment in &self.puzzle.comments {
            self.pay_for_reading(self.start)?;
            self.play_line(self.start, &comment.value.after);
        }
        Ok(())
    }

    /// Pays for reading an action of the file, which is free on the boards of most games: it is looked for on all of them.
    fn pay_for_reading(&mut self, position: &Position) -> Result<(), Undecided> {
        self.analysis.prover.charge(cost_of_size(position))
    }

    /// Plays an action of the file. When it cannot be read or is not legal, that is a finding.
    fn play(&mut self, position: &mut Position, written: &Spanned<String>) -> Option<Action> {
        match self.texts.action(position, written) {
            Ok(action) => {
                position.play_unchecked(&action);
                Some(action)
            }
            Err(finding) => {
                self.add_with_boards(finding, "Before this action", position);
                None
            }
        }
    }

    /// Plays a line of the file. An action that cannot be read or is not legal is a finding.
    fn play_line(&mut self, from: &Position, written: &[Spanned<String>]) -> Option<(Vec<Action>, Position)> {
        let Played { actions, end, illegal } = self.texts.line(from, written);
        match illegal {
            None => Some((actions, end)),
            Some(finding) => {
                self.add_with_boards(finding, "Before this action", &end);
                None
            }
        }
    }

    /// Adds to the report all that was noted beside the answers of the steps.
    fn conclude(mut self, report: &mut Report<'_>) {
        self.compare_table(report);
        let prover = (!self.quick).then_some(&mut *self.analysis.prover);
        report.warnings = lint(self.puzzle, self.start, prover);
        report.findings.extend(self.findings);
        let noted = self.analysis.prover.contradiction().map(ToString::to_string);
        report.contradiction = self.contradiction.or(noted);
        report.nodes = self.analysis.prover.steps().min(self.budget);
        report.evidence_steps = self.analysis.prover.evidence_steps();
    }

    /// A table that answers every defence proves a mate; the search must not have refuted it.
    fn compare_table(&mut self, report: &Report<'_>) {
        let answered = report
            .steps
            .iter()
            .any(|(step, answer, _)| *step == Step::RepliesComplete && *answer == Answer::Pass);
        let refuted = self.solution.as_ref().is_some_and(|solution| solution.verdict == Verdict::Refuted);
        if answered && refuted {
            let what = "the replies answer every defence, and the search says that there is no mate";
            self.contradiction.get_or_insert_with(|| what.to_owned());
        }
    }

    /// Asks for evidence that the player to move has no mate in `n`, in which the search has found none. Without it the step rests on the
    /// search alone.
    ///
    /// # Errors
    ///
    /// When there was no search either.
    fn deny(&mut self, position: &Position, n: u32) -> Result<(), Undecided> {
        let is_evident = self.is_evidently_denied(position, n);
        if self.quick && !is_evident {
            return Err(NOT_SEARCHED);
        }
        self.search_only |= !is_evident;
        Ok(())
    }

    /// Whether there is evidence that the player to move has no mate in `n`. It is made if a search may be asked.
    fn is_evidently_denied(&mut self, position: &Position, n: u32) -> bool {
        n == 0
            || self.shown.denies(position, n)
            || if self.quick {
                self.analysis.prover.is_denied(position, n, &[])
            } else {
                self.analysis.prover.deny(position, n, &[]).is_ok()
            }
    }

    /// The state of the game, found with the rest of the budget.
    fn outcome(&mut self, position: &Position) -> Result<Outcome, Undecided> {
        let outcome = position.outcome_within(self.analysis.prover.limit());
        self.analysis.prover.charge_for(outcome.map(|outcome| {
            let steps = outcome.steps;
            (outcome, steps)
        }))
    }

    /// The first action of every line, each once, with the place where it is written first.
    fn listed(&self) -> Vec<(&'a Spanned<String>, Action)> {
        let mut seen = BTreeSet::new();
        let firsts = self.lines.iter().map(|line| (&line.written[0], line.actions[0].clone()));
        firsts.filter(|(_, action)| seen.insert(action.clone())).collect()
    }

    /// Whether an action solves the puzzle: as the search says, or else as the file says.
    fn is_key(&self, action: &Action) -> bool {
        match (&self.solution, &self.defences) {
            (Some(solution), _) => solution.class_of(action).is_some(),
            (None, Some(defences)) => defences.survives(action).unwrap_or(self.keys.contains(action)),
            (None, None) => self.keys.contains(action),
        }
    }

    /// The answer where the search has not decided the goal.
    fn no_proof(&self) -> StepResult {
        match self.open {
            _ if self.quick => skipped(NEEDS_SEARCH),
            Some(why) => self.undecided(why),
            None => (Answer::Undecided, "the goal was not decided".to_owned()),
        }
    }

    fn undecided(&self, why: Undecided) -> StepResult {
        let why = match why.because {
            Because::Budget => format!("the budget of {} search steps is spent", self.budget),
            because => because.to_string(),
        };
        (Answer::Undecided, why)
    }

    /// The state of a game in words, with a witness.
    fn standing(&mut self, position: &Position) -> String {
        let Ok(outcome) = self.outcome(position) else { return "not known".to_owned() };
        let mover = mover(position);
        let check = if outcome.in_check { "in check" } else { "not in check" };
        let escape = outcome.escape.map(|escape| show(position, &escape)).unwrap_or_default();
        match outcome.status {
            Status::Checkmate => format!("checkmate: {mover} is in check and has no legal action"),
            Status::Stalemate => format!("stalemate: {mover} is not in check and has no legal action"),
            Status::Softmate => {
                format!("softmate: {mover} is in check and can only move the present back, as with {escape}")
            }
            Status::Ongoing => format!("{mover} is {check} and can play {escape}"),
        }
    }

    fn first_is(&self, span: Span) -> String {
        let Location { line, .. } = self.document.file.location(self.document.in_file(span).range().start);
        format!("the first is in line {line}")
    }

    /// Adds a finding with a drawing of a position, which is drawn only once.
    fn add_with_boards(&mut self, mut finding: Finding, heading: &str, position: &Position) {
        let earlier = self.drawn.iter().find(|(drawn, _)| drawn == position).map(|(_, heading)| heading);
        finding.boards = match earlier {
            Some(earlier) if earlier == heading => Some(format!("{heading}: shown above.")),
            Some(earlier) => Some(format!("{heading}: shown above under \"{earlier}\".")),
            None if self.drawn.len() < MOST_DRAWN => {
                self.drawn.push((position.clone(), heading.to_owned()));
                Some(format!("{heading}:\n{}", draw(position, Frame::REPORT)))
            }
            None => None,
        };
        self.findings.push(finding);
    }
}

/// The most positions that the report of a puzzle draws.
const MOST_DRAWN: usize = 20;

/// An action in quotes, as the file would say it.
fn show(position: &Position, action: &Action) -> String {
    format!("`{}`", pgn5d::action_text(position, action))
}

/// A defence in words.
pub(super) fn show_defence(position: &Position, defence: &Defence) -> String {
    match defence {
        Defence::Action(action) => format!("{} can play {}", mover(position), show(position, action)),
        Defence::Stalemate => format!("{} is stalemated", mover(position)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::load;

    /// The bug of a report after something was noted.
    fn bug(note: impl FnOnce(&mut Verification<'_>)) -> Option<String> {
        let text = include_str!("../../../puzzles/small/rook-from-the-past.yaml");
        let document = load("puzzle.yaml", text.as_bytes()).remove(0);
        let puzzle = document.puzzle.clone().expect("a puzzle");
        let start = document.game().expect("a start").end();
        let mut prover = prover_of(&puzzle, Options::default());
        let mut asking = Verification::new(&document, &puzzle, &start, Options::default(), &mut prover);
        note(&mut asking);
        let mut report = Report::new(&document);
        asking.conclude(&mut report);
        report.bug().map(str::to_owned)
    }

    /// Whatever notes a contradiction, the report says that this program has a bug.
    #[test]
    fn a_contradiction_reaches_the_report() {
        assert_eq!(bug(|_| {}), None);
        let by_steps = bug(|asking| asking.contradiction = Some("two steps".to_owned()));
        assert_eq!(by_steps.as_deref(), Some("two steps"));
        let by_search =
            bug(|asking| asking.analysis.prover.contradict(asking.start, &Action::default(), "the search"));
        assert!(by_search.is_some_and(|bug| bug.ends_with("the search")));
    }
}
