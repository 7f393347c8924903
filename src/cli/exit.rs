//! Exit codes. They are part of the interface: scripts and CI rely on them.

use std::fmt;
use std::io;
use std::process::ExitCode;

use super::json::{self, ErrorClass};

/// The exit code of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Every claim is true.
    Ok = 0,
    /// A claim is refuted, something differs, or a puzzle cannot be read.
    Findings = 1,
    /// Wrong usage, a missing path, an I/O error, or unreadable input of a command that reads one input.
    Usage = 2,
    /// A budget ran out before a claim was decided.
    Undecided = 3,
    /// Nothing was selected.
    NothingSelected = 4,
    /// A bug in worldlines.
    Bug = 70,
}

impl Exit {
    /// The codes by importance, the worst first.
    const PRECEDENCE: [Exit; 6] =
        [Exit::Bug, Exit::Usage, Exit::Findings, Exit::Undecided, Exit::NothingSelected, Exit::Ok];

    /// The value with this code.
    pub fn of_code(code: u8) -> Option<Exit> {
        Exit::PRECEDENCE.into_iter().find(|exit| exit.code() == code)
    }

    /// The number, for the system and for reports.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The worst of several; `Ok` if there are none.
    pub fn worst(all: impl IntoIterator<Item = Exit>) -> Exit {
        let rank = |exit: &Exit| Exit::PRECEDENCE.iter().position(|other| other == exit);
        all.into_iter().min_by_key(rank).unwrap_or(Exit::Ok)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// The text about exit codes in the help.
pub const HELP: &str = "\
Exit codes: 0 all as claimed, 1 findings, 2 usage or unreadable input, 3 undecided,
4 nothing selected, 70 a bug in worldlines. Where several fit, it is the first of 70, 2, 1, 3, 4, 0.";

/// The reason why a command has no answer.
#[derive(Debug)]
pub struct Failure {
    /// The message for people.
    pub shown: String,
    /// The error for programs.
    pub error: Box<json::Error>,
}

impl Failure {
    /// A failure without a place in the input.
    pub fn new(message: impl fmt::Display) -> Failure {
        let message = message.to_string();
        let error = json::Error {
            class: ErrorClass::Failed,
            code: None,
            message,
            hint: None,
            line: None,
            column: None,
        };
        Failure { shown: format!("error: {}", error.message), error: Box::new(error) }
    }
}

impl From<io::Error> for Failure {
    /// For errors while writing; errors while reading name the file.
    fn from(error: io::Error) -> Failure {
        Failure::new(format_args!("cannot write: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_code_counts() {
        assert_eq!(Exit::worst([]), Exit::Ok);
        assert_eq!(Exit::worst([Exit::Ok, Exit::Undecided, Exit::Findings]), Exit::Findings);
        assert_eq!(Exit::worst([Exit::Findings, Exit::Usage]), Exit::Usage);
        assert_eq!(Exit::worst([Exit::Usage, Exit::Bug, Exit::Ok]), Exit::Bug);
        assert_eq!(Exit::worst([Exit::NothingSelected, Exit::Undecided]), Exit::Undecided);
    }
}
