//! Words and texts about a position, for notations and messages: names of boards and squares, check marks,
//! kinds of moves.

use crate::state::Position;
use crate::types::{
    BoardCoordinate, BoardSize, Color, Coordinate, Move, MoveKind, Parity, Piece, PieceKind, Square, Status,
    Undecided,
};

/// The mark `#`, `*` or `+` for checkmate, softmate or check of the player to move; empty without a check.
/// Only a check can be undecided.
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

/// The budget of a check mark, in search steps. Of the 4809 positions of the reference games one needs more
/// than 1000.
pub(crate) const MARK_STEPS: u64 = 10_000;

/// `O-O` or `O-O-O` if the move is the castling of orthodox chess; every other castling is written as the
/// king's move.
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

/// The sign of a jump: `>` to the end of a timeline, `>>` to a board of the past; nothing within a board.
pub(crate) fn arrow(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Physical => "",
        MoveKind::Hop => ">",
        MoveKind::Branch => ">>",
    }
}

/// Whether a piece is taken, also en passant.
pub(crate) fn is_capture(position: &Position, m: &Move) -> bool {
    let color = piece_at(position, m.from).map(|piece| piece.color);
    // A king that castles may land on the square of the rook.
    piece_at(position, m.to).is_some_and(|piece| Some(piece.color) != color) || is_en_passant(position, m)
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

/// A board as it is written in a move: `(0T1)`.
pub fn board_text(position: &Position, board: BoardCoordinate) -> String {
    let mut text = String::new();
    write_board(&mut text, position, board);
    text
}

pub(crate) fn write_board(text: &mut String, position: &Position, board: BoardCoordinate) {
    text.push('(');
    match (position.parity(), board.timeline.0) {
        (Parity::Odd, number) => push_number(text, number),
        (Parity::Even, number @ ..0) => {
            text.push('-');
            push_number(text, -1 - number);
        }
        (Parity::Even, number) => {
            text.push('+');
            push_number(text, number);
        }
    }
    text.push('T');
    push_number(text, board.half_turn.turn());
    text.push(')');
}

/// Appends a number in decimal digits. Most of a list of actions is numbers and squares, and `write!` would
/// take most of the time.
pub(crate) fn push_number(text: &mut String, number: i16) {
    if number < 0 {
        text.push('-');
    }
    let number = number.unsigned_abs();
    let mut unit = 1;
    while number / unit >= 10 {
        unit *= 10;
    }
    while unit > 0 {
        text.push(char::from(b'0' + (number / unit % 10) as u8));
        unit /= 10;
    }
}

pub(crate) fn push_square(text: &mut String, square: Square) {
    text.push(char::from(b'a' + square.file()));
    text.push(char::from(b'1' + square.rank()));
}

/// `(0T1)e4`
pub(crate) fn place_text(position: &Position, place: Coordinate) -> String {
    format!("{}{}", board_text(position, place.board), place.square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{HalfTurn, Timeline};

    #[test]
    fn what_is_pushed_is_what_is_shown() {
        for number in [0, 1, 9, 10, 99, 100, 12_345, -1, -10, i16::MAX, i16::MIN] {
            let mut text = String::new();
            push_number(&mut text, number);
            assert_eq!(text, number.to_string());
        }
        for file in 0..8 {
            let square = Square::new(file, 7 - file).unwrap();
            let mut text = String::new();
            push_square(&mut text, square);
            assert_eq!(text, square.to_string());
        }
        for (variant, parity) in [("Standard", Parity::Odd), ("Standard - Two Timelines", Parity::Even)] {
            let setup = crate::rules::variants::by_name(variant).unwrap().setup();
            let position = Position::from_setup(&setup).unwrap();
            for timeline in [-11, -1, 0, 1, 10].map(Timeline) {
                let board = BoardCoordinate { timeline, half_turn: HalfTurn::new(12, Color::Black) };
                assert_eq!(board_text(&position, board), format!("({}T12)", parity.label(timeline)));
            }
        }
    }
}
