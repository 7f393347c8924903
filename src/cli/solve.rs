//! `worldlines solve`

use std::io::Write;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::GameFile;
use super::{Format, print_json};
use worldlines::notation::pgn5d::action_text;
use worldlines::search::{Budget, Defence, Solve, Verdict, solve};

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
    /// How many nodes the search may look at
    #[arg(long, value_name = "NODES", default_value_t = Budget::default().nodes)]
    budget: u64,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    to_move: String,
    verdict: String,
    mate_in: u32,
    /// First actions that mate.
    keys: Vec<String>,
    mating_actions: Mating,
    /// First actions that were looked at.
    examined: Mating,
    /// The smallest number of actions that mates, when it is known.
    shortest: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    near_miss: Option<NearMiss>,
    nodes: u64,
}

#[derive(Serialize)]
struct Mating {
    count: u64,
    exact: bool,
}

/// An action that does not mate, and why.
#[derive(Serialize)]
struct NearMiss {
    action: String,
    /// The defence; `null` when the action stalemates.
    defence: Option<String>,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let input = arguments.input.read()?;
    input.refuse_errors()?;
    let position = input.end();
    let budget = Budget { nodes: arguments.budget };
    let solution = solve(&position, Solve { mate_in: arguments.mate, all: arguments.all, budget });
    let count = |count: worldlines::rules::Count| Mating { count: count.count, exact: !count.capped };
    let near_miss = solution.near_miss.as_ref().map(|(action, defence)| {
        let mut after = position.clone();
        after.play_unchecked(action);
        NearMiss {
            action: action_text(&position, action),
            defence: match defence {
                Defence::Action(defence) => Some(action_text(&after, defence)),
                Defence::Stalemate => None,
            },
        }
    });
    let report = Report {
        schema: "worldlines/solve-1",
        to_move: position.to_move().to_string(),
        verdict: solution.verdict.to_string(),
        mate_in: arguments.mate,
        keys: solution.keys.iter().map(|key| action_text(&position, key)).collect(),
        mating_actions: count(solution.mating_actions),
        examined: count(solution.examined),
        shortest: solution.shortest,
        near_miss,
        nodes: solution.nodes,
    };
    match arguments.input.format {
        Format::Text => print(&report, out)?,
        Format::Json => print_json(out, &report)?,
    }
    Ok(match solution.verdict {
        Verdict::Proven => Exit::Ok,
        Verdict::Refuted => Exit::Findings,
        Verdict::Undecided => Exit::Undecided,
    })
}

fn print(report: &Report, out: &mut impl Write) -> Result<(), Failure> {
    let Report { to_move, verdict, mate_in, examined, mating_actions, nodes, .. } = report;
    let claim = match report.shortest {
        Some(shortest) => format!("{to_move} mates in {shortest}"),
        None => format!("{to_move} mates in {mate_in}"),
    };
    writeln!(out, "{verdict}: {claim}")?;
    for key in &report.keys {
        writeln!(out, "  {key}")?;
    }
    if let Some(NearMiss { action, defence }) = &report.near_miss {
        let defence = defence.as_deref().unwrap_or("stalemate");
        writeln!(out, "  not {action}, because of {defence}")?;
    }
    let at_least = |count: &Mating| if count.exact { "" } else { "at least " };
    let (found, looked) = (at_least(mating_actions), at_least(examined));
    writeln!(
        out,
        "{found}{} of {looked}{} first actions mate; {nodes} nodes",
        mating_actions.count, examined.count
    )?;
    Ok(())
}
