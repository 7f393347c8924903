//! `worldlines verify`

pub mod engine;
mod github;
mod junit;

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use walkdir::WalkDir;

use super::exit::{Exit, Failure};
use super::files::{self, Held, STDIN, shown};
use super::input::Memory;
use super::json::{Everything, Part};
use super::output::{Format, print_json};
use super::shipped;
use super::terminal::{self, say};
use super::time::{Clock, Time};
use worldlines::notation::printable;
use worldlines::puzzle::{
    self, Answer, CERTIFICATES, Document, Filter, Finding, FixError, Fixed, Options, Report, certify, fix,
    load, refuse_repeated_ids, verify,
};
use worldlines::types::Partition;

/// Verify puzzles: replay every line, prove every claim, and say what is wrong and where
///
/// Reads YAML files, and every `*.yaml` of a folder and the folders in it. Each puzzle is asked ten questions; see
/// puzzles/README.md.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  worldlines verify
  worldlines verify puzzles/rook/rook-tactics-4.yaml
  worldlines verify --filter rook,-promotion --jobs 4
  worldlines verify --quick --format json puzzles > report.json
  worldlines verify --fix my-puzzle.yaml
  worldlines verify --partition hash:1/4 --format json > part-1.json
  worldlines verify --engine '5dchess mcts' --whole-actions --negatives

A filter is a list of terms between commas: `text` selects puzzles whose collection/id contains the text, `-text` leaves
them out, `=id` selects the puzzle with exactly this id.")]
pub struct Arguments {
    /// Files and folders; `-` reads standard input [default: the folder `puzzles`, or else the puzzles that are part of the
    /// program]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Which puzzles
    #[arg(
        long,
        value_name = "TERMS",
        default_value = "",
        allow_hyphen_values = true,
        hide_default_value = true
    )]
    filter: String,
    /// How many puzzles to verify at once, at most four for each processor [default: one for each]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// The most search steps that the proofs of one puzzle may take, whatever its file says
    #[arg(long, value_name = "STEPS")]
    budget: Option<u64>,
    #[command(flatten)]
    time: Time,
    #[command(flatten)]
    memory: Memory,
    /// Ask the naive rules too, which try everything, where a puzzle is small enough
    #[arg(long, conflicts_with = "quick")]
    paranoid: bool,
    /// Check lines and tables only, without a search
    #[arg(long)]
    quick: bool,
    /// First fill and repair solutions and tables in the files, and certificates beside them
    #[arg(long, conflicts_with = "quick")]
    fix: bool,
    /// First write the certificate of every mate that has none, or one that is not accepted
    #[arg(long, conflicts_with = "quick")]
    certify: bool,
    /// Let warnings count as findings
    #[arg(long)]
    strict: bool,
    /// Print the answer to every step of every puzzle, not only what fails or stays undecided
    #[arg(short, long)]
    verbose: bool,
    /// Verify one of N parts only, `hash:M/N` with M from 1 to N; `worldlines report merge` puts the JSON of all parts together
    #[arg(long, value_name = "PART", conflicts_with_all = ["fix", "certify"])]
    partition: Option<Partition>,
    /// How to print the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Shape,
    #[command(flatten)]
    engine: engine::Examining,
}

/// How a report is printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// For people
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
    /// XML for CI servers: a test case for each puzzle
    Junit,
    /// Annotations of GitHub workflows: a line for each finding and warning
    Github,
    /// A page, of an engine
    Html,
}

/// The most threads for each processor: more only take turns.
const MAX_JOBS: usize = 4;

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let filter = Filter::new(&arguments.filter);
    let paths = arguments.files()?;
    let threads = arguments.threads();
    let mut fixes = Vec::new();
    for path in paths.iter().filter(|_| arguments.fix || arguments.certify) {
        if path == Path::new(STDIN) {
            return Err(Failure::new("standard input cannot be fixed; name a file"));
        }
        if arguments.fix {
            fixes.extend(fix_file(path, &filter, arguments, threads)?);
        }
        fixes.extend(certify_file(path, &filter, arguments)?);
    }
    let mut documents = Vec::new();
    for path in paths {
        documents.extend(load_file(&path)?);
    }
    refuse_repeated_ids(&mut documents);
    let everything = everything(&documents);
    let mut numbered: Vec<(usize, Document)> = (1..).zip(documents).collect();
    if let Some(partition) = arguments.partition {
        numbered.retain(|(_, document)| partition.contains(&document.id));
    }
    let in_part = numbered.len();
    numbered.retain(|(_, document)| filter.selects(document));
    let (numbers, documents): (Vec<usize>, Vec<Document>) = numbered.into_iter().unzip();
    if let Some(command) = arguments.engine.engine() {
        // Engines that run at once take time from each other.
        let jobs = arguments.jobs.map_or(1, |_| threads);
        let clock = arguments.time.start();
        let options = arguments.options(&clock);
        return engine::run(&arguments.engine, command, arguments.format, jobs, &documents, options, out);
    }
    if arguments.format == Shape::Html {
        return Err(Failure::new("--format html needs --engine"));
    }

    let reports = verify_all(&documents, arguments, threads)?;
    let summary = Summary::of(&reports, in_part - documents.len());
    let exit = arguments.exit(&reports);
    match arguments.format {
        Shape::Text | Shape::Html => print_text(&reports, &fixes, &summary, arguments.verbose, out)?,
        Shape::Junit => junit::print(&reports, arguments.strict, out)?,
        Shape::Github => {
            github::print(&reports, arguments.strict, out)?;
            writeln!(out, "{}", summary.text(arguments.verbose))?;
        }
        Shape::Json => {
            let puzzles = numbers.iter().zip(&reports).map(|(&index, report)| json(index, report));
            let report = Json {
                schema: SCHEMA,
                run: arguments.as_json(),
                input: everything,
                partition: arguments.partition.map(Part::from),
                exit_code: exit.code().into(),
                fixes,
                puzzles: puzzles.collect(),
                summary,
            };
            print_json(out, &report)?;
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
    /// The files that are asked about.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        if !self.paths.is_empty() {
            return files(&self.paths);
        }
        if Path::new(shipped::FOLDER).exists() {
            return files(&[PathBuf::from(shipped::FOLDER)]);
        }
        if self.fix || self.certify {
            return Err(Failure::new(
                "there is no folder `puzzles` here; name the files that are to be changed",
            ));
        }
        say("note: there is no folder `puzzles` here; these are the puzzles that are part of the program");
        Ok(shipped::puzzles().map(Path::to_owned).collect())
    }

    /// How the answers to errors are printed.
    pub fn format(&self) -> Format {
        if self.format == Shape::Json { Format::Json } else { Format::Text }
    }

    /// How the command ends with these reports.
    fn exit(&self, reports: &[Report<'_>]) -> Exit {
        let exits = reports.iter().map(|report| match report.answer() {
            _ if report.bug().is_some() => Exit::Bug,
            Answer::Fail => Exit::Findings,
            _ if self.strict && !report.warnings.is_empty() => Exit::Findings,
            Answer::Undecided => Exit::Undecided,
            Answer::Pass | Answer::Skipped => Exit::Ok,
        });
        // That a part is empty is no mistake: where a puzzle belongs is decided by its name.
        let nothing = (reports.is_empty() && self.partition.is_none()).then_some(Exit::NothingSelected);
        Exit::worst(exits.chain(nothing))
    }

    fn as_json(&self) -> Run<'_> {
        let Arguments { filter, budget, time, memory, quick, paranoid, strict, .. } = self;
        Run {
            version: env!("CARGO_PKG_VERSION"),
            filter,
            budget: *budget,
            time: time.seconds(),
            memory: memory.mib(),
            quick: *quick,
            paranoid: *paranoid,
            strict: *strict,
        }
    }

    fn options<'c>(&self, clock: &'c Clock) -> Options<'c> {
        Options {
            quick: self.quick,
            max_steps: self.budget,
            memory: self.memory.bytes(),
            paranoid: self.paranoid,
            stop: clock.stop(),
        }
    }

    /// How many threads may work, and a word about it when that is not what was asked for.
    fn threads(&self) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let most = MAX_JOBS * processors;
        let jobs = self.jobs.map_or(processors, usize::from);
        if jobs > most {
            say(&format!("note: --jobs {jobs} is too many for this machine; {most} are used"));
        }
        jobs.min(most)
    }
}

/// Threads for so many puzzles, and no more.
fn pool(threads: usize, puzzles: usize) -> Result<rayon::ThreadPool, Failure> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.min(puzzles).max(1));
    builder.build().map_err(|error| Failure::new(format_args!("cannot start threads: {error}")))
}

fn load_file(path: &Path) -> Result<Vec<Document>, Failure> {
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

/// What was read, certificates too.
fn everything(documents: &[Document]) -> Everything {
    let texts = documents.iter().flat_map(|document| {
        let certificate = document.certificate.as_ref().map(|file| &*file.text);
        [Some(document.text()), certificate].into_iter().flatten()
    });
    Everything::of(documents.len(), texts)
}

/// Where the file of a puzzle's certificate stands, if there is one.
fn certificate_path(path: &Path, document: &Document) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    folder.join(CERTIFICATES).join(format!("{}.yaml", document.id))
}

/// A certificate, if there is one. If it cannot be read, the report of its puzzle says so.
fn certificate(path: &Path) -> Option<Arc<puzzle::File>> {
    let name = files::name(path);
    Some(Arc::new(match files::read(path) {
        Ok(bytes) => puzzle::File::new(name, &bytes),
        // No file can have this name, so there is none.
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => return None,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            puzzle::File::unread(name, "unreadable", format!("the certificate cannot be read: {error}"))
        }
    }))
}

/// What was changed in a puzzle, or why it cannot be.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Fix {
    file: String,
    id: String,
    /// What was changed.
    changes: Vec<String>,
    /// Why nothing could be.
    refused: Option<String>,
}

impl Fix {
    fn new(document: &Document, changes: Vec<String>, refused: Option<String>) -> Fix {
        Fix { file: document.file.path.clone(), id: document.id.clone(), changes, refused }
    }
}

/// Fixes the selected puzzles of a file. It is written only if something changes, and no other run changes it
/// meanwhile.
fn fix_file(
    path: &Path,
    filter: &Filter,
    arguments: &Arguments,
    threads: usize,
) -> Result<Vec<Fix>, Failure> {
    let held = Held::of(path).map_err(|error| cannot_change(path, &error))?;
    let documents = documents(path, held.loaded().unwrap_or_default());
    let selected = |document: &&Document| filter.selects(document);
    let fixed = |document| {
        let clock = arguments.time.start();
        (document, fix(document, arguments.options(&clock)))
    };
    let fixed: Vec<(&Document, Result<Option<Fixed>, FixError>)> = pool(threads, documents.len())?
        .install(|| documents.par_iter().filter(selected).map(fixed).collect());
    let mut text = documents.first().map(|document| document.file.text.clone()).unwrap_or_default();
    let mut changed = false;
    let mut fixes = Vec::new();
    // From the end, so that the places of earlier puzzles stay as they are.
    for (document, fixed) in fixed.into_iter().rev() {
        match fixed {
            Ok(None) => {}
            Ok(Some(Fixed { text: new, changes })) => {
                text.replace_range(document.range.clone(), &new);
                changed = true;
                fixes.push(Fix::new(document, changes, None));
            }
            Err(why) => fixes.push(Fix::new(document, Vec::new(), Some(why.to_string()))),
        }
    }
    fixes.reverse();
    if changed {
        held.replace(&text).map_err(|error| cannot_change(path, &error))?;
    }
    Ok(fixes)
}

/// Writes certificates of the selected puzzles of a file: in place of those that are not accepted, and if that is asked for
/// also where there are none.
fn certify_file(path: &Path, filter: &Filter, arguments: &Arguments) -> Result<Vec<Fix>, Failure> {
    let mut fixes = Vec::new();
    for mut document in load_file(path)?.into_iter().filter(|document| filter.selects(document)) {
        if document.certificate.is_none() && !arguments.certify {
            continue;
        }
        let certificate = certificate_path(path, &document);
        let written = write_certificate(&certificate, &mut document, arguments);
        match written.map_err(|error| cannot_change(&certificate, &error))? {
            Ok(false) => {}
            Ok(true) => {
                let change = format!("certificate: {}", files::name(&certificate));
                fixes.push(Fix::new(&document, vec![change], None));
            }
            Err(why) => fixes.push(Fix::new(&document, Vec::new(), Some(format!("certificate: {why}")))),
        }
    }
    Ok(fixes)
}

/// Writes a certificate if one is missing or wrong. Returns whether it did, or why it cannot.
fn write_certificate(
    path: &Path,
    document: &mut Document,
    arguments: &Arguments,
) -> io::Result<Result<bool, String>> {
    let held = match &document.certificate {
        None => None,
        Some(_) => {
            let held = Held::of(path)?;
            // What it holds now that no other run changes it.
            let file = held.loaded().map(|bytes| puzzle::File::new(files::name(path), bytes));
            document.certificate = file.map(Arc::new);
            Some(held)
        }
    };
    let clock = arguments.time.start();
    match (certify(document, arguments.options(&clock)), held) {
        (Err(why), _) => return Ok(Err(why.to_string())),
        (Ok(None), _) => return Ok(Ok(false)),
        (Ok(Some(text)), Some(held)) => held.replace(&text)?,
        (Ok(Some(text)), None) => files::create(path, &text)?,
    }
    Ok(Ok(true))
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format_args!("cannot read {}: {error}", shown(path)))
}

fn cannot_change(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format_args!("cannot change {}: {error}", shown(path)))
}

/// The files of these paths, each once, in the order of their names within each folder.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        let cannot = |error: io::Error| cannot_read(path, &error);
        let is_no_folder = path == Path::new(STDIN) || shipped::read(path).is_some();
        if is_no_folder || !std::fs::metadata(path).map_err(cannot)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let walk = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| entry.depth() == 0 || entry.file_name() != CERTIFICATES) {
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

/// Writes everything about a bug into a file, to be sent with a report, and says where it is.
fn keep(report: &Report<'_>, bug: &str) {
    let version = env!("CARGO_PKG_VERSION");
    let certificate = report.document.certificate.as_ref().map_or("none", |file| &file.text);
    let text = format!(
        "worldlines {version}, {}\n{bug}\n\n{}{}\npuzzle:\n{}\ncertificate:\n{certificate}\n",
        std::env::consts::OS,
        report.steps_text(),
        report.findings_text(),
        report.document.text(),
    );
    let written = || -> io::Result<PathBuf> {
        let mut file = tempfile::Builder::new().prefix("worldlines-bug-").suffix(".txt").tempfile()?;
        file.write_all(text.as_bytes())?;
        Ok(file.keep().map_err(|error| error.error)?.1)
    };
    match written() {
        Ok(path) => say(&format!("note: please report this bug with the file {}", shown(&path))),
        Err(error) => say(&format!("note: please report this bug; no file was written: {error}")),
    }
}

/// Verifies in parallel; the reports come in the order of the documents.
fn verify_all<'a>(
    documents: &'a [Document],
    arguments: &Arguments,
    threads: usize,
) -> Result<Vec<Report<'a>>, Failure> {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} puzzles  {elapsed}");
    let bar = ProgressBar::with_draw_target(Some(documents.len() as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let reports = pool(threads, documents.len())?.install(|| {
        let verified = documents.par_iter().map(|document| {
            let clock = arguments.time.start();
            let report = verify(document, arguments.options(&clock));
            bar.inc(1);
            report
        });
        verified.collect()
    });
    bar.finish_and_clear();
    Ok(reports)
}

/// How many puzzles, and how many answers of each kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    puzzles: usize,
    pass: usize,
    fail: usize,
    undecided: usize,
    /// Warnings about start positions.
    warnings: usize,
    /// Puzzles that the filter left out.
    filtered: usize,
    steps: Steps,
}

/// How often each answer was given to a single step.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Steps {
    pass: usize,
    fail: usize,
    undecided: usize,
    skipped: usize,
}

impl Summary {
    fn of(reports: &[Report<'_>], filtered: usize) -> Summary {
        let mut steps = Steps::default();
        for (_, answer, _) in reports.iter().flat_map(|report| &report.steps) {
            *match answer {
                Answer::Pass => &mut steps.pass,
                Answer::Fail => &mut steps.fail,
                Answer::Undecided => &mut steps.undecided,
                Answer::Skipped => &mut steps.skipped,
            } += 1;
        }
        let count = |wanted: Answer| reports.iter().filter(|report| report.answer() == wanted).count();
        Summary {
            puzzles: reports.len(),
            pass: count(Answer::Pass),
            fail: count(Answer::Fail),
            undecided: count(Answer::Undecided),
            warnings: reports.iter().map(|report| report.warnings.len()).sum(),
            filtered,
            steps,
        }
    }

    /// On one line, for people.
    fn text(&self, verbose: bool) -> String {
        let Summary { puzzles, pass, fail, undecided, warnings, filtered, steps } = self;
        let plural = if *puzzles == 1 { "" } else { "s" };
        let mut text = format!("{puzzles} puzzle{plural}: {pass} pass, {fail} fail, {undecided} undecided");
        if *warnings > 0 {
            text += &format!(", {warnings} warning{}", if *warnings == 1 { "" } else { "s" });
        }
        if *filtered > 0 {
            text += &format!(" ({filtered} filtered out)");
        }
        if verbose {
            let Steps { pass, fail, undecided, skipped } = steps;
            text += &format!("; steps: {pass} pass, {fail} fail, {undecided} undecided, {skipped} skipped");
        }
        text
    }
}

fn print_text(
    reports: &[Report<'_>],
    fixes: &[Fix],
    summary: &Summary,
    verbose: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for Fix { file, id, changes, refused } in fixes {
        let (id, file) = (printable(id), printable(file));
        for change in changes {
            writeln!(out, "fixed {id} ({file}): {}", printable(change))?;
        }
        if let Some(why) = refused {
            writeln!(out, "not fixed {id} ({file}): {}", printable(why))?;
        }
    }
    if !fixes.is_empty() {
        writeln!(out)?;
    }
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

pub const SCHEMA: &str = "worldlines/verify-1";

/// What is true of puzzles, and what is not.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Json<'a> {
    schema: &'static str,
    /// What was asked for.
    run: Run<'a>,
    /// The puzzles that were read, those of other parts and those that the filter leaves out too.
    input: Everything,
    /// Which part this is, of a run with `--partition`.
    partition: Option<Part>,
    /// The exit code of the command.
    exit_code: u32,
    /// What `--fix` and `--certify` changed, and what they could not.
    fixes: Vec<Fix>,
    puzzles: Vec<JsonPuzzle<'a>>,
    summary: Summary,
}

/// What has an influence on the answers, besides the puzzles.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Run<'a> {
    /// The version of worldlines.
    version: &'static str,
    /// The terms of `--filter`.
    filter: &'a str,
    /// The search steps of `--budget`.
    budget: Option<u64>,
    /// The seconds of `--time`.
    time: Option<f64>,
    /// The mebibytes of `--memory`.
    memory: u64,
    quick: bool,
    paranoid: bool,
    strict: bool,
}

/// What is true of a puzzle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct JsonPuzzle<'a> {
    /// Its number among all puzzles that were read, from 1.
    index: usize,
    id: &'a str,
    file: &'a str,
    /// The worst answer to a step.
    answer: JsonAnswer,
    steps: Vec<JsonStep<'a>>,
    /// What is wrong.
    findings: Vec<JsonFinding<'a>>,
    /// What looks wrong with the start, although every claim may be true.
    warnings: Vec<JsonFinding<'a>>,
    /// The rules in force; `null` without a legal start.
    rules: Option<String>,
    /// What pawns and brawns may become; `null` without a legal start.
    promotions: Option<String>,
    /// How many search steps the proofs took.
    search_steps: u64,
    /// The command that verifies this puzzle alone, for a shell.
    rerun: String,
    /// A bug in worldlines: the message of a panic.
    crash: Option<&'a str>,
    /// A bug in worldlines: two opinions that contradict each other.
    contradiction: Option<&'a str>,
}

/// The answer to a step.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum JsonAnswer {
    Pass,
    Fail,
    /// A search ended first.
    Undecided,
    /// The step does not concern this puzzle, or an earlier one failed.
    Skipped,
}

impl From<Answer> for JsonAnswer {
    fn from(answer: Answer) -> JsonAnswer {
        match answer {
            Answer::Pass => JsonAnswer::Pass,
            Answer::Fail => JsonAnswer::Fail,
            Answer::Undecided => JsonAnswer::Undecided,
            Answer::Skipped => JsonAnswer::Skipped,
        }
    }
}

/// A step of the verification.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct JsonStep<'a> {
    /// Its name, as `spec/puzzle-files.md` lists them.
    step: &'static str,
    answer: JsonAnswer,
    /// More about the answer, for people.
    note: &'a str,
}

/// What is wrong with a puzzle, or looks so.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct JsonFinding<'a> {
    /// A stable name for what it is.
    code: &'static str,
    /// What it is.
    message: &'a str,
    /// The file that it is about: that of the puzzle, or of its certificate.
    file: &'a str,
    /// The line of the file, from 1.
    line: usize,
    /// The character of the line, from 1.
    column: usize,
    /// What was expected, what is true, what may help.
    notes: &'a [String],
    /// A drawing of the boards that it is about.
    boards: Option<&'a str>,
}

fn json<'a>(index: usize, report: &'a Report<'a>) -> JsonPuzzle<'a> {
    JsonPuzzle {
        index,
        id: &report.document.id,
        file: &report.document.file.path,
        answer: report.answer().into(),
        steps: report
            .steps
            .iter()
            .map(|(step, answer, note)| JsonStep { step: step.name(), answer: (*answer).into(), note })
            .collect(),
        findings: report.findings.iter().map(|finding| json_finding(report, finding)).collect(),
        warnings: report.warnings.iter().map(|warning| json_finding(report, warning)).collect(),
        rules: report.profile.map(|profile| profile.to_string()),
        promotions: report.profile.map(|profile| profile.promotions.to_string()),
        search_steps: report.nodes,
        rerun: report.rerun(),
        crash: report.crash.as_deref(),
        contradiction: report.contradiction.as_deref(),
    }
}

fn json_finding<'a>(report: &'a Report<'a>, finding: &'a Finding) -> JsonFinding<'a> {
    let location = report.location(finding);
    JsonFinding {
        code: finding.code,
        message: &finding.message,
        file: &report.document.place(finding).0.path,
        line: location.line,
        column: location.column,
        notes: &finding.notes,
        boards: finding.boards.as_deref(),
    }
}

#[cfg(test)]
mod tests {
    use super::pool;

    #[test]
    fn there_are_no_more_threads_than_puzzles() {
        for (threads, puzzles, expected) in [(8, 3, 3), (2, 3, 2), (2, 0, 1)] {
            assert_eq!(pool(threads, puzzles).unwrap().current_num_threads(), expected);
        }
    }
}
