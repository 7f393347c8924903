//! The output of `mine` and `compose`: each find is compared with known puzzles, then printed or written into
//! a folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::exit::Failure;
use super::files::{self, shown};
use super::input::threads;
use super::terminal::{self, say};
use super::verify;
use worldlines::compose::{
    Found, Likeness, Merit, NEAR_DUPLICATE, OnlyDefence, Origin, Solution, defence_text, puzzle_text,
};
use worldlines::puzzle::{Document, FixError, Options};
use worldlines::search::{Budget, Prover};
use worldlines::state::Position;
use worldlines::types::{Because, Limit, Undecided, counted};

/// Options for the output of finds, and for leaving out finds that are like known puzzles.
#[derive(clap::Args)]
pub struct Keeping {
    /// Write each find into a file of its own in this folder, instead of printing it
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// Leave out finds that are too like a puzzle of this file or folder; may be given several times
    #[arg(long, value_name = "PATH")]
    unlike: Vec<PathBuf>,
    /// The likeness, from 0 to 1, from which a find is too like a puzzle
    #[arg(long, value_name = "LIKENESS", default_value_t = NEAR_DUPLICATE)]
    likeness: f64,
    /// The author for the files
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
}

/// The finds kept so far.
pub struct Finds<'a> {
    keeping: &'a Keeping,
    /// The limits for writing the file of a find.
    options: Options<'a>,
    known: Vec<Likeness>,
    /// The finds that were kept.
    found: Vec<Likeness>,
    /// The ids of the finds that were kept.
    ids: BTreeSet<String>,
    /// Whether finds are compared with each other, and not only with known puzzles.
    are_compared: bool,
    /// Whether finds are printed.
    is_printing: bool,
    kept: usize,
    alike: usize,
}

/// The fate of a find.
#[derive(PartialEq, Eq)]
pub enum Fate {
    /// It is kept: its id and the text of its file.
    Kept(String, String),
    /// It is too like another puzzle.
    Alike,
    /// Its file cannot be written, whatever the limits.
    Unfit,
    /// A limit was reached first.
    Open,
}

impl Keeping {
    /// Reads the puzzles that finds are compared with.
    pub fn begin<'a>(&'a self, options: Options<'a>) -> Result<Finds<'a>, Failure> {
        let mut paths = self.unlike.clone();
        paths.extend(self.write.iter().filter(|folder| folder.is_dir()).cloned());
        self.finds(&paths, options)
    }

    /// Reads the puzzles that the finds of a part are compared with. Its finds are not compared with each other: a near-duplicate may
    /// come before in another part.
    pub fn begin_part<'a>(&'a self, options: Options<'a>) -> Result<Finds<'a>, Failure> {
        Ok(Finds { are_compared: false, ..self.finds(&self.unlike, options)? })
    }

    /// No puzzles to compare finds with.
    pub fn nothing<'a>(&'a self, options: Options<'a>) -> Finds<'a> {
        let (known, found, ids) = (Vec::new(), Vec::new(), BTreeSet::new());
        let (are_compared, is_printing) = (true, true);
        Finds { keeping: self, options, known, found, ids, are_compared, is_printing, kept: 0, alike: 0 }
    }

    fn finds<'a>(&'a self, known: &[PathBuf], options: Options<'a>) -> Result<Finds<'a>, Failure> {
        let known =
            likenesses(known, options)?.0.into_iter().filter_map(|known| known.likeness.ok()).collect();
        Ok(Finds { known, ..self.nothing(options) })
    }

    /// The paths of the puzzles that finds are compared with.
    pub fn unlike(&self) -> Vec<String> {
        self.unlike.iter().map(|path| shown(path)).collect()
    }

    /// The likeness from which a find is left out.
    pub fn likeness(&self) -> f64 {
        self.likeness
    }

    /// The author for the files.
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        threads(self.jobs)
    }

    /// The folder for finds, if they are written.
    pub fn folder(&self) -> Option<&Path> {
        self.write.as_deref()
    }

    /// The origin of a find, with the author from the options.
    pub fn origin(&self, from: String, is_game: bool) -> Origin {
        Origin { from, author: self.author.clone(), is_game }
    }
}

impl Finds<'_> {
    /// Keeps a find unless it is too like another one.
    pub fn keep(&mut self, found: &Found, origin: &Origin, out: &mut dyn Write) -> Result<Fate, Failure> {
        let likeness = Likeness::of_solution(&found.game.end(), &found.solution);
        if self.is_among(&self.known, &likeness) {
            self.alike += 1;
            return Ok(Fate::Alike);
        }
        // A part does not know the finds of others, so a find whose file costs too much is undecided, whatever it is like.
        let written = puzzle_text(found, origin, self.options);
        if written.is_ok() && self.is_among(&self.found, &likeness) {
            self.alike += 1;
            return Ok(Fate::Alike);
        }
        let fate = self.put(written, out)?;
        self.found.extend((self.are_compared && matches!(fate, Fate::Kept(..))).then_some(likeness));
        Ok(fate)
    }

    /// Whether one of these is too like this one.
    fn is_among(&self, others: &[Likeness], likeness: &Likeness) -> bool {
        let goes_on = |_: &&Likeness| !is_stopped(self.options);
        let most = others.iter().take_while(goes_on).map(|other| likeness.to(other)).fold(0.0, f64::max);
        most >= self.keeping.likeness
    }

    /// Finds that were kept before are known, and count.
    pub fn remember(&mut self, id: &str, likeness: Option<Likeness>) {
        self.ids.insert(id.to_owned());
        self.found.extend(likeness.filter(|_| self.are_compared));
        self.kept += 1;
    }

    /// Finds are not printed.
    pub fn silenced(self) -> Self {
        Finds { is_printing: false, ..self }
    }

    /// Keeps an only defence.
    pub fn keep_defence(
        &mut self,
        found: &OnlyDefence,
        origin: &Origin,
        out: &mut dyn Write,
    ) -> Result<Fate, Failure> {
        self.put(defence_text(found, origin, self.options), out)
    }

    /// Prints or writes the text of a find, unless a file of that name exists.
    fn put(
        &mut self,
        written: Result<(String, String), FixError>,
        out: &mut dyn Write,
    ) -> Result<Fate, Failure> {
        let (id, text) = match written {
            Ok(written) => written,
            Err(FixError::Undecided(_)) => return Ok(Fate::Open),
            Err(why) => {
                say(&format!("note: a find is left out: {why}"));
                return Ok(Fate::Unfit);
            }
        };
        let is_new = self.ids.insert(id.clone());
        if self.are_compared && !is_new {
            self.alike += 1;
            return Ok(Fate::Alike);
        }
        match &self.keeping.write {
            Some(folder) => {
                let path = write_file(folder, &id, &text)?;
                if path.is_none() && self.are_compared {
                    self.alike += 1;
                    return Ok(Fate::Alike);
                }
                if let Some(path) = path.filter(|_| self.is_printing) {
                    writeln!(out, "{}", shown(&path))?;
                }
            }
            None if self.is_printing => {
                if self.kept > 0 {
                    writeln!(out, "---")?;
                }
                write!(out, "{text}")?;
            }
            None => {}
        }
        out.flush()?;
        self.kept += 1;
        Ok(Fate::Kept(id, text))
    }

    /// Removes a find that was kept, and its file.
    pub fn forget(&mut self, id: &str) -> Result<(), Failure> {
        if let Some(path) = self.file(id) {
            std::fs::remove_file(&path)
                .map_err(|error| Failure::new(format_args!("cannot remove {}: {error}", shown(&path))))?;
        }
        self.ids.remove(id);
        self.kept -= 1;
        Ok(())
    }

    /// The file of a find, if finds are written.
    pub fn file(&self, id: &str) -> Option<PathBuf> {
        self.keeping.write.as_deref().map(|folder| file_in(folder, id))
    }

    /// The number of finds that were kept.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// The numbers of finds kept and left out, in words.
    pub fn summary(&self) -> String {
        format!("{} found{}", counted(self.kept, "puzzle"), self.left_out())
    }

    /// The number of finds left out, in words after a number; empty if there are none.
    pub fn left_out(&self) -> String {
        match self.alike {
            0 => String::new(),
            alike => format!(", {alike} left out that are like others"),
        }
    }
}

/// The file of a find in a folder.
fn file_in(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.yaml"))
}

/// Writes the file of a find, and returns its path. `None` if there is a file of this name.
pub fn write_file(folder: &Path, id: &str, text: &str) -> Result<Option<PathBuf>, Failure> {
    let path = file_in(folder, id);
    if path.exists() {
        return Ok(None);
    }
    std::fs::create_dir_all(folder)
        .and_then(|()| files::create_within(folder, &path, text))
        .map_err(|error| files::cannot_write(&path, &error))?;
    Ok(Some(path))
}

/// A puzzle that claims a mate, a helpmate or a selfmate.
pub struct Known {
    pub document: Document,
    /// Its likeness, or the reason why it is unknown.
    pub likeness: Result<Likeness, Undecided>,
}

/// The likenesses of the puzzles in these files and folders that claim a mate, a helpmate or a selfmate, and the number of files that
/// were not read before the time was over. The options limit the search for each puzzle.
pub fn likenesses(paths: &[PathBuf], options: Options<'_>) -> Result<(Vec<Known>, usize), Failure> {
    let (mut known, files) = (Vec::new(), verify::files(paths)?);
    let bar = terminal::progress(files.len(), "files compared");
    for (index, path) in files.iter().enumerate() {
        if is_stopped(options) {
            return Ok((known, files.len() - index));
        }
        bar.set_position(index as u64);
        for document in verify::load_file(path)? {
            if let Some(likeness) = likeness_of(&document, options).transpose() {
                known.push(Known { document, likeness });
            }
        }
    }
    Ok((known, 0))
}

/// Whether two documents are the same or twins: read from the same part of the same file.
pub fn are_twins(one: &Document, other: &Document) -> bool {
    let real = |document: &Document| {
        let path = PathBuf::from(&document.file.path);
        std::fs::canonicalize(&path).unwrap_or(path)
    };
    one.range == other.range && real(one) == real(other)
}

/// The likeness of a puzzle. `None` if it claims no mate, helpmate or selfmate, or a false one.
pub fn likeness_of(document: &Document, options: Options<'_>) -> Result<Option<Likeness>, Undecided> {
    solved(document, options, |position, solution, _| Likeness::of_solution(position, solution))
}

/// The merit of a puzzle. `None` if it claims no mate, helpmate or selfmate, or a false one.
pub fn merit_of(document: &Document, options: Options<'_>) -> Result<Option<Merit>, Undecided> {
    solved(document, options, |position, solution, prover| Merit::of_solution(solution, position, prover))
}

/// Answers a question about the solution of a puzzle. `None` if it claims no mate, helpmate or selfmate, or a false one.
fn solved<T>(
    document: &Document,
    options: Options<'_>,
    ask: impl FnOnce(&Position, &Solution, &mut Prover<'_>) -> T,
) -> Result<Option<T>, Undecided> {
    let Ok(puzzle) = &document.puzzle else { return Ok(None) };
    if is_stopped(options) {
        return Err(Undecided { steps: 0, because: Because::Stopped });
    }
    let Ok(game) = document.game() else { return Ok(None) };
    let (position, budget) = (game.end(), Budget::default());
    let budget = Budget {
        steps: options.max_steps.unwrap_or(budget.steps),
        memory: options.memory,
        evidence: options.evidence,
    };
    let mut prover = Prover::new(budget).stopping_on(options.stop);
    let solution = Solution::of(&position, &puzzle.goal.value, &mut prover)?;
    Ok(solution.map(|solution| ask(&position, &solution, &mut prover)))
}

fn is_stopped(options: Options<'_>) -> bool {
    Limit::NONE.stopping_on(options.stop).is_stopped()
}

/// Does numbered pieces of work, from 0, on several threads, and passes the results to `take` in their order
/// until it has had enough.
pub fn in_order<T: Send>(
    threads: usize,
    count: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (send, receive) = sync_channel(threads * 4);
        for _ in 0..threads {
            let (send, next, work) = (send.clone(), &next, &work);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count || send.send((index, work(index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut shown = 0;
        let mut taken = Ok(true);
        while let (Ok(true), Ok((index, result))) = (&taken, receive.recv()) {
            waiting.insert(index, result);
            while let (Ok(true), Some(result)) = (&taken, waiting.remove(&shown)) {
                taken = take(shown, result);
                shown += 1;
            }
        }
        // Nobody waits for the results of the threads that still work.
        stop.store(true, Ordering::Relaxed);
        drop(receive);
        taken.map(|_| ())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_until_there_are_enough() {
        for threads in [1, 3] {
            let mut seen = Vec::new();
            let stop = AtomicBool::new(false);
            let take = |index: usize, square: usize| {
                seen.push((index, square));
                Ok(index < 20)
            };
            in_order(threads, 1_000, &stop, |index| index * index, take).unwrap();
            assert_eq!(seen, (0..=20).map(|index| (index, index * index)).collect::<Vec<_>>());
        }
    }
}
