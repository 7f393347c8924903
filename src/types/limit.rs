//! Limits of a search, and the reasons why it may end without an answer.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::counted;

/// The limit of a search: a number of search steps, and a flag that stops it.
///
/// A *search step* is one combination of moves examined. If that takes much longer than usual, as with
/// hundreds of timelines, it counts as several steps: a step is at most a few microseconds of work. The same
/// search takes the same number of steps on every machine.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use worldlines::notation::pgn5d;
/// use worldlines::types::{Because, Limit};
///
/// let start = pgn5d::parse("[Board \"Standard\"]").into_result()?.start;
/// assert!(start.outcome_within(1_000).is_ok());
/// let stop = AtomicBool::new(true);
/// let stopped = start.outcome_within(Limit::NONE.stopping_on(&stop)).unwrap_err();
/// assert_eq!(stopped.because, Because::Stopped);
/// # Ok::<(), worldlines::notation::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    steps: u64,
    stop: Option<&'a AtomicBool>,
}

impl Limit<'_> {
    /// No limit.
    pub const NONE: Limit<'static> = Limit::steps(u64::MAX);

    /// A limit of this many search steps.
    pub const fn steps(steps: u64) -> Limit<'static> {
        Limit { steps, stop: None }
    }

    /// The same limit, and the search also ends as soon as `stop` is true. Another thread may set it at any time.
    /// Then the search may end at another point the next time, but it never finds a different answer.
    pub fn stopping_on<'b>(self, stop: impl Into<Option<&'b AtomicBool>>) -> Limit<'b> {
        Limit { steps: self.steps, stop: stop.into() }
    }

    /// The rest of the limit after `steps` steps, with the same `stop`.
    #[must_use]
    pub fn after(self, steps: u64) -> Self {
        Limit { steps: self.steps.saturating_sub(steps), ..self }
    }

    /// A limit of `factor` times as many steps, with the same `stop`, for a smaller unit of work.
    #[must_use]
    pub fn times(self, factor: u64) -> Self {
        Limit { steps: self.steps.saturating_mul(factor), ..self }
    }

    /// The number of search steps after which the search ends.
    pub fn most_steps(self) -> u64 {
        self.steps
    }

    /// Whether the flag that stops the search is set.
    pub fn is_stopped(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl<'a> Limit<'a> {
    /// The flag that stops the search.
    pub(crate) fn stop(self) -> Option<&'a AtomicBool> {
        self.stop
    }
}

impl From<u64> for Limit<'_> {
    fn from(steps: u64) -> Self {
        Limit { steps, stop: None }
    }
}

/// No answer was found within the limit. Either answer remains possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undecided {
    /// The number of steps spent.
    pub steps: u64,
    /// The reason why there is no answer.
    pub because: Because,
}

/// A reason why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Because {
    /// The search used all its steps.
    Budget,
    /// The flag that stops the search was set.
    Stopped,
    /// The memory was full.
    Memory,
    /// Some actions lead beyond the largest supported position, and the answer depends on them.
    Size,
    /// The search found a mate, but no certificate of it was accepted within the budget for evidence.
    Unconfirmed,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::Budget => f.write_str("the budget is spent"),
            Because::Stopped => f.write_str("the search was stopped"),
            Because::Memory => f.write_str("the memory is full"),
            Because::Size => f.write_str("the answer depends on positions that are larger than is supported"),
            Because::Unconfirmed => {
                f.write_str("a mate was found and not confirmed within the budget for evidence")
            }
        }
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "undecided after {}: {}", counted(self.steps, "search step"), self.because)
    }
}

impl std::error::Error for Undecided {}
