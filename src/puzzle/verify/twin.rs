//! A third opinion: the naive rules, by trying everything.

use std::collections::BTreeSet;

use super::{StepResult, Verification, counted, pass, skipped};
use crate::puzzle::model::Goal;
use crate::search::{Solution, Verdict};
use crate::slow::{Cell, Patience, SlowState};
use crate::state::Position;
use crate::types::Action;

/// What trying everything may cost: a few seconds.
const PATIENCE: Patience = Patience(60_000);

/// On more boards not even the first action is tried.
const MOST_BOARDS: usize = 500;

/// The state of the naive rules that is this position.
pub(crate) fn twin_of(position: &Position) -> Option<SlowState> {
    let boards = position.multiverse().boards().map(|(at, board)| {
        let cell = |(square, piece)| (square, Cell { piece, unmoved: board.is_unmoved(square) });
        (at, board.pieces().map(cell).collect())
    });
    SlowState::new(position.size(), position.parity(), position.profile(), boards).ok()
}

/// Why the naive rules say nothing.
const TOO_LARGE: &str = "the position is too large to try everything";

impl Verification<'_> {
    /// Whether the naive rules say the same of the goal and of every solution.
    pub(super) fn naive_rules_agree(&mut self) -> StepResult {
        if self.start.multiverse().count() > MOST_BOARDS {
            return skipped(TOO_LARGE);
        }
        let Some(twin) = twin_of(self.start) else {
            self.contradict("the naive rules refuse the start");
            return pass("");
        };
        match &self.puzzle.goal.value {
            Goal::Status(word) => match twin.status(PATIENCE.0) {
                None => skipped(TOO_LARGE),
                Some(status) => {
                    let passed = self.findings.iter().all(|finding| finding.code != "wrong-status");
                    if passed != (status == word.value.status()) {
                        self.contradict(&format!("the naive rules say {status} of the start"));
                    }
                    pass(status.to_string())
                }
            },
            Goal::MateIn(count) | Goal::NoMateIn(count) => {
                let Some(solution) = self.solution.take() else { return skipped("the goal was not decided") };
                let said = match twin.mating_actions(count.value, &mut PATIENCE.clone()) {
                    None => skipped(TOO_LARGE),
                    Some(mating) => {
                        if let Some(what) = disagreement(&solution, &mating) {
                            self.contradict(what);
                        }
                        pass(format!("{} of the start mate", counted(mating.len(), "action")))
                    }
                };
                self.solution = Some(solution);
                said
            }
        }
    }

    fn contradict(&mut self, what: &str) {
        self.contradiction.get_or_insert_with(|| what.to_owned());
    }
}

/// What a search says that trying everything does not, if anything.
fn disagreement(solution: &Solution, mating: &BTreeSet<Action>) -> Option<&'static str> {
    let keys: BTreeSet<&Action> = solution.keys.iter().flat_map(|class| class.keys()).collect();
    let counted = solution.complete && !solution.mating_actions.capped;
    if (solution.verdict == Verdict::Proven) == mating.is_empty() && solution.verdict != Verdict::Undecided {
        Some("the naive rules say otherwise of the mate")
    } else if keys.iter().any(|key| !mating.contains(*key)) {
        Some("by the naive rules an action does not mate that the search calls a solution")
    } else if counted && solution.mating_actions.count != mating.len() as u64 {
        Some("by the naive rules another number of actions mates")
    } else if solution.complete && mating.iter().any(|action| !keys.iter().any(|key| action.contains(key))) {
        Some("by the naive rules an action mates that holds no solution of the search")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::search::{Budget, Solve, solve};

    #[test]
    fn what_the_search_says_in_vain_is_noticed() {
        let start = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().expect("a position");
        let mating = |n| twin_of(&start).and_then(|twin| twin.mating_actions(n, &mut PATIENCE.clone()));
        let mating = mating(2).expect("a small position");
        let question = Solve { mate_in: 2, all: true, budget: Budget::default() };
        let solution = || solve(&start, question);
        assert_eq!(disagreement(&solution(), &mating), None);
        assert!(disagreement(&solution(), &BTreeSet::new()).is_some(), "there is no mate");
        let denied = Solution { verdict: Verdict::Refuted, ..solution() };
        assert!(disagreement(&denied, &mating).is_some(), "there is one");
        let mut other = mating.clone();
        let key = solution().keys[0].key().clone();
        other.remove(&key);
        other.extend(start.legal_actions().find(|action| !mating.contains(action)));
        assert!(disagreement(&solution(), &other).is_some(), "a key does not mate");
        let overlooked = Solution { keys: Vec::new(), ..solution() };
        assert!(disagreement(&overlooked, &mating).is_some(), "a key is missing");
        let mut miscounted = solution();
        miscounted.mating_actions.count += 1;
        assert!(disagreement(&miscounted, &mating).is_some(), "another number");
    }
}
