//! The squares on which a refutation or a mate relies, so that it holds after other actions too.
//!
//! # Refutations
//!
//! The attacker has no mate in a position *Q* where he is to move. That was found out by going through his actions: each is illegal,
//! since the defender captures a royal piece, or some reply leaves no mate. Which squares of *Q* does this rest on?
//!
//! - The attacker's moves start and land on boards on which he is to move. On those it rests throughout.
//! - A capture of a royal piece starts, crosses and lands on boards on which the defender is to move: it rests on those squares.
//! - A move of a reply starts on such a board too, and makes a board of all that stands there. A jump lands on another one and
//!   makes a board of that, and crosses squares in between. What the attacker does later about a board that no reply has touched is
//!   done on other boards.
//!
//! So let *Q'* have the same boards in the same places, the same on which the attacker is to move, and on the others the same pieces on
//! the squares of the *basis*. Then there is no mate in *Q'* either: the attacker has the same moves, what was captured is captured, and
//! the replies are legal, since what could capture the defender's royal pieces stands on boards that are the same. The boards that come
//! into being in the replies are the same as well, and so on to the end. The reasons for an en passant capture stand on the two boards
//! before, of which one is the attacker's and the other was touched by the reply that made the next one.
//!
//! This applies where *Q* and *Q'* follow the same reply to two actions of the attacker that play the same boards and make boards
//! that agree on the basis, with those of which the reply makes use counted among it. Stalemate rests on everything: that there is no
//! check is no matter of single squares.
//!
//! # Mates
//!
//! The same holds with the sides exchanged. The attacker, who is to move in *Q*, mates by an action *M*. All replies to *M* are illegal,
//! since the attacker captures a royal piece, or answered. The defender's moves start and land on boards on which he is to move; the
//! captures and the answers start, cross and land on boards on which the attacker is. So the basis of a mate is made of squares of
//! these, and the mate holds wherever the others are the same and these agree. Two things are added:
//!
//! - Mate is check. One of the attacker's captures if the defender passed counts.
//! - Where *M* is no check, the defender must not be left without a legal reply, which would be stalemate. One of his replies counts:
//!   what captures his royal pieces after it must not come from, pass or land on what is not the same.

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

    fn add(&mut self, at: BoardCoordinate, squares: u64) {
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

    /// On the boards that count, it also counts where the defender's royal pieces stand: one more would be one more to be captured.
    pub(crate) fn heed_royals(&mut self) {
        self.boards.iter_mut().for_each(|(_, reliance)| reliance.royals = u64::MAX);
    }

    /// Adds what a capture of a royal piece relies on.
    pub(in crate::rules) fn add_capture(&mut self, hit: &Hit) {
        for Coordinate { board, square } in hit.crossed() {
            self.add(board, square.bit());
        }
    }

    /// Adds what it relies on that the player to move is in check. False if he is not.
    pub(crate) fn add_check(&mut self, position: &Position) -> bool {
        position
            .scan_after_passing(|hit| {
                self.add_capture(&hit);
                ControlFlow::Break(())
            })
            .is_break()
    }

    /// Adds what it relies on that an action of the player to move is legal: that nothing on the opponent's boards captures a royal
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

    /// Adds what a reply makes use of.
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

    /// Adds what it relies on that a reply is legal after which nothing is asked any more: where its moves pass, and from where and
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
