//! Lines that the user enters. At a terminal they can be edited, and the arrow keys bring back earlier ones.

use std::io::{self, BufRead, IsTerminal, Write};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::exit::Failure;
use crate::cli::files;
use worldlines::notation::printable;

/// The source of the lines.
pub enum Lines<'r> {
    Terminal(DefaultEditor),
    /// A pipe or a file. Its lines are repeated in the output.
    Read(Box<dyn BufRead + 'r>),
}

impl Lines<'static> {
    /// Standard input.
    pub fn of_user() -> Lines<'static> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        match is_terminal.then(DefaultEditor::new) {
            Some(Ok(editor)) => Lines::Terminal(editor),
            _ => Lines::Read(Box::new(io::stdin().lock())),
        }
    }
}

impl<'r> Lines<'r> {
    /// The lines of a text.
    #[cfg(test)]
    pub fn of(text: &'r str) -> Lines<'r> {
        Lines::Read(Box::new(text.as_bytes()))
    }

    /// Asks for a line. `None` at the end of the input, or when the user interrupts it.
    pub fn ask(&mut self, prompt: &str, out: &mut dyn Write) -> Result<Option<String>, Failure> {
        match self {
            Lines::Terminal(editor) => {
                out.flush()?;
                match editor.readline(prompt) {
                    Ok(line) => {
                        // Without memory for the history there is none.
                        let _ = editor.add_history_entry(&line);
                        Ok(Some(line.trim().to_owned()))
                    }
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(Failure::new(format_args!("cannot read the terminal: {error}"))),
                }
            }
            Lines::Read(reader) => {
                write!(out, "{prompt}")?;
                out.flush()?;
                let line = files::line(reader)?;
                writeln!(out, "{}", line.as_deref().map(printable).unwrap_or_default())?;
                Ok(line)
            }
        }
    }
}
