//! What is said about a position in notations and messages: names of boards and squares, marks, kinds of moves.

use crate::state::Position;
use crate::types::{
    BoardCoordinate, BoardSize, Color, Coordinate, Move, MoveKind, Piece, PieceKind, Status, Undecided,
};

/// `#`, `*` or `+`: how the player to move stands. Undecided only of a player in check.
pub(crate) fn check_mark(position: &Position) -> Result<&'static str, Undecided> {
    if !position.is_in_check() {
        return Ok("");
    }
    Ok(match position.outcome_within(MARK_STEPS)?.status {
        Status::Checkmate => "#",
        Status::Softmate => "*",
        Status::Ongoing | Status::Stalemate => "+",
    })
}

/// How many search steps a mark is worth. Of the 4809 positions of the reference games one needs more than 1000.
pub(crate) const MARK_STEPS: u64 = 10_000;

/// `O-O` and `O-O-O` stand for the castling of orthodox chess; every other one is written as the king's move.
pub(crate) fn castling(position: &Position, m: &Move) -> Option<&'static str> {
    let (from, to) = (m.from.square, m.to.square);
    let piece = piece_at(position, m.from)?;
    let home = if piece.color == Color::White { 0 } else { position.size().height() - 1 };
    let orthodox = m.kind == MoveKind::Physical
        && piece.kind == PieceKind::King
        && position.size() == BoardSize::STANDARD
        && (from.file(), from.rank()) == (4, home);
    match from.offset(2, 0) {
        Some(right) if orthodox && right == to => Some("O-O"),
        _ if orthodox && from.offset(-2, 0) == Some(to) => Some("O-O-O"),
        _ => None,
    }
}

/// Whether a piece is taken, also en passant.
pub(crate) fn is_capture(position: &Position, m: &Move) -> bool {
    piece_at(position, m.to).is_some() || is_en_passant(position, m)
}

/// Whether a pawn goes diagonally to an empty square.
pub(crate) fn is_en_passant(position: &Position, m: &Move) -> bool {
    m.kind == MoveKind::Physical
        && m.from.square.file() != m.to.square.file()
        && piece_at(position, m.from).is_some_and(|piece| piece.kind.is_pawn_like())
        && piece_at(position, m.to).is_none()
}

pub(crate) fn piece_at(position: &Position, place: Coordinate) -> Option<Piece> {
    position.board(place.board)?.get(place.square)
}

/// A board as it stands in a move: `(0T1)`.
pub fn board_text(position: &Position, board: BoardCoordinate) -> String {
    format!("({}T{})", position.parity().label(board.timeline), board.half_turn.turn())
}

/// `(0T1)e4`
pub(crate) fn place_text(position: &Position, place: Coordinate) -> String {
    format!("{}{}", board_text(position, place.board), place.square)
}
