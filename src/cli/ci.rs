//! Reports for CI servers: every command turns its report into cases, and there are three formats for cases.

mod github;
mod html;
mod junit;

pub use github::print as github;
pub use html::print as html;
pub use junit::print as junit;

/// One thing that a command checked: a puzzle, a game, a check of an engine.
pub struct Case {
    /// The group to which it belongs.
    pub suite: String,
    pub name: String,
    pub file: String,
    pub ended: Ended,
    /// The faults and warnings, the most informative first.
    pub notes: Vec<Note>,
    /// The whole report of the case, for people.
    pub text: String,
}

/// The result of a case, in the words of JUnit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Passed,
    /// A fault was found.
    Failed,
    /// The answer is not known.
    Error,
    /// It was not checked, or its failure is a known one.
    Skipped,
}

/// A message about a case.
pub struct Note {
    pub level: Level,
    /// A stable name for its kind.
    pub code: String,
    /// A sentence, perhaps with more lines after it.
    pub message: String,
    pub place: Option<Place>,
}

/// The severity of a note.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
}

/// A place in a file; lines and columns count from 1.
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: Option<usize>,
}

impl Note {
    /// A note about a fault, without a place.
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> Note {
        Note { level: Level::Error, code: code.into(), message: message.into(), place: None }
    }
}
