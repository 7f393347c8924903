//! Tests with engines that misbehave, each in its own way. The test program starts itself again as the
//! engine, so no other program is needed.

use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use worldlines::notation::{Game, uci5d};
use worldlines::rules::PartialAction;
use worldlines::search::{Budget, Prover};
use worldlines::types::Action;

use super::root;

/// The argument with which the test starts itself as an engine.
pub const WORD: &str = "misbehave";

/// The puzzle for each engine: a mate in two.
const PUZZLE: &str = "puzzles/small/rook-from-the-past.yaml";

/// The way in which an engine misbehaves, the exit code of the examination, and a part of its report.
const KINDS: [(&str, i32, &str); 25] = [
    ("not-at-all", 0, "1 case: 1 solved"),
    ("not-at-all-whole", 0, "1 case: 1 solved"),
    ("answers-only-stop", 0, "1 case: 1 solved"),
    (
        "dies-at-start",
        1,
        "crashed: rook-from-the-past (mate in 2): action 1: the program ended: exit status: 7",
    ),
    ("dies-mid-search", 1, "the program ended: exit status: 3; its last words: no more"),
    ("dies-after-an-action", 1, "crashed: rook-from-the-past (mate in 2): action"),
    ("never-answers", 1, "hung: rook-from-the-past (mate in 2): action 1: no answer within 0.3 s"),
    ("ignores-stop", 1, "hung: rook-from-the-past (mate in 2): action 1: no answer within 0.3 s"),
    (
        "answers-twice",
        1,
        "babbled: rook-from-the-past (mate in 2): action 1: it says `bestmove`, which nobody asked for",
    ),
    (
        "answers-unasked",
        1,
        "babbled: rook-from-the-past (mate in 2): action 1: it says `bestmove`, which nobody asked for",
    ),
    ("megabyte-lines", 1, "babbled: rook-from-the-past (mate in 2): action 1: the program wrote more than"),
    ("floods-info", 1, "babbled: rook-from-the-past (mate in 2): action 1: "),
    (
        "invalid-utf8",
        1,
        "babbled: rook-from-the-past (mate in 2): action 1: the program wrote a line that is not UTF-8",
    ),
    ("no-newline", 1, "hung: rook-from-the-past (mate in 2): action 1: no answer within 0.3 s"),
    ("illegal-move", 1, "illegal: rook-from-the-past (mate in 2): action 1: `(0T1)a2(0T1)d4`"),
    ("other-side", 1, "illegal: rook-from-the-past (mate in 2): action 1: `(0T1)d4(0T1)c4`"),
    ("no-notation", 1, "illegal: rook-from-the-past (mate in 2): action 1: `Ra4`"),
    (
        "submits-early",
        1,
        "illegal: rook-from-the-past (mate in 2): action 1: `` cannot be submitted: an action needs",
    ),
    ("no-move", 1, "no-move: rook-from-the-past (mate in 2): action 1: it says that there is no move"),
    ("false-mate", 1, "action 1, (0T1)Ra3a4: it announces mate in 1; the shortest is in 2"),
    ("loses-the-mate", 1, "lost-mate: rook-from-the-past (mate in 2): action 1, (0T1)K"),
    (
        "answers-after-quit",
        1,
        "at the end: babbled: after `quit`: it says `bestmove`, which nobody asked for",
    ),
    ("stays-after-quit", 1, "at the end: hung: it does not end after `quit`"),
    ("fails-after-quit", 1, "at the end: crashed: after `quit` it ends badly: exit status: 9"),
    ("leaves-a-child", 1, "at the end: hung: it ends and leaves a program running"),
];

pub fn trials(trials: &mut Vec<Trial>) {
    for (kind, code, report) in KINDS {
        // Only Linux shows whether a process without a pipe still runs.
        if kind == "leaves-a-child" && !cfg!(target_os = "linux") {
            continue;
        }
        trials.push(Trial::test(format!("engine: {kind}"), move || examined(kind, code, report)));
    }
    trials.push(Trial::test("engine: compliance", compliance));
    trials.push(Trial::test("engine: match", games));
    trials.push(Trial::test("engine: match of three", tournaments));
    trials.push(Trial::test("engine: match by scores", by_scores));
    trials.push(Trial::test("engine: recorded, compared and known", recorded));
}

/// The command of an engine, and a word by which its processes are found.
fn command(kind: &str) -> Result<(String, String), Failed> {
    // Tests run in parallel, and each looks for its own engines.
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let exe = std::env::current_exe()?;
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let tag = format!("worldlines-test-{}-{number}-{kind}", std::process::id());
    let quoted = exe.display().to_string().replace('\\', "/");
    Ok((format!("'{quoted}' {WORD} {kind} {tag}"), tag))
}

fn verify(engine: &str, more: &[&str]) -> Result<(Option<i32>, String), Failed> {
    let output = Command::new(env!("CARGO_BIN_EXE_worldlines"))
        .current_dir(root())
        .args(["verify", "--engine", engine, "--time-per-action", "0.3", "--name", "test"])
        .args(more)
        .output()?;
    let complaint = String::from_utf8(output.stderr)?;
    Ok((output.status.code(), String::from_utf8(output.stdout)? + &complaint))
}

fn examined(kind: &str, code: i32, report: &str) -> Result<(), Failed> {
    let (engine, tag) = command(kind)?;
    let begun = Instant::now();
    let whole: &[&str] = if kind.ends_with("-whole") { &["--whole-actions"] } else { &[] };
    let (exit, said) = verify(&engine, &[&[PUZZLE], whole].concat())?;
    if exit != Some(code) || !said.contains(report) {
        return Err(format!("expected exit code {code} and {report:?}, but found {exit:?}:\n{said}").into());
    }
    // Little more than a second is needed, but the machine may be busy.
    if begun.elapsed() > Duration::from_secs(60) {
        return Err(format!("it took {:?}", begun.elapsed()).into());
    }
    nothing_runs(&tag)
}

/// Checks that no process is left with this word in its command.
fn nothing_runs(tag: &str) -> Result<(), Failed> {
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let runs = |entry: &std::fs::DirEntry| {
            let command = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(tag)
        };
        let left: Vec<_> = processes.filter(runs).map(|entry| entry.file_name()).collect();
        if left.is_empty() {
            return Ok(());
        }
        if Instant::now() > deadline {
            return Err(format!("these processes are left: {left:?}").into());
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Checks that engines which keep to the protocol pass, and that others do not.
fn compliance() -> Result<(), Failed> {
    for (kind, code, expected) in [
        ("not-at-all", 0, "test: 18 kept, 0 not, 0 not asked"),
        ("ignores-stop", 1, "NO  answers `stop` with a move: hung"),
        ("answers-twice", 1, "NO  plays from `position startpos`: babbled"),
        ("stays-after-quit", 1, "NO  says `bye` and ends after `quit`: hung"),
    ] {
        let (engine, tag) = command(kind)?;
        let (exit, said) = verify(&engine, &["--compliance"])?;
        if exit != Some(code) || !said.contains(expected) {
            return Err(format!("{kind}: expected {code} and {expected:?}, found {exit:?}:\n{said}").into());
        }
        nothing_runs(&tag)?;
    }
    Ok(())
}

/// Checks that games are played in pairs, kept and continued, that an illegal action loses, and that
/// transcripts are kept.
fn games() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (good, tag) = command("not-at-all")?;
    let (bad, bad_tag) = command("illegal-move")?;
    let out = path("games.5dpgn");
    let play_for = |b: &str, time: [&str; 2], more: &[&str]| -> Result<(Option<i32>, String), Failed> {
        let output = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .current_dir(root())
            .args(["match", &good, b, "--opening", PUZZLE])
            .args(time)
            .args(more)
            .output()?;
        let complaint = String::from_utf8(output.stderr)?;
        Ok((output.status.code(), String::from_utf8(output.stdout)? + &complaint))
    };
    let play = |b: &str, more: &[&str]| play_for(b, ["--move-time", "0.3"], more);
    let expect = |(exit, said): (Option<i32>, String), code: i32, words: &str| -> Result<(), Failed> {
        if exit == Some(code) && said.contains(words) {
            return Ok(());
        }
        Err(format!("expected exit code {code} and {words:?}, but found {exit:?}:\n{said}").into())
    };
    expect(play(&good, &["-o", &out])?, 0, "A against B: 2 games: 1 won, 0 drawn, 1 lost")?;
    let first = std::fs::read_to_string(&out)?;
    expect(play(&good, &["-o", &out, "--games", "4", "--jobs", "2"])?, 0, "4 games: 2 won, 0 drawn, 2 lost")?;
    let text = std::fs::read_to_string(&out)?;
    if !text.starts_with(&first) || !text.contains(" s}") {
        return Err(format!("games are kept, with the time of each action:\n{text}").into());
    }
    let kept = worldlines::notation::games(&text).into_iter().map(|part| {
        let game = worldlines::notation::pgn5d::parse(part.of(&text)).into_result();
        game.map(|game| (game.end().is_checkmate(), game.actions.len()))
    });
    let kept: Vec<_> = kept.collect::<Result<_, _>>().map_err(|error| error.issue.message.clone())?;
    if kept.len() != 4 || kept.iter().any(|(mated, actions)| !mated || *actions != 3) {
        return Err(format!("expected four games of three actions that end in mate: {kept:?}").into());
    }
    expect(play(&good, &["-o", &out, "--name-b", "C"])?, 2, "it has games of other engines")?;
    expect(play(&good, &["-o", &out])?, 2, "it has a game 3, and this match has 2 games")?;
    let why = "its game 1 was played with MostActions 200; this match has MostActions 20";
    expect(play(&good, &["-o", &out, "--games", "4", "--most-actions", "20"])?, 2, why)?;
    expect(play(&good, &["-o", &path("no-folder/games.5dpgn")])?, 2, "error: cannot write ")?;
    let clock = ["--clock", "20+0.5"];
    // A mate with the last allowed action of a game counts.
    expect(play(&good, &["--most-actions", "3"])?, 0, "2 games: 1 won, 0 drawn, 1 lost")?;
    let why = "its game 1 was played with TimePerAction 0.3; this match has TimeControl 20+0.5";
    expect(play_for(&good, clock, &["-o", &out])?, 2, why)?;
    let clocks = path("clocks.5dpgn");
    let said = play_for(&good, clock, &["-o", &clocks])?;
    expect(said, 0, "least time left on a clock: A ")?;
    let said = std::fs::read_to_string(&clocks)?;
    if said.matches(" s [%clk 0:00:2").count() + said.matches(", mate").count() < 6 {
        return Err(format!("every action has the clock after it:\n{said}").into());
    }
    expect(play_for(&good, clock, &["-o", &clocks, "--games", "4"])?, 0, "4 games: 2 won")?;
    let (late, late_tag) = command("answers-only-stop")?;
    expect(play_for(&late, ["--clock", "0.05+0"], &[])?, 1, "B: out-of-time: it thought for 0.")?;
    nothing_runs(&late_tag)?;
    let transcripts = path("transcripts");
    let said = play(&bad, &["--transcripts", &transcripts])?;
    expect(said, 1, "game 2: B: illegal: `(0T1)a2(0T1)d4`")?;
    let transcript = std::fs::read_to_string(folder.path().join("transcripts/game-2.txt"))?;
    if !transcript.contains("< bestmove (0T1)a2(0T1)d4") {
        return Err(format!("the answer is in the transcript:\n{transcript}").into());
    }
    nothing_runs(&tag)?;
    nothing_runs(&bad_tag)
}

/// Checks a tournament of three engines, of which one plays nothing legal: names, options, tables, openings from lists, proven mates.
fn tournaments() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (good, tag) = command("not-at-all")?;
    let (bad, bad_tag) = command("illegal-move")?;
    let engines = [
        format!("cmd={} name=Ada option.Depth=3", shell_words::quote(&good)),
        format!("name='Bad one' cmd={}", shell_words::quote(&bad)),
        format!("name=Cy move-time=0.4 cmd={}", shell_words::quote(&good)),
    ];
    let openings = path("openings.5dfen");
    let position = "[r2k/4/4/R2K:0:1:w]";
    std::fs::write(&openings, format!("{position}\n\n[3k/4/4/R2K:0:1:w]\n\n"))?;
    let (games, transcripts) = (path("games.5dpgn"), path("transcripts"));
    let play = |more: &[&str]| -> Result<(Option<i32>, String), Failed> {
        let output = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .arg("match")
            .args(&engines)
            .args(["--move-time", "0.3", "--most-actions", "4", "-o", &games, "--transcripts", &transcripts])
            .args(more)
            .output()?;
        let complaint = String::from_utf8(output.stderr)?;
        Ok((output.status.code(), String::from_utf8(output.stdout)? + &complaint))
    };
    let (exit, said) = play(&["--opening", &openings, "--games", "4", "--jobs", "2", "--width", "60"])?;
    let lines = |said: &str, begin: &str| said.lines().filter(|line| line.starts_with(begin)).count();
    let wide = said.lines().find(|line| line.chars().count() > 60);
    let is_right = exit == Some(1)
        && wide.is_none()
        && lines(&said, "game ") == 8
        && said.contains("3 Bad one")
        && said.contains(" 4/4")
        && said.contains("endings: illegal 8, length limit 4");
    if !is_right {
        return Err(format!("exit code {exit:?}, and {wide:?} is too wide in:\n{said}").into());
    }
    let text = std::fs::read_to_string(&games)?;
    let rounds: Vec<String> = (1..=12).map(|round| format!("[Round \"{round}\"]")).collect();
    let found: Vec<&str> = text.lines().filter(|line| line.starts_with("[Round ")).collect();
    let has_times = text.contains("[BlackTimePerAction \"0.4\"]") && text.contains("[TimePerAction \"0.3\"]");
    if found != rounds || !has_times || text.matches("[r2k/4/4/R2K:0:1:w]").count() != 6 {
        return Err(
            format!("expected twelve games in their order, half of them from {position}:\n{text}").into()
        );
    }
    let transcript = std::fs::read_to_string(folder.path().join("transcripts/game-1.txt"))?;
    if transcript.contains("Depth") {
        return Err(format!("the option belongs to Ada alone:\n{transcript}").into());
    }
    let (exit, said) = play(&["--opening", "Small"])?;
    if exit != Some(2) || !said.contains("its game 1 has another opening") {
        return Err(format!("another opening is refused, and not {exit:?}:\n{said}").into());
    }
    std::fs::remove_file(&games)?;
    let puzzle = root().join(PUZZLE).display().to_string();
    let (exit, said) = play(&["--opening", &puzzle, "--tournament", "gauntlet", "--adjudicate", "2"])?;
    let proven = "[Termination \"mate in 2 proven: (0T1)Ra3a4\"]";
    let text = std::fs::read_to_string(&games)?;
    if exit != Some(0) || !said.contains("endings: mate in 2 proven 4") || text.matches(proven).count() != 4 {
        return Err(
            format!("a mate in two is proven before an action, and not {exit:?}:\n{said}\n{text}").into()
        );
    }
    nothing_runs(&tag)?;
    nothing_runs(&bad_tag)
}

/// Checks that scores end games, that an engine without scores is refused then, and that a decided match plays nothing more.
fn by_scores() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let opening = path("opening.5dfen");
    std::fs::write(&opening, "[r2k/4/4/R2K:0:1:w]\n")?;
    let (bad, tag) = command("scores:-700")?;
    let (sure, _) = command("scores:+700")?;
    let (even, _) = command("scores:5")?;
    let (silent, _) = command("not-at-all")?;
    let play = |engines: [&str; 2], more: &[&str]| -> Result<(Option<i32>, String), Failed> {
        let output = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .args(["match", engines[0], engines[1], "--opening", &opening, "--move-time", "0.3"])
            .args(["--most-actions", "6"])
            .args(more)
            .output()?;
        let complaint = String::from_utf8(output.stderr)?;
        Ok((output.status.code(), String::from_utf8(output.stdout)? + &complaint))
    };
    let games = path("games.5dpgn");
    let resign = ["--resign", "score=600 actions=2 two-sided", "-o", &games];
    for (engines, more, code, words) in [
        ([&*sure, &*bad], &resign[..], 0, "A against B: 2 games: 2 won, 0 drawn, 0 lost"),
        ([&sure, &bad], &["--resign", "score=701 actions=1"], 0, "endings: length limit 2"),
        ([&sure, &sure], &resign[..2], 0, "endings: length limit 2"),
        ([&even, &even], &["--draw", "score=5 actions=1 after=3"], 0, "endings: drawn by scores 2"),
        ([&sure, &silent], &resign[..2], 2, "error: B gives no score with its action"),
        (
            [&sure, &bad],
            &["-o", &games],
            2,
            "its game 1 was played with Resign score=600 actions=2 two-sided;",
        ),
    ] {
        let (exit, said) = play(engines, more)?;
        if exit != Some(code) || !said.contains(words) {
            return Err(format!("{more:?}: expected {code} and {words:?}, found {exit:?}:\n{said}").into());
        }
    }
    let text = std::fs::read_to_string(&games)?;
    // Each game has two actions of each player.
    let won = "[Termination \"won by scores: Black says -600 or less in 2 actions and White 600 or more\"]";
    if !text.contains(won)
        || text.matches("s, cp 700}").count() != 4
        || text.matches("s, cp -700}").count() != 4
    {
        return Err(format!("scores are kept beside actions, and the reason in a header:\n{text}").into());
    }
    std::fs::remove_file(&games)?;
    let test = [&resign[..], &["--sprt", "-200,200", "--jobs", "2", "--games", "200"]].concat();
    let (exit, said) = play([&sure, &bad], &test)?;
    let decided = std::fs::read_to_string(&games)?;
    let (again, _) = play([&sure, &bad], &test)?;
    if exit != Some(0) || again != exit || std::fs::read_to_string(&games)? != decided {
        return Err(
            format!("a decided match plays nothing, and not {again:?} after {exit:?}:\n{said}").into()
        );
    }
    nothing_runs(&tag)
}

/// Checks that a recording gives the same report again, that a case which got worse is a finding, and that a
/// known one is none.
fn recorded() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (engine, _) = command("not-at-all")?;
    let asked = ["--negatives", PUZZLE];
    let (exit, good) = verify(&engine, &[&asked[..], &["--record", &path("good")]].concat())?;
    let replay = format!("replay:{}", path("good"));
    let again = verify(&replay, &asked)?;
    if exit != Some(0) || again != (exit, good.clone()) {
        return Err(format!("expected the same again:\n{good}\nbut found:\n{}", again.1).into());
    }
    let (_, json) = verify(&replay, &[&asked[..], &["--format", "json"]].concat())?;
    std::fs::write(path("before.json"), &json)?;
    let (engine, _) = command("loses-the-mate")?;
    let before = path("before.json");
    let (exit, said) = verify(&engine, &[PUZZLE, "--baseline", &before])?;
    if exit != Some(1) || !said.contains("worse than before: rook-from-the-past") {
        return Err(format!("it got worse:\n{said}").into());
    }
    let known = "schema: worldlines/known-1\noracle: test\ndifferences:\n\
                 - {cases: [rook-from-the-past], reason: it is greedy, link: nowhere}\n";
    std::fs::write(path("known.yaml"), known)?;
    let known = path("known.yaml");
    let (exit, said) = verify(&engine, &[PUZZLE, "--known", &known])?;
    if exit != Some(0) || !said.contains("known lost-mate") || !said.contains("it is greedy (nowhere)") {
        return Err(format!("it is known:\n{said}").into());
    }
    let (exit, said) = verify(&replay, &[&asked[..], &["--known", &known]].concat())?;
    if exit != Some(1) || !said.contains("SURPRISE solved: rook-from-the-past") {
        return Err(format!("it is a surprise:\n{said}").into());
    }
    Ok(())
}

/// Runs as the engine until it is told to quit.
pub fn engine(kind: &str) {
    if kind == "sleeps" {
        thread::sleep(Duration::from_secs(600));
        return;
    }
    if kind == "dies-at-start" {
        std::process::exit(7);
    }
    let mut position = "position startpos".to_owned();
    let mut answered = 0;
    // The answer that is given as soon as `stop` comes.
    let mut waits = None;
    // Whether `readyok` must follow it.
    let mut is_asked = false;
    for line in io::stdin().lock().lines() {
        let line = line.expect("lines of text");
        match line.split(' ').next().unwrap_or_default() {
            "5duci" => say("5duciok"),
            "isready" => {
                if kind == "answers-unasked" && answered == 0 {
                    say("bestmove (0T1)a3(0T1)a4");
                }
                if waits.is_some() { is_asked = true } else { say("readyok") }
            }
            "position" => position = line,
            "stop" => {
                if let Some(answer) = waits.take() {
                    say(answer);
                }
                if std::mem::take(&mut is_asked) {
                    say("readyok");
                }
            }
            "quit" => {
                quit(kind);
                return;
            }
            "go" => {
                answered += 1;
                waits = think(kind, &position, answered, line == "go");
            }
            _ => {}
        }
    }
}

/// Answers, or returns the answer that waits for `stop`.
fn think(kind: &str, position: &str, nth: u32, forever: bool) -> Option<&'static str> {
    match kind {
        "dies-mid-search" => {
            eprintln!("no more");
            std::process::exit(3);
        }
        "dies-after-an-action" if nth > 2 => std::process::exit(4),
        "never-answers" => thread::sleep(Duration::from_secs(600)),
        "ignores-stop" => {}
        "megabyte-lines" => say(&format!("info string {}", "x".repeat(2 << 20))),
        "floods-info" => loop {
            say("info depth 1 nodes 1 score cp 0");
        },
        "invalid-utf8" => {
            let mut out = io::stdout().lock();
            let _ = out.write_all(b"info \xff\xfe\n").and_then(|()| out.flush());
        }
        "no-newline" => {
            let mut out = io::stdout().lock();
            let _ = out.write_all(b"bestmove (0T1)a3(0T1)a4").and_then(|()| out.flush());
        }
        "illegal-move" => say("bestmove (0T1)a2(0T1)d4"),
        "other-side" => say("bestmove (0T1)d4(0T1)c4"),
        "no-notation" => say("bestmove Ra4"),
        "submits-early" => say("bestmove submit"),
        "no-move" => say("nobestmove"),
        _ => {
            let answer = answer(kind, position);
            if kind == "false-mate" {
                say("info depth 1 score mate 1");
            }
            if let Some(score) = kind.strip_prefix("scores:") {
                say(&format!("info depth 1 score cp {score}"));
            }
            // Without a limit the answer comes only after `stop`, as in UCI.
            if forever || kind == "answers-only-stop" {
                return Some(answer.leak());
            }
            say(&answer);
            if kind == "answers-twice" {
                say(&answer);
            }
        }
    }
    None
}

#[expect(clippy::zombie_processes, reason = "one engine leaves a program running on purpose")]
fn quit(kind: &str) {
    match kind {
        "stays-after-quit" => {
            say("bye");
            thread::sleep(Duration::from_secs(600));
        }
        "leaves-a-child" => {
            let tag = std::env::args().nth(3).unwrap_or_default();
            let exe = std::env::current_exe().expect("this program");
            let mut child = Command::new(exe);
            child.args([WORD, "sleeps", &tag]);
            child.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            child.spawn().expect("this program starts again");
            say("bye");
        }
        _ => say("bye"),
    }
    match kind {
        "answers-after-quit" => say("bestmove (0T1)a3(0T1)a4"),
        "fails-after-quit" => std::process::exit(9),
        _ => {}
    }
}

/// The answer of a good engine: the next move of a mating action if there is one, or `submit`.
fn answer(kind: &str, position: &str) -> String {
    let (whole, begun) = match position.rsplit_once("submit") {
        Some((before, after)) => (format!("{before}submit"), after),
        None => match position.split_once(" moves ") {
            Some((before, after)) => (before.to_owned(), after),
            None => (position.to_owned(), ""),
        },
    };
    let game: Game = uci5d::parse(&whole).into_result().expect("a position line");
    let made = begun.split_ascii_whitespace().count();
    let Some(action) = best(kind, &game, begun) else { return "nobestmove".into() };
    if kind.ends_with("-whole") {
        let moves: Vec<String> = action.moves().iter().map(uci5d::move_text).collect();
        return format!("bestmove {}", moves.join(" "));
    }
    match action.moves().get(made) {
        Some(m) => format!("bestmove {}", uci5d::move_text(m)),
        None => "bestmove submit".into(),
    }
}

fn best(kind: &str, game: &Game, begun: &str) -> Option<Action> {
    let position = game.end();
    let mut prover = Prover::new(Budget::steps(100_000));
    // Whether an action begins with the moves that were made, in any spelling.
    let mut partial = PartialAction::new(position.clone());
    for text in begun.split_ascii_whitespace() {
        let m = uci5d::parse_move(&partial, text).expect("a move of the host");
        partial.push(m).expect("it was read as one that can be made");
    }
    let fits = |action: &Action| action.moves().starts_with(partial.moves());
    if kind == "loses-the-mate" {
        return position.legal_actions().filter(fits).find(|action| {
            let mut after = position.clone();
            after.play(action).is_ok() && prover.surviving_defence(&after, 1).is_ok_and(|d| d.is_some())
        });
    }
    let mating = (1..=2).find_map(|n| prover.mating_answer(&position, n).ok().flatten());
    mating.filter(fits).or_else(|| position.legal_actions().find(fits))
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    // Writing fails only if the engine is about to be killed.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
