//! The report of `solve`, and the parts of its text that helpmates and selfmates share. The text about a mate is in `mate.rs`.

use std::io::{self, Write};

use serde::Serialize;

use super::{Arguments, SCHEMA};
use crate::cli::exit::Exit;
use crate::cli::input::Input;
use crate::cli::json::{Number, Player, PositionName, Rules, Spent, Warning};
use crate::cli::terminal::say;
use worldlines::notation::pgn5d::{action_text, board_text, line_texts};
use worldlines::puzzle::FALSE_HEADER;
use worldlines::search::{Candidates, Defence, Dual, KeyClass, Try, Verdict};
use worldlines::state::Position;
use worldlines::types::{Action, Because, BoardCoordinate};

/// The answer about one goal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    pub schema: &'static str,
    #[serde(flatten)]
    pub rules: Rules,
    #[serde(flatten)]
    pub name: PositionName,
    /// The kind of mate that was asked for.
    pub asks: Asked,
    pub verdict: Answer,
    /// The mate that was asked for.
    pub mate_in: u32,
    /// First actions that mate and have no part that mates: one of each class. In a helpmate: the first action of each line.
    pub keys: Vec<String>,
    /// The classes of these keys in full.
    pub classes: Vec<Class>,
    /// The number of first actions that mate, of those that were looked at. In a helpmate: the number of lines.
    pub mating_actions: Number,
    /// Whether every first action was looked at, so that there are no keys but these.
    pub complete: bool,
    /// The number of first actions that were looked at; `null` in a helpmate, where lines are counted.
    pub legal_actions: Option<Number>,
    /// The number of actions in which it mates at the latest, as far as was shown.
    pub mates_in: Option<u32>,
    /// The smallest number of actions that mates, when it is known.
    pub shortest: Option<u32>,
    /// The way in which the mate was found.
    pub found_by: Option<FoundBy>,
    /// A first action that leaves few replies, if nothing mates.
    pub near_miss: Option<Wrong>,
    /// If nothing mates: the last mate that the player had before, as far as it was looked for. Its search steps are not counted.
    pub missed: Option<Missed>,
    /// With `--tries`: wrong first actions, each with a reply that refutes it; `null` when the search ended before all
    /// were found.
    pub tries: Option<Vec<Wrong>>,
    /// With `--duals`: the defences with answers of several classes; `null` when the search ended before all were found.
    pub duals: Option<Vec<DualOf>>,
    /// The limit that ended a search which left something open.
    pub undecided: Option<Spent>,
    /// The search steps spent.
    pub search_steps: u64,
    /// Things in the game that look wrong.
    pub warnings: Vec<Warning>,
}

impl Report {
    /// A report in which nothing is found yet.
    pub fn of(asks: Asked, mate_in: u32, input: &Input) -> Report {
        Report {
            schema: SCHEMA,
            rules: input.rules(),
            name: input.end_name(),
            asks,
            verdict: Answer::Undecided,
            mate_in,
            keys: Vec::new(),
            classes: Vec::new(),
            mating_actions: Number { count: 0, exact: false },
            complete: false,
            legal_actions: None,
            mates_in: None,
            shortest: None,
            found_by: None,
            near_miss: None,
            missed: None,
            tries: None,
            duals: None,
            undecided: None,
            search_steps: 0,
            warnings: input.warnings(),
        }
    }

    /// Compares the length of the mate with the header of the game that announces it, and prints a warning if it is false.
    pub fn compare_with_header(&mut self) {
        let found = match (self.verdict, self.shortest.or(self.mates_in)) {
            (Answer::Refuted, _) => "there is none".to_owned(),
            (Answer::Proven, Some(shortest)) if shortest < self.mate_in => {
                format!("there is one in {shortest}")
            }
            _ => return,
        };
        let message = format!("a header of the game announces a mate in {}, but {found}", self.mate_in);
        say(&format!("warning[{FALSE_HEADER}]: {message}"));
        self.warnings.push(Warning { code: FALSE_HEADER, message, hint: None, line: None, column: None });
    }

    /// The exit code. Keys that were found and not confirmed leave the question open, and so do lists that are wanted and not found.
    pub fn exit(&self, Arguments { tries, duals, .. }: &Arguments) -> Exit {
        if tries.is_some() && self.tries.is_none() || *duals && self.duals.is_none() {
            return Exit::Undecided;
        }
        match self.verdict {
            _ if self.undecided.is_some_and(|spent| matches!(spent.because, Because::Unconfirmed)) => {
                Exit::Undecided
            }
            Answer::Proven if self.warnings.iter().any(|warning| warning.code == FALSE_HEADER) => {
                Exit::Findings
            }
            Answer::Proven => Exit::Ok,
            Answer::Refuted => Exit::Findings,
            Answer::Undecided => Exit::Undecided,
        }
    }

    /// The player to move, inside a sentence.
    pub fn player(&self) -> &'static str {
        match self.name.to_move {
            Player::White => "white",
            Player::Black => "black",
        }
    }

    /// The first line of the text of a helpmate or selfmate.
    pub fn print_verdict(&self, what: &str, out: &mut impl Write) -> io::Result<()> {
        let (at, player, n) = (&self.name.at, self.player(), self.shortest.unwrap_or(self.mate_in));
        match self.verdict {
            Answer::Proven => writeln!(out, "{at}: proven: {what} in {n} with {player} to move"),
            Answer::Refuted => writeln!(out, "{at}: refuted: no {what} in {n} with {player} to move"),
            Answer::Undecided => writeln!(out, "{at}: undecided: a {what} in {n} with {player} to move"),
        }
    }

    /// The lines of a helpmate or selfmate, one for each class.
    pub fn print_lines(&self, out: &mut impl Write) -> io::Result<()> {
        for class in &self.classes {
            let shown = class.line.as_ref().map_or_else(|| class.key.clone(), |line| line.join(" / "));
            writeln!(out, "  {shown}{}", class.others())?;
        }
        Ok(())
    }
}

/// The kind of mate that is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// The player to move mates, whatever the opponent does.
    Mate,
    /// Both players play for the mate of the player to move, who begins.
    Helpmate,
    /// The player to move forces the opponent to mate him.
    Selfmate,
}

/// Whether a claim is true.
#[derive(PartialEq, Eq, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Answer {
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

/// The way in which a mate was found.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum FoundBy {
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
pub struct Class {
    /// One of them.
    pub key: String,
    /// The number of its keys.
    pub size: usize,
    /// The boards on which a key may play anything.
    pub free: Vec<String>,
    /// The number of actions in which it mates at the latest; `null` when that was not found out.
    pub mates_in: Option<u32>,
    /// The mate if the defender resists as long as possible; `null` when the search for it ended first.
    pub line: Option<Vec<String>>,
}

impl Class {
    pub fn of(position: &Position, class: &KeyClass, line: Option<&[Action]>) -> Class {
        let board = |at: &BoardCoordinate| board_text(position, *at);
        Class {
            key: action_text(position, class.key()),
            size: class.keys().len(),
            free: class.free().iter().map(board).collect(),
            mates_in: line.map(length),
            line: line.map(|line| line_texts(position, line).0),
        }
    }

    /// A line that stands for itself.
    pub fn of_line(position: &Position, line: &[Action]) -> Class {
        let texts = line_texts(position, line).0;
        Class {
            key: texts[0].clone(),
            size: 1,
            free: Vec::new(),
            mates_in: Some(length(line)),
            line: Some(texts),
        }
    }

    /// The number of other keys, and the boards where anything may be played, for the eye.
    pub fn others(&self) -> String {
        let free = &self.free;
        let more = match self.size {
            1 => String::new(),
            2 => "  and 1 more key".to_owned(),
            size => format!("  and {} more keys", size - 1),
        };
        if free.is_empty() { more } else { format!("{more}, anything on {}", free.join(" ")) }
    }
}

/// The number of actions of each player in a line, the last one counted for both.
fn length(line: &[Action]) -> u32 {
    line.len().div_ceil(2) as u32
}

/// A first action that does not force mate.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wrong {
    pub action: String,
    /// The reply that refutes it; `null` when the action stalemates.
    pub reply: Option<String>,
}

impl Wrong {
    pub fn of(position: &Position, wrong: &Try) -> Wrong {
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

/// A mate that a player had earlier in the game, and did not play.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Missed {
    /// The position in which it was there.
    #[serde(flatten)]
    pub name: PositionName,
    /// The number of actions in which it mated at the latest.
    pub mates_in: u32,
    /// A first action of it.
    pub key: String,
    /// The action that was played.
    pub played: String,
}

/// A defence with answers of several classes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DualOf {
    /// The actions up to the defence.
    pub after: Vec<String>,
    /// The number of actions in which each answer mates.
    pub mates_in: u32,
    /// One answer of each class.
    pub answers: Vec<String>,
}

impl DualOf {
    pub fn of(position: &Position, dual: &Dual) -> DualOf {
        let (after, at) = line_texts(position, &dual.line);
        let answers = dual.answers.iter().map(|class| action_text(&at, class.key())).collect();
        DualOf { after, mates_in: dual.mates_in, answers }
    }
}
