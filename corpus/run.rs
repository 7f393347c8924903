//! Runs the corpus: `cargo test --test corpus`. One test for each file, so that a panic fails one of them only.
//!
//! `games/` has games in canonical 5DPGN, and `rules/` positions that show one rule each, both with figures;
//! see `figures.rs`. `notation/` has case files about notations (`cases.rs`), and the features of the source
//! documents that they cover (`coverage.rs`). Commands that answer the same question are compared on the
//! games (`agreement.rs`). Tests with malicious files, and with two runs at once, use temporary folders
//! (`hostile.rs`). The engine talks to a host and plays mates out (`engine.rs`). Engines that misbehave are
//! in `misbehaving.rs`. With `WORLDLINES_REFERENCE` set, the games of a larger set are replayed too
//! (`reference.rs`). `regressions/` is for the targets of `fuzz/`; their tests run it.
//!
//! Set `BLESS=1` to write the golden files of `puzzles/` anew and games in canonical form, and
//! `TRYCMD=overwrite` for the transcripts in `cli/`, in the README, `spec/commands.md` and `spec/json.md`. Read the difference
//! before committing it.

mod agreement;
mod cases;
mod coverage;
mod engine;
mod figures;
mod hostile;
mod misbehaving;
mod reference;
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
    trials.push(Trial::test("verify --certify", certified_puzzle));
    trials.push(Trial::test("verify without a folder", shipped_puzzles));
    trials.push(Trial::test("report merge", merged_report));
    if cfg!(unix) {
        trials.push(Trial::test("deploy/part.sh", divided_run));
        trials.push(Trial::test("deploy/fuzz.sh", fuzzed_targets));
        trials.push(Trial::test("mine goes on where it ended", mined_again));
    }
    trials.push(Trial::test("--color", colours));
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

/// Checks that `--certify` writes the certificate that is shipped, and none if it is there; and that `--fix`
/// repairs a corrupted one, but adds none.
fn certified_puzzle() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let puzzle = "rook-from-the-past.yaml";
    fs::copy(root().join("puzzles/small").join(puzzle), folder.path().join(puzzle))?;
    let shipped = fs::read_to_string(root().join("puzzles/small/certificates").join(puzzle))?;
    let path = folder.path().join("certificates").join(puzzle);
    let verify = |option: &str| -> Result<(Option<i32>, String), Failed> {
        let command = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .current_dir(folder.path())
            .args(["verify", "--verbose", puzzle])
            .args(Some(option).filter(|option| !option.is_empty()))
            .output()?;
        Ok((command.status.code(), String::from_utf8(command.stdout)?))
    };
    let without_threat = shipped.replacen("\"(0T2)c3xd3\", ", "", 1);
    let unreadable = shipped.replacen("  - key", "  # - key", 1);
    let fixed = format!("fixed rook-from-the-past ({puzzle}): certificate: certificates/{puzzle}\n");
    // (the file before, the option, whether the file is written, the exit code, the answer of the step)
    let steps = [
        (None, "--fix", false, 0, "pass       made now: 1 key"),
        (None, "--certify", true, 0, "pass       1 key"),
        (Some(&shipped), "--certify", false, 0, "pass       1 key"),
        (Some(&without_threat), "", false, 1, "fail "),
        (Some(&without_threat), "--fix", true, 0, "pass       1 key"),
        (Some(&unreadable), "", false, 1, "fail "),
        (Some(&unreadable), "--certify", true, 0, "pass       1 key"),
    ];
    for (before, option, written, code, answer) in steps {
        if let Some(before) = before {
            fs::write(&path, before)?;
        }
        let (exit, said) = verify(option)?;
        let after = fs::read_to_string(&path).ok();
        let expected = if written { Some(&shipped) } else { before };
        let step = format!("  certificate accepted    {answer}");
        if exit != Some(code)
            || after.as_ref() != expected
            || said.contains(&fixed) != written
            || !said.contains(&step)
        {
            return Err(format!(
                "with `{option}` and {before:?} beside it, exit {exit:?}: {after:?}\n{said}"
            )
            .into());
        }
    }
    Ok(())
}

/// Checks that without a folder `puzzles` the names of puzzles stand for those in the program.
fn shipped_puzzles() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    // (the arguments, the exit code, the text on standard output and on standard error)
    let cases = [
        (
            &["verify", "--quick", "--filter", "rook/"][..],
            0,
            "1 puzzle: 1 pass",
            "note: there is no folder `puzzles` here",
        ),
        (&["verify", "--quick", "puzzles/rook/rook-tactics-4.yaml"], 0, "1 puzzle: 1 pass", ""),
        (&["show", "puzzles/rook/rook-tactics-4.yaml"], 0, "Black to move.", ""),
        (&["verify", "--fix"], 2, "", "error: there is no folder `puzzles` here"),
        (&["verify", "--fix", "puzzles/rook/rook-tactics-4.yaml"], 2, "", "error: cannot change"),
        (&["verify", "puzzles/rook/no-such-puzzle.yaml"], 2, "", "error: cannot read"),
    ];
    for (arguments, code, out, err) in cases {
        let output =
            Command::new(env!("CARGO_BIN_EXE_worldlines")).current_dir(&folder).args(arguments).output()?;
        let (said, complaint) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
        if output.status.code() != Some(code) || !said.contains(out) || !complaint.starts_with(err) {
            return Err(format!("{arguments:?} ends with {}:\n{said}{complaint}", output.status).into());
        }
    }
    Ok(())
}

/// Checks that the reports of three parts merge into that of the whole run, and fail as it does.
fn merged_report() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let run = |arguments: &[&str]| -> Result<(Option<i32>, Vec<u8>), Failed> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_worldlines"));
        let output = command.current_dir(root()).args(arguments).output()?;
        Ok((output.status.code(), output.stdout))
    };
    let verify = |more: &[&str]| {
        let puzzles = [
            "verify",
            "--quick",
            "--format",
            "json",
            "puzzles/games",
            "puzzles/small",
            "corpus/puzzles/wrong",
        ];
        run(&[&puzzles[..], more].concat())
    };
    let mut files = Vec::new();
    for part in 1..=3 {
        let (_, report) = verify(&["--partition", &format!("hash:{part}/3")])?;
        files.push(folder.path().join(format!("{part}.json")).display().to_string());
        fs::write(&files[part - 1], report)?;
    }
    let whole = verify(&[])?;
    let merge =
        |order: [usize; 3]| run(&[&["report", "merge"][..], &order.map(|part| &*files[part])].concat());
    if whole.0 != Some(1) || merge([0, 1, 2])? != whole || merge([2, 0, 1])? != whole {
        return Err("the parts make another report than the whole run".into());
    }
    let (code, said) = run(&["report", "merge", &files[0], &files[2]])?;
    let said = String::from_utf8(said)?;
    if code != Some(2) || !said.contains("part 2 of 3 is missing") {
        return Err(format!("exit {code:?} without a part: {said}").into());
    }
    Ok(())
}

/// Checks that the scripts for many machines make the report of the whole run, and none if a part is missing.
fn divided_run() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let script = |script: &str, numbers: &[&str], folder: &Path, rest: &[&str]| {
        let mut command = Command::new("sh");
        command.current_dir(root()).env("WORLDLINES", env!("CARGO_BIN_EXE_worldlines"));
        let output = command.arg(script).args(numbers).arg(folder).args(rest).output();
        output.map(|output| output.status.code())
    };
    let part = |part, verified: &[&str]| {
        script("deploy/part.sh", &[part, "2"], folder.path(), &[&["verify"], verified].concat())
    };
    let merge = || script("deploy/merge.sh", &["2"], folder.path(), &[]);
    let verified = ["--quick", "puzzles/small", "corpus/puzzles/wrong"];
    let report = folder.path().join("report.json");
    let codes = [part("1", &verified)?, merge()?, part("2", &["no-such-folder"])?];
    if codes != [Some(0), Some(2), Some(2)] || report.exists() {
        return Err(format!("one part of two makes a report: {codes:?}").into());
    }
    let codes = [part("2", &verified)?, merge()?];
    let whole = Command::new(env!("CARGO_BIN_EXE_worldlines"))
        .current_dir(root())
        .args(["verify", "--format", "json"])
        .args(verified)
        .output()?;
    if codes != [Some(0), Some(1)] || fs::read(&report)? != whole.stdout {
        return Err(format!("two parts make another report than the whole run: {codes:?}").into());
    }
    let left = fs::read_dir(folder.path())?.count();
    if left != 3 {
        return Err(format!("expected three reports, but found {left} files").into());
    }
    // Other commands are divided in the same way, each in a folder of its own.
    for (name, divided, exit) in DIVIDED {
        let folder = tempfile::tempdir()?;
        let words: Vec<&str> = [*name].iter().chain(*divided).copied().collect();
        for number in ["1", "2"] {
            let code = script("deploy/part.sh", &[number, "2"], folder.path(), &words)?;
            if code != Some(0) {
                return Err(format!("part {number} of {words:?} ends with {code:?}").into());
            }
        }
        let found = folder.path().join("puzzles").display().to_string();
        let write = if *name == "mine" { vec!["--write", &*found] } else { Vec::new() };
        let code = script("deploy/merge.sh", &["2"], folder.path(), &write)?;
        let whole = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .current_dir(root())
            .args(&words)
            .args(["--format", "json"])
            .output()?;
        let report = fs::read(folder.path().join("report.json"))?;
        if (code, whole.status.code()) != (Some(*exit), Some(*exit)) || report != whole.stdout {
            return Err(format!("two parts of {words:?} make another report: {code:?}").into());
        }
        if *name == "mine" {
            let text = String::from_utf8(report)?;
            let written = fs::read_dir(&found)?.count();
            // The two parts find the same position, and only one of them keeps it.
            let both = fs::read_dir(folder.path().join("found"))?.filter(|entry| {
                entry.as_ref().is_ok_and(|entry| entry.path().extension().is_some_and(|e| e == "yaml"))
            });
            if written == 0 || text.matches("\"id\":").count() != written || both.count() <= written {
                return Err(format!("{written} files of finds, and the report is {text}").into());
            }
        }
    }
    Ok(())
}

/// Checks that a task of `deploy/fuzz.sh` fuzzes one target and fails with it, and that every list has as many tasks as there are targets.
fn fuzzed_targets() -> Result<(), Failed> {
    let count = fs::read_dir(root().join("fuzz/fuzz_targets"))?.count();
    for (file, words) in [
        ("README.md", format!("{count} fuzz targets")),
        ("deploy/fuzz.sh", format!("--array=1-{count}\n")),
        ("deploy/kubernetes-fuzz.yaml", format!("completions: {count}\n")),
    ] {
        if !fs::read_to_string(root().join(file))?.contains(&words) {
            return Err(format!("{file} does not say `{}`", words.trim()).into());
        }
    }
    let fuzzed = tempfile::tempdir()?;
    let program = fuzzed.path().join("program");
    fs::write(&program, "#!/bin/sh\necho \"$(basename \"$0\") $1\" >>\"$1\"/runs\nexit 77\n")?;
    Command::new("chmod").arg("+x").arg(&program).status()?;
    let fuzz = |number: &str| {
        let mut command = Command::new("sh");
        command.current_dir(root()).env("PROGRAM", &program).env_remove("SLURM_SUBMIT_DIR");
        let output = command.args(["deploy/fuzz.sh", number, "1"]).arg(fuzzed.path()).output();
        output.map(|output| output.status.code())
    };
    let codes = [fuzz("1")?, fuzz("1")?, fuzz("1000")?];
    let corpora: Vec<_> = fs::read_dir(fuzzed.path().join("corpus"))?.collect::<Result<_, _>>()?;
    let runs = fs::read_to_string(corpora[0].path().join("runs"))?;
    let target = corpora[0].file_name().into_string().unwrap_or_default();
    let is_right =
        runs.lines().count() == 2 && runs.lines().all(|run| run.starts_with(&format!("{target} ")));
    if codes != [Some(77), Some(77), Some(2)] || corpora.len() != 1 || !is_right {
        return Err(format!("deploy/fuzz.sh ends with {codes:?}: {runs}").into());
    }
    Ok(())
}

/// Commands that can be divided, with their arguments and the exit code of the whole.
const DIVIDED: &[(&str, &[&str], i32)] = &[
    ("lint", &["puzzles/games", "puzzles/branch", "corpus/puzzles/wrong/refutation-fails.yaml"], 1),
    (
        "review",
        &[
            "--budget",
            "3000",
            "--thinking",
            "500",
            "corpus/games/ending-mate-8.5dpgn",
            "corpus/games/ending-mate-14.5dpgn",
            "corpus/games/small-2.5dpgn",
        ],
        3,
    ),
    // The likeness is so low that finds of several games are alike.
    (
        "mine",
        &[
            "--budget",
            "300",
            "--likeness",
            "0.3",
            "corpus/games/focused-just-knights-0.5dpgn",
            "corpus/games/misc-timeline-tactitian-1.5dpgn",
            "corpus/games/simple-knights-vs-bishop-1.5dpgn",
        ],
        0,
    ),
];

/// Checks that `mine` remembers games, options, finds and undecided positions, and that a part that is done ends with 0.
fn mined_again() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let found = folder.path().join("found").display().to_string();
    let mine = |more: &[&str]| -> Result<(Option<i32>, String, String), Failed> {
        let output = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .current_dir(root())
            .args([
                "mine",
                "corpus/games/focused-just-knights-0.5dpgn",
                "corpus/games/small-2.5dpgn",
                "--write",
                &found,
            ])
            .args(more)
            .output()?;
        Ok((output.status.code(), String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?))
    };
    let expect = |more: &[&str], code: i32, words: &[&str]| -> Result<(), Failed> {
        let (exit, out, err) = mine(more)?;
        match words.iter().find(|word| !err.contains(**word)) {
            None if exit == Some(code) => Ok(()),
            missing => Err(format!("{more:?} ends with {exit:?}, without {missing:?}: {out}{err}").into()),
        }
    };
    let journal = folder.path().join("found/mined.jsonl");
    let little = ["--budget", "30"];
    let (first, _, said) = mine(&little)?;
    if first != Some(3) && first != Some(0) || !said.contains("undecided") {
        return Err(format!("with little budget: {first:?} {said}").into());
    }
    // Nothing is searched again, and the answer is the same.
    let last = said.lines().last().unwrap_or_default().to_owned();
    expect(&little, first.unwrap_or_default(), &["2 of 2 games were searched before", &last])?;
    // More effort is for what is open; then it is there before. A line that was cut off costs only its game.
    expect(&["--budget", "3000"], 0, &["found"])?;
    expect(&["--budget", "3000"], 0, &["2 of 2 games were searched before", "found"])?;
    let text = fs::read_to_string(&journal)?;
    fs::write(&journal, &text[..text.len() - 20])?;
    expect(&["--budget", "3000"], 0, &["found"])?;
    expect(&["--budget", "3000"], 0, &["2 of 2 games were searched before"])?;
    // Other options are another search.
    if mine(&["--budget", "3000", "--author", "somebody"])?.2.contains("searched before") {
        return Err("the author is an option that is remembered".into());
    }
    // A part without a find, done once and again.
    let part =
        ["--budget", "3000", "--longest", "1", "--first-actions", "100000000", "--partition", "hash:1/1"];
    expect(&part, 0, &["0 puzzles found"])?;
    expect(&part, 0, &["searched before", "0 puzzles found"])?;
    expect(&part[..6], 4, &["0 puzzles found"])
}

/// Checks that a pipe gets no colours unless asked for, and that they change no text.
fn colours() -> Result<(), Failed> {
    for arguments in [
        &["show", "corpus/cli/rook-tactics-4.5dpgn"][..],
        &["count", "--each", "corpus/cli/misprint.5dpgn"],
        &["verify", "--verbose", "corpus/puzzles/wrong/refutation-fails.yaml"],
        &["count", "corpus/cli/king-capturable.5dfen"],
        &["status", "--why", "corpus/cli/queen-takes-f7.5dpgn"],
        &["explain", "rook-from-the-past"],
        &["judge", "corpus/puzzles/good/survive.yaml", "Kd2xc3"],
    ] {
        let said = |color: &[&str]| -> Result<String, Failed> {
            let mut command = Command::new(env!("CARGO_BIN_EXE_worldlines"));
            let output =
                command.current_dir(root()).args(arguments).args(color).env_remove("NO_COLOR").output()?;
            Ok(String::from_utf8(output.stdout)? + &String::from_utf8(output.stderr)?)
        };
        let (auto, never, always) = (said(&[])?, said(&["--color", "never"])?, said(&["--color=always"])?);
        let pieces = always.split('\u{1b}').enumerate();
        let stripped: String = pieces
            .map(
                |(index, piece)| {
                    if index == 0 { piece } else { piece.split_once('m').map_or("", |(_, rest)| rest) }
                },
            )
            .collect();
        if auto != never || stripped != never || always == never || never.contains('\u{1b}') {
            return Err(format!("{arguments:?}: {auto:?}, {never:?}, {always:?}").into());
        }
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
