//! `worldlines mine`: searches games for puzzles.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::exit::{Exit, Failure};
use super::files::{self, shown};
use super::finds::{Fate, Finds, Keeping, in_order};
use super::input::Limits;
use super::source::{self, LIST_OF_MINED};
use super::terminal::{self, say};
use worldlines::compose::{Found, OnlyDefence, Sieve, mine, only_defences};
use worldlines::notation::{Game, printable};
use worldlines::puzzle::Options;
use worldlines::types::{Partition, Undecided, fnv1a};

/// Find puzzles in games: positions with a mate that has one key
///
/// Reads games in any notation; of a folder, every file. Each find is proven: there is no shorter mate, and
/// no other key. Without --write the puzzle files are printed. With it, a file `mined.txt` in the folder
/// lists the games that were searched with these options, and the same command continues where it ended.
/// Positions that took too long are counted, and searched again with a larger budget, for evidence too, or more memory.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines mine game.5dpgn
  worldlines mine games --longest 3 --write my-puzzles --author 'Your name'
  worldlines mine games --only-defence 1
  worldlines mine games --partition hash:1/4 --write part-1

Exit codes: 0 something was found, 2 a game cannot be read, 3 nothing was found, and a limit left positions open, 4 nothing was found.")]
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
    /// The most search steps for finding a mate in a position; studying a mate that was found may take twenty
    /// times as many
    #[arg(long, value_name = "STEPS", default_value_t = Sieve::default().steps)]
    budget: u64,
    /// Find positions instead in which only one action avoids mate in N
    #[arg(long, value_name = "N", conflicts_with_all = ["longest", "shortest", "keys"], value_parser = clap::value_parser!(u32).range(1..=3))]
    only_defence: Option<u32>,
    /// Search only one of N parts of the games, `hash:M/N` with M from 1 to N
    #[arg(long, value_name = "PART")]
    partition: Option<Partition>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    keeping: Keeping,
}

/// The most bytes of the list.
const MOST_MINED: u64 = 64 << 20;

/// The finds in a game, and its positions that are undecided.
enum Vein {
    Mates(Vec<(usize, Result<Found, Undecided>)>),
    Defences(Vec<(usize, Result<OnlyDefence, Undecided>)>),
}

/// A game to search.
struct Mine {
    name: String,
    /// Its name in `mined.txt`, with the options that decide which finds there are.
    mark: String,
    game: Game,
    /// The positions to search, if not all of them.
    only: Option<Vec<usize>>,
}

/// The limits of the search in a position.
#[derive(Clone, Copy)]
struct Effort {
    budget: u64,
    /// In mebibytes.
    memory: u64,
    evidence: u64,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let clock = arguments.limits.time.start();
    let stop = clock.stop();
    let mut finds = arguments.keeping.begin(arguments.options(stop))?;
    let (mut mines, is_unread) = arguments.mines()?;
    let list = arguments.keeping.folder().map(|folder| folder.join(LIST_OF_MINED));
    let done = list.as_deref().map_or(Ok(BTreeMap::new()), done)?;
    let (before, mut undecided) = (mines.len(), 0);
    mines.retain_mut(|mine| {
        let Some(done) = done.get(&mine.mark) else { return true };
        let is_left = done.leaves(mine, arguments.effort());
        undecided += if is_left { 0 } else { done.open.len() };
        is_left
    });
    if before > mines.len() {
        say(&format!("note: {} of {before} games were gone through before", before - mines.len()));
    }
    let bar = terminal::progress(mines.len(), "games");
    in_order(
        arguments.keeping.threads(),
        mines.len(),
        stop,
        |index| arguments.dig(&mines[index], stop),
        |index, vein| {
            bar.inc(1);
            let mine = &mines[index];
            let open = bar.suspend(|| arguments.keep(&mut finds, &mine.name, vein, out))?;
            undecided += open.len();
            match &list {
                // An interrupted game is not entered in the list, so it is searched again.
                Some(list) if !stop.load(Ordering::Relaxed) => {
                    remember(list, &mine.mark, arguments.effort(), &open)?;
                }
                _ => {}
            }
            Ok(true)
        },
    )?;
    bar.finish_and_clear();
    let open = match undecided {
        0 => String::new(),
        1 => ", 1 position undecided".to_owned(),
        many => format!(", {many} positions undecided"),
    };
    say(&format!("{}{open}", finds.summary()));
    Ok(match (is_unread, finds.kept(), undecided) {
        (true, ..) => Exit::Usage,
        (_, 1.., _) => Exit::Ok,
        (.., 0) => Exit::NothingSelected,
        _ => Exit::Undecided,
    })
}

impl Arguments {
    fn effort(&self) -> Effort {
        let Limits { memory, evidence_budget, .. } = &self.limits;
        Effort { budget: self.budget, memory: memory.mib(), evidence: *evidence_budget }
    }

    fn sieve(&self) -> Sieve {
        Sieve {
            longest: self.longest,
            shortest: self.shortest,
            most_keys: self.keys,
            least_first_actions: self.first_actions,
            steps: self.budget,
            memory: self.limits.memory.bytes(),
            evidence: self.limits.evidence_budget,
        }
    }

    /// The limits for writing the file of a find: the same as for studying it.
    fn options<'s>(&self, stop: &'s AtomicBool) -> Options<'s> {
        self.limits.options(Some(self.sieve().study_steps()), Some(stop))
    }

    /// The options that decide which finds there are, but not the limits of the search.
    fn asked(&self) -> String {
        let goal = match self.only_defence {
            Some(n) => format!("only-defence {n}"),
            None => format!("mates {} to {}, keys {}", self.shortest, self.longest, self.keys),
        };
        format!("{goal}, first-actions {}, {}", self.first_actions, self.keeping.in_words())
    }

    /// The games of all files, and whether one of the files cannot be read.
    fn mines(&self) -> Result<(Vec<Mine>, bool), Failure> {
        let (asked, mut mines, mut is_unread) = (self.asked(), Vec::new(), false);
        for path in source::files_of_games(&self.games)? {
            match games(&path, &asked) {
                Ok(games) => mines.extend(games),
                Err(failure) => {
                    is_unread = true;
                    say(&failure.shown);
                }
            }
        }
        if let Some(partition) = self.partition {
            mines.retain(|mine| partition.contains(&mine.name));
        }
        Ok((mines, is_unread))
    }

    fn dig(&self, place: &Mine, stop: &AtomicBool) -> Vein {
        let is_asked = |index: usize| place.only.as_ref().is_none_or(|only| only.contains(&index));
        match self.only_defence {
            Some(n) => {
                let budget = self.limits.budget(self.budget);
                let found = only_defences(&place.game, n, self.first_actions, budget, is_asked, Some(stop));
                Vein::Defences(found.collect())
            }
            None => Vein::Mates(mine(&place.game, self.sieve(), is_asked, Some(stop)).collect()),
        }
    }

    /// Keeps the finds of a game, and returns the positions that are undecided.
    fn keep(
        &self,
        finds: &mut Finds<'_>,
        game: &str,
        vein: Vein,
        out: &mut impl Write,
    ) -> Result<Vec<usize>, Failure> {
        let origin = self.keeping.origin(format!("a position of the game {game}"), true);
        match vein {
            Vein::Mates(found) => open(found, |found| finds.keep(found, &origin, out)),
            Vein::Defences(found) => open(found, |found| finds.keep_defence(found, &origin, out)),
        }
    }
}

/// Keeps each find, and returns the positions that are undecided.
fn open<T>(
    found: Vec<(usize, Result<T, Undecided>)>,
    mut keep: impl FnMut(&T) -> Result<Fate, Failure>,
) -> Result<Vec<usize>, Failure> {
    let mut open = Vec::new();
    for (index, found) in found {
        let fate = found.as_ref().map_or(Ok(Fate::Open), &mut keep)?;
        open.extend((fate == Fate::Open).then_some(index));
    }
    Ok(open)
}

/// The games of a file, each with the options as part of its name.
fn games(path: &Path, asked: &str) -> Result<Vec<Mine>, Failure> {
    let file = files::name(path);
    let games = source::games(&file)?;
    let count = games.len();
    let mines = games.into_iter().enumerate().map(|(index, game)| {
        let base = path.file_stem().map_or(file.clone(), |stem| stem.to_string_lossy().into_owned());
        let name = if count == 1 { base } else { format!("{base}, number {}", index + 1) };
        let text = format!("{}{:?}", game.start, game.actions);
        let mark = format!("{} {:016x} {asked}", printable(&name), fnv1a(text.into_bytes()));
        Mine { name, mark, game, only: None }
    });
    Ok(mines.collect())
}

/// The entry of a game in the list.
struct Done {
    effort: Effort,
    /// The positions that are undecided.
    open: Vec<usize>,
}

impl Done {
    /// Whether this larger effort may decide positions of a game; `mine` then has only these positions.
    fn leaves(&self, mine: &mut Mine, effort: Effort) -> bool {
        let Effort { budget, memory, evidence } = self.effort;
        let is_more = effort.budget > budget || effort.memory > memory || effort.evidence > evidence;
        mine.only = Some(self.open.clone());
        is_more && !self.open.is_empty()
    }
}

/// The separators of a line: before the budget, the memory, and the undecided positions.
const SPENT: &str = ": budget ";
const MEMORY: &str = ", memory ";
const EVIDENCE: &str = ", evidence ";
const OPEN: &str = ", undecided ";

/// The entries of the list, by name. If a game has several, the last one counts.
fn done(list: &Path) -> Result<BTreeMap<String, Done>, Failure> {
    if !list.exists() {
        return Ok(BTreeMap::new());
    }
    // A line of another form is ignored, so its game is searched again.
    let done = |line: &str| {
        let (mark, spent) = line.rsplit_once(SPENT)?;
        let (budget, rest) = spent.split_once(MEMORY)?;
        let (memory, rest) = rest.split_once(EVIDENCE)?;
        let (evidence, open) = rest.split_once(OPEN)?;
        let [budget, memory, evidence] = [budget, memory, evidence].map(|number| number.parse().ok());
        let effort = Effort { budget: budget?, memory: memory?, evidence: evidence? };
        let open = open.split_ascii_whitespace().map(|index| index.parse().ok()).collect::<Option<_>>()?;
        Some((mark.to_owned(), Done { effort, open }))
    };
    Ok(files::text(list, MOST_MINED)?.lines().filter_map(done).collect())
}

/// Adds a game to the list, with its undecided positions.
fn remember(list: &Path, mark: &str, effort: Effort, open: &[usize]) -> Result<(), Failure> {
    let open: Vec<String> = open.iter().map(usize::to_string).collect();
    let Effort { budget, memory, evidence } = effort;
    let add = || {
        if let Some(folder) = list.parent() {
            fs::create_dir_all(folder)?;
        }
        let list = files::real_path_within(files::parent(list), list)?;
        let mut file = OpenOptions::new().create(true).append(true).open(list)?;
        let open = open.join(" ");
        writeln!(file, "{mark}{SPENT}{budget}{MEMORY}{memory}{EVIDENCE}{evidence}{OPEN}{open}")
    };
    add().map_err(|error| Failure::new(format_args!("cannot write {}: {error}", shown(list))))
}
