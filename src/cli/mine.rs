//! `worldlines mine`: searches games for puzzles.

mod journal;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::command::Command;
use super::exit::{Exit, Failure};
use super::files;
use super::finds::{Fate, Finds, Keeping, in_order, likeness_of};
use super::input::Limits;
use super::json::{Everything, Head, VERSION};
use super::output::{Format, print_json};
use super::source;
use super::terminal::{self, say};
use journal::{Effort, Journal};
use report::{Find, Summary};
pub use report::{Mined, Report, Run, SCHEMA, merge};
use worldlines::compose::{Found, OnlyDefence, Sieve, mine, only_defences};
use worldlines::notation::Game;
use worldlines::puzzle::{Options, load};
use worldlines::types::{Partition, Undecided, fnv1a};

/// Find puzzles in games: positions with a mate that has one key
///
/// Reads games in any notation; of a folder, every file. Each find is proven: there is no shorter mate, and
/// no other key. Without --write the puzzle files are printed. With it, a journal `mined.jsonl` in the folder
/// has the games that were searched with these options, what was found in them, and the positions that took too long. The same command
/// continues where it ended; with a larger budget, for evidence too, or more memory, it searches these positions again.
///
/// With --partition, finds that are too like others of the same run are left in: `worldlines report merge` leaves them out, over all parts.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines mine game.5dpgn
  worldlines mine games --longest 3 --write my-puzzles --author 'Your name'
  worldlines mine games --only-defence 1
  worldlines mine games --partition hash:1/4 --write found --format json > part-1.json

Exit codes: 0 something was found, now or before; 2 a game cannot be read; 3 nothing was found, and a limit left positions open; 4 nothing was
found, or 0 if this is a part that was searched to its end.")]
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
    /// times as many, and its proof what --evidence-budget says
    #[arg(long, value_name = "STEPS", default_value_t = Sieve::default().steps)]
    budget: u64,
    /// Find positions instead in which only one action avoids mate in N
    #[arg(long, value_name = "N", conflicts_with_all = ["longest", "shortest", "keys"], value_parser = clap::value_parser!(u32).range(1..=3))]
    only_defence: Option<u32>,
    /// Search only one of N parts of the games, `hash:M/N` with M from 1 to N
    #[arg(long, value_name = "PART")]
    partition: Option<Partition>,
    /// The shape of the output
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    keeping: Keeping,
}

/// The finds in a game, and its positions that are undecided.
enum Vein {
    Mates(Vec<(usize, Result<Found, Undecided>)>),
    Defences(Vec<(usize, Result<OnlyDefence, Undecided>)>),
}

/// A game to search.
struct Mine {
    /// Its number in the whole run, from 1.
    index: usize,
    name: String,
    /// The hash of its start, rules and actions.
    hash: String,
    game: Game,
    /// The positions to search, if not all of them.
    only: Option<Vec<usize>>,
    /// The answer of an earlier run.
    before: Option<Mined>,
}

/// The games of all files.
struct Mines {
    /// Those of this part.
    games: Vec<Mine>,
    everything: Everything,
    /// Whether a file cannot be read.
    is_unread: bool,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        let clock = self.limits.time.start();
        let stop = clock.stop();
        let options = self.options(stop);
        let Mines { games, everything, is_unread } = self.mines()?;
        let mut journal = self.journal()?;
        let (mines, mut mined) = sorted(games, &journal, self.effort());
        if !mined.is_empty() {
            let all = mined.len() + mines.len();
            say(&format!("note: {} of {all} games were searched before", mined.len()));
        }
        let before = mined.iter().chain(mines.iter().filter_map(|mine| mine.before.as_ref()));
        let mut finds = self.finds(options, mines.is_empty(), before)?;
        let bar = terminal::progress(mines.len(), "games");
        in_order(
            self.keeping.threads(),
            mines.len(),
            stop,
            |index| self.dig(&mines[index], stop),
            |index, vein| {
                bar.inc(1);
                let mine = &mines[index];
                let now = bar.suspend(|| self.keep(&mut finds, mine, vein, out))?;
                // An interrupted game is not entered in the journal, so it is searched again.
                if !stop.load(Ordering::Relaxed) {
                    journal.add(&mine.hash, self.effort(), &now)?;
                }
                mined.push(now);
                Ok(true)
            },
        )?;
        bar.finish_and_clear();
        mined.sort_by_key(|mined| mined.index);
        let summary = Summary::of(&mined);
        let exit = summary.exit(is_unread, self.partition.is_some());
        say(&summary.text());
        if self.format == Format::Json {
            let head = Head::new(SCHEMA, self.as_json(), everything, self.partition, exit.code());
            print_json(out, &Report { head, games: mined, summary })?;
        }
        Ok(exit)
    }

    fn format(&self) -> Format {
        self.format
    }
}

/// The games to search, and the answers about all others.
fn sorted(games: Vec<Mine>, journal: &Journal, effort: Effort) -> (Vec<Mine>, Vec<Mined>) {
    let (mut mines, mut done) = (Vec::new(), Vec::new());
    for mut mine in games {
        match journal.of(&mine.name, &mine.hash) {
            None => mines.push(mine),
            Some((spent, mined)) => {
                let mined = Mined { index: mine.index, ..mined.clone() };
                if effort.is_more_than(spent) && !mined.undecided.is_empty() {
                    mine.only = Some(mined.undecided.clone());
                    mine.before = Some(mined);
                    mines.push(mine);
                } else {
                    done.push(mined);
                }
            }
        }
    }
    (mines, done)
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

    /// The options on which the answers depend.
    fn as_json(&self) -> Run {
        let Effort { budget, memory, evidence } = self.effort();
        let is_mate = self.only_defence.is_none();
        Run {
            version: VERSION.to_owned(),
            longest: is_mate.then_some(self.longest),
            shortest: is_mate.then_some(self.shortest),
            keys: is_mate.then_some(self.keys),
            only_defence: self.only_defence,
            first_actions: self.first_actions,
            budget,
            time: self.limits.time.seconds(),
            memory,
            evidence_budget: evidence,
            likeness: self.keeping.likeness(),
            unlike: self.keeping.unlike(),
            author: self.keeping.author().map(str::to_owned),
        }
    }

    /// The journal for these options. It keeps nothing if there is no folder for it.
    fn journal(&self) -> Result<Journal, Failure> {
        // Parts may share a folder, so each has a journal of its own.
        let name = match self.partition {
            None => "mined.jsonl".to_owned(),
            Some(partition) => format!("mined-{}-of-{}.jsonl", partition.part(), partition.of()),
        };
        // The limits stand beside each game, and another commit of the same version goes on.
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let asked = Run { version, budget: 0, memory: 0, evidence_budget: 0, time: None, ..self.as_json() };
        Journal::open(self.keeping.folder().map(|folder| folder.join(name)), asked)
    }

    /// The finds so far, with the puzzles that new ones are compared with.
    fn finds<'a, 'm>(
        &'a self,
        options: Options<'a>,
        is_done: bool,
        before: impl Iterator<Item = &'m Mined>,
    ) -> Result<Finds<'a>, Failure> {
        let finds = match self.partition {
            _ if is_done => self.keeping.nothing(options),
            Some(_) => self.keeping.begin_part(options)?,
            None => self.keeping.begin(options)?,
        };
        let mut finds = if self.format == Format::Json { finds.silenced() } else { finds };
        for Find { id, puzzle, .. } in before.flat_map(|mined| &mined.finds) {
            // Finds in the folder are known already.
            let is_there =
                self.keeping.folder().is_some_and(|folder| folder.join(format!("{id}.yaml")).exists());
            let likeness = match load(id, puzzle.as_bytes()).first() {
                Some(document) if !is_done && !is_there => likeness_of(document, options).ok().flatten(),
                _ => None,
            };
            finds.remember(id, likeness);
        }
        Ok(finds)
    }

    /// The games of all files.
    fn mines(&self) -> Result<Mines, Failure> {
        let (mut mines, mut is_unread) = (Vec::new(), false);
        for path in source::files_of_games(&self.games)? {
            match games(&path) {
                Ok(games) => mines.extend(games),
                Err(failure) => {
                    is_unread = true;
                    say(&failure.shown);
                }
            }
        }
        (1..).zip(&mut mines).for_each(|(index, mine)| mine.index = index);
        let texts = mines.iter().flat_map(|mine| [&*mine.name, &*mine.hash]);
        let everything = Everything::of(mines.len(), texts);
        if let Some(partition) = self.partition {
            mines.retain(|mine| partition.contains(&mine.name));
            if mines.is_empty() {
                say(&format!("note: there is no game in part {} of {}", partition.part(), partition.of()));
            }
        }
        Ok(Mines { games: mines, everything, is_unread })
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

    /// Keeps the finds of a game, and returns all that is known of it.
    fn keep(
        &self,
        finds: &mut Finds<'_>,
        mine: &Mine,
        vein: Vein,
        out: &mut dyn Write,
    ) -> Result<Mined, Failure> {
        let origin = self.keeping.origin(format!("a position of the game {}", mine.name), true);
        let fates = match vein {
            Vein::Mates(found) => fates(found, |found| finds.keep(found, &origin, out))?,
            Vein::Defences(found) => fates(found, |found| finds.keep_defence(found, &origin, out))?,
        };
        let fresh = || Mined::new(mine.index, mine.name.clone(), mine.game.actions.len() + 1);
        let mut mined = mine.before.clone().unwrap_or_else(fresh);
        mined.undecided.clear();
        for (at, fate) in fates {
            match fate {
                Fate::Kept(id, puzzle) => mined.finds.push(Find { at, id, puzzle }),
                Fate::Alike => mined.alike += 1,
                Fate::Unfit => {}
                Fate::Open => mined.undecided.push(at),
            }
        }
        mined.finds.sort_by_key(|find| find.at);
        Ok(mined)
    }
}

/// Keeps each find.
fn fates<T>(
    found: Vec<(usize, Result<T, Undecided>)>,
    mut keep: impl FnMut(&T) -> Result<Fate, Failure>,
) -> Result<Vec<(usize, Fate)>, Failure> {
    let keep = |(at, found): (usize, Result<T, Undecided>)| {
        let fate = found.as_ref().map_or(Ok(Fate::Open), &mut keep)?;
        Ok((at, fate))
    };
    found.into_iter().map(keep).collect()
}

/// The games of a file.
fn games(path: &Path) -> Result<Vec<Mine>, Failure> {
    let file = files::name(path);
    let games = source::games(&file)?;
    let count = games.len();
    let mines = games.into_iter().enumerate().map(|(index, game)| {
        let base = path.file_stem().map_or(file.clone(), |stem| stem.to_string_lossy().into_owned());
        let name = if count == 1 { base } else { format!("{base}, number {}", index + 1) };
        let profile = game.start.profile();
        let text = format!("{}{profile}{}{:?}", game.start, profile.promotions, game.actions);
        let hash = format!("{:016x}", fnv1a(text.into_bytes()));
        Mine { index, name, hash, game, only: None, before: None }
    });
    Ok(mines.collect())
}
