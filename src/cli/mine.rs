//! `worldlines mine`

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::finds::{Keeping, in_order};
use super::source;
use super::terminal::{self, say};
use super::time::Time;
use worldlines::compose::{Found, OnlyDefence, Sieve, mine, only_defences};
use worldlines::notation::Game;
use worldlines::types::{Partition, fnv1a};

/// Find puzzles in games: every position with a mate that has one key
///
/// Reads games in any notation, and every file of a folder. Each find is proven: there is no shorter mate, and no other key. Without
/// --write the puzzle files are printed. With it a file `mined.txt` in the folder remembers the games that were gone through, and the
/// same command goes on where it ended.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines mine game.5dpgn
  worldlines mine games --longest 3 --write my-puzzles --author 'Your name'
  worldlines mine games --only-defence 1
  worldlines mine games --partition hash:1/4 --write part-1

Exit codes: 0 something was found, 2 a game cannot be read, 4 nothing was found.")]
pub struct Arguments {
    /// Files with games, and folders of them
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The longest mate to look for
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10))]
    longest: u32,
    /// The shortest mate to look for
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10))]
    shortest: u32,
    /// The fewest legal first actions
    #[arg(long, value_name = "K", default_value_t = 8)]
    first_actions: u64,
    /// The most classes of keys
    #[arg(long, value_name = "K", default_value_t = 1)]
    keys: usize,
    /// The most search steps for the question whether a position has a mate
    #[arg(long, value_name = "STEPS", default_value_t = Sieve::default().steps)]
    budget: u64,
    /// Look for positions instead in which one action alone avoids mate in N
    #[arg(long, value_name = "N", conflicts_with_all = ["longest", "shortest", "keys"], value_parser = clap::value_parser!(u32).range(1..=3))]
    only_defence: Option<u32>,
    /// Go through one of N parts of the games only, `hash:M/N` with M from 1 to N
    #[arg(long, value_name = "PART")]
    partition: Option<Partition>,
    #[command(flatten)]
    time: Time,
    #[command(flatten)]
    keeping: Keeping,
}

/// The games of a folder that were gone through.
const MINED: &str = "mined.txt";
/// The longest such list.
const MOST_MINED: u64 = 64 << 20;

/// What a game holds.
enum Vein {
    Mates(Vec<Found>),
    Defences(Vec<OnlyDefence>),
}

/// A game to go through.
struct Mine {
    name: String,
    /// What `mined.txt` says of it.
    mark: String,
    game: Game,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let mut finds = arguments.keeping.begin()?;
    let sieve = Sieve {
        longest: arguments.longest,
        shortest: arguments.shortest,
        most_keys: arguments.keys,
        least_first_actions: arguments.first_actions,
        steps: arguments.budget,
        ..Sieve::default()
    };
    let asked = match arguments.only_defence {
        Some(n) => format!("only-defence {n}"),
        None => format!("mates {} to {}", arguments.shortest, arguments.longest),
    };
    let (mut mines, mut unread) = (Vec::new(), 0);
    for path in paths(&arguments.games)? {
        match games(&path, &asked) {
            Ok(games) => mines.extend(games),
            Err(failure) => {
                unread += 1;
                say(&failure.shown);
            }
        }
    }
    if let Some(partition) = arguments.partition {
        mines.retain(|mine| partition.contains(&mine.name));
    }
    let list = arguments.keeping.folder().map(|folder| folder.join(MINED));
    let done = list.as_deref().map_or(Ok(BTreeSet::new()), done)?;
    let before = mines.len();
    mines.retain(|mine| !done.contains(&mine.mark));
    if before > mines.len() {
        say(&format!("note: {} of {before} games were gone through before", before - mines.len()));
    }
    let clock = arguments.time.start();
    let stop = clock.stop();
    let bar = terminal::progress(mines.len(), "games");
    in_order(
        arguments.keeping.threads(),
        mines.len(),
        stop,
        |index| {
            let (game, goes_on) = (&mines[index].game, || !stop.load(Ordering::Relaxed));
            let found = match arguments.only_defence {
                Some(n) => {
                    let (least, steps) = (arguments.first_actions, arguments.budget);
                    Vein::Defences(only_defences(game, n, least, steps, goes_on).collect())
                }
                None => Vein::Mates(mine(game, sieve, goes_on).collect()),
            };
            (found, stop.load(Ordering::Relaxed))
        },
        |index, (found, was_stopped)| {
            bar.inc(1);
            let source = &mines[index];
            let origin = arguments.keeping.origin(format!("a position of the game {}", source.name), true);
            bar.suspend(|| {
                match &found {
                    Vein::Mates(found) => {
                        found.iter().try_for_each(|found| finds.keep(found, &origin, out))?;
                    }
                    Vein::Defences(found) => {
                        found.iter().try_for_each(|found| finds.keep_defence(found, &origin, out))?;
                    }
                }
                match (&list, was_stopped) {
                    (Some(list), false) => remember(list, &source.mark),
                    _ => Ok(()),
                }
            })?;
            Ok(true)
        },
    )?;
    bar.finish_and_clear();
    say(&finds.summary());
    let nothing = if finds.kept() == 0 { Exit::NothingSelected } else { Exit::Ok };
    Ok(if unread > 0 { Exit::Usage } else { nothing })
}

/// The files that are meant.
fn paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            let is_game = |path: &Path| {
                let extension = path.extension().and_then(|extension| extension.to_str());
                matches!(extension, Some("5dpgn" | "pgn" | "txt" | "json" | "chess64"))
                    && path.file_name().is_none_or(|name| name != MINED)
            };
            found.extend(files::in_folder(path, is_game)?);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// The games of a file, each with what it is asked for.
fn games(path: &Path, asked: &str) -> Result<Vec<Mine>, Failure> {
    let file = files::name(path);
    let games = source::games(&file)?;
    let count = games.len();
    let mines = games.into_iter().enumerate().map(|(index, game)| {
        let base = path.file_stem().map_or(file.clone(), |stem| stem.to_string_lossy().into_owned());
        let name = if count == 1 { base } else { format!("{base}, number {}", index + 1) };
        let text = format!("{}{:?}", game.start, game.actions);
        let mark = format!("{name} {:016x} {asked}", fnv1a(text.into_bytes()));
        Mine { name, mark, game }
    });
    Ok(mines.collect())
}

/// What the list says.
fn done(list: &Path) -> Result<BTreeSet<String>, Failure> {
    if !list.exists() {
        return Ok(BTreeSet::new());
    }
    Ok(files::text(list, MOST_MINED)?.lines().map(str::to_owned).collect())
}

/// Adds a game to the list.
fn remember(list: &Path, mark: &str) -> Result<(), Failure> {
    let add = || {
        if let Some(folder) = list.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(list)?;
        writeln!(file, "{mark}")
    };
    add().map_err(|error| Failure::new(format_args!("cannot write {}: {error}", shown(list))))
}
