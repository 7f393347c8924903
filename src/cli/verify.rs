//! `worldlines verify`

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use walkdir::WalkDir;

use super::exit::{Exit, Failure};
use super::input::Memory;
use super::time::{Clock, Time};
use super::{Format, print_json};
use worldlines::puzzle::{
    self, Answer, CERTIFICATES, Document, Filter, Finding, Fixed, MAX_FILE_BYTES, Options, Report, certify,
    fix, load, refuse_repeated_ids, verify,
};

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

A filter is a list of terms between commas: `text` selects puzzles whose collection/id contains the text, `-text` leaves
them out, `=id` selects the puzzle with exactly this id.")]
pub struct Arguments {
    /// Files and folders; `-` reads standard input
    #[arg(value_name = "PATH", default_value = "puzzles")]
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
    /// How many puzzles to verify at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// The most nodes that the proofs of one puzzle may cost, whatever its file says
    #[arg(long, value_name = "NODES")]
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
    /// How to print the report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    let filter = Filter::new(&arguments.filter);
    let paths = files(&arguments.paths)?;
    let mut fixes = Vec::new();
    for path in paths.iter().filter(|_| arguments.fix || arguments.certify) {
        if path == Path::new("-") {
            return Err(Failure::usage("standard input cannot be fixed; name a file"));
        }
        if arguments.fix {
            fixes.extend(fix_file(path, &filter, arguments)?);
        }
        fixes.extend(certify_file(path, &filter, arguments)?);
    }
    let mut documents = Vec::new();
    for path in paths {
        documents.extend(load_file(&path)?);
    }
    refuse_repeated_ids(&mut documents);
    let loaded = documents.len();
    documents.retain(|document| filter.selects(document));

    let reports = verify_all(&documents, arguments)?;
    let summary = Summary::of(&reports, loaded - documents.len());
    match arguments.format {
        Format::Text => print_text(&reports, &fixes, &summary, out)?,
        Format::Json => print_json(out, &json(&reports, fixes, summary))?,
    }
    let exits = reports.iter().map(|report| match report.answer() {
        _ if report.bug().is_some() => Exit::Bug,
        Answer::Fail => Exit::Findings,
        _ if arguments.strict && !report.warnings.is_empty() => Exit::Findings,
        Answer::Undecided => Exit::Undecided,
        Answer::Pass | Answer::Skipped => Exit::Ok,
    });
    let nothing = reports.is_empty().then_some(Exit::NothingSelected);
    Ok(Exit::worst(exits.chain(nothing)))
}

impl Arguments {
    fn options<'c>(&self, clock: &'c Clock) -> Options<'c> {
        Options {
            quick: self.quick,
            max_nodes: self.budget,
            memory: self.memory.bytes(),
            paranoid: self.paranoid,
            stop: clock.stop(),
        }
    }
}

fn load_file(path: &Path) -> Result<Vec<Document>, Failure> {
    let name = shown(path);
    let bytes = read(path).map_err(|error| Failure::usage(format_args!("cannot read {name}: {error}")))?;
    let mut documents = load(&name, &bytes);
    for document in &mut documents {
        let path = document.certificate_path();
        match std::fs::read_to_string(&path) {
            Ok(text) => document.certificate = Some(Arc::new(puzzle::File { path, text })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::usage(format_args!("cannot read {path}: {error}"))),
        }
    }
    Ok(documents)
}

/// What was changed in a puzzle, or why it cannot be.
#[derive(Serialize)]
struct Fix {
    file: String,
    id: String,
    changes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

impl Fix {
    fn new(document: &Document, changes: Vec<String>, refused: Option<String>) -> Fix {
        Fix { file: document.file.path.clone(), id: document.id.clone(), changes, refused }
    }
}

/// Fixes the selected puzzles of a file. It is written only if something changes.
fn fix_file(path: &Path, filter: &Filter, arguments: &Arguments) -> Result<Vec<Fix>, Failure> {
    let documents = load_file(path)?;
    let selected = |document: &&Document| filter.selects(document);
    let fixed = |document| {
        let clock = arguments.time.start();
        (document, fix(document, arguments.options(&clock)))
    };
    let fixed: Vec<(&Document, Result<Option<Fixed>, String>)> =
        documents.par_iter().filter(selected).map(fixed).collect();
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
            Err(why) => fixes.push(Fix::new(document, Vec::new(), Some(why))),
        }
    }
    fixes.reverse();
    if changed {
        replace_file(path, &text)?;
    }
    Ok(fixes)
}

/// Writes certificates of the selected puzzles of a file: in place of those that are not accepted, and if that is asked for
/// also where there are none.
fn certify_file(path: &Path, filter: &Filter, arguments: &Arguments) -> Result<Vec<Fix>, Failure> {
    let mut fixes = Vec::new();
    for document in load_file(path)?.iter().filter(|document| filter.selects(document)) {
        if document.certificate.is_none() && !arguments.certify {
            continue;
        }
        let clock = arguments.time.start();
        match certify(document, arguments.options(&clock)) {
            Ok(None) => {}
            Ok(Some(text)) => {
                let certificate = PathBuf::from(document.certificate_path());
                if let Some(folder) = certificate.parent() {
                    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
                }
                replace_file(&certificate, &text)?;
                fixes.push(Fix::new(document, vec![format!("certificate: {}", shown(&certificate))], None));
            }
            Err(why) => fixes.push(Fix::new(document, Vec::new(), Some(format!("certificate: {why}")))),
        }
    }
    Ok(fixes)
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::usage(format_args!("cannot write {}: {error}", shown(path)))
}

/// Replaces or creates a file at once: whoever reads it, even after an interruption, finds the old text or the new one.
fn replace_file(path: &Path, text: &str) -> Result<(), Failure> {
    let write = || -> io::Result<()> {
        // A link is followed, so that what it points to is replaced and not the link.
        let path = if path.exists() { std::fs::canonicalize(path)? } else { path.to_owned() };
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        // Temporary files are private by default.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.prefix(".worldlines-").tempfile_in(folder)?;
        if let Ok(old) = std::fs::metadata(&path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    };
    write().map_err(|error| cannot_write(path, &error))
}

/// The files of these paths, each once, in the order of their names within each folder.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        let cannot = |error: io::Error| Failure::usage(format_args!("cannot read {}: {error}", shown(path)));
        if path == Path::new("-") || !std::fs::metadata(path).map_err(cannot)?.is_dir() {
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

/// A path as reports show it, the same on every system.
fn shown(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(windows) { path.replace('\\', "/") } else { path }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let source: Box<dyn Read> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    // One byte more than is allowed shows that there are too many.
    source.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Verifies in parallel; the reports come in the order of the documents.
fn verify_all<'a>(documents: &'a [Document], arguments: &Arguments) -> Result<Vec<Report<'a>>, Failure> {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} puzzles  {elapsed}");
    let bar = ProgressBar::with_draw_target(Some(documents.len() as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let threads = arguments.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::usage(format_args!("cannot start threads: {error}")))?;
    let reports = pool.install(|| {
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

#[derive(Serialize)]
struct Summary {
    puzzles: usize,
    pass: usize,
    fail: usize,
    undecided: usize,
    /// Warnings about start positions.
    warnings: usize,
    /// Puzzles that the filter left out.
    filtered: usize,
    /// How often each answer was given to a single question.
    steps: Steps,
}

#[derive(Serialize, Default)]
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
}

fn print_text(
    reports: &[Report<'_>],
    fixes: &[Fix],
    summary: &Summary,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for Fix { file, id, changes, refused } in fixes {
        for change in changes {
            writeln!(out, "fixed {id} ({file}): {change}")?;
        }
        if let Some(why) = refused {
            writeln!(out, "not fixed {id} ({file}): {why}")?;
        }
    }
    if !fixes.is_empty() {
        writeln!(out)?;
    }
    for report in reports {
        writeln!(out, "{}", report.steps_text())?;
    }
    for report in reports {
        let findings = report.findings_text();
        if !findings.is_empty() {
            writeln!(out, "{findings}")?;
        }
    }
    let Summary { puzzles, pass, fail, undecided, warnings, filtered, steps } = summary;
    let plural = if *puzzles == 1 { "" } else { "s" };
    write!(out, "{puzzles} puzzle{plural}: {pass} pass, {fail} fail, {undecided} undecided")?;
    if *warnings > 0 {
        write!(out, ", {warnings} warning{}", if *warnings == 1 { "" } else { "s" })?;
    }
    if *filtered > 0 {
        write!(out, " ({filtered} filtered out)")?;
    }
    let Steps { pass, fail, undecided, skipped } = steps;
    writeln!(out, "; steps: {pass} pass, {fail} fail, {undecided} undecided, {skipped} skipped")?;
    Ok(())
}

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    /// What `--fix` changed, and what it could not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
    puzzles: Vec<JsonPuzzle<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct JsonPuzzle<'a> {
    id: &'a str,
    file: &'a str,
    answer: &'static str,
    steps: Vec<JsonStep<'a>>,
    findings: Vec<JsonFinding<'a>>,
    /// What looks wrong with the start, although every claim may be true.
    warnings: Vec<JsonFinding<'a>>,
    /// The rules in force and what pawns may become, unless there is no legal start.
    profile: Option<String>,
    promotions: Option<String>,
    nodes: u64,
    rerun: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    crash: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    step: &'static str,
    answer: &'static str,
    note: &'a str,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    code: &'static str,
    message: &'a str,
    file: &'a str,
    line: usize,
    column: usize,
    notes: &'a [String],
    boards: Option<&'a str>,
}

fn json<'a>(reports: &'a [Report<'a>], fixes: Vec<Fix>, summary: Summary) -> Json<'a> {
    let puzzles = reports.iter().map(|report| JsonPuzzle {
        id: &report.document.id,
        file: &report.document.file.path,
        answer: report.answer().name(),
        steps: report
            .steps
            .iter()
            .map(|(step, answer, note)| JsonStep { step: step.name(), answer: answer.name(), note })
            .collect(),
        findings: report.findings.iter().map(|finding| json_finding(report, finding)).collect(),
        warnings: report.warnings.iter().map(|warning| json_finding(report, warning)).collect(),
        profile: report.profile.map(|profile| profile.name()),
        promotions: report.profile.map(|profile| profile.promotions.to_string()),
        nodes: report.nodes,
        rerun: report.rerun(),
        crash: report.crash.as_deref(),
    });
    Json { schema: "worldlines/verify-1", fixes, puzzles: puzzles.collect(), summary }
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
