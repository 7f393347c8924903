//! `worldlines completions`

use std::io::Write;

use clap::CommandFactory;

use super::exit::{Exit, Failure};

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Example:
  worldlines completions bash > ~/.local/share/bash-completion/completions/worldlines")]
pub struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Exit, Failure> {
    // The generator panics when its output fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::Arguments::command(), "worldlines", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Ok)
}
