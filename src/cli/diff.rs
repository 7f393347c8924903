//! `worldlines diff`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arbitrary::Unstructured;
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::files::{self, STDIN, shown};
use super::input::{position_name, profile};
use super::json::{Everything, Part, PositionName};
use super::oracle::{self, STEPS};
use super::output::{Format, print_json};
use super::source;
use super::terminal::say;
use super::time::seconds;
use worldlines::generate;
use worldlines::notation::pgn5d::action_text;
use worldlines::notation::{Format as GameNotation, Game, printable};
use worldlines::oracle::record::{self, Record};
use worldlines::oracle::{
    Answer, Asking, Class, Difference, Divergence, Figures, Oracle, Own, Shrunk, Walked,
};
use worldlines::rules::variants::{self, VARIANTS};
use worldlines::state::Position;
use worldlines::types::{Action, Color, Partition, RuleProfile};

/// Find where an implementation of the rules parts from these, or from recorded figures
///
/// With --oracle another implementation is asked about every position of the games, until it says something else. The
/// position is then made as small as possible while the difference stays. Without it, the figures that are recorded
/// beside the games are compared with what the rules say.
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
    /// Compare the rules under two profiles, of which the first says what is expected
    #[arg(long, value_name = "PROFILE", value_parser = profile, conflicts_with = "oracle")]
    profile: Vec<RuleProfile>,
    /// Ask about so many random positions too
    #[arg(long, value_name = "N")]
    random: Option<u64>,
    /// Where random choices begin: the same number gives the same positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The variants that random games start from [default: all]
    #[arg(long, value_name = "NAME")]
    variant: Vec<String>,
    /// Ask about the end of each game only
    #[arg(long)]
    end: bool,
    /// List and count actions up to this number
    #[arg(long, value_name = "N", default_value_t = 1000)]
    cap: u64,
    /// How many legal actions of each position the oracle is asked to accept
    #[arg(long, value_name = "N", default_value_t = 16)]
    tries: usize,
    /// How many seconds the oracle may think about a position
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    time: Duration,
    /// The most questions for making a position with a difference smaller; 0 leaves it as it is
    #[arg(long, value_name = "N", default_value_t = 400)]
    shrink: u64,
    /// Write what the oracle was asked and answered into a new file, for --oracle replay:FILE
    #[arg(long, value_name = "FILE", requires = "oracle")]
    record: Option<PathBuf>,
    /// Print with each difference its position as a case for a file of figures
    #[arg(long)]
    case: bool,
    /// Ask only about part M of N of the games, as hash:M/N; `worldlines report merge` puts the parts together
    #[arg(long, value_name = "PART", value_parser = str::parse::<Partition>, conflicts_with = "bless")]
    partition: Option<Partition>,
    /// Record the figures of games that have none, in a file beside each
    #[arg(long, conflicts_with_all = ["oracle", "profile", "random"])]
    bless: bool,
    /// How to print the answer
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

/// The most actions of random games.
const RANDOM_ACTIONS: usize = 12;
/// The most actions of a difference that are printed.
const SHOWN: usize = 8;
/// Figures of positions with more legal actions are recorded without a list of them.
const MOST_RECORDED: u64 = 60;

pub const SCHEMA: &str = "worldlines/diff-1";

/// Where an implementation parts from the rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    schema: &'static str,
    /// What was asked for.
    run: Settings,
    /// The games that were read, those of other parts too.
    input: Everything,
    /// Which part this is, of a run with `--partition`.
    partition: Option<Part>,
    /// The exit code of the command.
    exit_code: u32,
    /// Files that cannot be read.
    errors: Vec<String>,
    games: Vec<Compared>,
    summary: Summary,
}

/// What has an influence on the answers, besides the games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Settings {
    /// The version of worldlines.
    version: &'static str,
    /// Who was asked; `null` when recorded figures were compared.
    oracle: Option<String>,
    /// By which rules the expected figures are found, if not by those of the games.
    rules: Option<String>,
    end: bool,
    cap: u64,
    tries: usize,
    /// The seconds of `--time`.
    time: f64,
    shrink: u64,
}

/// A game, and the first position in which the oracle says something else.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Compared {
    /// Its number among all games that were read, from 1.
    index: usize,
    /// The file of the game and, if that holds several, which of them.
    game: String,
    /// About how many positions something could be compared.
    positions: u64,
    /// How many positions the oracle could not be asked about.
    not_asked: u64,
    difference: Option<Found>,
}

/// How many there are.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    games: u64,
    positions: u64,
    not_asked: u64,
    differences: u64,
    /// The differences, by their classes.
    classes: BTreeMap<&'static str, u64>,
}

/// A position about which the oracle says something else.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Found {
    #[serde(flatten)]
    name: PositionName,
    /// The class of the first difference.
    #[cfg_attr(test, schemars(with = "String"))]
    class: &'static str,
    /// What differs, the most telling first.
    differences: Vec<Shown>,
    /// A position that shows the same: the one of the game, or a smaller one.
    boards: Vec<String>,
    /// What differs in that position.
    smallest: Shown,
    /// Whether it was made smaller.
    shrunk: bool,
    /// A command that shows the difference again.
    reproduce: String,
    /// The position with its true figures, as a game of a file of figures.
    corpus_case: String,
}

/// A difference.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Shown {
    #[cfg_attr(test, schemars(with = "String"))]
    class: &'static str,
    /// What it is about.
    #[cfg_attr(test, schemars(with = "String"))]
    about: &'static str,
    expected: String,
    found: String,
    /// How many legal actions the oracle does not have.
    missing_count: usize,
    /// The first of them.
    missing: Vec<String>,
    /// How many actions it has that are not legal.
    extra_count: usize,
    /// The first of them.
    extra: Vec<String>,
}

impl Shown {
    fn new(position: &Position, difference: &Difference) -> Shown {
        let texts = |actions: &[Action]| {
            actions.iter().take(SHOWN).map(|action| action_text(position, action)).collect()
        };
        Shown {
            class: difference.class.name(),
            about: difference.about.name(),
            expected: difference.expected.clone(),
            found: difference.found.clone(),
            missing_count: difference.missing.len(),
            missing: texts(&difference.missing),
            extra_count: difference.extra.len(),
            extra: texts(&difference.extra),
        }
    }

    fn print(&self, oracle: &str, out: &mut impl Write) -> Result<(), Failure> {
        let (class, about) = (self.class, self.about);
        if self.expected.contains('\n') || self.found.contains('\n') {
            writeln!(out, "  {class}, {about}:")?;
            let (expected, found) = (format!("{}\n", self.expected), format!("{}\n", self.found));
            let text = similar::TextDiff::from_lines(&expected, &found);
            for change in text.iter_all_changes().filter(|change| change.tag() != similar::ChangeTag::Equal) {
                writeln!(out, "    {} {}", change.tag(), printable(change.value().trim_end()))?;
            }
        } else {
            writeln!(
                out,
                "  {class}, {about}: expected {}; {oracle}: {}",
                printable(&self.expected),
                printable(&self.found)
            )?;
        }
        for (sign, (one, many), count, actions) in [
            (
                '-',
                ("legal action is missing", "legal actions are missing"),
                self.missing_count,
                &self.missing,
            ),
            ('+', ("action is not legal", "actions are not legal"), self.extra_count, &self.extra),
        ] {
            if count > 0 {
                writeln!(out, "    {count} {}:", if count == 1 { one } else { many })?;
                for action in actions {
                    writeln!(out, "    {sign} {action}")?;
                }
                if count > actions.len() {
                    writeln!(out, "    {sign} …")?;
                }
            }
        }
        Ok(())
    }
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    if arguments.profile.len() == 1 || arguments.profile.len() > 2 {
        return Err(Failure::new("--profile is given twice: what is expected, and what is compared with it"));
    }
    let own = Own::new(arguments.profile.first().copied(), STEPS);
    let mut oracle = arguments.oracle()?;
    oracle::refuse_existing(arguments.record.as_deref())?;
    let name = oracle.as_ref().map(|oracle| oracle.manifest().name.clone());
    let mut run = Run {
        arguments,
        own,
        oracle: oracle.as_deref_mut(),
        name,
        read: Vec::new(),
        games: Vec::new(),
        errors: Vec::new(),
        out,
    };
    for path in paths(&arguments.paths)? {
        run.file(&path)?;
    }
    if let Some(count) = arguments.random {
        run.random(count)?;
    }
    let exit = run.finish()?;
    if let Some(oracle) = &oracle {
        oracle::write_recording(arguments.record.as_deref(), &**oracle)?;
    }
    Ok(exit)
}

impl Arguments {
    /// The implementation that is asked, if one is.
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

    fn settings(&self, oracle: Option<String>) -> Settings {
        Settings {
            version: env!("CARGO_PKG_VERSION"),
            oracle,
            rules: self.profile.first().map(RuleProfile::to_string),
            end: self.end,
            cap: self.cap,
            tries: self.tries,
            time: self.time.as_secs_f64(),
            shrink: self.shrink,
        }
    }

    fn asking(&self) -> Asking {
        Asking { cap: self.cap, tries: self.tries, time: self.time, shrinking: self.shrink }
    }
}

/// The endings of files in folders that are games.
const GAMES: [&str; 3] = ["5dpgn", "5dfen", "pgn"];
/// The ending of files of figures.
const FIGURES: &str = ".figures.yaml";

/// The files of these paths, in the order of their names within each folder.
fn paths(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in given {
        if path == Path::new(STDIN) || !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        found.extend(files::in_folder(path, |file| {
            let is_game = file.extension().is_some_and(|ending| GAMES.iter().any(|known| ending == *known));
            let is_figures = file.to_string_lossy().ends_with(FIGURES);
            // Figures of a game are read with the game.
            is_game || is_figures && game_of(file).is_none()
        })?);
    }
    Ok(found)
}

/// The game whose figures are in this file.
fn game_of(figures: &Path) -> Option<PathBuf> {
    let name = figures.file_name()?.to_str()?.strip_suffix(FIGURES)?.to_owned();
    GAMES.iter().map(|ending| figures.with_file_name(format!("{name}.{ending}"))).find(|path| path.exists())
}

/// Where the figures of a game are kept.
fn figures_of(game: &Path) -> PathBuf {
    let mut name = game.file_stem().unwrap_or_default().to_owned();
    name.push(FIGURES);
    game.with_file_name(name)
}

/// A comparison that goes on.
struct Run<'a, W> {
    arguments: &'a Arguments,
    own: Own,
    oracle: Option<&'a mut (dyn Oracle + 'static)>,
    /// The name of the oracle.
    name: Option<String>,
    /// Every game that was read, with its name.
    read: Vec<String>,
    /// What came of those that are in this part.
    games: Vec<Compared>,
    errors: Vec<String>,
    out: &'a mut W,
}

impl<W: Write> Run<'_, W> {
    fn error(&mut self, message: String) {
        say(&format!("error: {message}"));
        self.errors.push(message);
    }

    /// Whether a game is to be looked at. It counts as read in any case.
    fn begin(&mut self, name: &str, game: &Game) -> bool {
        self.read.push(format!("{name}\n{}\n{:?}", game.start, game.actions));
        let is_here = self.arguments.partition.is_none_or(|partition| partition.contains(name));
        if is_here {
            let (index, game) = (self.read.len(), name.to_owned());
            self.games.push(Compared { index, game, positions: 0, not_asked: 0, difference: None });
        }
        is_here
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
            return match files::read(&figures).map(String::from_utf8) {
                Ok(Ok(text)) => self.records(&figures, &text),
                Ok(Err(_)) => {
                    self.error(format!("{} is not UTF-8", shown(&figures)));
                    Ok(())
                }
                Err(error) => {
                    self.error(format!("cannot read {}: {error}", shown(&figures)));
                    Ok(())
                }
            };
        }
        let games = match source::games(&path.to_string_lossy()) {
            Ok(games) => games,
            Err(failure) => {
                say(&failure.shown);
                self.errors.push(failure.error.message);
                return Ok(());
            }
        };
        if self.arguments.bless {
            return self.bless(path, &figures, &games);
        }
        if self.oracle.is_none() {
            self.error(format!(
                "{} has no figures beside it, in {}; --bless records them, and --oracle asks somebody",
                shown(path),
                shown(&figures)
            ));
            return Ok(());
        }
        let several = games.len() > 1;
        for (number, game) in games.iter().enumerate() {
            let name = if several { format!("{name}#{}", number + 1) } else { name.clone() };
            let first = if self.arguments.end { game.actions.len() } else { 0 };
            self.game(&name, game, first)?;
        }
        Ok(())
    }

    /// Asks the oracle about the positions of a game.
    fn game(&mut self, name: &str, game: &Game, first: usize) -> Result<(), Failure> {
        if !self.begin(name, game) {
            return Ok(());
        }
        let Some(oracle) = self.oracle.as_deref_mut() else { return Ok(()) };
        let asking = self.arguments.asking();
        let Walked { compared, not_asked, divergences } =
            asking.first_divergence(oracle, &self.own, game, first..=game.actions.len());
        if let Some(current) = self.games.last_mut() {
            current.positions = compared;
            current.not_asked = not_asked.len() as u64;
        }
        for divergence in divergences {
            self.found(name, game.start.to_move(), &divergence)?;
        }
        Ok(())
    }

    /// Compares recorded figures, or asks the oracle about the games that they are of.
    fn records(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let records = match record::read(text, oracle::beside(path)) {
            Ok(records) => records,
            Err(error) => {
                self.error(format!("{}: {error}", shown(path)));
                return Ok(());
            }
        };
        let file = files::name(path);
        for record in &records {
            let name = format!("{file}#{}", record.id);
            if self.oracle.is_some() {
                let first = if self.arguments.end { record.game.actions.len() } else { 0 };
                self.game(&name, &record.game, first)?;
            } else {
                self.record(&name, record)?;
            }
        }
        Ok(())
    }

    fn record(&mut self, name: &str, record: &Record) -> Result<(), Failure> {
        if !self.begin(name, &record.game) {
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
                self.found(name, record.game.start.to_move(), &divergence)?;
                break;
            }
        }
        Ok(())
    }

    fn random(&mut self, count: u64) -> Result<(), Failure> {
        let mut starts = Vec::new();
        for name in &self.arguments.variant {
            let variant = variants::by_name(name).ok_or_else(|| {
                let hint =
                    variants::closest(name).map(|variant| format!("; did you mean `{}`?", variant.name));
                Failure::new(format_args!(
                    "there is no variant `{}`{}",
                    printable(name),
                    hint.unwrap_or_default()
                ))
            })?;
            starts.push(variant);
        }
        if starts.is_empty() {
            starts.extend(&VARIANTS);
        }
        let mut random = fastrand::Rng::with_seed(self.arguments.seed);
        for number in 0..count {
            let variant = starts[random.usize(..starts.len())];
            let start = Position::from_setup(&variant.setup()).expect("variants are positions");
            let bytes: Vec<u8> = std::iter::repeat_with(|| random.u8(..)).take(4096).collect();
            let mut unstructured = Unstructured::new(&bytes);
            let game = generate::game(&mut unstructured, start, RANDOM_ACTIONS)
                .map_err(|error| Failure::new(format_args!("no random game: {error}")))?;
            let game = Game::new(game.start, game.actions);
            let end = game.actions.len();
            self.game(
                &format!("random game {number} of seed {}, {}", self.arguments.seed, variant.name),
                &game,
                end,
            )?;
        }
        Ok(())
    }

    fn bless(&mut self, path: &Path, figures: &Path, games: &[Game]) -> Result<(), Failure> {
        let mut text = record::heading("Worldlines; nobody else has confirmed them");
        for (number, game) in games.iter().enumerate() {
            self.begin(&files::name(path), game);
            let mut positions = vec![game.start.clone()];
            for action in &game.actions {
                let mut next = positions[positions.len() - 1].clone();
                next.play(action).expect("the actions of a game are legal");
                positions.push(next);
            }
            if let Some(current) = self.games.last_mut() {
                current.positions = positions.len() as u64;
            }
            let recorded = positions.iter().enumerate();
            let lines: Vec<_> =
                recorded.map(|(index, position)| (index, position, self.recorded(position))).collect();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            text += &if games.len() == 1 {
                record::entry(&stem, Err(&file), &[], &lines)
            } else {
                let game = GameNotation::Pgn5d.write(game).map(|written| written.into_text());
                let game = game.map_err(|error| Failure::new(format_args!("game {number}: {error}")))?;
                record::entry(&format!("{stem}-{}", number + 1), Ok(&game), &[], &lines)
            };
        }
        files::create(figures, &text)
            .map_err(|error| Failure::new(format_args!("cannot write {}: {error}", shown(figures))))?;
        say(&format!("note: recorded {}", shown(figures)));
        Ok(())
    }

    fn found(&mut self, game: &str, begins: Color, divergence: &Divergence) -> Result<(), Failure> {
        let Divergence { index, position, differences, shrunk } = divergence;
        let name = position_name(*index, begins);
        let small = shrunk.as_ref().map(|Shrunk { game, difference, .. }| (&game.start, difference));
        let (smallest, difference) = small.unwrap_or((position, &differences[0]));
        let boards: Vec<String> = smallest.to_string().lines().map(str::to_owned).collect();
        let found = Found {
            name,
            class: differences[0].class.name(),
            differences: differences.iter().map(|difference| Shown::new(position, difference)).collect(),
            smallest: Shown::new(smallest, difference),
            reproduce: self.reproduce(game, *index, smallest, shrunk.is_some() || *index == 0, &boards),
            shrunk: shrunk.is_some(),
            corpus_case: self.corpus_case(smallest),
            boards,
        };
        if self.arguments.format == Format::Text {
            self.print(game, &found)?;
        }
        if let Some(current) = self.games.last_mut() {
            current.difference = Some(found);
        }
        Ok(())
    }

    /// The figures of a position as they are recorded: a long list of actions is left out.
    fn recorded(&self, position: &Position) -> Figures {
        let mut figures = self.own.figures(position, self.arguments.cap);
        if figures.legal_actions.is_none_or(|count| count.count > MOST_RECORDED) {
            figures.actions = None;
        }
        figures
    }

    /// The position with its true figures, for a file of figures.
    fn corpus_case(&self, position: &Position) -> String {
        let figures = self.recorded(position);
        let start = Game::new(self.own.judged(position), Vec::new());
        let text = GameNotation::Pgn5d.write(&start).map(|written| written.into_text());
        record::entry("smallest", Ok(&text.unwrap_or_default()), &[], &[(0, position, figures)])
    }

    /// A command that shows the difference again, for a shell.
    fn reproduce(
        &self,
        game: &str,
        index: usize,
        smallest: &Position,
        is_alone: bool,
        boards: &[String],
    ) -> String {
        let mut words = vec!["worldlines".to_owned(), "diff".to_owned()];
        let arguments = self.arguments;
        for profile in &arguments.profile {
            words.extend(["--profile".to_owned(), profile.to_string()]);
        }
        if let Some(oracle) = &arguments.oracle {
            words.extend(["--oracle".to_owned(), oracle.clone()]);
        }
        let default = Duration::from_secs(10);
        if self.oracle.is_some() && arguments.time != default {
            words.extend(["--time".to_owned(), arguments.time.as_secs_f64().to_string()]);
        }
        if !is_alone {
            // Only the whole game shows it.
            let file = game.split('#').next().unwrap_or(game);
            return match arguments.random {
                Some(count) if Path::new(file).metadata().is_err() => {
                    words.extend([
                        "--random".to_owned(),
                        count.to_string(),
                        "--seed".to_owned(),
                        arguments.seed.to_string(),
                    ]);
                    for variant in &arguments.variant {
                        words.extend(["--variant".to_owned(), variant.clone()]);
                    }
                    shell_words::join(words)
                }
                _ => {
                    words.push(file.to_owned());
                    format!("{}   # position {index}", shell_words::join(words))
                }
            };
        }
        words.push("-".to_owned());
        let promotions = smallest.profile().promotions;
        let size = smallest.size();
        let header = if promotions == RuleProfile::default().promotions {
            Vec::new()
        } else {
            vec![
                format!("[Size \"{}x{}\"]", size.width(), size.height()),
                format!("[Promotions \"{promotions}\"]"),
            ]
        };
        let texts: Vec<&str> = header.iter().chain(boards).map(String::as_str).collect();
        format!("echo {} | {}", shell_words::quote(&texts.join(" ")), shell_words::join(words))
    }

    fn print(&mut self, game: &str, found: &Found) -> Result<(), Failure> {
        let oracle = self.name.as_deref().unwrap_or("worldlines");
        let oracle = printable(oracle).to_string();
        let out = &mut *self.out;
        writeln!(out, "{} at {}: {}", printable(game), found.name.at, found.class)?;
        for difference in &found.differences {
            difference.print(&oracle, out)?;
        }
        if found.shrunk {
            let boards = found.boards.len();
            writeln!(out, "  smallest position, {boards} board{}:", if boards == 1 { "" } else { "s" })?;
        } else {
            writeln!(out, "  the position:")?;
        }
        for board in &found.boards {
            writeln!(out, "    {board}")?;
        }
        if found.shrunk {
            found.smallest.print(&oracle, out)?;
        }
        writeln!(out, "  again: {}", found.reproduce)?;
        if self.arguments.case {
            writeln!(out, "  case for a file of figures:\n{}", found.corpus_case.trim_end())?;
        }
        writeln!(out)?;
        // The next one may take long.
        out.flush()?;
        Ok(())
    }

    fn summary(&self) -> Summary {
        let classes = Class::ALL.iter().map(|class| (class.name(), 0)).collect();
        let mut summary = Summary { classes, ..Summary::default() };
        for game in &self.games {
            summary.games += 1;
            summary.positions += game.positions;
            summary.not_asked += game.not_asked;
            if let Some(found) = &game.difference {
                summary.differences += 1;
                *summary.classes.entry(found.class).or_default() += 1;
            }
        }
        summary
    }

    fn exit(&self) -> Exit {
        let nothing = self.games.is_empty() && self.arguments.partition.is_none();
        let exits = self.games.iter().map(|game| match game {
            Compared { difference: Some(_), .. } => Exit::Findings,
            Compared { positions: 0, not_asked: 1.., .. } => Exit::Undecided,
            _ => Exit::Ok,
        });
        let others =
            [(!self.errors.is_empty()).then_some(Exit::Usage), nothing.then_some(Exit::NothingSelected)];
        Exit::worst(exits.chain(others.into_iter().flatten()))
    }

    fn finish(self) -> Result<Exit, Failure> {
        let (exit, summary) = (self.exit(), self.summary());
        let Run { arguments, name, read, games, errors, out, .. } = self;
        match arguments.format {
            Format::Json => {
                let report = Report {
                    schema: SCHEMA,
                    run: arguments.settings(name),
                    input: Everything::of(read.len(), read.iter().map(String::as_str)),
                    partition: arguments.partition.map(Part::from),
                    exit_code: exit.code().into(),
                    errors,
                    games,
                    summary,
                };
                print_json(out, &report)?;
            }
            Format::Text => summary.print(out)?,
        }
        Ok(exit)
    }
}

impl Summary {
    fn print(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Summary { games, positions, not_asked, differences, .. } = *self;
        let by_class = self.classes.iter().filter(|(_, count)| **count > 0);
        let by_class: Vec<String> = by_class.map(|(class, count)| format!("{count} {class}")).collect();
        let classes = if by_class.is_empty() { String::new() } else { format!(": {}", by_class.join(", ")) };
        writeln!(
            out,
            "{games} game{}, {positions} position{} compared, {differences} difference{}{classes}",
            plural(games),
            plural(positions),
            plural(differences),
        )?;
        if not_asked > 0 {
            writeln!(out, "{not_asked} position{} could not be asked about", plural(not_asked))?;
        }
        Ok(())
    }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
