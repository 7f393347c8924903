//! `worldlines count`

use std::io::Write;

use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{Effort, ErrorReport, GameFile, Moment, Spent};
use super::{Format, print_json};
use worldlines::rules::Count;

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
    input: GameFile,
    /// Count in every position, from the start to the end
    #[arg(long)]
    each: bool,
    /// Stop counting a position's actions here
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    cap: u64,
    #[command(flatten)]
    effort: Effort,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    positions: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
}

#[derive(Serialize)]
struct Row {
    /// How many actions were played before.
    index: usize,
    /// The number that White's and Black's action share.
    action: usize,
    to_move: String,
    /// `null` when the budget was spent before they were counted.
    legal_actions: Option<u64>,
    capped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Spent>,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let clock = arguments.effort.start();
    let input = arguments.input.read()?;
    if !arguments.each {
        // The end of the game is what is asked for, so there must be one.
        input.refuse_errors()?;
    }
    let mut positions = Vec::new();
    let mut exit = Exit::Ok;
    input.visit(arguments.each, |Moment { index, action, position }| {
        let count = position.count_legal_actions_within(arguments.cap, arguments.effort.limit(&clock));
        if count.is_err() {
            exit = Exit::Undecided;
        }
        let row = Row {
            index,
            action,
            to_move: position.to_move().to_string(),
            legal_actions: count.ok().map(|count| count.count),
            capped: count.is_ok_and(|count| count.capped),
            undecided: count.err().map(Spent::from),
        };
        if arguments.input.format == Format::Text {
            write!(out, "{}. {}: ", row.action, row.to_move)?;
            match count {
                Ok(Count { count, capped: false }) => writeln!(out, "{count}")?,
                Ok(Count { count, capped: true }) => writeln!(out, "more than {count}")?,
                Err(undecided) => writeln!(out, "undecided after {}", Spent::from(undecided))?,
            }
        } else {
            positions.push(row);
        }
        Ok(())
    })?;
    if arguments.input.format == Format::Json {
        print_json(out, &Report { schema: "worldlines/count-1", positions, error: input.error() })?;
    }
    Ok(Exit::worst([input.finish(out)?, exit]))
}
