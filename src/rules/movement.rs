//! Pseudo-legal moves: those that a piece can make now, without regard to check (`spec/02-pieces.md`).
//!
//! Moves are made for whole sets of pieces at once. A slider's ray is a set that is shifted square by square
//! and board by board. The origin of a piece follows from where it is and how many steps it took. Begin at
//! [`Mover`].

use super::attacks::is_attacked_within;
use super::geometry::{SHIFTS, Shift, axes_of_shift, shifted, shifted_all, union, within};
use super::steps::{
    BOARD_STEPS, BoardStep, KNIGHT_BOARDS, KNIGHT_SHIFTS, Vector, pawn_capture_shifts, pawn_captures,
    slider_rays,
};
use crate::state::{Board, LAST_TURN, Multiverse, Position, squares_of};
use crate::types::{
    BoardCoordinate, Color, Coordinate, HalfTurn, Move, MoveKind, PieceKind, Promotions, RuleProfile, Square,
};

/// A pseudo-legal move within a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PhysicalMove {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<PieceKind>,
}

impl PhysicalMove {
    /// The move, made on the board at `at`.
    pub(super) fn on(self, at: BoardCoordinate) -> Move {
        let place = |square| Coordinate { board: at, square };
        Move {
            kind: MoveKind::Physical,
            from: place(self.from),
            to: place(self.to),
            promotion: self.promotion,
        }
    }
}

/// A pseudo-legal move from one board to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Jump {
    pub from: Square,
    pub to_board: BoardCoordinate,
    pub to: Square,
    pub promotion: Option<PieceKind>,
}

impl Jump {
    /// The move, made from the board at `at`. The caller says whether it is a hop or a branch.
    pub(super) fn from(self, at: BoardCoordinate, kind: MoveKind) -> Move {
        Move {
            kind,
            from: Coordinate { board: at, square: self.from },
            to: Coordinate { board: self.to_board, square: self.to },
            promotion: self.promotion,
        }
    }
}

/// Pseudo-legal moves that take the same step: one to each square of a set. The origin of each follows from
/// its target, so there is also one move to each target.
#[derive(Clone, Copy)]
struct MoveSet {
    to: u64,
    /// The index of the target square minus that of the origin; a difference that wraps.
    distance: u32,
    /// Whether pawns move, which promote on their last rank.
    promotes: bool,
}

impl MoveSet {
    /// The moves to the squares `to` by a step that is taken `count` times.
    #[inline(always)]
    fn new(to: u64, (files, ranks): Shift, count: i16, promotes: bool) -> MoveSet {
        let distance = (i16::from(files) + 8 * i16::from(ranks)) * count;
        MoveSet { to, distance: distance as u32, promotes }
    }
}

/// All that the moves of a board depend on besides the board itself.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub multiverse: &'a Multiverse,
    pub profile: RuleProfile,
    pub color: Color,
    /// The squares on which this player's pawns promote.
    pub last_rank: u64,
}

impl<'a> Mover<'a> {
    pub(super) fn of(position: &'a Position) -> Mover<'a> {
        let color = position.to_move();
        let rank = match color {
            Color::White => position.size().height() - 1,
            Color::Black => 0,
        };
        Mover {
            multiverse: position.multiverse(),
            profile: position.profile(),
            color,
            last_rank: 0xff << (8 * rank),
        }
    }

    /// Every move within the board at `at`, which must exist.
    pub(super) fn physical_moves(
        &self,
        at: BoardCoordinate,
        board: &Board,
        mut emit: impl FnMut(PhysicalMove),
    ) {
        self.physical_sets(at, board, |set| {
            self.each(set, |from, to, promotion| emit(PhysicalMove { from, to, promotion }));
        });
    }

    /// The same moves as [`Mover::physical_moves`], in sets.
    fn physical_sets(&self, at: BoardCoordinate, board: &Board, mut emit: impl FnMut(MoveSet)) {
        if at.half_turn.turn() >= LAST_TURN {
            return;
        }
        let mut add = |to: u64, step, count, promotes| {
            if to != 0 {
                emit(MoveSet::new(to, step, count, promotes));
            }
        };
        let own = board.blocked_for(self.color);
        let occupied = board.occupied();
        let pieces = board.by_color(self.color);
        let kings = board.king_steppers() & pieces;
        let [straight, diagonal, ..] = board.sliders_by_axes(pieces);
        let riders = [straight, diagonal];
        for (i, &step) in SHIFTS.iter().enumerate().skip(1) {
            add(shifted(kings, step) & !own, step, 1, false);
            let mut ray = riders[axes_of_shift(i) - 1];
            let mut count = 1;
            while ray != 0 {
                ray = shifted(ray, step) & !own;
                add(ray, step, count, false);
                ray &= !occupied;
                count += 1;
            }
        }
        let knights = board.knights() & pieces;
        if knights != 0 {
            for step in KNIGHT_SHIFTS {
                add(shifted(knights, step) & !own, step, 1, false);
            }
        }

        let pawns = board.pawns() & pieces;
        if pawns != 0 {
            let forward = self.color.rank_forward();
            let single = shifted(pawns, (0, forward)) & !occupied;
            let unmoved = shifted(pawns & board.unmoved(), (0, forward)) & !occupied;
            add(single, (0, forward), 1, true);
            add(shifted(unmoved, (0, forward)) & !occupied, (0, forward), 2, true);
            let victims = board.by_color(!self.color) | self.en_passant_targets(at, board);
            for step in pawn_capture_shifts(self.color) {
                add(shifted(pawns, step) & victims, step, 1, true);
            }
        }
        self.castling_moves(board, |from, to| {
            let files = to.file() as i8 - from.file() as i8;
            add(to.bit(), (files, 0), 1, false);
        });
    }

    /// The moves of a set one by one, by the square where they end.
    #[inline(always)]
    fn each(&self, set: MoveSet, mut emit: impl FnMut(Square, Square, Option<PieceKind>)) {
        if set.promotes && set.to & self.last_rank != 0 {
            return self.each_promoting(set, emit);
        }
        let mut left = set.to;
        while left != 0 {
            let to = left.trailing_zeros();
            emit(Square::from_index(to.wrapping_sub(set.distance)), Square::from_index(to), None);
            left &= left - 1;
        }
    }

    /// Like [`Mover::each`], for a set in which some moves end in a promotion.
    #[inline(never)]
    fn each_promoting(&self, set: MoveSet, mut emit: impl FnMut(Square, Square, Option<PieceKind>)) {
        for to in squares_of(set.to) {
            let from = Square::from_index((to.index() as u32).wrapping_sub(set.distance));
            if to.bit() & self.last_rank != 0 {
                self.profile.promotions.iter().for_each(|kind| emit(from, to, Some(kind)));
            } else {
                emit(from, to, None);
            }
        }
    }

    /// The empty squares that an enemy pawn or brawn skipped with its last move, so that it can be captured
    /// there.
    ///
    /// The double step must show on the board one turn earlier on the same timeline: the first board of a branch has
    /// none, and a square that was occupied then was not stepped onto.
    pub(super) fn en_passant_targets(&self, at: BoardCoordinate, board: &Board) -> u64 {
        let earlier = |half_turns| {
            self.multiverse.board(BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - half_turns), ..at })
        };
        let before = match earlier(2) {
            None if self.profile.en_passant_on_new_timelines => earlier(1),
            before => before,
        };
        let Some(before) = before else { return 0 };
        // On the board just before, the square may be empty although the capturer's side stood on it a turn ago.
        let just_before = earlier(1).filter(|_| self.profile.en_passant_onto_vacated);
        let free = !just_before.unwrap_or(before).occupied();
        let back = (0, -self.color.rank_forward());
        let double = |set| shifted(shifted(set, back), back);
        let enemy = !self.color;
        let started = |kind_set: fn(&Board) -> u64| {
            double(kind_set(before) & before.by_color(enemy) & before.unmoved())
                & kind_set(board)
                & board.by_color(enemy)
                & free
        };
        let stepped = started(Board::brawns) | started(|b| b.pawns() & !b.brawns());
        let ahead = (0, self.color.rank_forward());
        let skipped = shifted(stepped, ahead) & !board.occupied();
        skipped & shifted(!board.occupied(), back)
    }

    /// Castling moves as the king's move of two files.
    ///
    /// The rook must be the first piece in the king's direction, so nothing stands between; neither may have moved; and
    /// no enemy piece of the same board may attack the king's square, the one it crosses or the one it lands on.
    pub(super) fn castling_moves(&self, board: &Board, mut emit: impl FnMut(Square, Square)) {
        let unmoved = board.unmoved() & board.by_color(self.color);
        let rooks = board.rooks() & unmoved;
        let kings = board.kings() & unmoved;
        if rooks == 0 || kings == 0 {
            return;
        }
        let enemies = board.by_color(!self.color);
        for king in squares_of(kings) {
            for direction in [1, -1] {
                let Some(landing) = king.offset(2 * direction, 0) else { continue };
                let Some((rook, crossed)) = board.castling_rook(king, landing) else { continue };
                let distance = rook.file().abs_diff(king.file());
                let allowed = distance > 2 || distance == 2 && self.profile.castling_at_distance_two;
                let path = king.bit() | crossed.bit() | landing.bit();
                if rooks & rook.bit() != 0
                    && allowed
                    && !is_attacked_within(board, enemies, !self.color, path)
                {
                    emit(king, landing);
                }
            }
        }
    }

    /// Every move from the board at `at` to another board.
    pub(super) fn jumps(&self, at: BoardCoordinate, board: &Board, mut emit: impl FnMut(Jump)) {
        self.jump_sets(at, board, |to_board, set| {
            self.each(set, |from, to, promotion| emit(Jump { from, to_board, to, promotion }));
        });
    }

    /// The same moves as [`Mover::jumps`], in sets; those to one board mostly follow each other.
    fn jump_sets(&self, at: BoardCoordinate, board: &Board, mut emit: impl FnMut(BoardCoordinate, MoveSet)) {
        if !self.profile.time_travel || at.half_turn.turn() >= LAST_TURN {
            return;
        }
        let look = |step: BoardStep, count: i16| {
            let to_board = at.offset(count * step.0, count * step.1);
            let target = self.multiverse.board(to_board).filter(|_| to_board.half_turn.turn() < LAST_TURN);
            target.map(|target| (to_board, target))
        };

        let mut add = |to_board, to: u64, step, count, promotes| {
            if to != 0 {
                emit(to_board, MoveSet::new(to, step, count, promotes));
            }
        };

        let pieces = board.by_color(self.color);
        let kings = board.king_steppers() & pieces;
        let near_kings = shifted_all(&[kings; 9]);
        let sliders = board.sliders_by_axes(pieces);
        for step in BOARD_STEPS {
            let mut rays = slider_rays(&sliders, step);
            let mut kings_step = kings != 0;
            let mut count = 1;
            while union(&rays) != 0 || kings_step {
                let Some((to_board, target)) = look(step, count) else { break };
                rays = shifted_all(&rays);
                let free = !target.blocked_for(self.color);
                for (i, &shift) in SHIFTS.iter().enumerate() {
                    let reached = rays[i] | if kings_step { near_kings[i] } else { 0 };
                    add(to_board, reached & free, shift, count, false);
                }
                rays = within(&rays, !target.occupied());
                kings_step = false;
                count += 1;
            }
        }

        let knights = board.knights() & pieces;
        if knights != 0 {
            for &(step, shifts) in &KNIGHT_BOARDS {
                let Some((to_board, target)) = look(step, 1) else { continue };
                for &shift in shifts {
                    add(to_board, shifted(knights, shift) & !target.blocked_for(self.color), shift, 1, false);
                }
            }
        }

        let pawns = board.pawns() & pieces;
        if pawns != 0 {
            let ahead = i16::from(self.color.timeline_forward());
            if let Some((to_board, target)) = look((ahead, 0), 1) {
                let free = !target.occupied();
                add(to_board, pawns & free, (0, 0), 1, false);
                if let Some((beyond, target)) = look((ahead, 0), 2) {
                    add(beyond, pawns & board.unmoved() & free & !target.occupied(), (0, 0), 1, false);
                }
            }
            let brawns = board.brawns() & pieces;
            for capture in pawn_captures(self.color) {
                let able = if capture.brawns_only { brawns } else { pawns };
                if able == 0 {
                    continue;
                }
                let Some((to_board, target)) = look(capture.board_step, 1) else { continue };
                let victims = shifted(able, capture.shift) & target.by_color(!self.color);
                // Only a move along the ranks promotes: a pawn that a set-up puts on its last rank stays a pawn.
                add(to_board, victims, capture.shift, 1, capture.shift.1 != 0);
            }
        }
    }

    /// Every move of some pieces of the board at `at`, which this player may play, to one square of the
    /// multiverse.
    fn moves_to(
        &self,
        at: BoardCoordinate,
        board: &Board,
        pieces: u64,
        to: Coordinate,
        mut emit: impl FnMut(Square, Option<PieceKind>),
    ) {
        let jumps_to = match self.multiverse.board(to.board) {
            _ if to.board == at => None,
            Some(target)
                if self.can_jump(at, to.board) && target.blocked_for(self.color) & to.square.bit() == 0 =>
            {
                Some(target)
            }
            _ => return,
        };
        for from in squares_of(board.by_color(self.color) & pieces) {
            let reaches = match jumps_to {
                None => self.reaches(at, board, from, to.square),
                Some(target) => self.jump_reaches(at, board, from, to, target),
            };
            match self.promotions(board, from, to.square) {
                _ if !reaches => {}
                Some(kinds) => kinds.iter().for_each(|kind| emit(from, Some(kind))),
                None => emit(from, None),
            }
        }
    }

    /// Whether any piece of the board at `at` might move to another board.
    fn can_jump(&self, at: BoardCoordinate, to: BoardCoordinate) -> bool {
        let latest = at.half_turn.max(to.half_turn).turn();
        self.profile.time_travel && latest < LAST_TURN && to.color() == at.color()
    }

    /// The pieces that the piece on `from` can become on `to`; `None` unless it is a pawn that comes to its
    /// last rank. A pawn that a set-up puts there, or that passes to the same square of another board, stays
    /// a pawn.
    pub(super) fn promotions(&self, board: &Board, from: Square, to: Square) -> Option<Promotions> {
        let promotes =
            board.pawns() & from.bit() != 0 && to.bit() & self.last_rank != 0 && from.rank() != to.rank();
        promotes.then_some(self.profile.promotions)
    }

    /// Whether the piece on `from` can jump to a square that is not its owner's.
    // Inlined, all that depends on the boards alone is worked out before a loop that mostly has one round.
    #[inline(never)]
    fn jump_reaches(
        &self,
        at: BoardCoordinate,
        board: &Board,
        from: Square,
        to: Coordinate,
        target: &Board,
    ) -> bool {
        let vector = Vector::between(Coordinate { board: at, square: from }, to);
        let Vector { files, ranks, turns, timelines } = vector;
        let bit = from.bit();
        if board.king_steppers() & bit != 0 {
            return vector.is_king_step();
        }
        if board.knights() & bit != 0 {
            return vector.is_knight_step();
        }
        let axes = vector.axes();
        if board.pawns() & bit != 0 {
            let free = |board: &Board| board.occupied() & to.square.bit() == 0;
            let ahead = i16::from(self.color.timeline_forward());
            if axes == 1 && timelines == ahead {
                return free(target);
            }
            if axes == 1 && timelines == 2 * ahead {
                let between = self.multiverse.board(at.offset(ahead, 0));
                return board.unmoved() & bit != 0 && free(target) && between.is_some_and(free);
            }
            return target.by_color(!self.color) & to.square.bit() != 0
                && pawn_captures(self.color).iter().any(|capture| {
                    (capture.board_step, capture.shift) == (vector.board_step(), vector.shift())
                        && (!capture.brawns_only || board.brawns() & bit != 0)
                });
        }
        if board.sliders(axes) & bit == 0 || !vector.is_ride() {
            return false;
        }
        let (step, shift) = ((timelines.signum(), turns.signum()), files.signum() + 8 * ranks.signum());
        (1..vector.longest() as i16).all(|count| {
            let square = 1_u64 << (from.index() as i16 + count * shift);
            let crossed = self.multiverse.board(at.offset(count * step.0, count * step.1));
            crossed.is_some_and(|board| board.occupied() & square == 0)
        })
    }
}

impl Position {
    /// Every move that the player to move can make now, without regard to check.
    ///
    /// [`PartialAction::pseudo_legal_moves`](crate::rules::PartialAction::pseudo_legal_moves) lists the same
    /// after some moves.
    pub fn pseudo_legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for at in self.playable_boards() {
            self.pseudo_legal_moves_from(at, &mut moves);
        }
        moves
    }

    /// Adds every pseudo-legal move from one board; none if the player to move may not play that board.
    pub fn pseudo_legal_moves_from(&self, at: BoardCoordinate, moves: &mut Vec<Move>) {
        let Some(board) = self.playable_board(at) else { return };
        let mover = Mover::of(self);
        let mut add = |kind, to_board, set| {
            mover.each(set, |from, to, promotion| {
                moves.push(Jump { from, to_board, to, promotion }.from(at, kind));
            });
        };
        mover.physical_sets(at, board, |set| add(MoveKind::Physical, at, set));
        let mut last = (at, MoveKind::Physical);
        mover.jump_sets(at, board, |to_board, set| {
            if to_board != last.0 {
                last = (to_board, self.move_kind(at, to_board).expect("a jump leads to a board"));
            }
            add(last.1, to_board, set);
        });
    }

    /// Adds every pseudo-legal move from one board to one square of the multiverse.
    pub fn pseudo_legal_moves_to(&self, at: BoardCoordinate, to: Coordinate, moves: &mut Vec<Move>) {
        self.add_moves_to(at, u64::MAX, to, moves);
    }

    /// Adds every pseudo-legal move of the piece on one square of the multiverse to another: several if it promotes.
    pub fn pseudo_legal_moves_between(&self, from: Coordinate, to: Coordinate, moves: &mut Vec<Move>) {
        self.add_moves_to(from.board, from.square.bit(), to, moves);
    }

    /// Whether the player to move can make this move now, without regard to check.
    pub fn is_pseudo_legal(&self, m: &Move) -> bool {
        let (at, to) = (m.from.board, m.to);
        let Some(board) = self.playable_board(at) else { return false };
        let mover = Mover::of(self);
        if m.kind == MoveKind::Physical {
            let (from, to) = (m.from.square, to.square);
            return m.to.board == at && mover.is_pseudo_legal_on_board(at, board, from, to, m.promotion);
        }
        // Without a list: most moves that are checked are possible.
        let mut is_one = false;
        mover.moves_to(at, board, m.from.square.bit(), to, |_, promotion| is_one |= promotion == m.promotion);
        is_one && self.move_kind(at, to.board) == Some(m.kind)
    }

    fn add_moves_to(&self, at: BoardCoordinate, pieces: u64, to: Coordinate, moves: &mut Vec<Move>) {
        let Some(board) = self.playable_board(at) else { return };
        Mover::of(self).moves_to(at, board, pieces, to, |from, promotion| {
            let kind = self.move_kind(at, to.board).expect("a move leads to a board");
            moves.push(Move { kind, from: Coordinate { board: at, square: from }, to, promotion });
        });
    }

    /// The board at a coordinate, if the player to move can move from it.
    fn playable_board(&self, at: BoardCoordinate) -> Option<&Board> {
        let (end, board) = self.multiverse().last(at.timeline)?;
        (end == at.half_turn && end.color() == self.to_move()).then_some(board)
    }
}
