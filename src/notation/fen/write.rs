//! Positions to FEN.

use super::{CASTLING, clock_of, is_clock, is_orthodox, obstacle, read};
use crate::notation::{Game, Loss, Unwritable, Written, double_step, orthodox};
use crate::state::{Board, Position};
use crate::types::{BoardSize, Color, PieceKind};

/// The FEN of a position of orthodox chess, with its clock of half-moves. [`read`] reads it back.
///
/// # Errors
///
/// When FEN cannot say how the game can go on: other pieces, pawns that have or have not moved against what their rank
/// says, castling from other squares, or a position that [`read`] refuses.
pub fn write(position: &Position, clock: u32) -> Result<String, Unwritable> {
    let Some((at, board)) = position.only_board().filter(|_| position.size() == BoardSize::STANDARD) else {
        return Err(Unwritable::new("FEN is for one board of 8x8 squares under the rules of orthodox chess"));
    };
    if let Some((square, piece)) = board.pieces().find(|(_, piece)| !is_orthodox(piece.kind)) {
        return Err(Unwritable::new(format!("orthodox chess has no {}, as on {square}", piece.kind)));
    }
    if let Some((_, reason)) = obstacle(board) {
        return Err(Unwritable::new(reason));
    }
    let color = at.color();
    if position.is_attacked_on_board(!color) {
        return Err(Unwritable::new(format!("{color} is to move and could capture the king")));
    }
    let mut text = rows(board);
    text.push(' ');
    text.push(color.letter());
    text.push(' ');
    text.push_str(&rights(board)?);
    match position.skipped_on_board() {
        Some(square) if double_step::before(board, color, square).is_some() => text += &format!(" {square}"),
        Some(square) => {
            let reason =
                format!("FEN cannot say that a pawn from another rank than its second has skipped {square}");
            return Err(Unwritable::new(reason));
        }
        None => text += " -",
    }
    text += &format!(" {clock} {}", at.half_turn.turn().max(1));
    Ok(text)
}

fn rows(board: &Board) -> String {
    board.rows().to_string().replace('*', "")
}

/// The letters of castling, if they say all that the unmoved flags of the board say.
fn rights(board: &Board) -> Result<String, Unwritable> {
    let unmoved = |kind| {
        let pieces =
            board.pieces().filter(move |(square, piece)| piece.kind == kind && board.is_unmoved(*square));
        pieces.collect::<Vec<_>>()
    };
    for (square, piece) in board.pieces().filter(|(_, piece)| piece.kind == PieceKind::Pawn) {
        let at_home = square.rank() == if piece.color == Color::White { 1 } else { 6 };
        if at_home != board.is_unmoved(square) {
            let state = if at_home { "has moved" } else { "has never moved" };
            return Err(Unwritable::new(format!("FEN cannot say that the pawn on {square} {state}")));
        }
    }
    let mut letters = String::new();
    let rooks = unmoved(PieceKind::Rook);
    for (king, royal) in unmoved(PieceKind::King) {
        for (rook, _) in
            rooks.iter().filter(|(rook, tower)| tower.color == royal.color && rook.rank() == king.rank())
        {
            let way = CASTLING.iter().find(|way| (way.1, way.2, way.3) == (royal.color, king, *rook));
            match way {
                Some((letter, ..)) => letters.push(char::from(*letter)),
                None if rook.file().abs_diff(king.file()) < 2 => {}
                None => {
                    let reason =
                        format!("FEN cannot say that the king on {king} can castle with the rook on {rook}");
                    return Err(Unwritable::new(reason));
                }
            }
        }
    }
    let mut sorted: Vec<char> = letters.chars().collect();
    sorted.sort_by_key(|&letter| "KQkq".find(letter));
    Ok(if sorted.is_empty() { "-".into() } else { sorted.into_iter().collect() })
}

/// The position at the end of a game as FEN.
///
/// # Errors
///
/// When the game is not one of orthodox chess, or FEN cannot say what the position is.
pub fn write_game(game: &Game) -> Result<Written, Unwritable> {
    let (game, mut losses) = orthodox::from_5d(game)?;
    let end = game.end();
    let clock = clock_at_end(&game, &end);
    let mut text = write(&end, clock)?;
    let kept = Game { headers: without_clock(&game.headers), ..Game::new(end.clone(), Vec::new()) };
    losses.extend(Game { name: game.name.clone(), ..kept }.losses_of_headers());
    losses.extend(game.loss_of_result());
    if game.actions.is_empty() {
        losses.extend(loss_of_start(&game.start, &text));
    } else {
        losses.push(Loss::new("how the position was reached: the actions are not written"));
    }
    text.push('\n');
    Ok(Written::new(text, losses))
}

/// What a FEN does not say of the position that it was written for.
pub(in crate::notation) fn loss_of_start(start: &Position, fen: &str) -> Option<Loss> {
    let (same, _) = read(fen).ok()?;
    if same == *start {
        return None;
    }
    let ends = |position: &Position| position.only_board().map(|(at, _)| at.half_turn);
    Some(Loss::new(if ends(&same) == ends(start) {
        "the earlier boards of the start position, and which pieces have moved where that does not matter"
    } else {
        "the number of the first turn"
    }))
}

pub(in crate::notation) fn without_clock(headers: &[(String, String)]) -> Vec<(String, String)> {
    headers.iter().filter(|(key, value)| !is_clock(key, value)).cloned().collect()
}

/// The half-moves since the last capture or pawn's move, counted on from the clock at the start.
fn clock_at_end(game: &Game, end: &Position) -> u32 {
    let mut clock = clock_of(&game.headers);
    for m in game.actions.iter().flat_map(|action| action.moves()) {
        let board = end.board(m.from.board);
        let at = |square| board.and_then(|board| board.get(square));
        let pawn = at(m.from.square).is_some_and(|piece| piece.kind == PieceKind::Pawn);
        clock = if pawn || at(m.to.square).is_some() { 0 } else { clock.saturating_add(1) };
    }
    clock
}
