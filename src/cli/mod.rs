//! The command line: one file for each command. Begin at [`run`].

mod actions;
mod bug;
mod ci;
mod command;
mod completions;
mod compose;
mod conformance;
mod contest;
mod convert;
mod count;
mod diff;
mod drawing;
mod engine;
mod exit;
mod explain;
mod export;
mod files;
mod finds;
mod fmt;
mod init;
mod input;
mod json;
mod judge;
mod lint;
mod mine;
mod new;
mod notation;
mod oracle;
mod output;
mod page;
mod patch;
mod play;
mod proof;
mod report;
mod review;
mod serve;
mod shipped;
mod show;
mod similar;
mod slips;
mod solve;
mod source;
mod status;
mod terminal;
mod time;
mod verify;

use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use command::{Command, commands};
use exit::{Exit, Failure};
use json::VERSION;
use output::{Format, UntilClosed, print_json};
use terminal::{Color, say};
use worldlines::notation::printable;

/// Rules, notations and verified puzzles for 5D Chess With Multiverse Time Travel
#[derive(Parser)]
#[command(
    name = "worldlines",
    bin_name = "worldlines",
    version = VERSION,
    after_help = exit::HELP,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct General {
    /// Use colours; `auto` means on a terminal, unless the variable NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 900)]
    color: Color,
}

commands! {
    Verify: verify,
    Actions: actions,
    Count: count,
    Status: status,
    Review: review,
    Show: show,
    Convert: convert,
    Solve: solve,
    Judge: judge,
    Match: contest, // `match` is a word of Rust
    Play: play,
    Explain: explain,
    Init: init,
    New: new,
    Fmt: fmt,
    Lint: lint,
    Mine: mine,
    Compose: compose,
    Similar: similar,
    Diff: diff,
    Conformance: conformance,
    Report: report,
    Engine: engine,
    Export: export,
    Serve: serve,
    Completions: completions,
}

/// Answers: once, or for each selected game of the file that the command reads.
fn answer(command: &mut dyn Command, out: &mut dyn Write) -> Result<Exit, Failure> {
    let Some(source) = command.source() else { return command.run(out) };
    let (games, count) = source.open()?;
    if games.len() == 1 {
        return command.run(out);
    }
    command.refuse_several(count)?;
    if command.format() == Format::Text && command.join().is_some() {
        return answer_joined(command, games, out);
    }
    let mut exits = Vec::new();
    for game in games {
        if command.format() == Format::Text {
            writeln!(out, "game {} of {count}:", game + 1)?;
        }
        exits.push(answer_game(command, game, out)?);
    }
    Ok(Exit::worst(exits))
}

/// Makes one text of the answers for several games.
fn answer_joined(
    command: &mut dyn Command,
    games: Range<usize>,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let (mut exits, mut texts) = (Vec::new(), Vec::new());
    for game in games {
        let mut text = Vec::new();
        exits.push(answer_game(command, game, &mut text)?);
        texts.extend(Some(text).filter(|text| !text.is_empty()));
    }
    if let Some(join) = command.join().filter(|_| !texts.is_empty()) {
        out.write_all(&join(&texts)?)?;
    }
    Ok(Exit::worst(exits))
}

/// Answers for one of several games. A failure is told, so that the others are answered too.
fn answer_game(command: &mut dyn Command, game: usize, out: &mut dyn Write) -> Result<Exit, Failure> {
    if let Some(source) = command.source() {
        source.choose(game);
    }
    command.run(out).or_else(|failure| {
        out.flush()?;
        report(command, &failure, out)?;
        say(&failure.shown);
        Ok(Exit::Usage)
    })
}

/// Prints a failure for programs, if the format is JSON.
fn report(command: &dyn Command, failure: &Failure, out: &mut dyn Write) -> Result<(), Failure> {
    match command.format() {
        Format::Json => print_json(out, &json::Failed::new(&failure.error)),
        Format::Text => Ok(()),
    }
}

/// Runs the command line.
pub fn run() -> ExitCode {
    let (mut chosen, General { color }) = arguments();
    bug::watch();
    terminal::set(color);
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut out = io::BufWriter::new(UntilClosed::new(io::stdout().lock()));
        let command = chosen.command();
        let mut exit = answer(command, &mut out);
        if let Err(failure) = &exit {
            exit = report(command, failure, &mut out).and(exit);
        }
        // Output that was printed before a failure is still useful.
        out.flush()?;
        exit
    }));
    let exit = match ran {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            say(&failure.shown);
            Exit::Usage
        }
        Err(_) => {
            say("error: this is a bug in worldlines; please report it with the command and its input");
            bug::keep_panic();
            Exit::Bug
        }
    };
    exit.into()
}

/// The command line with all commands.
fn all_commands() -> clap::Command {
    grouped(Chosen::augment_subcommands(General::command()))
}

/// Options that several commands have, by the heading under which their help stands.
const GROUPS: [(&str, &[&str]); 2] = [
    (
        "Reading a file",
        &[
            "from",
            "to-move",
            "before-error",
            "start",
            "zero-based",
            "unmoved-pawns",
            "check-marks",
            "game",
            "at",
        ],
    ),
    ("Limits", &["budget", "time", "memory", "evidence-budget", "jobs"]),
];

/// The command with its options in groups, and texts that fit the terminal.
fn grouped(command: clap::Command) -> clap::Command {
    let heading = |argument: &clap::Arg| {
        let option = argument.get_long()?;
        GROUPS.iter().find(|(_, options)| options.contains(&option)).map(|(heading, _)| *heading)
    };
    let after = command.get_after_help().map(|text| unwrapped(&text.to_string()));
    let command = command.max_term_width(WIDEST_HELP).mut_subcommands(grouped);
    let command = command.mut_args(|argument| match heading(&argument) {
        Some(heading) => argument.help_heading(heading),
        None => argument,
    });
    match after {
        Some(after) => command.after_help(after),
        None => command,
    }
}

/// A text whose paragraphs are a line each, to be wrapped again. Lines that begin with a blank stay.
fn unwrapped(text: &str) -> String {
    let mut out = String::new();
    let mut before = "";
    for line in text.lines() {
        let is_prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
        let joins = is_prose(before) && is_prose(line) && !before.ends_with(':');
        out += match (joins, out.is_empty()) {
            (true, _) => " ",
            (false, true) => "",
            (false, false) => "\n",
        };
        out += line;
        before = line;
    }
    out
}

/// The widest line of a help text; on a narrower terminal it is wrapped there.
const WIDEST_HELP: usize = 120;

/// Reads the command line. If it is wrong, this ends the program.
fn arguments() -> (Chosen, General) {
    let parse = |arguments: Vec<OsString>| {
        let mut texts = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
        let first = texts.find(|text| !text.starts_with('-'));
        let line = first.and_then(Chosen::line_of).unwrap_or_else(all_commands);
        let matches = line.color(Color::of_arguments().of_help()).try_get_matches_from(arguments)?;
        Ok((Chosen::from_arg_matches(&matches)?, General::from_arg_matches(&matches)?))
    };
    parse(std::env::args_os().collect()).unwrap_or_else(|error: clap::Error| {
        // The message of the error repeats an argument literally, and that may be a malicious file name.
        let shown = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()).into());
        parse(shown.collect()).err().unwrap_or(error).exit()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_all_commands_fit_together() {
        all_commands().debug_assert();
    }

    #[test]
    fn each_command_is_described_alone_as_among_all() {
        for command in all_commands().get_subcommands() {
            let alone = Chosen::line_of(command.get_name()).expect("it is a command");
            let alone = alone.find_subcommand(command.get_name()).expect("it is the one");
            let help = |command: &clap::Command| command.clone().render_long_help().to_string();
            assert_eq!(help(alone), help(command));
        }
        let text = "Examples:\n  one\n  two\n\nExit codes: 0,\n1 or 2.\n\n  . k\n  K .";
        assert_eq!(unwrapped(text), "Examples:\n  one\n  two\n\nExit codes: 0, 1 or 2.\n\n  . k\n  K .");
        assert!(Chosen::line_of("Count").is_none() && Chosen::line_of("help").is_none());
    }
}
