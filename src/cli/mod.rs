//! The command line: one file per command.

mod completions;
mod convert;
mod count;
mod exit;
mod files;
mod input;
mod json;
mod output;
mod shipped;
mod show;
mod solve;
mod source;
mod status;
mod terminal;
mod time;
mod verify;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use exit::{Exit, Failure};
use output::{Format, UntilClosed, print_json};
use terminal::{Color, say};
use worldlines::notation::printable;

/// Rules, notations and verified puzzles for 5D Chess With Multiverse Time Travel
#[derive(Parser)]
#[command(name = "worldlines", bin_name = "worldlines", version, after_help = exit::HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// When to use colours; `auto` means on a terminal, unless the variable NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Arguments),
    Count(count::Arguments),
    Status(status::Arguments),
    Show(show::Arguments),
    Convert(convert::Arguments),
    Solve(solve::Arguments),
    Completions(completions::Arguments),
}

impl Command {
    /// How the answer is printed.
    fn format(&self) -> Format {
        match self {
            Command::Verify(arguments) => arguments.format,
            Command::Count(arguments) => arguments.input.format,
            Command::Status(arguments) => arguments.input.format,
            Command::Show(arguments) => arguments.input.format,
            Command::Convert(arguments) => arguments.format,
            Command::Solve(arguments) => arguments.input.format,
            Command::Completions(_) => Format::Text,
        }
    }

    fn run(&self, out: &mut impl Write) -> Result<Exit, Failure> {
        match self {
            Command::Verify(arguments) => verify::run(arguments, out),
            Command::Count(arguments) => count::run(arguments, out),
            Command::Status(arguments) => status::run(arguments, out),
            Command::Show(arguments) => show::run(arguments, out),
            Command::Convert(arguments) => convert::run(arguments, out),
            Command::Solve(arguments) => solve::run(arguments, out),
            Command::Completions(arguments) => completions::run(arguments, &mut Arguments::command(), out),
        }
    }
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let Arguments { command, color } = arguments();
    terminal::set(color);
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut out = io::BufWriter::new(UntilClosed::new(io::stdout().lock()));
        let mut exit = command.run(&mut out);
        if let (Err(failure), Format::Json) = (&exit, command.format()) {
            let printed = print_json(&mut out, &json::Failed::new(&failure.error));
            exit = printed.and(exit);
        }
        // What was found before a failure is still worth having.
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
            Exit::Bug
        }
    };
    exit.into()
}

/// What the command line asks for. When it cannot be understood this ends the program.
fn arguments() -> Arguments {
    let command = Arguments::command().color(Color::of_arguments().of_help());
    let parse = |arguments: Vec<std::ffi::OsString>| {
        Arguments::from_arg_matches(&command.clone().try_get_matches_from(arguments)?)
    };
    parse(std::env::args_os().collect()).unwrap_or_else(|error| {
        // The message repeats an argument as it is, and that may be the name of a file.
        let shown = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()).into());
        parse(shown.collect()).err().unwrap_or(error).exit()
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_of_all_commands_fit_together() {
        super::Arguments::command().debug_assert();
    }
}
