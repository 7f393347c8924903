//! Tests of the engine: the conversations of `spec/engine-protocol.md`, and the mates of the puzzles played
//! out.
//!
//! A conversation is a block in the language `5duci`. A line that begins with `$` starts the engine. Text
//! after `>` is sent to it, and text after `<` must be its next line. Lines of the engine that begin with
//! `info` may come between. `…` at the end stands for the rest of a line.
//!
//! `cargo test --release --test corpus -- --ignored --nocapture engine` prints the share of the mates that
//! the engine finds with 10 seconds for each action.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use worldlines::engine::{Question, think};
use worldlines::puzzle::{Goal, load};
use worldlines::search::{Analysis, Budget, Prover};
use worldlines::state::Position;
use worldlines::types::{Action, Limit, Status};

use super::{files, root, shown};

const PAGE: &str = "spec/engine-protocol.md";
/// The search steps of the engine's thinking, and the time for its answers.
const STEPS: u64 = 400_000;
const PATIENCE: Duration = Duration::from_secs(60);

pub fn trials(trials: &mut Vec<Trial>) {
    let page = fs::read_to_string(root().join(PAGE)).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
    for (line, block) in blocks(&page) {
        trials.push(Trial::test(format!("engine: {PAGE}:{line}"), move || converse(&block)));
    }
    trials.push(Trial::test("engine: input that is no conversation", odd_input));
    for (name, position, mate_in) in mates() {
        if mate_in <= 2 {
            let solved = move || match play_out(&position, mate_in, Limit::steps(STEPS)) {
                Ok(()) => Ok(()),
                Err(why) => Err(Failed::from(why)),
            };
            trials.push(Trial::test(format!("engine: mate in {mate_in}, {name}"), solved));
        }
    }
    trials.push(Trial::test("engine: mates in 10 seconds for each action", measure).with_ignored_flag(true));
}

/// The blocks of a page in the language `5duci`, with the line on which each begins.
fn blocks(page: &str) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in page.lines().enumerate() {
        match line {
            "```5duci" => {
                inside = true;
                blocks.push((number + 1, String::new()));
            }
            "```" => inside = false,
            _ if inside => {
                if let Some((_, block)) = blocks.last_mut() {
                    block.push_str(line);
                    block.push('\n');
                }
            }
            _ => {}
        }
    }
    blocks
}

/// A running engine.
struct Engine {
    process: Child,
    lines: Receiver<String>,
}

impl Engine {
    fn start(arguments: &str) -> Result<Engine, Failed> {
        let mut process = Command::new(env!("CARGO_BIN_EXE_worldlines"))
            .current_dir(root())
            .args(arguments.split_ascii_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or("no output")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
        Ok(Engine { process, lines })
    }

    /// The next line that is no information, or the next text if `with_texts`; `None` at the end.
    fn hear(&self, with_texts: bool) -> Option<String> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).ok()?;
            if !line.starts_with("info ") || with_texts && line.starts_with("info string ") {
                return Some(line);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn converse(block: &str) -> Result<(), Failed> {
    let mut lines = block.lines();
    let command =
        lines.next().and_then(|line| line.strip_prefix("$ worldlines ")).ok_or("no `$ worldlines`")?;
    let mut engine = Engine::start(command)?;
    for line in lines {
        if let Some(said) = line.strip_prefix("> ") {
            writeln!(engine.process.stdin.as_ref().ok_or("no input")?, "{said}")?;
        } else if let Some(expected) = line.strip_prefix("< ") {
            let heard = engine.hear(expected.starts_with("info ")).unwrap_or_default();
            let fits = match expected.strip_suffix('…') {
                Some(beginning) => heard.starts_with(beginning),
                None => heard == expected,
            };
            if !fits {
                return Err(format!("expected `{expected}`, but found `{heard}` in\n{block}").into());
            }
        } else {
            return Err(format!("expected `>` or `<`, but found `{line}`").into());
        }
    }
    drop(engine.process.stdin.take());
    if let Some(line) = engine.hear(false) {
        return Err(format!("expected the end, but found `{line}` after\n{block}").into());
    }
    let exit = engine.process.wait()?;
    if exit.success() { Ok(()) } else { Err(format!("{exit} after\n{block}").into()) }
}

/// Tests long lines, bytes that are no text, and inputs that end anywhere.
fn odd_input() -> Result<(), Failed> {
    let too_long = [b"position startpos moves ".as_slice(), &vec![b' '; 17 << 20], b"\ngo\nisready"].concat();
    let many_moves =
        [b"position startpos moves".as_slice(), &b" (0T1)e2e3 submit".repeat(100_000), b"\ngo\nisready"];
    let ready = b"isready\n".repeat(20_000);
    // (the input, the beginning of an answer, the number of times that it comes)
    let cases: [(&[u8], &str, usize); 8] = [
        (b"", "", 0),
        (b"isready", "readyok", 1),
        (b"go infinite", "bestmove ", 1),
        (b"\x00\xff\nposition startpos \xff\r\n\r\ngo\r\nisready\r\n", "nobestmove", 1),
        (b"quit\nisready\n", "bye", 1),
        (&too_long, "nobestmove", 1),
        (&many_moves.concat(), "info string error: position: column 42: illegal", 1),
        (&ready, "readyok", 20_000),
    ];
    for (input, answer, times) in cases {
        let mut engine = Engine::start("engine")?;
        let mut stdin = engine.process.stdin.take().ok_or("no input")?;
        let bytes = input.to_vec();
        // Answers are read meanwhile, so that no pipe fills up. The engine may end before it has read
        // everything.
        let writer = thread::spawn(move || drop(stdin.write_all(&bytes)));
        let heard: Vec<String> = engine.lines.iter().collect();
        writer.join().map_err(|_| "the writer panicked")?;
        let found = heard.iter().filter(|line| line.starts_with(answer)).count();
        let exit = engine.process.wait()?;
        let shown = String::from_utf8_lossy(&input[..input.len().min(60)]);
        if found != times || !exit.success() {
            return Err(
                format!("{shown:?}: expected {answer:?} {times} times, but found {found}; {exit}").into()
            );
        }
    }
    Ok(())
}

/// The puzzles whose goal is a mate: name, position, and number of actions.
fn mates() -> Vec<(String, Position, u32)> {
    let mut mates = Vec::new();
    let folders = fs::read_dir(root().join("puzzles")).expect("a folder of puzzles");
    let mut folders: Vec<_> = folders.map(|entry| entry.expect("a readable folder").path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let name = folder.file_name().expect("a name").to_string_lossy();
        for path in files(&format!("puzzles/{name}"), "yaml") {
            let bytes = fs::read(root().join(&path)).expect("a readable puzzle");
            for document in load(&shown(&path), &bytes) {
                let goal = document.puzzle.as_ref().map(|puzzle| puzzle.goal.value.clone());
                if let (Ok(Goal::MateIn(n)), Ok(game)) = (goal, document.game()) {
                    mates.push((document.id.clone(), game.end(), n.value));
                }
            }
        }
    }
    assert!(mates.len() > 40, "{} puzzles", mates.len());
    mates
}

/// Plays a mate out: the engine against the defence that lasts longest, and against the first ones that are
/// listed.
fn play_out(position: &Position, mate_in: u32, limit: Limit<'_>) -> Result<(), String> {
    const DEFENCES: usize = 12;
    let best = think(&Question::new(position.clone()), limit, &mut |_| ()).best.ok_or("no action")?;
    let after = |position: &Position, action: &Action| {
        let mut after = position.clone();
        after.play(action).map(|_| after).map_err(|why| format!("{action}: {why}"))
    };
    let reached = after(position, &best)?;
    if mate_in == 1 {
        let status = reached.status();
        let expected = Status::Checkmate;
        return if status == expected { Ok(()) } else { Err(format!("{status} after {best}")) };
    }
    let mut prover = Prover::new(Budget::steps(20_000_000));
    match prover.surviving_defence(&reached, mate_in - 1) {
        Ok(None) => {}
        other => return Err(format!("after {best}: {other:?}")),
    }
    let longest = Analysis::new(&mut prover, position, mate_in).line(&best).ok().flatten();
    let longest = longest.and_then(|line| line.get(1).cloned());
    for defence in longest.into_iter().chain(reached.legal_actions().take(DEFENCES)) {
        let again = after(&reached, &defence)?;
        play_out(&again, mate_in - 1, limit).map_err(|why| format!("{best} / {defence}: {why}"))?;
    }
    Ok(())
}

/// Prints the share of the mates that are found with 10 seconds for each action.
fn measure() -> Result<(), Failed> {
    const SECONDS: u64 = 10;
    let mut found = [(0, 0); 8];
    for (name, position, mate_in) in mates() {
        let solved = solved_in_time(&position, mate_in, Duration::from_secs(SECONDS));
        let (solved_so_far, all) = &mut found[mate_in as usize];
        *all += 1;
        match solved {
            Ok(()) => *solved_so_far += 1,
            Err(why) => println!("mate in {mate_in}, {name}: {why}"),
        }
    }
    for (mate_in, (solved, all)) in found.iter().enumerate().filter(|(_, (_, all))| *all > 0) {
        println!("mate in {mate_in}: {solved} of {all}");
    }
    Ok(())
}

/// Like [`play_out`], but with a clock, and only against the defence that lasts longest.
fn solved_in_time(position: &Position, mate_in: u32, time: Duration) -> Result<(), String> {
    let stop = AtomicBool::new(false);
    let best = thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        let flag = &stop;
        scope.spawn(move || {
            let _ = waiting.recv_timeout(time);
            flag.store(true, Ordering::Relaxed);
        });
        let best = think(&Question::new(position.clone()), Limit::NONE.stopping_on(&stop), &mut |_| ()).best;
        drop(done);
        best
    });
    let best = best.ok_or("no action")?;
    let mut prover = Prover::new(Budget::steps(50_000_000));
    let line = Analysis::new(&mut prover, position, mate_in)
        .line(&best)
        .map_err(|undecided| undecided.to_string())?;
    let line = line.ok_or_else(|| format!("{best} does not mate in {mate_in}"))?;
    let [_, defence, ..] = &line[..] else { return Ok(()) };
    let mut after = position.clone();
    for action in [&best, defence] {
        after.play(action).map_err(|why| why.to_string())?;
    }
    solved_in_time(&after, mate_in - 1, time).map_err(|why| format!("{best} / {defence} / {why}"))
}
