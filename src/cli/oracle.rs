//! What the commands have in common that ask other implementations of the rules.

use std::path::Path;

use super::exit::Failure;
use super::files::{self, shown};
use worldlines::notation::printable;
use worldlines::oracle::{Oracle, Program, Slow};

/// The most search steps for one figure of a position.
pub const STEPS: u64 = 2_000_000;
/// How many beginnings of actions the naive rules look at for one position.
const PATIENCE: usize = 20_000;

/// The oracle with this name.
pub fn open(name: &str) -> Result<Box<dyn Oracle>, Failure> {
    let command = match name {
        "slow" => return Ok(Box::new(Slow::new(PATIENCE))),
        "5d-chess-js" => {
            let script = "oracles/5d-chess-js/oracle.mjs";
            if !Path::new(script).exists() {
                return Err(Failure::new(format_args!(
                    "there is no {script} here; run this in the folder of the repository, or give the command with cmd:"
                )));
            }
            format!("node {script}")
        }
        _ if name.starts_with("replay:") => {
            let path = Path::new(&name["replay:".len()..]);
            let cannot = |why: String| Failure::new(format_args!("cannot use {}: {why}", shown(path)));
            let bytes = files::read(path).map_err(|error| cannot(error.to_string()))?;
            let program = Program::replay(&String::from_utf8_lossy(&bytes));
            return Ok(Box::new(program.map_err(|error| cannot(printable(&error.to_string()).to_string()))?));
        }
        _ => match name.strip_prefix("cmd:") {
            Some(command) => command.to_owned(),
            None => {
                return Err(Failure::new(format_args!(
                    "there is no oracle `{}`; there are 5d-chess-js, slow, cmd:COMMAND and replay:FILE",
                    printable(name)
                )));
            }
        },
    };
    let program = Program::start(&command);
    let program = program.map_err(|error| {
        Failure::new(format_args!("the oracle cannot be asked: {}", printable(&error.to_string())))
    })?;
    Ok(Box::new(program))
}

/// Refuses to write a recording where there is a file.
pub fn refuse_existing(recording: Option<&Path>) -> Result<(), Failure> {
    match recording {
        Some(path) if path.exists() => Err(Failure::new(format_args!(
            "{} is there already; --record needs the name of a new file",
            shown(path)
        ))),
        _ => Ok(()),
    }
}

/// Writes what an oracle was asked and answered.
pub fn write_recording(path: Option<&Path>, oracle: &dyn Oracle) -> Result<(), Failure> {
    let (Some(path), Some(recording)) = (path, oracle.recording()) else { return Ok(()) };
    files::create(path, recording)
        .map_err(|error| Failure::new(format_args!("cannot write {}: {error}", shown(path))))
}

/// Reads files beside this one, by their names.
pub fn beside(path: &Path) -> impl Fn(&str) -> Result<Vec<u8>, String> + use<'_> {
    move |name| {
        let is_plain = Path::new(name).file_name() == Some(name.as_ref());
        let read = if is_plain {
            files::read(&path.with_file_name(name)).map_err(|error| error.to_string())
        } else {
            Err("it is not beside this file".into())
        };
        read.map_err(|error| format!("cannot read {}: {error}", printable(name)))
    }
}
