//! The command `worldlines-fuzz`.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use worldlines_fuzz::runs::{Inputs, measure, smoke};
use worldlines_fuzz::seeds::{self, Repository};
use worldlines_fuzz::{TARGETS, Target, certificates, games, replay};

const USAGE: &str = "\
usage: worldlines-fuzz about                     what each target asks, and what it reads
       worldlines-fuzz dictionary TARGET         the path of its dictionary, if it has one
       worldlines-fuzz replay [TARGET] FILE…     runs files, folders or hex:00ff without a fuzzer
       worldlines-fuzz seeds [FOLDER]            writes first inputs to FOLDER/TARGET/, by default to fuzz/corpus/
       worldlines-fuzz smoke [TARGET…]           what the smoke tests run
       worldlines-fuzz hunt [SECONDS [SERIES]] [TARGET…]     inputs from nothing and without guidance, until a finding
       worldlines-fuzz measure [SECONDS [SERIES]] [TARGET…]  how many runs, how fast, and how many inputs are refused
       worldlines-fuzz certificates COUNT [SERIES] FOLDER    certificates for another checker, with our verdicts
       worldlines-fuzz games COUNT [SERIES] FOLDER           games of random actions, a file for each

SERIES is a number: each has other inputs, which are the same in every run.
";

/// Prints a line. Whoever reads no further, as `head` does, is left alone.
macro_rules! say {
    ($($format:tt)*) => {
        writeln!(io::stdout(), $($format)*).unwrap_or_default()
    };
}

/// The file of a dictionary.
fn dictionary(name: &str) -> PathBuf {
    Repository::here().root.join(format!("fuzz/dictionaries/{name}.dict"))
}

/// Runs the command that the arguments name.
pub fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if words.iter().any(|word| matches!(*word, "-h" | "--help")) {
        let _ = write!(io::stdout(), "{USAGE}");
        return ExitCode::SUCCESS;
    }
    match words[..] {
        ["about"] => {
            for Target { name, about, dictionary, .. } in TARGETS {
                let input =
                    dictionary.map_or("choices".to_owned(), |name| format!("text, dictionary {name}"));
                say!("{name} ({input})\n    {about}");
            }
            ExitCode::SUCCESS
        }
        ["dictionary", name] => match Target::by_name(name) {
            Some(target) => {
                target.dictionary.iter().for_each(|name| say!("{}", dictionary(name).display()));
                ExitCode::SUCCESS
            }
            None => unknown(name),
        },
        ["replay", name, ..] => match Target::by_name(name) {
            Some(target) => replay::files(Some(target), &arguments[2..]),
            None if !name.contains(':') && !Path::new(name).exists() => {
                eprintln!("error: there is no target and no file `{name}`");
                ExitCode::from(2)
            }
            None => replay::files(None, &arguments[1..]),
        },
        ["seeds"] => written(Repository::here().root.join("fuzz/corpus")),
        ["seeds", folder] => written(PathBuf::from(folder)),
        ["certificates", count, ref rest @ ..] => made(certificates::write_all, count, rest),
        ["games", count, ref rest @ ..] => made(games::write_all, count, rest),
        ["smoke", ref names @ ..] => each(names, |target| {
            let begun = Instant::now();
            smoke(target, &Repository::here());
            say!("{:20} no bug in {:.1} s", target.name, begun.elapsed().as_secs_f64());
        }),
        ["hunt", ref rest @ ..] => {
            let (limit, series, names) = seconds_and_series(rest);
            each(names, |target| {
                let measured = measure(target, Inputs::from_nothing().of_series(series), limit);
                let (runs, refused) = (measured.runs, measured.refused());
                say!("{:20} no bug in {runs} runs, {refused:.1}% of them refused as no input", target.name);
            })
        }
        ["measure", ref rest @ ..] => {
            let (limit, series, names) = seconds_and_series(rest);
            say!("{:20} {:>10} {:>10} {:>9}", "target", "runs", "runs/s", "refused");
            each(names, |target| {
                let inputs = Inputs::with_seeds(target, &Repository::here()).of_series(series);
                let measured = measure(target, inputs, limit);
                let (runs, speed, refused) = (measured.runs, measured.speed(), measured.refused());
                say!("{:20} {runs:10} {speed:10.0} {refused:8.1}%", target.name);
            })
        }
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprint!("{USAGE}");
    ExitCode::from(2)
}

/// Writes so many things of a series, which is 0 unless it is given, to a folder.
fn made(write_all: fn(usize, u32, &Path) -> io::Result<()>, count: &str, rest: &[&str]) -> ExitCode {
    let (series, folder) = match *rest {
        [folder] => (Ok(0), folder),
        [series, folder] => (series.parse(), folder),
        _ => return usage(),
    };
    let (Ok(count), Ok(series)) = (count.parse(), series) else { return usage() };
    match write_all(count, series, Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {folder}: {error}");
            ExitCode::from(2)
        }
    }
}

fn unknown(name: &str) -> ExitCode {
    eprintln!("error: there is no target `{name}`");
    ExitCode::from(2)
}

fn written(folder: PathBuf) -> ExitCode {
    match seeds::write_all(TARGETS, &Repository::here(), &folder) {
        Ok(counts) => {
            counts.iter().for_each(|(name, count)| say!("{count:5} {name}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {}: {error}", folder.display());
            ExitCode::from(2)
        }
    }
}

/// A number of seconds and perhaps of a series, followed by other words. The time is one second if none is
/// given.
fn seconds_and_series<'w>(words: &'w [&'w str]) -> (Duration, u32, &'w [&'w str]) {
    let first = words.first().and_then(|word| word.parse().ok());
    let Some(limit) = first.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) else {
        return (Duration::from_secs(1), 0, words);
    };
    match words.get(1).and_then(|word| word.parse().ok()) {
        Some(series) => (limit, series, &words[2..]),
        None => (limit, 0, &words[1..]),
    }
}

/// Calls `with` for the targets of these names, or for all.
fn each(names: &[&str], mut with: impl FnMut(&'static Target)) -> ExitCode {
    if let Some(name) = names.iter().find(|name| Target::by_name(name).is_none()) {
        return unknown(name);
    }
    for target in TARGETS.iter().filter(|target| names.is_empty() || names.contains(&target.name)) {
        with(target);
    }
    ExitCode::SUCCESS
}
