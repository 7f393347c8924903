//! `worldlines match`: games between two engines.

mod kept;
mod report;

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::exit::{Exit, Failure};
use super::output::{Format, print_json};
use super::source;
use super::time::seconds;
use clap::ValueEnum;
use worldlines::contest::{Pace, Sprt, Test, Time, play};
use worldlines::host::{Player, Settings};
use worldlines::notation::{Game, printable};

use kept::Results;
pub use report::Report;
#[cfg(test)]
pub use report::SCHEMA;

/// Let two engines play games against each other
///
/// From each start they play a pair of games, once with each colour. The rules of this program decide how a
/// game ends. An engine loses the game if it crashes, hangs, plays an illegal action or runs out of time.
/// With --out the games are kept as 5DPGN, and the same command continues an interrupted match.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines match './new' './old' --games 100 --time-per-action 0.2 --out games.5dpgn
  worldlines match './new' './old' --games 2000 --sprt 0,10 --jobs 4
  worldlines match './new' './old' --clock 60+0.5
  worldlines match 'worldlines engine' '5dchess mcts' --whole-actions b --start Standard --start 'Small'

Exit codes: 0 the games were played, 1 an engine lost by its own fault, or the test was not accepted, 2 an engine or a file cannot be
used.")]
pub struct Arguments {
    /// The command of the first engine
    #[arg(value_name = "A")]
    first: String,
    /// The command of the second engine
    #[arg(value_name = "B")]
    second: String,
    /// Play N games, rounded up to pairs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Start of the games: a variant, or a file with games, each from its end. May be given several times;
    /// the starts take turns [default: Standard]
    #[arg(long, value_name = "START")]
    start: Vec<String>,
    #[command(flatten)]
    thinking: Thinking,
    /// Use a clock for each game instead: seconds for the game, and seconds added after each action, such as
    /// 60+0.5
    #[arg(long, value_name = "SECONDS+INCREMENT", value_parser = clock, conflicts_with = "time_per_action")]
    clock: Option<Clock>,
    /// The most actions of a game; a longer one is a draw
    #[arg(long, value_name = "N", default_value_t = 200)]
    most_actions: usize,
    /// The engines that name all moves of an action at once and do not say `submit`
    #[arg(long, value_name = "WHICH")]
    whole_actions: Option<Which>,
    /// The name of the first engine in games and reports
    #[arg(long, value_name = "NAME", default_value = "A")]
    name_a: String,
    /// The name of the second engine
    #[arg(long, value_name = "NAME", default_value = "B")]
    name_b: String,
    /// Keep the games in this file, and skip games that are already there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep the transcript of each game that is lost by an engine's fault in this folder
    #[arg(long, value_name = "FOLDER")]
    transcripts: Option<PathBuf>,
    /// Stop as soon as a sequential test decides between two differences in Elo of the first engine
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Play N games at once. Engines that think at the same time slow each other down
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// The limits for an engine's thinking, in all commands that let one play.
#[derive(clap::Args)]
pub struct Thinking {
    /// Seconds for an action, all its moves together
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub time_per_action: Duration,
    /// The most nodes for each move that the engine is asked for, if it knows such a limit
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

/// `--clock`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Clock {
    game: Duration,
    increment: Duration,
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.game.as_secs_f64(), self.increment.as_secs_f64())
    }
}

fn clock(text: &str) -> Result<Clock, String> {
    let (game, increment) = text.split_once('+').unwrap_or((text, "0"));
    let increment = if increment == "0" { Some(Duration::ZERO) } else { seconds(increment).ok() };
    match (seconds(game), increment) {
        (Ok(game), Some(increment)) => Ok(Clock { game, increment }),
        _ => Err("expected seconds for a game and for each action, such as 60+0.5 or 300+0".to_owned()),
    }
}

/// One of the engines, or both.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    A,
    B,
    Both,
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers = text.split_once(',').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    match numbers {
        Some((elo0, elo1)) if elo0 < elo1 && f64::is_finite(elo0 - elo1) => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two numbers such as 0,10, the smaller one first".to_owned()),
    }
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    if arguments.name_a == arguments.name_b {
        return Err(Failure::new("the engines need different names"));
    }
    let starts = arguments.starts()?;
    let count = arguments.games.next_multiple_of(2) as usize;
    let results = Mutex::new(arguments.played()?);
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut tables = Vec::new();
    for _ in 0..usize::from(arguments.jobs).min(count) {
        tables.push([
            arguments.player(&arguments.first, Which::A)?,
            arguments.player(&arguments.second, Which::B)?,
        ]);
    }
    thread::scope(|scope| {
        for [mut first, mut second] in tables {
            let (next, is_over, results, starts) = (&next, &is_over, &results, &starts);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let is_known = |results: &Results| results.points.contains_key(&number);
                    if is_known(&results.lock().unwrap_or_else(PoisonError::into_inner)) {
                        continue;
                    }
                    let start = &starts[number / 2 % starts.len()];
                    let is_white = number % 2 == 0;
                    let (white, black) =
                        if is_white { (&mut first, &mut second) } else { (&mut second, &mut first) };
                    let played = play(white, black, start, arguments.pace(), arguments.most_actions);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    arguments.keep(&mut results, number, is_white, played);
                    let decided = |sprt| results.tally().test(sprt) != Test::Open;
                    if results.failure.is_some() || arguments.sprt.is_some_and(decided) {
                        is_over.store(true, Ordering::Relaxed);
                    }
                }
                for (player, name) in [(first, &arguments.name_a), (second, &arguments.name_b)] {
                    if let Err(fault) = player.quit() {
                        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                        results.faults.push(format!("at the end: {name}: {}: {fault}", fault.name()));
                    }
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(failure) = &results.failure {
        return Err(Failure::new(failure));
    }
    let report = Report::new(arguments, &results);
    match arguments.format {
        Format::Json => print_json(out, &report)?,
        Format::Text => report.print(out)?,
    }
    Ok(report.exit())
}

impl Arguments {
    /// The starts of the games.
    fn starts(&self) -> Result<Vec<Game>, Failure> {
        let standard = ["Standard".to_owned()];
        let names = if self.start.is_empty() { &standard[..] } else { &self.start };
        let starts: Vec<Vec<Game>> =
            names.iter().map(|name| source::starts(name)).collect::<Result<_, _>>()?;
        Ok(starts.concat())
    }

    fn pace(&self) -> Pace {
        let time = match self.clock {
            Some(Clock { game, increment }) => Time::Clock { game, increment },
            None => Time::PerAction(self.thinking.time_per_action),
        };
        Pace { time, nodes: self.thinking.nodes }
    }

    /// The header of kept games that gives the time control, and its value.
    fn time_control(&self) -> (&'static str, String) {
        match self.clock {
            Some(clock) => ("TimeControl", clock.to_string()),
            None => ("TimePerAction", self.thinking.time_per_action.as_secs_f64().to_string()),
        }
    }

    fn player(&self, command: &str, which: Which) -> Result<Player, Failure> {
        let whole_actions = self.whole_actions.is_some_and(|asked| asked == which || asked == Which::Both);
        let settings = Settings { whole_actions, ..Settings::default() };
        Player::new(command, &settings).map_err(|error| Failure::new(printable(&error.to_string())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_shown() {
        for (text, shown) in [("60+0.5", "60+0.5"), ("60", "60+0"), ("0.5+0", "0.5+0")] {
            assert_eq!(clock(text).unwrap().to_string(), shown);
        }
        for text in ["", "+1", "0", "60+", "60+-1", "60+x", "1+2+3"] {
            assert!(clock(text).is_err(), "{text}");
        }
    }
}
