//! Playing actions: whether one is legal, and what follows it (`spec/05-actions.md`).

use super::illegal::IllegalAction;
use crate::state::{Position, Undo};
use crate::types::Action;

/// The reason why an action is illegal, not yet explained.
enum Obstacle {
    NoMove,
    /// The move with this index cannot be made.
    Move(usize),
    Submit(IllegalAction),
}

impl Position {
    /// Plays an action if it is legal; otherwise the position stays as it is. Pass the returned value to
    /// [`Position::undo`] to take the action back.
    ///
    /// ```
    /// use worldlines::rules::{IllegalAction, IllegalMove};
    /// use worldlines::state::Position;
    /// use worldlines::types::Action;
    ///
    /// let mut position = Position::default();
    /// let action: Action = "(0T1w)e2e4".parse()?;
    /// let undo = position.play(&action)?;
    ///
    /// // It is Black's turn now, so the same action cannot be played again.
    /// let refused = position.play(&action).unwrap_err();
    /// let IllegalAction::IllegalMove { number: 1, why: IllegalMove::NotPlayable, .. } = refused else { panic!() };
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "move 1, (0T1w)e2e4, cannot be made: the board where it begins is not playable now"
    /// );
    ///
    /// position.undo(undo)?;
    /// assert_eq!(position, Position::default());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, in the order: no move, a move that cannot be made, the present, check.
    pub fn play(&mut self, action: &Action) -> Result<Undo, IllegalAction> {
        self.try_play(action, |before, obstacle| match obstacle {
            Obstacle::NoMove => IllegalAction::NoMove,
            Obstacle::Submit(reason) => reason,
            Obstacle::Move(index) => {
                let m = action.moves()[index];
                IllegalAction::IllegalMove { number: index + 1, m, why: before.why_illegal(&m) }
            }
        })?;
        Ok(self.undo_of(action))
    }

    /// Like [`Position::play`], without the reason. [`Position::undo_unchecked`] takes the action back.
    pub(crate) fn play_if_legal(&mut self, action: &Action) -> bool {
        self.try_play(action, |_, _| ()).is_ok()
    }

    /// Plays an action if it is legal. Otherwise calls `explain` in the position after the moves that could
    /// be made.
    fn try_play<E>(
        &mut self,
        action: &Action,
        explain: impl FnOnce(&Position, Obstacle) -> E,
    ) -> Result<(), E> {
        let mut made = 0;
        let moves = action.moves();
        let obstacle = loop {
            match moves.get(made) {
                None if moves.is_empty() => break Some(Obstacle::NoMove),
                None => break self.can_submit().err().map(Obstacle::Submit),
                Some(m) if !self.has_room_for(m) || !self.is_pseudo_legal(m) => {
                    break Some(Obstacle::Move(made));
                }
                Some(m) => self.push(m),
            }
            made += 1;
        };
        let Some(obstacle) = obstacle else {
            self.switch_player();
            return Ok(());
        };
        let refused = explain(self, obstacle);
        for m in moves[..made].iter().rev() {
            self.pop(m);
        }
        Err(refused)
    }

    /// Whether the action under way may be submitted now.
    ///
    /// Checks only the end of the action: the present, and captures of royal pieces. It relies on each move
    /// having been possible.
    pub(crate) fn can_submit(&self) -> Result<(), IllegalAction> {
        if self.present().color() == self.to_move() {
            return Err(IllegalAction::PresentNotAdvanced);
        }
        self.exposed_royal().map_or(Ok(()), |check| Err(IllegalAction::Exposed(check)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::illegal::IllegalMove;
    use crate::rules::samples::{Random, multiverses};
    use crate::rules::variants::by_name;
    use crate::types::{Move, MoveKind};

    #[test]
    fn an_illegal_action_names_its_move_and_says_why() {
        let two = by_name("Standard - Two Timelines").unwrap().setup();
        let mut position = Position::from_setup(&two).unwrap();
        let before = position.clone();
        for (action, number, why) in [
            ("(-1T1w)e2e4 (0T1w)e2e5", 2, IllegalMove::Unreachable),
            ("(-1T1w)e3e4 (0T1w)e2e4", 1, IllegalMove::NoPiece),
            ("(-1T1w)e7e5 (0T1w)e2e4", 1, IllegalMove::NoPiece),
            ("(-1T1w)e2e4 (1T1w)e2e4", 2, IllegalMove::NotPlayable),
            ("(-1T1b)e7e5 (0T1w)e2e4", 1, IllegalMove::NotPlayable),
            ("(-1T1w)g1>(0T2w)g1 (0T1w)e2e4", 1, IllegalMove::NoTarget),
            ("(-1T1w)g1>>(0T1w)g3", 1, IllegalMove::WrongKind(MoveKind::Hop)),
            ("(-1T1w)e2e4=Q (0T1w)e2e4", 1, IllegalMove::WrongPromotion),
        ] {
            let action: Action = action.parse().unwrap();
            let m = action.moves()[number - 1];
            assert_eq!(position.play(&action), Err(IllegalAction::IllegalMove { number, m, why }));
            assert!(position == before && !position.play_if_legal(&action));
        }
        let one: Action = "(0T1w)e2e4".parse().unwrap();
        assert_eq!(position.play(&one), Err(IllegalAction::PresentNotAdvanced));
        assert_eq!(position.play(&Action::default()), Err(IllegalAction::NoMove));
        assert_eq!(position, before);
    }

    #[test]
    fn every_move_is_pseudo_legal_or_has_a_reason() {
        let mut random = Random(7);
        let (mut possible, mut refused) = (0, 0);
        for position in multiverses(11, 400) {
            let mut moves = position.pseudo_legal_moves();
            for index in 0..moves.len() {
                let (one, other) = (moves[index], *random.pick(&moves).expect("moves"));
                moves.push(Move { to: other.to, ..one });
                moves.push(Move { kind: other.kind, ..one });
                moves.push(Move { from: other.from, ..one });
                moves.push(Move { promotion: other.promotion, ..one });
            }
            let all = position.pseudo_legal_moves();
            for m in &moves {
                assert_eq!(position.check_move(m).is_ok(), all.contains(m), "{m} in {position:?}");
                *if all.contains(m) { &mut possible } else { &mut refused } += 1;
            }
        }
        assert!(possible > 5_000 && refused > 5_000, "{possible} {refused}");
    }

    /// Positions, each with some of its legal actions.
    fn played(count: usize) -> impl Iterator<Item = (Position, Vec<Action>)> {
        multiverses(3, count).map(|position| {
            let actions = position.legal_actions().take(20).collect();
            (position, actions)
        })
    }

    #[test]
    fn what_was_played_is_taken_back() {
        let mut count = 0;
        for (position, actions) in played(1_000) {
            for action in &actions {
                let mut after = position.clone();
                let undo = after.play(action).unwrap();
                let again = after.play(action).map(|_| ()).unwrap_err();
                assert!(matches!(again, IllegalAction::IllegalMove { .. }), "{again:?}");
                assert_eq!(undo.action(), action);
                assert_eq!(after.undo(undo), Ok(()));
                assert_eq!(after, position);
                count += 1;
            }
        }
        assert!(count > 3_000, "{count}");
    }

    /// An undo is given to other positions, among them those before and after. They refuse it, or taking back
    /// leads to a position from which the action leads back.
    #[test]
    fn an_undo_is_refused_by_positions_to_which_the_action_did_not_lead() {
        let mut others: Vec<Position> = Vec::new();
        let (mut refused, mut taken) = (0, 0);
        for (position, actions) in played(400) {
            for action in &actions {
                let mut after = position.clone();
                drop(after.play(action).unwrap());
                others.extend([position.clone(), after.clone()]);
                let replies: Vec<Action> = after.legal_actions().take(2).collect();
                others.extend(replies.iter().map(|reply| {
                    let mut later = after.clone();
                    drop(later.play(reply).unwrap());
                    later
                }));
                let recent = others.len().saturating_sub(12);
                for other in &others[recent..] {
                    let mut played = position.clone();
                    let undo = played.play(action).unwrap();
                    let mut undone = other.clone();
                    match undone.undo(undo) {
                        Err(error) => {
                            assert_eq!(undone, *other, "a refusal changes nothing");
                            assert_eq!(error.into_undo().action(), action);
                            refused += 1;
                        }
                        Ok(()) => {
                            assert!(Position::from_setup(&undone.to_setup()).as_ref() == Ok(&undone));
                            undone.play_unchecked(action);
                            assert_eq!(undone, *other);
                            taken += 1;
                        }
                    }
                }
            }
        }
        assert!(refused > 10_000 && taken > 1_000, "{refused} refused, {taken} taken back");
    }
}
