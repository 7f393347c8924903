//! The order in which the library lists moves. Programs that take the first move, or the first of the best,
//! then choose the same one.

use super::game::Chess;
use crate::state::Position;
use crate::types::{Move, PieceKind};

/// A sort key of a move: the source, then the direction and distance, and the promotion.
type Key = ([i32; 3], [i32; 7], i32);

impl Chess {
    /// Sorts the moves of a position: by timeline as in raw arrays, rank and file; those of one piece in the
    /// order in which the library tries its directions.
    pub(super) fn sort_moves(&self, position: &Position, moves: &mut [Move]) {
        let numbering = self.numbering();
        moves.sort_by_cached_key(|m| {
            let timeline = i32::try_from(numbering.timeline_index(m.from.board.timeline)).unwrap_or(i32::MAX);
            let source = [timeline, i32::from(m.from.square.rank()), i32::from(m.from.square.file())];
            let kind = position
                .board(m.from.board)
                .and_then(|board| board.get(m.from.square))
                .map(|piece| piece.kind);
            // The order in which the library lists promotions.
            let becomes =
                m.promotion.and_then(|kind| PROMOTIONS.iter().position(|one| *one == kind)).unwrap_or(0);
            (source, direction(kind, m), becomes as i32) as Key
        });
    }
}

const PROMOTIONS: [PieceKind; 8] = [
    PieceKind::Dragon,
    PieceKind::Unicorn,
    PieceKind::CommonKing,
    PieceKind::Princess,
    PieceKind::Queen,
    PieceKind::Rook,
    PieceKind::Knight,
    PieceKind::Bishop,
];

/// The rank of a direction among those of a piece, followed by the distance.
fn direction(kind: Option<PieceKind>, m: &Move) -> [i32; 7] {
    // File, rank, turn, timeline.
    let by = [
        i32::from(m.to.square.file()) - i32::from(m.from.square.file()),
        i32::from(m.to.square.rank()) - i32::from(m.from.square.rank()),
        i32::from(m.to.board.half_turn.0 - m.from.board.half_turn.0) / 2,
        i32::from(m.to.board.timeline.0 - m.from.board.timeline.0),
    ];
    let farthest = by.iter().map(|part| part.abs()).max().unwrap_or(0);
    match kind {
        Some(PieceKind::Pawn | PieceKind::Brawn) => [pawn_class(by), farthest, 0, 0, 0, 0, 0],
        // Castling comes last, first to the side of the higher files.
        Some(PieceKind::King) if by[2..] == [0, 0] && by[0].abs() == 2 => [16, -by[0], 0, 0, 0, 0, 0],
        _ => {
            // The axes of the direction as bits, then the step along the last of them, then the signs, plus
            // before minus.
            let axes = (0..4).filter(|axis| by[*axis] != 0).map(|axis| 1 << axis).sum();
            let step = if kind == Some(PieceKind::Knight) {
                by.iter().rev().find(|part| **part != 0).map_or(0, |part| part.abs())
            } else {
                0
            };
            let minus = by.map(|part| i32::from(part < 0));
            // The diagonals of queens on their board are tried in another order.
            let queen = matches!(kind, Some(PieceKind::Queen | PieceKind::RoyalQueen)) && axes == 3;
            let [file, rank] = if queen { [minus[1], minus[0]] } else { [minus[0], minus[1]] };
            [axes, step, minus[3], minus[2], rank, file, farthest]
        }
    }
}

/// The class of a pawn move: advance, captures, advance through time, captures in time; brawns then have four
/// more captures.
fn pawn_class([file, rank, turn, timeline]: [i32; 4]) -> i32 {
    match (timeline != 0, turn.signum(), rank != 0, file.signum()) {
        (false, 0, _, 0) => 0,
        (false, 0, _, 1) => 1,
        (false, 0, _, _) => 2,
        (true, 0, false, 0) => 3,
        (true, 1, ..) => 4,
        (true, -1, ..) => 5,
        (true, _, false, 1) => 6,
        (true, _, false, _) => 7,
        (true, ..) => 8,
        (false, ..) => 9,
    }
}
