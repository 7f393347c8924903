//! The wishes for a composition.

use crate::types::{BoardSize, PieceKind};

/// The properties that a composition should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wishes {
    /// N of the mate.
    pub mate_in: u32,
    /// The sizes of boards to choose from.
    pub sizes: Vec<BoardSize>,
    /// The kinds of pieces to choose from, beside kings.
    pub kinds: Vec<PieceKind>,
    /// The fewest pieces of a board that is set up, kings included.
    pub least_pieces: usize,
    /// The most pieces of a board that is set up, kings included.
    pub most_pieces: usize,
    /// Whether the game starts with two timelines.
    pub two_timelines: bool,
    /// The most actions that are played before the position.
    pub most_history: usize,
    /// Whether pieces may travel in those actions.
    pub history_travels: bool,
    /// Themes that the solution must show: words of `puzzles/themes.toml`.
    pub themes: Vec<String>,
    /// The fewest legal first actions.
    pub least_first_actions: u64,
    /// The most defences that may have duals.
    pub most_duals: usize,
    /// Whether the key must be quiet, or a sacrifice.
    pub fine_key: bool,
}

impl Default for Wishes {
    fn default() -> Wishes {
        let size = |side| BoardSize::new(side, side).expect("a size");
        Wishes {
            mate_in: 2,
            sizes: vec![size(4), size(5)],
            kinds: vec![
                PieceKind::Pawn,
                PieceKind::Knight,
                PieceKind::Bishop,
                PieceKind::Rook,
                PieceKind::Unicorn,
                PieceKind::Dragon,
                PieceKind::Princess,
            ],
            least_pieces: 3,
            most_pieces: 6,
            two_timelines: false,
            most_history: 3,
            history_travels: false,
            themes: Vec::new(),
            least_first_actions: 8,
            most_duals: 0,
            fine_key: true,
        }
    }
}
