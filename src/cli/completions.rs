//! `worldlines completions`: prints completion scripts for shells.

use std::io::Write;

use super::all_commands;
use super::command::Command;
use super::exit::{Exit, Failure};
use super::output::Format;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Example:
  worldlines completions bash > ~/.local/share/bash-completion/completions/worldlines")]
pub struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

impl Command for Arguments {
    fn run(&self, out: &mut dyn Write) -> Result<Exit, Failure> {
        // The generator panics when its output fails, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut all_commands(), "worldlines", &mut script);
        out.write_all(&script)?;
        Ok(Exit::Ok)
    }

    fn format(&self) -> Format {
        Format::Text
    }
}
