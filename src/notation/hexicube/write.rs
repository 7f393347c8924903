//! Writes games as text.

use std::fmt::Write as _;

use crate::notation::common::describe::{castling, check_mark, is_capture, piece_at, push_square};
use crate::notation::common::replay::losses_beside_actions;
use crate::notation::common::shorthand::{origin_needed, promotion_is_clear};
use crate::notation::common::{Game, WriteError, Written};
use crate::state::Position;
use crate::types::{Action, Color, Move, MoveKind, PieceKind, Timeline};

/// The actions of a game, and the losses.
///
/// # Errors
///
/// When a pawn becomes another piece than the one that a reader takes for granted.
pub fn write(game: &Game) -> Result<Written, WriteError> {
    let mut text = String::new();
    let mut position = game.start.clone();
    let mut number = 1;
    for (index, action) in game.actions.iter().enumerate() {
        promotion_is_clear(&position, action, index)?;
        // Writing to a string cannot fail, here and below.
        let _ = match position.to_move() {
            Color::White => write!(text, "{number}. "),
            Color::Black if index == 0 => write!(text, "{number}B. "),
            Color::Black => write!(text, " .. "),
        };
        write_action(&mut text, &position, action);
        position.play_unchecked(action);
        if check_mark(&position) == Ok("#") {
            text.push_str("; #");
        }
        if position.to_move() == Color::White {
            number += 1;
            text.push('\n');
        }
    }
    if !game.actions.is_empty() && position.to_move() == Color::Black {
        // Black's moves are still to come; this also tells the notation from others.
        text.push_str(" ..\n");
    }
    Ok(Written::new(text, losses_beside_actions(game)))
}

/// Writes the moves of an action, and `-` for the timelines on which the player does not move.
fn write_action(text: &mut String, position: &Position, action: &Action) {
    let touches = |timeline: Timeline, m: &Move| {
        m.from.board.timeline == timeline || m.kind == MoveKind::Hop && m.to.board.timeline == timeline
    };
    // The timelines without a move or `-` so far, lowest first. A jump in front takes its own away.
    let mut left: Vec<Timeline> = position.playable_boards().map(|at| at.timeline).collect();
    let stays = |timeline: Timeline| !action.moves().iter().any(|m| touches(timeline, m));
    let mut words: Vec<String> = Vec::new();
    for m in action.moves() {
        if m.kind == MoveKind::Physical {
            while left.first().is_some_and(|&timeline| stays(timeline)) {
                left.remove(0);
                words.push("-".to_owned());
            }
        }
        let is_next = left.first() == Some(&m.from.board.timeline);
        left.retain(|&timeline| !touches(timeline, m));
        let mut word = String::new();
        if m.kind == MoveKind::Physical {
            if !is_next {
                let _ = write!(word, "L{} ", position.parity().label(m.from.board.timeline));
            }
            write_within(&mut word, position, m);
        } else {
            write_jump(&mut word, position, m);
        }
        words.push(word);
    }
    words.extend(left.iter().map(|_| "-".to_owned()));
    text.push_str(&words.join("; "));
}

/// `Nf3`
fn write_within(text: &mut String, position: &Position, m: &Move) {
    if let Some(castling) = castling(position, m) {
        return text.push_str(castling);
    }
    let kind = piece_at(position, m.from).map(|piece| piece.kind);
    text.extend(kind.filter(|&kind| kind != PieceKind::Pawn).map(PieceKind::letter));
    let (file, rank) = origin_needed(position, m);
    text.extend(file.map(|file| char::from(b'a' + file)));
    text.extend(rank.map(|rank| char::from(b'1' + rank)));
    if is_capture(position, m) {
        text.push('x');
    }
    push_square(text, m.to.square);
}

/// `L0f3 N T1f5`, with the parts of the target that are not those of the origin.
fn write_jump(text: &mut String, position: &Position, m: &Move) {
    let (from, to) = (m.from.board, m.to.board);
    let _ = write!(text, "L{}{} ", position.parity().label(from.timeline), m.from.square);
    text.extend(piece_at(position, m.from).map(|piece| piece.kind.letter()));
    text.push_str(if is_capture(position, m) { "x " } else { " " });
    if to.timeline != from.timeline {
        let _ = write!(text, "L{}", position.parity().label(to.timeline));
    }
    if to.half_turn != from.half_turn {
        let _ = write!(text, "T{}", to.half_turn.turn());
    }
    if m.to.square != m.from.square {
        push_square(text, m.to.square);
    }
}
