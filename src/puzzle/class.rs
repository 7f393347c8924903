//! Classes of actions as puzzle files write them: `{ "(0T3)": ["Kb3>>(0T1)b3", pass], "(1T3)": any }`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::finding::Finding;
use super::model::{ClassText, PASS, Spanned, Starts};
use super::start::unreadable;
use crate::notation::pgn5d::{board_text, parse_board, parse_start, start_text};
use crate::search::{Class, Start};
use crate::state::Position;
use crate::types::BoardCoordinate;

/// The class that a puzzle's text means in a position. `text` is the document that contains it.
pub(super) fn read(position: &Position, text: &str, written: &ClassText) -> Result<Class, Finding> {
    let mut boards = BTreeMap::new();
    for (name, starts) in &written.0 {
        let board = parse_board(position, &name.value).map_err(|error| unreadable(text, name, &error))?;
        let mut listed: Vec<Start> = Vec::new();
        if let Starts::Listed(moves) = starts {
            for m in moves {
                let start = start(position, board, text, m)?;
                if listed.contains(&start) {
                    let message = "this move is listed twice for the board, perhaps in two spellings";
                    return Err(Finding::new("repeated-row", m.span, message));
                }
                listed.push(start);
            }
        }
        if boards.insert(board, (!listed.is_empty()).then_some(listed)).is_some() {
            return Err(Finding::new(
                "repeated-row",
                name.span,
                "this board is listed twice, perhaps in two spellings",
            ));
        }
    }
    Ok(Class::new(boards.into_iter().filter_map(|(board, starts)| Some((board, starts?))).collect()))
}

fn start(
    position: &Position,
    board: BoardCoordinate,
    text: &str,
    written: &Spanned<String>,
) -> Result<Start, Finding> {
    if written.value == PASS {
        return Ok(Start::Pass);
    }
    let m =
        parse_start(position, board, &written.value).map_err(|error| unreadable(text, written, &error))?;
    Ok(Start::Move(m))
}

/// The class restricted to boards and moves that exist in this position. If boards are left out, it may
/// contain actions that the class does not.
pub(super) fn within(position: &Position, class: &Class) -> Class {
    let starts_here = |board, start: &Start| match start {
        Start::Pass => true,
        Start::Move(m) => parse_start(position, board, &start_text(position, m)) == Ok(*m),
    };
    let playable: Vec<BoardCoordinate> = position.playable_boards().collect();
    let boards = class.boards().iter().filter(|(board, _)| playable.contains(board));
    let said = boards.map(|(board, starts)| {
        (*board, starts.iter().filter(|start| starts_here(*board, start)).copied().collect())
    });
    Class::new(said.collect())
}

/// Whether the text of a class, written in one position, can be read in another.
pub(super) fn is_readable(position: &Position, class: &Class, written_in: &Position) -> bool {
    class.boards().iter().all(|(board, starts)| {
        position.playable_boards().any(|playable| playable == *board)
            && starts.iter().all(|start| match start {
                Start::Pass => true,
                Start::Move(m) => parse_start(position, *board, &start_text(written_in, m)).is_ok(),
            })
    })
}

/// The text of a class, as YAML on one line.
pub(super) fn write(position: &Position, class: &Class) -> String {
    let mut text = String::from("{ ");
    for (index, (board, starts)) in class.boards().iter().enumerate() {
        let starts: Vec<String> = starts
            .iter()
            .map(|start| match start {
                Start::Pass => PASS.to_owned(),
                Start::Move(m) => format!("\"{}\"", start_text(position, m)),
            })
            .collect();
        let separator = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{separator}\"{}\": [{}]", board_text(position, *board), starts.join(", "));
    }
    text.push_str(" }");
    text
}
