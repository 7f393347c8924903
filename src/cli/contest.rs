//! `worldlines match`: games between engines.

mod entrant;
mod kept;
mod plan;
mod report;
mod scores;
mod table;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files;
use super::input::{self, engine_option};
use super::output::{Format, print_json};
use super::source;
use super::terminal;
use super::time::{Time, seconds};
use clap::ValueEnum;
use worldlines::contest::{Conduct, Draw, Proof, Resign, Schedule, Sprt, Tournament, play};
use worldlines::host::Player;
use worldlines::notation::Game;
use worldlines::puzzle::MAX_MATE_IN;
use worldlines::search::Budget;

use entrant::{Clock, Control, Entrant, clock};
use kept::Results;
use plan::{Engine, Plan};
pub use report::Report;
#[cfg(test)]
pub use report::SCHEMA;

/// Let engines play games against each other
///
/// Two engines that meet play pairs of games: from each opening one with each colour. The rules of this program decide how a
/// game ends. An engine loses the game if it crashes, hangs, plays an illegal action or runs out of time, and the match goes on.
/// With --output the games are kept as 5DPGN, and the same command continues an interrupted match.
#[derive(clap::Args)]
#[command(
    after_help = "An ENGINE is a command, or settings between blanks: cmd=COMMAND, and those that it needs of name=NAME,
option.NAME=VALUE, whole-actions, move-time=SECONDS, clock=SECONDS+INCREMENT and nodes=N. Quotes keep blanks together, as in a shell.

Examples:
  worldlines match ./new ./old --games 100 --move-time 0.2 -o games.5dpgn
  worldlines match ./new ./old --games 2000 --sprt 0,10 --jobs 4
  worldlines match 'cmd=./new name=New option.Threads=2' 'cmd=\"./old --fast\" name=Old' --clock 60+0.5
  worldlines match ./new ./old '5dchess mcts' --tournament gauntlet --opening openings.5dpgn
  worldlines match 'worldlines engine' 'cmd=\"5dchess mcts\" whole-actions' --opening Standard --opening Small
  worldlines match ./new ./old --adjudicate 3 --budget 500000
  worldlines match ./new ./old --resign 'score=600 actions=3 two-sided' --draw 'score=10 actions=8 after=40'

Exit codes: 0 the games were played, 1 an engine lost by its own fault, or the test was not accepted, 2 an engine or a file cannot be
used, 3 Ctrl-C ended the match before its last game."
)]
pub struct Arguments {
    /// Two engines or more, each a command or settings, see below
    #[arg(value_name = "ENGINE", required = true)]
    engines: Vec<Entrant>,
    /// Who meets whom
    #[arg(long, value_name = "FORM", default_value = "round-robin")]
    tournament: Form,
    /// Games of each two engines that meet, rounded up to pairs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Openings: a variant, or a file with games, each from its end, or with positions in 5DFEN. May be given several
    /// times; the openings take turns [default: Standard]
    #[arg(long, value_name = "OPENING", alias = "start")]
    opening: Vec<String>,
    /// Use only the first N actions of each opening
    #[arg(long, value_name = "N")]
    opening_actions: Option<usize>,
    /// Use the openings in the random order of this seed [default: as they are given]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    #[command(flatten)]
    thinking: Thinking,
    /// Use a clock for each game instead: seconds for the game, and seconds added after each action, such as
    /// 60+0.5
    #[arg(long, value_name = "SECONDS+INCREMENT", value_parser = clock, conflicts_with = "move_time")]
    clock: Option<Clock>,
    /// Set an option of every engine; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = engine_option)]
    option: Vec<(String, Option<String>)>,
    /// The most actions of a game; a longer one is a draw
    #[arg(long, value_name = "N", default_value_t = 200)]
    most_actions: usize,
    /// End a game as won where the player to move has a mate in at most N actions that is proven, with a certificate
    /// that the checker accepts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_MATE_IN)))]
    adjudicate: Option<u32>,
    /// The most search steps for this proof, in each position
    #[arg(long, value_name = "STEPS", default_value_t = input::DEFAULT_STEPS, requires = "adjudicate")]
    budget: u64,
    /// End a game as lost for a player whose own scores say so, such as 'score=600 actions=3': at -6 pawns or less
    /// in three of its actions in a row; with `two-sided` the opponent must say the same
    #[arg(long, value_name = "SETTINGS", value_parser = scores::resign)]
    resign: Option<Resign>,
    /// End a game as drawn where the scores of both players say so, such as 'score=10 actions=8 after=40': at most a
    /// tenth of a pawn from 0 in eight actions of each in a row, and not before 40 actions
    #[arg(long, value_name = "SETTINGS", value_parser = scores::draw)]
    draw: Option<Draw>,
    /// Keep the games in this file, and skip games that are already there
    #[arg(short, long, value_name = "FILE", alias = "out")]
    output: Option<PathBuf>,
    /// Keep the transcript of each game that is lost by an engine's fault in this folder
    #[arg(long, value_name = "FOLDER")]
    transcripts: Option<PathBuf>,
    /// Stop as soon as a sequential test decides between two differences in Elo of the first of two engines
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Play N games at once. Engines that think at the same time slow each other down
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Format of the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// The widest line of the result, in characters [default: the terminal's width, or 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(60..))]
    width: Option<u16>,
    #[command(flatten)]
    earlier: Earlier,
}

/// Earlier names of settings of the first two engines.
#[derive(clap::Args)]
struct Earlier {
    #[arg(long, hide = true)]
    name_a: Option<String>,
    #[arg(long, hide = true)]
    name_b: Option<String>,
    #[arg(long, hide = true)]
    whole_actions: Option<Which>,
}

/// The limits for an engine's thinking, in all commands that let one play.
#[derive(clap::Args)]
pub struct Thinking {
    /// Seconds for an action, all its moves together
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, alias = "time-per-action")]
    pub move_time: Duration,
    /// The most nodes for each move that the engine is asked for, if it knows such a limit
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

/// `--tournament`
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Every engine meets every other one
    RoundRobin,
    /// The first engine meets every other one
    Gauntlet,
}

/// One of the first two engines, or both.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    A,
    B,
    Both,
}

/// The most engines of a match.
const MOST_ENGINES: usize = 64;

fn sprt(text: &str) -> Result<Sprt, String> {
    let is_near = |elo: &f64| elo.abs() <= Sprt::MOST_ELO;
    let number = |text: &str| text.trim().parse().ok().filter(is_near);
    match text.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?))) {
        Some((elo0, elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1 }),
        _ => Err("expected two numbers from -1000 to 1000 such as 0,10, the smaller one first".to_owned()),
    }
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let plan = self.plan()?;
        let mut tables = Vec::new();
        for _ in 0..usize::from(self.jobs).min(plan.schedule.games()) {
            tables.push(plan.engines.iter().map(Engine::player).collect::<Result<Vec<_>, _>>()?);
        }
        let results = Results::of_file(self.output.as_deref(), &plan)?;
        if results.games.len() < plan.schedule.games() && !results.is_over(&plan) {
            self.output.iter().try_for_each(|path| files::try_writing(path))?;
            plan.refuse_silent_engines()?;
        }
        let hall =
            Hall { arguments: self, plan: &plan, next: AtomicUsize::new(0), results: Mutex::new(results) };
        let clock = Time::default().start();
        let bar = terminal::progress(plan.schedule.games(), "games");
        thread::scope(|scope| {
            for players in tables {
                let (hall, bar, stop) = (&hall, &bar, clock.stop());
                scope.spawn(move || {
                    hall.play_games(players, stop, |finished| bar.set_position(finished as u64));
                });
            }
        });
        bar.finish_and_clear();
        let mut results = hall.results.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = results.failure.take() {
            return Err(failure);
        }
        let report = Report::new(self, &plan, &results);
        match self.format {
            Format::Json => print_json(out, &report)?,
            Format::Text => {
                let width = self.width.map_or_else(terminal::width, usize::from);
                out.write_all(table::text(&report, width).as_bytes())?;
            }
        }
        Ok(report.exit())
    }

    fn format(&self) -> Format {
        self.format
    }
}

/// The place where the games are played, at several tables at once.
struct Hall<'a> {
    arguments: &'a Arguments,
    plan: &'a Plan,
    /// The number of the next game.
    next: AtomicUsize,
    results: Mutex<Results>,
}

impl Hall<'_> {
    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays games at one table until there are no more, with an engine of its own for each of the match.
    fn play_games(&self, mut players: Vec<Player>, stop: &AtomicBool, tell: impl Fn(usize)) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let is_last = number >= self.plan.schedule.games() || stop.load(Ordering::Relaxed);
            if is_last || self.results().is_over(self.plan) {
                break;
            }
            if !self.results().games.contains_key(&number) {
                self.play_game(number, &mut players);
            }
            tell(self.results().games.len());
        }
        self.dismiss(&mut players, |_| true);
    }

    fn play_game(&self, number: usize, players: &mut [Player]) {
        let fixture = self.plan.schedule.fixture(number);
        let seats = [fixture.white, fixture.black];
        // At each table only two engines run at a time.
        self.dismiss(players, |engine| !seats.contains(&engine));
        let Ok([white, black]) = players.get_disjoint_mut(seats) else {
            unreachable!("an engine never meets itself")
        };
        let paces = seats.map(|engine| self.plan.engines[engine].pace());
        let played = play([white, black], paces, self.plan.opening(fixture.round), self.plan.conduct);
        let (output, transcripts) = (self.arguments.output.as_deref(), self.arguments.transcripts.as_deref());
        let mut results = self.results();
        // A game that ends after the decision could turn it.
        if !results.is_over(self.plan) {
            results.keep(self.plan, number, played, output, transcripts);
        }
    }

    /// Ends the engines with these indices.
    fn dismiss(&self, players: &mut [Player], is_meant: impl Fn(usize) -> bool) {
        for (engine, player) in players.iter_mut().enumerate().filter(|(engine, _)| is_meant(*engine)) {
            if let Err(fault) = player.quit() {
                let name = &self.plan.engines[engine].name;
                self.results().late_faults.push(format!("at the end: {name}: {}: {fault}", fault.name()));
            }
        }
    }
}

impl Arguments {
    fn plan(&self) -> Result<Plan, Failure> {
        if !(2..=MOST_ENGINES).contains(&self.engines.len()) {
            return Err(Failure::new(format_args!("a match needs 2 engines, and at most {MOST_ENGINES}")));
        }
        if self.sprt.is_some() && self.engines.len() != 2 {
            return Err(Failure::new("--sprt compares two engines, and no more"));
        }
        let tournament = match self.tournament {
            Form::RoundRobin => Tournament::RoundRobin,
            Form::Gauntlet => Tournament::Gauntlet,
        };
        let rounds = self.games.div_ceil(2) as usize;
        let proof = self.adjudicate.map(|mate_in| Proof { mate_in, budget: Budget::steps(self.budget) });
        let plan = Plan {
            engines: self.engines(),
            schedule: Schedule::new(self.engines.len(), tournament, rounds),
            openings: self.openings()?,
            conduct: Conduct { most_actions: self.most_actions, proof, resign: self.resign, draw: self.draw },
            sprt: self.sprt,
        };
        plan.check()?;
        Ok(plan)
    }

    fn engines(&self) -> Vec<Engine> {
        let Earlier { name_a, name_b, whole_actions } = &self.earlier;
        let mut entrants = self.engines.clone();
        for (entrant, name, own) in [(0, name_a, Which::A), (1, name_b, Which::B)] {
            let entrant = &mut entrants[entrant];
            entrant.name = name.clone().or(entrant.name.take());
            entrant.whole_actions |= whole_actions.is_some_and(|which| which == own || which == Which::Both);
        }
        let control = self.clock.map_or(Control::MoveTime(self.thinking.move_time), Control::Clock);
        let engines = entrants.into_iter().enumerate().map(|(index, mut entrant)| {
            entrant.options.splice(0..0, self.option.iter().cloned());
            Engine::new(index, entrant, control, self.thinking.nodes)
        });
        engines.collect()
    }

    /// The openings, in the order in which rounds use them.
    fn openings(&self) -> Result<Vec<Game>, Failure> {
        let standard = ["Standard".to_owned()];
        let names = if self.opening.is_empty() { &standard[..] } else { &self.opening };
        let openings: Vec<Vec<Game>> =
            names.iter().map(|name| source::starts(name, None)).collect::<Result<_, _>>()?;
        let mut openings = openings.concat();
        for opening in &mut openings {
            opening.actions.truncate(self.opening_actions.unwrap_or(usize::MAX));
            opening.notes.clear();
        }
        if let Some(seed) = self.seed {
            fastrand::Rng::with_seed(seed).shuffle(&mut openings);
        }
        Ok(openings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_a_test_are_two_numbers() {
        assert_eq!(sprt("0,10"), Ok(Sprt { elo0: 0.0, elo1: 10.0 }));
        assert_eq!(sprt("-1.75, 0.25"), Ok(Sprt { elo0: -1.75, elo1: 0.25 }));
        for text in ["", "5", "10,0", "0,0", "0,NaN", "0,1e9", "0,5,10"] {
            assert!(sprt(text).is_err(), "{text}");
        }
    }
}
