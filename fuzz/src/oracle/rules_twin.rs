//! The fast rules and the naive twin agree on small positions: moves, legal actions as sets, check, status.

use std::collections::BTreeSet;

use arbitrary::{Result, Unstructured};
use worldlines::slow::{Cell, SlowState};
use worldlines::state::Position;
use worldlines::types::{Action, Move, Place, Square};

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
    let twin = twin_of(&position);
    assert_eq!(twin.present(), position.present(), "present of {position:?}");
    assert_eq!(twin.active(), position.multiverse().active(), "active timelines of {position:?}");
    assert_eq!(twin.to_move(), position.to_move(), "player to move of {position:?}");
    let moves = position.pseudo_legal_moves();
    let set: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move is listed twice in {position:?}");
    assert_eq!(set, twin.moves(), "pseudo-legal moves of {position:?}");
    for at in position.playable_boards() {
        // The moves to one square are found in another way than all moves of a board.
        for (board, content) in position.multiverse().boards() {
            for square in (0..64).map(Square::from_index).filter(|s| content.squares() & s.bit() != 0) {
                let to = Place { board, square };
                let mut found = Vec::new();
                position.pseudo_legal_moves_to(at, to, &mut found);
                let found: BTreeSet<Move> = found.into_iter().collect();
                let expected = moves.iter().filter(|m| m.from.board == at && m.to == to).copied();
                assert_eq!(found, expected.collect(), "moves from {at:?} to {to:?} in {position:?}");
            }
        }
    }
    assert_eq!(position.is_in_check(), twin.is_in_check(), "check in {position:?}");
    let Some(expected) = twin.legal_actions(TWIN_LIMIT) else {
        return Err(arbitrary::Error::IncorrectFormat);
    };
    let listed: Vec<Action> = position.legal_actions().collect();
    let set: BTreeSet<Action> = listed.iter().cloned().collect();
    assert_eq!(set.len(), listed.len(), "an action is listed twice in {position:?}");
    let missing: Vec<_> = expected.difference(&set).take(3).collect();
    let extra: Vec<_> = set.difference(&expected).take(3).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}\nextra {extra:?}\nin {position:?}");
    if let Some(status) = twin.status(TWIN_LIMIT) {
        assert_eq!(position.status(), status, "status of {position:?}");
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
    #[test]
    fn smoke() {
        let accepted = crate::oracle::smoke(4_000, 400, super::run);
        assert!(accepted > 3_000, "only {accepted} positions were compared");
    }
}
