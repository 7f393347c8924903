//! `worldlines solve`: a [`Report`] with the answer about one of three goals. A file of this folder finds, holds and prints what belongs to
//! its goal.

mod helpmate;
mod mate;
mod parts;
mod report;
mod selfmate;

use std::io::Write;
use std::thread;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::input::{GameFile, Input, Judging, Limits, threads};
use super::output::{Format, ProofFormat, print_json};
use super::source::Source;
use super::terminal::say;
use helpmate::Helpmate;
use parts::Verdict;
use report::Answer;
pub use report::Report;
use selfmate::Selfmate;
use worldlines::puzzle::{Goal, announced_mate};
use worldlines::search::{Analysis, Budget, Progress, Prover};
use worldlines::types::{Because, Undecided};

/// Prove or refute a mate in N for the player to move, or a helpmate or selfmate
///
/// N counts the actions of the player to move. The search looks at every action of both sides, so a refutation is as
/// certain as a proof; when the budget is spent first, the answer is `undecided`. From mates in three on it also follows checks, far
/// deeper; `spec/proofs.md` explains how.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines solve --mate 1 game.5dpgn
  worldlines solve --mate 2 --all --at 8w --format json game.5dpgn
  worldlines solve puzzle.yaml
  worldlines solve --all --duals puzzle.yaml
  worldlines solve --helpmate 2 --all position.5dfen
  worldlines solve --mate 2 --all --format 5dpgn game.5dpgn > proof.5dpgn

Where nothing mates, it looks back: had the player a mate in one action more, at most eight actions ago?

A header such as [Puzzle \"mate-in-2\"] is false if the mate is not there, or comes sooner; both are findings.

Exit codes: 0 proven, 1 refuted, or a header is false, 3 undecided.")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile<ProofFormat>,
    #[command(flatten)]
    judging: Judging,
    /// The number of actions of the player to move [default: as many as the goal of the puzzle says, or a header `[Puzzle "mate-in-N"]`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(worldlines::puzzle::MAX_MATE_IN)))]
    mate: Option<u32>,
    /// Look for helpmates instead: the player to move begins, both play for it, and the opponent mates with the N-th action
    #[arg(long, value_name = "N", conflicts_with = "mate", value_parser = clap::value_parser!(u32).range(1..=i64::from(worldlines::puzzle::MAX_MATE_IN)))]
    helpmate: Option<u32>,
    /// Look for selfmates instead: the player to move forces the opponent to mate him with the N-th reply
    #[arg(long, value_name = "N", conflicts_with_all = ["mate", "helpmate"], value_parser = clap::value_parser!(u32).range(1..=i64::from(worldlines::puzzle::MAX_MATE_IN)))]
    selfmate: Option<u32>,
    /// Find every first action that mates, not only one
    #[arg(long)]
    all: bool,
    /// List wrong first actions, each with a reply that refutes it
    #[arg(long, value_enum, value_name = "SCOPE")]
    tries: Option<Scope>,
    /// List every defence that actions of several classes answer: after each key, at every turn
    #[arg(long)]
    duals: bool,
    /// The most search steps; an answer that needs more is undecided
    #[arg(long, value_name = "STEPS", default_value_t = Budget::default().steps)]
    budget: u64,
    #[command(flatten)]
    limits: Limits,
    /// Number of threads for a proof of a mate in 3 or more, and for its evidence where there are several keys. Verdict, length and
    /// keys do not depend on it; with more than one, the key named first and the number of search steps may differ from run to run
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
}

impl Arguments {
    /// Whether a header of the game alone says which mate to look for.
    fn is_announced(&self, input: &Input) -> bool {
        let is_named = self.mate.is_some() || self.helpmate.is_some() || self.selfmate.is_some();
        !is_named && input.puzzle().is_none()
    }

    /// Refuses the options that only a mate has against which the opponent defends, when another goal is asked for.
    fn refuse_options_of_a_mate(&self, asks: Asked) -> Result<(), Failure> {
        if asks == Asked::Mate {
            return Ok(());
        }
        if self.input.format == ProofFormat::Pgn5d {
            return Err(Failure::new("--format 5dpgn is about mates that the opponent defends against"));
        }
        if self.tries.is_some() || self.duals {
            return Err(Failure::new(
                "--tries and --duals are about mates that the opponent defends against",
            ));
        }
        Ok(())
    }
}

pub const SCHEMA: &str = "worldlines/solve-1";

/// The least search steps within which a mate is looked for that was missed earlier in the game.
const LOOKED_BACK: u64 = 100_000;

/// The wrong first actions that are listed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Scope {
    /// Those that give check, capture, or threaten mate
    Plausible,
    /// All of them
    All,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let clock = self.limits.time.start();
        let input = self.input.read(false)?.judged_by(&self.judging);
        input.refuse_errors()?;
        let (asks, n) = asked(self, &input)?;
        self.refuse_options_of_a_mate(asks)?;
        let position = input.end();
        // Only the proof of a mate is shared.
        let threads = if asks == Asked::Mate { threads(Some(self.jobs)) } else { 1 };
        let prover = |steps| {
            Prover::on_threads(self.limits.budget(steps), threads, at_once).stopping_on(Some(clock.stop()))
        };
        let progress = Progress::default();
        let mut proving = prover(self.budget).showing(&progress);
        let mut analysis = Analysis::new(&mut proving, &position, n);
        let (mut answer, undecided) = match asks {
            Asked::Mate => {
                let (mate, undecided, solution) = mate::find(&mut analysis, self, &progress);
                if self.input.format == ProofFormat::Pgn5d && mate.verdict == Verdict::Proven {
                    mate::print_proof(&mut analysis, &solution, input.game(), out)?;
                }
                (Answer::Mate(mate), undecided)
            }
            Asked::Helpmate => {
                let (helpmate, undecided) = Helpmate::find(&mut analysis, self.all);
                (Answer::Helpmate(helpmate), undecided)
            }
            Asked::Selfmate => {
                let (selfmate, undecided) = Selfmate::find(&mut analysis, self.all);
                (Answer::Selfmate(selfmate), undecided)
            }
        };
        let steps = proving.steps();
        if let Answer::Mate(mate) = &mut answer
            && mate.verdict == Verdict::Refuted
        {
            // Looking back may take as long as the answer, which most users wait for.
            mate.missed = mate::missed(&mut prover(steps.max(LOOKED_BACK).min(self.budget)), &input, n);
        }
        let mut report = Report::of(answer, undecided.map(Into::into), steps, &input);
        let has_false_header = self.is_announced(&input) && report.warn_of_false_header();
        match self.input.format {
            ProofFormat::Json => print_json(out, &report)?,
            ProofFormat::Pgn5d if report.verdict() == Verdict::Proven => {}
            ProofFormat::Pgn5d => {
                let mut why = Vec::new();
                report.print(&mut why)?;
                say(String::from_utf8_lossy(&why).trim_end());
            }
            ProofFormat::Text => report.print(out)?,
        }
        // Keys that were found and not confirmed leave the question open, and so do lists that are wanted and not found.
        let is_unconfirmed = matches!(undecided, Some(Undecided { because: Because::Unconfirmed, .. }));
        let lacks_a_list = matches!(&report.answer, Answer::Mate(mate) if mate.lacks_a_list(self));
        Ok(match report.verdict() {
            _ if is_unconfirmed || lacks_a_list => Exit::Undecided,
            Verdict::Proven if has_false_header => Exit::Findings,
            Verdict::Proven => Exit::Ok,
            Verdict::Refuted => Exit::Findings,
            Verdict::Undecided => Exit::Undecided,
        })
    }

    fn format(&self) -> Format {
        self.input.format.of_errors()
    }

    fn source(&mut self) -> Option<&mut Source> {
        Some(&mut self.input.source)
    }
}

/// The kind of mate that is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Mate,
    Helpmate,
    Selfmate,
}

/// The mate that is asked for: by the command line, or else by the puzzle.
fn asked(arguments: &Arguments, input: &Input) -> Result<(Asked, u32), Failure> {
    let goal = input.puzzle().map(|puzzle| &puzzle.goal.value);
    match (arguments.mate, arguments.helpmate, arguments.selfmate) {
        (Some(mate), ..) => return Ok((Asked::Mate, mate)),
        (_, Some(n), _) => return Ok((Asked::Helpmate, n)),
        (.., Some(n)) => return Ok((Asked::Selfmate, n)),
        _ => {}
    }
    match goal {
        Some(Goal::MateIn(n) | Goal::NoMateIn(n)) => Ok((Asked::Mate, n.value)),
        Some(Goal::HelpmateIn(n)) => Ok((Asked::Helpmate, n.value)),
        Some(Goal::SelfmateIn(n)) => Ok((Asked::Selfmate, n.value)),
        Some(_) => {
            Err(Failure::new("this puzzle claims no mate in N: say with --mate N which mate to look for"))
        }
        None => match announced_mate(input.game()).filter(|_| arguments.input.is_end()) {
            Some(n) => Ok((Asked::Mate, n)),
            None => Err(Failure::new(
                "--mate N is needed: neither a puzzle nor a header such as [Puzzle \"mate-in-2\"] says which mate to look for",
            )),
        },
    }
}

/// Does each task on its own thread.
fn at_once(tasks: Vec<Box<dyn FnOnce() + Send + '_>>) {
    thread::scope(|scope| tasks.into_iter().for_each(|task| drop(scope.spawn(task))));
}
