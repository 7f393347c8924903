//! Which royal pieces can be captured, and how (`spec/06-check-mate-stalemate.md`).
//!
//! Royal pieces stand on every board of the past, attackers only on the boards that their owner may play. So the scan
//! goes forward from the attackers' boards, with all pieces of a board at once.

use std::ops::ControlFlow;

use super::geometry::{
    BOARD_STEPS, KNIGHT_SHIFTS, LINES_TO, SHIFTS, axes_of_shift, knight_reach, shifted, shifted_all,
    step_back, union,
};
use super::movement::{KNIGHT_BOARDS, pawn_captures, slider_rays};
use crate::state::{Board, Multiverse, Position};
use crate::types::{BoardCoordinate, Color, HalfTurn, Place, Square, Timeline};

/// A royal piece that could be captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Check {
    /// The attacking piece.
    pub from: Place,
    /// The royal piece.
    pub to: Place,
}

/// What a ray sees of one board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Squares that end a ray.
    pub blockers: u64,
    /// Royal pieces of the side under attack.
    pub targets: u64,
}

impl Seen {
    pub(super) fn of(board: &Board, victim: Color) -> Seen {
        Seen { blockers: board.occupied(), targets: board.royals() & board.of(victim) }
    }
}

/// A multiverse with at most one more board at the end of each timeline, and more timelines of one board each.
///
/// The boards that an action makes are looked at in this way without being made part of the position.
pub(super) struct Frontier<'a> {
    multiverse: &'a Multiverse,
    victim: Color,
    time_travel: bool,
    lowest: i16,
    rows: Vec<FrontierRow>,
}

#[derive(Clone, Copy)]
struct FrontierRow {
    half_turn: i16,
    seen: Seen,
}

const NOTHING: FrontierRow = FrontierRow { half_turn: i16::MIN, seen: Seen { blockers: 0, targets: 0 } };

impl<'a> Frontier<'a> {
    /// The frontier of timelines `lowest..=highest`, which may lie beyond those that exist; without boards so far.
    pub(super) fn new(position: &'a Position, lowest: i16, highest: i16) -> Frontier<'a> {
        let rows = vec![NOTHING; (highest - lowest + 1).max(0) as usize];
        Frontier {
            multiverse: position.multiverse(),
            victim: position.to_move(),
            time_travel: position.profile().time_travel,
            lowest,
            rows,
        }
    }

    /// Puts a board at the end of a timeline: after the last one, or to be looked at in its place.
    pub(super) fn set(&mut self, timeline: i16, half_turn: i16, seen: Seen) {
        debug_assert!(
            self.multiverse
                .span(Timeline(timeline))
                .is_none_or(|(_, end)| (end.0..=end.0 + 1).contains(&half_turn)),
            "no board can be put on timeline {timeline} at half-turn {half_turn}"
        );
        *self.row(timeline) = FrontierRow { half_turn, seen };
    }

    /// Takes the board that was put at the end of a timeline away again, if there was one.
    pub(super) fn clear(&mut self, timeline: i16) {
        *self.row(timeline) = NOTHING;
    }

    fn row(&mut self, timeline: i16) -> &mut FrontierRow {
        let row = self.rows.get_mut(timeline.wrapping_sub(self.lowest) as u16 as usize);
        row.expect("the timeline is one of the frontier's")
    }

    /// Whether this board is one of those set.
    pub(super) fn is_new(&self, timeline: i16, half_turn: i16) -> bool {
        let row = self.rows.get(timeline.wrapping_sub(self.lowest) as u16 as usize);
        row.is_some_and(|row| row.half_turn == half_turn)
    }

    #[inline]
    fn look(&self, timeline: i16, half_turn: i16) -> Option<Seen> {
        match self.rows.get(timeline.wrapping_sub(self.lowest) as u16 as usize) {
            Some(row) if row.half_turn == half_turn => return Some(row.seen),
            _ => {}
        }
        self.multiverse.board_at(timeline, half_turn).map(|board| Seen::of(board, self.victim))
    }

    /// Finds every royal piece that `pieces` of the board at (`timeline`, `half_turn`) attack.
    pub(super) fn scan(
        &self,
        at: (i16, i16),
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
        (timeline, half_turn): (i16, i16),
        board: &Board,
        pieces: u64,
        on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(Seen { blockers, targets }) = self.look(timeline, half_turn) else {
            return ControlFlow::Continue(());
        };
        if !is_attacked_within(board, pieces, !self.victim, targets) {
            return ControlFlow::Continue(());
        }
        let mut hits = Reporter { timeline, half_turn, on_hit };
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
        for file in [1, -1] {
            let shift = (file, (!self.victim).rank_forward());
            hits.report(shifted(board.pawns() & pieces, shift) & targets, here, shift, 1, false)?;
        }
        ControlFlow::Continue(())
    }

    /// Finds the royal pieces on other boards that `pieces` attack.
    pub(super) fn scan_across(
        &self,
        (timeline, half_turn): (i16, i16),
        board: &Board,
        pieces: u64,
        on_hit: impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.time_travel {
            return ControlFlow::Continue(());
        }
        let mut hits = Reporter { timeline, half_turn, on_hit };
        let look = |step: (i16, i16), count: i16| {
            self.look(timeline + count * step.0, half_turn + 2 * count * step.1)
        };
        let sliders = [1, 2, 3, 4].map(|axes| board.sliders(axes) & pieces);
        let kings = board.king_steppers() & pieces;
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
                    for (ray, shift) in rays.iter().zip(SHIFTS) {
                        hits.report(ray & seen.targets, step, shift, count, true)?;
                    }
                }
                rays = rays.map(|ray| ray & !seen.blockers);
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

        let knights = board.knights() & pieces;
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
        let pawns = board.pawns() & pieces;
        if pawns != 0 {
            let brawns = board.brawns() & pieces;
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

/// Turns sets of attacked squares into hits.
struct Reporter<F> {
    timeline: i16,
    half_turn: i16,
    on_hit: F,
}

impl<F: FnMut(Hit) -> ControlFlow<()>> Reporter<F> {
    /// One hit for each of `targets`, which were reached by `count` steps.
    #[inline]
    fn report(
        &mut self,
        mut targets: u64,
        board_step: (i16, i16),
        shift: (i8, i8),
        count: i16,
        rider: bool,
    ) -> ControlFlow<()> {
        while targets != 0 {
            let to = targets & targets.wrapping_neg();
            let from = Square::from_index(step_back(to, shift, count).trailing_zeros());
            let to = Square::from_index(to.trailing_zeros());
            let Reporter { timeline, half_turn, .. } = *self;
            (self.on_hit)(Hit { timeline, half_turn, from, to, board_step, shift, count, rider })?;
            targets &= targets - 1;
        }
        ControlFlow::Continue(())
    }
}

/// Whether a royal piece of `victim` is attacked by a piece on its own board.
pub(super) fn is_exposed_within(board: &Board, victim: Color) -> bool {
    is_attacked_within(board, board.of(!victim), !victim, board.royals() & board.of(victim))
}

/// Whether any of the target squares is attacked by `pieces`, which belong to `attacker`, of the same board.
///
/// Targets are few and attackers many, so the rays go backwards, from the targets to what attacks them.
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
        rays = shifted_all(&rays.map(|ray| ray & free));
        if union(&rays) == 0 {
            return false;
        }
    }
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

/// The squares that pawns of this colour would capture on within a board.
fn pawn_reach(set: u64, color: Color) -> u64 {
    let ahead = color.rank_forward();
    shifted(set, (1, ahead)) | shifted(set, (-1, ahead))
}

/// One attack on a royal piece, with its geometry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Of the attacker's board.
    pub timeline: i16,
    /// Of the attacker's board.
    pub half_turn: i16,
    /// The attacker.
    pub from: Square,
    /// The royal piece.
    pub to: Square,
    /// The step between boards that is repeated.
    pub board_step: (i16, i16),
    /// The step on the board that is repeated.
    pub shift: (i8, i8),
    /// How often.
    pub count: i16,
    /// Whether the squares between must be empty.
    pub rider: bool,
}

impl Hit {
    /// The boards and squares that the capture concerns: the attacker's, those that must be empty, the royal piece's.
    pub(super) fn crossed(&self) -> impl Iterator<Item = (i16, i16, Square)> + '_ {
        let between = if self.rider { 1..self.count } else { 0..0 };
        let first = (self.timeline, self.half_turn, self.from);
        let last = self.target();
        std::iter::once(first)
            .chain(between.map(|count| self.after(count)))
            .chain(std::iter::once((last.0, last.1, self.to)))
    }

    /// The index of the royal piece's square among those crossed.
    pub(super) fn length(&self) -> usize {
        if self.rider { self.count as usize } else { 1 }
    }

    /// The board of the royal piece.
    pub(super) fn target(&self) -> (i16, i16) {
        (self.timeline + self.board_step.0 * self.count, self.half_turn + 2 * self.board_step.1 * self.count)
    }

    /// The board and square after `count` steps.
    fn after(&self, count: i16) -> (i16, i16, Square) {
        let files = i16::from(self.shift.0) + 8 * i16::from(self.shift.1);
        (
            self.timeline + self.board_step.0 * count,
            self.half_turn + 2 * self.board_step.1 * count,
            Square::from_index((self.from.index() as i16 + files * count) as u32),
        )
    }

    pub(super) fn check(&self) -> Check {
        let place = |(timeline, half_turn, square)| Place {
            board: BoardCoordinate { timeline: Timeline(timeline), half_turn: HalfTurn(half_turn) },
            square,
        };
        let target = self.target();
        Check {
            from: place((self.timeline, self.half_turn, self.from)),
            to: place((target.0, target.1, self.to)),
        }
    }
}

impl Position {
    /// Every capture of a royal piece that the opponent could make if the player to move passed (R-6.4).
    ///
    /// Passing leaves a copy of the last board on every timeline that must be played: active and at the present (or, if
    /// the rule profile says so, on every timeline that can be played). Each
    /// check starts on the opponent's board that would then exist, one half-turn after such a board, or on a board that
    /// is the opponent's already. Sorted.
    ///
    /// ```
    /// use worldlines::notation::fen5d;
    ///
    /// let position = fen5d::read("[k2/1Q1/1K1:0:1:b]").unwrap();
    /// let checks: Vec<String> = position.checks().iter().map(|c| format!("{} x {}", c.from, c.to)).collect();
    /// assert_eq!(checks, ["(0T2w)b2 x (0T2w)a3"]);
    /// ```
    pub fn checks(&self) -> Vec<Check> {
        let mut checks = Vec::new();
        let _ = self.scan_after_passing(|hit| {
            checks.push(hit.check());
            ControlFlow::Continue(())
        });
        checks.sort();
        checks
    }

    /// Whether the opponent could capture a royal piece if the player to move passed (R-6.4).
    pub fn is_in_check(&self) -> bool {
        self.scan_after_passing(|_| ControlFlow::Break(())).is_break()
    }

    fn scan_after_passing(&self, mut on_hit: impl FnMut(Hit) -> ControlFlow<()>) -> ControlFlow<()> {
        let multiverse = self.multiverse();
        let (victim, present) = (self.to_move(), self.present());
        let (low, high) = multiverse.range();
        let active = multiverse.active();
        let mut frontier = Frontier::new(self, low.0, high.0);
        let mut attacking = Vec::new();
        for timeline in multiverse.timelines() {
            let Some((end, board)) = multiverse.last(timeline) else { continue };
            if end.color() != victim {
                attacking.push((timeline.0, end.0, board));
            } else if self.profile().check_passes_every_board
                || end == present && active.0 <= timeline && timeline <= active.1
            {
                frontier.set(timeline.0, end.0 + 1, Seen::of(board, victim));
                attacking.push((timeline.0, end.0 + 1, board));
            }
        }
        for (timeline, half_turn, board) in attacking {
            frontier.scan((timeline, half_turn), board, board.of(!victim), &mut on_hit)?;
        }
        ControlFlow::Continue(())
    }
}
