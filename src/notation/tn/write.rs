//! Writes games as text: one action in a line, from the highest timeline down.

use std::fmt::Write as _;

use crate::notation::common::describe::{arrow, check_mark, is_capture, piece_at, push_square};
use crate::notation::common::header;
use crate::notation::common::replay::{losses_beside_actions, start_or_standard};
use crate::notation::common::shorthand::{origin_needed, promotion_is_clear};
use crate::notation::common::start::{self, is_reserved};
use crate::notation::common::{Game, WriteError, Written};
use crate::state::Position;
use crate::types::{Action, Color, Move, MoveKind, PieceKind, Promotions, Timeline};

/// A game, and the losses. A start with a name stands in headers; another one must be given beside the text.
///
/// # Errors
///
/// When a pawn becomes another piece than the one that a reader takes for granted.
pub fn write(game: &Game) -> Result<Written, WriteError> {
    let (mut text, mut losses) = (String::new(), Vec::new());
    if let Some(variant) = start::variant(game) {
        if game.start != start_or_standard(None, Promotions::QUEEN) {
            start::write_headers(&mut text, variant.name, &game.start);
        }
        losses.extend(game.loss_of_result());
    } else {
        losses.extend(losses_beside_actions(&Game { headers: Vec::new(), ..game.clone() }));
    }
    for (key, value) in &game.headers {
        header::write_kept(&mut text, (key, value), is_reserved(key, value), &mut losses);
    }
    let mut position = game.start.clone();
    let mut number = 1;
    for (index, action) in game.actions.iter().enumerate() {
        promotion_is_clear(&position, action, index)?;
        let mover = position.to_move();
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, "{number}{}T{}. ", mover.letter(), position.present().turn());
        write_action(&mut text, &position, action);
        position.play_unchecked(action);
        text.push_str(match check_mark(&position) {
            Ok("") => "",
            Ok("#") => "#",
            Ok(_) | Err(_) => "+",
        });
        text.push('\n');
        number += usize::from(position.to_move() == Color::White);
    }
    Ok(Written::new(text, losses))
}

/// Writes the moves of an action in the order of the timelines, with a placeholder for each timeline without a
/// move. Where the moves have another order, as when one is on an inactive timeline, each names its
/// timeline.
fn write_action(text: &mut String, position: &Position, action: &Action) {
    let (lowest, highest) = {
        let active = position.multiverse().active();
        (active.lowest.0, active.highest.0)
    };
    let from = |m: &Move| m.from.board.timeline.0;
    let is_branch = |m: &&Move| m.kind == MoveKind::Branch;
    let branches_go_down =
        action.moves().iter().filter(is_branch).is_sorted_by(|one, next| from(one) > from(next));
    let mut moves: Vec<&Move> = action.moves().iter().collect();
    moves.sort_by_key(|m| (!branches_go_down && m.kind == MoveKind::Branch, -i32::from(from(m))));
    if !branches_go_down {
        let others = moves.len() - action.moves().iter().filter(is_branch).count();
        moves.truncate(others);
        moves.extend(action.moves().iter().filter(is_branch));
    }
    let mut items: Vec<String> = Vec::new();
    let mut expected = highest;
    let goes_down = moves.first().is_none_or(|m| from(m) <= highest)
        && moves.is_sorted_by(|one, next| from(one) > from(next));
    for m in moves {
        if goes_down {
            items
                .extend((from(m) + 1..=expected).rev().map(|on| placeholder(position, action, Timeline(on))));
            expected = from(m) - 1;
        }
        items.push(move_text(position, m, !goes_down));
    }
    if goes_down {
        items.extend((lowest..=expected).rev().map(|on| placeholder(position, action, Timeline(on))));
    }
    text.push_str(&items.join(";"));
}

/// The sign for a timeline on which no piece of the action moves.
fn placeholder(position: &Position, action: &Action, timeline: Timeline) -> String {
    let arrives = |m: &Move| m.kind == MoveKind::Hop && m.to.board.timeline == timeline;
    if action.moves().iter().any(arrives) {
        "<"
    } else if position.playable(timeline).is_some() {
        "-"
    } else {
        "_"
    }
    .to_owned()
}

/// `bNd2`, `N>>T1f5`, or with its timeline `0LbNd2`.
fn move_text(position: &Position, m: &Move, names_timeline: bool) -> String {
    let (from, to) = (m.from.board, m.to.board);
    let label = |timeline| position.parity().label(timeline);
    let mut text = String::new();
    // Writing to a string cannot fail, here and below.
    if names_timeline {
        let _ = write!(text, "{}L", label(from.timeline));
    }
    let (file, rank) = origin_needed(position, m);
    text.extend(file.map(|file| char::from(b'a' + file)));
    text.extend(rank.map(|rank| char::from(b'1' + rank)));
    let kind = piece_at(position, m.from).map(|piece| piece.kind);
    text.extend(kind.filter(|&kind| kind != PieceKind::Pawn).map(PieceKind::letter));
    text.push_str(arrow(m.kind));
    if is_capture(position, m) {
        text.push('x');
    }
    // A jump without its board may mean several.
    if m.kind != MoveKind::Physical && position.multiverse().range().len() > 1 {
        let _ = write!(text, "{}L", label(to.timeline));
    }
    if m.kind == MoveKind::Branch {
        let _ = write!(text, "T{}", to.half_turn.turn());
    }
    push_square(&mut text, m.to.square);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen5d, pgn5d, tn};

    fn written(text: &str) -> String {
        let game = pgn5d::parse(text).into_result().unwrap();
        let text = write(&game).unwrap().into_text();
        let again = tn::parse(&text);
        assert_eq!((&again.error, &again.warnings[..]), (&None, &[][..]), "{text}");
        assert_eq!(again.value.unwrap().actions, game.actions, "{text}");
        text
    }

    #[test]
    fn moves_go_down_with_a_sign_for_each_timeline_without_one() {
        let text = "1. Nf3 / Nf6 2. Nf3>>f5 / (1T1)e6 3. (1T2)e3 / (1T2)Ng8>(0T2)g6 4. (0T3)a3 (1T3)a4";
        assert_eq!(
            written(text),
            "1wT1. Nf3\n1bT1. Nf6\n2wT2. N>>T1f5\n2bT1. e6;-\n3wT2. e3;_\n3bT2. N>0Lg6;<\n4wT3. a4;a3\n"
        );
    }

    #[test]
    fn branches_in_another_order_name_their_timelines() {
        let start = "[Board \"Standard - Two Timelines\"]\n1. (-0T1)Nf3 (+0T1)Nf3 / (-0T1)Nf6 (+0T1)Nf6\n2. ";
        let down = written(&format!("{start}(+0T2)Nf3>>(+0T1)f5 (-0T2)Nf3>>(-0T1)f5"));
        assert!(down.ends_with("2wT2. N>>+0LT1f5;N>>-0LT1f5\n"), "{down}");
        let up = written(&format!("{start}(-0T2)Nf3>>(-0T1)f5 (+0T2)Nf3>>(+0T1)f5"));
        assert!(up.ends_with("2wT2. -0LN>>-0LT1f5;+0LN>>+0LT1f5\n"), "{up}");
    }

    #[test]
    fn a_start_with_a_name_stands_in_headers() {
        assert_eq!(written("[White \"a\"]\n1. e4"), "[White \"a\"]\n1wT1. e4\n");
        let queens = "[Board \"Simple - No Queens\"]\n[Mode \"5D\"]\n[Size \"7x7\"]\n1wT1. d3\n";
        assert_eq!(written("[Board \"No Queens\"]\n1. d3"), queens);
        let start = fen5d::parse("[k2/3/K1P:0:1:w]").into_result().unwrap();
        let losses = write(&Game::new(start, Vec::new())).unwrap().losses;
        assert!(losses[0].what.contains("beside the text"), "{losses:?}");
    }

    #[test]
    fn a_promotion_that_a_reader_would_not_guess_is_refused() {
        let game = |promotion| {
            let text = format!("[Size \"3x3\"]\n[Promotions \"Q,N\"]\n[k2/2P/K2:0:1:w]\n1. c3={promotion}");
            write(&pgn5d::parse(&text).into_result().unwrap())
        };
        assert!(game("Q").is_ok());
        let refused = game("N").unwrap_err();
        assert_eq!((refused.action, refused.reason.contains("knight")), (Some(0), true), "{refused}");
    }
}
