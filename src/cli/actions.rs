//! `worldlines actions`: lists the legal actions of a position while it finds them.

use std::cell::Cell;
use std::io::Write;

use clap::ValueEnum;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::command::Command;
use super::exit::{Exit, Failure};
use super::input::{Effort, GameFile, Input, Judging};
use super::json::{Number, PositionName, Rules, Spent, Warning};
use super::notation::notation_of_actions;
use super::output::{Format, print_json};
use super::source::Source;
use super::terminal::say;
use super::time::Clock;
use worldlines::notation::pgn5d::board_text;
use worldlines::notation::{ActionWriter, Format as Notation, Options, hash};
use worldlines::rules::Count;
use worldlines::state::Position;
use worldlines::types::{Action, Because, BoardCoordinate, Limit, Move, Undecided, counted};

/// List the legal actions of a position, one on each line
///
/// The order is that of the search: it is the same on every machine and in every run, and may change between
/// versions. In this order the list is printed while it is found, and a longer list takes no more memory.
/// With --sort it is in the order of its bytes. Sorting holds the whole list in memory, so it has a limit.
///
/// Marks of check and mate are left out. If the list was cut, a message on standard error says so, and the
/// exit code is 3.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines actions game.5dpgn
  worldlines actions --at 6b --notation 5duci --sort game.5dpgn
  worldlines actions --divide --cap 100 --format json game.5dpgn
  worldlines actions --per-board game.5dpgn

Exit codes: 0 all are listed, 2 the input cannot be read, 3 the list was cut, or a number of replies is undecided.")]
pub struct Arguments {
    #[command(flatten)]
    input: GameFile,
    #[command(flatten)]
    judging: Judging,
    /// Notation of the actions and moves
    #[arg(long, value_name = "NOTATION", default_value = "5dpgn", value_parser = notation_of_actions())]
    notation: Notation,
    /// List single moves instead: all pseudo-legal moves, whether or not a legal action contains them
    #[arg(long)]
    moves: bool,
    /// List single moves, grouped by the board on which they start
    #[arg(long, conflicts_with = "moves")]
    per_board: bool,
    /// Print after each action the number of replies that it leaves, and at the end their sum
    #[arg(long, conflicts_with_all = ["moves", "per_board"])]
    divide: bool,
    /// Print after each action, behind a tab, a description of the position that it leads to
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["moves", "per_board"])]
    after: Option<After>,
    /// Sort the list by its bytes; single moves are sorted on each board. A list of more than 512 MiB is cut
    #[arg(long)]
    sort: bool,
    /// List at most N, the first that the search finds [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cap: Option<u64>,
    #[command(flatten)]
    effort: Effort,
}

/// A description of the position after an action.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum After {
    /// The boards of the position, with a blank between them
    #[value(name = "5dfen")]
    Fen5d,
    /// The hash `5dfen-md5` of spec/hashes.md
    Hash,
}

impl After {
    fn of(self, position: &Position) -> String {
        match self {
            After::Fen5d => position.to_string().replace('\n', " "),
            After::Hash => hash::fen5d_md5(position),
        }
    }
}

/// The most bytes of a list that is sorted.
const MAX_SORTED: usize = 512 << 20;

pub const SCHEMA: &str = "worldlines/actions-1";
/// The schema with `--moves` or `--per-board`.
pub const SCHEMA_OF_MOVES: &str = "worldlines/moves-1";

/// The subject of a list.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct About {
    schema: &'static str,
    #[serde(flatten)]
    rules: Rules,
    #[serde(flatten)]
    name: PositionName,
    /// The notation of the actions or moves.
    notation: &'static str,
}

/// The legal actions of a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report<'a> {
    #[serde(flatten)]
    about: About,
    /// The legal actions that were found.
    #[cfg_attr(test, schemars(with = "Vec<Entry<'a>>"))]
    actions: Entries<'a>,
    /// The number of replies that the actions leave together; if the number of some is not known, at least
    /// this many. `null` without `--divide`.
    #[cfg_attr(test, schemars(with = "Option<Number>"))]
    replies: Replies<'a>,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "End"))]
    end: &'a Ended,
    /// Things in the game that look wrong.
    warnings: Vec<Warning>,
}

/// The pseudo-legal moves of a position.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportOfMoves<'a> {
    #[serde(flatten)]
    about: About,
    /// The boards on which a move can start, lowest timeline first.
    #[cfg_attr(test, schemars(with = "Vec<Board>"))]
    boards: Boards<'a>,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(with = "End"))]
    end: &'a Ended,
    /// Things in the game that look wrong.
    warnings: Vec<Warning>,
}

/// A legal action.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Entry<'a> {
    action: &'a str,
    /// The number of legal actions that the opponent has after it. `null` without `--divide`, or if the
    /// search for them ended first.
    replies: Option<u64>,
    /// The description of the position after it, as `--after` asks for it.
    after: Option<&'a str>,
}

/// The moves that start on a board.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Board {
    /// The name of the board, such as `(0T1)`.
    board: String,
    /// Whether it must be played unless a branch moves the present to an earlier half-turn.
    mandatory: bool,
    /// The moves that were found.
    moves: Vec<String>,
}

/// The end of a list.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct End {
    /// The number of listed actions or moves.
    listed: u64,
    #[serde(skip)]
    replies: Option<Number>,
    /// The reason why there may be more than are listed; `null` if these are all.
    cut: Option<Cut>,
    /// The limit that ended the search for more, or for the replies to one of them.
    undecided: Option<Spent>,
}

/// The end of a list, known once the list has been printed.
struct Ended(Cell<End>);

impl Serialize for Ended {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.get().serialize(serializer)
    }
}

/// The number of replies that the actions leave together, known once they have been printed.
struct Replies<'a>(&'a Ended);

impl Serialize for Replies<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.0.get().replies.serialize(serializer)
    }
}

/// The reason why there may be more than are listed.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Cut {
    /// The list is as long as `--cap` allows.
    Limit,
    /// The search for more was ended by a limit.
    Search,
    /// The list is as long as can be sorted.
    Memory,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let clock = self.effort.start();
        let input = self.input.read(false)?.judged_by(&self.judging);
        input.refuse_errors()?;
        let end = input.end();
        let list = List { arguments: self, input: &input, position: &end, clock: &clock };
        let ended = Ended(Cell::new(End::new(self)));
        let of_moves = self.moves || self.per_board;
        match self.input.format {
            Format::Text if of_moves => ended.0.set(list.print_moves(out)?),
            Format::Text => ended.0.set(list.print(out)?),
            Format::Json => {
                let schema = if of_moves { SCHEMA_OF_MOVES } else { SCHEMA };
                let (rules, name, notation) = (input.rules(), input.end_name(), self.notation.name());
                let about = About { schema, rules, name, notation };
                let (end, warnings) = (&ended, input.warnings());
                if of_moves {
                    print_json(out, &ReportOfMoves { about, boards: Boards { list, end }, end, warnings })?;
                } else {
                    let (actions, replies) = (Entries { list, end }, Replies(end));
                    print_json(out, &Report { about, actions, replies, end, warnings })?;
                }
            }
        }
        out.flush()?;
        Ok(ended.0.get().exit(if of_moves { "moves" } else { "actions" }))
    }

    fn format(&self) -> Format {
        self.input.format
    }

    fn source(&mut self) -> Option<&mut Source> {
        Some(&mut self.input.source)
    }
}

impl End {
    /// The end of an empty list.
    fn new(arguments: &Arguments) -> End {
        let replies = arguments.divide.then_some(Number { count: 0, exact: true });
        End { listed: 0, replies, cut: None, undecided: None }
    }

    /// Reports on standard error that something is missing, and gives the exit code.
    fn exit(&self, what: &str) -> Exit {
        let listed = self.listed;
        match (self.cut, self.undecided) {
            (None, None) => return Exit::Ok,
            (None, Some(spent)) => say(&format!("undecided: how many replies some actions leave: {spent}")),
            (Some(Cut::Limit), _) => {
                say(&format!("cut: there are more than the {listed} {what} of --cap"));
            }
            (Some(Cut::Memory), _) => {
                say(&format!("cut: there are more {what} than the {listed} that can be sorted"));
            }
            (Some(Cut::Search), Some(spent)) => {
                say(&format!("cut: there may be more than these {listed} {what}: {spent}"));
            }
            (Some(Cut::Search), None) => say(&format!("cut: there may be more than these {listed} {what}")),
        }
        Exit::Undecided
    }
}

/// The arguments of a list, and its position.
#[derive(Clone, Copy)]
struct List<'a> {
    arguments: &'a Arguments,
    input: &'a Input,
    position: &'a Position,
    clock: &'a Clock,
}

impl List<'_> {
    fn limit(&self) -> Limit<'_> {
        self.arguments.effort.limit(self.clock)
    }

    fn writer(&self) -> ActionWriter {
        let options: Options = self.arguments.input.source.options_of_writing();
        let writer = ActionWriter::new(self.arguments.notation, self.input.game(), &options);
        writer.expect("a notation of actions")
    }

    fn most(&self) -> u64 {
        self.arguments.cap.unwrap_or(u64::MAX)
    }

    /// Calls `found` with each action and its text, in the order of the search.
    fn texts<E>(
        &self,
        mut found: impl FnMut(&Action, &str) -> Result<bool, E>,
    ) -> Result<(Option<Cut>, Option<Undecided>), E> {
        let mut writer = self.writer();
        let mut actions = self.position.legal_actions().within(self.limit());
        let mut left = self.most();
        for action in actions.by_ref() {
            if left == 0 {
                return Ok((Some(Cut::Limit), None));
            }
            left -= 1;
            if !found(&action, writer.action(&action))? {
                return Ok((Some(Cut::Memory), None));
            }
        }
        let undecided = actions.end().and_then(Result::err);
        Ok((undecided.map(|_| Cut::Search), undecided))
    }

    /// Calls `found` with each action and the figures asked for, in the order of the list.
    fn each<E>(&self, mut found: impl FnMut(&Entry<'_>) -> Result<(), E>) -> Result<End, E> {
        let Arguments { divide, after, sort, .. } = self.arguments;
        let mut end = End::new(self.arguments);
        let mut played = self.position.clone();
        let mut listed = |action: &Action, text: &str| {
            end.listed += 1;
            let mut entry = Entry { action: text, replies: None, after: None };
            if !divide && after.is_none() {
                return found(&entry);
            }
            let undo = played.play(action).expect("a legal action");
            if let Some(sum) = &mut end.replies {
                match played.count_legal_actions_within(u64::MAX, self.limit()) {
                    Ok(Count { count, capped }) => {
                        entry.replies = Some(count).filter(|_| !capped);
                        let (count, overflows) = sum.count.overflowing_add(count);
                        let count = if overflows { u64::MAX } else { count };
                        *sum = Number { count, exact: sum.exact && !capped && !overflows };
                    }
                    Err(undecided) => {
                        sum.exact = false;
                        end.undecided.get_or_insert(undecided.into());
                    }
                }
            }
            let text = after.map(|after| after.of(&played));
            entry.after = text.as_deref();
            let said = found(&entry);
            played.undo(undo).expect("nothing else was played since");
            said
        };
        let (cut, undecided) = if *sort {
            let mut sorted = Vec::new();
            let mut bytes = 0;
            let ended = self.texts(|action, text| {
                bytes += text.len() + size_of_val(action.moves()) + size_of::<(String, Action)>();
                let fits = bytes <= MAX_SORTED;
                if fits {
                    sorted.push((text.to_owned(), action.clone()));
                }
                Ok(fits)
            })?;
            sorted.sort_unstable();
            for (text, action) in &sorted {
                listed(action, text)?;
            }
            ended
        } else {
            self.texts(|action, text| listed(action, text).map(|()| true))?
        };
        end.cut = cut;
        end.undecided = undecided.map(Spent::from).or(end.undecided);
        Ok(end)
    }

    fn print(&self, out: &mut dyn Write) -> Result<End, Failure> {
        let divide = self.arguments.divide;
        let mut line = Vec::new();
        let end = self.each(|Entry { action, replies, after }| {
            line.clear();
            line.extend_from_slice(action.as_bytes());
            match replies {
                Some(replies) => write!(line, ": {replies}")?,
                None if divide => line.extend_from_slice(b": undecided"),
                None => {}
            }
            if let Some(after) = after {
                line.push(b'\t');
                line.extend_from_slice(after.as_bytes());
            }
            line.push(b'\n');
            out.write_all(&line).map_err(Failure::from)
        })?;
        if let Some(Number { count, exact }) = end.replies {
            let least = if exact { "" } else { "at least " };
            writeln!(out, "\n{}, {least}{count} replies", counted(end.listed, "action"))?;
        }
        Ok(end)
    }

    /// Calls `found` with each board on which a move can start, and with its moves.
    fn boards<E>(&self, mut found: impl FnMut(Board) -> Result<(), E>) -> Result<End, E> {
        let mut end = End::new(self.arguments);
        let mut writer = self.writer();
        let mandatory: Vec<BoardCoordinate> = self.position.mandatory_boards().collect();
        let mut moves: Vec<Move> = Vec::new();
        for at in self.position.playable_boards() {
            // In a game with many boards each has few moves, so the clock is asked once for each board.
            if self.limit().is_stopped() {
                end.undecided = Some(Undecided { steps: 0, because: Because::Stopped }.into());
                end.cut = Some(Cut::Search);
                break;
            }
            moves.clear();
            self.position.pseudo_legal_moves_from(at, &mut moves);
            let left = usize::try_from(self.most() - end.listed).unwrap_or(usize::MAX);
            if moves.len() > left {
                moves.truncate(left);
                end.cut = Some(Cut::Limit);
            }
            end.listed += moves.len() as u64;
            let mut moves: Vec<String> = moves.iter().map(|m| writer.single(m).to_owned()).collect();
            if self.arguments.sort {
                moves.sort_unstable();
            }
            let board = board_text(self.position, at);
            found(Board { board, mandatory: mandatory.binary_search(&at).is_ok(), moves })?;
            if end.cut.is_some() {
                break;
            }
        }
        Ok(end)
    }

    fn print_moves(&self, out: &mut dyn Write) -> Result<End, Failure> {
        let per_board = self.arguments.per_board;
        self.boards(|Board { board, mandatory, moves }| {
            if per_board {
                let may_wait = if mandatory { "" } else { ", may wait" };
                writeln!(out, "{board}: {}{may_wait}", counted(moves.len(), "move"))?;
            }
            for m in moves {
                writeln!(out, "{}{m}", if per_board { "  " } else { "" })?;
            }
            Ok(())
        })
    }
}

/// Legal actions that are searched while they are printed.
struct Entries<'a> {
    list: List<'a>,
    end: &'a Ended,
}

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.end.0.set(self.list.each(|entry| list.serialize_element(entry))?);
        list.end()
    }
}

/// Boards with their moves, which are found while they are printed.
struct Boards<'a> {
    list: List<'a>,
    end: &'a Ended,
}

impl Serialize for Boards<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.end.0.set(self.list.boards(|board| list.serialize_element(&board))?);
        list.end()
    }
}
