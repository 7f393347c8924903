//! The parts that the commands have in common: the macro `commands`. A command is one file with its arguments and a function
//! `run`, and one row of the table in `mod.rs`, which says what sets it apart.

/// Declares an enum of the arguments of all commands. A row may give these, in this order:
///
/// | field | meaning | default |
/// |---|---|---|
/// | `with` | something else that `run` takes, which the arguments do not know | |
/// | `format` | the format in which failures are printed too | text |
/// | `source` | the file of games that the command reads, if it reads one | `None` |
/// | `several` | the method that refuses a file of so many games | they are all answered |
/// | `joined` | the method that prints the texts of several games as one | each is printed under its number |
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident: $module:ident $(|$it:ident| {
        $(with: $with:expr,)?
        $(format: $format:expr,)?
        $(source: $source:expr,)?
        $(several: $several:ident,)?
        $(joined: $joined:ident,)?
    })?,)*) => {
        // The command that was chosen. Help lists the commands in this order. A doc comment would be the head of the help.
        #[derive(clap::Subcommand)]
        enum Chosen {
            $($(#[$about])* $name(Box<$module::Arguments>),)*
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

            /// Answers, for one game where the command reads a file of games.
            fn run(&self, out: &mut impl Write) -> Result<Exit, Failure> {
                match self { $(Chosen::$name(arguments) => $module::run(arguments, $($($with,)?)? out),)* }
            }

            /// The format in which failures are printed too.
            fn format(&self) -> Format {
                match self {
                    $($($(Chosen::$name($it) => $format,)?)?)*
                    _ => Format::Text,
                }
            }

            /// The file of games that the command reads, if it reads one.
            fn source(&mut self) -> Option<&mut Source> {
                match self {
                    $($($(Chosen::$name($it) => $source,)?)?)*
                    _ => None,
                }
            }

            /// Refuses a file of so many games, if the command answers for one only.
            fn refuse_several(&self, count: usize) -> Result<(), Failure> {
                match self {
                    $($($(Chosen::$name($it) => $it.$several(count),)?)?)*
                    _ => Ok(()),
                }
            }

            /// Prints the texts of several games as one, if the command does so.
            fn join(&self) -> Option<command::Join<'_>> {
                match self {
                    $($($(Chosen::$name($it) => Some(Box::new(|texts| $it.$joined(texts))),)?)?)*
                    _ => None,
                }
            }
        }
    };
}
pub(super) use commands;

/// Makes one text of those of several games.
pub(super) type Join<'a> = Box<dyn Fn(&[Vec<u8>]) -> Result<Vec<u8>, super::exit::Failure> + 'a>;

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
