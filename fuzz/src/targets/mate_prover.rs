//! The search for mates agrees with the naive twin, which tries everything, on small positions.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::Result;
use worldlines::generate::{mating_position, three_in_a_line};
use worldlines::search::{Analysis, Budget, Defence, Prover, RunAll, Solution, Solve, Try, Verdict, solve};
use worldlines::slow::{Patience, Pruning, SlowState};
use worldlines::state::Position;
use worldlines::types::{Action, BoardCoordinate, Move, MoveKind};

use super::{noted, shown, small_position_of, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 150);

/// The limit of the twin for one question.
pub(super) const PATIENCE: Patience = Patience(20_000);
/// The limit of the twin for the legal actions of one position.
pub(super) const LEGAL: usize = 250;
/// The search steps: far beyond what such positions need.
const NODES: u64 = 200_000;
/// The longest mate that is tested.
const LONGEST: u32 = 3;

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(case(bytes)?)?;
    check(&position, solve).map(drop).ok_or(arbitrary::Error::IncorrectFormat)
}

/// A position in which a mate is not unlikely.
fn case(bytes: &[u8]) -> Result<Position> {
    small_position_of(bytes, |u| if u.ratio(1, 4)? { three_in_a_line(u) } else { mating_position(u) })
}

type Solver = fn(&Position, Solve) -> Solution;

/// The shortest mate of at most [`LONGEST`]; `Some(None)` if there is none; `None` if the twin gives up
/// before a mate in three.
fn check(position: &Position, solve: Solver) -> Option<Option<u32>> {
    let twin = twin_of(position);
    let mut shortest = None;
    for mate_in in 1..=LONGEST {
        let expected = match twin.mating_actions(mate_in, &mut PATIENCE.clone()) {
            None if mate_in > 2 => break,
            expected => expected?,
        };
        if !expected.is_empty() && shortest.is_none() {
            shortest = Some(mate_in);
        }
        let question = Solve { mate_in, all: true, budget: Budget::steps(NODES) };
        let solution = solve(position, question);
        if solution.verdict == Verdict::Undecided || !solution.complete {
            return None;
        }
        let verdict = if expected.is_empty() { Verdict::Refuted } else { Verdict::Proven };
        let context = || format!("mate in {mate_in} of{}", shown(position));
        assert_eq!(solution.verdict, verdict, "{}", context());
        let classes = key_classes(&twin, &expected)?;
        let found: Vec<BTreeSet<Action>> =
            solution.keys.iter().map(|class| class.keys().iter().cloned().collect()).collect();
        assert_eq!(found.iter().collect::<BTreeSet<_>>(), classes.iter().collect(), "{}", context());
        assert_eq!(found.len(), classes.len(), "a class is named twice: {}", context());
        assert_eq!(solution.mating_actions.count, expected.len() as u64, "{}", context());
        assert_eq!(solution.shortest, shortest, "the shortest {}", context());
        let few = Prover::new(question.budget).with_ordered_defences(1).solve(position, mate_in, true);
        if few.complete {
            assert_eq!(few.keys, solution.keys, "with few defences in order: {}", context());
        }
        if mate_in == LONGEST {
            let run_all: RunAll = |tasks| tasks.into_iter().for_each(|task| task());
            let shared = Prover::on_threads(question.budget, 2, run_all).solve(position, mate_in, true);
            if shared.complete {
                assert_eq!(shared.keys, solution.keys, "shared by two tasks: {}", context());
            }
        }
        let one = solve(position, Solve { all: false, ..question });
        assert_eq!(one.verdict, verdict, "asked for one key only: {}", context());
        assert!(
            one.keys.iter().all(|class| expected.contains(class.key())),
            "asked for one key only: {}",
            context()
        );
        if let Some(class) = one.keys.first() {
            let refutations = refutations(position, class.key(), mate_in)?;
            assert_eq!(refutations, 0, "of {:?}, a {}", class.key(), context());
        }
        if let Some(Try { action, refutation: defence }) = &solution.near_miss {
            assert!(survives(&twin, action, defence, mate_in)?, "{action:?} {defence:?} in {}", context());
            assert_survivor(position, &twin, action, mate_in)?;
        }
        // A smaller budget may decide less, but never something else, wherever it ends. One of the budgets
        // differs from question to question.
        let anywhere = solution.steps.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (solution.steps + 1);
        for steps in [solution.steps / 2, anywhere] {
            let scarce = solve(position, Solve { budget: Budget::steps(steps), ..question });
            let context = || format!("{steps} of {} steps: {}", solution.steps, context());
            assert!([verdict, Verdict::Undecided].contains(&scarce.verdict), "{}", context());
            assert!(scarce.keys.iter().all(|class| expected.contains(class.key())), "{}", context());
            assert!(scarce.steps <= solution.steps, "{}", context());
        }
    }
    check_by_checks(position, &twin, shortest)?;
    Some(shortest)
}

/// Checks that the search for long mates finds only mates, and none shorter than the shortest.
fn check_by_checks(position: &Position, twin: &SlowState, shortest: Option<u32>) -> Option<()> {
    let found = Prover::new(Budget::steps(NODES)).mate_by_checks(position, LONGEST).ok()?;
    let Some((length, key)) = found else { return Some(()) };
    let context = || format!("mate in {length} by {key:?} of{}", shown(position));
    assert!(shortest.is_none_or(|shortest| shortest <= length), "{}", context());
    let mating = twin.mating_actions(length, &mut PATIENCE.clone())?;
    assert!(mating.contains(&key), "{}", context());
    let line = Analysis::new(&mut Prover::new(Budget::steps(NODES)), position, length).line(&key).ok()?;
    assert!(line.is_some(), "no line: {}", context());
    Some(())
}

/// The number of replies that refute this action, as the prover says.
fn refutations(position: &Position, action: &Action, mate_in: u32) -> Option<u64> {
    let mut prover = Prover::new(Budget::steps(NODES));
    let counted = Analysis::new(&mut prover, position, mate_in).count_refutations(action);
    counted.ok().map(|refutations| refutations.count)
}

/// Checks that the prover finds a defence against this action too, and a true one.
fn assert_survivor(position: &Position, twin: &SlowState, action: &Action, mate_in: u32) -> Option<()> {
    let mut after = position.clone();
    after.play(action).expect("a legal action");
    let defence = Prover::new(Budget::steps(NODES)).surviving_defence(&after, mate_in - 1).ok()?;
    let defence = defence.unwrap_or_else(|| panic!("no defence against {action:?} in{}", shown(position)));
    assert!(survives(twin, action, &defence, mate_in)?, "{action:?} {defence:?} in{}", shown(position));
    Some(())
}

/// Whether after `action` this defence leaves no mate in time.
fn survives(twin: &SlowState, action: &Action, defence: &Defence, mate_in: u32) -> Option<bool> {
    let mut after = twin.clone();
    after.play(action);
    let defences = legal(&after)?;
    match defence {
        Defence::Stalemate => Some(defences.is_empty() && !after.is_in_check()),
        Defence::Action(defence) if !defences.contains(defence) => Some(false),
        Defence::Action(_) if mate_in == 1 => Some(true),
        Defence::Action(defence) => {
            after.play(defence);
            Some(!after.has_mate(mate_in - 1, &mut PATIENCE.clone())?)
        }
    }
}

/// The mating actions of which no part mates, by class. In a class only boards differ on which every move
/// within the board mates.
pub(super) fn key_classes(twin: &SlowState, mating: &BTreeSet<Action>) -> Option<Vec<BTreeSet<Action>>> {
    let legal = legal(twin)?;
    let is_key = |action: &&Action| !mating.iter().any(|part| part != *action && action.contains(part));
    let keys = mating.iter().filter(is_key);
    let mut classes: BTreeMap<(Vec<Move>, Vec<BoardCoordinate>), BTreeSet<Action>> = BTreeMap::new();
    for key in keys {
        let free = |m: &&Move| {
            let others = key.moves().iter().filter(|other| other != m);
            let others: Vec<Move> = others.copied().collect();
            let mut alternatives = legal.iter().filter(|action| {
                let there = action.move_from(m.from.board);
                *action != key
                    && action.moves().len() == key.moves().len()
                    && there.is_some_and(|there| there.kind == MoveKind::Physical)
                    && others.iter().all(|other| action.moves().contains(other))
            });
            let any = alternatives.clone().next().is_some();
            m.kind == MoveKind::Physical && any && alternatives.all(|action| mating.contains(action))
        };
        let mut free: Vec<BoardCoordinate> = key.moves().iter().filter(free).map(|m| m.from.board).collect();
        if free.len() == key.moves().len() {
            free.clear();
        }
        let bound = key.moves().iter().filter(|m| !free.contains(&m.from.board)).copied().collect();
        classes.entry((bound, free)).or_default().insert(key.clone());
    }
    Some(classes.into_values().collect())
}

pub(super) fn legal(twin: &SlowState) -> Option<BTreeSet<Action>> {
    twin.legal_actions_with(Pruning::CheckedEarly, LEGAL)
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;
    use worldlines::notation::fen5d;

    use super::*;
    use crate::targets::{Random, flags};

    #[test]
    fn mates_are_met() {
        let mut random = Random::default();
        let mut found = [0; 1 + LONGEST as usize];
        for _ in 0..250 {
            let bytes = random.bytes(120);
            let Ok(position) = mating_position(&mut Unstructured::new(&bytes)) else { continue };
            if let Some(shortest) = check(&position, solve) {
                found[shortest.unwrap_or(0) as usize] += 1;
            }
        }
        let [none, one, two, three] = found;
        assert!(none > 20 && one > 10 && two > 3 && three > 0, "mates by length, none first: {found:?}");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let mut random = Random::default();
        let positions =
            (0..500).filter_map(|_| mating_position(&mut Unstructured::new(&random.bytes(120))).ok());
        let mate_in_two = |position: &Position| check(position, solve) == Some(Some(2));
        let position = positions.into_iter().find(mate_in_two).expect("a mate in two");
        let sees_nothing: Solver = |position, question| Solution {
            verdict: Verdict::Refuted,
            keys: Vec::new(),
            ..solve(position, question)
        };
        assert!(flags(|| check(&position, sees_nothing)));
        let overlooks_a_key: Solver = |position, question| {
            let mut solution = solve(position, question);
            if question.all {
                solution.keys.pop();
            }
            solution
        };
        assert!(flags(|| check(&position, overlooks_a_key)));
        let takes_the_end_for_a_refutation: Solver = |position, question| {
            let mut solution = solve(position, question);
            if solution.verdict == Verdict::Undecided {
                solution.verdict = Verdict::Refuted;
            }
            solution
        };
        assert!(flags(|| check(&position, takes_the_end_for_a_refutation)));
    }

    #[test]
    fn a_reply_may_activate_two_timelines_at_once() {
        let text = "[k2/3/K2:-3:1:w] [k2/3/K2:-3:1:b] [k2/1r1/2K:-2:1:b] [1B1/p*2/2K:-1:3:w] [1B1/p*2/2K:-1:3:b] \
                    [1Q1/bP1/2K:0:3:w] [1Q1/bP1/2K:0:3:b]";
        let position = fen5d::parse(text).into_result().unwrap();
        let mates = |action: &Action| {
            let mut after = position.clone();
            after.play(action).expect("a legal action");
            after.is_checkmate()
        };
        let mating = position.legal_actions().filter(mates).count();
        let solution = solve(&position, Solve { mate_in: 1, all: true, budget: Budget::steps(NODES) });
        assert_eq!(solution.mating_actions.count, mating as u64);
    }
}
