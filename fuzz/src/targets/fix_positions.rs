//! `verify --fix` completes a puzzle that has only a true claim, in any position, and the result verifies.

use std::fmt::Write;

use arbitrary::{Error, Result, Unstructured};
use worldlines::generate::{mating_position, near_duplicates, spare_board, three_in_a_line};
use worldlines::puzzle::{Document, FixError, Fixed, Options, Wanted, load, repair};
use worldlines::search::{Budget, Solve, Verdict, solve};
use worldlines::state::Position;

use super::fix_idempotent::check_fixed;
use super::{Case, noted, puzzle_about, small_position_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 40);

/// The limits for finding the claim, and for all proofs of the puzzle.
const STEPS: u64 = 5_000;
const OPTIONS: Options<'_> = Options {
    quick: false,
    max_steps: Some(10 * STEPS),
    memory: 1 << 26,
    evidence: 500_000,
    paranoid: false,
    stop: None,
};

/// The longest mate that is looked for, and the claim if there is none.
const LONGEST: u32 = 3;
const NO_MATE_IN: u32 = 2;

/// A position, and the tables that its puzzle gets.
struct Draft {
    position: Position,
    /// The shortest mate, if there is one.
    mate_in: Option<u32>,
    wanted: Wanted,
}

impl Draft {
    fn yaml(&self) -> String {
        let mut text = puzzle_about(&self.position, "draft");
        let _ = match self.mate_in {
            Some(n) => writeln!(text, "goal: {{ mate-in: {n} }}"),
            None => writeln!(text, "goal: {{ no-mate-in: {NO_MATE_IN} }}"),
        };
        text += "tries:\n  scope: plausible\n  rows: {}\n";
        text
    }
}

impl Case for Draft {
    fn shown(&self) -> String {
        self.yaml()
    }
}

fn run(bytes: &[u8]) -> Result<()> {
    let case = noted(case(bytes)?)?;
    check(&case, repair)
}

fn case(bytes: &[u8]) -> Result<Draft> {
    let position = small_position_of(bytes, |u| match u.int_in_range(0..=5)? {
        0 => three_in_a_line(u),
        1 => spare_board(u),
        2 => near_duplicates(u),
        _ => mating_position(u),
    })?;
    // A position is no case if the budget does not decide its shortest mate.
    let mut mate_in = None;
    for n in 1..=LONGEST {
        let solution = solve(&position, Solve { mate_in: n, all: false, budget: Budget::steps(STEPS) });
        mate_in = solution.shortest;
        match solution.verdict {
            Verdict::Proven => break,
            Verdict::Undecided if n <= NO_MATE_IN => return Err(Error::IncorrectFormat),
            Verdict::Refuted | Verdict::Undecided => {}
        }
    }
    // The choices about tables come from the end of the bytes, so that the position stays the same.
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let mut u = Unstructured::new(&reversed);
    let wanted = Wanted { tables: u.ratio(1, 4)?, duals: u.ratio(1, 4)?, set_play: u.ratio(1, 4)? };
    Ok(Draft { position, mate_in, wanted })
}

type Fixer = fn(&Document, Options<'_>, Wanted) -> std::result::Result<Option<Fixed>, FixError>;

fn check(case: &Draft, repair: Fixer) -> Result<()> {
    let text = case.yaml();
    let documents = load("draft.yaml", text.as_bytes());
    let [document] = &documents[..] else { panic!("{} documents in\n{text}", documents.len()) };
    match repair(document, OPTIONS, case.wanted) {
        Ok(Some(fixed)) => {
            check_fixed(document, &fixed, OPTIONS, |again| repair(again, OPTIONS, case.wanted))
        }
        Ok(None) => assert_eq!(case.mate_in, None, "nothing is written for\n{text}"),
        Err(FixError::Undecided(_)) => return Err(Error::IncorrectFormat),
        Err(why) => panic!("not fixed: {why}\n{text}"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::flags;

    /// Two rooks mate the king in three. After the answer he stands on one of two squares, and from each may
    /// capture a rook of the turn before.
    #[test]
    fn what_is_wrong_is_flagged() {
        let position =
            worldlines::notation::fen5d::parse("[8/8/4k3/8/R7/1R6/8/K7:0:1:w]").into_result().unwrap();
        let case = Draft { position, mate_in: Some(3), wanted: Wanted::default() };
        assert_eq!(check(&case, repair), Ok(()));
        let does_nothing: Fixer = |_, _, _| Ok(None);
        assert!(flags(|| check(&case, does_nothing)));
        let says_it_is_wrong: Fixer = |_, _, _| Err(FixError::Text("no".into()));
        assert!(flags(|| check(&case, says_it_is_wrong)));
    }
}
