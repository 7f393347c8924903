//! `worldlines diff`: finds differences between another implementation of the rules, or recorded figures, and
//! this program.

mod again;
mod bless;
mod boards;
mod find;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use indicatif::ProgressBar;

use super::ci;
use super::command::Command;
use super::exit::{Exit, Failure};
use super::files::{self, STDIN, shown};
use super::input::{position_name, profile};
use super::json::{Everything, VERSION};
use super::oracle::{self, STEPS, Verdict};
use super::output::{Format, Shape, print_json};
use super::source;
use super::terminal::{self, say};
use worldlines::generate;
use worldlines::notation::pgn5d::action_text;
use worldlines::notation::{Format as GameNotation, Game, MAX_INPUT_BYTES};
use worldlines::oracle::known::Known;
use worldlines::oracle::record::{self, Record};
use worldlines::oracle::{Answer, Asking, Divergence, Figures, Oracle, Own, Shrunk, Walked};
use worldlines::rules::variants::VARIANTS;
use worldlines::state::Position;
use worldlines::types::RuleProfile;

use again::again;
use find::{figures_of, paths};
use report::{Compared, Found, Settings, Shown, Summary, Unread};
pub use report::{Report, SCHEMA};

/// Find differences between these rules and another implementation, or recorded figures
///
/// With --oracle another implementation is asked about the positions of each game, up to the first
/// difference. The position is then made as small as possible while the difference stays. Without --oracle,
/// the figures that are recorded beside the games are compared with these rules.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines diff corpus/games
  worldlines diff --oracle 5d-chess-js my-game.5dpgn
  worldlines diff --oracle 'cmd:python3 my-oracle.py' --random 100 --seed 1
  worldlines diff --profile default --profile 'default -castling-at-distance-two' --random 200
  worldlines diff --bless my-game.5dpgn

Oracles: 5d-chess-js (needs Node and `npm ci` in the folder oracles/5d-chess-js), slow (the naive rules, which try
everything), cmd:COMMAND, any program that speaks the protocol of spec/oracle-protocol.md, and replay:FILE, what one of
them answered when --record wrote the file.

Exit codes: 0 no difference, 1 a difference, 2 a file or the oracle cannot be used, 3 there is a game of which nothing could be
compared, 4 no game.")]
pub struct Arguments {
    /// Games in any notation, files of figures, and folders of both; `-` reads a game from standard input
    #[arg(value_name = "PATH", required_unless_present = "random")]
    paths: Vec<PathBuf>,
    /// The implementation to ask
    #[arg(long, value_name = "ORACLE")]
    oracle: Option<String>,
    /// Compare the rules under two profiles; the first gives the expected answers
    #[arg(long, value_name = "PROFILE", value_parser = profile, conflicts_with = "oracle")]
    profile: Vec<RuleProfile>,
    /// Also ask about N random positions
    #[arg(long, value_name = "N")]
    random: Option<u64>,
    /// Seed of the random choices: the same number gives the same positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The variants that random games start from [default: all]
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Ask only about the end of each game
    #[arg(long)]
    end: bool,
    /// List and count actions up to this number
    #[arg(long, value_name = "N", default_value_t = 1000)]
    cap: u64,
    /// Ask the oracle to accept N legal actions of each position
    #[arg(long, value_name = "N", default_value_t = 16)]
    tries: usize,
    /// The most questions for making a position with a difference smaller; 0 leaves it as it is
    #[arg(long, value_name = "N", default_value_t = 400)]
    shrink: u64,
    /// Also print the position of each difference as a case for a file of figures
    #[arg(long)]
    case: bool,
    /// Record the figures of games that have none, in a file beside each game
    #[arg(long, conflicts_with_all = ["oracle", "profile", "random", "partition", "known"])]
    bless: bool,
    #[command(flatten)]
    terms: oracle::Terms,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shape,
}

/// The most actions of random games.
const RANDOM_ACTIONS: usize = 12;
/// The name for which known differences from recorded figures are listed.
const RECORDED: &str = "recorded figures";
/// The most actions that are listed in recorded figures; if there are more, only their number is.
const MOST_RECORDED: u64 = 60;

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        if self.profile.len() == 1 || self.profile.len() > 2 {
            return Err(Failure::new(
                "--profile is given twice: what is expected, and what is compared with it",
            ));
        }
        let own = Own::new(self.profile.first().copied(), STEPS);
        let mut oracle = self.oracle()?;
        let known = self.terms.begin()?;
        let name = oracle.as_ref().map(|oracle| oracle.manifest().name.clone());
        let mut run = Run {
            arguments: self,
            own,
            oracle: oracle.as_deref_mut(),
            name,
            known,
            read: Vec::new(),
            games: Vec::new(),
            errors: Vec::new(),
            bar: ProgressBar::hidden(),
            out,
        };
        for path in paths(&self.paths)? {
            run.file(&path)?;
        }
        if let Some(count) = self.random {
            run.random(count)?;
        }
        let exit = run.finish()?;
        if let Some(oracle) = &oracle {
            oracle::write_recording(self.terms.record.as_deref(), &**oracle)?;
        }
        Ok(exit)
    }

    fn format(&self) -> Format {
        self.format.of_errors()
    }
}

impl Arguments {
    /// The implementation to ask, if one was named.
    fn oracle(&self) -> Result<Option<Box<dyn Oracle>>, Failure> {
        if let Some(profile) = self.profile.get(1) {
            return Ok(Some(Box::new(Own::new(Some(*profile), STEPS))));
        }
        let Some(name) = &self.oracle else {
            return if self.random.is_some() {
                Err(Failure::new("--random needs an oracle to ask: --oracle, or --profile twice"))
            } else {
                Ok(None)
            };
        };
        oracle::open(name).map(Some)
    }

    fn settings(&self, oracle: Option<String>, known: &[Known]) -> Settings {
        Settings {
            version: VERSION,
            oracle,
            rules: self.profile.first().map(RuleProfile::to_string),
            known: known.iter().map(|known| known.cases.len()).sum(),
            end: self.end,
            cap: self.cap,
            tries: self.tries,
            time: self.terms.time.as_secs_f64(),
            shrink: self.shrink,
        }
    }

    fn asking(&self) -> Asking {
        Asking { cap: self.cap, tries: self.tries, time: self.terms.time, shrinking: self.shrink }
    }
}

/// A comparison in progress.
struct Run<'a> {
    arguments: &'a Arguments,
    own: Own,
    oracle: Option<&'a mut (dyn Oracle + 'static)>,
    /// The name of the oracle.
    name: Option<String>,
    known: Vec<Known>,
    /// Every game that was read, with its name and content.
    read: Vec<String>,
    /// The results of the games in this part.
    games: Vec<Compared>,
    errors: Vec<Unread>,
    /// The progress of the random games.
    bar: ProgressBar,
    out: &'a mut dyn Write,
}

impl Run<'_> {
    fn error(&mut self, path: &Path, why: String) {
        say(&format!("error: {why}"));
        self.errors.push(Unread { file: files::name(path), why });
    }

    /// Starts the result of a game. Returns false if it belongs to another part; it counts as read in any
    /// case.
    fn begin(&mut self, name: &str, place: (&Path, Option<usize>), game: &Game) -> bool {
        self.read.push(format!("{name}\n{}\n{:?}", game.start, game.actions));
        let is_here = self.arguments.terms.partition.is_none_or(|partition| partition.contains(name));
        if is_here {
            let asked = self.name.as_deref().unwrap_or(RECORDED);
            self.games.push(Compared {
                index: self.read.len(),
                game: name.to_owned(),
                positions: 0,
                not_asked: 0,
                reasons: Vec::new(),
                result: Verdict::Right,
                known: oracle::reason(&self.known, asked, name),
                difference: None,
                place: (files::name(place.0), place.1),
            });
        }
        is_here
    }

    /// Completes the result of the current game, and prints it.
    fn end(&mut self) -> Result<(), Failure> {
        let Some(current) = self.games.last_mut() else { return Ok(()) };
        let result = match (&current.difference, current.positions) {
            (Some(_), _) => Verdict::Wrong,
            (None, 0) => Verdict::NotAsked,
            (None, _) => Verdict::Right,
        };
        current.result = if current.known.is_some() { result.of_known() } else { result };
        if self.arguments.format == Shape::Text {
            let oracle = self.name.as_deref().unwrap_or("worldlines");
            let text = current.text(oracle, self.arguments.case);
            // The progress line must not mix with the output, and the next game may take long.
            self.bar.suspend(|| self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()))?;
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = files::name(path);
        let is_stdin = path == Path::new(STDIN);
        let bytes = if is_stdin { None } else { files::read(path).ok() };
        if let Some(text) =
            bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|text| record::is_figures(text))
        {
            return self.records(path, &text);
        }
        let figures = figures_of(path);
        if self.oracle.is_none() && !is_stdin && figures.exists() {
            return match files::text(&figures, MAX_INPUT_BYTES as u64) {
                Ok(text) => self.records(&figures, &text),
                Err(failure) => {
                    self.error(&figures, failure.error.message);
                    Ok(())
                }
            };
        }
        let games = match source::games(&path.to_string_lossy()) {
            Ok(games) => games,
            Err(failure) => {
                say(&failure.shown);
                self.errors.push(Unread { file: files::name(path), why: failure.error.message.clone() });
                return Ok(());
            }
        };
        if self.arguments.bless {
            return self.bless(path, &figures, &games);
        }
        if self.oracle.is_none() {
            let why = format!(
                "{} has no figures beside it, in {}; --bless records them, and --oracle asks somebody",
                shown(path),
                shown(&figures)
            );
            self.error(path, why);
            return Ok(());
        }
        let several = games.len() > 1;
        for (number, game) in games.iter().enumerate() {
            let name = if several { format!("{name}#{}", number + 1) } else { name.clone() };
            let first = if self.arguments.end { game.actions.len() } else { 0 };
            self.game(&name, (path, None), game, first)?;
        }
        Ok(())
    }

    /// Asks the oracle about the positions of a game.
    fn game(
        &mut self,
        name: &str,
        place: (&Path, Option<usize>),
        game: &Game,
        first: usize,
    ) -> Result<(), Failure> {
        if !self.begin(name, place, game) {
            return Ok(());
        }
        let Some(oracle) = self.oracle.as_deref_mut() else { return Ok(()) };
        let mut asking = self.arguments.asking();
        if self.games.last().is_some_and(|current| current.known.is_some()) {
            asking.shrinking = 0;
        }
        let Walked { compared, not_asked, divergences } =
            asking.first_divergence(oracle, &self.own, game, first..=game.actions.len());
        if let Some(current) = self.games.last_mut() {
            current.positions = compared;
            current.not_asked = not_asked.len() as u64;
            for (index, why) in not_asked {
                current.add_reason(position_name(index, game.start.to_move()), &why);
            }
        }
        for divergence in divergences {
            self.found(name, game, &divergence);
        }
        self.end()
    }

    /// Compares the recorded figures of games, or asks the oracle about these games.
    fn records(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let records = match record::read(text, oracle::beside(path)) {
            Ok(records) => records,
            Err(error) => {
                self.error(path, format!("{}: {error}", shown(path)));
                return Ok(());
            }
        };
        let file = files::name(path);
        for record in &records {
            let name = format!("{file}#{}", record.id);
            if self.oracle.is_some() {
                let first = if self.arguments.end { record.game.actions.len() } else { 0 };
                self.game(&name, (path, Some(record.line)), &record.game, first)?;
            } else {
                self.record(&name, (path, Some(record.line)), record)?;
            }
        }
        Ok(())
    }

    fn record(&mut self, name: &str, place: (&Path, Option<usize>), record: &Record) -> Result<(), Failure> {
        if !self.begin(name, place, &record.game) {
            return Ok(());
        }
        for (place, (index, _)) in record.positions.iter().enumerate() {
            let position = record.game.until(*index).end();
            let figures = self.own.figures(&position, record.cap(place));
            let differences =
                record.differences(place, self.own.manifest(), &Answer::Figures(Box::new(figures)));
            if let Some(current) = self.games.last_mut() {
                current.positions += 1;
            }
            if !differences.is_empty() {
                let divergence = Divergence { index: *index, position, differences, shrunk: None };
                self.found(name, &record.game, &divergence);
                break;
            }
        }
        self.end()
    }

    fn random(&mut self, count: u64) -> Result<(), Failure> {
        let mut starts = source::variants_of(&self.arguments.variant)?;
        if starts.is_empty() {
            starts.extend(&VARIANTS);
        }
        let mut random = fastrand::Rng::with_seed(self.arguments.seed);
        self.bar = terminal::progress(usize::try_from(count).unwrap_or(usize::MAX), "random games");
        for number in 0..count {
            let variant = starts[random.usize(..starts.len())];
            let start = source::position_of(variant);
            let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(4096).collect();
            let mut unstructured = Unstructured::new(&bytes);
            let game = generate::game(&mut unstructured, start, RANDOM_ACTIONS)
                .map_err(|error| Failure::new(format_args!("no random game: {error}")))?;
            let game = Game::new(game.start, game.actions);
            let end = game.actions.len();
            let name = format!("random game {number} of seed {}, {}", self.arguments.seed, variant.name);
            self.game(&name, (Path::new(""), None), &game, end)?;
            self.bar.inc(1);
        }
        Ok(())
    }

    fn found(&mut self, name: &str, game: &Game, divergence: &Divergence) {
        let Divergence { index, position, differences, shrunk } = divergence;
        let is_alone = shrunk.is_some() || *index == 0;
        let as_it_is = || (Game::new(position.clone(), Vec::new()), &differences[0]);
        let small = shrunk.as_ref().map(|Shrunk { game, difference, .. }| (game.clone(), difference));
        let (smallest, difference) = small.unwrap_or_else(as_it_is);
        let found = Found {
            name: position_name(*index, game.start.to_move()),
            class: differences[0].class.name(),
            differences: differences.iter().map(|difference| Shown::new(position, difference)).collect(),
            smallest: Shown::new(&smallest.end(), difference),
            reproduce: again(self.arguments, is_alone.then_some(&smallest), name, *index),
            shrunk: shrunk.is_some(),
            corpus_case: self.corpus_case(&smallest),
            boards: smallest.start.to_string().lines().map(str::to_owned).collect(),
            action: smallest.actions.first().map(|action| action_text(&smallest.start, action)),
        };
        if let Some(current) = self.games.last_mut() {
            current.difference = Some(found);
        }
    }

    /// The figures of a position for recording, without a long list of actions.
    fn recorded(&self, position: &Position) -> Figures {
        let mut figures = self.own.figures(position, self.arguments.cap);
        if figures.legal_actions.is_none_or(|count| count.count > MOST_RECORDED) {
            figures.actions = None;
        }
        figures
    }

    /// The game up to the difference with its true figures, as a case for a file of figures.
    fn corpus_case(&self, game: &Game) -> String {
        let judged = Game::new(self.own.judged(&game.start), game.actions.clone());
        let text = GameNotation::Pgn5d.write(&judged).map(|written| written.into_text());
        let end = game.end();
        let figures = self.recorded(&end);
        record::entry("smallest", Ok(&text.unwrap_or_default()), &[], &[(game.actions.len(), &end, figures)])
    }

    fn exit(&self) -> Exit {
        let nothing = self.games.is_empty() && self.arguments.terms.partition.is_none();
        let exits = self.games.iter().map(|game| match game.result {
            result if result.is_finding() => Exit::Findings,
            Verdict::NotAsked => Exit::Undecided,
            _ => Exit::Ok,
        });
        let others =
            [(!self.errors.is_empty()).then_some(Exit::Usage), nothing.then_some(Exit::NothingSelected)];
        Exit::worst(exits.chain(others.into_iter().flatten()))
    }

    fn finish(self) -> Result<Exit, Failure> {
        let exit = self.exit();
        let Run { arguments, name, known, read, games, errors, out, .. } = self;
        let settings = arguments.settings(name, &known);
        let input = Everything::of(read.len(), read.iter().map(String::as_str));
        let summary = Summary::of(&games);
        let head = arguments.terms.head(SCHEMA, settings, input, exit);
        let report = Report { head, errors, games, summary };
        match arguments.format {
            Shape::Json => print_json(out, &report)?,
            Shape::Junit => ci::junit("worldlines diff", &report.cases(arguments.case), out)?,
            Shape::Github => {
                ci::github(&report.cases(arguments.case), out)?;
                report.summary.print(out)?;
            }
            Shape::Html => {
                let mut summary = Vec::new();
                report.summary.print(&mut summary)?;
                let summary = String::from_utf8_lossy(&summary);
                ci::html("worldlines diff", &summary, &report.cases(arguments.case), out)?;
            }
            Shape::Text => report.summary.print(out)?,
        }
        Ok(exit)
    }
}
