//! The actions that may be submitted (`spec/05-actions.md`), without listing those that may not.
//!
//! `spec/legal-actions.md` tells all this with one small position and a picture: begin there.
//!
//! # The space of actions
//!
//! Every board that the player may play is an *axis*, and what happens to it is a value of that axis: nothing, a move
//! within the board, the departure of one piece to another board, or the arrival of a piece from another board. Every
//! timeline that the action creates is an axis too, whose value is the jump that creates it. A *point* picks a value
//! for each axis; a *cuboid* is a product of sets of values. Since moves on different boards do not disturb each
//! other, every legal action is exactly one point.
//!
//! The search does not look for the present: the space is divided by it beforehand, see `space::Stage`. It remains to
//! check three things about a point. Departures and arrivals must pair off (a matching). A branch onto a board that
//! is played in the same action must come after that move. And no royal piece may be open to capture afterwards.
//!
//! # The search
//!
//! One cuboid is current. Pick a point that pairs off. If it is illegal, find a *slice*, a sub-product around the
//! point that is illegal for the same reason, and go on to the *remainders* of the cuboid, disjoint cuboids around the slice. A
//! slice on one axis leaves one remainder only: its values are banned for good, in all later stages too. If the point is legal, there is a
//! legal action. To list or count all of them, the cuboid is divided into *blocks*, whose points are all legal.
//!
//! | word | meaning |
//! |---|---|
//! | walk | the current cuboid and the way back from it |
//! | frame | a place on that way where a cuboid was left for the first of several others |
//! | remainders | the disjoint cuboids around a slice: number n lies inside it on the axes before the n-th, and outside on that one |
//! | alternatives | cuboids inside the current one, one for each thing that a board can jump to |
//! | draft | sets of values under construction: a slice, or alternatives |
//! | trail | the values that were taken away on the way, to be put back |
//! | blame | the frames that took away values without which the cuboid has no legal point |
//!
//! | file | holds |
//! |---|---|
//! | `search` | stage by stage and cuboid by cuboid to the legal points |
//! | `axis` | the boards that can be played, and what can happen to each |
//! | `space` | all axes of a position, stages |
//! | `cuboid` | the current cuboid, cutting and splitting, the walk through the remainders |
//! | `point` | picking a point, why it is illegal, the slice around it |
//! | `block` | cuboids that are legal throughout |
//! | `sieve` | legal actions while regions of no interest are left out |
//! | `region` | the actions that a reply answers |
//! | `uses` | the boards of which a reply makes use |
//! | `basis` | what a refutation relies on, so that it refutes more than one action |
//! | `containing` | legal actions that contain given moves, or start on some boards only |
//! | `audit` | in debug builds, samples of slices and blocks played out |
//! | `disturb` | in debug builds, a check of what a proof relies on: other squares are changed, and the proof must hold |
//! | `trace` | in tests, the steps of the search as `spec/legal-actions.md` shows them |

#[cfg(debug_assertions)]
mod audit;
mod axis;
mod basis;
mod block;
mod containing;
mod cuboid;
#[cfg(debug_assertions)]
mod disturb;
mod point;
mod region;
mod search;
mod sieve;
mod space;
#[cfg(test)]
mod trace;
mod uses;

pub(crate) use basis::Basis;
pub(super) use containing::continuations;
pub(crate) use search::Sources;
pub(super) use search::{Scope, Search};
pub(crate) use sieve::ActionSieve;

use crate::state::Position;
use crate::types::{Action, Limit, Move, Undecided};

impl Position {
    /// The legal actions of the player to move, found one at a time: the first without looking for the others.
    ///
    /// ```
    /// use worldlines::notation::pgn5d;
    ///
    /// let position = pgn5d::parse("[Board \"Standard - Two Timelines\"]").into_result().unwrap().start;
    /// assert_eq!(position.legal_actions().count(), 484);
    /// assert_eq!(position.count_legal_actions(1_000).count, 484);
    /// ```
    ///
    /// R-5.9 says what counts as one action. A promotion to each piece that
    /// [`RuleProfile::promotions`](crate::types::RuleProfile) allows counts as an action of its own.
    pub fn legal_actions(&self) -> LegalActions<'_> {
        LegalActions { search: Search::new(self, Scope::All), limit: Limit::NONE, end: None }
    }

    /// The legal actions that contain the moves `made`, with the branches among them first and in this order: what an action under way
    /// can still become.
    pub(crate) fn legal_actions_containing(&self, made: &[Move]) -> LegalActions<'_> {
        let mut search = Search::new(self, Scope::All);
        search.selection.required = made.to_vec();
        LegalActions { search, limit: Limit::NONE, end: None }
    }

    /// The number of legal actions (R-5.9), counted up to `cap`.
    ///
    /// # Panics
    ///
    /// When there are actions beyond the largest position supported; see [`Position::outcome`].
    pub fn count_legal_actions(&self, cap: u64) -> Count {
        let count = self.count_legal_actions_within(cap, Limit::NONE);
        count.expect("a number that does not depend on the size of positions")
    }

    /// The number of legal actions, counted up to `cap`, if that is found out within `limit`.
    ///
    /// # Errors
    ///
    /// When it is not.
    pub fn count_legal_actions_within<'l>(
        &self,
        cap: u64,
        limit: impl Into<Limit<'l>>,
    ) -> Result<Count, Undecided> {
        self.count_legal_actions_and_steps(cap, limit.into()).map(|(count, _)| count)
    }

    /// Counts like [`Position::count_legal_actions_within`], and returns the steps too.
    pub(crate) fn count_legal_actions_and_steps(
        &self,
        cap: u64,
        limit: Limit<'_>,
    ) -> Result<(Count, u64), Undecided> {
        let mut search = Search::new(self, Scope::All);
        let mut count = 0_u64;
        while search.next_block(limit)? {
            match search.block.count().and_then(|more| count.checked_add(more)) {
                Some(sum) if sum <= cap => count = sum,
                _ => return Ok((Count { count: cap, capped: true }, search.steps())),
            }
        }
        Ok((Count { count, capped: false }, search.steps()))
    }
}

/// The legal actions of a position, one after another, each once. See [`Position::legal_actions`].
pub struct LegalActions<'a> {
    search: Search<'a>,
    limit: Limit<'a>,
    /// Once the list has ended: whether it holds every legal action.
    end: Option<Result<(), Undecided>>,
}

impl<'a> LegalActions<'a> {
    /// Ends the list at this limit; [`LegalActions::end`] then tells that it was cut. What is listed takes steps too: about one
    /// for sixty moves.
    #[must_use]
    pub fn within(mut self, limit: impl Into<Limit<'a>>) -> Self {
        self.limit = limit.into();
        self
    }

    /// Lists only actions whose moves start there, apart from those that they must contain.
    pub(crate) fn starting_on(mut self, sources: Sources) -> Self {
        self.search.selection.sources = sources;
        self
    }

    /// Ends the list at another limit than before, if it has not ended.
    pub(crate) fn end_at(&mut self, limit: Limit<'a>) {
        self.limit = limit;
    }

    /// Whether every legal action has been listed. Never true of a list that was cut.
    pub fn is_complete(&self) -> bool {
        self.end == Some(Ok(()))
    }

    /// The end of the list, if it has ended: `Ok` with every legal action listed, or the limit.
    pub fn end(&self) -> Option<Result<(), Undecided>> {
        self.end
    }

    /// The number of search steps that were taken so far.
    pub fn steps(&self) -> u64 {
        self.search.steps()
    }
}

impl Iterator for LegalActions<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        /// The work for one move of a listed action: it is written into the action, and the caller reads it.
        const MOVE_WORK: usize = 64;
        while self.end.is_none() {
            let Search { block, space, meter, .. } = &mut self.search;
            let ended = match block.next(space) {
                Some(action) => {
                    meter.work(MOVE_WORK * action.moves().len());
                    match meter.charge(self.limit) {
                        Ok(()) => return Some(action),
                        Err(undecided) => Err(undecided),
                    }
                }
                None => match self.search.next_block(self.limit) {
                    Ok(true) => continue,
                    Ok(false) => Ok(()),
                    Err(undecided) => Err(undecided),
                },
            };
            self.end = Some(ended);
        }
        None
    }
}

/// A number of actions, as far as was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The number found; at most the cap.
    pub count: u64,
    /// Whether there are more than the cap.
    pub capped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::multiverses;
    use crate::state::{Board, Setup};
    use crate::types::{BoardCoordinate, BoardSize, Color, Parity, RuleProfile};

    /// This many timelines, all active, on each of which White has a pawn that can step once or twice. With time travel it can
    /// also go to the next timelines, where its square is free.
    fn pawns(timelines: i16, time_travel: bool) -> Position {
        let size = BoardSize::new(5, 5).unwrap();
        let boards = (0..timelines).map(|n| {
            let rows = if n % 2 == 0 { "5/5/5/P*4/5" } else { "5/5/5/1P*3/5" };
            let at = BoardCoordinate::new(n - timelines / 2, 1, Color::White);
            (at, Board::from_rows(rows, Some(size)).unwrap())
        });
        let profile = RuleProfile { time_travel, ..RuleProfile::default() };
        let setup = Setup { size, parity: Parity::Odd, profile, boards: boards.collect() };
        Position::from_setup(&setup).unwrap()
    }

    #[test]
    fn independent_boards_are_counted_by_multiplying() {
        for timelines in [1, 31, 63] {
            let count = pawns(timelines, false).count_legal_actions_within(u64::MAX, 10).unwrap();
            assert_eq!(count, Count { count: 1 << timelines, capped: false });
        }
        for timelines in [65, 201] {
            let count = pawns(timelines, false).count_legal_actions_within(u64::MAX, 60).unwrap();
            assert_eq!(count, Count { count: u64::MAX, capped: true });
        }
        let count = pawns(63, false).count_legal_actions_within(1000, 10).unwrap();
        assert_eq!(count, Count { count: 1000, capped: true });
    }

    #[test]
    fn no_more_steps_are_taken_than_allowed() {
        for timelines in [41, 101] {
            let position = pawns(timelines, true);
            for budget in [30, 300, 3_000] {
                let mut search = Search::new(&position, Scope::All);
                while let Ok(true) = search.next_block(budget.into()) {}
                // The last step may have been worth several, and work after it was not paid for.
                assert!(search.steps().abs_diff(budget) <= 20, "{} of {budget}", search.steps());
                match position.count_legal_actions_within(u64::MAX, budget) {
                    Ok(count) => assert!(count.capped),
                    Err(undecided) => assert!(undecided.steps <= budget),
                }
                let mut listed = position.legal_actions().within(budget);
                assert!(listed.by_ref().take(1000).count() > 0 && listed.steps() <= budget + 20);
            }
        }
    }

    #[test]
    fn what_is_listed_is_legal_counted_and_found_when_one_is_asked_for() {
        let mut actions = 0;
        for position in multiverses(5, 2_000) {
            let mut listed: Vec<Action> = position.legal_actions().take(300).collect();
            for action in &listed {
                position.clone().play(action).expect("a legal action");
            }
            let count = position.count_legal_actions(299);
            assert_eq!(count, Count { count: listed.len().min(299) as u64, capped: listed.len() == 300 });
            let first = Search::new(&position, Scope::All).first(Limit::NONE).unwrap();
            assert_eq!(first.is_some(), !listed.is_empty(), "{first:?} in {position:?}");
            assert!(first.is_none_or(|action| position.clone().play(&action).is_ok()));
            actions += listed.len();
            listed.sort_unstable();
            listed.dedup();
            assert_eq!(listed.len() as u64, count.count + u64::from(count.capped), "twice in {position:?}");
        }
        assert!(actions > 10_000, "{actions}");
    }

    #[test]
    #[cfg(debug_assertions)]
    fn debug_builds_check_a_share_of_slices_and_blocks() {
        let position = pawns(9, true);
        let mut search = Search::new(&position, Scope::All);
        while let Ok(true) = search.next_block(2_000.into()) {}
        let search::Audited { slices, blocks } = search.audited;
        assert!(slices > 0 && blocks > 0, "{slices} slices and {blocks} blocks in {} steps", search.steps());
    }
}
