//! One move in standard algebraic notation.

use crate::notation::common::orthodox::castling;
use crate::state::{Board, Position};
use crate::types::{Move, Piece, PieceKind, Square};

/// Writes moves, and reuses its buffer.
#[derive(Default)]
pub(super) struct Writer {
    moves: Vec<Move>,
}

impl Writer {
    /// Writes a legal move of a position, and plays it.
    pub(super) fn write(&mut self, text: &mut String, position: &mut Position, m: &Move) {
        self.write_move(text, position, m);
        position.play_legal_on_board(m);
        self.write_mark(text, position);
    }

    fn write_move(&mut self, text: &mut String, position: &Position, m: &Move) {
        let Some((_, board)) = position.only_board() else { return };
        let (from, to) = (m.from.square, m.to.square);
        let Some(Piece { kind, .. }) = board.get(from) else { return };
        if let Some(castling) = castling(board, m) {
            text.push_str(if castling > 0 { "O-O" } else { "O-O-O" });
            return;
        }
        let pawn = kind == PieceKind::Pawn;
        let captures = board.get(to).is_some() || pawn && from.file() != to.file();
        if pawn && captures {
            text.push(file_letter(from));
        } else if !pawn {
            text.push(kind.letter());
            self.write_origin(text, position, board, m, kind);
        }
        if captures {
            text.push('x');
        }
        push_square(text, to);
        if let Some(kind) = m.promotion {
            text.push('=');
            text.push(kind.letter());
        }
    }

    /// Writes the file if it tells the piece apart, else the rank, else both.
    fn write_origin(
        &mut self,
        text: &mut String,
        position: &Position,
        board: &Board,
        m: &Move,
        kind: PieceKind,
    ) {
        let from = m.from.square;
        let like = board
            .pieces()
            .filter(|(square, piece)| *square != from && *piece == Piece { color: position.to_move(), kind });
        if like.count() == 0 {
            return;
        }
        position.moves_on_board(&mut self.moves);
        self.moves.retain(|other| {
            other.to.square == m.to.square
                && other.from.square != from
                && board.get(other.from.square).is_some_and(|piece| piece.kind == kind)
                && castling(board, other).is_none()
        });
        position.retain_legal_on_board(&mut self.moves);
        if self.moves.is_empty() {
            return;
        }
        let others = || self.moves.iter().map(|other| other.from.square);
        if others().all(|other| other.file() != from.file()) {
            text.push(file_letter(from));
        } else if others().all(|other| other.rank() != from.rank()) {
            text.push(rank_digit(from));
        } else {
            push_square(text, from);
        }
    }

    /// Writes `+` or `#` if the player to move is in check.
    fn write_mark(&mut self, text: &mut String, position: &Position) {
        if position.is_attacked_on_board(position.to_move()) {
            position.legal_moves_on_board(&mut self.moves);
            text.push(if self.moves.is_empty() { '#' } else { '+' });
        }
    }
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

fn rank_digit(square: Square) -> char {
    char::from(b'1' + square.rank())
}

fn push_square(text: &mut String, square: Square) {
    text.push(file_letter(square));
    text.push(rank_digit(square));
}
