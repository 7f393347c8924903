//! `worldlines status`

use std::cell::Cell;
use std::io::Write;
use std::rc::Rc;

use clap::ValueEnum;
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};

use super::exit::{Exit, Failure};
use super::input::{Effort, ErrorReport, GameFile, Input, Moment, Spent};
use super::{Format, print_json};
use worldlines::notation::pgn5d::action_text;
use worldlines::rules::Check;
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate, HalfTurn, Limit, Place, Status};

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
struct Report<'a> {
    schema: &'static str,
    #[serde(flatten)]
    answer: Answer<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    One(Standing<'a>),
    Each { positions: Each<'a> },
}

/// How the game stands in every position, found while it is printed.
struct Each<'a> {
    input: &'a Input,
    asked: Asked<'a>,
}

impl Serialize for Each<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let visited = self.input.visit(true, |moment| {
            list.serialize_element(&self.asked.standing(&moment)).map_err(Failure::usage)
        });
        visited.map_err(|Failure::Usage(message)| S::Error::custom(message))?;
        list.end()
    }
}

/// What is asked about each position, and how the command ends.
#[derive(Clone, Copy)]
struct Asked<'a> {
    witnesses: Witnesses,
    limit: Limit<'a>,
    undecided: &'a Cell<bool>,
}

#[derive(Serialize)]
struct Standing<'a> {
    index: usize,
    action: usize,
    to_move: String,
    in_check: bool,
    status: String,
    /// The pieces that could capture a royal piece if the player to move passed.
    attackers: Vec<Attacker>,
    /// Legal actions.
    escapes: Escapes<'a>,
    /// Why there may be more escapes than are listed: known once they are.
    #[serde(serialize_with = "cut", skip_serializing_if = "is_whole")]
    escapes_cut: Rc<Cell<Option<Cut>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undecided: Option<Spent>,
}

fn cut<S: Serializer>(cut: &Rc<Cell<Option<Cut>>>, serializer: S) -> Result<S::Ok, S::Error> {
    cut.get().serialize(serializer)
}

fn is_whole(cut: &Rc<Cell<Option<Cut>>>) -> bool {
    cut.get().is_none()
}

#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Cut {
    /// There are more than are listed at most.
    Limit,
    /// The budget or the time was spent, or there are actions beyond the largest position supported.
    Budget,
}

/// Legal actions, which are listed while they are printed.
struct Escapes<'a> {
    position: &'a Position,
    /// The only one that is wanted; all are listed if it is not known that one is.
    one: Option<Option<Action>>,
    asked: Asked<'a>,
    /// What is left of the budget.
    limit: Limit<'a>,
    cut: Rc<Cell<Option<Cut>>>,
}

impl Escapes<'_> {
    fn each<E>(&self, mut found: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        if let Some(one) = &self.one {
            return one.iter().try_for_each(|action| found(&action_text(self.position, action)));
        }
        let mut actions = self.position.legal_actions().within(self.limit);
        for action in actions.by_ref().take(MAX_ESCAPES) {
            found(&action_text(self.position, &action))?;
        }
        let cut = if actions.next().is_some() { Some(Cut::Limit) } else { Some(Cut::Budget) };
        self.cut.set(cut.filter(|_| !actions.is_complete()));
        if self.cut.get().is_some() {
            self.asked.undecided.set(true);
        }
        Ok(())
    }
}

impl Serialize for Escapes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.each(|text| list.serialize_element(text))?;
        list.end()
    }
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
    let clock = arguments.effort.start();
    let input = arguments.input.read()?;
    if !arguments.each {
        input.refuse_errors()?;
    }
    let undecided = Cell::new(false);
    let limit = arguments.effort.limit(&clock);
    let asked = Asked { witnesses: arguments.witnesses, limit, undecided: &undecided };
    match arguments.input.format {
        Format::Text => {
            input.visit(arguments.each, |moment| print(&asked.standing(&moment), out))?;
        }
        Format::Json => {
            let schema = "worldlines/status-1";
            let error = input.error();
            if arguments.each {
                let answer = Answer::Each { positions: Each { input: &input, asked } };
                print_json(out, &Report { schema, answer, error })?;
            } else {
                input.visit(false, |moment| {
                    print_json(
                        out,
                        &Report { schema, answer: Answer::One(asked.standing(&moment)), error: None },
                    )
                })?;
            }
        }
    }
    let exit = if undecided.get() { Exit::Undecided } else { Exit::Ok };
    Ok(Exit::worst([input.finish(out)?, exit]))
}

impl<'a> Asked<'a> {
    fn standing<'p>(&self, moment: &Moment<'p>) -> Standing<'p>
    where
        'a: 'p,
    {
        let position = moment.position;
        let outcome = position.outcome_within(self.limit);
        if outcome.is_err() {
            self.undecided.set(true);
        }
        let spent = outcome.as_ref().map_or_else(|undecided| undecided.steps, |outcome| outcome.steps);
        let cut = Rc::default();
        let one = outcome.as_ref().map_or(None, |outcome| outcome.escape.clone());
        let escapes = Escapes {
            position,
            one: (self.witnesses == Witnesses::One).then_some(one),
            asked: *self,
            limit: self.limit.after(spent),
            cut: Rc::clone(&cut),
        };
        Standing {
            index: moment.index,
            action: moment.action,
            to_move: position.to_move().to_string(),
            in_check: position.is_in_check(),
            status: outcome.as_ref().map_or(UNDECIDED.to_owned(), |outcome| outcome.status.to_string()),
            attackers: position.checks().iter().map(|check| attacker(position, check)).collect(),
            escapes,
            escapes_cut: cut,
            undecided: outcome.err().map(Spent::from),
        }
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

fn print(standing: &Standing<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let check = if standing.in_check { "in check" } else { "not in check" };
    write!(out, "{}. {}: {}", standing.action, standing.to_move, standing.status)?;
    if let Some(spent) = &standing.undecided {
        write!(out, " after {spent}")?;
    }
    writeln!(out, ", {check}")?;
    for Attacker { piece, from, to } in &standing.attackers {
        writeln!(out, "  attacked by {piece}: {from} to {to}")?;
    }
    let in_softmate = standing.status == Status::Softmate.to_string();
    let what = if in_softmate { "escape" } else { "legal" };
    standing.escapes.each(|escape| writeln!(out, "  {what}: {escape}"))?;
    match standing.escapes_cut.get() {
        None => {}
        Some(Cut::Limit) => writeln!(out, "  and more")?,
        Some(Cut::Budget) => writeln!(out, "  and perhaps more: the budget is spent")?,
    }
    Ok(())
}
