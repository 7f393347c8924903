//! Games as text.

use std::fmt::Write;

use super::resolve::is_result_alone;
use super::start::{Named, rules_of, turn_offset, usual_promotions};
use super::syntax::letter_of;
use super::{Layout, mark_of};
use crate::notation::common::describe::{castling, is_capture, is_en_passant};
use crate::notation::common::start::is_reserved;
use crate::notation::common::{CheckMark, Game, GameResult, Loss, Written, header};
use crate::state::Position;
use crate::types::{Color, Move, MoveKind, Parity, Timeline};

pub(super) fn game(game: &Game, layout: Layout) -> Written {
    let mut losses = Vec::new();
    let mut text = String::new();
    tags(&mut text, game, &mut losses);
    let offset = turn_offset(&game.start);
    let mut position = game.start.clone();
    let mut number = 1;
    for action in &game.actions {
        let color = position.to_move();
        for m in action.moves() {
            // Writing to a string cannot fail, here and below.
            let _ = write!(text, "{number}{}. ", color.letter());
            let created = position.multiverse().next_timeline(color);
            write_move(&mut text, &position, m, created, layout, offset);
            text.push('\n');
            position.push(m);
        }
        position.switch_player();
        // Without a decision in time it is a check, if it is one.
        let mark = mark_of(&position).unwrap_or_else(|_| position.is_in_check().then_some(CheckMark::Check));
        if let Some(mark) = mark {
            text.truncate(text.trim_end().len());
            text.push_str(mark.text());
            text.push('\n');
        }
        number += usize::from(color == Color::Black);
    }
    Written::new(text, losses)
}

fn tags(text: &mut String, game: &Game, losses: &mut Vec<Loss>) {
    let start = &game.start;
    let named = Named::of(start).filter(|_| game.name.is_none());
    // A name that looks like JSON would be read as such.
    let name = game.name.as_deref().filter(|name| !name.starts_with('{'));
    if name.is_none() && game.name.is_some() {
        losses.push(Loss::new("the name of the start, which would be read as JSON"));
    }
    header::write(text, "Variant", named.map(Named::tag).or(name).unwrap_or("custom"));
    if start.profile().promotions != usual_promotions(start) {
        header::write(text, "Promotions", &start.profile().promotions.to_string());
    }
    if let Some(rules) = rules_of(&game.start) {
        header::write(text, "Rules", &rules);
    }
    let mut written_result = false;
    for (key, value) in &game.headers {
        if key.eq_ignore_ascii_case("Result") {
            match (game.result, GameResult::from_text(value)) {
                (Some(result), _) if result.text() != value => {
                    losses.push(Loss::new(format!(
                        "the header `{key}`, which differs from the result of the game"
                    )));
                    continue;
                }
                (None, Some(told)) => {
                    let what = format!("that the game has no result, where a header says `{told}`");
                    losses.push(Loss::new(what));
                }
                _ => {}
            }
            written_result = true;
        }
        header::write_kept(text, (key, value), is_reserved(key, value), losses);
    }
    if let Some(result) = game.result.filter(|_| !written_result) {
        header::write(text, "Result", result.text());
    } else if is_result_alone(&game.headers, game.result) {
        losses.push(Loss::new("that the result stands in a header too"));
    }
    if named.is_none() {
        let _ = writeln!(text, "{start}");
    }
}

/// A move behind a text. A branch makes the timeline `created`.
pub(crate) fn write_move(
    text: &mut String,
    position: &Position,
    m: &Move,
    created: Timeline,
    layout: Layout,
    offset: i16,
) {
    let (from, to) = (m.from, m.to);
    let source = from.board.timeline;
    let _ = write!(text, "{}{}:", from.board.half_turn.turn() + offset, label(position, source));
    match castling(position, m) {
        Some("O-O") => return text.push_str("0-0"),
        Some(_) => return text.push_str("0-0-0"),
        None => {}
    }
    let kind = position.board(from.board).and_then(|board| board.get(from.square)).map(|piece| piece.kind);
    text.extend(kind.and_then(letter_of));
    let _ = write!(text, "{}", from.square);
    let short = layout == Layout::Short;
    if m.kind != MoveKind::Physical || !short {
        text.push('<');
        if m.kind == MoveKind::Branch {
            text.push_str(&label(position, created));
        }
        text.push('>');
        let (turn, target) = (to.board.half_turn.turn(), to.board.timeline);
        if !short || turn != from.board.half_turn.turn() {
            let _ = write!(text, "{}", turn + offset);
        }
        let target_label = label(position, target);
        match (short, target == source) {
            (true, true) => {}
            // A target without a label is on the timeline of origin.
            (_, false) if target_label.is_empty() => text.push_str("+0"),
            _ => text.push_str(&target_label),
        }
    }
    text.push(':');
    if is_capture(position, m) {
        text.push('x');
    }
    text.extend(m.promotion.and_then(letter_of));
    let _ = write!(text, "{}", to.square);
    if is_en_passant(position, m) {
        text.push_str("e.p.");
    }
}

/// `+1`, `-1`; nothing for timeline 0 where there is only one.
fn label(position: &Position, timeline: Timeline) -> String {
    match position.parity() {
        Parity::Odd if timeline.0 == 0 => String::new(),
        Parity::Odd => format!("{:+}", timeline.0),
        Parity::Even => position.parity().label(timeline).to_string(),
    }
}
