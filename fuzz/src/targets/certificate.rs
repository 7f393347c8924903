//! Every mate has a certificate that the checker accepts, and no other action has one.

use arbitrary::Result;
use worldlines::generate::{authored_position, mating_position};
use worldlines::search::certificate::{BuildError, CheckResult, Looks, Node, certify, check};
use worldlines::search::{Budget, Prover};
use worldlines::state::Position;
use worldlines::types::{Action, Status};

use super::{noted, position_of, shown};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 300);

/// Limits far beyond what such positions need.
const NODES: u64 = 5_000;
const STEPS: u64 = 200_000;
/// The most actions that are tried in a position.
const ACTIONS: usize = 20;

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(case(bytes)?)?;
    let decided = check_ones(&position, check) | check_two(&position);
    if decided { Ok(()) } else { Err(arbitrary::Error::IncorrectFormat) }
}

/// A position in which a mate is not unlikely, made by play or by an author, or any other.
fn case(bytes: &[u8]) -> Result<Position> {
    position_of(bytes, |u| match u.int_in_range(0..=2)? {
        0 => u.arbitrary(),
        1 => mating_position(u),
        _ => authored_position(u),
    })
}

type Checker = fn(&Position, &Action, u32, &Node, &Looks<'_>) -> CheckResult;

/// Checks whether the player to move is mated, and some of his actions for mates in one. Returns true if any
/// answer was decided.
fn check_ones(position: &Position, check: Checker) -> bool {
    let mut decided = mated(position).is_some();
    let actions: Vec<Action> = position.legal_actions().within(NODES).take(ACTIONS).collect();
    for action in actions {
        let mut after = position.clone();
        after.play(&action).expect("a legal action");
        let mate = mated(&after);
        decided |= mate.is_some();
        if let Some(Some(node)) = mate {
            assert_proves(position, &action, 1, &node, check);
        }
    }
    decided
}

/// The certificate if the player to move is checkmated; `Some(None)` if not; `None` if that is undecided.
fn mated(position: &Position) -> Option<Option<Node>> {
    let status = position.outcome_within(NODES).ok()?.status;
    match certify(position, 1, &mut |_, _| None, &Looks::within(STEPS)) {
        Ok(node) => {
            assert_eq!(status, Status::Checkmate, "{node:?} for{}", shown(position));
            Some(Some(node))
        }
        Err(BuildError::NoAnswer(line)) => {
            assert_eq!(line.len(), 1, "in{}", shown(position));
            assert!(
                position.clone().play(&line[0]).is_ok(),
                "{:?} is illegal in{}",
                line[0],
                shown(position)
            );
            Some(None)
        }
        Err(BuildError::Stalemate(_)) => {
            assert_eq!(status, Status::Stalemate, "in{}", shown(position));
            Some(None)
        }
        Err(BuildError::Undecided(_)) => None,
        Err(error) => panic!("{error:?} in{}", shown(position)),
    }
}

/// Checks that a mate in two which the search finds has a certificate. Returns true if there is such a mate.
fn check_two(position: &Position) -> bool {
    let mut prover = Prover::new(Budget::steps(NODES));
    let solution = prover.solve(position, 2, false);
    let Some(class) = solution.keys.first().filter(|_| solution.shortest == Some(2)) else { return false };
    let key = class.key();
    let mut after = position.clone();
    after.play(key).expect("a legal action");
    let mut spent = false;
    let mut answers = |position: &Position, left: u32| {
        let answer = prover.mating_answer(position, left);
        spent |= answer.is_err();
        answer.ok()?
    };
    match certify(&after, 2, &mut answers, &Looks::within(STEPS)) {
        Ok(node) => {
            assert_proves(position, key, 2, &node, check);
            true
        }
        Err(BuildError::Undecided(_)) => false,
        Err(error) => {
            assert!(spent, "{error:?} after {key:?} in{}", shown(position));
            false
        }
    }
}

/// Checks that the certificate is accepted, and is not accepted after a part is left out.
fn assert_proves(start: &Position, key: &Action, mate_in: u32, node: &Node, check: Checker) {
    let context = || format!("{node:?} after {key:?} in{}", shown(start));
    let verdict = check(start, key, mate_in, node, &Looks::within(10 * STEPS));
    let defences = match verdict {
        CheckResult::Accepted { defences, .. } => defences,
        other => panic!("{other:?} of {}", context()),
    };
    let mut after = start.clone();
    after.play(key).expect("a legal action");
    assert_eq!(defences, after.count_legal_actions(u64::MAX).count, "{}", context());
    for part in 0..node.threats.len() + node.replies.len() {
        let mut less = node.clone();
        match part.checked_sub(node.threats.len()) {
            None => {
                less.threats.remove(part);
            }
            Some(row) => {
                less.replies.remove(row);
            }
        }
        let verdict = check(start, key, mate_in, &less, &Looks::within(10 * STEPS));
        assert!(!matches!(verdict, CheckResult::Accepted { .. }), "without part {part}: {}", context());
    }
}

#[cfg(test)]
mod tests {
    use worldlines::notation::fen5d;
    use worldlines::types::Because;

    use super::*;
    use crate::targets::flags;

    #[test]
    fn a_mate_in_two_is_decided() {
        let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result().expect("a position");
        assert!(check_two(&position));
    }

    #[test]
    fn a_checker_that_accepts_or_refuses_everything_is_noticed() {
        let mate = fen5d::parse("[k2/3/1QK:0:1:w]").into_result().expect("a position");
        assert!(check_ones(&mate, check));
        assert!(flags(|| check_ones(&mate, |_, _, _, _, _| CheckResult::Accepted { defences: 0 })));
        assert!(flags(|| check_ones(&mate, |_, _, _, _, _| CheckResult::Undecided(Because::Budget))));
    }
}
