//! The game or position for a command, read with the options of the command line. Begin at
//! [`GameFile::read`].

use std::fmt;
use std::io::Write;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use clap::ValueEnum;
use clap::builder::EnumValueParser;

use super::exit::{Exit, Failure};
use super::json;
use super::output::Format;
use super::source::{Read, Source};
use super::terminal::say;
use super::time::{Clock, Time};
use worldlines::notation::{ErrorClass, Game, ParseError};
use worldlines::puzzle::{self, Puzzle};
use worldlines::rules::variants;
use worldlines::search::Budget;
use worldlines::state::Position;
use worldlines::types::{Color, Limit, RuleProfile, counted};

/// The default number of search steps for one position: about a second. Counting a million actions takes
/// fewer in the widest games on record.
pub const DEFAULT_STEPS: u64 = 200_000;

/// Arguments of the commands that answer for one game, in one of the formats `F`.
#[derive(clap::Args)]
pub struct GameFile<F: ValueEnum + Clone + Send + Sync + 'static = Format> {
    #[command(flatten)]
    pub source: Source,
    /// Position in the game: `8b` is the one before Black's action 8, and a number counts the actions played
    /// before it [default: the end]
    #[arg(long, value_name = "POSITION")]
    at: Option<At>,
    /// Format of the answer
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = EnumValueParser::<F>::new())]
    pub format: F,
}

/// The name of a position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum At {
    /// The position after this many actions.
    Index(usize),
    /// The position before the action with this number.
    Action { number: usize, player: Color },
}

impl FromStr for At {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<At, &'static str> {
        let expected =
            "expected the number and player of an action such as `8b`, or a number of actions such as `15`";
        if let Ok(index) = text.parse() {
            return Ok(At::Index(index));
        }
        let players = [('w', Color::White), ('b', Color::Black)];
        let found =
            players.into_iter().find_map(|(letter, player)| Some((text.strip_suffix(letter)?, player)));
        let (number, player) = found.ok_or(expected)?;
        match number.parse() {
            Ok(number @ 1..) => Ok(At::Action { number, player }),
            _ => Err(expected),
        }
    }
}

impl At {
    /// The number of actions before the position, if `begins` has the first action.
    fn index(self, begins: Color) -> Result<usize, Failure> {
        match self {
            At::Index(index) => Ok(index),
            At::Action { number: 1, player: Color::White } if begins == Color::Black => {
                Err(Failure::new("Black begins this game, so its first position is 1b"))
            }
            At::Action { number, player } => {
                let after_white = usize::from(player == Color::Black);
                let half_turns = (number - 1).saturating_mul(2).saturating_add(after_white);
                Ok(half_turns - usize::from(begins == Color::Black))
            }
        }
    }

    /// The game up to this position.
    pub fn cut(self, game: &Game, name: &str) -> Result<Game, Failure> {
        let index = self.index(game.start.to_move())?;
        if index > game.actions.len() { Err(self.past_the_end(game, name)) } else { Ok(game.until(index)) }
    }

    /// The failure of a position beyond the end of the game.
    fn past_the_end(self, game: &Game, name: &str) -> Failure {
        let actions = game.actions.len();
        let end = position_name(actions, game.start.to_move());
        let played = counted(actions, "action");
        Failure::new(format_args!("there is no position {self}: {name} ends at {}, after {played}", end.at))
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Index(index) => write!(f, "{index}"),
            At::Action { number, player } => write!(f, "{number}{}", player.letter()),
        }
    }
}

/// The name of the position after `index` actions, if `begins` has the first action.
pub fn position_name(index: usize, begins: Color) -> json::PositionName {
    let half_turns = index + usize::from(begins == Color::Black);
    let to_move = if half_turns.is_multiple_of(2) { Color::White } else { Color::Black };
    let at = format!("{}{}", half_turns / 2 + 1, to_move.letter());
    json::PositionName { index, at, to_move: to_move.into() }
}

/// The option for the rules, in commands that judge positions.
#[derive(clap::Args)]
pub struct Judging {
    /// Judge by these rules, such as `default +en-passant-onto-vacated`; spec/experiments.md lists the
    /// switches. The game itself is read by its own rules [default: those of the game]
    #[arg(long, value_name = "PROFILE", value_parser = profile)]
    rules: Option<RuleProfile>,
}

pub fn profile(name: &str) -> Result<RuleProfile, String> {
    name.parse().map_err(|_| {
        let switches: Vec<&str> = RuleProfile::switch_names().collect();
        format!(
            "expected `default` or `orthodox`, then switches with `+` or `-`; the switches are {}",
            switches.join(", ")
        )
    })
}

/// An option of an engine: its name, and its value if it has one.
pub fn engine_option(text: &str) -> Result<(String, Option<String>), String> {
    Ok(match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text.to_owned(), None),
    })
}

/// The limits of a search, in commands that search.
#[derive(clap::Args)]
pub struct Effort {
    /// The most search steps for one position; if they do not suffice, the answer is `undecided`
    #[arg(long = "budget", value_name = "STEPS", default_value_t = DEFAULT_STEPS)]
    steps: u64,
    #[command(flatten)]
    time: Time,
}

impl Effort {
    /// Starts the clock, which is for the whole answer.
    pub fn start(&self) -> Clock {
        self.time.start()
    }

    /// The limit of the search about one position.
    pub fn limit<'c>(&self, clock: &'c Clock) -> Limit<'c> {
        Limit::steps(self.steps).stopping_on(clock.stop())
    }
}

/// The most threads for each processor. More would only take turns.
const MAX_JOBS: usize = 4;

/// The number of threads. A note says so if it is less than was asked for.
pub fn threads(jobs: Option<u16>) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let most = MAX_JOBS * processors;
    let jobs = jobs.map_or(processors, usize::from);
    if jobs > most {
        say(&format!("note: --jobs {jobs} is too many for this machine; {most} are used"));
    }
    jobs.min(most)
}

/// The option that selects puzzles from the files and folders.
#[derive(clap::Args)]
pub struct Selecting {
    /// Select puzzles by terms between commas: `text` takes those whose collection/id contains it, `-text`
    /// leaves those out, `=id` takes exactly this one
    #[arg(
        long,
        value_name = "TERMS",
        default_value = "",
        allow_hyphen_values = true,
        hide_default_value = true
    )]
    pub filter: String,
}

/// The option for the memory of a proof.
#[derive(clap::Args)]
pub struct Memory {
    /// Mebibytes of memory for positions that the search has met
    #[arg(long = "memory", value_name = "MIB", default_value_t = Budget::default().memory >> 20, value_parser = clap::value_parser!(u64).range(..=1 << 20))]
    mib: u64,
}

impl Memory {
    /// The memory in mebibytes.
    pub fn mib(&self) -> u64 {
        self.mib
    }

    /// The memory in bytes.
    pub fn bytes(&self) -> u64 {
        self.mib << 20
    }
}

/// The limits of a search for mates beside its search steps.
#[derive(clap::Args)]
pub struct Limits {
    #[command(flatten)]
    pub time: Time,
    #[command(flatten)]
    pub memory: Memory,
    /// The most search steps for making and checking evidence, for each puzzle, answer or position. A mate without evidence is
    /// undecided
    #[arg(long, value_name = "STEPS", default_value_t = Budget::default().evidence)]
    pub evidence_budget: u64,
}

impl Limits {
    /// The budget with so many search steps.
    pub fn budget(&self, steps: u64) -> Budget {
        Budget { steps, memory: self.memory.bytes(), evidence: self.evidence_budget }
    }

    /// The same for a puzzle, with what becomes true when the time is up.
    pub fn options<'c>(&self, max_steps: Option<u64>, stop: Option<&'c AtomicBool>) -> puzzle::Options<'c> {
        let (memory, evidence) = (self.memory.bytes(), self.evidence_budget);
        puzzle::Options { max_steps, memory, evidence, stop, ..puzzle::Options::default() }
    }
}

/// The limits of proofs about puzzles, in commands that use the budget of each puzzle.
#[derive(clap::Args)]
pub struct Proving {
    /// The most search steps for one puzzle or one answer, instead of the budget in its file
    #[arg(long, value_name = "STEPS")]
    pub budget: Option<u64>,
    #[command(flatten)]
    pub limits: Limits,
}

impl Proving {
    /// The limits for the library, with a flag that stops the proofs.
    pub fn options<'c>(&self, stop: Option<&'c AtomicBool>) -> puzzle::Options<'c> {
        self.limits.options(self.budget, stop)
    }
}

/// A game, as far as it could be read.
pub struct Input {
    /// The text as it was read, without its game.
    read: Read,
    game: Game,
    warnings: Vec<json::Warning>,
    /// The puzzle, if the file is one and the position is its start.
    puzzle: Option<Puzzle>,
    /// The rules of `--rules`.
    rules: Option<RuleProfile>,
}

/// A position of a game, with its name.
pub struct Moment<'a> {
    pub name: json::PositionName,
    pub position: &'a Position,
}

impl<F: ValueEnum + Clone + Send + Sync + 'static> GameFile<F> {
    /// Whether the position is the end of the game.
    pub fn is_end(&self) -> bool {
        self.at.is_none()
    }

    /// Reads the game, and prints warnings about its end, or about each position. Fails if there is not even
    /// a start position.
    pub fn read(&self, each: bool) -> Result<Input, Failure> {
        let mut read = self.source.read()?;
        let Some(mut game) = read.reading.value.take() else {
            return Err(read.failure());
        };
        if is_start_in_doubt(&game, read.reading.error.as_ref()) {
            return Err(read.failure());
        }
        let mut warnings = read.warnings();
        let mut puzzle = read.puzzle.take();
        if let Some(at) = self.at {
            let index = at.index(game.start.to_move())?;
            let actions = game.actions.len();
            if index <= actions {
                // Errors after the position that was asked for do not matter.
                read.reading.error = None;
                game = game.until(index);
                puzzle = puzzle.filter(|_| index == actions);
            } else if read.reading.error.is_none() {
                return Err(at.past_the_end(&game, &read.content.name));
            }
        }
        // After a legal action no royal piece can be captured, so only the start needs this warning.
        if each || game.actions.is_empty() {
            warnings.extend(warning_of_start(&game));
        }
        Ok(Input { read, game, warnings, puzzle, rules: None })
    }
}

/// Whether a text in which nothing was understood may belong to another start than the default one.
fn is_start_in_doubt(game: &Game, error: Option<&ParseError>) -> bool {
    error.is_some_and(|error| error.class == ErrorClass::Malformed)
        && game.actions.is_empty()
        && variants::by_setup(&game.start.to_setup()).is_some_and(|variant| variant.name == "Standard")
}

/// The warning that the player who begins can capture a royal piece, which is printed too; `None` if he
/// cannot.
pub fn warning_of_start(game: &Game) -> Option<json::Warning> {
    let message = puzzle::capturable_royal(&game.start)?;
    let code = puzzle::KING_CAPTURABLE;
    say(&format!("warning[{code}]: {message}"));
    Some(json::Warning { code, message, hint: None, line: None, column: None })
}

impl Input {
    /// The game, with its positions judged by the rules that are asked for.
    pub fn judged_by(self, judging: &Judging) -> Input {
        Input { rules: judging.rules, ..self }
    }

    /// Calls `visit` with the positions from the start to the end, or only with the end.
    pub fn visit(
        &self,
        each: bool,
        mut visitor: impl FnMut(Moment<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let begins = self.game.start.to_move();
        let mut position = self.game.start.clone();
        for (index, next) in self.game.actions.iter().enumerate() {
            if each {
                let judged = self.judged(&position);
                visitor(Moment {
                    name: position_name(index, begins),
                    position: judged.as_ref().unwrap_or(&position),
                })?;
            }
            position.play(next).expect("a legal action");
        }
        let judged = self.judged(&position);
        visitor(Moment { name: self.end_name(), position: judged.as_ref().unwrap_or(&position) })
    }

    /// The position under the rules that are asked for; `None` if none are.
    fn judged(&self, position: &Position) -> Option<Position> {
        let rules = self.rules?;
        let mut setup = position.to_setup();
        setup.profile = RuleProfile { promotions: setup.profile.promotions, ..rules };
        Some(Position::from_setup(&setup).expect("a position is one under all rules"))
    }

    /// The game as far as it could be read.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The title of the game: the name of its file.
    pub fn title(&self) -> &str {
        &self.read.content.name
    }

    /// The puzzle whose start is the position.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        self.puzzle.as_ref()
    }

    /// The position at the end.
    pub fn end(&self) -> Position {
        self.after(self.game.actions.len())
    }

    /// The position after so many actions.
    pub fn after(&self, count: usize) -> Position {
        let mut position = self.game.start.clone();
        for action in &self.game.actions[..count] {
            position.play(action).expect("a legal action");
        }
        self.judged(&position).unwrap_or(position)
    }

    /// The name of the position at the end.
    pub fn end_name(&self) -> json::PositionName {
        position_name(self.game.actions.len(), self.game.start.to_move())
    }

    /// The rules by which positions are judged.
    pub fn rules(&self) -> json::Rules {
        let own = self.game.start.profile();
        self.rules.map_or(own, |rules| RuleProfile { promotions: own.promotions, ..rules }).into()
    }

    /// The warnings about the game, which have been printed already.
    pub fn warnings(&self) -> Vec<json::Warning> {
        self.warnings.clone()
    }

    /// The error after the part that could be read.
    pub fn error(&self) -> Option<json::Error> {
        self.failure().map(|failure| *failure.error)
    }

    fn failure(&self) -> Option<Failure> {
        self.read.reading.error.is_some().then(|| self.read.failure())
    }

    /// Ends a command that has answered for the part that could be read: prints the error after that part,
    /// and gives the exit code.
    pub fn finish(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let Some(failure) = self.failure() else { return Ok(Exit::Ok) };
        out.flush()?;
        say(&failure.shown);
        Ok(Exit::Usage)
    }

    /// Fails if the game cannot be read to its end, for commands that answer for the end only.
    pub fn refuse_errors(&self) -> Result<(), Failure> {
        self.failure().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_named_by_the_action_that_comes_next() {
        for (begins, names) in
            [(Color::White, ["1w", "1b", "2w", "2b"]), (Color::Black, ["1b", "2w", "2b", "3w"])]
        {
            for (index, name) in names.into_iter().enumerate() {
                assert_eq!(position_name(index, begins).at, name);
                assert_eq!(name.parse::<At>().unwrap().index(begins).unwrap(), index, "{name}");
                assert_eq!(index.to_string().parse::<At>().unwrap().index(begins).unwrap(), index);
            }
        }
        assert!("1w".parse::<At>().unwrap().index(Color::Black).is_err());
    }

    #[test]
    fn what_names_no_position_is_refused() {
        for text in ["", "w", "0b", "8", "8x", "-1", "b8", "8bb", "99999999999999999999w"] {
            assert_eq!(text.parse::<At>().is_ok(), text == "8", "{text}");
        }
        let far = format!("{}b", usize::MAX).parse::<At>().unwrap();
        assert!(far.index(Color::White).unwrap() > 1 << 40);
    }
}
