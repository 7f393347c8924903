//! A position that can be played.

use std::fmt;

use super::{Board, MAX_TIMELINES, MAX_TURN, Multiverse, Setup, SetupError};
use crate::types::{
    Action, BoardCoordinate, BoardSize, Color, HalfTurn, Move, MoveKind, Parity, RuleProfile, Timeline,
};

/// The turn in which every game ends: boards that have reached it cannot be played, as if they had no pieces.
/// A game that starts at the last turn allowed can continue for as many turns again, and half-turns still fit
/// into an `i16`.
pub(crate) const LAST_TURN: i16 = 2 * MAX_TURN;

/// A multiverse, the player to move, and the rules in force.
///
/// The player to move is the colour of the present. Whole actions are [played](Position::play) and
/// [taken back](Position::undo); an action that is entered move by move is a
/// `PartialAction` of the rules.
///
/// ```
/// use worldlines::notation::fen5d;
/// use worldlines::types::{BoardCoordinate, Color, HalfTurn, Square};
///
/// let position = fen5d::parse("[k2/2Q/1K1:0:1:b]").into_result().unwrap();
/// assert_eq!(position.to_move(), Color::Black);
/// assert_eq!(position.present(), HalfTurn::new(1, Color::Black));
/// let board = position.board(BoardCoordinate::new(0, 1, Color::Black)).unwrap();
/// assert_eq!(board.get(Square::new(2, 1).unwrap()).unwrap().to_string(), "white queen");
/// assert_eq!(position.to_string(), "[k2/2Q/1K1:0:1:b]");
/// ```
///
/// # Equality
///
/// Two positions are equal when every board of every timeline is equal, with the same player to move under
/// the same rules. The moves that led to a position count only as far as its boards show them. Since every
/// action adds boards, a position never repeats within a game (R-6.11).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Position {
    size: BoardSize,
    profile: RuleProfile,
    to_move: Color,
    multiverse: Multiverse,
}

impl Position {
    /// The position of these boards. The player to move is the colour of the present.
    ///
    /// # Errors
    ///
    /// When the boards leave gaps, repeat, differ in size or exceed a limit: see [`SetupError`].
    pub fn from_setup(setup: &Setup) -> Result<Position, SetupError> {
        let multiverse = Multiverse::from_sorted(setup.parity, &setup.sorted()?);
        let to_move = multiverse.present().color();
        Ok(Position { size: setup.size, profile: setup.profile, to_move, multiverse })
    }

    /// The boards and rules of this position as a setup, from which an equal position can be made.
    pub fn to_setup(&self) -> Setup {
        Setup {
            size: self.size,
            parity: self.parity(),
            profile: self.profile,
            boards: self.multiverse.boards().map(|(at, board)| (at, *board)).collect(),
        }
    }

    /// The size of every board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The parity, which decides the labels of timelines.
    pub fn parity(&self) -> Parity {
        self.multiverse.parity()
    }

    /// The promotions and other rules in force.
    pub fn profile(&self) -> RuleProfile {
        self.profile
    }

    /// The same boards under other rules.
    #[must_use]
    pub(crate) fn with_profile(self, profile: RuleProfile) -> Position {
        Position { profile, ..self }
    }

    /// The player whose turn it is.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The timelines and their boards.
    pub fn multiverse(&self) -> &Multiverse {
        &self.multiverse
    }

    /// The board at a coordinate.
    pub fn board(&self, at: BoardCoordinate) -> Option<&Board> {
        self.multiverse.board(at)
    }

    /// The present: the earliest half-turn at which an active timeline ends (R-4.4).
    pub fn present(&self) -> HalfTurn {
        self.multiverse.present()
    }

    /// The coordinate of the last board of a timeline, if the player to move can play it (R-4.7).
    pub fn playable(&self, timeline: Timeline) -> Option<BoardCoordinate> {
        let half_turn = self.multiverse.span(timeline)?.1;
        (half_turn.color() == self.to_move).then_some(BoardCoordinate { timeline, half_turn })
    }

    /// Every board from which the player to move can move now, lowest timeline first.
    pub fn playable_boards(&self) -> impl Iterator<Item = BoardCoordinate> + '_ {
        self.multiverse.timelines().filter_map(|timeline| self.playable(timeline))
    }

    /// The boards that the player to move must play before the action can be submitted, unless a branch moves
    /// the present: the last boards of the active timelines that end at the present (R-5.3), lowest timeline
    /// first.
    pub fn mandatory_boards(&self) -> impl Iterator<Item = BoardCoordinate> + '_ {
        let present = self.present();
        let active = self.multiverse.active().iter().filter_map(|timeline| self.playable(timeline));
        active.filter(move |at| at.half_turn == present)
    }

    /// Whether a game can have come from `earlier` to this position: it has the same rules and all boards of
    /// `earlier`.
    pub(crate) fn continues(&self, earlier: &Position) -> bool {
        let rules = |position: &Position| (position.size, position.profile);
        rules(self) == rules(earlier) && self.multiverse.continues(&earlier.multiverse)
    }

    /// The kind that a move from `from` to `to` would have now (R-3.5), or `None` when the target board does
    /// not exist.
    pub fn move_kind(&self, from: BoardCoordinate, to: BoardCoordinate) -> Option<MoveKind> {
        let (start, end) = self.multiverse.span(to.timeline)?;
        if to.half_turn < start || to.half_turn > end || to.color() != from.color() {
            None
        } else if from == to {
            Some(MoveKind::Physical)
        } else if to.half_turn == end {
            Some(MoveKind::Hop)
        } else {
            Some(MoveKind::Branch)
        }
    }

    /// Whether the limits of size allow this move: a branch needs room for a timeline.
    pub(crate) fn has_room_for(&self, m: &Move) -> bool {
        m.kind != MoveKind::Branch || self.multiverse.range().len() < MAX_TIMELINES
    }

    /// A board of this position as a block of 5DFEN, for `Display`.
    pub(crate) fn block<'b>(&self, at: BoardCoordinate, board: &'b Board) -> BlockText<'b> {
        BlockText { parity: self.parity(), at, board }
    }

    // Playing and taking back:
    //
    // |               | one move      | a whole action                             |
    // |---------------|---------------|--------------------------------------------|
    // | must be legal | `push`, `pop` | `play_unchecked`, `undo_unchecked`         |
    // | is checked    | `check_move`  | `play`, `undo` (`play_if_legal` says less) |
    //
    // `check_move`, `play` and `play_if_legal` are in `rules`. Boards never change, so a move only pushes boards, and taking it back pops them.

    /// Makes one move of an action (R-3.1, R-3.2, R-3.3), which must be pseudo-legal.
    pub(crate) fn push(&mut self, m: &Move) {
        let source = self.board(m.from.board).expect("the source board exists");
        if m.kind == MoveKind::Physical {
            let moved = source.after_physical(m.from.square, m.to.square, m.promotion);
            self.multiverse.push_board(m.from.board.timeline, &moved);
            return;
        }
        let target = self.board(m.to.board).expect("the target board exists");
        let arrived = target.after_arrival(source, m.from.square, m.to.square, m.promotion);
        let left = source.after_departure(m.from.square);
        self.multiverse.push_board(m.from.board.timeline, &left);
        if m.kind == MoveKind::Hop {
            self.multiverse.push_board(m.to.board.timeline, &arrived);
        } else {
            self.multiverse.push_timeline(self.to_move, m.to.board.half_turn.next(), &arrived);
        }
    }

    /// Takes back the move that was pushed last, which must be `m`.
    pub(crate) fn pop(&mut self, m: &Move) {
        match m.kind {
            MoveKind::Physical => {}
            MoveKind::Hop => self.multiverse.pop_board(m.to.board.timeline),
            MoveKind::Branch => self.multiverse.pop_timeline(self.to_move),
        }
        self.multiverse.pop_board(m.from.board.timeline);
    }

    /// Leaves the last board of a timeline as it is for one half-turn, as a player does who passes (R-6.4).
    pub(crate) fn push_pass(&mut self, timeline: Timeline) {
        let board = *self.multiverse.last(timeline).expect("a timeline of the position").1;
        self.multiverse.push_board(timeline, &board);
    }

    /// Takes back the pass that was pushed last on this timeline.
    pub(crate) fn pop_pass(&mut self, timeline: Timeline) {
        self.multiverse.pop_board(timeline);
    }

    /// Ends the action under way, so that the opponent is to move; or takes such an end back, so that the moves can be popped.
    pub(crate) fn switch_player(&mut self) {
        self.to_move = !self.to_move;
    }

    /// Plays a whole action, which must be legal. [`Position::undo_unchecked`] takes it back.
    pub(crate) fn play_unchecked(&mut self, action: &Action) {
        for m in action.moves() {
            self.push(m);
        }
        self.switch_player();
    }

    /// Takes back the action that was played last, which must be this one.
    pub(crate) fn undo_unchecked(&mut self, action: &Action) {
        self.switch_player();
        for m in action.moves().iter().rev() {
            self.pop(m);
        }
    }

    /// The undo of this action, which has just been played.
    pub(crate) fn undo_of(&self, action: &Action) -> Undo {
        Undo { action: action.clone(), boards: self.multiverse.count() }
    }

    /// Takes back an action that was played.
    ///
    /// ```
    /// use worldlines::state::Position;
    ///
    /// let mut position = Position::default();
    /// let first = position.play(&"(0T1w)e2e4".parse()?)?;
    /// let second = position.play(&"(0T1b)e7e5".parse()?)?;
    ///
    /// // What was played last is taken back first.
    /// let first = position.undo(first).unwrap_err().into_undo();
    /// position.undo(second)?;
    /// position.undo(first)?;
    /// assert_eq!(position, Position::default());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the position is not the one after the action: another action was played since, or it was played
    /// in another position. Then the position stays as it is. Only the boards count, so a copy of the
    /// position can take the action back too.
    pub fn undo(&mut self, undo: Undo) -> Result<(), UndoError> {
        if !self.was_left_by(&undo) {
            return Err(UndoError(undo));
        }
        self.undo_unchecked(&undo.action);
        // The boards are those that the action makes, but before them it was not its player's turn: the undo belongs to another position.
        if self.present().color() != self.to_move {
            self.play_unchecked(&undo.action);
            return Err(UndoError(undo));
        }
        Ok(())
    }

    /// Whether the last boards are those that the action makes of the boards before them.
    fn was_left_by(&self, undo: &Undo) -> bool {
        let creator = !self.to_move;
        let range = self.multiverse.range();
        let mut newest = if creator == Color::White { range.highest } else { range.lowest };
        let ends_with = |board: BoardCoordinate, content: &Board| {
            self.multiverse.last(board.timeline) == Some((board.half_turn.next(), content))
        };
        let mut was_made = |m: &Move| {
            let (from, to) = (m.from.board, m.to.board);
            let (Some(source), Some(target)) = (self.board(from), self.board(to)) else { return false };
            if from.color() != creator {
                return false;
            }
            if m.kind == MoveKind::Physical {
                return ends_with(from, &source.after_physical(m.from.square, m.to.square, m.promotion));
            }
            let arrived = target.after_arrival(source, m.from.square, m.to.square, m.promotion);
            let landed = if m.kind == MoveKind::Hop {
                ends_with(to, &arrived)
            } else {
                let created = BoardCoordinate { timeline: newest, ..to };
                let begins = Some((to.half_turn.next(), to.half_turn.next()));
                newest.0 -= creator.branch_direction();
                !self.parity().central().contains(created.timeline)
                    && self.multiverse.span(created.timeline) == begins
                    && ends_with(created, &arrived)
            };
            landed && ends_with(from, &source.after_departure(m.from.square))
        };
        self.multiverse.count() == undo.boards && undo.action.moves().iter().rev().all(&mut was_made)
    }
}

/// An undo of an action: [`Position::play`] returns it, and [`Position::undo`] consumes it.
#[derive(PartialEq, Eq, Debug)]
pub struct Undo {
    action: Action,
    /// The number of boards after the action.
    boards: usize,
}

impl Undo {
    /// The action that was played.
    pub fn action(&self) -> &Action {
        &self.action
    }
}

/// The error that the position is not the one after the action, so that the action cannot be undone.
#[derive(PartialEq, Eq, Debug)]
pub struct UndoError(Undo);

impl UndoError {
    /// The refused undo, which can still be used in the right position.
    pub fn into_undo(self) -> Undo {
        self.0
    }
}

impl fmt::Display for UndoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not the action that led to this position", self.0.action)
    }
}

impl std::error::Error for UndoError {}

/// A board as a block of 5DFEN, for `Display`.
pub(crate) struct BlockText<'b> {
    parity: Parity,
    at: BoardCoordinate,
    board: &'b Board,
}

impl fmt::Display for BlockText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlockText { parity, at, board } = self;
        let (label, turn) = (parity.label(at.timeline), at.half_turn.turn());
        write!(f, "[{}:{label}:{turn}:{}]", board.rows(), at.color().letter())
    }
}

/// Writes 5DFEN, one board in each line, by timeline and time, so that a position in a message can be pasted
/// into a command.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (at, board)) in self.multiverse.boards().enumerate() {
            let line_end = if index == 0 { "" } else { "\n" };
            write!(f, "{line_end}{}", self.block(at, board))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { size, profile, to_move, .. } = self;
        write!(f, "{to_move} to move, {size}, {:?}, {}:", self.parity(), profile)?;
        for (at, board) in self.multiverse.boards() {
            write!(f, " {}", self.block(at, board))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{MAX_BOARDS, SetupProblem};
    use crate::types::{Coordinate, Piece, PieceKind, Square, TimelineRange};

    fn square(text: &str) -> Square {
        let bytes = text.as_bytes();
        Square::new(bytes[0] - b'a', bytes[1] - b'1').unwrap()
    }

    #[test]
    fn pushing_and_popping_restores_everything() {
        let size = BoardSize::new(5, 5).unwrap();
        let mut board = Board::empty(size);
        board.put(square("b2"), Piece { color: Color::White, kind: PieceKind::Knight }, true);
        let boards = vec![
            (BoardCoordinate::new(0, 1, Color::White), board),
            (BoardCoordinate::new(0, 1, Color::Black), board),
            (BoardCoordinate::new(0, 2, Color::White), board),
        ];
        let setup = Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards };
        let mut position = Position::from_setup(&setup).unwrap();
        let start = position.clone();
        let at = |turn| BoardCoordinate::new(0, turn, Color::White);
        let branch = Move {
            kind: MoveKind::Branch,
            from: Coordinate { board: at(2), square: square("b2") },
            to: Coordinate { board: at(1), square: square("d2") },
            promotion: None,
        };
        let action = Action::new(vec![branch]);
        position.play_unchecked(&action);
        assert_eq!(position.multiverse().range(), TimelineRange::new(Timeline(0), Timeline(1)));
        assert_eq!(position.present(), HalfTurn::new(1, Color::Black));
        assert_ne!(position, start);
        position.undo_unchecked(&action);
        assert_eq!(position, start);
        assert_eq!(Position::from_setup(&position.to_setup()).unwrap(), start);
    }

    #[test]
    fn setups_with_gaps_are_refused() {
        let size = BoardSize::new(2, 2).unwrap();
        let board = Board::empty(size);
        let setup = |places: &[(i16, i16, Color)]| Setup {
            size,
            parity: Parity::Odd,
            profile: RuleProfile::default(),
            boards: places.iter().map(|&(l, t, c)| (BoardCoordinate::new(l, t, c), board)).collect(),
        };
        let refused =
            |places: &[(i16, i16, Color)]| Position::from_setup(&setup(places)).unwrap_err().problem;
        use Color::{Black, White};
        assert_eq!(refused(&[]), SetupProblem::NoBoards);
        assert_eq!(refused(&[(1, 1, White)]), SetupProblem::MissingTimeline(Timeline(0)));
        assert_eq!(refused(&[(0, 1, White), (2, 1, White)]), SetupProblem::MissingTimeline(Timeline(1)));
        assert_eq!(
            refused(&[(0, 1, White), (0, 2, White)]),
            SetupProblem::MissingBoard(BoardCoordinate::new(0, 1, Black))
        );
        assert_eq!(
            refused(&[(0, 1, White), (0, 1, White)]),
            SetupProblem::Repeated(BoardCoordinate::new(0, 1, White))
        );
        let even = Setup { parity: Parity::Even, ..setup(&[(-1, 1, White), (0, 1, White), (0, 1, White)]) };
        let said = Position::from_setup(&even).unwrap_err().to_string();
        assert_eq!(said, "the board (+0T1w) is given twice");
    }

    #[test]
    fn setups_beyond_the_limits_are_refused() {
        use Color::{Black, White};
        let size = BoardSize::new(2, 2).unwrap();
        let read = |boards: Vec<(BoardCoordinate, Board)>| {
            let setup = Setup { size, parity: Parity::Odd, profile: RuleProfile::default(), boards };
            Position::from_setup(&setup).map_err(|error| error.problem)
        };
        let at = |timeline, turn, color| (BoardCoordinate::new(timeline, turn, color), Board::empty(size));
        for (turn, color) in [(0, White), (MAX_TURN, Black)] {
            assert!(read(vec![at(0, turn, color)]).is_ok());
        }
        for (turn, color) in [(-1, Black), (MAX_TURN + 1, White)] {
            let wrong = at(0, turn, color);
            assert_eq!(read(vec![wrong]).unwrap_err(), SetupProblem::TurnOutOfRange(wrong.0));
        }
        let wide = Board::empty(BoardSize::new(3, 2).unwrap());
        let wrong = BoardCoordinate::new(0, 1, Black);
        assert_eq!(read(vec![at(0, 1, White), (wrong, wide)]).unwrap_err(), SetupProblem::WrongSize(wrong));
        let timelines = |count: usize| (0..count as i16).map(|timeline| at(timeline, 1, White)).collect();
        assert!(read(timelines(MAX_TIMELINES)).is_ok());
        assert_eq!(read(timelines(MAX_TIMELINES + 1)).unwrap_err(), SetupProblem::TooManyTimelines);
        let boards = vec![at(0, 1, White); MAX_BOARDS + 1];
        assert_eq!(read(boards).unwrap_err(), SetupProblem::TooManyBoards);
    }
}
