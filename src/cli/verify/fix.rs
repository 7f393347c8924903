//! `worldlines verify --fix` and `--certify`: change files before they are verified.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use super::super::exit::Failure;
use super::super::files::{self, Held, STDIN, shown};
use super::super::patch::unified;
use super::super::{shipped, terminal};
use super::{Arguments, certificate_path, documents, load_file, pool};
use worldlines::puzzle::{
    self, Answer, Document, Filter, FixError, Fixed, Goal, NO_SOLUTIONS, Report, Step, Wanted, certify,
    repair,
};

/// The changes in a puzzle, or the reason why there are none.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fix {
    pub file: String,
    pub id: String,
    /// The changes that were made, or with --dry-run would be made.
    pub changes: Vec<String>,
    /// The difference of the whole file, in the unified form, with --dry-run: on the last puzzle that changes.
    pub diff: Option<String>,
    /// The parts for which the budget did not suffice.
    pub open: Vec<String>,
    /// The reason why nothing could be changed.
    pub refused: Option<String>,
    /// Whether the spent budget is that reason.
    #[serde(skip)]
    is_spent: bool,
}

impl Fix {
    fn new(document: &Document, changes: Vec<String>, refused: Option<String>) -> Fix {
        let (file, id) = (document.file.path.clone(), document.id.clone());
        Fix { file, id, changes, diff: None, open: Vec::new(), refused, is_spent: false }
    }

    /// Makes the report undecided if the puzzle lacks only solutions that the budget did not suffice to find.
    pub fn leave_open(&self, report: &mut Report<'_>) {
        let Report { document, findings, .. } = &report;
        let is_same = document.id == self.id && document.file.path == self.file;
        let lacks_solutions =
            !findings.is_empty() && findings.iter().all(|finding| finding.code == NO_SOLUTIONS);
        if let (true, Some(why)) = (self.is_spent && is_same && lacks_solutions, &self.refused) {
            report.findings.clear();
            report.steps = vec![(Step::WellFormed, Answer::Undecided, why.clone())];
        }
    }
}

/// Changes the files as `--fix` and `--certify` demand.
pub fn fix_all(
    paths: &[PathBuf],
    filter: &Filter,
    arguments: &Arguments,
    threads: usize,
) -> Result<Vec<Fix>, Failure> {
    let (mut fixes, mut without) = (Vec::new(), 0);
    for path in paths {
        if path == Path::new(STDIN) {
            return Err(Failure::new("standard input cannot be fixed; name a file"));
        }
        if arguments.fix {
            fixes.extend(fix_file(path, filter, arguments, threads)?);
        }
        if !arguments.dry_run {
            fixes.extend(certify_file(path, filter, arguments, &mut without)?);
        }
    }
    if arguments.certify && without > 0 {
        let of = if without == 1 {
            "1 puzzle has a goal".to_owned()
        } else {
            format!("{without} puzzles have goals")
        };
        terminal::say(&format!(
            "note: {of} without certificates: only a mate, no mate, and a defence against a mate in 2 or more keep one"
        ));
    }
    Ok(fixes)
}

/// Fixes the selected puzzles of a file. The file is written only if something changes, and no other run
/// changes it meanwhile.
fn fix_file(
    path: &Path,
    filter: &Filter,
    arguments: &Arguments,
    threads: usize,
) -> Result<Vec<Fix>, Failure> {
    let held = Held::within(arguments.home(path), path).map_err(|error| cannot_change(path, &error))?;
    let documents = documents(path, held.loaded().unwrap_or_default());
    let selected = |document: &&Document| filter.selects(document);
    let bar = terminal::progress(documents.iter().filter(selected).count(), "puzzles fixed");
    bar.enable_steady_tick(Duration::from_millis(500));
    let fixed = |document| {
        let clock = arguments.proving.limits.time.start();
        let wanted =
            Wanted { tables: arguments.tables, duals: arguments.tables, set_play: arguments.set_play };
        let fixed = repair(document, arguments.options(&clock), wanted);
        bar.inc(1);
        (document, fixed)
    };
    let fixed: Vec<(&Document, Result<Option<Fixed>, FixError>)> = pool(threads, documents.len())?
        .install(|| documents.par_iter().filter(selected).map(fixed).collect());
    let mut text = documents.first().map(|document| document.file.text.clone()).unwrap_or_default();
    let mut changed = false;
    let mut fixes = Vec::new();
    // Changes are made from the end, so that the places of earlier puzzles stay valid.
    for (document, fixed) in fixed.into_iter().rev() {
        match fixed {
            Ok(None) => {}
            Ok(Some(Fixed { text: new, changes, open })) => {
                text.replace_range(document.range.clone(), &new);
                changed = true;
                let open = open.into_iter().map(str::to_owned).collect();
                fixes.push(Fix { open, ..Fix::new(document, changes, None) });
            }
            Err(why) => {
                let is_spent = matches!(why, FixError::Undecided(_));
                fixes.push(Fix { is_spent, ..Fix::new(document, Vec::new(), Some(why.to_string())) });
            }
        }
    }
    fixes.reverse();
    if let (true, Some(last)) = (arguments.dry_run, fixes.iter_mut().rfind(|fix| !fix.changes.is_empty())) {
        let before = documents.first().map_or("", |document| &document.file.text);
        last.diff = Some(unified(&last.file, before, &text));
    } else if changed {
        held.replace(&text).map_err(|error| cannot_change(path, &error))?;
    }
    Ok(fixes)
}

/// Writes certificates of the selected puzzles of a file: to replace those that are not accepted and, if
/// asked, where there are none. Counts the puzzles whose goals have none.
fn certify_file(
    path: &Path,
    filter: &Filter,
    arguments: &Arguments,
    without: &mut usize,
) -> Result<Vec<Fix>, Failure> {
    let mut fixes = Vec::new();
    for mut document in load_file(path)?.into_iter().filter(|document| filter.selects(document)) {
        let goal = document.puzzle.as_ref().map(|puzzle| &puzzle.goal.value);
        *without += usize::from(goal.is_ok_and(|goal| !has_certificate(goal)));
        if document.certificate.is_none() && !arguments.certify {
            continue;
        }
        let certificate = certificate_path(path, &document);
        let written = write_certificate(arguments.home(path), &certificate, &mut document, arguments);
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

/// Whether puzzles with this goal have a certificate. Of a defence against a mate in one everything can be checked without.
fn has_certificate(goal: &Goal) -> bool {
    match goal {
        Goal::MateIn(_) | Goal::NoMateIn(_) => true,
        Goal::Survive(count) | Goal::OnlyDefence(count) => count.value > 1,
        _ => false,
    }
}

/// Writes a certificate if it is missing or wrong. Returns whether it did, or the reason why it cannot.
fn write_certificate(
    home: &Path,
    path: &Path,
    document: &mut Document,
    arguments: &Arguments,
) -> io::Result<Result<bool, String>> {
    let held = match &document.certificate {
        None => None,
        Some(_) => {
            let held = Held::within(home, path)?;
            // The content is read again, now that no other run changes the file.
            let file = held.loaded().map(|bytes| puzzle::File::new(files::name(path), bytes));
            document.certificate = file.map(Arc::new);
            Some(held)
        }
    };
    let clock = arguments.proving.limits.time.start();
    match (certify(document, arguments.options(&clock)), held) {
        (Err(why), _) => return Ok(Err(why.to_string())),
        (Ok(None), _) => return Ok(Ok(false)),
        (Ok(Some(text)), Some(held)) => held.replace(&text)?,
        (Ok(Some(text)), None) => files::create_within(home, path, &text)?,
    }
    Ok(Ok(true))
}

impl Arguments {
    /// The folder that no change of a file may leave.
    fn home<'p>(&'p self, path: &'p Path) -> &'p Path {
        let is_usual = self.paths.is_empty() && path.starts_with(shipped::FOLDER);
        if is_usual { Path::new(shipped::FOLDER) } else { files::home(path, &self.paths) }
    }
}

fn cannot_change(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format_args!("cannot change {}: {error}", shown(path)))
}
