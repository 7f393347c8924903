//! 5DPGN in its shortest form, as 5d-chess-js 1.2.1 writes it: `1. e4 / e5`.

use std::fmt::Write;

use crate::notation::common::describe::{is_capture, piece_at, push_square, write_board};
use crate::notation::common::shorthand::origin_needed;
use crate::state::Position;
use crate::types::{Color, Move, MoveKind, PieceKind};

/// The optional parts that are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    /// The board of every move, `(0T1)e4`, also while there is one timeline.
    pub boards: bool,
    /// The timeline that a move creates: `(>L1)`.
    pub timelines: bool,
    /// The turn to which the present moves because a timeline becomes active: `(~T2)`.
    pub activation: bool,
    /// All actions in one line.
    pub one_line: bool,
}

/// The text of a move that is about to be made. Other moves of its action may have been made.
pub(crate) fn move_text(position: &Position, m: &Move, tokens: Tokens) -> String {
    let mut text = String::new();
    if m.kind == MoveKind::Physical {
        if tokens.boards || position.multiverse().range().len() > 1 {
            write_board(&mut text, position, m.from.board);
        }
        let kind = piece_at(position, m.from).map(|piece| piece.kind);
        text.extend(kind.filter(|&kind| kind != PieceKind::Pawn).map(PieceKind::letter));
        let (file, rank) = origin_needed(position, m);
        text.extend(file.map(|file| char::from(b'a' + file)));
        text.extend(rank.map(|rank| char::from(b'1' + rank)));
    } else {
        write_board(&mut text, position, m.from.board);
        text.extend(piece_at(position, m.from).map(|piece| piece.kind.letter()));
        push_square(&mut text, m.from.square);
        text.push_str(if m.kind == MoveKind::Branch { ">>" } else { ">" });
    }
    if is_capture(position, m) {
        text.push('x');
    }
    if m.kind != MoveKind::Physical {
        write_board(&mut text, position, m.to.board);
    }
    push_square(&mut text, m.to.square);
    if let Some(kind) = m.promotion {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "={}", kind.letter());
    }
    if m.kind == MoveKind::Branch {
        write_tokens(&mut text, position, m, tokens);
    }
    text
}

/// Writes the marks for the timeline that a move creates.
fn write_tokens(text: &mut String, position: &Position, m: &Move, tokens: Tokens) {
    let mut after = position.clone();
    after.push(m);
    let created = after.multiverse().next_timeline(position.to_move());
    let created = crate::types::Timeline(created.0 - position.to_move().branch_direction());
    let (active, present) = (after.multiverse().active(), after.present());
    if active.contains(created) && present != position.present() {
        text.push('~');
    }
    if tokens.activation && present < m.to.board.half_turn.next() && active.contains(created) {
        let was = position.multiverse().active();
        let joined = active.iter().any(|timeline| timeline != created && !was.contains(timeline));
        if joined {
            let _ = write!(text, " (~T{})", present.turn());
        }
    }
    if tokens.timelines {
        let _ = write!(text, " (>L{})", position.parity().label(created));
    }
}

/// The text of actions from a start on. The moves of each action are in the order in which they are made.
pub(crate) fn actions_text<'m>(
    start: &Position,
    actions: impl Iterator<Item = &'m [Move]>,
    tokens: Tokens,
) -> String {
    let mut text = String::new();
    let mut position = start.clone();
    let mut number = 1;
    for (index, moves) in actions.enumerate() {
        if position.to_move() == Color::White {
            if index > 0 {
                text.push(if tokens.one_line { ' ' } else { '\n' });
            }
            let _ = write!(text, "{number}. ");
        } else {
            let _ = write!(text, "{}", if index == 0 { "1. / " } else { " / " });
            number += 1;
        }
        for (index, m) in moves.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { " " });
            text.push_str(&move_text(&position, m, tokens));
            position.push(m);
        }
        position.switch_player();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::common::samples::random_game;
    use crate::notation::pgn5d;

    #[test]
    fn what_is_left_out_is_filled_in_again() {
        let (mut moves, mut short) = (0, 0);
        for seed in 0..60 {
            let game = random_game(seed);
            let mut position = game.start.clone();
            for action in &game.actions {
                for m in action.moves() {
                    let text = move_text(&position, m, Tokens::default());
                    assert_eq!(pgn5d::moves_at(&position, &text), Ok(vec![*m]), "{text} in {position:?}");
                    moves += 1;
                    short += usize::from(!text.starts_with('('));
                    position.push(m);
                }
                position.switch_player();
            }
            let made = game.actions.iter().map(|action| action.moves());
            let all = Tokens { boards: true, timelines: true, activation: true, one_line: true };
            let text = actions_text(&game.start, made, all);
            assert_eq!(pgn5d::parse_line(&game.start, &text).as_ref(), Ok(&game.actions), "{text}");
        }
        assert!(moves > 800 && short > 100, "{moves} moves, {short} without a board");
    }

    #[test]
    fn the_origin_is_written_where_two_could_move() {
        let shown = |boards: &str, text: &str| {
            let position = crate::notation::fen5d::parse(boards).into_result().unwrap();
            let moves = pgn5d::moves_at(&position, text).unwrap();
            move_text(&position, &moves[0], Tokens::default())
        };
        let rooks = "[k4/5/R3R/5/R3K:0:1:w]";
        assert_eq!(shown(rooks, "Ra3c3"), "Rac3");
        assert_eq!(shown(rooks, "Ra3a2"), "R3a2");
        assert_eq!(shown("[k4/5/Q1Q2/5/Q3K:0:1:w]", "Qa3c1"), "Qa3c1");
        assert_eq!(shown(rooks, "Re3e4"), "Re4");
        assert_eq!(shown("[k4/1p3/P1P2/5/4K:0:1:w]", "axb4"), "axb4");
    }
}
