//! One board and its castling field.

use super::Line;
use crate::notation::common::UnmovedPawns;
use crate::notation::common::en_passant::start_rank;
use crate::notation::common::{Issue, ParseError, Span};
use crate::state::Board;
use crate::types::{BoardSize, Color, Piece, PieceKind, Square};

/// The pieces of a line, none of them unmoved.
pub(super) fn rows(text: &str, line: &Line, size: BoardSize) -> Result<Board, ParseError> {
    Board::from_rows(line.rows.of(text), Some(size)).map_err(|error| {
        let start = line.rows.start as usize;
        let span = Span::new(start + error.at.start, start + error.at.end);
        Issue::new("malformed-pieces", span, error.to_string()).malformed()
    })
}

/// The board of a line, with its unmoved pieces marked as far as the text and `pawns` say.
pub(super) fn read_board(
    text: &str,
    line: &Line,
    size: BoardSize,
    pawns: UnmovedPawns,
    warnings: &mut Vec<Issue>,
) -> Result<Board, ParseError> {
    let mut board = rows(text, line, size)?;
    for (square, piece) in board.pieces().collect::<Vec<_>>() {
        if piece.kind.is_pawn_like() {
            let unmoved = match pawns {
                UnmovedPawns::All => true,
                UnmovedPawns::None => false,
                UnmovedPawns::StartRank => square.rank() == start_rank(piece.color, size),
            };
            board.put(square, piece, unmoved);
        }
    }
    let rights = line.castling.of(text);
    for (index, letter) in rights.char_indices().filter(|_| rights != "-") {
        let start = line.castling.start as usize + index;
        let span = Span::new(start, start + letter.len_utf8());
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let side = match letter.to_ascii_uppercase() {
            'K' => 1,
            'Q' => -1,
            _ => {
                let message = format!("expected `K`, `Q`, `k` or `q`, but found `{letter}`");
                return Err(Issue::new("malformed-castling", span, message).malformed());
            }
        };
        match castling_pair(&board, color, side, size) {
            Some((king, rook)) => {
                board.put(king, Piece { color, kind: PieceKind::King }, true);
                board.put(rook, Piece { color, kind: PieceKind::Rook }, true);
            }
            None => {
                let message = format!(
                    "this way of castling is left out: it needs a {color} king and a rook on their first rank"
                );
                warnings.push(Issue::new("castling-without-rook", span, message));
            }
        }
    }
    Ok(board)
}

/// The king and the outermost rook on one side of it, on the first rank of their player.
pub(super) fn castling_pair(
    board: &Board,
    color: Color,
    side: i8,
    size: BoardSize,
) -> Option<(Square, Square)> {
    let rank = if color == Color::White { 0 } else { size.height() - 1 };
    let on = |kind| {
        (0..size.width())
            .filter_map(move |file| Square::new(file, rank))
            .filter(move |&square| board.get(square) == Some(Piece { color, kind }))
    };
    let king = on(PieceKind::King).next()?;
    let rook = if side > 0 { on(PieceKind::Rook).next_back() } else { on(PieceKind::Rook).next() }?;
    let right_side = (rook.file() > king.file()) == (side > 0);
    right_side.then_some((king, rook))
}

/// The castling rights that a board shows: an unmoved king and the outermost rook, unmoved, on each side.
pub(super) fn castling_rights(board: &Board) -> String {
    let size = board.size();
    let mut rights = String::new();
    for (color, side, letter) in
        [(Color::White, 1, 'K'), (Color::White, -1, 'Q'), (Color::Black, 1, 'k'), (Color::Black, -1, 'q')]
    {
        let pair = castling_pair(board, color, side, size);
        if pair.is_some_and(|(king, rook)| board.is_unmoved(king) && board.is_unmoved(rook)) {
            rights.push(letter);
        }
    }
    rights
}

pub(super) fn same_pieces(a: &Board, b: &Board) -> bool {
    a.pieces().eq(b.pieces())
}

/// The pieces without marks of unmoved ones.
pub(super) fn plain_rows(board: &Board) -> String {
    board.rows().to_string().replace('*', "")
}
