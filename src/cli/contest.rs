//! `worldlines match`

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::output::{Format, print_json};
use super::source;
use super::time::seconds;
use worldlines::contest::{Ending, Played, Sprt, Tally, Test, play};
use worldlines::host::{Limits, Player, Settings};
use worldlines::notation::{Game, GameResult, games, pgn5d, printable};
use worldlines::rules::variants;
use worldlines::state::Position;

/// Let two engines play games against each other
///
/// From each start they play a pair of games, once with each colour. The rules here say how a game ends; an engine that crashes,
/// hangs or plays what is not legal has lost the game. With --out the games are kept as 5DPGN, and the same command goes on where
/// it ended.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines match './new' './old' --games 100 --time-per-action 0.2 --out games.5dpgn
  worldlines match './new' './old' --games 2000 --sprt 0,10 --jobs 4
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
    /// How many games to play, rounded up to pairs
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Where games begin: a variant, or a file with games, each from its end; may be given several times, and they take turns [default:
    /// Standard]
    #[arg(long, value_name = "START")]
    start: Vec<String>,
    /// How many seconds an engine may think about an action, all its moves together
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time_per_action: Duration,
    /// The most nodes for an answer, for engines that know such a limit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// The most actions that are played in a game; a longer one is a draw
    #[arg(long, value_name = "N", default_value_t = 200)]
    most_actions: usize,
    /// Which of the engines name all moves of an action at once and do not say `submit`
    #[arg(long, value_name = "WHICH")]
    whole_actions: Option<Which>,
    /// The name of the first engine in games and reports
    #[arg(long, value_name = "NAME", default_value = "A")]
    name_a: String,
    /// The name of the second engine
    #[arg(long, value_name = "NAME", default_value = "B")]
    name_b: String,
    /// Keep the games in this file, and play only those that are not there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep what was said by engines that lose by their own fault in this folder
    #[arg(long, value_name = "FOLDER")]
    transcripts: Option<PathBuf>,
    /// Stop as soon as a sequential test says which of two differences in Elo is right, for the first engine
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// How many games to play at once; engines that think at once take time from each other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
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

/// What a match says.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    first: String,
    second: String,
    games: usize,
    /// Of the first engine.
    wins: usize,
    draws: usize,
    losses: usize,
    /// Pairs in which the first engine has 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    elo: Option<f64>,
    elo_least: Option<f64>,
    elo_most: Option<f64>,
    /// What the sequential test says, and the logarithm of the likelihood.
    sprt: Option<&'static str>,
    log_likelihood: Option<f64>,
    /// The games that were lost by a fault of an engine.
    faults: Vec<String>,
}

/// The result of a game, for the first engine, in half points.
fn half_points(result: Option<GameResult>, is_white: bool) -> usize {
    match (result, is_white) {
        (Some(GameResult::WhiteWins), true) | (Some(GameResult::BlackWins), false) => 2,
        (Some(GameResult::Draw), _) => 1,
        _ => 0,
    }
}

/// What is known of the games so far.
#[derive(Default)]
struct Results {
    /// Half points of the first engine by the number of the game, from 0. In games with an even number it has White.
    points: BTreeMap<usize, usize>,
    faults: Vec<String>,
    /// The games in 5DPGN.
    text: String,
    failure: Option<String>,
}

impl Results {
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (game, first) in self.points.iter().filter(|(game, _)| *game % 2 == 0) {
            if let Some(second) = self.points.get(&(game + 1)) {
                tally.add(first + second);
            }
        }
        tally
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
                    let limits =
                        Limits { time: arguments.time_per_action, nodes: arguments.nodes, mate: None };
                    let played = play(white, black, start, limits, arguments.most_actions);
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
    let report = arguments.report(&results);
    let fails = !report.faults.is_empty() || report.sprt.is_some_and(|test| test != "accepted");
    match arguments.format {
        Format::Json => print_json(out, &report)?,
        Format::Text => report.print(out)?,
    }
    Ok(if fails { Exit::Findings } else { Exit::Ok })
}

impl Arguments {
    fn starts(&self) -> Result<Vec<Game>, Failure> {
        let standard = ["Standard".to_owned()];
        let names = if self.start.is_empty() { &standard[..] } else { &self.start };
        let mut starts = Vec::new();
        for name in names {
            match variants::by_name(name) {
                Some(variant) => {
                    let position = Position::from_setup(&variant.setup()).expect("variants are positions");
                    starts.push(Game::new(position, Vec::new()));
                }
                None => starts.extend(source::games(name)?),
            }
        }
        for start in &mut starts {
            (start.headers, start.result) = (Vec::new(), None);
        }
        Ok(starts)
    }

    fn player(&self, command: &str, which: Which) -> Result<Player, Failure> {
        let whole_actions = self.whole_actions.is_some_and(|asked| asked == which || asked == Which::Both);
        let settings = Settings { whole_actions, ..Settings::default() };
        Player::new(command, &settings).map_err(|error| Failure::new(printable(&error.to_string())))
    }

    /// The games that an earlier run has kept.
    fn played(&self) -> Result<Results, Failure> {
        let mut results = Results::default();
        let Some(path) = self.out.as_deref().filter(|path| path.exists()) else { return Ok(results) };
        let wrong = |why: &str| Failure::new(format_args!("{} cannot be gone on with: {why}", shown(path)));
        let bytes = files::read(path).map_err(|error| wrong(&error.to_string()))?;
        results.text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8"))?;
        for part in games(&results.text).into_iter().filter(|part| !part.of(&results.text).trim().is_empty())
        {
            let game = pgn5d::parse(part.of(&results.text)).into_result();
            let game = game.map_err(|error| wrong(&error.issue().message))?;
            let header =
                |name: &str| game.headers.iter().find(|(key, _)| key == name).map(|(_, value)| &**value);
            let number = header("Round").and_then(|round| round.parse::<usize>().ok()).filter(|n| *n > 0);
            let is_white = header("White") == Some(&self.name_a) && header("Black") == Some(&self.name_b);
            let is_black = header("White") == Some(&self.name_b) && header("Black") == Some(&self.name_a);
            let Some(number) = number.filter(|number| if number % 2 == 1 { is_white } else { is_black })
            else {
                return Err(wrong("it has games of other engines, or in another order"));
            };
            results.points.insert(number - 1, half_points(game.result, is_white));
        }
        Ok(results)
    }

    /// Notes a game, and writes it.
    fn keep(&self, results: &mut Results, number: usize, is_white: bool, played: Played) {
        let Played { mut game, before, said, ending, transcript } = played;
        let names = [&self.name_a, &self.name_b];
        let [white, black] = if is_white { names } else { [names[1], names[0]] };
        results.points.insert(number, half_points(game.result, is_white));
        let headers = [
            ("White", white.clone()),
            ("Black", black.clone()),
            ("Round", (number + 1).to_string()),
            ("TimePerAction", self.time_per_action.as_secs_f64().to_string()),
            ("Termination", printable(&ending.to_string()).replace('"', "'")),
        ];
        game.headers = headers.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        if let Ending::Fault(fault) = &ending {
            let loser = if game.result == Some(GameResult::WhiteWins) { black } else { white };
            results.faults.push(format!("game {}: {loser}: {}: {fault}", number + 1, fault.name()));
            if let Some(folder) = &self.transcripts {
                let path = folder.join(format!("game-{}.txt", number + 1));
                let written = std::fs::create_dir_all(folder)
                    .and_then(|()| std::fs::write(&path, transcript.join("\n") + "\n"));
                if let Err(error) = written {
                    results.failure = Some(format!("cannot write {}: {error}", shown(&path)));
                }
            }
        }
        let comments = said.iter().map(|said| {
            let mate = said.mate.map(|mate| format!(", mate {mate}")).unwrap_or_default();
            format!("{:.3} s{mate}", said.time.as_secs_f64())
        });
        let text = with_comments(&game, before, &comments.collect::<Vec<_>>());
        let separator = if results.text.is_empty() { "" } else { "\n" };
        let _ = write!(results.text, "{separator}{text}");
        if let Some(path) = &self.out {
            // The whole file at once: a run that is ended meanwhile leaves the old one.
            if let Err(error) = replace(path, &results.text) {
                results.failure = Some(format!("cannot write {}: {error}", shown(path)));
            }
        }
    }

    fn report(&self, results: &Results) -> Report {
        let tally = results.tally();
        let elo = tally.elo();
        let finite = |number: f64| Some(number).filter(|number| number.is_finite());
        let count = |wanted| results.points.values().filter(|points| **points == wanted).count();
        let test = |sprt| match tally.test(sprt) {
            Test::Accepted => "accepted",
            Test::Rejected => "rejected",
            Test::Open => "open",
        };
        Report {
            schema: "worldlines/match-1",
            first: printable(&self.name_a),
            second: printable(&self.name_b),
            games: results.points.len(),
            wins: count(2),
            draws: count(1),
            losses: count(0),
            pairs: tally.pairs,
            elo: elo.and_then(|elo| finite(elo.elo)),
            elo_least: elo.and_then(|elo| finite(elo.least)),
            elo_most: elo.and_then(|elo| finite(elo.most)),
            sprt: self.sprt.map(test),
            log_likelihood: self.sprt.map(|sprt| tally.log_likelihood(sprt)),
            faults: results.faults.iter().map(|fault| printable(fault)).collect(),
        }
    }
}

/// A game as 5DPGN, with a comment behind each action after those that were there before.
fn with_comments(game: &Game, before: usize, comments: &[String]) -> String {
    let text = pgn5d::write(game, pgn5d::Marks::default()).into_text();
    let spans = pgn5d::parse(&text).spans;
    let mut commented = text.clone();
    // From the end, so that earlier places stay as they are.
    for (span, comment) in spans.iter().skip(before).zip(comments).rev() {
        commented.insert_str(span.range().end, &format!(" {{{comment}}}"));
    }
    if pgn5d::parse(&commented).into_result().is_ok() { commented } else { text }
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

impl Report {
    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Report { first, second, games, wins, draws, losses, .. } = self;
        for fault in &self.faults {
            writeln!(out, "{fault}")?;
        }
        writeln!(out, "{first} against {second}: {games} games: {wins} won, {draws} drawn, {losses} lost")?;
        let shown = |number: Option<f64>, end| number.map_or(end, |number| format!("{number:+.0}"));
        if self.pairs.iter().sum::<u64>() > 0 {
            let better = wins > losses;
            let elo = shown(self.elo, if better { "+∞" } else { "-∞" }.to_owned());
            let (least, most) = (shown(self.elo_least, "-∞".into()), shown(self.elo_most, "+∞".into()));
            writeln!(
                out,
                "Elo {elo}, between {least} and {most} in 95 of 100 cases; pairs: {:?}",
                self.pairs
            )?;
        }
        if let (Some(test), Some(llr)) = (self.sprt, self.log_likelihood) {
            writeln!(out, "SPRT: {test}, log-likelihood {llr:+.2}")?;
        }
        Ok(())
    }
}
