//! Sets of actions, named by the moves that may start on each board.

use crate::types::{Action, BoardCoordinate, Move};

/// The beginning of an action on one board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Start {
    /// No move starts there. A piece may still arrive.
    Pass,
    /// This move starts there.
    Move(Move),
}

impl Start {
    /// The part of an action that starts on a board.
    pub fn of(action: &Action, board: BoardCoordinate) -> Start {
        action.move_from(board).map_or(Start::Pass, |m| Start::Move(*m))
    }
}

/// A set of actions of the player to move: those that do one of the listed things on every named board.
///
/// On other boards they may do anything. The order of branches does not matter.
///
/// ```
/// use worldlines::notation::fen5d;
/// use worldlines::search::{Class, Start};
///
/// let position = fen5d::parse("[k2/3/2K:0:1:b]").into_result().unwrap();
/// let board = position.playable_boards().next().unwrap();
/// let action = position.legal_actions().next().unwrap();
/// assert!(Class::default().contains(&action));
/// assert!(Class::new(vec![(board, vec![Start::of(&action, board)])]).contains(&action));
/// assert!(!Class::new(vec![(board, vec![Start::Pass])]).contains(&action));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct Class(Vec<(BoardCoordinate, Vec<Start>)>);

impl Class {
    /// The class with these lists. Their order and repeated entries do not matter. A board that is named
    /// twice must do something that both lists contain.
    pub fn new(mut boards: Vec<(BoardCoordinate, Vec<Start>)>) -> Class {
        for (_, starts) in &mut boards {
            starts.sort_unstable();
            starts.dedup();
        }
        boards.sort_unstable();
        Class(boards)
    }

    /// The named boards, lowest timeline first, each with the sorted list of things that may start there.
    pub fn boards(&self) -> &[(BoardCoordinate, Vec<Start>)] {
        &self.0
    }

    /// Whether an action belongs to the class.
    pub fn contains(&self, action: &Action) -> bool {
        self.0.iter().all(|(board, starts)| starts.binary_search(&Start::of(action, *board)).is_ok())
    }
}
