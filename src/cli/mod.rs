//! The command line: one file per command.

mod completions;
mod convert;
mod count;
mod exit;
mod files;
mod input;
mod show;
mod solve;
mod status;
mod time;
mod verify;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

use exit::{Exit, Failure};
use worldlines::notation::printable;

/// Rules, notations and verified puzzles for 5D Chess With Multiverse Time Travel
#[derive(Parser)]
#[command(name = "worldlines", bin_name = "worldlines", version, after_help = exit::HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
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

/// How an answer is printed.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// For programs; the field `schema` names the shape and its version
    Json,
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    let arguments = arguments();
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut out = io::BufWriter::new(Patient { out: io::stdout().lock(), closed: false });
        let exit = match arguments.command {
            Command::Verify(arguments) => verify::run(&arguments, &mut out),
            Command::Count(arguments) => count::run(&arguments, &mut out),
            Command::Status(arguments) => status::run(&arguments, &mut out),
            Command::Show(arguments) => show::run(&arguments, &mut out),
            Command::Convert(arguments) => convert::run(&arguments, &mut out),
            Command::Solve(arguments) => solve::run(&arguments, &mut out),
            Command::Completions(arguments) => completions::run(&arguments, &mut out),
        };
        // What was found before a failure is still worth having.
        out.flush()?;
        exit
    }));
    let exit = match ran {
        Ok(Ok(exit)) => exit,
        Ok(Err(Failure::Usage(message))) => {
            complain(&message);
            Exit::Usage
        }
        Err(_) => {
            complain("error: this is a bug in worldlines; please report it with the command and its input");
            Exit::Bug
        }
    };
    exit.into()
}

/// What the command line says. When it says nothing sensible this ends the program.
fn arguments() -> Arguments {
    Arguments::try_parse().unwrap_or_else(|error| {
        // The complaint repeats an argument as it is, and that may be the name of a file.
        let shown = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()));
        Arguments::try_parse_from(shown).err().unwrap_or(error).exit()
    })
}

/// An output that takes no offence when its reader leaves: the answer's exit code does not depend on how much was read.
struct Patient<W> {
    out: W,
    closed: bool,
}

impl<W: Write> Patient<W> {
    fn unless_closed<T>(&mut self, otherwise: T, act: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.closed {
            return Ok(otherwise);
        }
        match act(&mut self.out) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(otherwise)
            }
            done => done,
        }
    }
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), W::flush)
    }
}

/// Says something on standard error. When nobody listens there, nothing can be done about it.
fn complain(message: &str) {
    let lines: Vec<String> = message.trim_end().lines().map(printable).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

/// Prints a value as one line of JSON.
fn print_json(out: &mut impl Write, value: &impl serde::Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_of_all_commands_fit_together() {
        super::Arguments::command().debug_assert();
    }
}
