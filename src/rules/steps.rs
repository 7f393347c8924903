//! The steps of every piece (`spec/02-pieces.md`): the one place that moves, attacks and single questions derive from.
//!
//! A step changes up to four coordinates. Those on the board are a *shift*, (files, ranks); those between
//! boards a *board step*, (timelines, turns). Sets of squares treat both separately: a board step says which
//! board to look at, and a shift where the pieces of a set arrive on it.

use super::geometry::{Shift, shifted};
use crate::types::{Color, Coordinate, Square};

/// A step between boards: (timelines, turns).
pub(super) type BoardStep = (i16, i16);

/// The change of coordinates by a step or a move: a distance along each of the four axes, forward or
/// backward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Vector {
    pub files: i16,
    pub ranks: i16,
    pub turns: i16,
    pub timelines: i16,
}

impl Vector {
    /// From a square to another of the same board.
    #[inline]
    pub(super) const fn within(from: Square, to: Square) -> Vector {
        Vector {
            files: to.file() as i16 - from.file() as i16,
            ranks: to.rank() as i16 - from.rank() as i16,
            turns: 0,
            timelines: 0,
        }
    }

    /// From a square to another, on a board with the same player to move.
    #[inline]
    pub(super) const fn between(from: Coordinate, to: Coordinate) -> Vector {
        Vector {
            turns: (to.board.half_turn.0 - from.board.half_turn.0) / 2,
            timelines: to.board.timeline.0 - from.board.timeline.0,
            ..Vector::within(from.square, to.square)
        }
    }

    /// The part on the board.
    #[inline]
    pub(super) const fn shift(self) -> Shift {
        (self.files as i8, self.ranks as i8)
    }

    /// The part between boards.
    #[inline]
    pub(super) const fn board_step(self) -> BoardStep {
        (self.timelines, self.turns)
    }

    #[inline]
    fn distances(self) -> [u16; 4] {
        [self.files, self.ranks, self.turns, self.timelines].map(i16::unsigned_abs)
    }

    /// The greatest distance along an axis.
    #[inline]
    pub(super) fn longest(self) -> u16 {
        self.distances().into_iter().max().unwrap_or(0)
    }

    /// The number of axes along which it goes.
    #[inline]
    pub(super) fn axes(self) -> usize {
        self.distances().into_iter().filter(|&distance| distance != 0).count()
    }

    /// Kings and common kings: one along any number of axes.
    #[inline]
    pub(super) fn is_king_step(self) -> bool {
        self.longest() == 1
    }

    /// Knights: two along one axis and one along another.
    #[inline]
    pub(super) fn is_knight_step(self) -> bool {
        self.longest() == 2 && self.axes() == 2 && self.distances().into_iter().sum::<u16>() == 3
    }

    /// Riders go equally far along all axes of their step. The number of these axes says which riders can go
    ///
    #[inline]
    pub(super) fn is_ride(self) -> bool {
        let longest = self.longest();
        self.distances().into_iter().all(|distance| distance == 0 || distance == longest)
    }
}

/// The steps between boards, (timelines, turns): four along one axis, four along two.
///
/// The step to a later turn of the same timeline is listed for simplicity: no board is ever there for a piece
/// that may move.
pub(super) const BOARD_STEPS: [BoardStep; 8] =
    [(0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1)];

/// The number of axes that a step between boards changes.
pub(super) const fn axes_of_board_step(step: BoardStep) -> usize {
    (step.0 != 0) as usize + (step.1 != 0) as usize
}

/// The eight knight's steps on a board.
pub(super) const KNIGHT_SHIFTS: [Shift; 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// The on-board part of a knight's leap whose part between boards is given.
pub(super) const fn knight_shifts((timelines, turns): BoardStep) -> &'static [Shift] {
    match (timelines.unsigned_abs(), turns.unsigned_abs()) {
        (0, 0) => &KNIGHT_SHIFTS,
        (0, 1) | (1, 0) => &[(2, 0), (-2, 0), (0, 2), (0, -2)],
        (0, 2) | (2, 0) => &[(1, 0), (-1, 0), (0, 1), (0, -1)],
        (1, 2) | (2, 1) => &[(0, 0)],
        _ => &[],
    }
}

/// The boards that a knight reaches, each with the on-board parts of its leap.
pub(super) const KNIGHT_BOARDS: [(BoardStep, &[Shift]); 16] = {
    const STEPS: [BoardStep; 16] = [
        (0, -1),
        (0, 1),
        (1, 0),
        (-1, 0),
        (0, -2),
        (0, 2),
        (2, 0),
        (-2, 0),
        (1, -2),
        (1, 2),
        (-1, -2),
        (-1, 2),
        (2, -1),
        (2, 1),
        (-2, -1),
        (-2, 1),
    ];
    let mut boards: [(BoardStep, &[Shift]); 16] = [((0, 0), &[]); 16];
    let mut i = 0;
    while i < boards.len() {
        boards[i] = (STEPS[i], knight_shifts(STEPS[i]));
        i += 1;
    }
    boards
};

/// The squares a knight's step away on the same board: the same as [`reach`] of [`KNIGHT_SHIFTS`], but with
/// shared shifts.
pub(super) const fn knight_reach(set: u64) -> u64 {
    // Two files and a rank, or a file and two ranks.
    let near = shifted(set, (1, 0)) | shifted(set, (-1, 0));
    let far = shifted(set, (2, 0)) | shifted(set, (-2, 0));
    shifted(near, (0, 2)) | shifted(near, (0, -2)) | shifted(far, (0, 1)) | shifted(far, (0, -1))
}

/// The squares on which pawns of this colour would capture within a board.
pub(super) const fn pawn_reach(set: u64, color: Color) -> u64 {
    let [right, left] = pawn_capture_shifts(color);
    shifted(set, right) | shifted(set, left)
}

/// The squares that are one of these shifts away from a square of the set.
#[inline(always)]
pub(super) fn reach(set: u64, shifts: &[Shift]) -> u64 {
    shifts.iter().fold(0, |reached, &shift| reached | shifted(set, shift))
}

/// The sliders that can take a step between boards, one set for each on-board part ([`SHIFTS`]) of their
/// step. The sliders are given by the number of axes along which they can slide at once, from one to four.
#[inline]
pub(super) fn slider_rays(sliders: &[u64; 4], step: BoardStep) -> [u64; 9] {
    let axes = axes_of_board_step(step);
    let (straight, orthogonal, diagonal) = (sliders[axes - 1], sliders[axes], sliders[axes + 1]);
    [straight, orthogonal, orthogonal, orthogonal, orthogonal, diagonal, diagonal, diagonal, diagonal]
}

/// The captures of pawns and brawns within a board: one file to either side and one rank ahead.
pub(super) const fn pawn_capture_shifts(color: Color) -> [Shift; 2] {
    [(1, color.rank_forward()), (-1, color.rank_forward())]
}

/// A way in which a pawn or brawn captures on another board.
#[derive(Clone, Copy)]
pub(super) struct PawnCapture {
    pub board_step: BoardStep,
    pub shift: Shift,
    pub brawns_only: bool,
}

/// Captures of pawns and brawns between boards: along two axes, one of them forward, none
/// backward.
pub(super) fn pawn_captures(color: Color) -> &'static [PawnCapture; 6] {
    const fn of(color: Color) -> [PawnCapture; 6] {
        const fn capture(board_step: BoardStep, shift: Shift, brawns_only: bool) -> PawnCapture {
            PawnCapture { board_step, shift, brawns_only }
        }
        let ahead = color.timeline_forward() as i16;
        let up = color.rank_forward();
        [
            capture((ahead, 1), (0, 0), false),
            capture((ahead, -1), (0, 0), false),
            capture((ahead, 0), (1, 0), true),
            capture((ahead, 0), (-1, 0), true),
            capture((ahead, 0), (0, up), true),
            capture((0, -1), (0, up), true),
        ]
    }
    const CAPTURES: [[PawnCapture; 6]; 2] = [of(Color::White), of(Color::Black)];
    &CAPTURES[color.index()]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::geometry::SHIFTS;

    /// Every vector of up to three along each axis.
    fn vectors() -> impl Iterator<Item = Vector> {
        (0..7_i16.pow(4)).map(|n| {
            let part = |place: u32| n / 7_i16.pow(place) % 7 - 3;
            Vector { files: part(0), ranks: part(1), turns: part(2), timelines: part(3) }
        })
    }

    fn vector((timelines, turns): BoardStep, (files, ranks): Shift) -> Vector {
        Vector { files: files.into(), ranks: ranks.into(), turns, timelines }
    }

    #[test]
    fn tables_hold_the_steps_that_the_predicates_allow() {
        let across =
            KNIGHT_BOARDS.iter().flat_map(|&(step, shifts)| shifts.iter().map(move |&shift| (step, shift)));
        let within = KNIGHT_SHIFTS.into_iter().map(|shift| ((0, 0), shift));
        let listed: Vec<Vector> = within.chain(across).map(|(step, shift)| vector(step, shift)).collect();
        let knights: BTreeSet<Vector> = vectors().filter(|v| v.is_knight_step()).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), knights);
        assert_eq!((listed.len(), knights.len()), (48, 48), "no step is listed twice");

        let boards = BOARD_STEPS.into_iter().chain([(0, 0)]);
        let mut listed: BTreeSet<Vector> =
            boards.flat_map(|step| SHIFTS.map(|shift| vector(step, shift))).collect();
        assert!(listed.remove(&vector((0, 0), (0, 0))));
        let kings: BTreeSet<Vector> = vectors().filter(|v| v.is_king_step()).collect();
        assert_eq!(listed, kings);
        assert_eq!(kings.len(), 80);
    }

    #[test]
    fn what_is_worked_out_by_hand_is_what_the_tables_say() {
        for set in (0..64).map(|square| 1 << square).chain([0, u64::MAX, 0x8100_0042_1800_0081]) {
            assert_eq!(knight_reach(set), reach(set, &KNIGHT_SHIFTS), "{set:x}");
            for color in Color::ALL {
                assert_eq!(pawn_reach(set, color), reach(set, &pawn_capture_shifts(color)), "{set:x}");
            }
        }
    }

    #[test]
    fn riders_take_the_steps_of_their_axes() {
        for board_step in BOARD_STEPS {
            let sliders = [1, 2, 3, 4].map(|axes| 1 << (9 * axes));
            for (ray, shift) in slider_rays(&sliders, board_step).into_iter().zip(SHIFTS) {
                let v = vector(board_step, shift);
                assert!(v.is_ride() && v.is_king_step());
                assert_eq!(ray, sliders[v.axes() - 1], "{v:?}");
            }
        }
    }

    #[test]
    fn pawns_capture_along_two_axes_of_which_one_leads_ahead() {
        for color in Color::ALL {
            let (up, ahead) = (i16::from(color.rank_forward()), i16::from(color.timeline_forward()));
            let within = pawn_capture_shifts(color).map(|shift| (vector((0, 0), shift), false));
            let across = pawn_captures(color).map(|c| (vector(c.board_step, c.shift), c.brawns_only));
            let listed: BTreeSet<_> = within.into_iter().chain(across).collect();
            // Forward means up the ranks or towards the opponent's timelines. No piece can stand on a later
            // board of the same timeline.
            let captures = vectors().filter(|v| {
                v.axes() == 2
                    && v.is_king_step()
                    && v.ranks != -up
                    && v.timelines != -ahead
                    && (v.ranks == up || v.timelines == ahead)
                    && !(v.ranks == up && v.turns == 1)
            });
            let expected: BTreeSet<_> = captures
                .map(|v| {
                    let plain = v.board_step() == (0, 0) || v.timelines == ahead && v.turns != 0;
                    (v, !plain)
                })
                .collect();
            assert_eq!(listed, expected, "{color}");
        }
    }
}
