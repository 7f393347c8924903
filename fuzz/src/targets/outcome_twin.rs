//! The fast rules and the naive twin agree on check and on the status, and the evidence holds.

use arbitrary::{Error, Result};
use worldlines::rules::Outcome;
use worldlines::slow::{Pruning, SlowState};
use worldlines::state::Position;
use worldlines::types::Status;

use super::{any_position, noted, shown, twin_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 2_000);

/// The most partial actions that the twin tries; a position with more is skipped.
const TWIN_LIMIT: usize = 4_000;

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(any_position(bytes)?)?;
    check(&position, &twin_of(&position), Position::outcome)
}

fn check(position: &Position, twin: &SlowState, outcome: fn(&Position) -> Outcome) -> Result<()> {
    let in_check = twin.is_in_check();
    assert_eq!(position.is_in_check(), in_check, "check in{}", shown(position));
    let checks = position.checks();
    assert_eq!(!checks.is_empty(), in_check, "{checks:?} in{}", shown(position));
    assert!(checks.is_sorted_by(|a, b| a < b), "{checks:?} in{}", shown(position));
    let Some(legal) = twin.legal_actions_with(Pruning::CheckedEarly, TWIN_LIMIT) else {
        return Err(Error::IncorrectFormat);
    };
    let rewinds = |action: &_| {
        let mut after = twin.clone();
        after.play(action);
        after.present() < twin.present()
    };
    let expected = match (in_check, legal.is_empty()) {
        (true, true) => Status::Checkmate,
        (false, true) => Status::Stalemate,
        (true, false) if legal.iter().all(rewinds) => Status::Softmate,
        _ => Status::Ongoing,
    };
    let Outcome { status, in_check: said, escape, .. } = outcome(position);
    assert_eq!(status, expected, "status of{}", shown(position));
    assert_eq!(said, in_check, "check in the outcome of{}", shown(position));
    match escape {
        None => assert!(legal.is_empty(), "no escape in{}", shown(position)),
        Some(escape) => {
            assert!(legal.contains(&escape), "{escape:?} is no escape in{}", shown(position));
            let is_soft = rewinds(&escape);
            assert!(
                !in_check || (status == Status::Softmate) == is_soft,
                "{escape:?} is the evidence of {status} in{}",
                shown(position)
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use worldlines::notation::pgn5d;

    use super::*;
    use crate::targets::flags;

    #[test]
    fn what_is_wrong_is_flagged() {
        let softmate = pgn5d::parse("1. f3 / e6 2. g4 / Qh4").into_result().expect("a game").end();
        let twin = twin_of(&softmate);
        check(&softmate, &twin, Position::outcome).expect("small enough");
        let calls_it_mate = |position: &Position| Outcome { status: Status::Checkmate, ..position.outcome() };
        assert!(flags(|| check(&softmate, &twin, calls_it_mate)));
        let has_no_evidence = |position: &Position| Outcome { escape: None, ..position.outcome() };
        assert!(flags(|| check(&softmate, &twin, has_no_evidence)));
        let quiet = pgn5d::parse("1. f3 / e6").into_result().expect("a game").end();
        assert!(flags(|| check(&softmate, &twin_of(&quiet), Position::outcome)));
    }
}
