//! En passant squares, with which the notations of single boards replace the earlier boards.

use crate::state::Board;
use crate::types::{BoardSize, Color, Piece, Square};

/// The rank on which the pawns of a player start.
pub(crate) fn start_rank(color: Color, size: BoardSize) -> u8 {
    match color {
        Color::White => 1,
        Color::Black => size.height().saturating_sub(2),
    }
}

/// The board before the double step over `skipped`, with the pawn on its start square; `None` if no pawn can
/// have made that step.
pub(crate) fn before(board: &Board, to_move: Color, skipped: Square) -> Option<Board> {
    let color = !to_move;
    let forward = color.rank_forward();
    let (start, end) = (skipped.offset(0, -forward)?, skipped.offset(0, forward)?);
    let pawn = board.get(end).filter(|piece| piece.color == color && piece.kind.is_pawn_like())?;
    let way_is_free = board.get(skipped).is_none() && board.get(start).is_none();
    (way_is_free && start.rank() == start_rank(color, board.size())).then(|| {
        let mut before = *board;
        before.remove(end);
        before.put(start, pawn, true);
        before
    })
}

/// The message that no pawn of a player can have skipped this square.
pub(crate) fn impossible(color: Color, skipped: Square) -> String {
    format!("no {color} pawn can just have passed over {skipped} in a double step")
}

/// Whether a pawn or brawn of the player to move stands where it could capture on the skipped square.
pub(crate) fn has_capturer(board: &Board, to_move: Color, skipped: Square) -> bool {
    [-1, 1].into_iter().any(|side| {
        let capturer = skipped.offset(side, -to_move.rank_forward()).and_then(|square| board.get(square));
        capturer.is_some_and(|piece| piece.color == to_move && piece.kind.is_pawn_like())
    })
}

/// The square that a pawn has skipped between two boards, if nothing else differs between them.
pub(crate) fn skipped(earlier: &Board, board: &Board, to_move: Color) -> Option<Square> {
    let pawn = |(square, piece): &(Square, Piece)| {
        (piece.color != to_move && piece.kind.is_pawn_like() && earlier.get(*square).is_none())
            .then_some(*square)
    };
    let end = board.pieces().find_map(|placed| pawn(&placed))?;
    let skipped = end.offset(0, to_move.rank_forward())?;
    before(board, to_move, skipped).filter(|before| before.pieces().eq(earlier.pieces())).map(|_| skipped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::Cursor;
    use crate::types::PieceKind;

    fn board(rows: &str) -> Board {
        Board::from_rows(rows, None).unwrap()
    }

    #[test]
    fn only_a_pawn_beside_the_victim_captures_it() {
        for (rows, to_move, square, captures) in [
            ("k4/5/5/Pp3/5/K4", Color::White, "b4", true),
            ("k4/5/5/1pP2/5/K4", Color::White, "b4", true),
            ("k4/5/5/1pW2/5/K4", Color::White, "b4", true),
            ("k4/5/5/1pN2/5/K4", Color::White, "b4", false),
            ("k4/5/5/1pp2/5/K4", Color::White, "b4", false),
            ("k4/5/5/1p1P1/5/K4", Color::White, "b4", false),
            ("k4/5/2P2/1p3/5/K4", Color::White, "b4", false),
            ("k4/5/1Pp2/5/5/K4", Color::Black, "b3", true),
        ] {
            let square = Cursor::new(square).square().expect("a square");
            assert_eq!(has_capturer(&board(rows), to_move, square), captures, "{rows}");
        }
    }

    #[test]
    fn a_skipped_square_and_the_board_before_it_say_the_same() {
        for (rows, to_move, square, earlier) in [
            ("k4/5/5/2P2/5/K4", Color::Black, "c2", None),
            ("k4/5/2P2/5/5/K4", Color::Black, "c3", Some("k4/5/5/5/2P*2/K4")),
            ("k4/5/2w2/5/5/K4", Color::White, "c5", None),
            ("k4/5/5/2w2/5/K4", Color::White, "c4", Some("k4/2w*2/5/5/5/K4")),
            ("k4/5/5/2w2/5/K4", Color::Black, "c4", None),
            ("k4/5/5/2r2/5/K4", Color::White, "c4", None),
            ("k4/5/2n2/2p2/5/K4", Color::White, "c4", None),
            ("k4/2n2/5/2p2/5/K4", Color::White, "c4", None),
            ("1p/2/k1/K1", Color::White, "b3", None),
            ("k1/2/1p/K1", Color::White, "b3", None),
        ] {
            let board = board(rows);
            let square = Cursor::new(square).square().expect("a square");
            let found = before(&board, to_move, square);
            assert_eq!(found.map(|board| board.rows().to_string()).as_deref(), earlier, "{rows}");
            if let Some(earlier) = found {
                assert_eq!(skipped(&earlier, &board, to_move), Some(square), "{rows}");
                assert_eq!(skipped(&board, &board, to_move), None, "{rows}");
                let mut other = earlier;
                other.put(Square::from_index(1), Piece { color: !to_move, kind: PieceKind::Knight }, false);
                assert_eq!(skipped(&other, &board, to_move), None, "something else has happened: {rows}");
            }
        }
    }
}
