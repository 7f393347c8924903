//! The steps of a search, and its end.

use crate::types::Limit;

/// The error that the search must end now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// Counts the steps of a search.
pub(super) struct Meter<'a> {
    steps: u64,
    limit: Limit<'a>,
}

impl<'a> Meter<'a> {
    pub fn new(limit: Limit<'a>) -> Meter<'a> {
        Meter { steps: 0, limit }
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The rest of the limit, for a search that counts its own steps.
    pub fn left(&self) -> Limit<'a> {
        self.limit.after(self.steps)
    }

    /// Counts steps that were taken.
    pub fn add(&mut self, steps: u64) {
        self.steps = self.steps.saturating_add(steps);
    }

    /// Counts steps that are about to be taken.
    ///
    /// # Errors
    ///
    /// When no steps are left, or the search was stopped.
    pub fn spend(&mut self, steps: u64) -> Result<(), Stopped> {
        self.add(steps);
        if self.steps >= self.limit.most_steps() || self.limit.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}
