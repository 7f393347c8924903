//! Writes games, actions and moves as canonical 5DPGN.

use std::fmt::Write;

use super::Marks;
use crate::notation::common::describe::{
    castling, check_mark, is_capture, piece_at, push_square, write_board,
};
use crate::notation::common::start::is_reserved;
use crate::notation::common::{Game, Loss, Written, header};
use crate::rules::variants::{self, Confidence};
use crate::state::Position;
use crate::types::{Action, BoardSize, Color, Move, MoveKind, PieceKind, Promotions, RuleProfile};

pub(super) fn game(game: &Game, marks: Marks) -> Written {
    let (mut text, mut losses) = (String::new(), Vec::new());
    headers(&mut text, game, &mut losses);
    let mut position = game.start.clone();
    let mut number = 1;
    for (index, action) in game.actions.iter().enumerate() {
        // Writing to a string cannot fail, here and below.
        let _ = match position.to_move() {
            Color::White => write!(text, "{number}. "),
            Color::Black if index == 0 => write!(text, "{number}b. "),
            Color::Black => write!(text, " / "),
        };
        text.push_str(&action_text(&position, action));
        position.play_unchecked(action);
        if marks == Marks::Check {
            // A mate that cannot be told within the budget is marked as a check, which is true as well.
            text.push_str(check_mark(&position).unwrap_or("+"));
        }
        if position.to_move() == Color::White {
            number += 1;
            text.push('\n');
        }
    }
    if let Some(result) = game.result {
        text.push_str(if text.ends_with('\n') { "" } else { " " });
        text.push_str(result.text());
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Written::new(text, losses)
}

fn headers(text: &mut String, game: &Game, losses: &mut Vec<Loss>) {
    let start = &game.start;
    // A name replaces the boards only if all programs agree on its boards.
    let variant = variants::by_setup(&start.to_setup())
        .filter(|variant| variant.id.is_some() && variant.confidence <= Confidence::OneSource)
        .filter(|_| game.name.is_none());
    let name = game.name.as_deref().or(variant.map(|variant| variant.name)).unwrap_or("custom");
    header::write(text, "Board", name);
    header::write(text, "Mode", "5D");
    if start.size() != BoardSize::STANDARD {
        header::write(text, "Size", &start.size().to_string());
    }
    if start.profile().promotions != Promotions::QUEEN {
        header::write(text, "Promotions", &start.profile().promotions.to_string());
    }
    let rules = RuleProfile { promotions: Promotions::QUEEN, ..start.profile() };
    if rules != RuleProfile::default() {
        header::write(text, "Rules", &start.profile().to_string());
    }
    for (key, value) in &game.headers {
        header::write_kept(text, (key, value), is_reserved(key, value), losses);
    }
    if variant.is_none() {
        let _ = writeln!(text, "{start}");
    }
}

pub(super) fn action_text(position: &Position, action: &Action) -> String {
    let mut text = String::new();
    for (index, m) in action.moves().iter().enumerate() {
        text.push_str(if index == 0 { "" } else { " " });
        // Every board that an action leaves or enters exists before the action begins.
        write_move(&mut text, position, m);
    }
    text
}

pub(super) fn move_text(position: &Position, m: &Move) -> String {
    let mut text = String::new();
    write_move(&mut text, position, m);
    text
}

pub(super) fn write_move(text: &mut String, position: &Position, m: &Move) {
    write_board(text, position, m.from.board);
    write_start(text, position, m);
}

/// Appends a move without its board.
pub(super) fn write_start(text: &mut String, position: &Position, m: &Move) {
    let (from, to) = (m.from.square, m.to.square);
    let piece = piece_at(position, m.from).map(|piece| piece.kind);
    if let Some(castling) = castling(position, m) {
        text.push_str(castling);
        return;
    }
    let physical = m.kind == MoveKind::Physical;
    if let Some(kind) = piece.filter(|&kind| !(physical && kind == PieceKind::Pawn)) {
        text.push(kind.letter());
    }
    push_square(text, from);
    text.push_str(match m.kind {
        MoveKind::Physical => "",
        MoveKind::Hop => ">",
        MoveKind::Branch => ">>",
    });
    if is_capture(position, m) {
        text.push('x');
    }
    if !physical {
        write_board(text, position, m.to.board);
    }
    push_square(text, to);
    if let Some(kind) = m.promotion {
        text.push('=');
        text.push(kind.letter());
    }
}

#[cfg(test)]
mod tests {
    use crate::notation::pgn5d::{Marks, parse, write};

    #[test]
    fn canonical_text_is_written_back_byte_for_byte() {
        for text in [
            "[Board \"Standard\"]\n[Mode \"5D\"]\n\
             1. (0T1)e2e3 / (0T1)f7f6\n2. (0T2)Nb1>>(0T1)b3 / (1T1)a7a6\n\
             3. (1T2)c2c3 / (0T2)Nb8c6 (1T2)Nb8c6\n4. (0T3)Qd1h5 (1T3)Qd1c2 *\n",
            "[Board \"custom\"]\n[Mode \"5D\"]\n[Size \"5x5\"]\n[Promotions \"Q,N\"]\n[White \"a \\\"b\\\" \\\\\"]\n\
             [4k/P4/5/p4/4K:-0:1:w]\n[4k/5/5/5/4K:+0:1:w]\n1. (-0T1)a4a5=N (+0T1)Ke1e2\n",
            "[Board \"custom\"]\n[Mode \"5D\"]\n[Size \"3x3\"]\n[2k/3/K2:0:1:b]\n1b. (0T1)Kc3c2\n1/2-1/2\n",
            "[Board \"Standard\"]\n[Mode \"5D\"]\n",
            "[Board \"Standard\"]\n[Mode \"5D\"]\n0-1\n",
        ] {
            assert_eq!(write(&parse(text).into_result().unwrap(), Marks::None).into_text(), text);
        }
    }

    #[test]
    fn marks_say_how_the_opponent_stands() {
        let marked = |text: &str| write(&parse(text).into_result().unwrap(), Marks::Check).into_text();
        assert!(marked("1. e3 / f6 2. Qe2 / Nc6 3. Qh5").ends_with("3. (0T3)Qe2h5#\n"));
        assert!(marked("1. f3 / e6 2. g4 / Qh4").ends_with(" / (0T2)Qd8h4*\n"));
        assert!(marked("1. e4 / d6 2. Bb5").ends_with("2. (0T2)Bf1b5+\n"));
        assert!(marked("1. e4").ends_with("1. (0T1)e2e4\n"));
    }

    #[test]
    fn a_name_of_its_own_keeps_its_boards() {
        let text = "[Board \"Opposing Triangles\"]\n[Mode \"5D\"]\n[Size \"2x2\"]\n[k1/1K:0:1:w]\n";
        assert_eq!(write(&parse(text).into_result().unwrap(), Marks::None).into_text(), text);
        // Sources disagree about these boards, so they are written in addition to the name.
        let practice =
            write(&parse("[Board \"Checkmate Practice - Queen\"]").into_result().unwrap(), Marks::None)
                .into_text();
        assert!(practice.starts_with("[Board \"custom\"]") && practice.contains(":0:1:w]"));
    }
}
