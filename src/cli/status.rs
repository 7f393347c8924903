//! `worldlines status`: the status of a game.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::Write;
use std::rc::Rc;

use clap::ValueEnum;
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};

use super::command::Command;
use super::exit::{Exit, Failure};
use super::input::{Effort, GameFile, Input, Judging, Memory, Moment};
use super::json::{Error, PositionName, Rules, Spent, Warning};
use super::output::{Format, print_json};
use super::source::Source;
use super::terminal::Answers;
use worldlines::notation::pgn5d::action_text;
use worldlines::render::why;
use worldlines::rules::Check;
use worldlines::state::Position;
use worldlines::types::{Action, Coordinate, Limit, Status};

/// The most actions that `--actions all` lists.
const MAX_ACTIONS: usize = 100_000;
/// The most checks that are listed.
const MAX_CHECKS: usize = 1_000;

/// Report the status of a game: ongoing, softmate, checkmate or stalemate
///
/// Every verdict has its evidence: the pieces that give check, and a legal action, which in a softmate moves
/// the present back. If the budget is spent first, the verdict is `undecided`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines status game.5dpgn
  worldlines status --at 6b --actions all game.5dpgn
  worldlines status --why game.5dpgn
  worldlines status --each --format json game.5dpgn

Exit codes: 0 answered, 2 the input cannot be read, 3 undecided, or a limit cut the list of --actions all or --why.")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile,
    #[command(flatten)]
    judging: Judging,
    /// Answer for every position, from the start to the end
    #[arg(long)]
    each: bool,
    /// Explain the status: list the pieces that give check and, if there is no legal action, the reason why
    /// each try fails
    #[arg(long, conflicts_with = "each")]
    why: bool,
    /// Legal actions to list
    #[arg(long, alias = "witnesses", value_name = "HOW MANY", default_value = "one")]
    actions: Listed,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    memory: Memory,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Listed {
    /// One of them
    One,
    /// All of them, up to 100000
    All,
}

pub const SCHEMA: &str = "worldlines/status-1";
/// The schema with `--each`.
pub const SCHEMA_OF_EACH: &str = "worldlines/status-each-1";

/// The status of a game in several positions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report<'a> {
    schema: &'static str,
    #[serde(flatten)]
    rules: Rules,
    /// The positions, in the order of the game.
    #[cfg_attr(test, schemars(with = "Vec<Standing<'a>>"))]
    positions: Standings<'a>,
    /// Things in the game that look wrong.
    warnings: Vec<Warning>,
    /// The reason why the positions end before the game does.
    error: Option<Error>,
}

/// The status of a game in one position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct End<'a> {
    schema: &'static str,
    #[serde(flatten)]
    rules: Rules,
    #[serde(flatten)]
    standing: Standing<'a>,
    /// Things in the game that look wrong.
    warnings: Vec<Warning>,
}

/// The status of the game in the selected positions, found while it is printed.
struct Standings<'a> {
    input: &'a Input,
    question: Question<'a>,
}

impl Serialize for Standings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let visited = self.input.visit(true, |moment| {
            list.serialize_element(&self.question.standing(moment)).map_err(Failure::new)
        });
        visited.map_err(|failure| S::Error::custom(failure.error.message))?;
        list.end()
    }
}

/// The question about each position.
#[derive(Clone, Copy)]
struct Question<'a> {
    listed: Listed,
    limit: Limit<'a>,
    /// Becomes true if an answer is undecided.
    undecided: &'a Cell<bool>,
}

/// The status of the game in a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Standing<'a> {
    #[serde(flatten)]
    name: PositionName,
    status: Verdict,
    /// Whether the opponent could capture a royal piece if the player to move passed.
    in_check: bool,
    /// The pieces that could capture it, at most 1000.
    attackers: Vec<Attacker>,
    /// Whether there are more such pieces.
    more_attackers: bool,
    /// Legal actions; with `--actions one` only one, if there is any.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    actions: Actions<'a>,
    /// The reason why there may be more legal actions than these; `null` if these are all.
    #[serde(serialize_with = "cut")]
    #[cfg_attr(test, schemars(with = "Option<Cut>"))]
    cut: Rc<Cell<Option<Cut>>>,
    /// The limit that ended the search for the status.
    undecided: Option<Spent>,
}

fn cut<S: Serializer>(cut: &Rc<Cell<Option<Cut>>>, serializer: S) -> Result<S::Ok, S::Error> {
    cut.get().serialize(serializer)
}

/// The status of a game for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Verdict {
    /// There is a legal action, and it is no softmate.
    Ongoing,
    /// In check, and every legal action moves the present to an earlier time.
    Softmate,
    /// In check without a legal action.
    Checkmate,
    /// Not in check, without a legal action.
    Stalemate,
    /// A limit ended the search first.
    Undecided,
}

impl Verdict {
    fn of(status: Status) -> Verdict {
        match status {
            Status::Ongoing => Verdict::Ongoing,
            Status::Softmate => Verdict::Softmate,
            Status::Checkmate => Verdict::Checkmate,
            Status::Stalemate => Verdict::Stalemate,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Verdict::Ongoing => "ongoing",
            Verdict::Softmate => "softmate",
            Verdict::Checkmate => "checkmate",
            Verdict::Stalemate => "stalemate",
            Verdict::Undecided => "undecided",
        }
    }
}

/// The reason why there may be more legal actions than are listed.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Cut {
    /// Only one was asked for.
    One,
    /// The list has the most actions that are allowed: 100000.
    Limit,
    /// The search for more was ended by a limit: the budget, the time, or actions beyond the largest position
    /// supported.
    Search,
}

/// Legal actions that are searched while they are printed.
struct Actions<'a> {
    position: &'a Position,
    /// The single action to list, if there is one; `None` if all are listed.
    one: Option<Option<Action>>,
    undecided: &'a Cell<bool>,
    /// The rest of the budget.
    limit: Cell<Limit<'a>>,
    cut: Rc<Cell<Option<Cut>>>,
}

impl Actions<'_> {
    fn each<E>(&self, mut found: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        if let Some(one) = &self.one {
            return one.iter().try_for_each(|action| found(&action_text(self.position, action)));
        }
        let mut actions = self.position.legal_actions().within(self.limit.get());
        for action in actions.by_ref().take(MAX_ACTIONS) {
            found(&action_text(self.position, &action))?;
        }
        let cut = if actions.next().is_some() { Some(Cut::Limit) } else { Some(Cut::Search) };
        self.limit.set(self.limit.get().after(actions.steps()));
        self.cut.set(cut.filter(|_| !actions.is_complete()));
        if self.cut.get().is_some() {
            self.undecided.set(true);
        }
        Ok(())
    }
}

impl Serialize for Actions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.each(|text| list.serialize_element(text))?;
        list.end()
    }
}

/// A piece that gives check.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Attacker {
    /// The piece, such as `black rook`.
    piece: String,
    /// The origin of the capture; on the opponent's next board if the piece stands on a board that must be
    /// played.
    from: String,
    /// The square of the royal piece.
    to: String,
    /// The capture in words, with the names of existing boards.
    #[serde(skip)]
    in_words: String,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let Arguments { input, judging, each, why, actions, effort, memory } = self;
        let clock = effort.start();
        let format = input.format;
        let input = input.read(*each)?.judged_by(judging);
        if !each {
            input.refuse_errors()?;
        }
        let undecided = Cell::new(false);
        let question = Question { listed: *actions, limit: effort.limit(&clock), undecided: &undecided };
        match format {
            Format::Text => {
                let mut out = Answers::new(&mut *out);
                let out = &mut out;
                input.visit(*each, |moment| {
                    let position = moment.position;
                    let standing = question.standing(moment);
                    print(&standing, out)?;
                    if *why && !tell_why(position, standing.actions.limit.get(), memory.bytes(), out)? {
                        undecided.set(true);
                    }
                    Ok(())
                })?;
                out.flush()?;
            }
            Format::Json if *why => return Err(Failure::new("--why has no JSON")),
            Format::Json => {
                let (rules, warnings) = (input.rules(), input.warnings());
                if *each {
                    let positions = Standings { input: &input, question };
                    let error = input.error();
                    print_json(out, &Report { schema: SCHEMA_OF_EACH, rules, positions, warnings, error })?;
                } else {
                    let end = input.end();
                    let standing = question.standing(Moment { name: input.end_name(), position: &end });
                    print_json(out, &End { schema: SCHEMA, rules, standing, warnings })?;
                }
            }
        }
        let exit = if undecided.get() { Exit::Undecided } else { Exit::Ok };
        Ok(Exit::worst([input.finish(out)?, exit]))
    }

    fn format(&self) -> Format {
        self.input.format
    }

    fn source(&mut self) -> Option<&mut Source> {
        Some(&mut self.input.source)
    }
}

impl<'a> Question<'a> {
    fn standing<'p>(&self, Moment { name, position }: Moment<'p>) -> Standing<'p>
    where
        'a: 'p,
    {
        let outcome = position.outcome_within(self.limit);
        if outcome.is_err() {
            self.undecided.set(true);
        }
        let spent = outcome.as_ref().map_or_else(|undecided| undecided.steps, |outcome| outcome.steps);
        let one = outcome.as_ref().map_or(None, |outcome| outcome.escape.clone());
        let cut = match (&outcome, self.listed) {
            // Listing the actions sets this.
            (_, Listed::All) => None,
            (Err(_), Listed::One) => Some(Cut::Search),
            (Ok(outcome), Listed::One) => outcome.escape.is_some().then_some(Cut::One),
        };
        let cut = Rc::new(Cell::new(cut));
        let actions = Actions {
            position,
            one: (self.listed == Listed::One).then_some(one),
            undecided: self.undecided,
            limit: Cell::new(self.limit.after(spent)),
            cut: Rc::clone(&cut),
        };
        // In most positions nobody is in check, and the outcome says so.
        let is_quiet = outcome.as_ref().is_ok_and(|outcome| !outcome.in_check);
        let (checks, is_all) = if is_quiet { (Vec::new(), true) } else { position.first_checks(MAX_CHECKS) };
        Standing {
            name,
            status: outcome.as_ref().map_or(Verdict::Undecided, |outcome| Verdict::of(outcome.status)),
            in_check: !checks.is_empty(),
            attackers: checks.iter().map(|check| attacker(position, check)).collect(),
            more_attackers: !is_all,
            actions,
            cut,
            undecided: outcome.err().map(Spent::from),
        }
    }
}

fn attacker(position: &Position, check: &Check) -> Attacker {
    let place = |Coordinate { board, square }: Coordinate| {
        format!("({}T{}){square}", position.parity().label(board.timeline), board.half_turn.turn())
    };
    let (from, to) = (why::existing(check.from, position), why::existing(check.to, position));
    let (starts, ends) = (place(check.from), place(check.to));
    let in_words = if (from, to) == (check.from, check.to) {
        format!("{starts} to {ends}")
    } else {
        format!("{} to {}, if {} passed", place(from), place(to), position.to_move().name())
    };
    let piece = position.board(from.board).and_then(|board| board.get(from.square));
    Attacker {
        piece: piece.map(|piece| piece.to_string()).unwrap_or_default(),
        from: starts,
        to: ends,
        in_words,
    }
}

/// Prints the reasons why no try is legal. Returns false if a limit ended the search for them.
fn tell_why(
    position: &Position,
    limit: Limit<'_>,
    memory: u64,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let why::Reasons { told, all, undecided } = why::reasons(position, limit, memory);
    for reason in told {
        writeln!(out, "  try {reason}")?;
    }
    match undecided {
        Some(undecided) => writeln!(out, "  and perhaps more can be tried: {undecided}")?,
        None if !all => writeln!(out, "  and there is more that can be tried")?,
        None => {}
    }
    Ok(undecided.is_none())
}

fn print(standing: &Standing<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let check = if standing.in_check { "in check" } else { "not in check" };
    write!(out, "{}: {}, {check}", standing.name.at, standing.status.text())?;
    match &standing.undecided {
        Some(spent) => writeln!(out, ": {spent}")?,
        None => writeln!(out)?,
    }
    let mut told = BTreeSet::new();
    for Attacker { piece, in_words, .. } in &standing.attackers {
        if told.insert(in_words) {
            writeln!(out, "  attacked by {piece}: {in_words}")?;
        }
    }
    if standing.more_attackers {
        writeln!(out, "  and attacked by more, since at most {MAX_CHECKS} attacks are listed")?;
    }
    standing.actions.each(|action| writeln!(out, "  legal: {action}"))?;
    match standing.cut.get() {
        None | Some(Cut::One) => {}
        // The reason is printed already, beside the status.
        Some(Cut::Search) if standing.undecided.is_some() => {}
        Some(Cut::Limit) => writeln!(out, "  and more, since at most {MAX_ACTIONS} are listed")?,
        Some(Cut::Search) => {
            writeln!(out, "  and perhaps more, since the search ended before all were found")?
        }
    }
    Ok(())
}
