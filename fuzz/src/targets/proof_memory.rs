//! The memory of a proof changes only how long it takes, even if many positions are nearly the same.
//!
//! Such positions have timelines whose boards differ only in marks of unmoved pieces, or in a pawn that is a
//! brawn.

use arbitrary::Result;
use worldlines::generate::near_duplicates;
use worldlines::search::{Budget, Solution, Solve, Verdict, solve};
use worldlines::state::Position;

use super::{noted, shown, small_position_of};
use crate::Target;

/// The target.
pub const TARGET: Target = Target::of_choices(run, 100);

fn run(bytes: &[u8]) -> Result<()> {
    let position = noted(small_position_of(bytes, near_duplicates)?)?;
    check(&position, solve).map(drop).ok_or(arbitrary::Error::IncorrectFormat)
}

type Solver = fn(&Position, Solve) -> Solution;

const NODES: u64 = 20_000;

/// The verdicts on a mate in one and in two; `None` when a search gives up.
fn check(position: &Position, remembering: Solver) -> Option<[Verdict; 2]> {
    let mut verdicts = [Verdict::Undecided; 2];
    for mate_in in 1..=2 {
        let question = |memory| Solve {
            mate_in,
            all: true,
            budget: Budget { steps: NODES, memory, ..Budget::default() },
        };
        let expected = solve(position, question(0));
        if expected.verdict == Verdict::Undecided || !expected.complete {
            return None;
        }
        for memory in [1 << 10, 16 << 10, 64 << 20] {
            let solution = remembering(position, question(memory));
            if !solution.complete {
                continue;
            }
            let context = || format!("mate in {mate_in}, remembering {memory} bytes, of{}", shown(position));
            assert_eq!(solution.verdict, expected.verdict, "{}", context());
            assert_eq!(solution.keys, expected.keys, "{}", context());
            assert_eq!(solution.shortest, expected.shortest, "{}", context());
        }
        verdicts[mate_in as usize - 1] = expected.verdict;
    }
    Some(verdicts)
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;
    use worldlines::types::PieceKind;

    use super::*;
    use crate::targets::{Random, flags};

    #[test]
    fn what_is_wrong_is_flagged() {
        /// Confuses boards that differ only in marks and in the kinds of pawns.
        fn confused(position: &Position, question: Solve) -> Solution {
            if question.budget.memory < 1 << 20 {
                return solve(position, question);
            }
            let mut setup = position.to_setup();
            for (_, board) in &mut setup.boards {
                for (square, mut piece) in board.pieces().collect::<Vec<_>>() {
                    if piece.kind == PieceKind::Brawn {
                        piece.kind = PieceKind::Pawn;
                    }
                    board.put(square, piece, false);
                }
            }
            solve(&Position::from_setup(&setup).expect("the same boards"), question)
        }
        let mut random = Random::default();
        let (mut decided, mut proven) = (0, 0);
        let mut flagged = false;
        for _ in 0..150 {
            let bytes = random.bytes(160);
            let Ok(position) = near_duplicates(&mut Unstructured::new(&bytes)) else { continue };
            let Some(verdicts) = check(&position, solve) else { continue };
            decided += 1;
            proven += usize::from(verdicts.contains(&Verdict::Proven));
            flagged = flagged || flags(|| check(&position, confused));
        }
        assert!(decided > 30 && proven > 5, "{decided} decided, {proven} proven");
        assert!(flagged, "nothing depends on marks");
    }
}
