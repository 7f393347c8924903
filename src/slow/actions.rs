//! The effect of moves on the multiverse, and the search for legal actions.

use std::collections::BTreeSet;

use super::state::{Board, Cell, Line, SlowState};
use crate::types::{Action, BoardCoordinate, Coordinate, Move, MoveKind, Piece, PieceKind, Square, Status};

/// The point at which the search for legal actions drops a sequence of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pruning {
    /// Every sequence of moves is continued to its end.
    #[default]
    None,
    /// A sequence is dropped once the opponent can capture a royal piece: neither the attacker's board nor
    /// those in between can change before the action is submitted.
    CheckedEarly,
}

impl SlowState {
    /// Makes one move of an action; the same player stays to move.
    ///
    /// # Panics
    ///
    /// May panic when `m` is not one of [`SlowState::moves`].
    pub fn play_move(&mut self, m: &Move) {
        let source = self.board(m.from.board).expect("the source board exists").clone();
        let target = self.board(m.to.board).expect("the target board exists").clone();
        let cell = source[self.index(m.from.square)].expect("a piece moves");
        let kind = m.promotion.unwrap_or(cell.piece.kind);
        let arriving = Cell { piece: Piece { kind, ..cell.piece }, unmoved: false };

        let mut left = source;
        left[self.index(m.from.square)] = None;
        if m.kind == MoveKind::Physical {
            self.move_companion(&mut left, m, cell.piece);
            left[self.index(m.to.square)] = Some(arriving);
            self.append(m.from.board, left);
            return;
        }
        let mut entered = target;
        entered[self.index(m.to.square)] = Some(arriving);
        self.append(m.from.board, left);
        if m.kind == MoveKind::Hop {
            self.append(m.to.board, entered);
        } else {
            // The new timeline belongs to the player who moves, whichever board the piece enters.
            let outermost = match self.mover.branch_direction() {
                1 => *self.lines.keys().max().expect("a multiverse has a timeline"),
                _ => *self.lines.keys().min().expect("a multiverse has a timeline"),
            };
            let line = Line { start: m.to.board.half_turn.next(), boards: vec![entered] };
            self.lines.insert(outermost + self.mover.branch_direction(), line);
        }
    }

    /// Plays a whole action, after which the opponent is to move.
    ///
    /// # Panics
    ///
    /// May panic when the action is not one of [`SlowState::legal_actions`].
    pub fn play(&mut self, action: &Action) {
        for m in action.moves() {
            self.play_move(m);
        }
        self.mover = self.present().color();
    }

    /// Whether the opponent could capture a royal piece if the player to move passed.
    ///
    /// To pass is to leave the mandatory boards as they are. Boards that may wait do wait, so the opponent's
    /// pieces there cannot give check yet.
    pub fn is_in_check(&self) -> bool {
        let mut passed = self.clone();
        let active = self.active();
        for at in self.playable(self.mover) {
            let must = active.contains(at.timeline) && at.half_turn == self.present();
            if must || self.profile.check_passes_every_board {
                passed.append(at, self.board(at).expect("playable boards exist").clone());
            }
        }
        passed.royal_can_be_taken()
    }

    /// All legal actions; `None` when more than `limit` beginnings of actions, including the empty one, would
    /// have to be examined.
    pub fn legal_actions(&self, limit: usize) -> Option<BTreeSet<Action>> {
        self.legal_actions_with(Pruning::None, limit)
    }

    /// Like [`SlowState::legal_actions`], with a choice of pruning.
    pub fn legal_actions_with(&self, pruning: Pruning, limit: usize) -> Option<BTreeSet<Action>> {
        self.legal_actions_paid(pruning, &mut limit.saturating_add(1), 1)
    }

    /// Like [`SlowState::legal_actions_with`]. Each beginning of an action takes `price` from `left`; `None`
    /// when nothing is left before the end.
    pub(super) fn legal_actions_paid(
        &self,
        pruning: Pruning,
        left: &mut usize,
        price: usize,
    ) -> Option<BTreeSet<Action>> {
        *left = left.checked_sub(price)?;
        let mut legal = BTreeSet::new();
        let mut visited = BTreeSet::from([Action::default()]);
        let mut open = vec![(Action::default(), self.clone())];
        while let Some((action, state)) = open.pop() {
            if *left == 0 {
                return None;
            }
            let present_passed = state.present().color() != state.mover;
            let checked = (present_passed || pruning == Pruning::CheckedEarly) && state.royal_can_be_taken();
            if !action.is_empty() && present_passed && !checked {
                legal.insert(action.clone());
            }
            if pruning == Pruning::CheckedEarly && checked {
                continue;
            }
            for m in state.moves() {
                let longer = Action::new([action.moves(), &[m]].concat());
                if visited.insert(longer.clone()) {
                    *left = left.saturating_sub(price);
                    let mut next = state.clone();
                    next.play_move(&m);
                    open.push((longer, next));
                }
            }
        }
        Some(legal)
    }

    /// The status for the player to move; `None` in the same cases as for [`SlowState::legal_actions`].
    pub fn status(&self, limit: usize) -> Option<Status> {
        Some(self.standing(&self.legal_actions(limit)?))
    }

    pub(super) fn standing(&self, legal: &BTreeSet<Action>) -> Status {
        let rewinds = |action: &Action| {
            let mut after = self.clone();
            after.play(action);
            after.present() < self.present()
        };
        match (self.is_in_check(), legal.is_empty()) {
            (true, true) => Status::Checkmate,
            (false, true) => Status::Stalemate,
            (true, false) if legal.iter().all(rewinds) => Status::Softmate,
            _ => Status::Ongoing,
        }
    }

    /// Whether the opponent could capture a royal piece of the player to move if it were the opponent's turn.
    ///
    /// Attackers are only on the opponent's playable boards, on inactive timelines as well as active ones;
    /// the royal piece may be on any board, also in the past.
    fn royal_can_be_taken(&self) -> bool {
        let opponent = !self.mover;
        self.playable(opponent).into_iter().flat_map(|at| self.army(at, opponent)).any(|(from, cell)| {
            self.captures(from, cell.piece).iter().any(|(_, victim)| victim.piece.kind.is_royal())
        })
    }

    fn append(&mut self, at: BoardCoordinate, board: Board) {
        self.lines.get_mut(&at.timeline.0).expect("the timeline exists").boards.push(board);
    }

    /// The effect of a move on a piece other than the one that moves or is captured on its target square: the
    /// rook in castling, the victim of en passant.
    fn move_companion(&self, board: &mut Board, m: &Move, piece: Piece) {
        let (from, to) = (m.from.square, m.to.square);
        if piece.kind == PieceKind::King && from.file().abs_diff(to.file()) == 2 {
            let side = if to.file() > from.file() { 1 } else { -1 };
            let ray = (1..8).map_while(|distance| from.offset(side * distance, 0));
            let on_ray = |square: &Square| self.cell(Coordinate { square: *square, ..m.from }).is_some();
            let rook_from = ray.clone().find(on_ray).expect("castling needs a rook");
            let rook_to = from.offset(side, 0).expect("the king crosses a square");
            let rook = board[self.index(rook_from)].take();
            board[self.index(rook_to)] = rook.map(|rook| Cell { unmoved: false, ..rook });
        } else if piece.kind.is_pawn_like() && from.file() != to.file() && self.cell(m.to).is_none() {
            // A pawn changes its file only to capture, so the victim is beside the square that the pawn left.
            let victim = Square::new(to.file(), from.rank()).expect("both squares are on the board");
            board[self.index(victim)] = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::slow::games::parse;

    #[test]
    fn only_boards_that_must_be_played_give_check_by_passing() {
        assert!(parse("[3/3/3:0:1:w] [3/3/K1r:1:1:w]").is_in_check());
        assert!(!parse("[3/3/3:0:1:w] [3/3/3:1:1:w] [3/3/K1r:2:1:w]").is_in_check(), "inactive");
        assert!(!parse("[3/3/3:0:1:w] [3/3/K1r:1:2:w]").is_in_check(), "ahead of the present");
    }

    #[test]
    fn the_search_gives_up_beyond_its_limit() {
        let state = parse("[4k/5/5/5/4K:0:1:w]");
        assert_eq!(state.moves().len(), 3);
        assert_eq!(state.legal_actions(4).map(|legal| legal.len()), Some(3));
        assert_eq!(state.legal_actions(3), None);
        assert_eq!(state.status(3), None);
    }
}
