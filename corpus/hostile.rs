//! Tests of the command with malicious or unusual files, and beside other runs of itself.

use std::fs::{self, OpenOptions};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

/// A puzzle without its solutions, and the same with them.
const LACKING: &str = "corpus/puzzles/fix/everything-missing.yaml";
const FIXED: &str = "corpus/puzzles/fix/everything-missing.fixed";
/// The lock file of `puzzle.yaml`.
const LOCK: &str = ".puzzle.yaml.worldlines";

pub fn trials(trials: &mut Vec<Trial>) {
    let mut add = |name: &str, test: fn() -> Result<(), Failed>| {
        trials.push(Trial::test(format!("hostile: {name}"), test));
    };
    add("a run that is killed leaves nothing for long", killed);
    add("a file that another run changes is not changed", locked);
    add("a certificate that another run writes is not written", locked_certificate);
    add("a read-only file is not changed", read_only);
    add("a certificate that is too large is a finding", large_certificate);
    add("too many jobs are fewer", jobs);
    add("wide positions end within their budget", wide);
    add("what mining leaves open is taken up again", mined);
    add("what is too large is undecided", too_large);
    if cfg!(unix) {
        add("what is no file is not read", irregular);
        add("a link is no way out of a folder of puzzles", links);
        add("an interrupted proof says what it knows", interrupted);
        add("names are shown and can be pasted", names);
    }
}

/// The output of a command and its exit code.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

fn worldlines(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worldlines"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Result<Said, Failed> {
    let output = worldlines(folder).args(arguments).output()?;
    let (out, err) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    Ok(Said { code: output.status.code(), out, err })
}

fn expect(said: &Said, code: i32, out: &str, err: &str) -> Result<(), Failed> {
    if said.code == Some(code) && said.out.contains(out) && said.err == err {
        return Ok(());
    }
    let Said { code: found, out: stdout, err: stderr } = said;
    Err(format!("expected {code}, {out:?} and {err:?}, but found {found:?}:\n{stdout}\n{stderr}").into())
}

/// A folder with a copy of this file as `puzzle.yaml`.
fn folder_with(file: &str) -> Result<TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    fs::copy(super::root().join(file), folder.path().join("puzzle.yaml"))?;
    Ok(folder)
}

fn expect_names(folder: &Path, expected: &[&str]) -> Result<(), Failed> {
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<_> = entries.iter().map(|entry| entry.file_name()).collect();
    names.sort();
    if names == expected { Ok(()) } else { Err(format!("expected {expected:?}, but found {names:?}").into()) }
}

fn interrupted() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("start.5dpgn"), "[Board \"Standard\"]\n")?;
    let mut command = worldlines(folder.path());
    command.args(["solve", "--mate", "9", "--budget", "1000000000000", "start.5dpgn"]);
    let mut process = Killed(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?);
    // Nothing shows that it is ready, and a signal that comes too early ends it at once.
    std::thread::sleep(Duration::from_secs(2));
    let sent = Command::new("kill").args(["-INT", &process.0.id().to_string()]).status()?;
    if !sent.success() {
        return Err("no signal was sent".into());
    }
    let (mut out, mut err) = (String::new(), String::new());
    process.0.stdout.take().ok_or("no output")?.read_to_string(&mut out)?;
    process.0.stderr.take().ok_or("no errors")?.read_to_string(&mut err)?;
    let code = process.0.wait()?.code();
    let is_said = out.contains("undecided") && out.contains("stopped after") && err.contains("stopping");
    if code == Some(3) && is_said { Ok(()) } else { Err(format!("{code:?}\n{out}\n{err}").into()) }
}

/// A process that is killed with this value.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn killed() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("puzzle.yaml");
    let text = "schema: worldlines/puzzle-1\nid: long\ntitle: This takes very long.\nsource: { from: \"here\" }\n\
                start: { variant: Standard }\ngoal: { no-mate-in: 9 }\nbudget: { nodes: 1000000000000 }\n";
    fs::write(&path, text)?;
    let first = Killed(worldlines(folder.path()).args(["verify", "--fix", "puzzle.yaml"]).spawn()?);
    let started = Instant::now();
    while !folder.path().join(LOCK).exists() {
        if started.elapsed() > Duration::from_secs(60) {
            return Err("there is no lock file".into());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // The lock file may exist for a moment before it is locked; another run would then remove it.
    std::thread::sleep(Duration::from_millis(200));
    let fix = ["verify", "--fix", "--budget", "5", "puzzle.yaml"];
    let refusal = "error: cannot change puzzle.yaml: another run is changing it; nothing was written\n";
    expect(&run(folder.path(), &fix)?, 2, "", refusal)?;
    expect_names(folder.path(), &[LOCK, "puzzle.yaml"])?;
    drop(first);
    expect_names(folder.path(), &[LOCK, "puzzle.yaml"])?;
    expect(&run(folder.path(), &fix)?, 3, "not fixed long (puzzle.yaml): the budget", "")?;
    expect_names(folder.path(), &["puzzle.yaml"])?;
    if fs::read_to_string(&path)? == text { Ok(()) } else { Err("the file is changed".into()) }
}

fn locked() -> Result<(), Failed> {
    let folder = folder_with(LACKING)?;
    let path = folder.path().join("puzzle.yaml");
    let lock = OpenOptions::new().write(true).create_new(true).open(folder.path().join(LOCK))?;
    lock.try_lock()?;
    let before = fs::read(&path)?;
    let refusal = "error: cannot change puzzle.yaml: another run is changing it; nothing was written\n";
    expect(&run(folder.path(), &["verify", "--fix", "puzzle.yaml"])?, 2, "", refusal)?;
    if fs::read(&path)? != before {
        return Err("the file is changed".into());
    }
    // Reading is no change.
    expect(&run(folder.path(), &["verify", "puzzle.yaml"])?, 1, "error[no-solutions]", "")?;
    expect_names(folder.path(), &[LOCK, "puzzle.yaml"])?;
    drop(lock);
    expect(&run(folder.path(), &["verify", "--fix", "puzzle.yaml"])?, 0, "fixed ", "")?;
    expect_names(folder.path(), &["puzzle.yaml"])?;
    super::golden(&super::root().join(FIXED), &fs::read_to_string(&path)?)?;
    Ok(())
}

fn locked_certificate() -> Result<(), Failed> {
    let folder = folder_with("puzzles/small/rook-from-the-past.yaml")?;
    let certificates = folder.path().join("certificates");
    fs::create_dir(&certificates)?;
    let lock = certificates.join(".rook-from-the-past.yaml.worldlines");
    let lock = OpenOptions::new().write(true).create_new(true).open(lock)?;
    lock.try_lock()?;
    let certify = ["verify", "--certify", "puzzle.yaml"];
    let refusal = "error: cannot change certificates/rook-from-the-past.yaml: another run is changing it; nothing was \
                   written\n";
    expect(&run(folder.path(), &certify)?, 2, "", refusal)?;
    expect_names(&certificates, &[".rook-from-the-past.yaml.worldlines"])?;
    drop(lock);
    expect(&run(folder.path(), &certify)?, 0, "fixed rook-from-the-past", "")?;
    expect_names(&certificates, &["rook-from-the-past.yaml"])
}

fn read_only() -> Result<(), Failed> {
    let folder = folder_with(LACKING)?;
    let path = folder.path().join("puzzle.yaml");
    let writable = fs::metadata(&path)?.permissions();
    let mut permissions = writable.clone();
    permissions.set_readonly(true);
    let before = fs::read(&path)?;
    fs::set_permissions(&path, permissions)?;
    let refusal = "error: cannot change puzzle.yaml: it is read-only\n";
    expect(&run(folder.path(), &["verify", "--fix", "puzzle.yaml"])?, 2, "", refusal)?;
    expect_names(folder.path(), &["puzzle.yaml"])?;
    if fs::read(&path)? != before {
        return Err("the file is changed".into());
    }
    fs::set_permissions(&path, writable)?;
    Ok(())
}

fn large_certificate() -> Result<(), Failed> {
    let folder = folder_with("puzzles/small/rook-from-the-past.yaml")?;
    let certificates = folder.path().join("certificates");
    fs::create_dir(&certificates)?;
    let large = fs::File::create(certificates.join("rook-from-the-past.yaml"))?;
    large.set_len(1 << 40)?;
    let said = run(folder.path(), &["verify", "--quick", "puzzle.yaml"])?;
    expect(
        &said,
        1,
        "error[too-large]: a file holds at most 16777216 bytes\n --> certificates/rook-from-the-past.yaml:1:1\n",
        "",
    )
}

fn jobs() -> Result<(), Failed> {
    let folder = folder_with("puzzles/small/rook-from-the-past.yaml")?;
    let said = run(folder.path(), &["verify", "--jobs", "65535", "puzzle.yaml"])?;
    if said.err.starts_with("note: --jobs 65535 is too many for this machine; ") && said.code == Some(0) {
        return Ok(());
    }
    Err(format!("expected a note, but found {:?}:\n{}", said.code, said.err).into())
}

fn irregular() -> Result<(), Failed> {
    let folder = folder_with("puzzles/small/rook-from-the-past.yaml")?;
    let make = |command: &str, arguments: &[&str]| -> Result<(), Failed> {
        let done = Command::new(command).current_dir(folder.path()).args(arguments).status()?;
        if done.success() { Ok(()) } else { Err(format!("{command} ended with {done}").into()) }
    };
    make("mkfifo", &["pipe.yaml"])?;
    make("ln", &["-s", "/dev/zero", "zero"])?;
    for file in ["pipe.yaml", "zero"] {
        let refused = |verb: &str| format!("error: cannot {verb} {file}: it is not a regular file\n");
        let link = "error: cannot change zero: a link leads out of its folder; nothing was written\n";
        let changed = if file == "zero" { link.to_owned() } else { refused("change") };
        for command in [&["verify"][..], &["show"], &["count"], &["status"], &["solve", "--mate", "1"]] {
            expect(&run(folder.path(), &[command, &[file]].concat())?, 2, "", &refused("read"))?;
        }
        let convert = ["convert", "--to", "raw", "--start", file, "puzzle.yaml"];
        expect(&run(folder.path(), &convert)?, 2, "", &refused("read"))?;
        expect(&run(folder.path(), &["verify", "--fix", file])?, 2, "", &changed)?;
    }
    // In a folder it is skipped, and beside a puzzle it is no certificate.
    expect(&run(folder.path(), &["verify", "."])?, 0, "1 puzzle: 1 pass", "")?;
    make("mkdir", &["certificates"])?;
    make("mkfifo", &["certificates/rook-from-the-past.yaml"])?;
    let said = run(folder.path(), &["verify", "--quick", "puzzle.yaml"])?;
    expect(&said, 1, "error[unreadable]: the certificate cannot be read: it is not a regular file\n", "")
}

/// A user who clones a folder of puzzles does not see where its links lead.
fn links() -> Result<(), Failed> {
    let others = tempfile::tempdir()?;
    let victim = others.path().join("victim");
    let link = |folder: &Path, to: &Path, name: &str| -> Result<(), Failed> {
        let done = Command::new("ln").current_dir(folder).arg("-s").args([to, Path::new(name)]).status()?;
        if done.success() { Ok(()) } else { Err(format!("ln ended with {done}").into()) }
    };
    let is_refused = |folder: &Path, arguments: &[&str], text: &[u8]| -> Result<(), Failed> {
        fs::write(&victim, text)?;
        let said = run(folder, arguments)?;
        let refused = said.err.ends_with(": a link leads out of its folder; nothing was written\n");
        if said.code != Some(2) || !refused || fs::read(&victim)? != text {
            return Err(format!("{arguments:?} ends with {:?}:\n{}", said.code, said.err).into());
        }
        let names = fs::read_dir(others.path())?.count();
        if names == 1 { Ok(()) } else { Err(format!("{arguments:?} leaves {names} files").into()) }
    };
    let lacking = fs::read(super::root().join(LACKING))?;
    let folder = tempfile::tempdir()?;
    link(folder.path(), &victim, "linked.yaml")?;
    for arguments in [&["verify", "--fix", "linked.yaml"][..], &["verify", "--fix", "."]] {
        is_refused(folder.path(), arguments, &lacking)?;
    }
    is_refused(folder.path(), &["fmt", "linked.yaml"], &[b"# Mine\n", &*lacking].concat())?;

    let folder = folder_with("puzzles/small/rook-from-the-past.yaml")?;
    let certificates = folder.path().join("certificates");
    fs::create_dir(&certificates)?;
    link(&certificates, &victim, "rook-from-the-past.yaml")?;
    let certify = ["verify", "--certify", "puzzle.yaml"];
    is_refused(folder.path(), &certify, b"mine")?;
    // The folder itself may be a link.
    fs::remove_dir_all(&certificates)?;
    link(folder.path(), others.path(), "certificates")?;
    is_refused(folder.path(), &certify, b"mine")?;

    let game = super::root().join("corpus/games/very-small-2.5dpgn");
    let game = game.to_str().ok_or("a path that is text")?;
    link(folder.path(), &victim, "mined.jsonl")?;
    is_refused(folder.path(), &["mine", game, "--budget", "1", "--write", "."], b"mine")
}

fn mined() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let game = super::root().join("corpus/games/ending-mate-14.5dpgn");
    let game = game.to_str().ok_or("a path that is text")?;
    let mine = |options: &[&str]| {
        let options = [&["mine", game, "--first-actions", "1", "--write", "found"], options].concat();
        let said = run(folder.path(), &options)?;
        Ok::<_, Failed>((said.code, said.err))
    };
    let before = "note: 1 of 1 games were searched before\n";
    for (options, code, said) in [
        (
            &["--keys", "99", "--budget", "5"][..],
            3,
            "0 puzzles found, 6 positions undecided (--budget allows more)\n".to_owned(),
        ),
        (
            &["--keys", "99", "--budget", "5"],
            3,
            format!("{before}0 puzzles found, 6 positions undecided (--budget allows more)\n"),
        ),
        (&["--keys", "99", "--budget", "100000"], 0, "3 puzzles found\n".to_owned()),
        (&["--keys", "99", "--budget", "200000"], 0, format!("{before}3 puzzles found\n")),
        // With other options the games are searched again.
        (&["--keys", "98"], 4, "0 puzzles found, 3 left out that are like others\n".to_owned()),
    ] {
        let (found, err) = mine(options)?;
        if found != Some(code) || err != said {
            return Err(format!("{options:?} ends with {found:?}: {err}").into());
        }
    }
    Ok(())
}

fn names() -> Result<(), Failed> {
    let text = fs::read_to_string(super::root().join("corpus/puzzles/wrong/missing-schema.yaml"))?;
    let odd = [
        "a b.yaml",
        "-fix.yaml",
        "it's $(touch x) `touch x` \"\\.yaml",
        "red \x1b[31m\x07.yaml",
        "line\nbreak\r.yaml",
        "\u{202e}lmay.yaml",
        "\u{feff}\u{ad}\u{61c}\u{2028}\u{180e}\u{fff9}\u{e0041}1.yaml",
    ];
    for name in odd {
        let folder = tempfile::tempdir()?;
        fs::write(folder.path().join(name), text.replace("id: ", "# "))?;
        // Each name is tested as a file, in a folder, and with --fix.
        for arguments in [&["verify", "--", name][..], &["verify", "."], &["verify", "--fix", "--", name]] {
            let said = run(folder.path(), arguments)?;
            let shown = said.out.clone() + &said.err;
            let raw = name.chars().find(|c| c.is_control() || !(' '..='~').contains(c));
            let is_raw = |c: char| if c == '\n' { shown.contains(name) } else { shown.contains(c) };
            if said.code != Some(1) || raw.is_some_and(is_raw) {
                return Err(format!("{name:?} is shown as it is:\n{shown:?}").into());
            }
            let rerun = said.out.lines().find_map(|line| line.strip_prefix("run again: "));
            let rerun = rerun.ok_or("there is no command to run again")?;
            let program = format!("worldlines() {{ '{}' \"$@\"; }}\n", env!("CARGO_BIN_EXE_worldlines"));
            let again =
                Command::new("bash").current_dir(folder.path()).args(["-c", &(program + rerun)]).output()?;
            if again.status.code() != Some(1) || !String::from_utf8(again.stdout)?.contains(rerun) {
                return Err(format!("this does not do the same: {rerun}").into());
            }
        }
        let missing = format!("{name}.not-there");
        let start = format!("--start={missing}");
        let option = format!("--{missing}");
        for arguments in [["show", "--", &missing], ["count", "-", &start], ["verify", ".", &option]] {
            let said = run(folder.path(), &arguments)?;
            if said.code != Some(2) || said.err.chars().any(|c| c != '\n' && c.is_control()) {
                return Err(format!("{missing:?} is shown as {:?}", said.err).into());
            }
        }
    }
    Ok(())
}

/// 5DFEN of this many timelines around the central one, all with these rows.
fn timelines(count: i32, rows: &str) -> String {
    (-count / 2..count - count / 2).map(|timeline| format!("[{rows}:{timeline}:1:w]")).collect()
}

/// Budgets limit all work, not only the combinations that are tried. On 900 timelines a list of 1,000 steps
/// took 25 seconds, 2.5 GB of memory and a gigabyte of text, and a search of 10,000 nodes took as long.
fn wide() -> Result<(), Failed> {
    const SECONDS: u64 = 20;
    const BYTES: usize = 4 << 20;
    let folder = tempfile::tempdir()?;
    let boards = timelines(900, "Q2");
    fs::write(folder.path().join("wide.5dfen"), &boards)?;
    let puzzle = format!(
        "schema: worldlines/puzzle-1\nid: wide\ntitle: t\nsource: {{ from: f }}\nstart:\n  5dfen: |\n    {boards}\n\
         goal: {{ no-mate-in: 1 }}\n"
    );
    fs::write(folder.path().join("wide.yaml"), &puzzle)?;
    let mate = "goal: { mate-in: 1 }\nsolutions: [[\"(0T1)Qa1b1\"]]";
    fs::write(folder.path().join("mate.yaml"), puzzle.replace("goal: { no-mate-in: 1 }", mate))?;
    for arguments in [
        &["status", "--actions", "all", "--budget", "1000", "wide.5dfen"][..],
        &["status", "--actions", "all", "--budget", "1000", "--format", "json", "wide.5dfen"],
        &["status", "--why", "--budget", "1000", "wide.5dfen"],
        &["status", "--why", "--time", "1", "--budget", "1000000000", "wide.5dfen"],
        &["mine", "--time", "1", "--budget", "1000000000", "wide.5dfen"],
        &["mine", "--budget", "1000", "wide.5dfen"],
        &["similar", "--time", "1", "--budget", "1000000000", "mate.yaml", "."],
        &["similar", "--budget", "1000", "mate.yaml", "."],
        &["solve", "--mate", "1", "--budget", "10000", "wide.5dfen"],
        &["solve", "--mate", "1", "--time", "1", "--budget", "1000000000", "wide.5dfen"],
        &["verify", "--budget", "10000", "wide.yaml"],
        &["verify", "--time", "1", "--budget", "1000000000", "wide.yaml"],
    ] {
        let begin = Instant::now();
        let said = run(folder.path(), arguments)?;
        let (seconds, bytes) = (begin.elapsed().as_secs(), said.out.len());
        // A fast machine may finish in time.
        let is_done = arguments.contains(&"--time") && said.code == Some(0);
        if said.code != Some(3) && !is_done || seconds > SECONDS || bytes > BYTES {
            let code = said.code;
            return Err(
                format!("{arguments:?} ends with {code:?} after {seconds} s and {bytes} bytes").into()
            );
        }
    }
    Ok(())
}

/// With 2,000 timelines there is no room for a branch. Such a position whose only legal action is a branch
/// was once called stalemate or mate.
fn too_large() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (timelines, code, out) in [(1_999, 0, "1w: ongoing"), (2_000, 3, "1w: undecided")] {
        let others: String = (1..timelines).map(|timeline| format!("[1:{timeline}:2:b]")).collect();
        fs::write(folder.path().join("full.5dfen"), format!("[1:0:1:w][1:0:1:b][Q:0:2:w]{others}"))?;
        expect(&run(folder.path(), &["status", "full.5dfen"])?, code, out, "")?;
    }
    let said = run(folder.path(), &["count", "full.5dfen"])?;
    expect(&said, 3, "the answer depends on positions that are larger than is supported", "")
}
