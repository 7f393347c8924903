//! A third opinion: the naive rules, by trying everything.

use std::collections::BTreeSet;

use super::{Answer, StepResult, Verification, counted, pass, skipped};
use crate::puzzle::model::Goal;
use crate::search::{Solution, Verdict};
use crate::slow::{Cell, Patience, SlowState};
use crate::state::Position;
use crate::types::Action;

/// The most that trying everything may cost: a few seconds.
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
            return self.agreed(Some("the naive rules refuse the start"), String::new());
        };
        match &self.puzzle.goal.value {
            Goal::Status(word) => match twin.status(PATIENCE.0) {
                None => skipped(TOO_LARGE),
                Some(_) if self.outcome(self.start).is_err() => skipped("the goal was not decided"),
                Some(status) => {
                    let passed = self.findings.iter().all(|finding| finding.code != "wrong-status");
                    let said = format!("the naive rules say {status} of the start");
                    let differs = passed != (status == word.value.status());
                    self.agreed(differs.then_some(&*said), status.to_string())
                }
            },
            Goal::Survive(count) | Goal::OnlyDefence(count) => self.twin_survives(&twin, count.value),
            Goal::HelpmateIn(count) => self.twin_helps(&twin, count.value),
            Goal::SelfmateIn(count) => self.twin_forces(&twin, count.value),
            Goal::MateIn(count) | Goal::NoMateIn(count) => {
                let Some(solution) = self.solution.take() else { return skipped("the goal was not decided") };
                let said = match twin.mating_actions(count.value, &mut PATIENCE.clone()) {
                    None => skipped(TOO_LARGE),
                    Some(mating) => {
                        let note = format!("{} of the start mate", counted(mating.len(), "action"));
                        self.agreed(disagreement(&solution, &mating), note)
                    }
                };
                self.solution = Some(solution);
                said
            }
        }
    }

    /// Whether the naive rules know the same actions that survive, where their number was found.
    fn twin_survives(&mut self, twin: &SlowState, n: u32) -> StepResult {
        let patience = &mut PATIENCE.clone();
        let survives = |action: &Action, patience: &mut Patience| {
            let mut after = twin.clone();
            after.play(action);
            after.has_mate(n, patience).map(|mate| !mate)
        };
        let Some(actions) = twin.legal_actions(patience.0) else { return skipped(TOO_LARGE) };
        let (mut surviving, mut open, mut differs) = (0, None, false);
        for action in actions {
            let Some(naive) = survives(&action, patience) else { return skipped(TOO_LARGE) };
            surviving += usize::from(naive);
            match self.survives(&action, n) {
                Ok(found) => differs |= found != naive,
                Err(why) => open = open.or(Some(why)),
            }
        }
        if let (Some(why), false) = (open, differs) {
            return self.undecided(why);
        }
        let what = differs.then_some("the naive rules say otherwise of an action that has to survive");
        self.agreed(what, format!("{} survive", counted(surviving, "action")))
    }

    /// Whether the naive rules find the same lines, where all were found.
    fn twin_helps(&mut self, twin: &SlowState, n: u32) -> StepResult {
        let Some(found) = self.helpmates.as_ref().filter(|found| found.complete) else {
            return skipped("the goal was not decided");
        };
        let lines = found.lines.clone();
        let Some(naive) = twin.helpmates(2 * n, &mut PATIENCE.clone()) else { return skipped(TOO_LARGE) };
        let differs = needed(&naive) != lines.iter().collect::<Vec<_>>();
        let what = differs.then_some("the naive rules find other helpmates");
        self.agreed(what, format!("{} end in mate", counted(naive.len(), "line")))
    }

    /// Whether the naive rules know the same actions that force a selfmate.
    fn twin_forces(&mut self, twin: &SlowState, n: u32) -> StepResult {
        let Some(found) = self.selfmates.as_ref().filter(|found| found.complete) else {
            return skipped("the goal was not decided");
        };
        let keys: BTreeSet<Action> = found.keys.iter().flat_map(|class| class.keys()).cloned().collect();
        let forcing = found.forcing_actions;
        let Some(naive) = twin.selfmating_actions(n, &mut PATIENCE.clone()) else {
            return skipped(TOO_LARGE);
        };
        let is_key = |action: &&Action| !naive.iter().any(|part| part != *action && action.contains(part));
        let differs = !naive.iter().filter(is_key).eq(&keys) || forcing != naive.len() as u64;
        let what = differs.then_some("by the naive rules other actions force a selfmate");
        self.agreed(what, format!("{} of the start force it", counted(naive.len(), "action")))
    }

    /// Passes with a note, unless the naive rules say something that contradicts the search.
    fn agreed(&mut self, contradicts: Option<&str>, note: String) -> StepResult {
        let Some(what) = contradicts else { return pass(note) };
        self.contradiction.get_or_insert_with(|| what.to_owned());
        (Answer::Fail, what.to_owned())
    }
}

/// The lines that hold no other.
fn needed(lines: &BTreeSet<Vec<Action>>) -> Vec<&Vec<Action>> {
    let holds =
        |line: &[Action], part: &[Action]| line.iter().zip(part).all(|(line, part)| line.contains(part));
    lines.iter().filter(|line| !lines.iter().any(|part| part != *line && holds(line, part))).collect()
}

/// The difference between a search and trying everything, if there is one.
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

#[cfg(test)]
mod answers {
    //! The answers and defences of the search, compared with the naive rules.

    use std::collections::BTreeSet;

    use super::twin_of;
    use crate::notation::fen5d;
    use crate::search::{Analysis, Budget, KeyClass, Prover, Variation};
    use crate::slow::Patience;
    use crate::types::Action;

    const MATES: [(&str, u32); 5] = [
        ("[4/KR1R/4/2k1:0:1:w]", 2),
        ("[3k/R1R1/K3/3r:0:1:w]", 2),
        ("[4/N1P1/3k/nK2:0:1:w]", 2),
        ("[5/5/3PK/1N1U1/k4:0:1:w]", 2),
        ("[3k/4/K3/RQ2:0:1:w]", 2),
    ];

    /// Trying everything by the naive rules finds the same shortest mates after every defence: the keys of all classes are the mating
    /// actions without a mating part.
    #[test]
    fn the_naive_rules_know_the_same_answers() {
        let (mut asked, mut several) = (0, 0);
        for (text, n) in MATES {
            let position = fen5d::parse(text).into_result().unwrap();
            let mut prover = Prover::new(Budget::default());
            let Some((n, keys)) = prover.shortest_mates(&position, n).unwrap() else { continue };
            for class in &keys {
                let mut analysis = Analysis::new(&mut prover, &position, n);
                let line = std::slice::from_ref(class.key());
                let after = analysis.after(line);
                let variations = analysis.variations(line, n - 1, usize::MAX);
                for Variation { defence, mates_in, answers } in variations.found().unwrap() {
                    let mut answered = after.clone();
                    answered.play(&defence).expect("a legal action");
                    let twin = twin_of(&answered).expect("a position");
                    let mut patience = Patience(2_000_000);
                    if mates_in > 1 {
                        assert_ne!(
                            twin.has_mate(mates_in - 1, &mut patience),
                            Some(true),
                            "{text} {defence}"
                        );
                    }
                    let Some(mating) = twin.mating_actions(mates_in, &mut patience) else { continue };
                    let is_key = |action: &&Action| {
                        !mating.iter().any(|part| part != *action && action.contains(part))
                    };
                    let naive: BTreeSet<&Action> = mating.iter().filter(is_key).collect();
                    let found: BTreeSet<&Action> = answers.iter().flat_map(KeyClass::keys).collect();
                    assert_eq!(found, naive, "{text} {defence}");
                    asked += 1;
                    several += usize::from(answers.len() > 1);
                }
            }
        }
        assert!(asked > 15 && several > 2, "{asked} {several}");
    }

    /// Against a mate in one: the actions after which the naive rules find none.
    #[test]
    fn the_naive_rules_know_the_same_defences() {
        let mut counted = BTreeSet::new();
        for (text, n) in
            [("[4/KR1R/4/2k1:0:1:b]", 1), ("[4/KR1R/4/2k1:0:1:b]", 2), ("[k3/4/1R2/K2R:0:1:b]", 1)]
        {
            let position = fen5d::parse(text).into_result().unwrap();
            let (surviving, losing) =
                Prover::new(Budget::default()).surviving_actions(&position, n, usize::MAX).unwrap();
            let twin = twin_of(&position).expect("a position");
            let mut naive = Vec::new();
            let legal = twin.legal_actions(100_000).expect("few actions");
            for action in &legal {
                let mut after = twin.clone();
                after.play(action);
                if !after.has_mate(n, &mut Patience(2_000_000)).expect("few actions") {
                    naive.push(action.clone());
                }
            }
            assert_eq!(surviving, naive, "{text}");
            assert_eq!(losing, (legal.len() - naive.len()) as u64);
            counted.insert(surviving.len());
        }
        assert!(counted.len() > 1, "{counted:?}");
    }
}

/// Helpmates and selfmates, compared with the naive rules.
#[cfg(test)]
#[cfg(all(feature = "arbitrary", feature = "compose"))]
mod goals_of_both_players {
    use std::collections::BTreeSet;

    use arbitrary::Unstructured;

    use super::{needed, twin_of};
    use crate::generate::mating_position;
    use crate::notation::fen5d;
    use crate::search::{Budget, KeyClass, Prover, Verdict};
    use crate::slow::Patience;
    use crate::state::Position;
    use crate::types::Action;

    /// Small positions, drawn by chance but always the same.
    fn positions() -> impl Iterator<Item = Position> {
        let mut rng = fastrand::Rng::with_seed(7);
        (0..1_500).filter_map(move |_| {
            let bytes: Vec<u8> = (0..200).map(|_| rng.u8(..)).collect();
            mating_position(&mut Unstructured::new(&bytes)).ok()
        })
    }

    #[test]
    fn the_naive_rules_find_the_same_helpmates() {
        let (mut asked, mut mates, mut longer) = (0, 0, 0);
        for mut position in positions().take(500) {
            // In these positions the attacker is to move, who mates only if the opponent begins.
            let Some(first) = position.legal_actions().next() else { continue };
            position.play(&first).expect("a legal action");
            let twin = twin_of(&position).expect("a position");
            for n in 1..=2 {
                let Some(naive) = twin.helpmates(2 * n, &mut Patience(6_000)) else { break };
                let found = Prover::new(Budget::default()).helpmates(&position, n, 10_000);
                assert!(found.complete);
                assert_eq!(found.lines.iter().collect::<Vec<_>>(), needed(&naive), "{position:?}");
                asked += 1;
                mates += usize::from(n == 1 && !naive.is_empty());
                longer += usize::from(n == 2 && !naive.is_empty());
            }
        }
        assert!(asked > 100 && mates > 5 && longer > 5, "{asked} {mates} {longer}");
    }

    /// Black need not play on the second board.
    #[test]
    fn lines_with_moves_that_nobody_needs_are_left_out() {
        let text = "[4/KR1R/4/1k2:0:1:b] [3K/4/4/3k:1:4:b]";
        let position = fen5d::parse(text).into_result().unwrap();
        let naive = twin_of(&position).expect("a position").helpmates(2, &mut Patience(60_000)).expect("few");
        let found = Prover::new(Budget::default()).helpmates(&position, 1, 100);
        assert_eq!(found.lines.iter().collect::<Vec<_>>(), needed(&naive));
        assert!(naive.len() > found.lines.len() && found.lines.len() == 1, "{naive:?}");
    }

    #[test]
    fn the_naive_rules_find_the_same_selfmates() {
        let (mut asked, mut proven, mut longer) = (0, 0, 0);
        for position in positions() {
            let twin = twin_of(&position).expect("a position");
            for n in 1..=2 {
                let Some(naive) = twin.selfmating_actions(n, &mut Patience(2_000)) else { break };
                let found = Prover::new(Budget::default()).selfmates(&position, n, true);
                assert!(found.complete);
                assert_eq!(found.verdict == Verdict::Proven, !naive.is_empty(), "{position:?}");
                let is_key =
                    |action: &&Action| !naive.iter().any(|part| part != *action && action.contains(part));
                let keys: BTreeSet<&Action> = found.keys.iter().flat_map(KeyClass::keys).collect();
                assert_eq!(keys, naive.iter().filter(is_key).collect(), "{position:?}");
                assert_eq!(found.shortest == Some(n), !naive.is_empty() && found.shortest != Some(n - 1));
                asked += 1;
                proven += usize::from(!naive.is_empty());
                longer += usize::from(found.shortest == Some(2));
                for class in &found.keys {
                    let line = Prover::new(Budget::default()).selfmate_line(&position, n, class.key());
                    let line = line.expect("few steps").expect("it is forced");
                    let mut end = position.clone();
                    line.iter().for_each(|action| drop(end.play(action).expect("a legal action")));
                    assert!(end.is_checkmate() && line.len() <= 2 * n as usize);
                }
            }
        }
        assert!(asked > 500 && proven > 5 && longer > 0, "{asked} {proven} {longer}");
    }
}
