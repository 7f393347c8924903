//! The boards of which a reply makes use: those that its moves leave, cross and land on.

use crate::state::Position;
use crate::types::{Action, BoardCoordinate, HalfTurn, Move, MoveKind, Square, Timeline};

/// A use that a reply makes of one board.
pub(super) enum ReplyUse<'a> {
    /// Plays it by a move within it.
    Plays(&'a Move),
    /// Jumps from it.
    Leaves(&'a Move),
    /// Jumps to it, and so makes the next board of this timeline.
    Lands(&'a Move, Timeline),
    /// Passes over this square.
    Crosses(Square),
}

/// The boards of which the moves of a reply make use, with each use.
pub(super) fn uses_of<'a>(reply: &'a Action, replied: &Position) -> Vec<(BoardCoordinate, ReplyUse<'a>)> {
    let mut uses = Vec::new();
    let creator = replied.to_move();
    let branches = reply.moves().iter().filter(|m| m.kind == MoveKind::Branch).count() as i16;
    let mut next = replied.multiverse().next_timeline(creator).0 - branches * creator.branch_direction();
    for m in reply.moves() {
        if m.kind == MoveKind::Physical {
            uses.push((m.from.board, ReplyUse::Plays(m)));
            continue;
        }
        let lands_on = if m.kind == MoveKind::Hop { m.to.board.timeline } else { Timeline(next) };
        next += if m.kind == MoveKind::Hop { 0 } else { creator.branch_direction() };
        uses.push((m.from.board, ReplyUse::Leaves(m)));
        uses.push((m.to.board, ReplyUse::Lands(m, lands_on)));
        uses.extend(crossed(m).map(|(board, square)| (board, ReplyUse::Crosses(square))));
    }
    uses
}

/// The squares between the ends of a jump in a straight line, which must be empty. A leap has none.
pub(super) fn crossed(m: &Move) -> impl Iterator<Item = (BoardCoordinate, Square)> + '_ {
    let (from, to) = (m.from, m.to);
    let steps = [
        to.board.timeline.0 - from.board.timeline.0,
        (to.board.half_turn.0 - from.board.half_turn.0) / 2,
        i16::from(to.square.file()) - i16::from(from.square.file()),
        i16::from(to.square.rank()) - i16::from(from.square.rank()),
    ];
    let count = steps.into_iter().map(i16::abs).max().unwrap_or(0);
    let is_straight = steps.into_iter().all(|step| step == 0 || step.abs() == count);
    (1..if is_straight { count } else { 1 }).filter_map(move |i| {
        let [timelines, turns, files, ranks] = steps.map(|step| i * step.signum());
        let board = BoardCoordinate {
            timeline: Timeline(from.board.timeline.0 + timelines),
            half_turn: HalfTurn(from.board.half_turn.0 + 2 * turns),
        };
        Some((board, from.square.offset(files as i8, ranks as i8)?))
    })
}
