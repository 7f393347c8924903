//! Captures of royal pieces that a player could make (`spec/06-check-mate-stalemate.md`).
//!
//! Royal pieces stand on every board of the past, attackers only on boards that their owner may play. So the
//! scan goes forward from the attackers' boards, with all pieces of a board at once. Begin at
//! [`Frontier::scan`].

use std::ops::ControlFlow;

use super::geometry::{
    LINES_TO, SHIFTS, Shift, axes_of_shift, shifted, shifted_all, step_back, union, within,
};
use super::steps::{
    BOARD_STEPS, BoardStep, KNIGHT_BOARDS, KNIGHT_SHIFTS, knight_reach, pawn_capture_shifts, pawn_captures,
    pawn_reach, slider_rays,
};
use crate::state::{Board, Multiverse, Position};
use crate::types::{BoardCoordinate, Color, Coordinate, HalfTurn, Square, Timeline, TimelineRange};

/// A royal piece that could be captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Check {
    /// The attacking piece.
    pub from: Coordinate,
    /// The royal piece.
    pub to: Coordinate,
}

/// The two sets of squares of a board that matter to a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Squares that end a ray.
    pub blockers: u64,
    /// Royal pieces of the side under attack.
    pub targets: u64,
}

impl Seen {
    pub(super) fn of(board: &Board, victim: Color) -> Seen {
        Seen { blockers: board.occupied(), targets: board.royals() & board.by_color(victim) }
    }
}

/// A multiverse with at most one more board at the end of each timeline, and more timelines of one board
/// each.
///
/// Shows the boards that an action would make without making them part of the position.
pub(super) struct Frontier<'a> {
    multiverse: &'a Multiverse,
    victim: Color,
    time_travel: bool,
    lowest: Timeline,
    ends: Vec<FrontierBoard>,
}

#[derive(Clone, Copy)]
struct FrontierBoard {
    half_turn: HalfTurn,
    seen: Seen,
}

const NOTHING: FrontierBoard =
    FrontierBoard { half_turn: HalfTurn(i16::MIN), seen: Seen { blockers: 0, targets: 0 } };

impl<'a> Frontier<'a> {
    /// A frontier without boards so far, for these timelines. The position need not have them yet.
    pub(super) fn new(position: &'a Position, timelines: TimelineRange) -> Frontier<'a> {
        let ends = vec![NOTHING; timelines.len()];
        Frontier {
            multiverse: position.multiverse(),
            victim: position.to_move(),
            time_travel: position.profile().time_travel,
            lowest: timelines.lowest,
            ends,
        }
    }

    /// The number of timelines that it has room for.
    pub(super) fn room(&self) -> usize {
        self.ends.len()
    }

    /// Puts a board at the end of a timeline: after its last one, or in place of its last one.
    pub(super) fn set(&mut self, at: BoardCoordinate, seen: Seen) {
        debug_assert!(
            self.multiverse
                .span(at.timeline)
                .is_none_or(|(_, end)| at.half_turn == end || at.half_turn == end.next()),
            "no board can be put at {at}"
        );
        *self.end_mut(at.timeline) = FrontierBoard { half_turn: at.half_turn, seen };
    }

    /// Removes the board that was put at the end of a timeline, if there was one.
    pub(super) fn clear(&mut self, timeline: Timeline) {
        *self.end_mut(timeline) = NOTHING;
    }

    #[inline]
    fn index(&self, timeline: Timeline) -> usize {
        // A timeline below the lowest wraps to a huge index.
        timeline.0.wrapping_sub(self.lowest.0) as u16 as usize
    }

    fn end_mut(&mut self, timeline: Timeline) -> &mut FrontierBoard {
        let index = self.index(timeline);
        let end = self.ends.get_mut(index);
        end.expect("the timeline is one of the frontier's")
    }

    /// Whether this board is one of those set.
    pub(super) fn is_new(&self, at: BoardCoordinate) -> bool {
        self.ends.get(self.index(at.timeline)).is_some_and(|end| end.half_turn == at.half_turn)
    }

    #[inline]
    fn look(&self, at: BoardCoordinate) -> Option<Seen> {
        match self.ends.get(self.index(at.timeline)) {
            Some(end) if end.half_turn == at.half_turn => return Some(end.seen),
            _ => {}
        }
        self.multiverse.board(at).map(|board| Seen::of(board, self.victim))
    }

    /// Finds every royal piece that `pieces` of the board at `at` attack.
    pub(super) fn scan(
        &self,
        at: BoardCoordinate,
        board: &Board,
        pieces: u64,
        mut on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.scan_within(at, board, pieces, &mut on_hit)?;
        self.scan_across(at, board, pieces, on_hit)
    }

    /// Finds the royal pieces on the same board that `pieces` attack.
    fn scan_within(
        &self,
        at: BoardCoordinate,
        board: &Board,
        pieces: u64,
        on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(Seen { blockers, targets }) = self.look(at) else {
            return ControlFlow::Continue(());
        };
        if !is_attacked_within(board, pieces, !self.victim, targets) {
            return ControlFlow::Continue(());
        }
        let mut hits = Reporter { at, on_hit };
        let here = (0, 0);
        let kings = board.king_steppers() & pieces;
        for (i, &shift) in SHIFTS.iter().enumerate().skip(1) {
            hits.report(shifted(kings, shift) & targets, here, shift, 1, false)?;
            let mut ray = board.sliders(axes_of_shift(i)) & pieces;
            let mut count = 1;
            while ray != 0 {
                ray = shifted(ray, shift);
                hits.report(ray & targets, here, shift, count, true)?;
                ray &= !blockers;
                count += 1;
            }
        }
        let knights = board.knights() & pieces;
        for shift in KNIGHT_SHIFTS {
            hits.report(shifted(knights, shift) & targets, here, shift, 1, false)?;
        }
        for shift in pawn_capture_shifts(!self.victim) {
            hits.report(shifted(board.pawns() & pieces, shift) & targets, here, shift, 1, false)?;
        }
        ControlFlow::Continue(())
    }

    /// Finds the royal pieces on other boards that `pieces` attack.
    pub(super) fn scan_across(
        &self,
        at: BoardCoordinate,
        board: &Board,
        pieces: u64,
        on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.scan_from(at, &Attackers::of(board, pieces), on_hit)
    }

    /// Finds the royal pieces on other boards that could be attacked from a board if attackers of every kind
    /// stood on all its squares.
    pub(super) fn scan_from_anything(
        &self,
        at: BoardCoordinate,
        on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Queens and knights together attack every square that kings and pawns attack.
        let everything =
            Attackers { sliders: [u64::MAX; 4], kings: 0, knights: u64::MAX, pawns: 0, brawns: 0 };
        self.scan_from(at, &everything, on_hit)
    }

    /// Finds the royal pieces on other boards that are attacked from a board.
    pub(super) fn scan_from(
        &self,
        at: BoardCoordinate,
        attackers: &Attackers,
        on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.time_travel {
            return ControlFlow::Continue(());
        }
        let mut hits = Reporter { at, on_hit };
        let look = |step: BoardStep, count: i16| self.look(at.offset(count * step.0, count * step.1));
        let &Attackers { sliders, kings, knights, pawns, brawns } = attackers;
        let king_reach = union(&shifted_all(&[kings; 9]));
        for step in BOARD_STEPS {
            let mut rays = slider_rays(&sliders, step);
            if union(&rays) | kings == 0 {
                continue;
            }
            let Some(mut seen) = look(step, 1) else { continue };
            if king_reach & seen.targets != 0 {
                for shift in SHIFTS {
                    hits.report(shifted(kings, shift) & seen.targets, step, shift, 1, false)?;
                }
            }
            let mut count = 1;
            loop {
                rays = shifted_all(&rays);
                if union(&rays) & seen.targets != 0 {
                    for (index, shift) in SHIFTS.into_iter().enumerate() {
                        hits.report(rays[index] & seen.targets, step, shift, count, true)?;
                    }
                }
                rays = within(&rays, !seen.blockers);
                if union(&rays) == 0 {
                    break;
                }
                count += 1;
                match look(step, count) {
                    Some(next) => seen = next,
                    None => break,
                }
            }
        }

        if knights != 0 {
            for &(step, shifts) in &KNIGHT_BOARDS {
                let Some(seen) = look(step, 1) else { continue };
                if seen.targets == 0 {
                    continue;
                }
                for &shift in shifts {
                    hits.report(shifted(knights, shift) & seen.targets, step, shift, 1, false)?;
                }
            }
        }
        if pawns != 0 {
            for capture in pawn_captures(!self.victim) {
                let able = if capture.brawns_only { brawns } else { pawns };
                if able == 0 {
                    continue;
                }
                let Some(seen) = look(capture.board_step, 1) else { continue };
                let reached = shifted(able, capture.shift) & seen.targets;
                hits.report(reached, capture.board_step, capture.shift, 1, false)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The squares of the pieces that attack other boards, one set for each way to move.
#[derive(Clone, Copy, Default)]
pub(super) struct Attackers {
    /// Indexed by the number of axes along which they slide at once, minus one.
    sliders: [u64; 4],
    kings: u64,
    knights: u64,
    /// Includes the brawns.
    pawns: u64,
    brawns: u64,
}

impl Attackers {
    pub(super) fn of(board: &Board, pieces: u64) -> Attackers {
        Attackers {
            sliders: board.sliders_by_axes(pieces),
            kings: board.king_steppers() & pieces,
            knights: board.knights() & pieces,
            pawns: board.pawns() & pieces,
            brawns: board.brawns() & pieces,
        }
    }

    /// The union of both sets of attackers.
    pub(super) fn and(self, others: Attackers) -> Attackers {
        Attackers {
            sliders: std::array::from_fn(|axes| self.sliders[axes] | others.sliders[axes]),
            kings: self.kings | others.kings,
            knights: self.knights | others.knights,
            pawns: self.pawns | others.pawns,
            brawns: self.brawns | others.brawns,
        }
    }
}

/// Turns sets of attacked squares into hits.
struct Reporter<F> {
    /// The attackers' board.
    at: BoardCoordinate,
    on_hit: F,
}

impl<F: FnMut(Hit) -> ControlFlow<()>> Reporter<F> {
    /// Reports one hit for each of `targets`, which were reached by `count` steps.
    #[inline]
    fn report(
        &mut self,
        mut targets: u64,
        board_step: BoardStep,
        shift: Shift,
        count: i16,
        rider: bool,
    ) -> ControlFlow<()> {
        while targets != 0 {
            let to = targets & targets.wrapping_neg();
            let from = Square::from_index(step_back(to, shift, count).trailing_zeros());
            let to = Square::from_index(to.trailing_zeros());
            (self.on_hit)(Hit { at: self.at, from, to, board_step, shift, count, rider })?;
            targets &= targets - 1;
        }
        ControlFlow::Continue(())
    }
}

/// Whether a royal piece of `victim` is attacked by a piece on its own board.
pub(super) fn is_exposed_within(board: &Board, victim: Color) -> bool {
    is_attacked_within(board, board.by_color(!victim), !victim, board.royals() & board.by_color(victim))
}

/// Whether any of the target squares is attacked by `pieces` of the same board, which belong to `attacker`.
///
/// Targets are few and attackers many, so the rays go backwards, from the targets to the attackers.
pub(super) fn is_attacked_within(board: &Board, pieces: u64, attacker: Color, targets: u64) -> bool {
    if targets == 0 {
        return false;
    }
    let near = shifted_all(&[targets; 9]);
    let (kings, knights) = (board.king_steppers() & pieces, board.knights() & pieces);
    if union(&near) & !targets & kings | pawn_reach(targets, !attacker) & board.pawns() & pieces != 0
        || knights != 0 && knight_reach(targets) & knights != 0
    {
        return true;
    }
    let free = !board.occupied();
    let (straight, diagonal) = (board.sliders(1) & pieces, board.sliders(2) & pieces);
    let (straights, diagonals) = lines_through(targets);
    if straights & straight | diagonals & diagonal == 0 {
        return false;
    }
    let mut rays = near;
    rays[0] = 0;
    loop {
        if (rays[1] | rays[2] | rays[3] | rays[4]) & straight != 0
            || (rays[5] | rays[6] | rays[7] | rays[8]) & diagonal != 0
        {
            return true;
        }
        rays = shifted_all(&within(&rays, free));
        if union(&rays) == 0 {
            return false;
        }
    }
}

/// The squares of a board that decide whether a piece on one of `targets` is attacked on that board.
pub(super) fn squares_in_sight(board: &Board, targets: u64) -> u64 {
    let free = !board.occupied();
    let mut rays = shifted_all(&[targets; 9]);
    rays[0] = 0;
    let mut seen = knight_reach(targets) | targets;
    while union(&rays) != 0 {
        seen |= union(&rays);
        rays = shifted_all(&within(&rays, free));
    }
    seen
}

/// The ranks and files, and the diagonals, on which these squares lie.
fn lines_through(mut squares: u64) -> (u64, u64) {
    let mut lines = (0, 0);
    while squares != 0 {
        let (straights, diagonals) = LINES[squares.trailing_zeros() as usize];
        lines = (lines.0 | straights, lines.1 | diagonals);
        squares &= squares - 1;
    }
    lines
}

/// The rank and file, and the two diagonals, of every square.
const LINES: [(u64, u64); 64] = {
    let mut lines = [(0, 0); 64];
    let mut i = 0;
    while i < 64 {
        let [_, a, b, c, d, e, f, g, h] = LINES_TO[i];
        lines[i] = (a | b | c | d, e | f | g | h);
        i += 1;
    }
    lines
};

/// One attack on a royal piece, with its geometry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// The attacker's board.
    pub at: BoardCoordinate,
    /// The attacker.
    pub from: Square,
    /// The royal piece.
    pub to: Square,
    /// The step between boards, made `count` times.
    pub board_step: BoardStep,
    /// The step on the board, made `count` times.
    pub shift: Shift,
    /// The number of steps.
    pub count: i16,
    /// Whether the squares between must be empty.
    pub rider: bool,
}

impl Hit {
    /// The coordinates of the capture in their order: the attacker's, those that must be empty, the royal
    /// piece's.
    pub(super) fn crossed(&self) -> impl Iterator<Item = Coordinate> + '_ {
        let between = if self.rider { 1..self.count } else { 0..0 };
        let Check { from, to } = self.check();
        std::iter::once(from).chain(between.map(|count| self.after(count))).chain(std::iter::once(to))
    }

    /// The index of the royal piece's square among those crossed.
    pub(super) fn length(&self) -> usize {
        if self.rider { self.count as usize } else { 1 }
    }

    /// The board of the royal piece.
    fn target(&self) -> BoardCoordinate {
        self.board_after(self.count)
    }

    fn board_after(&self, count: i16) -> BoardCoordinate {
        self.at.offset(self.board_step.0 * count, self.board_step.1 * count)
    }

    /// The board and square after `count` steps.
    fn after(&self, count: i16) -> Coordinate {
        let files = i16::from(self.shift.0) + 8 * i16::from(self.shift.1);
        let square = Square::from_index((self.from.index() as i16 + files * count) as u32);
        Coordinate { board: self.board_after(count), square }
    }

    pub(super) fn check(&self) -> Check {
        Check {
            from: Coordinate { board: self.at, square: self.from },
            to: Coordinate { board: self.target(), square: self.to },
        }
    }
}

impl Position {
    /// Every capture of a royal piece that the opponent could make if the player to move passed (R-6.4).
    ///
    /// Passing leaves a copy of the last board on every timeline that must be played: active and at the
    /// present (or, if the rule profile says so, on every timeline that can be played). Each check starts on
    /// the opponent's board that would then exist, one half-turn after such a board, or on a board that is
    /// the opponent's already. The list is sorted.
    ///
    /// ```
    /// use worldlines::notation::fen5d;
    ///
    /// let position = fen5d::parse("[k2/1Q1/1K1:0:1:b]").into_result().unwrap();
    /// let checks: Vec<String> = position.checks().iter().map(|c| format!("{} x {}", c.from, c.to)).collect();
    /// assert_eq!(checks, ["(0T2w)b2 x (0T2w)a3"]);
    /// ```
    pub fn checks(&self) -> Vec<Check> {
        self.first_checks(usize::MAX).0
    }

    /// At most `most` of [`Position::checks`], and whether these are all. Large positions can have millions.
    pub fn first_checks(&self, most: usize) -> (Vec<Check>, bool) {
        let mut checks = Vec::new();
        let ended = self.scan_after_passing(|hit| {
            if checks.len() == most {
                return ControlFlow::Break(());
            }
            checks.push(hit.check());
            ControlFlow::Continue(())
        });
        checks.sort();
        (checks, ended.is_continue())
    }

    /// Whether the opponent could capture a royal piece if the player to move passed (R-6.4).
    pub fn is_in_check(&self) -> bool {
        self.scan_after_passing(|_| ControlFlow::Break(())).is_break()
    }

    pub(super) fn scan_after_passing(
        &self,
        mut on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let multiverse = self.multiverse();
        let (victim, present) = (self.to_move(), self.present());
        let (range, active) = (multiverse.range(), multiverse.active());
        let mut frontier = Frontier::new(self, range);
        let mut attacking = Vec::new();
        for (at, board) in multiverse.ends() {
            let (timeline, end) = (at.timeline, at.half_turn);
            if end.color() != victim {
                attacking.push((at, board));
            } else if self.profile().check_passes_every_board || end == present && active.contains(timeline) {
                frontier.set(at.next(), Seen::of(board, victim));
                attacking.push((at.next(), board));
            }
        }
        for (at, board) in attacking {
            frontier.scan(at, board, board.by_color(!victim), &mut on_hit)?;
        }
        ControlFlow::Continue(())
    }
}
