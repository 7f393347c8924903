//! How much a search has cost so far.

use crate::types::{Because, Limit, Undecided};

/// How much work is one step: about as many nanoseconds on a machine of 2020.
const STEP: u64 = 4096;

/// Counts the steps of a search.
#[derive(Default)]
pub(super) struct Meter {
    steps: u64,
    /// Work that was not paid for.
    work: u64,
}

impl Meter {
    /// Adds work, in units of about a nanosecond. It is paid for by the next step.
    pub(super) fn work(&mut self, units: usize) {
        self.work = self.work.saturating_add(units as u64);
    }

    /// How many steps were spent.
    pub(super) fn steps(&self) -> u64 {
        self.steps.saturating_add(self.work / STEP)
    }

    /// Pays for a step, and for all work since the last one as far as that was more.
    pub(super) fn step(&mut self, limit: Limit<'_>) -> Result<(), Undecided> {
        self.spend((self.work / STEP).max(1), limit)
    }

    /// Pays for the work since the last step if it was more than one.
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

    /// The question stays open because of the size of what would have to be looked at.
    pub(super) fn too_large(&self) -> Undecided {
        Undecided { steps: self.steps(), because: Because::Size }
    }
}
