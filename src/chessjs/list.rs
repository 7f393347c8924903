//! The lists of moves, actions and checks, and the selections from them.

use super::error::Error;
use super::game::Chess;
use crate::rules::{LegalActions, Sources};
use crate::search::after_null_action;
use crate::state::Position;
use crate::types::{Limit, Move, MoveKind, Status, Undecided};

/// A selection of moves or actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Only moves from active timelines.
    pub active_only: bool,
    /// Only moves from boards at the present, or before it if the action makes an earlier board active.
    /// Implies `active_only`.
    pub present_only: bool,
    /// Only actions whose new timelines are active. Ignored for moves.
    pub new_active_timelines_only: bool,
    /// Only moves within their board. Ignored for actions.
    pub spatial_only: bool,
}

impl Selection {
    /// No restriction.
    pub const ALL: Selection = Selection {
        active_only: false,
        present_only: false,
        new_active_timelines_only: false,
        spatial_only: false,
    };
}

/// The defaults of the library.
impl Default for Selection {
    fn default() -> Selection {
        Selection {
            active_only: true,
            present_only: true,
            new_active_timelines_only: true,
            spatial_only: false,
        }
    }
}

impl Chess {
    /// The moves that can be made next, in the order of the library, whether or not they lead to a legal
    /// action. None after a mate, unless [`Chess::skip_detection`] is set; all of them if the mate is
    /// undecided.
    pub fn moves(&self, selection: Selection) -> Vec<Move> {
        let over = |status| matches!(status, Status::Checkmate | Status::Stalemate);
        if !self.skip_detection && self.outcome().is_ok_and(|outcome| over(outcome.status)) {
            return Vec::new();
        }
        let position = self.under_way.position();
        let active = position.multiverse().active();
        let mut moves = Vec::new();
        for at in position.playable_boards() {
            let is_wanted = if selection.present_only {
                active.contains(at.timeline) && at.half_turn == position.present()
            } else {
                !selection.active_only || active.contains(at.timeline)
            };
            if is_wanted {
                position.pseudo_legal_moves_from(at, &mut moves);
            }
        }
        moves.retain(|m| {
            position.has_room_for(m) && (!selection.spatial_only || m.kind == MoveKind::Physical)
        });
        self.sort_moves(position, &mut moves);
        moves
    }

    /// The legal actions, found one at a time, each as the moves that are not made yet. The search ends at
    /// the limit.
    pub fn actions<'a>(&'a self, selection: Selection, limit: impl Into<Limit<'a>>) -> Actions<'a> {
        let made = self.under_way.moves();
        let Selection { active_only, present_only, new_active_timelines_only, .. } = selection;
        let sources =
            Sources { active: active_only, present: present_only, new_active: new_active_timelines_only };
        let listed = self.begun.legal_actions_containing(made).starting_on(sources).within(limit);
        Actions { listed, made }
    }

    /// Every capture of a royal piece that the opponent could make if the player passed on the mandatory
    /// boards, and the position after that pass.
    ///
    /// # Errors
    ///
    /// When that position would be larger than is supported.
    pub fn checks(&self) -> Result<(Position, Vec<Move>), Error> {
        let passed = after_null_action(self.under_way.position()).ok_or(Error::TooLarge)?;
        let is_royal = |m: &Move| {
            let target = passed.board(m.to.board).and_then(|board| board.get(m.to.square));
            target.is_some_and(|piece| piece.kind.is_royal())
        };
        let mut moves: Vec<Move> = passed.pseudo_legal_moves();
        moves.retain(is_royal);
        self.sort_moves(&passed, &mut moves);
        // Captures that differ only in the promotion count as one check.
        moves.dedup_by_key(|m| (m.from, m.to));
        Ok((passed, moves))
    }
}

/// The legal actions of [`Chess::actions`].
pub struct Actions<'a> {
    listed: LegalActions<'a>,
    made: &'a [Move],
}

impl Actions<'_> {
    /// The end of the list, once it is reached: complete, or undecided because of the limit.
    pub fn end(&self) -> Option<Result<(), Undecided>> {
        self.listed.end()
    }
}

impl Iterator for Actions<'_> {
    type Item = Vec<Move>;

    fn next(&mut self) -> Option<Vec<Move>> {
        let action = self.listed.next()?;
        Some(action.moves().iter().filter(|m| !self.made.contains(m)).copied().collect())
    }
}
