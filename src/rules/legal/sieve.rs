//! Legal actions one at a time, for a caller that can exclude whole regions of actions on the way.
//!
//! For each action, a search for mates checks whether the opponent has a legal reply. The same reply answers many
//! actions, because it touches few boards. So all actions that a reply answers are left out as a region, and the
//! search looks only at actions after which no known reply is legal.

use super::Search;
use super::axis::Value;
use super::basis::Basis;
use super::cuboid::{Draft, insert, remove};
use super::point::Choice;
use super::region::Region;
use super::space::Scope;
use crate::state::{Board, Position};
use crate::types::{Action, BoardCoordinate, Color, Limit, Move, MoveKind, Undecided};

/// The legal actions of a position, without those that were left out.
pub(crate) struct ActionSieve<'a> {
    search: Search<'a>,
    progress: Progress,
    /// The current action.
    action: Action,
    /// The position after the current action; the position itself before there is one.
    after: Position,
    /// Whether each step leaves out the current action alone.
    is_one_by_one: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Before,
    /// In a cuboid of which nothing is known.
    Searching,
    /// At an action, which goes on to the next cuboid when it is left out.
    AtAction,
    /// After leaving out what was current.
    Left,
}

impl<'a> ActionSieve<'a> {
    pub(crate) fn new(position: &'a Position) -> ActionSieve<'a> {
        ActionSieve {
            search: Search::new(position, Scope::All),
            progress: Progress::Before,
            action: Action::default(),
            after: position.clone(),
            is_one_by_one: false,
        }
    }

    /// The same actions, of which each step leaves out the current one alone if `is_one_by_one`. Slow; it shows whether a region that
    /// would be left out has an action that it should not have.
    pub(crate) fn one_by_one(self, is_one_by_one: bool) -> ActionSieve<'a> {
        ActionSieve { is_one_by_one, ..self }
    }

    /// Like [`ActionSieve::new`], and records the squares that illegality and replies depend on.
    pub(crate) fn with_basis(position: &'a Position) -> ActionSieve<'a> {
        let mut sieve = ActionSieve::new(position);
        sieve.search.tracked = Some(Basis::default());
        sieve
    }

    /// Only the actions that are made of moves of `whole`, which must be legal. Some may have its branches in another order.
    pub(crate) fn parts_of(position: &'a Position, whole: &Action) -> ActionSieve<'a> {
        let mut parts = ActionSieve::new(position);
        parts.search.selection.whole = Some(whole.clone());
        parts
    }

    /// The number of steps that were taken so far.
    pub(crate) fn steps(&self) -> u64 {
        self.search.steps()
    }

    /// Goes on to another action; the current one is left out. False when there is none.
    ///
    /// # Errors
    ///
    /// When the search has taken as many steps in all as `limit` allows. It can be resumed with a higher limit.
    pub(crate) fn advance(&mut self, limit: Limit<'_>) -> Result<bool, Undecided> {
        if self.progress == Progress::AtAction {
            self.exclude_current();
        }
        // After the last cuboid this always returns none.
        if self.progress != Progress::Searching && !self.search.next_cuboid(limit)? {
            return Ok(false);
        }
        if self.progress == Progress::Before {
            self.search.space.drop_exposing_physicals(&mut self.search.walk);
        }
        self.progress = Progress::Searching;
        if !self.search.find_point(limit)? {
            self.progress = Progress::Left;
            return Ok(false);
        }
        self.retreat();
        self.action = self.search.space.action(&self.search.point);
        self.after.play_unchecked(&self.action);
        self.progress = Progress::AtAction;
        Ok(true)
    }

    /// The current action.
    pub(crate) fn action(&self) -> &Action {
        &self.action
    }

    /// The position after the current action.
    pub(crate) fn after(&self) -> &Position {
        &self.after
    }

    fn retreat(&mut self) {
        if !self.action.is_empty() {
            self.after.undo_unchecked(&self.action);
            self.action = Action::default();
        }
    }

    /// Leaves out the current action and nothing else.
    pub(crate) fn exclude_current(&mut self) {
        let search = &mut self.search;
        let Search { space, walk, point, .. } = search;
        let draft = walk.draft();
        for index in 0..space.axes.len() {
            space.add_choice(point, index, walk);
        }
        for n in 0..point.branches.len() {
            space.add_branch(point, n, walk);
        }
        search.walk.cut(draft);
        self.progress = Progress::Left;
    }

    /// Leaves out actions with all the moves of `part`, if the current one has them: as many as are found at once. False if
    /// it has not.
    pub(crate) fn exclude_containing(&mut self, part: &Action) -> bool {
        if !self.action.contains(part) {
            return false;
        }
        let Search { space, walk, point, .. } = &mut self.search;
        let draft = walk.draft();
        for index in 0..space.axes.len() {
            let at = space.axes[index].at;
            let concerned = |m: &Move| m.from.board == at || m.kind == MoveKind::Hop && m.to.board == at;
            if part.moves().iter().any(concerned) {
                space.add_choice(point, index, walk);
            }
        }
        let branches = |action: &Action| -> Vec<Move> {
            action.moves().iter().filter(|m| m.kind == MoveKind::Branch).copied().collect()
        };
        let mut wanted = branches(part).into_iter().peekable();
        for (n, m) in branches(&self.action).iter().enumerate() {
            if wanted.next_if_eq(m).is_some() {
                space.add_branch(point, n, walk);
            }
        }
        self.cut_away(draft);
        true
    }

    /// Leaves out actions after which `reply` is legal, if it is legal after the current one: as many as are found at
    /// once. False if it is not.
    pub(crate) fn exclude_answered_by(&mut self, reply: &Action) -> bool {
        self.search.meter.work(self.search.space.point_work(reply.moves().len()));
        if !self.after.play_if_legal(reply) {
            return false;
        }
        self.after.undo_unchecked(reply);
        for m in reply.moves() {
            self.after.push(m);
        }
        let Search { space, walk, point, .. } = &mut self.search;
        let (region, work) = Region::around(space, walk, point, reply, &self.after);
        self.search.meter.work(work);
        if let Some(basis) = &mut self.search.tracked {
            let before = self.search.space.position;
            let region = region.as_ref().map(|region| (region, &self.search.space));
            basis.add_last_reply(reply, &self.after, region, |at| before.board(at).is_some());
        }
        for m in reply.moves().iter().rev() {
            self.after.pop(m);
        }
        let Search { space, walk, point, .. } = &mut self.search;
        match region {
            Some(region) => {
                let draft = region.draft(space, walk, point);
                #[cfg(debug_assertions)]
                self.search.audit_answered(draft, reply);
                self.cut_away(draft);
            }
            None => self.exclude_current(),
        }
        true
    }

    /// Leaves out the current action and all that agree with it: actions that play the same boards, create as many timelines at the same
    /// times, and make boards that agree on the basis. The `defender` is who is mated or not.
    pub(crate) fn exclude_agreeing(&mut self, basis: &Basis, defender: Color) {
        if basis.is_everything() {
            return self.exclude_current();
        }
        let draft = self.agreeing(basis, defender);
        self.cut_away(draft);
    }

    /// The product of the actions that agree with the current one.
    fn agreeing(&mut self, basis: &Basis, defender: Color) -> Draft {
        let Search { space, walk, point, .. } = &mut self.search;
        let agrees = |at, board: &Board| {
            let own = self.after.board(at).expect("the action makes the board");
            basis.of(at).is_none_or(|reliance| reliance.agree(own, board, defender))
        };
        let draft = walk.draft();
        for (index, axis) in space.axes.iter().enumerate() {
            let made = axis.at.next();
            if point.choices[index] == Choice::Pass {
                space.add_choice(point, index, walk);
            } else if basis.of(made).is_none() {
                walk.add_set(&axis.words, |set| {
                    set.fill(u64::MAX);
                    remove(set, axis.bit(Value::Pass));
                });
            } else {
                let boards = space.boards_made(walk, index);
                let mut values: Vec<usize> =
                    boards.filter(|(_, board)| agrees(made, board)).map(|(value, _)| value).collect();
                values.push(space.bit_of(point, index));
                walk.add_set(&axis.words, |set| {
                    values.into_iter().for_each(|value| insert(set, value));
                });
            }
        }
        for (n, &jump) in point.branches.iter().enumerate() {
            let begun = space.created(n, jump);
            let boards = space.boards_begun(walk, n, begun.half_turn);
            let mut jumps: Vec<usize> =
                boards.filter(|(_, board)| agrees(begun, board)).map(|(jump, _)| jump).collect();
            jumps.push(jump);
            walk.add_set(&space.creation_axis(n), |set| {
                jumps.into_iter().for_each(|jump| insert(set, jump));
            });
        }
        draft
    }

    /// For debug builds: another legal action that agrees with the current one, and the position after it. By turns it is drawn from
    /// what is left out, and from the list of actions by looking at the boards.
    #[cfg(debug_assertions)]
    pub(crate) fn sample_agreeing(&mut self, basis: &Basis, defender: Color) -> Option<(Action, Position)> {
        const LISTED: usize = 40;
        if basis.is_everything() {
            return None;
        }
        let before = self.search.space.position;
        let draw = self.search.steps().wrapping_mul(0x9e37_79b9);
        let drawn = if draw >> 5 & 1 == 0 {
            let draft = self.agreeing(basis, defender);
            let drawn = self.search.draw(draft, draw);
            self.search.walk.take_back(draft);
            drawn
        } else {
            let own = self.made();
            let mut after = before.clone();
            let mut agrees = |action: &Action| {
                after.play_unchecked(action);
                let made = made(before, &after);
                after.undo_unchecked(action);
                basis.agree(&own, &made, defender)
            };
            let list = before.legal_actions().take(LISTED);
            let agreeing: Vec<Action> = list.filter(|action| agrees(action)).collect();
            agreeing.get(draw as usize % agreeing.len().max(1))?.clone()
        };
        let mut after = before.clone();
        (drawn != self.action && after.play(&drawn).is_ok()).then_some((drawn, after))
    }

    /// The boards that the current action makes, in the order of their coordinates.
    pub(crate) fn made(&self) -> Vec<(BoardCoordinate, Board)> {
        made(self.search.space.position, &self.after)
    }

    /// The squares on which illegality and replies depend so far: everything if they are not recorded.
    pub(crate) fn basis(&self) -> Basis {
        self.search.tracked.clone().unwrap_or(Basis::EVERYTHING)
    }

    /// Stops recording: from here on it relies on everything.
    pub(crate) fn rely_on_everything(&mut self) {
        self.search.tracked = None;
    }

    /// Leaves out a product of actions that has the current one.
    fn cut_away(&mut self, draft: Draft) {
        if self.is_one_by_one {
            self.search.walk.take_back(draft);
            return self.exclude_current();
        }
        self.search.walk.cut(draft);
        self.progress = Progress::Left;
    }
}

/// The boards that there are after an action and not before, in the order of their coordinates.
fn made(before: &Position, after: &Position) -> Vec<(BoardCoordinate, Board)> {
    let made = after.multiverse().boards_beyond(before.multiverse());
    made.map(|(at, board)| (at, *board)).collect()
}

#[cfg(test)]
mod tests;
