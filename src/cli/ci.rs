//! Reports as CI servers read them: what each command asked about as a case, and three ways to write cases.

mod github;
mod html;
mod junit;

pub use github::print as github;
pub use html::print as html;
pub use junit::print as junit;

/// Something that was asked about: a puzzle, a game, a check.
pub struct Case {
    /// What it belongs to.
    pub suite: String,
    pub name: String,
    pub file: String,
    pub ended: Ended,
    /// What is wrong with it, or looks so: the most telling first.
    pub notes: Vec<Note>,
    /// Everything about it, for people.
    pub text: String,
}

/// How a case ended, in the words of JUnit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Passed,
    /// It is not as it should be.
    Failed,
    /// It was not found out.
    Error,
    /// It was not asked, or its failure is known.
    Skipped,
}

/// Something about a case that people should see.
pub struct Note {
    pub level: Level,
    /// A stable name for what it is.
    pub code: String,
    /// What it is: a sentence, perhaps with more lines after it.
    pub message: String,
    pub place: Option<Place>,
}

/// How much a note matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Error,
    Warning,
}

/// A place in a file, from 1.
pub struct Place {
    pub file: String,
    pub line: usize,
    pub column: Option<usize>,
}

impl Note {
    /// A note about something that is wrong, without a place.
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> Note {
        Note { level: Level::Error, code: code.into(), message: message.into(), place: None }
    }
}
