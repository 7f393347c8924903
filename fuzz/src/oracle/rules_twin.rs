//! The fast rules and the naive twin agree on small positions: moves, legal actions as sets, check, status.

use std::collections::BTreeSet;

use arbitrary::{Result, Unstructured};
use worldlines::slow::{Cell, SlowState};
use worldlines::state::Position;
use worldlines::types::{Action, Move, Place, Square};

use super::shown;
use crate::generate::small_position;

/// How many partial actions the twin may look at before a position is passed over.
const TWIN_LIMIT: usize = 4_000;

/// Compares everything that both can say about one position.
///
/// # Errors
///
/// When the bytes give no position, or one too large for the twin.
///
/// # Panics
///
/// When the two differ.
pub fn run(bytes: &[u8]) -> Result<()> {
    let mut u = Unstructured::new(bytes);
    let position = small_position(&mut u, 6)?;
    check(&position, &twin_of(&position))
}

fn check(position: &Position, twin: &SlowState) -> Result<()> {
    assert_eq!(twin.present(), position.present(), "present of{}", shown(position));
    assert_eq!(twin.active(), position.multiverse().active(), "active timelines of{}", shown(position));
    assert_eq!(twin.to_move(), position.to_move(), "player to move of{}", shown(position));
    let moves = position.pseudo_legal_moves();
    let set: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice in{}", shown(position));
    assert_eq!(set, twin.moves(), "pseudo-legal moves of{}", shown(position));
    for at in position.playable_boards() {
        // The moves to one square are found in another way than all moves of a board.
        for (board, content) in position.multiverse().boards() {
            for square in (0..64).map(Square::from_index).filter(|s| content.squares() & s.bit() != 0) {
                let to = Place { board, square };
                let mut found = Vec::new();
                position.pseudo_legal_moves_to(at, to, &mut found);
                let found: BTreeSet<Move> = found.into_iter().collect();
                let expected = moves.iter().filter(|m| m.from.board == at && m.to == to).copied();
                assert_eq!(found, expected.collect(), "moves from {at:?} to {to:?} in{}", shown(position));
            }
        }
    }
    assert_eq!(position.is_in_check(), twin.is_in_check(), "check in{}", shown(position));
    let Some(expected) = twin.legal_actions(TWIN_LIMIT) else {
        return Err(arbitrary::Error::IncorrectFormat);
    };
    let listed: Vec<Action> = position.legal_actions().collect();
    let set: BTreeSet<Action> = listed.iter().cloned().collect();
    assert_eq!(set.len(), listed.len(), "an action is listed twice in{}", shown(position));
    let missing: Vec<_> = expected.difference(&set).take(3).collect();
    let extra: Vec<_> = set.difference(&expected).take(3).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "missing {missing:?}\nextra {extra:?}\nin{}",
        shown(position)
    );
    if let Some(status) = twin.status(TWIN_LIMIT) {
        assert_eq!(position.status(), status, "status of{}", shown(position));
    }
    Ok(())
}

/// The same position for the twin.
pub fn twin_of(position: &Position) -> SlowState {
    let boards = position.multiverse().boards().map(|(at, board)| {
        let cells = board
            .pieces()
            .map(|(square, piece)| (square, Cell { piece, unmoved: board.is_unmoved(square) }))
            .collect();
        (at, cells)
    });
    SlowState::new(position.size(), position.parity(), position.profile(), boards)
        .expect("a position is a state of the twin")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::flags;
    use worldlines::notation::fen5d;

    #[test]
    fn smoke() {
        let accepted = crate::oracle::smoke(4_000, 400, run);
        assert!(accepted > 3_000, "only {accepted} positions were compared");
    }

    #[test]
    fn what_is_wrong_is_flagged() {
        let position = |text| fen5d::read(text).expect("a position");
        let castling = position("[r*3k*3/8/8/8/8/8/8/R*3K*3:0:1:w]");
        check(&castling, &twin_of(&castling)).expect("small enough");
        for other in ["[r*3k*3/8/8/8/8/8/8/R*3K3:0:1:w]", "[r*3k*3/8/8/8/8/8/8/4K*3:0:1:w]"] {
            let other = twin_of(&position(other));
            assert!(flags(|| check(&castling, &other)), "rules that forget something");
        }
    }
}
