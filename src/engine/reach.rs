//! The squares of a board that a player's pieces attack, by the value of the attacker.

use crate::state::Board;
use crate::types::Color;

/// All files except the first, and except the last: masks against steps that wrap around.
const NOT_FIRST: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The set, shifted by one step.
fn step(set: u64, files: i32, ranks: i32) -> u64 {
    let set = match files {
        1 => (set & NOT_LAST) << 1,
        -1 => (set & NOT_FIRST) >> 1,
        _ => set,
    };
    match ranks {
        1 => set << 8,
        -1 => set >> 8,
        _ => set,
    }
}

const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The squares that a king on any square of the set can reach.
pub(super) fn king_steps(set: u64) -> u64 {
    let steps = STRAIGHT.into_iter().chain(DIAGONAL);
    steps.fold(0, |reached, (files, ranks)| reached | step(set, files, ranks))
}

/// The squares of the set with four neighbours in the set.
pub(super) fn inner(set: u64) -> u64 {
    STRAIGHT.into_iter().fold(set, |inner, (files, ranks)| inner & step(set, files, ranks))
}

fn rays(sliders: u64, directions: [(i32, i32); 4], free: u64) -> u64 {
    if sliders == 0 {
        return 0;
    }
    directions.into_iter().fold(0, |reached, (files, ranks)| {
        let (mut ray, mut all) = (sliders, 0);
        while ray != 0 {
            let next = step(ray, files, ranks);
            all |= next;
            ray = next & free;
        }
        reached | all
    })
}

fn knight_steps(set: u64) -> u64 {
    let (one, two) = (step(set, 1, 0) | step(set, -1, 0), {
        let right = step(step(set, 1, 0), 1, 0);
        let left = step(step(set, -1, 0), -1, 0);
        right | left
    });
    one << 16 | one >> 16 | two << 8 | two >> 8
}

/// The number of classes of attackers.
pub(super) const CLASSES: usize = 6;

/// The squares that a player's pawns, knights, bishops, rooks, queens and kings attack on their own board, in
/// this order. The last two classes include princesses and common kings. Squares behind walls may be
/// included; no piece is there.
pub(super) fn attacked(board: &Board, color: Color) -> [u64; CLASSES] {
    let own = board.by_color(color);
    let free = !board.occupied();
    let (straight, diagonal) = (board.sliders(1) & own, board.sliders(2) & own);
    let both = straight & diagonal;
    let pawns = step(board.pawns() & own, 0, i32::from(color.rank_forward()));
    [
        step(pawns, 1, 0) | step(pawns, -1, 0),
        knight_steps(board.knights() & own),
        rays(diagonal & !both, DIAGONAL, free),
        rays(straight & !both, STRAIGHT, free),
        rays(both, STRAIGHT, free) | rays(both, DIAGONAL, free),
        king_steps(board.king_steppers() & own),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::multiverses;
    use crate::types::{MoveKind, Piece, PieceKind};

    /// Every capture within a board that the rules allow is on an attacked square of some class.
    #[test]
    fn captures_of_the_rules_are_attacks() {
        let mut captures = 0;
        for position in multiverses(31, 900) {
            for m in position.pseudo_legal_moves().into_iter().filter(|m| m.kind == MoveKind::Physical) {
                let board = position.board(m.from.board).unwrap();
                if board.get(m.to.square).is_some_and(|piece| piece.color != position.to_move()) {
                    let all = attacked(board, position.to_move()).into_iter().fold(0, |a, b| a | b);
                    assert!(all & m.to.square.bit() != 0, "{m} in {position:?}");
                    captures += 1;
                }
            }
        }
        assert!(captures > 300, "{captures}");
    }

    /// Every attacked square can be captured on: an enemy piece is put on each empty square in turn.
    #[test]
    fn attacks_are_captures_of_the_rules() {
        let mut checked = 0;
        for position in multiverses(32, 60) {
            let color = position.to_move();
            for at in position.playable_boards().take(1) {
                let board = *position.board(at).unwrap();
                let all = attacked(&board, color).into_iter().fold(0, |a, b| a | b) & board.squares();
                for square in crate::state::squares_of(board.squares() & !board.occupied()) {
                    let mut setup = position.to_setup();
                    let place = setup.boards.iter_mut().find(|(other, _)| *other == at).unwrap();
                    place.1.put(square, Piece { color: !color, kind: PieceKind::Knight }, false);
                    let changed = crate::state::Position::from_setup(&setup).unwrap();
                    let mut moves = Vec::new();
                    changed.pseudo_legal_moves_from(at, &mut moves);
                    let captured =
                        moves.iter().any(|m| m.kind == MoveKind::Physical && m.to.square == square);
                    // A pawn that would have to promote may not be able to.
                    let promotes = board.pawns() & board.by_color(color) != 0;
                    if !promotes {
                        assert_eq!(captured, all & square.bit() != 0, "{square} of {at} in {position:?}");
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 100, "{checked}");
    }
}
