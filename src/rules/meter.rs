//! The cost of a search, in search steps.

use crate::types::{Because, Limit, Undecided};

/// The units of work in one step: about as many nanoseconds on a machine of 2020.
const STEP: u64 = 4096;

/// Counts the steps of a search.
#[derive(Default)]
pub(super) struct Meter {
    steps: u64,
    /// Work that no step has been charged for yet.
    work: u64,
}

impl Meter {
    /// Adds work, in units of about a nanosecond. The next step charges for it.
    pub(super) fn work(&mut self, units: usize) {
        self.work = self.work.saturating_add(units as u64);
    }

    /// The number of steps spent, with the work that is not charged yet.
    pub(super) fn steps(&self) -> u64 {
        self.steps.saturating_add(self.work / STEP)
    }

    /// Charges for all work since the last step, and for one step at least.
    pub(super) fn step(&mut self, limit: Limit<'_>) -> Result<(), Undecided> {
        self.spend((self.work / STEP).max(1), limit)
    }

    /// Charges for the work since the last step if it amounts to a step or more.
    pub(super) fn pay(&mut self, limit: Limit<'_>) -> Result<(), Undecided> {
        if self.work < STEP { Ok(()) } else { self.spend(self.work / STEP, limit) }
    }

    fn spend(&mut self, steps: u64, limit: Limit<'_>) -> Result<(), Undecided> {
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
