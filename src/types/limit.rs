//! What answering a question may cost, and why a question may stay open.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the search for an answer ends, if it was not found before.
///
/// A *step* looks at one combination of moves. Where that takes much longer than usual, as with hundreds of timelines, it counts as
/// several: a step is at most a few microseconds of work, and the same question takes the same steps on every machine.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use worldlines::notation::pgn5d;
/// use worldlines::types::{Because, Limit};
///
/// let start = pgn5d::read("[Board \"Standard\"]")?.start;
/// assert!(start.outcome_within(1_000).is_ok());
/// let stop = AtomicBool::new(true);
/// let stopped = start.outcome_within(Limit::NONE.or_when(&stop)).unwrap_err();
/// assert_eq!(stopped.because, Because::Stopped);
/// # Ok::<(), worldlines::notation::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Limit<'a> {
    steps: u64,
    stop: Option<&'a AtomicBool>,
}

impl Limit<'_> {
    /// However long it takes.
    pub const NONE: Limit<'static> = Limit::steps(u64::MAX);

    /// After this many steps.
    pub const fn steps(steps: u64) -> Limit<'static> {
        Limit { steps, stop: None }
    }

    /// Also as soon as `stop` is true, which another thread may set at any time. Such an end does not repeat: asked again, the
    /// same question may get further. It never gets another answer.
    pub fn or_when<'b>(self, stop: impl Into<Option<&'b AtomicBool>>) -> Limit<'b> {
        Limit { steps: self.steps, stop: stop.into() }
    }

    /// What is left after so many steps, with the same `stop`.
    #[must_use]
    pub fn after(self, steps: u64) -> Self {
        Limit { steps: self.steps.saturating_sub(steps), ..self }
    }

    /// So many times the steps, with the same `stop`: a limit in a smaller unit.
    #[must_use]
    pub fn times(self, factor: u64) -> Self {
        Limit { steps: self.steps.saturating_mul(factor), ..self }
    }

    /// After how many steps.
    pub fn most_steps(self) -> u64 {
        self.steps
    }

    /// Whether somebody said stop.
    pub fn is_stopped(self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

impl From<u64> for Limit<'_> {
    fn from(steps: u64) -> Self {
        Limit { steps, stop: None }
    }
}

/// An answer was not found. It is never a guess: the question is as open as before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Undecided {
    /// How many steps were spent.
    pub steps: u64,
    /// What prevented the answer.
    pub because: Because,
}

/// What prevented an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Because {
    /// The steps were spent.
    Budget,
    /// Somebody said stop.
    Stopped,
    /// The memory was spent.
    Memory,
    /// There are actions that would lead beyond the largest position that is supported, and the answer depends on them.
    Size,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Because::Budget => f.write_str("the budget is spent"),
            Because::Stopped => f.write_str("it was stopped"),
            Because::Memory => f.write_str("the memory is spent"),
            Because::Size => {
                f.write_str("it depends on actions that lead beyond the largest position supported")
            }
        }
    }
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "undecided after {} search steps: {}", self.steps, self.because)
    }
}

impl std::error::Error for Undecided {}
