//! What an engine can do wrong.

use std::fmt;

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// It ended, or does not start: how.
    Crashed(String),
    /// It gave no answer in time, or does not end: what was waited for.
    Hung(String),
    /// It said what nobody asked for, too much, or what is no text.
    Babbled(String),
    /// It has no move where there is one.
    NoMove(String),
    /// It plays what is not legal.
    Illegal {
        /// A name for what is wrong, as errors of notations have it.
        code: &'static str,
        /// What is wrong.
        message: String,
    },
    /// Its clock has run out.
    OutOfTime(String),
    /// The recording has no such question.
    NotRecorded(String),
}

impl Fault {
    /// The name of the kind.
    pub const fn name(&self) -> &'static str {
        match self {
            Fault::Crashed(_) => "crashed",
            Fault::Hung(_) => "hung",
            Fault::Babbled(_) => "babbled",
            Fault::NoMove(_) => "no-move",
            Fault::Illegal { .. } => "illegal",
            Fault::OutOfTime(_) => "out-of-time",
            Fault::NotRecorded(_) => "not-recorded",
        }
    }

    /// Whether the engine cannot be asked again after it.
    pub const fn is_fatal(&self) -> bool {
        matches!(self, Fault::Crashed(_) | Fault::Hung(_) | Fault::Babbled(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Illegal { code, message } => write!(f, "{message} [{code}]"),
            Fault::Crashed(what)
            | Fault::Hung(what)
            | Fault::Babbled(what)
            | Fault::NoMove(what)
            | Fault::OutOfTime(what)
            | Fault::NotRecorded(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Fault {}
