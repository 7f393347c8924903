//! `worldlines count`: counts legal actions.

use std::io::Write;

use serde::Serialize;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::input::{Effort, GameFile, Judging, Moment};
use super::json::{Error, PositionName, Rules, Spent, Warning};
use super::output::{Format, print_json};
use super::source::Source;
use worldlines::types::counted;

/// Count the legal actions of a position
///
/// Counts the actions that the player to move can submit, in the position at the end of a game or in every
/// position of it. With --each, if an action of the game cannot be read or is illegal, the positions before it are
/// still counted.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines count game.5dpgn
  worldlines count --each --cap 1000 --format json game.5dpgn
  echo '[r2k/4/4/P2K:0:1:w]' | worldlines count -

Exit codes: 0 every number was found, 2 the input cannot be read, 3 a limit ended a search before the number was known. A
number that is cut at --cap counts as found.")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile,
    #[command(flatten)]
    judging: Judging,
    /// Count in every position, from the start to the end
    #[arg(long)]
    each: bool,
    /// Stop counting a position's actions at N
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    cap: u64,
    #[command(flatten)]
    effort: Effort,
}

pub const SCHEMA: &str = "worldlines/count-1";

/// The numbers of legal actions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    #[serde(flatten)]
    rules: Rules,
    /// The positions, in the order of the game.
    positions: Vec<Counted>,
    /// Things in the game that look wrong.
    warnings: Vec<Warning>,
    /// The reason why the positions end before the game does.
    error: Option<Error>,
}

/// A position with the number of its legal actions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Counted {
    #[serde(flatten)]
    name: PositionName,
    /// The number of legal actions of the player to move, at most `--cap`; `null` if the search ended before
    /// they were counted.
    legal_actions: Option<u64>,
    /// Whether there are more than `--cap`.
    capped: bool,
    /// The limit that ended the search.
    undecided: Option<Spent>,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let Arguments { input, judging, each, cap, effort } = self;
        let clock = effort.start();
        let format = input.format;
        let input = input.read(*each)?.judged_by(judging);
        if !each {
            // The question is about the end of the game, so the game must be readable to its end.
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

    fn format(&self) -> Format {
        self.input.format
    }

    fn source(&mut self) -> Option<&mut Source> {
        Some(&mut self.input.source)
    }
}

fn print(
    Counted { name, legal_actions, capped, undecided, .. }: &Counted,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    write!(out, "{}: ", name.at)?;
    if let Some(spent) = undecided {
        writeln!(out, "undecided: {spent}")?;
    } else if let Some(count) = *legal_actions {
        let more = if *capped { "more than " } else { "" };
        writeln!(out, "{more}{}", counted(count, "legal action"))?;
    }
    Ok(())
}
