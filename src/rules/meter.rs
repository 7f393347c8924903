//! The steps that a search has taken so far.

use crate::types::{Because, Limit, Undecided};

/// The work of one step: about as many nanoseconds on a machine of 2020.
const STEP: u64 = 4096;

/// Counts the steps of a search.
#[derive(Default)]
pub(super) struct Meter {
    steps: u64,
    /// Work that was not charged yet.
    work: u64,
}

impl Meter {
    /// Adds work, in units of about a nanosecond. It is charged with the next step.
    pub(super) fn work(&mut self, units: usize) {
        self.work = self.work.saturating_add(units as u64);
    }

    /// The number of steps that were charged, and of those that are due.
    pub(super) fn steps(&self) -> u64 {
        self.steps.saturating_add(self.work / STEP)
    }

    /// Charges the work since the last step, at least one step.
    pub(super) fn step(&mut self, limit: Limit<'_>) -> Result<(), Undecided> {
        self.charge_steps((self.work / STEP).max(1), limit)
    }

    /// Charges the work since the last step if it was one step or more.
    pub(super) fn charge(&mut self, limit: Limit<'_>) -> Result<(), Undecided> {
        if self.work < STEP { Ok(()) } else { self.charge_steps(self.work / STEP, limit) }
    }

    fn charge_steps(&mut self, steps: u64, limit: Limit<'_>) -> Result<(), Undecided> {
        let undecided = |because| Err(Undecided { steps: self.steps, because });
        if limit.is_stopped() {
            return undecided(Because::Stopped);
        }
        match self.steps.checked_add(steps).filter(|steps| *steps <= limit.most_steps()) {
            Some(steps) => (self.steps, self.work) = (steps, 0),
            None => return undecided(Because::Budget),
        }
        Ok(())
    }

    /// The answer that the question stays open because the position would become too large.
    pub(super) fn too_large(&self) -> Undecided {
        Undecided { steps: self.steps(), because: Because::Size }
    }
}
