//! Runs the corpus: `cargo test --test corpus`. One test for each file, so that a panic fails one of them only.
//!
//! | what | where | written anew by |
//! |---|---|---|
//! | transcripts of commands; `cli/readme.trycmd` explains them | `cli/`, `README.md`, `spec/commands.md`, `spec/json.md` | `BLESS=1` |
//! | puzzles, each with the report that `verify` prints | `puzzles/` | `BLESS=1` |
//! | games in canonical 5DPGN and positions, with figures (`figures.rs`) | `games/`, `rules/` | `BLESS=1` |
//! | cases about notations (`cases.rs`), and the features of the source documents that they cover (`coverage.rs`) | `notation/` | by hand |
//! | stories of several commands | `scenarios.rs` | |
//! | commands that answer the same question | `agreement.rs` | |
//! | malicious files, and two runs at once | `hostile.rs` | |
//! | the engine, which talks to a host and plays mates out | `engine.rs` | |
//! | engines that misbehave | `misbehaving.rs` | |
//! | a larger set of games, with `WORLDLINES_REFERENCE` | `reference.rs` | |
//!
//! `.ci/bless` writes anew what can be. Read the difference before you commit it. `regressions/` is for the targets of `fuzz/`; their tests run
//! it.

mod agreement;
mod cases;
mod coverage;
mod engine;
mod figures;
mod hostile;
mod misbehaving;
mod reference;
mod scenarios;
#[path = "../puzzles/yaml.rs"]
mod yaml;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).take(2).collect();
    if let [word, kind] = &words[..]
        && word == misbehaving::WORD
    {
        misbehaving::engine(kind);
        return ExitCode::SUCCESS;
    }
    if bless() && std::env::var_os("TRYCMD").is_none() {
        return transcripts_too();
    }
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (folder, exit) in REPORTS {
        for path in files(folder, "yaml") {
            trials.push(Trial::test(shown(&path), move || golden_report(&path, exit)));
        }
    }
    for path in files(FIXES, "yaml") {
        trials.push(Trial::test(shown(&path), move || fixed_puzzle(&path)));
    }
    for folder in REPORTS.map(|(folder, _)| folder).into_iter().chain([FIXES]) {
        for path in files(folder, "stdout") {
            trials.push(Trial::test(shown(&path), move || has_puzzle(&path)));
        }
    }
    for path in files("corpus/cli", "trycmd") {
        trials.push(Trial::test(shown(&path), move || command_line(&path)));
    }
    for path in files("corpus/cli", "toml") {
        trials.push(Trial::test(shown(&path), move || command_line(&path)));
    }
    for page in ["README.md", "spec/commands.md", "spec/json.md"] {
        trials.push(Trial::test(page, || command_line(Path::new(page))));
    }
    scenarios::trials(&mut trials);
    agreement::trials(&mut trials);
    hostile::trials(&mut trials);
    engine::trials(&mut trials);
    misbehaving::trials(&mut trials);
    for (name, arguments) in PICTURES {
        trials.push(Trial::test(format!("spec/images/{name}.svg"), || picture(name, arguments)));
    }
    for path in files("corpus/games", "5dpgn") {
        trials.push(Trial::test(shown(&path), move || cases::game(&path)));
    }
    for folder in ["corpus/games", "corpus/rules"] {
        for path in files(folder, "yaml") {
            figures::trials(&path, &mut trials);
        }
    }
    for path in files("corpus/notation", "yaml") {
        cases::trials(&path, &mut trials);
    }
    trials.push(Trial::test("corpus/notation/coverage.toml", coverage::check));
    reference::trials(&mut trials);
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder with this extension, by name, with paths from the root of the repository.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let names = entries.map(|entry| entry.expect("a readable folder").file_name());
    let mut files: Vec<PathBuf> = names.map(|name| Path::new(folder).join(name)).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == extension));
    files.sort();
    files
}

fn shown(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

/// Runs these tests again so that transcripts are written anew too, which trycmd does with a variable of its own.
fn transcripts_too() -> ExitCode {
    let program = std::env::current_exe().expect("the path of this program");
    let status = Command::new(program).args(std::env::args_os().skip(1)).env("TRYCMD", "overwrite").status();
    let code = status.ok().and_then(|status| u8::try_from(status.code()?).ok());
    ExitCode::from(code.unwrap_or(u8::MAX))
}

fn bless() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// The folders of puzzles with reports, each with the exit code of `verify` for all its puzzles. The folder says it, and not the
/// report: otherwise a mistake that makes a wrong puzzle undecided would be blessed.
const REPORTS: [(&str, i32); 4] = [
    ("corpus/puzzles/good", 0),
    ("corpus/puzzles/odd", 0),
    ("corpus/puzzles/wrong", 1),
    ("corpus/puzzles/undecided", 3),
];

/// The folder of puzzles that are repaired.
const FIXES: &str = "corpus/puzzles/fix";

/// Checks that the report of a puzzle is that in the file beside it, and has this exit code. An odd puzzle gives warnings.
fn golden_report(path: &Path, expected: i32) -> Result<(), Failed> {
    let path = shown(path);
    let output = Command::new(env!("CARGO_BIN_EXE_worldlines"))
        .current_dir(root())
        .args(["verify", "--verbose", &path])
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    let complaint = String::from_utf8(output.stderr)?;
    if !complaint.is_empty() {
        return Err(format!("expected nothing on standard error, but found:\n{complaint}").into());
    }
    if path.contains("/good/") {
        yaml::another_parser(&fs::read_to_string(root().join(&path))?)?;
    }
    if path.contains("/odd/") && !said.contains("\nwarning[") {
        return Err(format!("expected a warning, but found:\n{said}").into());
    }
    if output.status.code() != Some(expected) {
        return Err(format!("expected exit code {expected}, but found {}:\n{said}", output.status).into());
    }
    golden(&root().join(&path).with_extension("stdout"), &said)
        .map_err(|difference| format!("{difference}\nrun again: cargo test --test corpus -- {path}").into())
}

/// Checks that `--fix` turns a file into the one beside it, and changes nothing the second time, unless
/// solutions were left open. Two parsers must read the same values from the result.
fn fixed_puzzle(path: &Path) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let name = path.file_name().expect("a file has a name");
    let copy = folder.path().join(name);
    fs::copy(root().join(path), &copy)?;
    let verify = || -> Result<String, Failed> {
        let command = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .current_dir(folder.path())
            .args(["verify", "--verbose", "--fix"])
            .arg(name)
            .output()?;
        match String::from_utf8(command.stderr)? {
            complaint if complaint.is_empty() => Ok(String::from_utf8(command.stdout)?),
            complaint => Err(complaint.into()),
        }
    };
    let said = verify()?;
    let fixed = fs::read_to_string(&copy)?;
    golden(&root().join(path).with_extension("fixed"), &fixed)?;
    golden(&root().join(path).with_extension("stdout"), &said)?;
    yaml::another_parser(&fixed)?;
    let again = verify()?;
    let is_fixed_again = || again.lines().any(|line| line.starts_with("fixed "));
    let has_all_solutions = !said.contains("the budget is too small to find all solutions");
    if has_all_solutions && (is_fixed_again() || fs::read_to_string(&copy)? != fixed) {
        return Err(format!("the second time something is changed:\n{again}").into());
    }
    let left: Vec<_> = fs::read_dir(folder.path())?
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect::<Result<_, _>>()?;
    if left != [name] {
        return Err(format!("expected {name:?} alone in its folder, but found {left:?}").into());
    }
    Ok(())
}

/// Checks that a golden file has its puzzle; without it the file tests nothing.
fn has_puzzle(path: &Path) -> Result<(), Failed> {
    if root().join(path).with_extension("yaml").exists() { Ok(()) } else { Err("its puzzle is gone".into()) }
}

fn golden(path: &Path, said: &str) -> Result<(), String> {
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == said || expected.replace("\r\n", "\n") == said {
        return Ok(());
    }
    if bless() {
        return fs::write(path, said).map_err(|error| error.to_string());
    }
    let difference = TextDiff::from_lines(expected.as_str(), said);
    Err(format!("{}\nwrite it with .ci/bless", difference.unified_diff().header("golden", "now")))
}

/// Checks that the commands in a transcript print what it says.
fn command_line(path: &Path) -> Result<(), Failed> {
    let cases = trycmd::TestCases::new();
    cases.register_bin("worldlines", Path::new(env!("CARGO_BIN_EXE_worldlines")));
    cases.case(root().join(path)).run();
    Ok(())
}

/// The pictures of the README and the chapters: the name of the file in `spec/images/`, and the arguments of
/// `show`.
const PICTURES: [(&str, &[&str]); 7] = [
    ("multiverse", &["corpus/cli/rook-tactics-4.5dpgn"]),
    ("pieces", &["spec/images/pieces.5dfen"]),
    ("branch", &["--at", "2b", "corpus/cli/rook-tactics-4.5dpgn"]),
    ("timelines", &["--at", "5", "corpus/games/own-unicorn-even-5x5-1.5dpgn"]),
    ("action", &["--arrows", "(0T2)Kd4d3 (1T2)Ra2c2", "corpus/cli/rook-tactics-4.5dpgn"]),
    ("check", &["puzzles/endings/fools-mate-is-none.yaml"]),
    ("posted", &["--crop", "--legend", "corpus/games/focused-just-dragons-2.5dpgn"]),
];

/// Checks that a picture is the one that the command draws.
fn picture(name: &str, arguments: &[&str]) -> Result<(), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_worldlines"))
        .current_dir(root())
        .args(["show", "--format", "svg"])
        .args(arguments)
        .output()?;
    let said = String::from_utf8(output.stdout)?;
    if said.is_empty() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(golden(&root().join(format!("spec/images/{name}.svg")), &said)?)
}
