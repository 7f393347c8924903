//! Writes games as text.

use std::fmt::Write as _;

use crate::notation::common::describe::{castling, check_mark, is_capture};
use crate::notation::common::replay::{checking_moves, losses_beside_actions};
use crate::notation::common::{Game, Written};
use crate::state::Position;
use crate::types::{Action, Color, Move, MoveKind, Parity, PieceKind, Timeline};

/// The separator of parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Separator {
    /// A blank, and one after each number and comma.
    #[default]
    Blank,
    /// `;`, and no blank within a turn.
    Semicolon,
}

/// The actions of a game, with every ornament, and the losses.
pub fn write(game: &Game, separator: Separator) -> Written {
    let (between, after) = match separator {
        Separator::Blank => (" ", " "),
        Separator::Semicolon => (";", ""),
    };
    let mut text = String::new();
    let mut position = game.start.clone();
    let mut number = 1;
    for (index, action) in game.actions.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = match position.to_move() {
            Color::White => write!(text, "{number}.{after}"),
            Color::Black if index == 0 => write!(text, "{number}.{after},{after}"),
            Color::Black => write!(text, ",{after}"),
        };
        text.push_str(&action_text(&mut position, action, between));
        if position.to_move() == Color::White {
            number += 1;
            text.push('\n');
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    Written::new(text, losses_beside_actions(game))
}

/// Writes the parts of an action, and plays it.
fn action_text(position: &mut Position, action: &Action, between: &str) -> String {
    let next = position.multiverse().next_timeline(position.to_move());
    let parts: Vec<String> = action.moves().iter().map(|m| part_text(position, m)).collect();
    position.play_unchecked(action);
    let mut checking = checking_moves(next, action.moves(), position);
    let mate = check_mark(position) == Ok("#");
    if mate && let Some(last) = checking.last_mut() {
        *last = false;
    }
    let mut text = String::new();
    for (index, (part, checks)) in parts.iter().zip(checking).enumerate() {
        text.push_str(if index == 0 { "" } else { between });
        text.push_str(part);
        text.push_str(if checks { "+" } else { "" });
    }
    text.push_str(if mate { "#" } else { "" });
    text
}

/// A move without its mark. Every board that an action leaves or enters exists before the action begins.
fn part_text(position: &Position, m: &Move) -> String {
    let mut text = String::new();
    write_part(&mut text, position, m);
    text
}

/// Appends a move to a text; see [`part_text`].
pub(in crate::notation) fn write_part(text: &mut String, position: &Position, m: &Move) {
    let (from, to) = (m.from.board, m.to.board);
    let is_home = position.parity() == Parity::Odd && from.timeline == Timeline(0);
    match castling(position, m).filter(|_| is_home) {
        Some("O-O") => return text.push_str("0-0"),
        Some(_) => return text.push_str("0-0-0"),
        None => {}
    }
    if !is_home {
        push_label(text, position.parity(), from.timeline);
    }
    // Writing to a string cannot fail, here and below.
    let _ = write!(text, "{}", m.from.square);
    let piece = position.board(from).and_then(|board| board.get(m.from.square));
    if let Some(kind) = piece.map(|piece| piece.kind).filter(|&kind| kind != PieceKind::Pawn) {
        text.push(kind.letter());
    }
    if is_capture(position, m) {
        text.push('x');
    }
    if to.timeline != from.timeline {
        push_label(text, position.parity(), to.timeline);
    }
    if m.kind == MoveKind::Branch {
        let turns = i32::from(to.half_turn.turn()) - i32::from(from.half_turn.turn());
        let _ = write!(text, "T{turns:+}");
    }
    let _ = write!(text, "{}", m.to.square);
    if let Some(kind) = m.promotion {
        text.push('=');
        text.push(kind.letter());
    }
}

/// `L0`, `L+1`, `L-0`
fn push_label(text: &mut String, parity: Parity, timeline: Timeline) {
    text.push('L');
    if parity == Parity::Odd && timeline.0 > 0 {
        text.push('+');
    }
    let _ = write!(text, "{}", parity.label(timeline));
}
