//! The command line: one file for each command. Begin at [`run`].

mod actions;
mod bug;
mod ci;
mod completions;
mod compose;
mod conformance;
mod contest;
mod convert;
mod count;
mod diff;
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
mod oracle;
mod output;
mod page;
mod play;
mod report;
mod serve;
mod shipped;
mod show;
mod similar;
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
use source::Source;
use terminal::{Color, say};
use worldlines::notation::printable;

/// Rules, notations and verified puzzles for 5D Chess With Multiverse Time Travel
#[derive(Parser)]
#[command(name = "worldlines", bin_name = "worldlines", version, after_help = exit::HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Use colours; `auto` means on a terminal, unless the variable NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Arguments),
    Actions(actions::Arguments),
    Count(count::Arguments),
    Status(status::Arguments),
    Show(show::Arguments),
    Convert(convert::Arguments),
    Solve(solve::Arguments),
    Judge(judge::Arguments),
    Match(contest::Arguments),
    Play(play::Arguments),
    Explain(explain::Arguments),
    Init(init::Arguments),
    New(Box<new::Arguments>),
    Fmt(fmt::Arguments),
    Lint(lint::Arguments),
    Mine(mine::Arguments),
    Compose(compose::Arguments),
    Similar(similar::Arguments),
    Diff(diff::Arguments),
    Conformance(conformance::Arguments),
    Report(report::Arguments),
    Engine(engine::Arguments),
    Export(export::Arguments),
    Serve(serve::Arguments),
    Completions(completions::Arguments),
}

impl Command {
    /// The format of the answer.
    fn format(&self) -> Format {
        match self {
            Command::Verify(arguments) => arguments.format.of_errors(),
            Command::Actions(arguments) => arguments.input.format,
            Command::Count(arguments) => arguments.input.format,
            Command::Status(arguments) => arguments.input.format,
            Command::Show(arguments) => arguments.format_of_errors(),
            Command::Convert(arguments) => arguments.format,
            Command::Solve(arguments) => arguments.input.format,
            Command::Judge(arguments) => arguments.format,
            Command::Match(arguments) => arguments.format,
            Command::Diff(arguments) => arguments.format.of_errors(),
            Command::Conformance(arguments) => arguments.format.of_errors(),
            Command::Report(_) => Format::Json,
            Command::Similar(arguments) => arguments.format,
            Command::Explain(arguments) => arguments.format,
            Command::New(arguments) => arguments.input.format,
            Command::Fmt(arguments) => arguments.format,
            Command::Lint(arguments) => arguments.format,
            Command::Init(_)
            | Command::Mine(_)
            | Command::Compose(_)
            | Command::Play(_)
            | Command::Engine(_)
            | Command::Export(_)
            | Command::Serve(_)
            | Command::Completions(_) => Format::Text,
        }
    }

    /// The file of games that the command reads, if it reads one.
    fn source(&mut self) -> Option<&mut Source> {
        match self {
            Command::Actions(arguments) => Some(&mut arguments.input.source),
            Command::Count(arguments) => Some(&mut arguments.input.source),
            Command::Status(arguments) => Some(&mut arguments.input.source),
            Command::Show(arguments) => Some(&mut arguments.input.source),
            Command::Convert(arguments) => Some(&mut arguments.source),
            Command::Solve(arguments) => Some(&mut arguments.input.source),
            Command::New(arguments) => arguments.source(),
            Command::Explain(_)
            | Command::Init(_)
            | Command::Fmt(_)
            | Command::Lint(_)
            | Command::Verify(_)
            | Command::Judge(_)
            | Command::Match(_)
            | Command::Play(_)
            | Command::Mine(_)
            | Command::Compose(_)
            | Command::Similar(_)
            | Command::Diff(_)
            | Command::Conformance(_)
            | Command::Report(_)
            | Command::Engine(_)
            | Command::Export(_)
            | Command::Serve(_)
            | Command::Completions(_) => None,
        }
    }

    /// Answers for each selected game. If one fails, the command still answers for the others.
    fn run(&mut self, out: &mut impl Write) -> Result<Exit, Failure> {
        let Some(source) = self.source() else { return self.answer(out) };
        let (games, count) = source.open()?;
        if games.len() == 1 {
            return self.answer(out);
        }
        if let Command::Show(arguments) = self {
            arguments.refuse_several(count)?;
        }
        let is_text = self.format() == Format::Text;
        let mut exits = Vec::new();
        for game in games {
            match self {
                Command::Convert(arguments) if is_text => arguments.begin_another(game, count, out)?,
                _ if is_text => writeln!(out, "game {} of {count}:", game + 1)?,
                _ => {}
            }
            if let Some(source) = self.source() {
                source.choose(game);
            }
            exits.push(self.answer(out).or_else(|failure| {
                out.flush()?;
                self.report(&failure, out)?;
                say(&failure.shown);
                Ok::<Exit, Failure>(Exit::Usage)
            })?);
        }
        Ok(Exit::worst(exits))
    }

    /// Prints a failure for programs, if the format is JSON.
    fn report(&self, failure: &Failure, out: &mut impl Write) -> Result<(), Failure> {
        match self.format() {
            Format::Json => print_json(out, &json::Failed::new(&failure.error)),
            Format::Text => Ok(()),
        }
    }

    fn answer(&self, out: &mut impl Write) -> Result<Exit, Failure> {
        match self {
            Command::Verify(arguments) => verify::run(arguments, out),
            Command::Actions(arguments) => actions::run(arguments, out),
            Command::Count(arguments) => count::run(arguments, out),
            Command::Status(arguments) => status::run(arguments, out),
            Command::Show(arguments) => show::run(arguments, out),
            Command::Convert(arguments) => convert::run(arguments, out),
            Command::Solve(arguments) => solve::run(arguments, out),
            Command::Judge(arguments) => judge::run(arguments, out),
            Command::Match(arguments) => contest::run(arguments, out),
            Command::Play(arguments) => play::run(arguments, out),
            Command::Explain(arguments) => explain::run(arguments, out),
            Command::Init(arguments) => init::run(arguments, out),
            Command::New(arguments) => new::run(arguments, out),
            Command::Fmt(arguments) => fmt::run(arguments, out),
            Command::Lint(arguments) => lint::run(arguments, out),
            Command::Mine(arguments) => mine::run(arguments, out),
            Command::Compose(arguments) => compose::run(arguments, out),
            Command::Similar(arguments) => similar::run(arguments, out),
            Command::Diff(arguments) => diff::run(arguments, out),
            Command::Conformance(arguments) => conformance::run(arguments, out),
            Command::Report(arguments) => report::run(arguments, out),
            Command::Engine(arguments) => engine::run(arguments, out),
            Command::Export(arguments) => export::run(arguments, out),
            Command::Serve(arguments) => serve::run(arguments, out),
            Command::Completions(arguments) => completions::run(arguments, &mut Arguments::command(), out),
        }
    }
}

/// Runs the command line.
pub fn run() -> ExitCode {
    let Arguments { mut command, color } = arguments();
    bug::watch();
    terminal::set(color);
    let ran = catch_unwind(AssertUnwindSafe(|| {
        let mut out = io::BufWriter::new(UntilClosed::new(io::stdout().lock()));
        let mut exit = command.run(&mut out);
        if let Err(failure) = &exit {
            exit = command.report(failure, &mut out).and(exit);
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

/// Reads the command line. If it is wrong, this ends the program.
fn arguments() -> Arguments {
    let parse = |arguments: Vec<std::ffi::OsString>| {
        let command = Arguments::command().color(Color::of_arguments().of_help());
        Arguments::from_arg_matches(&command.try_get_matches_from(arguments)?)
    };
    parse(std::env::args_os().collect()).unwrap_or_else(|error| {
        // The message of the error repeats an argument literally, and that may be a malicious file name.
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
