//! Encodes games as tokens.

use super::table::{VALUE_OF, character};
use super::{HEADER, result_of};
use crate::notation::common::{Game, GameResult, Loss, WriteError, Written, orthodox};
use crate::state::Position;
use crate::types::Color;

/// A game as text.
///
/// # Errors
///
/// When it is not a game of orthodox chess from the usual start.
pub fn write(game: &Game) -> Result<Written, WriteError> {
    let (text, losses) = encode(game)?;
    Ok(Written::new(text, losses))
}

/// A game as a binary.
///
/// # Errors
///
/// The same as those of [`write()`].
pub fn write_binary(game: &Game) -> Result<Written, WriteError> {
    let (text, losses) = encode(game)?;
    Ok(Written { bytes: pack(&text), losses })
}

/// The bytes of a strict text: `CHESS64`, six bits for each character, and zero bits up to the next byte.
pub(super) fn pack(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER.len() + (text.len() * 6).div_ceil(8));
    bytes.extend_from_slice(HEADER);
    let (mut held, mut bits) = (0_u32, 0);
    for character in text.bytes() {
        held = held << 6 | u32::from(VALUE_OF[usize::from(character)]);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    if bits > 0 {
        bytes.push((held << (8 - bits)) as u8);
    }
    bytes
}

fn encode(game: &Game) -> Result<(String, Vec<Loss>), WriteError> {
    let (game, mut losses) = orthodox::from_5d(game)?;
    losses.extend(game.losses_of_headers());
    let start = orthodox::standard_start();
    if game.start != start {
        let board = |position: &Position| position.only_board().map(|(at, board)| (at.color(), *board));
        if board(&game.start) != board(&start) {
            return Err(WriteError::new("CHESS64 has no other start than that of orthodox chess"));
        }
        losses.push(Loss::new("the number of the first turn, and the boards before it"));
    }
    let end = game.end();
    let mut text = String::with_capacity(2 * game.actions.len() + 2);
    let mut both = |first: char, second: char| {
        text.push(first);
        text.push(second);
    };
    for m in game.actions.iter().flat_map(|action| action.moves()) {
        let color = m.from.board.color();
        let cased = |letter: char| if color == Color::White { letter } else { letter.to_ascii_lowercase() };
        let board = end.board(m.from.board);
        if let Some(files) = board.and_then(|board| orthodox::castling(board, m)) {
            let side = cased(if files > 0 { 'H' } else { 'A' });
            both(side, side);
            continue;
        }
        both(character(m.from.square), character(m.to.square));
        if let Some(kind) = m.promotion {
            both(cased(kind.letter()), cased(kind.letter()));
        }
    }
    let over = orthodox::over(&end);
    let implied = result_of(over, end.to_move());
    match (game.result, over) {
        (None, _) => {}
        (result, Some(_)) if result == implied => {}
        (Some(result), Some(status)) => {
            losses.push(Loss::new(format!("the result `{result}`: the game ends with {status}")));
        }
        (Some(GameResult::WhiteWins), None) => both('k', 'k'),
        (Some(GameResult::BlackWins), None) => both('K', 'K'),
        (Some(GameResult::Draw), None) => {
            let letter = if end.to_move() == Color::White { 'D' } else { 'd' };
            both(letter, letter);
        }
        (Some(GameResult::Open), None) => losses.push(Loss::new("the result `*`")),
    }
    Ok((text, losses))
}
