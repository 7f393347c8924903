//! The parts that every command has: [`Command`]. A command is one file with its arguments and this trait, and one row of the
//! table in `mod.rs`.

use std::io::Write;

use super::exit::{Exit, Failure};
use super::output::Format;
use super::source::Source;

/// Makes the whole command line.
pub type CommandLine = fn() -> clap::Command;

/// A command of the command line.
pub trait Command {
    /// Answers, for one game where the command reads a file of games. Completions are about the whole command line.
    ///
    /// # Errors
    ///
    /// When there is no answer.
    fn run(&self, command_line: CommandLine, out: &mut impl Write) -> Result<Exit, Failure>;

    /// The format in which failures are printed too.
    fn format(&self) -> Format {
        Format::Text
    }

    /// The file of games that the command reads, if it reads one.
    fn source(&mut self) -> Option<&mut Source> {
        None
    }

    /// Refuses a file of so many games, if the command answers for one only.
    ///
    /// # Errors
    ///
    /// When it refuses.
    fn refuse_several(&self, _count: usize) -> Result<(), Failure> {
        Ok(())
    }

    /// Prints a heading for a game of several, by default its number (from 0).
    ///
    /// # Errors
    ///
    /// When it cannot be printed.
    fn begin_another(&self, game: usize, count: usize, out: &mut impl Write) -> Result<(), Failure> {
        Ok(writeln!(out, "game {} of {count}:", game + 1)?)
    }
}

/// Declares the modules of the commands, and an enum of their arguments that passes every question on.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident: $module:ident,)*) => {
        $(mod $module;)*

        /// The command that was chosen. Help lists the commands in this order.
        #[derive(clap::Subcommand)]
        enum Chosen {
            $($(#[$about])* $name(Box<$module::Arguments>),)*
        }

        impl Command for Chosen {
            fn run(&self, command_line: CommandLine, out: &mut impl Write) -> Result<Exit, Failure> {
                match self { $(Chosen::$name(arguments) => arguments.run(command_line, out),)* }
            }

            fn format(&self) -> Format {
                match self { $(Chosen::$name(arguments) => arguments.format(),)* }
            }

            fn source(&mut self) -> Option<&mut Source> {
                match self { $(Chosen::$name(arguments) => arguments.source(),)* }
            }

            fn refuse_several(&self, count: usize) -> Result<(), Failure> {
                match self { $(Chosen::$name(arguments) => arguments.refuse_several(count),)* }
            }

            fn begin_another(&self, game: usize, count: usize, out: &mut impl Write) -> Result<(), Failure> {
                match self { $(Chosen::$name(arguments) => arguments.begin_another(game, count, out),)* }
            }
        }
    };
}
pub(super) use commands;
