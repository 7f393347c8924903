//! `worldlines judge`: judges answers to a puzzle.

use std::io::{self, Write};

use serde::Serialize;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files::{self, STDIN};
use super::input::Proving;
use super::json::Spent;
use super::notation::notation_of_actions;
use super::output::{Format, print_json};
use super::source;
use super::terminal::Answers;
use worldlines::notation::pgn5d::action_text;
use worldlines::notation::{Format as GameNotation, printable};
use worldlines::puzzle::{Basis, IllegalAnswer, Judge, Judged, Judgement, NoJudge};
use worldlines::search::Defence;
use worldlines::types::Action;

/// Judge answers to a puzzle: is this action right, and if not, what refutes it?
///
/// An answer is the first action, perhaps followed by the opponent's defence, the next action and so on. Give
/// each action as an argument of its own, or all in one text as in a game. Actions may be spelt as 5DPGN
/// allows, or in any notation that `worldlines actions --notation` writes. Tries that the puzzle lists are
/// trusted; `worldlines verify` checks them. Everything else is proved within the budget of the puzzle.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines judge puzzles/small/today-and-yesterday.yaml Re1
  worldlines judge puzzle.yaml Re1 Kd2 'Re1>>(0T1)e1'
  worldlines judge puzzle.yaml '(0T1)d1(0T1)e1 submit'
  worldlines judge --format json file.yaml#ID - < answers.txt

Exit codes: 0 all answers are correct, 1 one is not, 2 the puzzle cannot be used, 3 one was not decided.")]
pub struct Arguments {
    /// The puzzle: FILE, FILE#ID if the file holds several, or the id of a shipped one
    #[arg(value_name = "PUZZLE")]
    puzzle: String,
    /// The actions of one answer; `-` reads one answer from each line of standard input
    #[arg(value_name = "ACTION", required = true)]
    actions: Vec<String>,
    /// The notation of the answers [default: 5DPGN, or else any that reads them]
    #[arg(long, value_name = "NOTATION", value_parser = notation_of_actions())]
    notation: Option<GameNotation>,
    #[command(flatten)]
    proving: Proving,
    /// Format of the verdicts
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub const SCHEMA: &str = "worldlines/judge-1";

/// The judgement of an answer to a puzzle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report<'a> {
    schema: &'static str,
    /// The id of the puzzle.
    puzzle: &'a str,
    /// The number of actions of the mate that the puzzle claims or denies: the solver's, or the opponent's if
    /// the solver has to avoid mate.
    mate_in: u32,
    /// The answer as it was written.
    answer: String,
    /// The actions of the answer in 5DPGN, as far as they can be read.
    line: Vec<String>,
    verdict: Verdict,
    /// The number, from 1, of the action of the line that decided the verdict.
    at: usize,
    /// The action that decided it, in 5DPGN.
    action: Option<String>,
    /// The most further actions that the solver needs if the answer is correct; 0 is mate. `null` if the
    /// solver has to avoid mate.
    left: Option<u32>,
    /// The number of actions, counted from the start, of a slower mate.
    slower: Option<u32>,
    /// The opponent's reply that prevents a mate in time; `stalemate` if there is no legal action.
    refutation: Option<String>,
    /// The longest mate, counted from the start, that is known not to exist.
    no_mate_in: Option<u32>,
    /// The grounds of the verdict.
    by: Option<By>,
    /// A stable name for the reason why the answer is illegal.
    code: Option<&'static str>,
    /// The reason in words.
    message: Option<String>,
    /// The limit that ended the search.
    undecided: Option<Spent>,
    /// Whether the solver forces the opponent to mate.
    #[serde(skip)]
    is_selfmate: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    /// It mates in time.
    Correct,
    /// It forces mate, but not in time.
    SlowerMate,
    /// It does not force mate.
    Wrong,
    /// It cannot be read, or is not legal.
    Illegal,
    /// A limit ended the search first.
    Undecided,
}

/// The grounds of a verdict.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum By {
    /// The puzzle lists it as a solution.
    Solution,
    /// The puzzle lists it as a try.
    Try,
    /// A search proved it.
    Proof,
}

impl From<Basis> for By {
    fn from(basis: Basis) -> By {
        match basis {
            Basis::Solution => By::Solution,
            Basis::Try => By::Try,
            Basis::Proof => By::Proof,
        }
    }
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let document = source::document(&self.puzzle)?;
        // The clock starts anew for each answer.
        let judge = Judge::new(&document, self.proving.options(None)).map_err(|why| match why {
            NoJudge::Unreadable(findings) => source::unreadable(&document, &findings),
            NoJudge::Helpmate => Failure::new(
                "in a helpmate both players play for the mate, so nobody refutes an answer: `worldlines verify` checks its lines",
            ),
            _ => Failure::new("this puzzle asks how the game stands, so no action is an answer to it"),
        })?;
        let mut answer = |texts: &[&str]| {
            let judged = judged(&judge, texts, self);
            let (report, exit) = report(&judge, &document.id, texts, judged);
            match self.format {
                Format::Json => print_json(out, &report)?,
                Format::Text => writeln!(Answers::new(&mut *out), "{}", report.text())?,
            }
            // A reader may wait for the verdict of one answer before giving the next.
            out.flush()?;
            Ok::<Exit, Failure>(exit)
        };
        if self.actions != [STDIN] {
            let texts: Vec<&str> = self.actions.iter().map(String::as_str).collect();
            return answer(&texts);
        }
        let mut worst = None;
        let mut input = io::stdin().lock();
        while let Some(text) = files::line(&mut input)? {
            let exit = answer(&[&text])?;
            worst = Some(Exit::worst(worst.into_iter().chain([exit])));
        }
        Ok(worst.unwrap_or(Exit::NothingSelected))
    }

    fn format(&self) -> Format {
        self.format
    }
}

/// Reads an answer and judges it. Returns its actions too, as far as they can be read.
fn judged(judge: &Judge<'_>, texts: &[&str], arguments: &Arguments) -> (Vec<Action>, Judged) {
    let mut line = Vec::new();
    for text in texts {
        match judge.read(&line, text, arguments.notation) {
            Ok(actions) => line.extend(actions),
            Err(error) => {
                let issue = &error.issue;
                let message = match &issue.hint {
                    Some(hint) => format!("{}; {hint}", issue.message),
                    None => issue.message.clone(),
                };
                let verdict = Judgement::Illegal(IllegalAnswer { code: issue.code, message });
                let at = line.len();
                return (line, Judged { verdict, at });
            }
        }
    }
    let clock = arguments.proving.limits.time.start();
    let mut prover = judge.prover().stopping_on(Some(clock.stop()));
    let judged = judge.judge_with(&line, &mut prover);
    (line, judged)
}

fn report<'a>(
    judge: &Judge<'_>,
    id: &'a str,
    texts: &[&str],
    (line, Judged { verdict, at }): (Vec<Action>, Judged),
) -> (Report<'a>, Exit) {
    let written = |index: usize| action_text(&judge.after(&line[..index]), &line[index]);
    let lines: Vec<String> = match &verdict {
        // The actions after an illegal one belong to no position.
        Judgement::Illegal(_) => (0..at.min(line.len())).map(written).collect(),
        _ => (0..line.len()).map(written).collect(),
    };
    let reply = |refutation: &Defence| match refutation {
        Defence::Action(action) => action_text(&judge.after(&line[..=at]), action),
        Defence::Stalemate => "stalemate".to_owned(),
    };
    let mut report = Report {
        schema: SCHEMA,
        puzzle: id,
        mate_in: judge.mate_in(),
        answer: texts.join(" / "),
        action: lines.get(at).cloned(),
        line: lines,
        verdict: Verdict::Correct,
        at: at + 1,
        left: None,
        slower: None,
        refutation: None,
        no_mate_in: None,
        by: None,
        code: None,
        message: None,
        undecided: None,
        is_selfmate: judge.is_selfmate(),
    };
    let exit = match verdict {
        Judgement::Correct { left, by } => {
            (report.left, report.by) = (Some(left), Some(by.into()));
            Exit::Ok
        }
        Judgement::Holds { by } => {
            report.by = Some(by.into());
            Exit::Ok
        }
        Judgement::Slower { mate_in, refutation } => {
            report.verdict = Verdict::SlowerMate;
            (report.slower, report.by) = (Some(mate_in), Some(By::Proof));
            report.refutation = Some(reply(&refutation));
            Exit::Findings
        }
        Judgement::Wrong { refutation, by, no_mate_in } => {
            report.verdict = Verdict::Wrong;
            report.refutation = Some(reply(&refutation));
            (report.by, report.no_mate_in) = (Some(by.into()), Some(no_mate_in));
            Exit::Findings
        }
        Judgement::Illegal(IllegalAnswer { code, message }) => {
            report.verdict = Verdict::Illegal;
            (report.code, report.message) = (Some(code), Some(message));
            Exit::Findings
        }
        Judgement::Undecided(undecided) => {
            report.verdict = Verdict::Undecided;
            report.undecided = Some(undecided.into());
            Exit::Undecided
        }
    };
    (report, exit)
}

impl Report<'_> {
    /// The judgement on one line, for people.
    fn text(&self) -> String {
        let action = self.action.as_deref().unwrap_or_default();
        let refutation = match self.refutation.as_deref() {
            Some("stalemate") => "it is stalemate".to_owned(),
            Some(reply) => format!("{reply} refutes it"),
            None => String::new(),
        };
        let by = match self.by {
            Some(By::Solution) => " (a solution of the puzzle)",
            Some(By::Try) => " (a try of the puzzle)",
            Some(By::Proof) | None => "",
        };
        match self.verdict {
            Verdict::Correct => match self.left {
                None => format!("correct: {action} survives{by}"),
                Some(0) if self.is_selfmate => format!("correct: {action}, and every reply mates{by}"),
                Some(left) if self.is_selfmate => {
                    format!("correct: {action} forces it with {left} more{by}")
                }
                Some(0) => format!("correct: {action} mates{by}"),
                Some(1) => format!("correct: {action}, and mate with the next action{by}"),
                Some(left) => format!("correct: {action}, and mate in {left} more{by}"),
            },
            Verdict::SlowerMate => {
                let slower = self.slower.unwrap_or_default();
                let mates = if self.is_selfmate { "forces it" } else { "mates" };
                format!("slower mate: {action} {mates} in {slower}, not in {}: {refutation}", self.mate_in)
            }
            Verdict::Wrong => format!("wrong: {action}: {refutation}{by}"),
            Verdict::Illegal => {
                let (code, message) = (self.code.unwrap_or_default(), self.message.as_deref());
                format!("illegal [{code}]: {}", printable(message.unwrap_or_default()))
            }
            Verdict::Undecided => match &self.undecided {
                Some(spent) => format!("undecided: {action}: {spent}"),
                None => format!("undecided: {action}"),
            },
        }
    }
}
