//! Warnings about the start of a puzzle although every claim about it may be true. Begin at [`lint`].
//!
//! A position that no game reaches can still be solved, so these are warnings. Each has a code;
//! `spec/puzzle-files.md` lists them with their conditions.

use super::finding::Finding;
use super::model::{Goal, Puzzle};
use crate::notation::pgn5d::{action_text, board_text};
use crate::search::{Analysis, Prover, Verdict, after_null_action};
use crate::state::{Board, Position, squares_of};
use crate::types::{BoardCoordinate, Color, Coordinate, HalfTurn, Move, Piece, PieceKind, Timeline};

/// All warnings. Those that need a search are given only with a `prover`, whose budget they use.
pub(super) fn lint(puzzle: &Puzzle, start: &Position, prover: Option<&mut Prover<'_>>) -> Vec<Finding> {
    let mut warnings = Vec::new();
    let mut warn = |code, message: String| {
        warnings.push(Finding::new(code, puzzle.start.span, message));
    };
    if let Some(message) = capturable_royal(start) {
        warn(KING_CAPTURABLE, message);
    }
    if let (Goal::MateIn(_), Some(prover)) = (&puzzle.goal.value, prover)
        && let Some(message) = counter_mate(start, prover)
    {
        warn("opponent-mates", message);
    }
    // The boards of variants are not questioned.
    if puzzle.start.value.variant.is_none() {
        history(start, warn);
    }
    warnings
}

/// Warns of boards that no game reaches.
fn history(start: &Position, mut warn: impl FnMut(&'static str, String)) {
    if let Some(message) = middle_of_an_action(start) {
        warn("side-to-move", message);
    }
    for timeline in start.multiverse().timelines() {
        if let Some((code, message)) = origin(start, timeline) {
            warn(code, message);
        }
    }
    if let Some(message) = pawn_on_last_rank(start) {
        warn("pawn-on-last-rank", message);
    }
    if let Some(message) = impossible_step(start) {
        warn("impossible-step", message);
    }
}

/// The code of the warning whose message [`capturable_royal`] makes.
pub const KING_CAPTURABLE: &str = "king-capturable";

/// A move that captures a royal piece of the opponent. No legal action leads to a position that has one.
pub fn royal_capture(start: &Position) -> Option<Move> {
    start.pseudo_legal_moves().into_iter().find(|m| {
        let target = start.board(m.to.board).and_then(|board| board.get(m.to.square));
        target.is_some_and(|piece| piece.kind.is_royal() && piece.color != start.to_move())
    })
}

/// The warning that the player to move can capture a royal piece at once, so that the action before was
/// illegal.
pub fn capturable_royal(start: &Position) -> Option<String> {
    let capture = royal_capture(start)?;
    let place = |Coordinate { board, square }| format!("{}{square}", board_text(start, board));
    let (mover, from, to) = (mover(start), place(capture.from), place(capture.to));
    Some(format!("{mover} can capture a royal piece at once: {from} attacks {to}"))
}

/// The warning that the side to be mated would mate at once if it were to move.
fn counter_mate(start: &Position, prover: &mut Prover<'_>) -> Option<String> {
    let passed = after_null_action(start)?;
    let solution = Analysis::new(prover, &passed, 1).mate();
    let key = solution.keys.first().filter(|_| solution.verdict == Verdict::Proven)?.key();
    let text = action_text(&passed, key);
    Some(format!("{0} is to be mated, but could mate at once if it were {0}'s move: {text}", mover(&passed)))
}

/// The warning that timelines which all began together, without a branch, end at different times.
fn middle_of_an_action(start: &Position) -> Option<String> {
    let spans = || start.multiverse().timelines().filter_map(|timeline| start.multiverse().span(timeline));
    let (first, end) = spans().next()?;
    let started_together = spans().all(|(other, _)| other == first);
    (started_together && spans().any(|(_, other)| other != end)).then(|| {
        "the start is in the middle of an action: all timelines began together, but only some have been played"
            .to_owned()
    })
}

/// The warning about a timeline that was not there from the beginning and that no branch can have begun.
fn origin(start: &Position, timeline: Timeline) -> Option<(&'static str, String)> {
    let multiverse = start.multiverse();
    let (first, _) = multiverse.span(timeline)?;
    let beginning =
        multiverse.timelines().filter_map(|other| multiverse.span(other)).map(|(first, _)| first).min()?;
    if first == beginning || start.parity().central().contains(timeline) {
        return None;
    }
    let board = multiverse.board(BoardCoordinate { timeline, half_turn: first })?;
    let label = start.parity().label(timeline);
    let left = HalfTurn(first.0 - 1);
    let others = || {
        let others = multiverse.timelines().filter(|other| *other != timeline);
        others.filter_map(|timeline| multiverse.board(BoardCoordinate { timeline, half_turn: left }))
    };
    if others().next().is_none() {
        let message = format!(
            "timeline {label} begins at {first}, but no timeline has a board at {left}, the half-turn before"
        );
        return Some(("gap-in-turns", message));
    }
    let creator = left.color();
    let by_creator = match creator {
        Color::White => timeline > start.parity().central().highest,
        Color::Black => timeline < start.parity().central().lowest,
    };
    let arrives = |old: &Board| match squares_of(old.differing_squares(board)).collect::<Vec<_>>()[..] {
        [square] => Difference { before: old.get(square), after: board.get(square) }.arrives(creator),
        _ => false,
    };
    (!by_creator || !others().any(arrives)).then(|| {
        let message = format!(
            "no branch can have begun timeline {label}: no board at {left} becomes its first board when a {creator} \
             piece arrives"
        );
        ("no-history", message)
    })
}

/// The warning about a pawn or brawn on the rank where it would have been promoted. On its own first rank it
/// may stand: some games begin so.
fn pawn_on_last_rank(start: &Position) -> Option<String> {
    let last_rank = |color| if color == Color::White { start.size().height() - 1 } else { 0 };
    start.multiverse().boards().find_map(|(at, board)| {
        let (square, piece) = board
            .pieces()
            .find(|(square, piece)| piece.kind.is_pawn_like() && square.rank() == last_rank(piece.color))?;
        Some(format!("the {piece} on {}{square} would have been promoted", board_text(start, at)))
    })
}

/// The warning about two consecutive boards of a timeline that no single move connects.
fn impossible_step(start: &Position) -> Option<String> {
    start.multiverse().boards().find_map(|(at, board)| {
        let next = BoardCoordinate { half_turn: at.half_turn.next(), ..at };
        let after = start.board(next)?;
        (!is_step(&differences(board, after), at.color())).then(|| {
            let (color, from, to) = (at.color(), board_text(start, at), next.half_turn);
            format!("no move of {color} leads from the board {from} to the next one of its timeline, at {to}")
        })
    })
}

/// A square on which two boards differ.
struct Difference {
    before: Option<Piece>,
    after: Option<Piece>,
}

impl Difference {
    fn leaves(&self, color: Color) -> bool {
        self.after.is_none() && self.before.is_some_and(|piece| piece.color == color)
    }

    fn arrives(&self, color: Color) -> bool {
        let replaced = self.before.is_none_or(|piece| piece.color != color);
        replaced && self.after.is_some_and(|piece| piece.color == color)
    }
}

fn differences(before: &Board, after: &Board) -> Vec<Difference> {
    let squares = squares_of(before.differing_squares(after));
    squares.map(|square| Difference { before: before.get(square), after: after.get(square) }).collect()
}

/// Whether one move of `color` can make these differences: as a departure, an arrival, or a move within the
/// board.
fn is_step(differences: &[Difference], color: Color) -> bool {
    let count = |holds: &dyn Fn(&Difference) -> bool| {
        differences.iter().filter(|difference| holds(difference)).count()
    };
    let (left, arrived) = (count(&|d| d.leaves(color)), count(&|d| d.arrives(color)));
    let kinds = |piece: fn(&Difference) -> Option<Piece>| {
        differences
            .iter()
            .filter_map(piece)
            .filter(|piece| piece.color == color)
            .map(|piece| piece.kind)
            .collect::<Vec<PieceKind>>()
    };
    let (before, after) = (kinds(|d| d.before), kinds(|d| d.after));
    match (differences.len(), left, arrived) {
        (1, 1, 0) | (1, 0, 1) => true,
        (2, 1, 1) => before == after || before.iter().all(|kind| kind.is_pawn_like()),
        // En passant: a pawn of the other player vanishes too.
        (3, 1, 1) => {
            count(&|d| d.leaves(!color)) == 1
                && before == after
                && before.iter().all(|kind| kind.is_pawn_like())
        }
        // Castling.
        (4, 2, 2) => before.iter().all(|kind| after.contains(kind)) && before.contains(&PieceKind::King),
        _ => false,
    }
}

/// The player to move, as the subject of a sentence.
pub(super) fn mover(position: &Position) -> &'static str {
    position.to_move().name()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn codes(start: &Position) -> Vec<&'static str> {
        let mut codes = Vec::new();
        history(start, |code, _| codes.push(code));
        codes.extend(capturable_royal(start).map(|_| "king-capturable"));
        codes
    }

    /// Positions that can occur in a game give no warnings.
    #[test]
    fn games_are_not_odd() {
        let mut random = 7_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let mut positions = 0;
        for variant in (0..=u8::MAX).filter_map(variants::by_id) {
            let mut position = Position::from_setup(&variant.setup()).expect("variants are multiverses");
            // Some variants start with boards that nothing leads to.
            if !codes(&position).is_empty() {
                continue;
            }
            for _ in 0..8 {
                let actions: Vec<_> = position.legal_actions().within(1_000).take(60).collect();
                if actions.is_empty() {
                    break;
                }
                position.play_unchecked(&actions[next(actions.len())]);
                positions += 1;
                assert_eq!(codes(&position), [""; 0], "{}: {position:?}", variant.name);
            }
        }
        assert!(positions > 200, "only {positions} positions were looked at");
    }
}
