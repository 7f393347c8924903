//! `worldlines solve`

use std::io::Write;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{GameFile, Memory, Spent};
use super::time::Time;
use super::{Format, print_json};
use worldlines::notation::pgn5d::{action_text, board_text};
use worldlines::search::{Budget, Defence, KeyClass, Prover, Try, Verdict};
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate};

/// Prove or refute a mate in N for the player to move
///
/// N counts the actions of the player to move. The search looks at every action of both sides, so a refutation is as
/// certain as a proof; when the budget is spent first, the answer is `undecided`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines solve --mate 1 game.5dpgn
  worldlines solve --mate 2 --all --ply 14 --format json game.5dpgn

Exit codes: 0 proven, 1 refuted, 3 undecided.")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile,
    /// How many actions the player to move has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(worldlines::puzzle::MAX_MATE_IN)))]
    mate: u32,
    /// Find every first action that mates, not only one
    #[arg(long)]
    all: bool,
    /// List wrong first actions, each with a reply that refutes it
    #[arg(long, value_enum, value_name = "SCOPE")]
    tries: Option<Scope>,
    /// How many nodes the search may look at
    #[arg(long, value_name = "NODES", default_value_t = Budget::default().nodes)]
    budget: u64,
    #[command(flatten)]
    time: Time,
    #[command(flatten)]
    memory: Memory,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    to_move: String,
    verdict: String,
    mate_in: u32,
    /// First actions that mate and of which no part mates: one of each class.
    keys: Vec<String>,
    /// The same in full.
    classes: Vec<Class>,
    mating_actions: Mating,
    /// Whether every first action was looked at: there are no keys but these.
    complete: bool,
    legal_actions: Mating,
    /// The smallest number of actions that mates, when it is known.
    shortest: Option<u32>,
    /// `checks` when only checks were needed to find the mate, `complete` otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    near_miss: Option<Wrong>,
    /// Wrong first actions, each with a reply that refutes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    tries: Option<Vec<Wrong>>,
    /// Why something stayed open, when it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Spent>,
    nodes: u64,
}

/// Keys that are one idea.
#[derive(Serialize)]
struct Class {
    key: String,
    /// How many keys the class has.
    keys: usize,
    /// The boards that a key only has to play somehow.
    free: Vec<String>,
    /// How the mate goes when the defender resists as long as possible; left out when the budget is spent.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
}

impl Class {
    fn of(position: &Position, class: &KeyClass, line: Option<&[Action]>) -> Class {
        let mut at = position.clone();
        let texts = |line: &[Action]| -> Vec<String> {
            line.iter()
                .map(|action| {
                    let text = action_text(&at, action);
                    at.play_unchecked(action);
                    text
                })
                .collect()
        };
        let line = line.map(texts);
        let board = |at: &BoardCoordinate| board_text(position, *at);
        Class {
            key: action_text(position, class.key()),
            keys: class.keys().len(),
            free: class.free().iter().map(board).collect(),
            line,
        }
    }
}

/// A first action that does not force mate.
#[derive(Serialize)]
struct Wrong {
    action: String,
    /// The reply that refutes it; `null` when the action stalemates.
    reply: Option<String>,
}

impl Wrong {
    fn of(position: &Position, wrong: &Try) -> Wrong {
        let mut after = position.clone();
        after.play_unchecked(&wrong.action);
        Wrong {
            action: action_text(position, &wrong.action),
            reply: match &wrong.refutation {
                Defence::Action(reply) => Some(action_text(&after, reply)),
                Defence::Stalemate => None,
            },
        }
    }
}

/// Which wrong first actions are listed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Scope {
    /// Those that give check, capture, or threaten mate
    Plausible,
    /// All of them
    All,
}

#[derive(Serialize)]
struct Mating {
    count: u64,
    exact: bool,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let clock = arguments.time.start();
    let input = arguments.input.read()?;
    input.refuse_errors()?;
    let position = input.end();
    let budget = Budget { nodes: arguments.budget, memory: arguments.memory.bytes() };
    let mut prover = Prover::new(budget).or_when(clock.stop());
    let solution = prover.solve(&position, arguments.mate, arguments.all);
    let tries = match arguments.tries {
        None => None,
        Some(scope) => {
            let wanted = |prover: &mut Prover<'_>, action: &Action| match scope {
                Scope::All => Ok(true),
                Scope::Plausible => prover.is_plausible(&position, action),
            };
            // A list that is not complete is none.
            prover.wrong_actions(&position, arguments.mate, wanted).ok()
        }
    };
    let tries_undecided = arguments.tries.is_some() && tries.is_none();
    let tries = tries.map(|tries| tries.iter().map(|wrong| Wrong::of(&position, wrong)).collect());
    let classes = solution.keys.iter().map(|class| {
        // A key of the shortest mate is no longer one because a longer one was asked for.
        let shortest = solution.shortest.unwrap_or(arguments.mate);
        let line = match prover.line(&position, shortest, class.key()) {
            Ok(None) if shortest < arguments.mate => prover.line(&position, arguments.mate, class.key()),
            line => line,
        };
        let line = line.unwrap_or(None);
        Class::of(&position, class, line.as_deref())
    });
    let classes: Vec<Class> = classes.collect();
    let count = |count: worldlines::rules::Count| Mating { count: count.count, exact: !count.capped };
    let near_miss = solution.near_miss.as_ref().map(|wrong| Wrong::of(&position, wrong));
    let report = Report {
        schema: "worldlines/solve-1",
        to_move: position.to_move().to_string(),
        verdict: solution.verdict.to_string(),
        mate_in: arguments.mate,
        keys: solution.keys.iter().map(|class| action_text(&position, class.key())).collect(),
        classes,
        mating_actions: count(solution.mating_actions),
        complete: solution.complete,
        legal_actions: count(solution.legal_actions),
        shortest: solution.shortest,
        found_by: solution.found_by.map(|tier| tier.to_string()),
        near_miss,
        tries,
        undecided: solution.undecided.map(Spent::from),
        nodes: prover.nodes(),
    };
    match arguments.input.format {
        Format::Text => print(&report, out)?,
        Format::Json => print_json(out, &report)?,
    }
    Ok(match solution.verdict {
        _ if tries_undecided => Exit::Undecided,
        Verdict::Proven => Exit::Ok,
        Verdict::Refuted => Exit::Findings,
        Verdict::Undecided => Exit::Undecided,
    })
}

fn print(report: &Report, out: &mut impl Write) -> Result<(), Failure> {
    let Report { to_move, verdict, mate_in, complete, legal_actions, mating_actions, nodes, .. } = report;
    let claim = match report.shortest {
        Some(shortest) => format!("{to_move} mates in {shortest}"),
        None => format!("{to_move} mates in {mate_in}"),
    };
    let tier = report.found_by.as_ref().map_or(String::new(), |tier| format!(" (found by: {tier})"));
    writeln!(out, "{verdict}: {claim}{tier}")?;
    for Class { key, keys, free, line } in &report.classes {
        let free = if free.is_empty() { String::new() } else { format!(", anything on {}", free.join(" ")) };
        let more = if *keys > 1 { format!("  and {} more keys", keys - 1) } else { String::new() };
        writeln!(out, "  {key}{more}{free}")?;
        if let Some(line) = line.as_ref().filter(|line| line.len() > 1) {
            writeln!(out, "    {}", line.join(" / "))?;
        }
    }
    if let Some(Wrong { action, reply }) = &report.near_miss {
        writeln!(out, "  not {action}, because of {}", reply.as_deref().unwrap_or("stalemate"))?;
    }
    if let Some(tries) = &report.tries {
        writeln!(out, "wrong first actions, each with a reply that refutes it:")?;
        for Wrong { action, reply } in tries {
            writeln!(out, "  {action} ? {}", reply.as_deref().unwrap_or("stalemate"))?;
        }
    }
    if !complete {
        let why = match (verdict.as_str(), &report.undecided) {
            ("proven", _) => "other first actions were not all examined",
            (_, Some(spent)) => spent.reason(),
            (_, None) => "the budget is spent",
        };
        writeln!(out, "{why}; {nodes} nodes")?;
        return Ok(());
    }
    let at_least = |count: &Mating| if count.exact { "" } else { "at least " };
    let classes = match report.classes.len() {
        1 => "1 key class".into(),
        many => format!("{many} key classes"),
    };
    let (found, looked) = (at_least(mating_actions), at_least(legal_actions));
    writeln!(
        out,
        "{found}{} of {looked}{} first actions mate, {classes}; {nodes} nodes",
        mating_actions.count, legal_actions.count
    )?;
    Ok(())
}
