//! Null moves before the first action. Some tools write the half-turns before the game as null moves.

use std::collections::BTreeMap;

use super::error::{Issue, ParseError};
use super::label::Label;
use super::span::Span;
use crate::state::{Board, MAX_BOARDS, MAX_TURN, Position, Setup};
use crate::types::{BoardCoordinate, HalfTurn, Timeline, TimelineRange};

/// A null move before the first action. It repeats a board of the start, half a turn later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// The null move with its board.
    pub span: Span,
    /// The timeline of the board. `None` means every active timeline that ends at the present.
    pub timeline: Option<Label>,
    /// The turn of the board.
    pub turn: Option<i16>,
}

/// The last boards of a start, to which null moves add boards.
struct Ends {
    setup: Setup,
    active: TimelineRange,
    last: BTreeMap<Timeline, (HalfTurn, Board)>,
}

/// The start with the boards that null moves add, and a warning for each null move.
///
/// # Errors
///
/// When there is no such board, or there would be too many.
pub(crate) fn after(
    start: Position,
    passes: &[Pass],
    warnings: &mut Vec<Issue>,
) -> Result<Position, ParseError> {
    if passes.is_empty() {
        return Ok(start);
    }
    let multiverse = start.multiverse();
    let last = multiverse.ends().map(|(at, board)| (at.timeline, (at.half_turn, *board))).collect();
    let mut ends = Ends { setup: start.to_setup(), active: multiverse.active(), last };
    for pass in passes {
        warnings.push(ends.pass(pass)?);
    }
    Ok(Position::from_setup(&ends.setup).expect("a longer start is one"))
}

/// The number of null moves that lead from one start to another; `None` if no number does.
pub(crate) fn between(from: &Position, to: &Position) -> Option<usize> {
    let count = to.multiverse().count().checked_sub(from.multiverse().count())?;
    if from.multiverse().range() != to.multiverse().range() {
        return None;
    }
    let pass = Pass { span: Span::default(), timeline: None, turn: None };
    let reached = after(from.clone(), &vec![pass; count], &mut Vec::new()).ok()?;
    (reached.multiverse() == to.multiverse()).then_some(count)
}

impl Ends {
    /// Repeats the boards of a null move, unless the start already has the boards that follow.
    fn pass(&mut self, pass: &Pass) -> Result<Issue, ParseError> {
        let (meant, turn) = self.meant(pass)?;
        match pass.turn {
            Some(said) if said < turn => {
                let message = "the start has the boards that follow: the null move is left out";
                Ok(Issue::new("null-move-at-turn-zero", pass.span, message))
            }
            Some(said) if said > turn => {
                let message = format!("expected a null move of turn {turn}, the last one of the start");
                Err(Issue::new("no-such-board", pass.span, message).illegal())
            }
            _ => {
                meant.into_iter().try_for_each(|timeline| self.repeat(timeline, pass.span))?;
                let message = "nobody may pass: the null move is read as a board of the start";
                Ok(Issue::new("null-move-before-the-game", pass.span, message))
            }
        }
    }

    /// The timelines of the boards of a null move, and the turn of these boards.
    fn meant(&self, pass: &Pass) -> Result<(Vec<Timeline>, i16), ParseError> {
        let Some(label) = pass.timeline else {
            let active = || self.last.range(self.active.lowest..=self.active.highest);
            let present = active().map(|(_, (at, _))| *at).min().expect("an active timeline");
            let meant = active().filter(|(_, (at, _))| *at == present);
            return Ok((meant.map(|(&timeline, _)| timeline).collect(), present.turn()));
        };
        let timeline = label.timeline_at(self.setup.parity, pass.span)?;
        let (at, _) = self.last.get(&timeline).ok_or_else(|| {
            let message = format!("there is no timeline {}", self.setup.parity.label(timeline));
            Issue::new("no-such-board", pass.span, message).illegal()
        })?;
        Ok((vec![timeline], at.turn()))
    }

    fn repeat(&mut self, timeline: Timeline, span: Span) -> Result<(), ParseError> {
        let (at, board) = self.last.get_mut(&timeline).expect("a timeline of the start");
        *at = at.next();
        if at.turn() > MAX_TURN || self.setup.boards.len() == MAX_BOARDS {
            let message = format!("expected at most {MAX_BOARDS} boards, and turns up to {MAX_TURN}");
            return Err(Issue::new("too-many-boards", span, message).malformed());
        }
        self.setup.boards.push((BoardCoordinate { timeline, half_turn: *at }, *board));
        Ok(())
    }
}
