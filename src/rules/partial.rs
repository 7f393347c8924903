//! An action that is entered move by move, as players and protocols do.

use super::illegal::{IllegalAction, IllegalMove};
use super::legal;
use crate::state::{Multiverse, Position};
use crate::types::{Action, BoardCoordinate, Color, HalfTurn, Limit, Move, Undecided};

/// An action under way: some of its moves are made, and it is not submitted yet.
///
/// A move that cannot be made is refused and changes nothing. Check and the present are judged when the action is submitted;
/// [`PartialAction::can_submit`] says in advance how that would end. Notations write an action for the position before it:
/// clone that if you want to write the action.
///
/// ```
/// use worldlines::rules::{IllegalAction, PartialAction};
/// use worldlines::state::Position;
///
/// let mut action = PartialAction::new(Position::default());
/// assert_eq!(action.pseudo_legal_moves().len(), 20);
/// assert_eq!(action.can_submit(), Err(IllegalAction::NoMove));
///
/// action.push("(0T1w)e2e4".parse()?)?;
/// assert!(action.pseudo_legal_moves().is_empty(), "the only board is played");
/// assert_eq!(action.pop(), Some("(0T1w)e2e4".parse()?));
///
/// action.push("(0T1w)g1f3".parse()?)?;
/// action.can_submit()?;
/// let submitted = action.submit()?;
/// assert_eq!(submitted.to_string(), "(0T1w)g1f3");
///
/// // Now it is an action of Black, without moves so far.
/// assert!(action.moves().is_empty());
/// let position = action.into_position();
/// assert_eq!(position.to_move().to_string(), "black");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialAction {
    /// With the moves made.
    position: Position,
    moves: Vec<Move>,
}

impl PartialAction {
    /// The beginning of an action in this position, without a move.
    pub fn new(position: Position) -> PartialAction {
        PartialAction { position, moves: Vec::new() }
    }

    /// The moves made so far, in the order in which they were made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position with the moves made, in which the same player is to move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The player who acts.
    pub fn to_move(&self) -> Color {
        self.position.to_move()
    }

    /// The timelines and their boards, with the moves made.
    pub fn multiverse(&self) -> &Multiverse {
        self.position.multiverse()
    }

    /// The present, with the moves made. The action can be submitted once it is the opponent's.
    pub fn present(&self) -> HalfTurn {
        self.position.present()
    }

    /// The boards from which the player can still move, lowest timeline first.
    pub fn playable_boards(&self) -> impl Iterator<Item = BoardCoordinate> + '_ {
        self.position.playable_boards()
    }

    /// The boards that must still be played unless a branch moves the present back: see
    /// [`Position::mandatory_boards`].
    pub fn mandatory_boards(&self) -> impl Iterator<Item = BoardCoordinate> + '_ {
        self.position.mandatory_boards()
    }

    /// Every move that can be made next, without regard to check. [`PartialAction::push`] accepts each of them, if
    /// the position has room for another timeline.
    pub fn pseudo_legal_moves(&self) -> Vec<Move> {
        self.position.pseudo_legal_moves()
    }

    /// The moves that can be made next and lead to a legal action. Some ten thousand steps are plenty in positions of games.
    ///
    /// # Errors
    ///
    /// If `limit`, which is for all moves together, is reached before the answer is known.
    pub fn legal_moves_within<'l>(&self, limit: impl Into<Limit<'l>>) -> Result<Vec<Move>, Undecided> {
        let start = self.clone().into_position();
        legal::continuations(&start, &self.moves, self.pseudo_legal_moves(), limit.into())
    }

    /// The moves that can be made next from a board and lead to a legal action, as [`PartialAction::legal_moves_within`] lists those of all
    /// boards.
    ///
    /// # Errors
    ///
    /// When that is not known within `limit`, which holds for all moves together.
    pub fn legal_moves_from_within<'l>(
        &self,
        at: BoardCoordinate,
        limit: impl Into<Limit<'l>>,
    ) -> Result<Vec<Move>, Undecided> {
        let start = self.clone().into_position();
        let mut moves = Vec::new();
        self.position.pseudo_legal_moves_from(at, &mut moves);
        legal::continuations(&start, &self.moves, moves, limit.into())
    }

    /// Makes a move.
    ///
    /// # Errors
    ///
    /// When it cannot be made now; then nothing changes.
    pub fn push(&mut self, m: Move) -> Result<(), IllegalMove> {
        self.position.check_move(&m)?;
        self.position.push(&m);
        self.moves.push(m);
        Ok(())
    }

    /// Takes the move back that was made last, and returns it; `None` when there is none.
    pub fn pop(&mut self) -> Option<Move> {
        let m = self.moves.pop()?;
        self.position.pop(&m);
        Some(m)
    }

    /// Whether the moves made are a legal action.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong: no move, the present, check.
    pub fn can_submit(&self) -> Result<(), IllegalAction> {
        if self.moves.is_empty() { Err(IllegalAction::NoMove) } else { self.position.can_submit() }
    }

    /// Ends the action and returns it in canonical form; an action of the opponent begins.
    ///
    /// # Errors
    ///
    /// The same as those of [`PartialAction::can_submit`]; then nothing changes.
    pub fn submit(&mut self) -> Result<Action, IllegalAction> {
        self.can_submit()?;
        self.position.switch_player();
        Ok(Action::new(std::mem::take(&mut self.moves)))
    }

    /// The position in which the action began: the moves made are taken back.
    pub fn into_position(mut self) -> Position {
        while self.pop().is_some() {}
        self.position
    }
}

impl Position {
    /// The moves from one board with which a legal action can begin.
    ///
    /// On one board a move can be fine and yet leave no legal action, since other boards must be played too.
    ///
    /// ```
    /// use worldlines::notation::fen5d;
    /// use worldlines::types::{BoardCoordinate, Color};
    ///
    /// let position = fen5d::parse("[k2/2R/1K1:0:1:b]").into_result()?;
    /// let moves = position.legal_moves_from_within(BoardCoordinate::new(0, 1, Color::Black), 1_000).unwrap();
    /// assert_eq!(moves, ["(0T1b)a3b3".parse().unwrap()]);
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `limit`, which is for all moves together, is reached before the answer is known.
    pub fn legal_moves_from_within<'l>(
        &self,
        at: BoardCoordinate,
        limit: impl Into<Limit<'l>>,
    ) -> Result<Vec<Move>, Undecided> {
        let mut moves = Vec::new();
        self.pseudo_legal_moves_from(at, &mut moves);
        legal::continuations(self, &[], moves, limit.into())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::samples::multiverses;

    /// Every action that can be entered and submitted, with the number of ways looked at; `None` when there are too many.
    fn entered(partial: &mut PartialAction, found: &mut BTreeSet<Action>, left: &mut usize) -> Option<()> {
        *left = left.checked_sub(1)?;
        if partial.can_submit().is_ok() {
            found.insert(partial.clone().submit().unwrap());
        }
        for m in partial.pseudo_legal_moves() {
            partial.push(m).unwrap();
            entered(partial, found, left)?;
            assert_eq!(partial.pop(), Some(m));
        }
        Some(())
    }

    #[test]
    fn what_can_be_submitted_are_the_legal_actions() {
        let (mut positions, mut actions) = (0, 0);
        for position in multiverses(21, 1_500) {
            let mut found = BTreeSet::new();
            let mut partial = PartialAction::new(position.clone());
            if entered(&mut partial, &mut found, &mut 3_000).is_none() {
                continue;
            }
            assert_eq!(partial.into_position(), position);
            let legal: BTreeSet<Action> = position.legal_actions().collect();
            assert_eq!(found, legal, "{position:?}");
            positions += 1;
            actions += legal.len();
        }
        assert!(positions > 300 && actions > 3_000, "{positions} positions, {actions} actions");
    }

    #[test]
    fn every_legal_action_is_entered_move_by_move() {
        let mut moves = 0;
        for position in multiverses(22, 600) {
            for action in position.legal_actions().take(30) {
                let mut partial = PartialAction::new(position.clone());
                for m in action.moves() {
                    partial.push(*m).unwrap();
                    moves += 1;
                }
                assert_eq!(partial.submit().as_ref(), Ok(&action));
                let mut after = position.clone();
                after.play(&action).unwrap();
                assert_eq!(partial.into_position(), after);
            }
        }
        assert!(moves > 5_000, "{moves}");
    }

    #[test]
    fn legal_moves_are_those_that_a_legal_action_goes_on_with() {
        let (mut dead_ends, mut ways) = (0, 0);
        for position in multiverses(23, 1_200) {
            let legal: Vec<Action> = position.legal_actions().take(400).collect();
            if legal.len() == 400 {
                continue;
            }
            let mut partial = PartialAction::new(position.clone());
            loop {
                // The moves made so far and the next, in the order in which branches are made.
                let goes_on = |m: &Move| {
                    let begun = Action::new([partial.moves(), &[*m]].concat());
                    legal.iter().any(|action| begins_with(action, &begun))
                };
                let expected: Vec<Move> = partial.pseudo_legal_moves().into_iter().filter(goes_on).collect();
                let found = partial.legal_moves_within(u64::MAX).unwrap();
                assert_eq!(found, expected, "after {:?} in {position:?}", partial.moves());
                let of_boards = partial
                    .playable_boards()
                    .flat_map(|at| partial.legal_moves_from_within(at, u64::MAX).unwrap());
                assert_eq!(
                    of_boards.collect::<BTreeSet<_>>(),
                    found.iter().copied().collect(),
                    "{position:?}"
                );
                dead_ends += partial.pseudo_legal_moves().len() - found.len();
                ways += found.len();
                let Some(&m) = found.get(partial.moves().len() % found.len().max(1)) else { break };
                partial.push(m).unwrap();
            }
        }
        assert!(dead_ends > 1_000 && ways > 1_000, "{dead_ends} dead ends, {ways} ways");
    }

    /// Whether the moves of `begun` are moves of the action, and its branches the first.
    fn begins_with(action: &Action, begun: &Action) -> bool {
        let branches = |action: &Action| -> Vec<Move> {
            let moves = action.moves().iter();
            moves.filter(|m| m.kind == crate::types::MoveKind::Branch).copied().collect()
        };
        begun.moves().iter().all(|m| action.moves().contains(m))
            && branches(action).starts_with(&branches(begun))
    }

    #[test]
    fn the_legal_moves_of_a_board_are_those_of_the_legal_actions() {
        let mut found = 0;
        for position in multiverses(24, 400) {
            let legal: Vec<Action> = position.legal_actions().take(400).collect();
            if legal.len() == 400 {
                continue;
            }
            for at in position.playable_boards() {
                let moves: BTreeSet<Move> =
                    position.legal_moves_from_within(at, u64::MAX).unwrap().into_iter().collect();
                // Some branches can only be made later, once their target has become a history board.
                let is_next = |m: &&Move| {
                    let begun = Action::new(vec![**m]);
                    position.is_pseudo_legal(m) && legal.iter().any(|action| begins_with(action, &begun))
                };
                let expected: BTreeSet<Move> =
                    legal.iter().filter_map(|action| action.move_from(at)).filter(is_next).copied().collect();
                assert_eq!(moves, expected, "{at} in {position:?}");
                found += moves.len();
            }
        }
        assert!(found > 1_000, "{found}");
    }

    #[test]
    fn a_move_that_cannot_be_made_is_refused_and_changes_nothing() {
        let mut partial = PartialAction::new(Position::default());
        let m: Move = "(0T1w)e2e4".parse().unwrap();
        partial.push(m).unwrap();
        assert_eq!(partial.push(m), Err(IllegalMove::NotPlayable));
        assert_eq!(partial.moves(), [m]);
        assert_eq!(partial.mandatory_boards().count(), 0);
        partial.submit().unwrap();
        assert_eq!(partial.push("(0T1w)e2e4".parse().unwrap()), Err(IllegalMove::NotPlayable));
        assert_eq!(partial.pop(), None);
        assert_eq!(partial.submit(), Err(IllegalAction::NoMove));
    }
}
