//! The Python package `worldlines`: a thin layer over the library. `worldlines/_core.pyi` is its interface, with types.
//!
//! | file | holds |
//! |---|---|
//! | `values` | moves, actions, positions, places |
//! | `position` | questions about positions |
//! | `reading` | texts in any notation |
//! | `analysis` | the engine at work while the program goes on |
//! | `actions` | lists of legal actions, and actions entered move by move |
//! | `game` | games, and every notation |
//! | `notes`, `review` | comments, judgements and variations of games; reviews that write them |
//! | `search` | the prover, the engine, certificates |
//! | `puzzles` | puzzle files, and the collection |
//! | `learn` | batches for machine learning |
//! | `errors` | exceptions and records, whose classes are in Python |
//! | `work` | long calls, which Ctrl-C ends |

mod actions;
mod analysis;
mod errors;
mod game;
mod learn;
mod notes;
mod position;
mod puzzles;
mod reading;
mod review;
mod search;
mod values;
mod work;

/// The extension module. `worldlines/__init__.py` has its content.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use super::actions::{LegalActions, PartialAction, uci_move, uci_text};
    #[pymodule_export]
    use super::analysis::Analysis;
    #[pymodule_export]
    use super::game::{Game, convert, detect, notations, read_games};
    #[pymodule_export]
    use super::learn::{move_table, piece_names, plane_names, planes, playouts};
    #[pymodule_export]
    use super::position::list_variants;
    #[pymodule_export]
    use super::puzzles::{Puzzle, one_puzzle, puzzles, read_puzzles};
    #[pymodule_export]
    use super::search::check_certificate;
    #[pymodule_export]
    use super::values::{Action, Move, Position};
}
