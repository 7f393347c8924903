//! The squares on which a refutation or a mate relies, so that it holds after other actions too.
//!
//! The argument stands in `spec/proofs.md`, with an example: a refutation *D* of an action *A* also refutes an action *B* that agrees with
//! *A* on the basis, and if *M* mates after a defence *D*, it also mates after a defence *E* that agrees with *D*. The bullets there have letters:
//!
//! | bullet | relies on | code |
//! |---|---|---|
//! | a | boards of which the refutation or a later reply makes use | [`Basis::add_uses`] |
//! | b | a capture that makes an attacker's action illegal | [`Basis::add_capture`] |
//! | c | the last reply | [`Basis::add_last_reply`] |
//! | d | stalemate | [`Basis::EVERYTHING`] |
//! | e | boards of which the mating action makes use | [`Basis::add_uses`] |
//! | f | the check | [`Basis::add_check`] |
//! | g | a capture that makes a reply illegal | [`Basis::add_capture`] |
//! | h | the mate after a reply | [`Basis::add_all`] |
//! | i | a reply that stays legal, where there is no check | [`Basis::add_legal`] |
//! | j | the defender's royal pieces on the boards that count | [`Basis::heed_royals`] |
//!
//! `ActionSieve` records b, c and g while it goes through actions. `search::and_or` adds the others, and leaves out what agrees.

use std::ops::ControlFlow;

use super::region::Region;
use super::space::Space;
use super::uses::{ReplyUse, crossed, uses_of};
use crate::rules::attacks::{Attackers, Frontier, Hit, Seen, squares_in_sight};
use crate::state::{Board, Position, squares_of};
use crate::types::{Action, BoardCoordinate, Color, Coordinate, HalfTurn, Move, MoveKind};

/// Squares of boards that the last action made, on which the other player is to move: see the head of this file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Basis {
    is_everything: bool,
    /// By coordinate.
    boards: Vec<(BoardCoordinate, Reliance)>,
}

/// The squares of one board that count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Reliance {
    /// The squares whose pieces and marks count; all bits stand for the whole board.
    squares: u64,
    /// The squares on which it counts whether a royal piece of the defender stands there.
    royals: u64,
}

impl Reliance {
    /// Whether two boards agree on what counts.
    pub(super) fn agree(self, one: &Board, other: &Board, defender: Color) -> bool {
        let royals = |board: &Board| board.royals() & board.by_color(defender) & self.royals;
        match self.squares {
            WHOLE => one == other,
            squares => {
                royals(one) == royals(other)
                    && squares_of(squares).all(|square| one.cell(square) == other.cell(square))
            }
        }
    }
}

/// The whole of a board.
const WHOLE: u64 = u64::MAX;

impl Basis {
    /// The basis that holds every square there is.
    pub(crate) const EVERYTHING: Basis = Basis { is_everything: true, boards: Vec::new() };

    /// Whether it is [`Basis::EVERYTHING`].
    pub(crate) fn is_everything(&self) -> bool {
        self.is_everything
    }

    /// Whether two actions agree, of which these are the boards that they make, in the order of their coordinates.
    pub(crate) fn agree(
        &self,
        one: &[(BoardCoordinate, Board)],
        other: &[(BoardCoordinate, Board)],
        defender: Color,
    ) -> bool {
        one.len() == other.len()
            && one.iter().zip(other).all(|((at, one), (also_at, other))| {
                at == also_at && self.of(*at).is_none_or(|reliance| reliance.agree(one, other, defender))
            })
    }

    /// The bytes that it takes beside its own size.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.boards) as u64
    }

    /// The squares of a board that count. `None` if there are none.
    pub(super) fn of(&self, at: BoardCoordinate) -> Option<Reliance> {
        match self.boards.binary_search_by_key(&at, |(at, _)| *at) {
            _ if self.is_everything => Some(Reliance { squares: WHOLE, royals: u64::MAX }),
            Ok(index) => Some(self.boards[index].1),
            Err(_) => None,
        }
    }

    pub(super) fn add(&mut self, at: BoardCoordinate, squares: u64) {
        self.add_reliance(at, Reliance { squares, royals: 0 });
    }

    fn add_reliance(&mut self, at: BoardCoordinate, added: Reliance) {
        if self.is_everything {
            return;
        }
        let index = self.boards.binary_search_by_key(&at, |(at, _)| *at).unwrap_or_else(|index| {
            self.boards.insert(index, (at, Reliance::default()));
            index
        });
        let reliance = &mut self.boards[index].1;
        reliance.squares |= added.squares;
        reliance.royals |= added.royals;
    }

    /// On the boards that count, it also counts where the defender's royal pieces stand: one more would be one more to be captured. Bullet j.
    pub(crate) fn heed_royals(&mut self) {
        self.boards.iter_mut().for_each(|(_, reliance)| reliance.royals = u64::MAX);
    }

    /// Adds what a capture of a royal piece relies on: bullets b and g.
    pub(in crate::rules) fn add_capture(&mut self, hit: &Hit) {
        for Coordinate { board, square } in hit.crossed() {
            self.add(board, square.bit());
        }
    }

    /// Adds what it relies on that the player to move is in check: bullet f. False if he is not.
    pub(crate) fn add_check(&mut self, position: &Position) -> bool {
        position
            .scan_after_passing(|hit| {
                self.add_capture(&hit);
                ControlFlow::Break(())
            })
            .is_break()
    }

    /// Adds what it relies on that an action of the player to move is legal, bullet i: that nothing on the opponent's boards captures a royal
    /// piece on the boards that it makes, or through them.
    pub(crate) fn add_legal(&mut self, position: &Position, action: &Action) {
        let mut played = position.clone();
        action.moves().iter().for_each(|m| played.push(m));
        let victim = played.to_move();
        let is_made = |at| position.board(at).is_none();
        let ends = played.multiverse().ends().filter(|(at, _)| at.color() != victim);
        let mut frontier = Frontier::new(&played, played.multiverse().range());
        // Whatever stands in the way on the opponent's boards counts, and where a royal piece would be in danger.
        for (at, _) in ends.clone().filter(|(at, _)| !is_made(*at)) {
            frontier.set(at, Seen { blockers: 0, targets: u64::MAX });
        }
        let mut add = |hit: Hit| {
            if !hit.crossed().any(|Coordinate { board, .. }| is_made(board)) {
                return ControlFlow::Continue(());
            }
            let to = hit.check().to;
            let target = played.board(to.board).expect("the attack lands there");
            if target.royals() & target.by_color(victim) & to.square.bit() != 0 {
                self.add_capture(&hit);
            }
            self.add_reliance(to.board, Reliance { squares: 0, royals: to.square.bit() });
            ControlFlow::Continue(())
        };
        for (at, board) in ends {
            let own = Attackers::of(board, board.by_color(!victim));
            let before = BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - 1), ..at };
            let _ = match played.board(before) {
                _ if is_made(at) => frontier.scan_from(at, &own, &mut add),
                // A defence makes its board of the one before, on which a piece may stand that the current one captured. A board that no
                // defence made stays as it is, and need not have come of the one before: an author may have written both.
                Some(base) => {
                    let earlier = Attackers::of(base, base.by_color(!victim));
                    frontier.scan_from(at, &own.and(earlier), &mut add)
                }
                None => frontier.scan_from_anything(at, &mut add),
            };
        }
    }

    /// Adds what an action makes use of: bullets a and e.
    pub(crate) fn add_uses(&mut self, reply: &Action) {
        for m in reply.moves() {
            self.add(m.from.board, WHOLE);
            if m.kind != MoveKind::Physical {
                self.add(m.to.board, WHOLE);
                for (board, square) in crossed(m) {
                    self.add(board, square.bit());
                }
            }
        }
    }

    /// Adds what it relies on that a reply is legal after which nothing is asked any more, bullet c: where its moves pass, and from where and
    /// through which squares of the boards that it makes a royal piece could be attacked. `replied` is the position after its moves, not
    /// yet submitted. Only boards that are `old` count; the others are the same in any case.
    ///
    /// The reply may answer a whole `region` of actions, which make other boards, and may leave boards alone that the current one plays.
    /// Then what could be attacked after any of them counts.
    pub(super) fn add_last_reply(
        &mut self,
        reply: &Action,
        replied: &Position,
        region: Option<(&Region, &Space<'_>)>,
        is_old: impl Fn(BoardCoordinate) -> bool,
    ) {
        let victim = replied.to_move();
        let mut made = Vec::with_capacity(2 * reply.moves().len());
        for (board, used) in uses_of(reply, replied).into_iter().filter(|(board, _)| is_old(*board)) {
            match used {
                ReplyUse::Plays(m) => {
                    let before = replied.board(board).expect("the move starts there");
                    if is_special(before, m) {
                        self.add(board, WHOLE);
                    }
                    self.add(board, m.from.square.bit() | m.to.square.bit());
                    crossed(m).for_each(|(_, square)| self.add(board, square.bit()));
                    made.push((board.next(), board));
                }
                ReplyUse::Leaves(m) => {
                    self.add(board, m.from.square.bit());
                    made.push((board.next(), board));
                }
                ReplyUse::Lands(m, timeline) => {
                    self.add(board, m.to.square.bit());
                    made.push((BoardCoordinate { timeline, ..board.next() }, board));
                }
                ReplyUse::Crosses(square) => self.add(board, square.bit()),
            }
        }
        if made.is_empty() {
            return;
        }
        for &(at, base) in &made {
            let board = replied.board(at).expect("the reply makes it");
            let royals = board.royals() & board.by_color(victim);
            self.add(base, squares_in_sight(board, royals) | royals);
        }
        let frontier = match region {
            Some((region, _)) => region.frontier(replied),
            None => Frontier::new(replied, replied.multiverse().range()),
        };
        let base_of = |at| made.iter().find(|(made, _)| *made == at).map(|(_, base)| *base);
        let mut add = |hit: Hit| {
            for Coordinate { board, square } in hit.crossed() {
                if let Some(base) = base_of(board) {
                    self.add(base, square.bit());
                }
            }
            ControlFlow::Continue(())
        };
        for (at, board) in replied.multiverse().ends().filter(|(at, _)| at.color() != victim) {
            let _ = match base_of(at) {
                // Other pieces may have stood there. What bars a line on such a board counts too: it stands where one could begin.
                Some(_) => frontier.scan_from_anything(at, &mut add),
                None => frontier.scan_across(at, board, board.by_color(!victim), &mut add),
            };
        }
        let Some((region, space)) = region else { return };
        for (at, attackers) in region.attackers(space, victim) {
            let _ = frontier.scan_from(at, &attackers, &mut add);
        }
    }

    /// Adds another basis.
    pub(crate) fn add_all(&mut self, other: &Basis) {
        if other.is_everything {
            *self = Basis::EVERYTHING;
        }
        for &(at, reliance) in &other.boards {
            self.add_reliance(at, reliance);
        }
    }

    /// The part of it that lies on boards of an earlier position.
    pub(crate) fn within(mut self, exists: impl Fn(BoardCoordinate) -> bool) -> Basis {
        self.boards.retain(|(at, _)| exists(*at));
        self
    }
}

/// Whether a move within a board is castling or takes en passant, which depends on more than where it passes.
fn is_special(board: &Board, m: &Move) -> bool {
    let (from, to) = (m.from.square, m.to.square);
    let takes_en_passant =
        board.pawns() & from.bit() != 0 && from.file() != to.file() && board.occupied() & to.bit() == 0;
    takes_en_passant || board.castling_rook(from, to).is_some()
}

#[cfg(test)]
mod tests;
