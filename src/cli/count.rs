//! `worldlines count`

use std::io::Write;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{Effort, GameFile, Judging, Moment};
use super::json::{Error, PositionName, Rules, Spent, Warning};
use super::output::{Format, print_json};

/// Count the legal actions of a position
///
/// Counts what the player to move can submit, in the position at the end of a game or in every position of it. When an
/// action of the game cannot be read or is illegal, the positions before it are still counted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines count game.5dpgn
  worldlines count --each --cap 1000 --format json game.5dpgn
  echo '[r2k/4/4/P2K:0:1:w]' | worldlines count -")]
pub struct Arguments {
    #[command(flatten)]
    pub input: GameFile,
    #[command(flatten)]
    judging: Judging,
    /// Count in every position, from the start to the end
    #[arg(long)]
    each: bool,
    /// Stop counting a position's actions here
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    cap: u64,
    #[command(flatten)]
    effort: Effort,
}

pub const SCHEMA: &str = "worldlines/count-1";

/// How many legal actions there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    #[serde(flatten)]
    rules: Rules,
    /// The positions that were asked about, in order.
    positions: Vec<Counted>,
    /// What looks wrong with the game.
    warnings: Vec<Warning>,
    /// Why the positions end before the game does.
    error: Option<Error>,
}

/// A position, and how many legal actions it has.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Counted {
    #[serde(flatten)]
    name: PositionName,
    /// How many the player to move has, up to `--cap`; `null` when the search ended before they were counted.
    legal_actions: Option<u64>,
    /// Whether there are more.
    capped: bool,
    /// What ended the search.
    undecided: Option<Spent>,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let Arguments { input, judging, each, cap, effort } = arguments;
    let clock = effort.start();
    let format = input.format;
    let input = input.read(*each)?.judged_by(judging);
    if !each {
        // The end of the game is what is asked for, so there must be one.
        input.refuse_errors()?;
    }
    let mut positions = Vec::new();
    let mut exit = Exit::Ok;
    input.visit(*each, |Moment { name, position }| {
        let count = position.count_legal_actions_within(*cap, effort.limit(&clock));
        if count.is_err() {
            exit = Exit::Undecided;
        }
        let counted = Counted {
            name,
            legal_actions: count.as_ref().ok().map(|count| count.count),
            capped: count.as_ref().is_ok_and(|count| count.capped),
            undecided: count.err().map(Spent::from),
        };
        match format {
            Format::Text => print(&counted, out)?,
            Format::Json => positions.push(counted),
        }
        Ok(())
    })?;
    if format == Format::Json {
        let (rules, warnings) = (input.rules(), input.warnings());
        print_json(out, &Report { schema: SCHEMA, rules, positions, warnings, error: input.error() })?;
    }
    Ok(Exit::worst([input.finish(out)?, exit]))
}

fn print(counted: &Counted, out: &mut impl Write) -> Result<(), Failure> {
    write!(out, "{}: ", counted.name.at)?;
    if let Some(spent) = counted.undecided {
        writeln!(out, "undecided: {spent}")?;
    } else if let Some(count) = counted.legal_actions {
        let more = if counted.capped { "more than " } else { "" };
        let plural = if count == 1 { "" } else { "s" };
        writeln!(out, "{more}{count} legal action{plural}")?;
    }
    Ok(())
}
