//! `worldlines solve`

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{GameFile, Input, Judging, Limits, threads};
use super::json::{self, Limit, Number, Player, PositionName, Rules, Spent, Warning};
use super::output::{Format, print_json};
use super::terminal;
use worldlines::notation::pgn5d::{action_text, board_text};
use worldlines::puzzle::Goal;
use worldlines::search::{
    Analysis, Budget, Candidates, Defence, Dual, KeyClass, Progress, Prover, Solution, Try, Verdict,
};
use worldlines::state::Position;
use worldlines::types::{Action, Because, BoardCoordinate, Undecided};

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

Exit codes: 0 proven, 1 refuted, 3 undecided.")]
pub struct Arguments {
    #[command(flatten)]
    pub input: GameFile,
    #[command(flatten)]
    judging: Judging,
    /// How many actions the player to move has [default: as many as the goal of the puzzle says]
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
    /// How many threads share a proof of a mate in 3 or more. The verdict is the same with any number; with the same number all is
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
}

pub const SCHEMA: &str = "worldlines/solve-1";

/// Whether the player to move mates in so many actions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    #[serde(flatten)]
    rules: Rules,
    #[serde(flatten)]
    name: PositionName,
    /// What was asked for.
    asks: Asked,
    verdict: Answer,
    /// The mate that was asked for.
    mate_in: u32,
    /// First actions that mate and of which no part mates: one of each class. In a helpmate: the first action of each line.
    keys: Vec<String>,
    /// The same classes in full.
    classes: Vec<Class>,
    /// How many first actions mate, of those that were looked at. In a helpmate: how many lines there are.
    mating_actions: Number,
    /// Whether every first action was looked at: there are no keys but these.
    complete: bool,
    /// How many first actions were looked at.
    legal_actions: Number,
    /// In how many actions it mates at the latest, as far as was shown.
    mates_in: Option<u32>,
    /// The smallest number of actions that mates, when it is known.
    shortest: Option<u32>,
    /// How the mate was found.
    found_by: Option<FoundBy>,
    /// When nothing mates: a first action that leaves few replies.
    near_miss: Option<Wrong>,
    /// With `--tries`: wrong first actions, each with a reply that refutes it; `null` when the search ended before all
    /// were found.
    tries: Option<Vec<Wrong>>,
    /// With `--duals`: the defences with answers of several classes; `null` when the search ended before all were found.
    duals: Option<Vec<DualOf>>,
    /// What ended a search that left something open.
    undecided: Option<Spent>,
    /// How many search steps it took.
    search_steps: u64,
    /// What looks wrong with the game.
    warnings: Vec<Warning>,
}

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Asked {
    /// The player to move mates, whatever the opponent does.
    Mate,
    /// Both players play for the mate of the player to move, who begins.
    Helpmate,
    /// The player to move forces the opponent to mate him.
    Selfmate,
}

/// Whether a claim is true.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Answer {
    /// There is a mate, whatever the opponent does.
    Proven,
    /// There is none.
    Refuted,
    /// The search ended first.
    Undecided,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Answer {
        match verdict {
            Verdict::Proven => Answer::Proven,
            Verdict::Refuted => Answer::Refuted,
            Verdict::Undecided => Answer::Undecided,
        }
    }
}

/// How a mate was found.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum FoundBy {
    /// Every action of the mate gives check.
    Checks,
    /// Other actions were needed.
    Complete,
}

impl From<Candidates> for FoundBy {
    fn from(tier: Candidates) -> FoundBy {
        match tier {
            Candidates::Checks => FoundBy::Checks,
            Candidates::Complete => FoundBy::Complete,
        }
    }
}

/// Keys that are one idea.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Class {
    /// One of them.
    key: String,
    /// How many keys the class has.
    size: usize,
    /// The boards that a key only has to play somehow.
    free: Vec<String>,
    /// How the mate goes when the defender resists as long as possible; `null` when the search for it ended first.
    line: Option<Vec<String>>,
}

impl Class {
    fn of(position: &Position, class: &KeyClass, line: Option<&[Action]>) -> Class {
        let mut at = position.clone();
        let texts = |line: &[Action]| -> Vec<String> {
            line.iter()
                .map(|action| {
                    let text = action_text(&at, action);
                    at.play(action).expect("a legal action");
                    text
                })
                .collect()
        };
        let line = line.map(texts);
        let board = |at: &BoardCoordinate| board_text(position, *at);
        Class {
            key: action_text(position, class.key()),
            size: class.keys().len(),
            free: class.free().iter().map(board).collect(),
            line,
        }
    }
}

impl Class {
    /// A line that stands for itself.
    fn of_line(position: &Position, line: &[Action]) -> Class {
        let mut at = position.clone();
        let texts: Vec<String> = line
            .iter()
            .map(|action| {
                let text = action_text(&at, action);
                at.play(action).expect("a legal action");
                text
            })
            .collect();
        Class { key: texts[0].clone(), size: 1, free: Vec::new(), line: Some(texts) }
    }
}

/// A first action that does not force mate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Wrong {
    action: String,
    /// The reply that refutes it; `null` when the action stalemates.
    reply: Option<String>,
}

impl Wrong {
    fn of(position: &Position, wrong: &Try) -> Wrong {
        let mut after = position.clone();
        after.play(&wrong.action).expect("a legal action");
        Wrong {
            action: action_text(position, &wrong.action),
            reply: match &wrong.refutation {
                Defence::Action(reply) => Some(action_text(&after, reply)),
                Defence::Stalemate => None,
            },
        }
    }
}

/// A defence with answers of several classes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DualOf {
    /// The actions up to the defence.
    after: Vec<String>,
    /// In how many actions each answer mates.
    mates_in: u32,
    /// One answer of each class.
    answers: Vec<String>,
}

impl DualOf {
    fn of(position: &Position, dual: &Dual) -> DualOf {
        let mut at = position.clone();
        let mut after = Vec::new();
        for action in &dual.line {
            after.push(action_text(&at, action));
            at.play(action).expect("a legal action");
        }
        let answers = dual.answers.iter().map(|class| action_text(&at, class.key())).collect();
        DualOf { after, mates_in: dual.mates_in, answers }
    }
}

/// Does each task on its own thread.
fn at_once(tasks: Vec<Box<dyn FnOnce() + Send + '_>>) {
    thread::scope(|scope| tasks.into_iter().for_each(|task| drop(scope.spawn(task))));
}

/// Which wrong first actions are listed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Scope {
    /// Those that give check, capture, or threaten mate
    Plausible,
    /// All of them
    All,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let clock = arguments.limits.time.start();
    let input = arguments.input.read(false)?.judged_by(&arguments.judging);
    input.refuse_errors()?;
    let (asks, mate) = asked(arguments, &input)?;
    let position = input.end();
    if asks != Asked::Mate {
        let report = other_mates(asks, mate, arguments, &input, clock.stop())?;
        match arguments.input.format {
            Format::Text => print_other(&report, out)?,
            Format::Json => print_json(out, &report)?,
        }
        return Ok(report.exit());
    }
    let budget = arguments.limits.budget(arguments.budget);
    let progress = Progress::default();
    let threads = threads(Some(arguments.jobs));
    let mut prover =
        Prover::on_threads(budget, threads, at_once).stopping_on(Some(clock.stop())).showing(&progress);
    let solution = terminal::waiting(
        || {
            let (steps, length) =
                (progress.steps.load(Ordering::Relaxed), progress.mate_in.load(Ordering::Relaxed));
            format!("looking for a mate in {length}, {}", json::search_steps(steps))
        },
        || {
            let mut analysis = Analysis::new(&mut prover, &position, mate);
            if arguments.all { analysis.solution().clone() } else { analysis.mate() }
        },
    );
    let tries = arguments.tries.map(|scope| {
        let wanted = |prover: &mut Prover<'_>, action: &Action| match scope {
            Scope::All => Ok(true),
            Scope::Plausible => prover.is_plausible(&position, action),
        };
        Analysis::new(&mut prover, &position, mate).wrong_actions(wanted)
    });
    let tries_undecided = tries.as_ref().and_then(|tries| tries.as_ref().err().copied());
    let wrong = |wrong: &Try| Wrong::of(&position, wrong);
    let lines: Vec<(u32, Option<Vec<Action>>)> = solution
        .keys
        .iter()
        .map(|class| line(&mut prover, &position, mate, &solution, class.key()))
        .collect();
    let classes = solution.keys.iter().zip(&lines);
    let classes = classes.map(|(class, (_, line))| Class::of(&position, class, line.as_deref())).collect();
    let duals = arguments.duals.then(|| -> Result<Vec<Dual>, Undecided> {
        let mut duals = Vec::new();
        for (class, (n, _)) in solution.keys.iter().zip(&lines) {
            let mut analysis = Analysis::new(&mut prover, &position, *n);
            duals.extend(analysis.duals(std::slice::from_ref(class.key()))?);
        }
        Ok(duals)
    });
    let duals_undecided = duals.as_ref().and_then(|duals| duals.as_ref().err().copied());
    let report = Report {
        schema: SCHEMA,
        rules: input.rules(),
        name: input.end_name(),
        asks,
        verdict: solution.verdict.into(),
        mate_in: mate,
        keys: solution.keys.iter().map(|class| action_text(&position, class.key())).collect(),
        classes,
        mating_actions: solution.mating_actions.into(),
        complete: solution.complete,
        legal_actions: solution.legal_actions.into(),
        mates_in: solution.mates_in,
        shortest: solution.shortest,
        found_by: solution.found_by.map(FoundBy::from),
        near_miss: solution.near_miss.as_ref().map(wrong),
        tries: tries.and_then(Result::ok).map(|tries| tries.iter().map(wrong).collect()),
        duals: duals
            .and_then(Result::ok)
            .map(|duals| duals.iter().map(|dual| DualOf::of(&position, dual)).collect()),
        undecided: solution.undecided.or(tries_undecided).or(duals_undecided).map(Spent::from),
        search_steps: prover.steps(),
        warnings: input.warnings(),
    };
    match arguments.input.format {
        Format::Text => print(&report, out)?,
        Format::Json => print_json(out, &report)?,
    }
    Ok(match solution.verdict {
        _ if tries_undecided.or(duals_undecided).is_some() => Exit::Undecided,
        _ if solution.undecided.is_some_and(|why| why.because == Because::Unconfirmed) => Exit::Undecided,
        Verdict::Proven => Exit::Ok,
        Verdict::Refuted => Exit::Findings,
        Verdict::Undecided => Exit::Undecided,
    })
}

/// A line of a key, if one is found, and the number of actions in which the key mates: as soon as any key, or in `mate`.
fn line(
    prover: &mut Prover<'_>,
    position: &Position,
    mate: u32,
    solution: &Solution,
    key: &Action,
) -> (u32, Option<Vec<Action>>) {
    let shortest = solution.mates_in.unwrap_or(mate);
    for n in [shortest, mate] {
        match Analysis::new(prover, position, n).line(key) {
            Ok(None) => {}
            Ok(line) => return (n, line),
            Err(_) => break,
        }
    }
    (mate, None)
}

/// The lines of helpmates, or the keys of selfmates.
fn other_mates(
    asks: Asked,
    n: u32,
    arguments: &Arguments,
    input: &Input,
    stop: &AtomicBool,
) -> Result<Report, Failure> {
    if arguments.tries.is_some() || arguments.duals {
        return Err(Failure::new("--tries and --duals are about mates that the opponent defends against"));
    }
    let position = input.end();
    let budget = arguments.limits.budget(arguments.budget);
    let mut prover = Prover::new(budget).stopping_on(Some(stop));
    let mut report = Report {
        schema: SCHEMA,
        rules: input.rules(),
        name: input.end_name(),
        asks,
        verdict: Answer::Undecided,
        mate_in: n,
        keys: Vec::new(),
        classes: Vec::new(),
        mating_actions: Number { count: 0, exact: false },
        complete: false,
        legal_actions: Number { count: 0, exact: false },
        mates_in: None,
        shortest: None,
        found_by: None,
        near_miss: None,
        tries: None,
        duals: None,
        undecided: None,
        search_steps: 0,
        warnings: input.warnings(),
    };
    let mut undecided = None;
    if asks == Asked::Helpmate {
        match Analysis::new(&mut prover, &position, n).shortest_helpmate() {
            Err(why) => undecided = Some(why),
            Ok(None) => (report.verdict, report.complete) = (Answer::Refuted, true),
            Ok(Some(shortest)) => {
                report.verdict = Answer::Proven;
                (report.mates_in, report.shortest) = (Some(shortest), Some(shortest));
                let most = if arguments.all { MOST_LINES } else { 1 };
                let help = Analysis::new(&mut prover, &position, shortest).helpmates(most);
                report.complete = help.complete;
                report.mating_actions = Number { count: help.lines.len() as u64, exact: help.complete };
                report.keys = help.lines.iter().map(|line| action_text(&position, &line[0])).collect();
                report.classes = help.lines.iter().map(|line| Class::of_line(&position, line)).collect();
                undecided = help.undecided;
            }
        }
    } else {
        let mut analysis = Analysis::new(&mut prover, &position, n);
        let found = if arguments.all { analysis.selfmates().clone() } else { analysis.selfmate() };
        report.verdict = found.verdict.into();
        report.complete = found.complete;
        (report.mates_in, report.shortest) = (found.shortest, found.shortest);
        report.mating_actions = Number { count: found.forcing_actions, exact: found.complete };
        report.legal_actions = found.legal_actions.into();
        report.keys = found.keys.iter().map(|class| action_text(&position, class.key())).collect();
        report.near_miss = found.near_miss.as_ref().map(|wrong| Wrong::of(&position, wrong));
        for class in &found.keys {
            let line = analysis.selfmate_line(class.key()).unwrap_or(None);
            report.classes.push(Class::of(&position, class, line.as_deref()));
        }
        undecided = found.undecided;
    }
    report.undecided = undecided.map(Spent::from);
    report.search_steps = prover.steps();
    Ok(report)
}

/// The most helpmates that are listed.
const MOST_LINES: usize = 1_000;

impl Report {
    fn exit(&self) -> Exit {
        match self.verdict {
            Answer::Proven => Exit::Ok,
            Answer::Refuted => Exit::Findings,
            Answer::Undecided => Exit::Undecided,
        }
    }
}

fn print_other(report: &Report, out: &mut impl Write) -> Result<(), Failure> {
    let Report { name, asks, mate_in: n, mating_actions, legal_actions, search_steps, .. } = report;
    let player = match name.to_move {
        Player::White => "white",
        Player::Black => "black",
    };
    let what = if *asks == Asked::Helpmate { "helpmate" } else { "selfmate" };
    let (n, role) = (report.shortest.unwrap_or(*n), format!("with {player} to move"));
    match report.verdict {
        Answer::Proven => writeln!(out, "{}: proven: {what} in {n} {role}", name.at)?,
        Answer::Refuted => writeln!(out, "{}: refuted: no {what} in {n} {role}", name.at)?,
        Answer::Undecided => writeln!(out, "{}: undecided: a {what} in {n} {role}", name.at)?,
    }
    for Class { key, size, free, line } in &report.classes {
        match line {
            Some(line) => write!(out, "  {}", line.join(" / "))?,
            None => write!(out, "  {key}")?,
        }
        if *size > 1 {
            write!(out, "  and {} more key{}", size - 1, if *size == 2 { "" } else { "s" })?;
        }
        let free = if free.is_empty() { String::new() } else { format!(", anything on {}", free.join(" ")) };
        writeln!(out, "{free}")?;
    }
    if let Some(Wrong { action, reply }) = &report.near_miss {
        writeln!(out, "  {action} is refuted by {}", reply.as_deref().unwrap_or("the end of the game"))?;
    }
    let steps = json::search_steps(*search_steps);
    let at_least = |number: &Number| if number.exact { "" } else { "at least " };
    let count = mating_actions.count;
    if let Some(spent) = report.undecided {
        return Ok(writeln!(out, "{spent}")?);
    }
    match (report.verdict, asks) {
        (Answer::Proven, Asked::Helpmate) => {
            let plural = if count == 1 { "" } else { "s" };
            writeln!(out, "{}{count} line{plural}; {steps}", at_least(mating_actions))?;
        }
        (Answer::Proven, _) if report.complete => {
            let legal = legal_actions.count;
            let looked = at_least(legal_actions);
            writeln!(out, "{count} of {looked}{legal} first actions force it; {steps}")?;
        }
        (Answer::Proven, _) => writeln!(out, "not all other first actions were examined; {steps}")?,
        _ => writeln!(out, "{steps}")?,
    }
    Ok(())
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
        None => Err(Failure::new("--mate N is needed, because a game does not say which mate to look for")),
    }
}

fn print(report: &Report, out: &mut impl Write) -> Result<(), Failure> {
    let Report { name, mate_in, mating_actions, legal_actions, search_steps, .. } = report;
    let player = match name.to_move {
        Player::White => "white",
        Player::Black => "black",
    };
    write!(out, "{}: ", name.at)?;
    match report.verdict {
        Answer::Proven => write!(out, "proven: {player} mates in {}", report.mates_in.unwrap_or(*mate_in))?,
        Answer::Refuted => write!(out, "refuted: {player} has no mate in {mate_in}")?,
        Answer::Undecided => write!(out, "undecided: a mate in {mate_in} by {player}")?,
    }
    match report.found_by {
        Some(FoundBy::Checks) => writeln!(out, ", with checks alone")?,
        _ => writeln!(out)?,
    }
    for Class { key, size, free, line } in &report.classes {
        let free = if free.is_empty() { String::new() } else { format!(", anything on {}", free.join(" ")) };
        let more = if *size > 1 {
            format!("  and {} more key{}", size - 1, if *size == 2 { "" } else { "s" })
        } else {
            String::new()
        };
        writeln!(out, "  {key}{more}{free}")?;
        if let Some(line) = line.as_ref().filter(|line| line.len() > 1) {
            writeln!(out, "    {}", line.join(" / "))?;
        }
    }
    if let Some(Wrong { action, reply }) = &report.near_miss {
        writeln!(out, "  {action} is refuted by {}", reply.as_deref().unwrap_or("stalemate"))?;
    }
    if let Some(tries) = &report.tries {
        writeln!(out, "wrong first actions, each with a reply that refutes it:")?;
        for Wrong { action, reply } in tries {
            writeln!(out, "  {action}: {}", reply.as_deref().unwrap_or("stalemate"))?;
        }
    }
    if let (Some(duals), Answer::Proven) = (&report.duals, report.verdict) {
        writeln!(out, "{}", if duals.is_empty() { "no duals" } else { "duals:" })?;
        for DualOf { after, answers, .. } in duals {
            writeln!(out, "  after {}: {}", after.join(" / "), answers.join(", "))?;
        }
    }
    if !report.complete {
        let because = report.undecided.map_or(Limit::Budget, |spent| spent.because);
        match report.verdict {
            Answer::Proven => {
                if report.shortest.is_none() {
                    writeln!(out, "whether there is a shorter mate was not found out")?;
                }
                let steps = json::search_steps(*search_steps);
                match because {
                    Limit::Unconfirmed => writeln!(out, "other keys were found and not confirmed; {steps}")?,
                    _ => writeln!(out, "not all other first actions were examined; {steps}")?,
                }
            }
            _ => writeln!(out, "{}", Spent { steps: *search_steps, because })?,
        }
        return Ok(());
    }
    let at_least = |number: &Number| if number.exact { "" } else { "at least " };
    let classes = match report.classes.len() {
        1 => "1 key class".into(),
        many => format!("{many} key classes"),
    };
    let (found, looked) = (at_least(mating_actions), at_least(legal_actions));
    writeln!(
        out,
        "{found}{} of {looked}{} first actions mate, {classes}; {}",
        mating_actions.count,
        legal_actions.count,
        json::search_steps(*search_steps)
    )?;
    Ok(())
}
