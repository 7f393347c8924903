//! `worldlines verify`: verifies puzzles.

mod cases;
pub mod engine;
mod fix;
mod report;
mod watch;

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use walkdir::{DirEntry, WalkDir};

use super::bug;
use super::ci;
use super::command::Command;
use super::exit::{Exit, Failure};
use super::files::{self, STDIN, shown};
use super::input::{self, Limits, Proving, Selecting};
use super::json::{Everything, Head, VERSION};
use super::output::{Format, Shape, print_json};
use super::shipped;
use super::terminal::{self, say};
use super::time::Clock;
use worldlines::notation::printable;
use worldlines::puzzle::{
    self, Answer, CERTIFICATES, Document, Filter, Options, Report, load, refuse_repeated_ids, verify,
};
use worldlines::types::{Partition, counted};

use cases::cases;
use fix::{Fix, fix_all};
pub use report::{Json, SCHEMA};
use report::{Run, Summary, json};

/// Verify puzzles: replay every line, prove every claim, and report each fault with its place
///
/// Reads YAML files, and every `*.yaml` and `*.yml` of a folder and its subfolders; hidden ones are skipped.
/// Each puzzle is checked in up to 13 steps; `spec/puzzle-files.md` lists them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines verify
  worldlines verify puzzles/rook/rook-tactics-4.yaml
  worldlines verify --filter rook,-promotion --jobs 4
  worldlines verify --quick --format json puzzles > report.json
  worldlines verify --fix my-puzzle.yaml
  worldlines verify --fix --tables my-puzzle.yaml
  worldlines verify --fix --dry-run my-puzzle.yaml
  worldlines verify --watch my-puzzle.yaml
  worldlines verify --partition hash:1/4 --format json > part-1.json
  worldlines verify --engine '5dchess mcts' --whole-actions --negatives

A filter is a list of terms between commas: `text` selects puzzles whose collection/id contains the text, `-text` leaves
them out, `=id` selects the puzzle with exactly this id.

Exit codes: 0 every claim is true, 1 a claim is false or a puzzle cannot be read, 2 a path is missing, 3 a budget was spent before all
was decided, 4 no puzzle was selected.")]
pub struct Arguments {
    /// Files and folders; `-` reads standard input [default: the folder `puzzles`, or else the puzzles that are part of the
    /// program]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selecting: Selecting,
    /// Verify N puzzles at once, at most four for each processor [default: one for each]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    proving: Proving,
    /// Also ask the naive rules, which try everything, if a puzzle is small enough
    #[arg(long, conflicts_with = "quick")]
    paranoid: bool,
    /// Check what needs no search: lines, tables, and what the certificates beside the puzzles show
    #[arg(long)]
    quick: bool,
    /// First fill and repair solutions and tables in the files, and certificates beside them
    #[arg(long, conflicts_with = "quick")]
    fix: bool,
    /// With --fix: change nothing and verify nothing; print what would change, certificates left out, and end with exit code 1 if anything
    /// would
    #[arg(long, requires = "fix", conflicts_with_all = ["certify", "watch"])]
    dry_run: bool,
    /// With --fix: also add a reply to every wrong action of a mate, at every turn, and list the duals
    #[arg(long, requires = "fix")]
    tables: bool,
    /// With --fix: also write set play: the answers to the opponent's actions if the opponent were to move
    #[arg(long, requires = "fix")]
    set_play: bool,
    /// First write a certificate of every claim of a mate, or of no mate, that has none, or one that is not accepted or leaves more to a search
    #[arg(long, conflicts_with = "quick")]
    certify: bool,
    /// Verify again whenever a file changes, until you stop the command
    #[arg(long, conflicts_with_all = ["partition", "engine"])]
    watch: bool,
    /// Count warnings as findings
    #[arg(long)]
    strict: bool,
    /// Print the answer to every step of every puzzle, not only to those that fail or are undecided
    #[arg(short, long)]
    verbose: bool,
    /// Verify only one of N parts, `hash:M/N` with M from 1 to N; `worldlines report merge` puts the JSON of
    /// all parts together
    #[arg(long, value_name = "PART", conflicts_with_all = ["fix", "certify"])]
    partition: Option<Partition>,
    /// Format of the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shape,
    #[command(flatten)]
    engine: engine::Examining,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        if !self.watch {
            return once(self, out);
        }
        loop {
            let before = watch::stamps(&self.paths);
            // A file that cannot be read now may be readable after the next change.
            if let Err(failure) = once(self, out) {
                say(&failure.shown);
            }
            writeln!(out, "watching {}; Ctrl-C ends this", counted(before.len(), "file"))?;
            out.flush()?;
            watch::wait(&self.paths, &before);
            writeln!(out)?;
        }
    }

    fn format(&self) -> Format {
        self.format.of_errors()
    }
}

fn once(arguments: &Arguments, out: &mut dyn Write) -> Result<Exit, Failure> {
    let filter = Filter::new(&arguments.selecting.filter);
    // Compliance is asked without a puzzle.
    let paths = if arguments.engine.is_compliance() { Vec::new() } else { arguments.files()? };
    let threads = input::threads(arguments.jobs);
    let is_changing = arguments.fix || arguments.certify;
    let fixes = if is_changing { fix_all(&paths, &filter, arguments, threads)? } else { Vec::new() };
    let mut documents = Vec::new();
    for path in paths {
        documents.extend(load_file(&path)?);
    }
    refuse_repeated_ids(&mut documents);
    if arguments.dry_run {
        documents.clear();
    }
    let everything = everything(&documents);
    let mut numbered: Vec<(usize, Document)> = (1..).zip(documents).collect();
    if let Some(partition) = arguments.partition {
        numbered.retain(|(_, document)| partition.contains(&document.id));
    }
    let in_part = numbered.len();
    numbered.retain(|(_, document)| filter.selects(document));
    let (numbers, documents): (Vec<usize>, Vec<Document>) = numbered.into_iter().unzip();
    if let Some(command) = arguments.engine.engine() {
        // Engines that run at the same time slow each other down.
        let jobs = arguments.jobs.map_or(1, |_| threads);
        let clock = arguments.proving.limits.time.start();
        let options = arguments.options(&clock);
        return engine::run(&arguments.engine, command, arguments.format, jobs, &documents, options, out);
    }
    let mut reports = verify_all(&documents, arguments, threads)?;
    fixes.iter().for_each(|fix| reports.iter_mut().for_each(|report| fix.leave_open(report)));
    let summary = Summary::of(&reports, in_part - documents.len());
    let would_change = fixes.iter().any(|fix| fix.diff.is_some() || fix.refused.is_some());
    let exit = match arguments.dry_run {
        true if would_change => Exit::Findings,
        true => Exit::Ok,
        false => arguments.exit(&reports),
    };
    match arguments.format {
        Shape::Text if arguments.dry_run => print_fixes(&fixes, true, out)?,
        Shape::Text => print_text(&reports, &fixes, &summary, arguments.verbose, out)?,
        Shape::Html => {
            let (cases, summary) = (cases(&reports, arguments.strict), summary.text(arguments.verbose));
            ci::html("worldlines verify", &summary, &cases, out)?;
        }
        Shape::Junit => ci::junit("worldlines verify", &cases(&reports, arguments.strict), out)?,
        Shape::Github => {
            ci::github(&cases(&reports, arguments.strict), out)?;
            writeln!(out, "{}", summary.text(arguments.verbose))?;
        }
        Shape::Json => {
            let puzzles = numbers.iter().zip(&reports).map(|(&index, report)| json(index, report));
            let head = Head::new(SCHEMA, arguments.as_json(), everything, arguments.partition, exit.code());
            print_json(out, &Json { head, fixes, puzzles: puzzles.collect(), summary })?;
        }
    }
    for report in &reports {
        if let Some(bug) = report.bug() {
            keep(report, bug);
        }
    }
    if let (Some(partition), true) = (arguments.partition, reports.is_empty()) {
        say(&format!("note: there is no puzzle in part {} of {}", partition.part(), partition.of()));
    }
    Ok(exit)
}

impl Arguments {
    /// The files to verify.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let is_shipped = self.paths.is_empty() && !Path::new(shipped::FOLDER).exists();
        if is_shipped && (self.fix || self.certify) {
            return Err(Failure::new(
                "there is no folder `puzzles` here; name the files that are to be changed",
            ));
        }
        chosen(&self.paths)
    }

    /// The exit code of the command for these reports.
    fn exit(&self, reports: &[Report<'_>]) -> Exit {
        let exits = reports.iter().map(|report| match report.answer() {
            _ if report.bug().is_some() => Exit::Bug,
            Answer::Fail => Exit::Findings,
            _ if self.strict && !report.warnings.is_empty() => Exit::Findings,
            Answer::Undecided => Exit::Undecided,
            Answer::Pass | Answer::Skipped => Exit::Ok,
        });
        // An empty part is no mistake: a hash of its id decides the part of a puzzle.
        let nothing = (reports.is_empty() && self.partition.is_none()).then_some(Exit::NothingSelected);
        Exit::worst(exits.chain(nothing))
    }

    fn as_json(&self) -> Run<'_> {
        let Arguments { selecting: Selecting { filter }, proving, quick, paranoid, strict, .. } = self;
        let Proving { budget, limits: Limits { time, memory, evidence_budget } } = proving;
        Run {
            version: VERSION,
            filter,
            budget: *budget,
            time: time.seconds(),
            memory: memory.mib(),
            evidence_budget: *evidence_budget,
            quick: *quick,
            paranoid: *paranoid,
            strict: *strict,
        }
    }

    fn options<'c>(&self, clock: &'c Clock) -> Options<'c> {
        Options { quick: self.quick, paranoid: self.paranoid, ..self.proving.options(Some(clock.stop())) }
    }
}

/// A thread pool, with no more threads than puzzles.
fn pool(threads: usize, puzzles: usize) -> Result<rayon::ThreadPool, Failure> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.min(puzzles).max(1));
    builder.build().map_err(|error| Failure::new(format_args!("cannot start threads: {error}")))
}

/// The puzzles of a file.
pub fn load_file(path: &Path) -> Result<Vec<Document>, Failure> {
    let bytes = files::read(path).map_err(|error| cannot_read(path, &error))?;
    Ok(documents(path, &bytes))
}

/// The puzzles of a file, each with its certificate.
fn documents(path: &Path, bytes: &[u8]) -> Vec<Document> {
    let mut documents = load(&files::name(path), bytes);
    for document in &mut documents {
        document.certificate = certificate(&certificate_path(path, document));
    }
    documents
}

/// The whole input, with certificates.
pub fn everything(documents: &[Document]) -> Everything {
    let texts = documents.iter().flat_map(|document| {
        let certificate = document.certificate.as_ref().map(|file| &*file.text);
        [Some(document.text()), certificate].into_iter().flatten()
    });
    Everything::of(documents.len(), texts)
}

/// The path of a puzzle's certificate. The file need not exist.
fn certificate_path(path: &Path, document: &Document) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    folder.join(CERTIFICATES).join(format!("{}.yaml", document.id))
}

/// The certificate at this path, if there is one. If it cannot be read, the report of its puzzle says so.
fn certificate(path: &Path) -> Option<Arc<puzzle::File>> {
    let name = files::name(path);
    Some(Arc::new(match files::read(path) {
        Ok(bytes) => puzzle::File::new(name, &bytes),
        // A file with this name is impossible, so there is none.
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => return None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            puzzle::File::unread(name, "unreadable", format!("the certificate cannot be read: {error}"))
        }
    }))
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format_args!("cannot read {}: {error}", shown(path)))
}

/// The puzzle files in these files and folders. Without any: those of the folder `puzzles`, or those that are
/// part of the program.
pub fn chosen(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if !paths.is_empty() {
        return files(paths);
    }
    if Path::new(shipped::FOLDER).exists() {
        return files(&[PathBuf::from(shipped::FOLDER)]);
    }
    say("note: there is no folder `puzzles` here; these are the puzzles that are part of the program");
    Ok(shipped::puzzles().map(Path::to_owned).collect())
}

/// The files at these paths, each once, sorted by name within each folder.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        let cannot = |error: io::Error| cannot_read(path, &error);
        let is_no_folder = path == Path::new(STDIN) || shipped::read(path).is_some();
        if is_no_folder || !std::fs::metadata(path).map_err(cannot)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let walk = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_passed_over(entry)) {
            let entry = entry.map_err(|error| cannot(error.into()))?;
            let is_yaml =
                entry.path().extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
            if is_yaml && entry.file_type().is_file() {
                files.push(entry.into_path());
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(std::fs::canonicalize(file).unwrap_or_else(|_| file.clone())));
    Ok(files)
}

/// Whether to skip an entry: a folder of certificates, or a hidden folder.
fn is_passed_over(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    name == CERTIFICATES || entry.file_type().is_dir() && name.as_encoded_bytes().starts_with(b".")
}

/// Writes everything about a bug that a puzzle revealed into a file.
fn keep(report: &Report<'_>, bug: &str) {
    let certificate = report.document.certificate.as_ref().map_or("none", |file| &file.text);
    bug::keep(&format!(
        "{bug}\n\n{}{}\npuzzle:\n{}\ncertificate:\n{certificate}\n",
        report.steps_text(),
        report.findings_text(),
        report.document.text(),
    ));
}

/// A guess of how long a puzzle takes: by the length of its goal, and then by what there is to read.
fn expected_effort(document: &Document) -> (u32, usize) {
    let length = document.puzzle.as_ref().ok().and_then(|puzzle| puzzle.goal.value.length());
    let certificate = document.certificate.as_ref().map_or(0, |file| file.text.len());
    (length.unwrap_or(0), document.text().len() + certificate)
}

fn verify_all<'a>(
    documents: &'a [Document],
    arguments: &Arguments,
    threads: usize,
) -> Result<Vec<Report<'a>>, Failure> {
    each(documents, threads, |document| {
        let clock = arguments.proving.limits.time.start();
        verify(document, arguments.options(&clock))
    })
}

/// Asks about each puzzle in parallel, what takes long first, so that no thread waits for one long puzzle at the end. The answers are in
/// the order of the documents.
pub fn each<'a, R: Send>(
    documents: &'a [Document],
    threads: usize,
    ask: impl Fn(&'a Document) -> R + Sync,
) -> Result<Vec<R>, Failure> {
    let bar = terminal::progress(documents.len(), "puzzles");
    let answers = pool(threads, documents.len())?.install(|| {
        let mut order: Vec<(usize, &Document)> = documents.iter().enumerate().collect();
        order.sort_by_key(|(_, document)| Reverse(expected_effort(document)));
        // A bridge hands them out one by one, in this order.
        let asked = order.into_iter().par_bridge().map(|(index, document)| {
            let answer = ask(document);
            bar.inc(1);
            (index, answer)
        });
        let mut answers: Vec<(usize, R)> = asked.collect();
        answers.sort_by_key(|(index, _)| *index);
        answers.into_iter().map(|(_, answer)| answer).collect()
    });
    Ok(answers)
}

/// Prints the changes that were made, or with --dry-run those that would be.
fn print_fixes(fixes: &[Fix], dry_run: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let done = if dry_run { "would fix" } else { "fixed" };
    for Fix { file, id, changes, open, refused, diff, .. } in fixes {
        let (id, file) = (printable(id), printable(file));
        for change in changes {
            writeln!(out, "{done} {id} ({file}): {}", printable(change))?;
        }
        for what in open {
            writeln!(out, "left open {id} ({file}): the budget is too small to {what}")?;
        }
        if let Some(why) = refused {
            writeln!(out, "not fixed {id} ({file}): {}", printable(why))?;
        }
        if let Some(diff) = diff {
            write!(out, "{diff}")?;
        }
    }
    if !fixes.is_empty() {
        writeln!(out)?;
    } else if dry_run {
        writeln!(out, "nothing to fix")?;
    }
    Ok(())
}

fn print_text(
    reports: &[Report<'_>],
    fixes: &[Fix],
    summary: &Summary,
    verbose: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    print_fixes(fixes, false, out)?;
    for report in reports {
        if verbose {
            writeln!(out, "{}", terminal::report(&report.steps_text()))?;
        } else if report.answer() != Answer::Pass {
            writeln!(out, "{}", terminal::report(&report.open_steps_text()))?;
        }
    }
    for report in reports {
        let findings = report.findings_text();
        if !findings.is_empty() {
            writeln!(out, "{}", terminal::report(&findings))?;
        }
    }
    writeln!(out, "{}", summary.text(verbose))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{files, pool};

    #[test]
    fn hidden_folders_are_not_walked() {
        let folder = tempfile::tempdir().unwrap();
        let hidden = folder.path().join(".github");
        std::fs::create_dir(&hidden).unwrap();
        std::fs::write(hidden.join("puzzles.yml"), "name: Puzzles\n").unwrap();
        std::fs::write(folder.path().join("a.yaml"), "").unwrap();
        let found =
            |path: &std::path::Path| files(&[path.to_owned()]).map_err(|failure| failure.shown).unwrap();
        assert_eq!(found(folder.path()), [folder.path().join("a.yaml")]);
        assert_eq!(found(&hidden), [hidden.join("puzzles.yml")], "who names it means it");
    }

    #[test]
    fn there_are_no_more_threads_than_puzzles() {
        for (threads, puzzles, expected) in [(8, 3, 3), (2, 3, 2), (2, 0, 1)] {
            assert_eq!(pool(threads, puzzles).unwrap().current_num_threads(), expected);
        }
    }
}
