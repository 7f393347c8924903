//! The parts that the commands have in common: the trait [`Command`] and the macro `commands`. A command is one file, with its
//! arguments and their `impl Command`, and one row of the list in `mod.rs`. If it prints JSON, its schema is a row of a test in `json.rs`.

use std::io::Write;

use super::exit::{Exit, Failure};
use super::output::Format;
use super::source::Source;

/// The arguments of a command, which know its answer.
pub trait Command {
    /// Answers, for one game where the command reads a file of games.
    ///
    /// # Errors
    ///
    /// Returns the failure that ends the command. `out` may have a part of the answer.
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure>;

    /// The format in which failures are printed too, beside their text on the standard error: the one that the user chose, or text.
    fn format(&self) -> Format;

    /// The file of games that the command reads, if it reads one. It is opened before [`run`](Command::run), once for each game.
    fn source(&mut self) -> Option<&mut Source> {
        None
    }

    /// Refuses a file of several games, if the command answers for one only. `count` says how many the file has.
    ///
    /// # Errors
    ///
    /// Says how to choose one game.
    fn refuse_several(&self, _count: usize) -> Result<(), Failure> {
        Ok(())
    }

    /// The maker of one text of the answers for several games. Without it each answer is printed under its number.
    fn join(&self) -> Option<Join<'_>> {
        None
    }
}

/// Makes one text of several, or says why they cannot stand in one.
pub type Join<'a> = Box<dyn Fn(&[Vec<u8>]) -> Result<Vec<u8>, Failure> + 'a>;

/// Declares an enum of the arguments of all commands. A row is a name and a module. The modules are declared beside it and not by it, since
/// `cargo fmt` does not look into macros.
macro_rules! commands {
    ($($name:ident: $module:ident,)*) => {
        // The command that was chosen. Help lists the commands in this order. A doc comment would be the head of the help.
        #[derive(clap::Subcommand)]
        enum Chosen {
            $($name(Box<$module::Arguments>),)*
        }

        impl Chosen {
            /// The command line with this command only, `None` if there is no such command. To describe all of them takes longer than most
            /// answers.
            fn line_of(name: &str) -> Option<clap::Command> {
                $(if stringify!($name).to_ascii_lowercase() == name {
                    let command = clap::Command::new(&*name.to_owned().leak());
                    let command = <$module::Arguments as clap::Args>::augment_args(command);
                    return Some(grouped(General::command().subcommand(command)));
                })*
                None
            }

            /// The arguments of the command that was chosen.
            fn command(&mut self) -> &mut dyn Command {
                match self { $(Chosen::$name(command) => &mut **command,)* }
            }
        }
    };
}
pub(super) use commands;

/// The arguments of a command from the words of its line, for its tests.
#[cfg(test)]
pub fn arguments_of<A: clap::Args>(
    words: impl IntoIterator<Item: Into<std::ffi::OsString> + Clone>,
) -> Result<A, String> {
    #[derive(clap::Parser)]
    struct Line<A: clap::Args> {
        #[command(flatten)]
        arguments: A,
    }
    <Line<A> as clap::Parser>::try_parse_from(words)
        .map(|line| line.arguments)
        .map_err(|error| error.to_string())
}
