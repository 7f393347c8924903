//! The account of helpers that share a question, and the place where their work ends. Begin at [`Membership`], which a prover has while
//! it [helps](super::parallel).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The account that helpers share while they work on one question.
pub(super) struct Team {
    /// The steps that the prover spent before.
    before: u64,
    /// The steps that all of them spent, and the most that they may spend.
    spent: AtomicU64,
    limit: u64,
    /// The place of the action with which the work ends, since it mates and one mate is enough; 0 when every action has its answer.
    end: AtomicUsize,
}

impl Team {
    /// An account of at most `limit` steps, for a prover that spent some `before`.
    pub(super) fn new(before: u64, limit: u64) -> Team {
        let (spent, end) = (AtomicU64::new(0), AtomicUsize::new(usize::MAX));
        Team { before, spent, limit, end }
    }

    /// The steps that all helpers spent.
    pub(super) fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }
}

/// The place of a helper before it takes an action: after all of them.
const NO_ACTION: usize = usize::MAX - 1;

/// The part of a helper in a [`Team`], with the place of the action that it examines.
pub(super) struct Membership {
    team: Arc<Team>,
    place: usize,
}

impl Membership {
    /// The part of a helper that has taken no action yet.
    pub(super) fn of(team: &Arc<Team>) -> Membership {
        Membership { team: Arc::clone(team), place: NO_ACTION }
    }

    /// Spends steps of all. Returns the number that was spent in all.
    pub(super) fn spend(&self, steps: u64) -> u64 {
        let spent = self.team.spent.fetch_add(steps, Ordering::Relaxed).saturating_add(steps);
        self.team.before.saturating_add(spent)
    }

    /// Whether the work has ended with an earlier action, so that this one needs no answer.
    pub(super) fn is_over(&self) -> bool {
        self.team.end.load(Ordering::Relaxed) < self.place
    }

    /// Takes the action of this place.
    pub(super) fn take(&mut self, place: usize) {
        self.place = place;
    }

    /// Ends the work with the action of this place, unless it ended before.
    pub(super) fn end_at(&self, place: usize) {
        self.team.end.fetch_min(place, Ordering::Relaxed);
    }

    /// The steps that are left to all.
    pub(super) fn left(&self) -> u64 {
        self.team.limit.saturating_sub(self.team.spent())
    }
}
