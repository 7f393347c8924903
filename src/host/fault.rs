//! Faults of engines.

use std::fmt;

/// A fault of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// It ended, or does not start; the text says how.
    Crashed(String),
    /// It gave no answer in time, or does not end; the text says what was expected.
    Hung(String),
    /// It gave an answer that was not asked for, too much output, or output that is not text.
    Babbled(String),
    /// It gives no move although there is one.
    NoMove(String),
    /// It plays an illegal move.
    Illegal {
        /// The code of the error, as for errors of notations.
        code: &'static str,
        /// The message of the error.
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

    /// Whether the engine cannot be asked again after this fault.
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
