//! Sets of actions, named by the moves that may start on each board.

use crate::types::{Action, BoardCoordinate, Move};

/// What may start on a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Start {
    /// No move starts there. A piece may still arrive.
    Pass,
    /// This move starts there.
    Move(Move),
}

impl Start {
    /// What an action does on a board.
    pub fn of(action: &Action, board: BoardCoordinate) -> Start {
        action.move_from(board).map_or(Start::Pass, |m| Start::Move(*m))
    }
}

/// A set of actions of the player to move: those that do something listed on every board that is named.
///
/// On a board that is not named they may do anything. The order of branches does not matter.
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
    /// The class with these lists. Their order does not matter, and neither does a repeated entry of a list; a board
    /// that is named twice must do something that both lists hold.
    pub fn new(mut boards: Vec<(BoardCoordinate, Vec<Start>)>) -> Class {
        for (_, starts) in &mut boards {
            starts.sort_unstable();
            starts.dedup();
        }
        boards.sort_unstable();
        Class(boards)
    }

    /// The boards that are named, lowest timeline first, each with what may start there, sorted.
    pub fn boards(&self) -> &[(BoardCoordinate, Vec<Start>)] {
        &self.0
    }

    /// Whether an action belongs to the class.
    pub fn contains(&self, action: &Action) -> bool {
        self.0.iter().all(|(board, starts)| starts.binary_search(&Start::of(action, *board)).is_ok())
    }
}
