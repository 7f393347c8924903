//! The search finds the same mates and keys whether or not it leaves out actions that others speak for: defences that a known answer also
//! mates, and every other region of actions.
//!
//! Debug builds also play some of the defences and actions that are excluded.

use arbitrary::Result;
use worldlines::generate::{quiet_mate, spare_board, three_in_a_line};
use worldlines::search::{Budget, Prover, Solution};
use worldlines::state::Position;

use super::{noted, shown, small_position_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 300);

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(case(bytes)?)?;
    check(&position, leaving_out).map(drop).ok_or(arbitrary::Error::IncorrectFormat)
}

/// A position in which the defender has many irrelevant moves.
fn case(bytes: &[u8]) -> Result<Position> {
    small_position_of(bytes, |u| match u.int_in_range(0..=7)? {
        0 => three_in_a_line(u),
        1 | 2 => quiet_mate(u),
        _ => spare_board(u),
    })
}

const STEPS: u64 = 40_000;
/// The steps of a search that looks at every action.
const STEPS_ONE_BY_ONE: u64 = 200_000;
const LONGEST: u32 = 3;

type Solver = fn(&Position, u32) -> Solution;

/// A search that excludes defences from the second on.
fn leaving_out(position: &Position, mate_in: u32) -> Solution {
    Prover::new(Budget::steps(STEPS)).with_ordered_defences(1).solve(position, mate_in, true)
}

/// A search that leaves out nothing.
fn one_by_one(position: &Position, mate_in: u32) -> Solution {
    Prover::new(Budget::steps(STEPS_ONE_BY_ONE)).one_by_one().solve(position, mate_in, true)
}

/// The shortest mate; `Some(None)` if there is none in [`LONGEST`]; `None` if a search gives up before a mate
/// in two.
fn check(position: &Position, leaving_out: Solver) -> Option<Option<u32>> {
    for mate_in in 1..=LONGEST {
        let usual = Prover::new(Budget::steps(STEPS)).solve(position, mate_in, true);
        let solution = leaving_out(position, mate_in);
        if !usual.complete || !solution.complete {
            return (mate_in == LONGEST).then_some(None);
        }
        let context = || format!("mate in {mate_in} of{}", shown(position));
        let same = |other: &Solution, kind: &str| {
            assert_eq!(other.verdict, usual.verdict, "{kind}: {}", context());
            assert_eq!(other.keys, usual.keys, "{kind}: {}", context());
        };
        same(&solution, "leaving out from the second defence on");
        let slow = one_by_one(position, mate_in);
        if slow.complete {
            same(&slow, "leaving out nothing");
            let counts = [usual.mating_actions, slow.mating_actions];
            if counts.iter().all(|count| !count.capped) {
                assert_eq!(counts[0].count, counts[1].count, "mating actions: {}", context());
            }
        }
        if usual.shortest.is_some() {
            return Some(usual.shortest);
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;

    use super::*;
    use crate::targets::{Random, flags};

    fn positions() -> impl Iterator<Item = Position> {
        let mut random = Random::default();
        std::iter::from_fn(move || Some(random.bytes(120)))
            .filter_map(|bytes| spare_board(&mut Unstructured::new(&bytes)).ok())
    }

    #[test]
    fn one_answer_serves_several_defences() {
        let (mut mates_in_two, mut shorter, mut every_action) = (0, 0, 0);
        for position in positions().take(300) {
            if check(&position, leaving_out) != Some(Some(2)) {
                continue;
            }
            mates_in_two += 1;
            let usual = Prover::new(Budget::steps(STEPS)).solve(&position, 2, true);
            shorter += u32::from(leaving_out(&position, 2).steps < usual.steps);
            let slow = one_by_one(&position, 2);
            if slow.complete && slow.steps > usual.steps {
                every_action += 1;
            }
        }
        assert!(mates_in_two > 5 && shorter > 0, "{shorter} of {mates_in_two}");
        assert!(every_action > 3, "{every_action} of {mates_in_two} were looked at one by one");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let mates = |position: &Position| check(position, leaving_out) == Some(Some(2));
        let position = positions().find(mates).expect("a mate in two");
        let overlooks_a_key: Solver = |position, mate_in| {
            let mut solution = leaving_out(position, mate_in);
            solution.keys.pop();
            solution
        };
        assert!(flags(|| check(&position, overlooks_a_key)));
    }
}
