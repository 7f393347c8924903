//! The status of a game: check, checkmate, stalemate and softmate (`spec/06-check-mate-stalemate.md`).

use super::legal::{Scope, Search};
use crate::state::Position;
use crate::types::{Action, Limit, Status, Undecided};

/// The status of a game for the player to move (R-6.7, R-6.8, R-6.9), with the evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The status.
    pub status: Status,
    /// Whether the opponent could capture a royal piece if the player passed.
    pub in_check: bool,
    /// A legal action, unless the game is over. In a softmate it is one that moves the present back.
    pub escape: Option<Action>,
    /// The number of search steps that the answer took.
    pub steps: u64,
}

impl Position {
    /// The status of the game for the player to move, with its evidence.
    ///
    /// ```
    /// use worldlines::notation::pgn5d;
    /// use worldlines::types::Status;
    ///
    /// // The game looks lost, but the king can still go back in time.
    /// let position = pgn5d::parse("1. f3 / e6 2. g4 / Qh4").into_result().unwrap().end();
    /// let outcome = position.outcome();
    /// assert_eq!(outcome.status, Status::Softmate);
    /// let escape = outcome.escape.unwrap();
    /// assert_eq!(pgn5d::action_text(&position, &escape), "(0T3)Ke1>>(0T2)f2");
    /// ```
    ///
    /// # Panics
    ///
    /// When the answer depends on actions that lead beyond the largest position supported, which takes a position with about
    /// [`MAX_TIMELINES`](crate::state::MAX_TIMELINES) timelines. [`Position::outcome_within`] says so without a panic.
    pub fn outcome(&self) -> Outcome {
        self.outcome_within(Limit::NONE).expect("an answer that does not depend on the size of positions")
    }

    /// The status of the game for the player to move; see [`Position::outcome`] for the evidence.
    ///
    /// # Panics
    ///
    /// In the same case as [`Position::outcome`].
    pub fn status(&self) -> Status {
        self.outcome().status
    }

    /// Whether the player to move has lost: in check without a legal action (R-6.7).
    ///
    /// ```
    /// use worldlines::notation::fen5d;
    ///
    /// let position = fen5d::parse("[k2/1Q1/1K1:0:1:b]").into_result()?;
    /// assert!(position.is_checkmate() && position.is_in_check() && !position.is_stalemate());
    /// # Ok::<(), worldlines::notation::ParseError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// In the same case as [`Position::outcome`].
    pub fn is_checkmate(&self) -> bool {
        self.status() == Status::Checkmate
    }

    /// Whether the player to move has no legal action and is not in check (R-6.8).
    ///
    /// # Panics
    ///
    /// In the same case as [`Position::outcome`].
    pub fn is_stalemate(&self) -> bool {
        self.status() == Status::Stalemate
    }

    /// The status of the game, if it is found within `limit`.
    ///
    /// # Errors
    ///
    /// If it is not found in time. Real games need a few dozen search steps; constructed positions can need any
    /// number.
    pub fn outcome_within<'l>(&self, limit: impl Into<Limit<'l>>) -> Result<Outcome, Undecided> {
        let limit = limit.into();
        let in_check = self.is_in_check();
        let (escape, spent) = self.first_action(Scope::All, limit)?;
        let Some(escape) = escape else {
            let status = if in_check { Status::Checkmate } else { Status::Stalemate };
            return Ok(Outcome { status, in_check, escape: None, steps: spent });
        };
        // A longer search asks whether every escape moves the present back, but only for a player in check
        // whose first escape does.
        if !in_check || self.advances(&escape) {
            return Ok(Outcome { status: Status::Ongoing, in_check, escape: Some(escape), steps: spent });
        }
        let (advancing, more) = self.first_action(Scope::Advancing, limit.after(spent))?;
        let (status, escape) = match advancing {
            Some(advancing) => (Status::Ongoing, advancing),
            None => (Status::Softmate, escape),
        };
        Ok(Outcome { status, in_check, escape: Some(escape), steps: spent + more })
    }

    /// The first legal action found, or `None` if there is none. A few dozen steps suffice in nearly all
    /// positions of games.
    ///
    /// # Errors
    ///
    /// If `limit` is reached before the answer is known.
    pub fn legal_action_within<'l>(&self, limit: impl Into<Limit<'l>>) -> Result<Option<Action>, Undecided> {
        self.first_action(Scope::All, limit.into()).map(|(action, _)| action)
    }

    /// The first legal action found, with the steps it took.
    pub(crate) fn first_legal_action(&self, limit: Limit<'_>) -> Result<(Option<Action>, u64), Undecided> {
        self.first_action(Scope::All, limit)
    }

    /// Like [`Position::first_legal_action`], but only for actions in which one piece jumps to the past and
    /// moves the present as far back as possible. Such actions depend least on other boards.
    pub(crate) fn first_rewinding_action(
        &self,
        limit: Limit<'_>,
    ) -> Result<(Option<Action>, u64), Undecided> {
        self.first_action(Scope::Rewinding, limit)
    }

    /// Whether the present is later after this action than before.
    fn advances(&self, action: &Action) -> bool {
        let mut after = self.clone();
        after.play_unchecked(action);
        after.present() > self.present()
    }

    fn first_action(&self, scope: Scope, limit: Limit<'_>) -> Result<(Option<Action>, u64), Undecided> {
        let mut search = Search::new(self, scope);
        let action = search.first(limit)?;
        Ok((action, search.steps()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::samples::multiverses;
    use crate::rules::{IllegalAction, IllegalMove, variants};
    use crate::state::{Board, LAST_TURN, MAX_TIMELINES, MAX_TURN, Setup};
    use crate::types::{
        Because, BoardCoordinate, BoardSize, Color, Coordinate, Move, MoveKind, Parity, Piece, PieceKind,
        RuleProfile, Square, Timeline,
    };

    /// Checks the branch of a knight in a position with so many timelines.
    fn branching(timelines: usize) -> Result<(), IllegalMove> {
        let size = BoardSize::new(2, 3).unwrap();
        let mut board = Board::empty(size);
        let (from, to) = (Square::new(0, 0).unwrap(), Square::new(0, 2).unwrap());
        board.put(from, Piece { color: Color::White, kind: PieceKind::Knight }, false);
        let at = |timeline, turn, color| (BoardCoordinate::new(timeline, turn, color), board);
        let mut boards: Vec<_> =
            (1..timelines as i16).map(|timeline| at(timeline, 2, Color::Black)).collect();
        boards.extend([at(0, 1, Color::White), at(0, 1, Color::Black), at(0, 2, Color::White)]);
        let setup = Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards };
        let mut position = Position::from_setup(&setup).unwrap();
        let before = position.clone();
        let branch = Move {
            kind: MoveKind::Branch,
            from: Coordinate { board: BoardCoordinate::new(0, 2, Color::White), square: from },
            to: Coordinate { board: BoardCoordinate::new(0, 1, Color::White), square: to },
            promotion: None,
        };
        let action = Action::new(vec![branch]);
        let listed = position.legal_actions().any(|other| other == action);
        let played = position.play(&action);
        assert_eq!(listed, played.is_ok(), "what is listed is what can be played");
        assert_eq!(position == before, played.is_err(), "what is refused leaves the position as it was");
        match played {
            Ok(_) => Ok(()),
            Err(IllegalAction::IllegalMove { number: 1, why, .. }) => Err(why),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn who_evades_check_by_moving_on_is_asked_for_one_action_only() {
        let size = BoardSize::new(3, 3).unwrap();
        let board = Board::from_rows("k2/3/R2", Some(size)).unwrap();
        let boards = vec![(BoardCoordinate::new(0, 1, Color::Black), board)];
        let profile = RuleProfile::default();
        let position = Position::from_setup(&Setup { size, parity: Parity::Odd, profile, boards }).unwrap();
        let outcome = position.outcome();
        assert_eq!((outcome.status, outcome.in_check), (Status::Ongoing, true));
        assert_eq!((outcome.escape, outcome.steps), position.first_legal_action(Limit::NONE).unwrap());
    }

    #[test]
    fn the_action_that_rewinds_is_one_jump_as_far_back_as_any() {
        let mut found = 0;
        for position in multiverses(1, 10_000) {
            let present_after = |action: &Action| {
                let mut after = position.clone();
                after.play(action).expect("a legal action");
                after.present()
            };
            let rewinds = |action: &Action| match action.moves() {
                [m] => {
                    m.to.board.half_turn.next() == present_after(action)
                        && present_after(action) < position.present()
                }
                _ => false,
            };
            let Some(legal) = few(&position) else { continue };
            let earliest = legal.iter().filter(|action| rewinds(action)).map(present_after).min();
            let (action, _) = position.first_rewinding_action(Limit::NONE).unwrap();
            let Some(action) = action else { continue };
            assert!(rewinds(&action), "{action:?} in {position:?}");
            assert_eq!(Some(present_after(&action)), earliest, "{action:?} in {position:?}");
            found += 1;
        }
        assert!(found > 50, "{found}");
    }

    /// The legal actions, if they are not many.
    fn few(position: &Position) -> Option<Vec<Action>> {
        const MANY: usize = 500;
        let legal: Vec<Action> = position.legal_actions().take(MANY).collect();
        (legal.len() < MANY).then_some(legal)
    }

    #[test]
    fn a_softmate_is_found_within_its_steps_and_not_within_fewer() {
        let standard = variants::by_name("Standard").unwrap().setup();
        let mut position = Position::from_setup(&standard).unwrap();
        for (from, to) in [((5, 1), (5, 2)), ((4, 6), (4, 5)), ((6, 1), (6, 3)), ((3, 7), (7, 3))] {
            let square = |(file, rank)| Square::new(file, rank).unwrap();
            let is_meant = |m: &Move| m.from.square == square(from) && m.to.square == square(to);
            let action = position.legal_actions().find(|action| action.moves().iter().all(is_meant));
            position.play(&action.unwrap()).unwrap();
        }
        let outcome = position.outcome_within(u64::MAX).unwrap();
        assert_eq!((outcome.status, outcome.in_check), (Status::Softmate, true));
        assert_eq!(position.outcome_within(outcome.steps), Ok(outcome.clone()));
        for steps in 0..outcome.steps {
            assert!(position.outcome_within(steps).is_err(), "{steps} of {}", outcome.steps);
        }
    }

    /// A position with so many timelines in which a queen can only go back a turn; on all other timelines
    /// Black is to move.
    fn only_a_branch(timelines: usize) -> Position {
        let size = BoardSize::new(1, 1).unwrap();
        let empty = Board::empty(size);
        let mut queen = empty;
        queen.put(Square::new(0, 0).unwrap(), Piece { color: Color::White, kind: PieceKind::Queen }, false);
        let at = |timeline, turn, color| (BoardCoordinate::new(timeline, turn, color), empty);
        let mut boards: Vec<_> =
            (1..timelines as i16).map(|timeline| at(timeline, 2, Color::Black)).collect();
        boards.extend([at(0, 1, Color::White), at(0, 1, Color::Black)]);
        boards.push((BoardCoordinate::new(0, 2, Color::White), queen));
        let profile = RuleProfile::default();
        Position::from_setup(&Setup { size, parity: Parity::Odd, profile, boards }).unwrap()
    }

    #[test]
    fn nothing_follows_from_what_is_too_large_to_be_looked_at() {
        let open = |undecided: Undecided| undecided.because == Because::Size;
        let fits = only_a_branch(MAX_TIMELINES - 1);
        assert_eq!(fits.outcome_within(u64::MAX).map(|outcome| outcome.status), Ok(Status::Ongoing));
        assert_eq!(fits.count_legal_actions(10).count, 1);
        let full = only_a_branch(MAX_TIMELINES);
        assert!(full.outcome_within(u64::MAX).is_err_and(open), "not stalemate");
        assert!(full.legal_action_within(u64::MAX).is_err_and(open));
        assert!(full.count_legal_actions_within(10, u64::MAX).is_err_and(open));
        let mut listed = full.legal_actions();
        assert_eq!(listed.next(), None);
        assert!(!listed.is_complete() && listed.end().is_some_and(|end| end.is_err_and(open)));
    }

    #[test]
    fn nothing_follows_from_the_end_of_all_turns() {
        let size = BoardSize::new(2, 1).unwrap();
        let board = Board::from_rows("K1", Some(size)).unwrap();
        let boards = vec![(BoardCoordinate::new(0, MAX_TURN, Color::White), board)];
        let profile = RuleProfile { time_travel: false, ..RuleProfile::default() };
        let setup = Setup { size, parity: Parity::Odd, profile, boards };
        let mut position = Position::from_setup(&setup).unwrap();
        for half_turn in 0.. {
            let (end, board) = position.multiverse().last(Timeline(0)).unwrap();
            if end.turn() == LAST_TURN {
                break;
            }
            // Black has no piece that could move, so both players move White's king here.
            let from = board.pieces().next().unwrap().0;
            let to = Square::new(1 - from.file(), 0).unwrap();
            let at = BoardCoordinate { timeline: Timeline(0), half_turn: end };
            let place = |square| Coordinate { board: at, square };
            position.push(&Move {
                kind: MoveKind::Physical,
                from: place(from),
                to: place(to),
                promotion: None,
            });
            position.switch_player();
            assert!(half_turn < 4 * i32::from(LAST_TURN));
        }
        assert_eq!(position.to_move(), Color::White);
        let undecided = position.outcome_within(u64::MAX).unwrap_err();
        assert_eq!(undecided.because, Because::Size, "not stalemate");
    }

    #[test]
    fn a_branch_needs_room_for_its_timeline() {
        assert_eq!(branching(MAX_TIMELINES - 1), Ok(()));
        assert_eq!(branching(MAX_TIMELINES), Err(IllegalMove::TooLarge));
    }

    #[test]
    fn an_escape_that_activates_an_earlier_timeline_moves_the_present_back() {
        let text = "[k*B3:0:1:w] [1B3:0:1:b] [1B3:0:2:w] [5:0:2:b] [k4:0:3:w] [k*BB2:1:1:b] [1BB2:1:2:w] \
                    [1B3:1:2:b] [k*BB2:2:1:b]";
        let position = crate::notation::fen5d::parse(text).into_result().unwrap();
        assert_eq!(position.outcome().status, Status::Softmate);
    }
}
