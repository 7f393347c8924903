//! Stories of several commands, with files between them, which no transcript can tell.

use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::root;

pub fn trials(trials: &mut Vec<Trial>) {
    trials.push(Trial::test("verify --certify", certified_puzzle));
    trials.push(Trial::test("verify without a folder", shipped_puzzles));
    trials.push(Trial::test("report merge", merged_report));
    if cfg!(unix) {
        trials.push(Trial::test("deploy/part.sh", divided_run));
        trials.push(Trial::test("deploy/fuzz.sh", fuzzed_targets));
        trials.push(Trial::test("mine goes on where it ended", mined_again));
    }
    trials.push(Trial::test("--color", colours));
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
