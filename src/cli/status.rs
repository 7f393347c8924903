//! `worldlines status`

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::input::{Effort, ErrorReport, GameFile, Moment, Spent};
use super::{Format, print_json};
use worldlines::notation::pgn5d::action_text;
use worldlines::rules::{Check, Undecided};
use worldlines::state::Position;
use worldlines::types::{BoardCoordinate, HalfTurn, Place, Status};

/// The most escapes that `--witnesses all` lists.
const MAX_ESCAPES: usize = 100_000;

/// Say how a game stands: ongoing, softmate, checkmate or stalemate
///
/// Every verdict comes with its witness: the pieces that give check, and an action that escapes. When the budget is spent
/// first, the verdict is `undecided`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines status game.5dpgn
  worldlines status --ply 12 --witnesses all game.5dpgn
  worldlines status --each --format json game.5dpgn")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile,
    /// Answer for every position, from the start to the end
    #[arg(long)]
    each: bool,
    /// How many escapes to name
    #[arg(long, value_name = "HOW MANY", default_value = "one")]
    witnesses: Witnesses,
    #[command(flatten)]
    effort: Effort,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Witnesses {
    /// One of them
    One,
    /// Every legal action
    All,
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    #[serde(flatten)]
    answer: Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    One(Standing),
    Each { positions: Vec<Standing> },
}

#[derive(Serialize)]
struct Standing {
    index: usize,
    action: usize,
    to_move: String,
    in_check: bool,
    status: String,
    /// The pieces that could capture a royal piece if the player to move passed.
    attackers: Vec<Attacker>,
    /// Legal actions.
    escapes: Vec<String>,
    /// Why there may be more escapes than `--witnesses all` lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    escapes_cut: Option<Cut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Spent>,
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Cut {
    /// There are more than are listed at most.
    Limit,
    /// The budget was spent.
    Budget,
}

/// What is printed for a status that is not known.
const UNDECIDED: &str = "undecided";

#[derive(Serialize)]
struct Attacker {
    piece: String,
    /// Where the capture would start; on the opponent's next board if the piece stands on one that is to be played.
    from: String,
    to: String,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let input = arguments.input.read()?;
    if !arguments.each {
        input.refuse_errors()?;
    }
    let mut standings = Vec::new();
    let mut exit = Exit::Ok;
    input.visit(arguments.each, |moment| {
        let standing = standing(&moment, arguments.witnesses, arguments.effort.steps);
        if standing.undecided.is_some() || standing.escapes_cut == Some(Cut::Budget) {
            exit = Exit::Undecided;
        }
        if arguments.input.format == Format::Text {
            print(&standing, out)?;
        } else {
            standings.push(standing);
        }
        Ok(())
    })?;
    if arguments.input.format == Format::Json {
        let answer = match standings.pop() {
            Some(only) if !arguments.each => Answer::One(only),
            last => Answer::Each { positions: standings.into_iter().chain(last).collect() },
        };
        print_json(out, &Report { schema: "worldlines/status-1", answer, error: input.error() })?;
    }
    Ok(Exit::worst([input.finish(out)?, exit]))
}

fn standing(moment: &Moment<'_>, witnesses: Witnesses, steps: u64) -> Standing {
    let position = moment.position;
    let outcome = position.outcome_within(steps);
    let mut escapes = Vec::new();
    let mut escapes_cut = None;
    match witnesses {
        Witnesses::One => escapes.extend(outcome.iter().filter_map(|outcome| outcome.escape.clone())),
        Witnesses::All => {
            let mut actions = position.legal_actions().within(steps);
            escapes.extend(actions.by_ref().take(MAX_ESCAPES));
            let more = escapes.len() == MAX_ESCAPES && actions.next().is_some();
            escapes_cut = if more {
                Some(Cut::Limit)
            } else if actions.is_complete() {
                None
            } else {
                Some(Cut::Budget)
            };
        }
    }
    Standing {
        index: moment.index,
        action: moment.action,
        to_move: position.to_move().to_string(),
        in_check: position.is_in_check(),
        status: outcome.as_ref().map_or(UNDECIDED.to_owned(), |outcome| outcome.status.to_string()),
        attackers: position.checks().iter().map(|check| attacker(position, check)).collect(),
        escapes: escapes.iter().map(|escape| action_text(position, escape)).collect(),
        escapes_cut,
        undecided: outcome.err().map(|Undecided { steps }| Spent { steps }),
    }
}

fn attacker(position: &Position, check: &Check) -> Attacker {
    let place = |Place { board, square }: Place| {
        format!("({}T{}){square}", position.parity().label(board.timeline), board.half_turn.turn())
    };
    // A check from a board that is still to be played starts on the copy that passing would leave.
    let from = check.from.board;
    let copied = BoardCoordinate { half_turn: HalfTurn(from.half_turn.0 - 1), ..from };
    let board = position.board(from).or_else(|| position.board(copied));
    let piece = board.and_then(|board| board.get(check.from.square));
    Attacker {
        piece: piece.map(|piece| piece.to_string()).unwrap_or_default(),
        from: place(check.from),
        to: place(check.to),
    }
}

fn print(standing: &Standing, out: &mut impl Write) -> Result<(), Failure> {
    let check = if standing.in_check { "in check" } else { "not in check" };
    write!(out, "{}. {}: {}", standing.action, standing.to_move, standing.status)?;
    if let Some(Spent { steps }) = standing.undecided {
        write!(out, " after {steps} search steps")?;
    }
    writeln!(out, ", {check}")?;
    for Attacker { piece, from, to } in &standing.attackers {
        writeln!(out, "  attacked by {piece}: {from} to {to}")?;
    }
    let in_softmate = standing.status == Status::Softmate.to_string();
    let what = if in_softmate { "escape" } else { "legal" };
    for escape in &standing.escapes {
        writeln!(out, "  {what}: {escape}")?;
    }
    match standing.escapes_cut {
        None => {}
        Some(Cut::Limit) => writeln!(out, "  and more")?,
        Some(Cut::Budget) => writeln!(out, "  and perhaps more: the budget is spent")?,
    }
    Ok(())
}
