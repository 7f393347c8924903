//! The multiverse in frames, as the README of 5d-chess-js shows it and its `print()` draws it.
//!
//! ```text
//! ╔════════╗╔════════╗
//! ║rnbqkbnr║║rnbqkbnr║
//! ║pppppppp║║pppppppp║
//! ║        ║║        ║
//! ║        ║║        ║
//! ║        ║║        ║
//! ║        ║║    P   ║
//! ║PPPPPPPP║║PPPP PPP║
//! ║RNBQKBNR║║RNBQKBNR║
//! ╚════════╝╚════════╝
//! ```
//!
//! Timelines are rows, Black's newest on top; time runs to the right, with a column for each board and blanks where there
//! is none. Letters are those of 5DFEN, so that the princess is `S` here and `P` in moves. A drawing does not say which
//! pieces have moved, so that it is not read.

use std::fmt::Write;

use crate::notation::common::Game;
use crate::state::{Board, Position};
use crate::types::{BoardCoordinate, Color, HalfTurn, Square, Timeline};

/// The labels in the frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Labels {
    /// Nothing, as in the README.
    #[default]
    None,
    /// The indices of the [raw](super::raw) arrays, `╔2,1═════╗`, below a heading, as `print()` does it.
    ///
    /// The heading says the number of the next action. (5d-chess-js 0.3.6 says one too many.)
    RawIndices,
}

/// The boards at the end of a game.
pub fn text(game: &Game, labels: Labels) -> String {
    let position = game.end();
    let mut text = String::new();
    if labels == Labels::RawIndices {
        let begun = usize::from(game.start.to_move() == Color::Black);
        let number = (game.actions.len() + begun) / 2 + 1;
        let player = position.to_move().name();
        let _ = write!(text, "Current Player: {player}\nAction Number: {number}\n");
    }
    let later = super::start::turn_offset(&game.start);
    draw(&mut text, &position, |at| match labels {
        Labels::None => String::new(),
        Labels::RawIndices => {
            let number = usize::from(at.timeline.0.unsigned_abs());
            let line = if at.timeline.0 < 0 { 2 * number - 1 } else { 2 * number };
            format!("{line},{}", at.half_turn.0 - 2 + 2 * later)
        }
    });
    text
}

/// The boards of a position in frames, with a label each.
pub(crate) fn draw(text: &mut String, position: &Position, label: impl Fn(BoardCoordinate) -> String) {
    let multiverse = position.multiverse();
    let ends = multiverse.timelines().filter_map(|timeline| multiverse.span(timeline));
    let first = ends.map(|(first, _)| first).min().unwrap_or(HalfTurn(0));
    for timeline in multiverse.timelines() {
        row(text, position, timeline, first, &label);
    }
}

fn row(
    text: &mut String,
    position: &Position,
    timeline: Timeline,
    first: HalfTurn,
    label: impl Fn(BoardCoordinate) -> String,
) {
    let size = position.size();
    let Some((start, end)) = position.multiverse().span(timeline) else { return };
    let boards: Vec<(BoardCoordinate, &Board)> = (start.0..=end.0)
        .filter_map(|half_turn| {
            let at = BoardCoordinate { timeline, half_turn: HalfTurn(half_turn) };
            Some((at, position.board(at)?))
        })
        .collect();
    let width = usize::from(size.width());
    let indent = " ".repeat((width + 2) * usize::from(start.0.abs_diff(first.0)));
    let line = |text: &mut String, cell: &dyn Fn(&mut String, BoardCoordinate, &Board)| {
        text.push_str(&indent);
        for (at, board) in &boards {
            cell(text, *at, board);
        }
        text.push('\n');
    };
    line(text, &|text, at, _| {
        let mut edge = label(at);
        edge.truncate(width);
        let rest = width - edge.len();
        let _ = write!(text, "╔{edge}{}╗", "═".repeat(rest));
    });
    for rank in (0..size.height()).rev() {
        line(text, &|text, _, board| {
            text.push('║');
            text.extend((0..size.width()).map(|file| letter(board, file, rank)));
            text.push('║');
        });
    }
    line(text, &|text, _, _| {
        let _ = write!(text, "╚{}╝", "═".repeat(width));
    });
}

fn letter(board: &Board, file: u8, rank: u8) -> char {
    Square::new(file, rank).and_then(|square| board.get(square)).map_or(' ', |piece| piece.letter())
}
