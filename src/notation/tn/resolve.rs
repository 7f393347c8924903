//! Resolves the text of an action into moves: finds the timeline of each, and the order in which they can be
//! made.

use super::syntax::{ActionText, Item, NumberText};
use crate::notation::common::describe::check_mark;
use crate::notation::common::move_text::{BRANCH_NOT_HOP, HOP_NOT_BRANCH, HOP_OR_BRANCH, NO_CASTLING};
use crate::notation::common::replay::{CoordinateMove, Replay, not_the_last};
use crate::notation::common::shorthand::{Shorthand, meant};
use crate::notation::common::{CheckMark, Issue, Jump, MoveText, ParseError, Place, Shape, Span, Target};
use crate::types::{Move, MoveKind, PieceKind, Timeline};

/// A move that was found and is not made yet.
struct Found {
    m: Move,
    jump: Option<Jump>,
    span: Span,
}

/// Plays an action to its end.
pub(super) fn play(player: &mut Replay, text: &ActionText, check_marks: bool) -> Result<(), ParseError> {
    if let Some(number) = &text.number {
        check_number(player, number)?;
    }
    let mut found = Vec::new();
    let mut arrivals = Vec::new();
    let mut misplaced = None;
    let mut expected = i32::from(player.position.multiverse().active().highest.0);
    for (item, span) in &text.items {
        let on = i16::try_from(expected).ok().map(Timeline);
        match item {
            Item::Move(text) => {
                let m = find(player, text, on)?;
                expected = i32::from(m.from.board.timeline.0);
                let Shape::Piece { jump, .. } = text.shape else { continue };
                found.push(Found { m, jump, span: text.span });
            }
            Item::Arrives => arrivals.push((on, *span)),
            Item::Stays | Item::NotToMove => {
                let playable = on.is_some_and(|timeline| player.position.playable(timeline).is_some());
                let is_right = playable == (*item == Item::Stays);
                misplaced = misplaced.or((!is_right).then_some((item, on, *span)));
            }
        }
        expected = expected.saturating_sub(1);
    }
    make(player, found)?;
    let hops = |timeline: Option<Timeline>| {
        let arrives = |m: &&Move| m.kind == MoveKind::Hop && Some(m.to.board.timeline) == timeline;
        player.made().iter().any(|m| arrives(&m))
    };
    let lonely = arrivals.iter().find(|(timeline, _)| !hops(*timeline));
    let lonely = lonely.map(|&(timeline, span)| (&Item::Arrives, timeline, span));
    if let Some((item, timeline, span)) = misplaced.or(lonely) {
        let on = timeline.map_or("below the lowest timeline".into(), |timeline| {
            format!("on timeline {}", player.position.parity().label(timeline))
        });
        let message = match item {
            Item::Stays => format!("`-` says that the player could move {on}, but that is not so"),
            Item::NotToMove => format!("`_` says that the player cannot move {on}, but that is not so"),
            _ => format!("`<` says that a piece arrives {on}, but none does"),
        };
        player.warn("wrong-placeholder", span, message);
    }
    player.submit(text.span)?;
    check_the_mark(player, text, check_marks);
    Ok(())
}

fn check_number(player: &mut Replay, text: &NumberText) -> Result<(), ParseError> {
    if let Some(color) = text.color {
        player.check_player(color, text.span).map_err(Issue::illegal)?;
    }
    if let Some(number) = text.number {
        player.check_number(number, text.span);
    }
    let present = player.position.present().turn();
    if let Some(said) = text.present.filter(|&said| said != present) {
        let message = format!("the present is at turn {present}, not at turn {said}");
        player.warn("wrong-present", text.span, message);
    }
    Ok(())
}

/// The move that a text means, on the timeline that it names or else the expected one.
fn find(player: &mut Replay, text: &MoveText, expected: Option<Timeline>) -> Result<Move, ParseError> {
    let (span, parity) = (text.span, player.position.parity());
    let Shape::Piece { kind, file, rank, jump, target, capture, to } = text.shape else {
        return Err(Issue::new("no-such-move", span, NO_CASTLING).illegal());
    };
    let timeline = match text.from.and_then(|board| board.timeline) {
        Some(label) => label.timeline_at(parity, span)?,
        None => expected.ok_or_else(|| {
            Issue::new(
                "no-such-timeline",
                span,
                "expected no more moves: every timeline down to the lowest has had its move",
            )
            .illegal()
        })?,
    };
    let at = player.source(timeline, span)?;
    if text.from.and_then(|board| board.turn).is_some_and(|turn| turn != at.half_turn.turn()) {
        return Err(Issue::new("not-playable", span, not_the_last(&player.position, at)).illegal());
    }
    if let Some(Target { timeline: Some(Place::At(label)), .. }) = target {
        label.timeline_at(parity, span)?;
    }
    let goes = |m: &Move| {
        let jumps = match jump {
            None => m.kind == MoveKind::Physical,
            Some(Jump::Hop) => m.kind == MoveKind::Hop,
            Some(Jump::Branch) => m.kind != MoveKind::Physical,
        };
        jumps && target.is_none_or(|target| target.fits(parity, at, m.to.board))
    };
    let kind = kind.unwrap_or(PieceKind::Pawn);
    let (to_file, to_rank) = (to.file(), Some(to.rank()));
    let shorthand = Shorthand { span, at, kind, file, rank, to_file, to_rank, capture };
    let m = meant(player, &shorthand, goes)?;
    player.check_capture(capture, &m, span);
    Ok(m)
}

/// Makes the moves: first those that create no timeline, then the others in their order, each as soon as its
/// target board is no longer the last one.
fn make(player: &mut Replay, found: Vec<Found>) -> Result<(), ParseError> {
    let (mut branches, others): (Vec<Found>, Vec<Found>) =
        found.into_iter().partition(|found| found.jump == Some(Jump::Branch));
    for Found { m, span, .. } in others {
        let made = push(player, &m, span)?;
        if made.kind != m.kind {
            let hint = "another move of the action has played on the board to which it goes";
            return Err(Issue::new("no-such-move", span, BRANCH_NOT_HOP).hint(hint).illegal());
        }
    }
    while !branches.is_empty() {
        let kind = |found: &Found| player.position.move_kind(found.m.from.board, found.m.to.board);
        let next = branches.iter().position(|found| kind(found) == Some(MoveKind::Branch));
        let Found { m, span, .. } = branches.remove(next.unwrap_or(0));
        if next.is_none() {
            player.warnings.push(Issue::new("wrong-jump", span, HOP_NOT_BRANCH).hint(HOP_OR_BRANCH));
        }
        push(player, &m, span)?;
    }
    Ok(())
}

fn push(player: &mut Replay, m: &Move, span: Span) -> Result<Move, ParseError> {
    player.push(CoordinateMove { from: m.from, to: m.to, promotion: m.promotion }, span)
}

/// Warns about a wrong mark of a played action.
fn check_the_mark(player: &mut Replay, text: &ActionText, check_marks: bool) {
    let Some((mark, span)) = text.mark else { return };
    match mark {
        CheckMark::Check if check_marks && check_mark(&player.position) == Ok("") => {
            player.warn("wrong-mark", span, "`+` marks a check, but this is none");
        }
        CheckMark::Checkmate => player.check_checkmate(span),
        _ => {}
    }
}
