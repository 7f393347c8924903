//! Puzzle files: reading them, verifying every claim they make, and saying what is wrong.
//!
//! The format is described in `spec/puzzle-files.md`. [`load`] reads the documents of a file and [`verify`] answers nine
//! questions about each of them; a [`Report`] holds the answers. Nothing here reads or writes files.

mod check;
mod load;
mod model;
mod report;
#[cfg(test)]
mod schema;
mod select;
mod start;
mod verify;

pub use check::{MAX_ID, MAX_MATE_IN, themes};
pub use load::{Document, File, MAX_DOCUMENTS, MAX_FILE_BYTES, load, refuse_repeated_ids};
pub use model::{
    At, Budget, DEFAULT_NODES, Goal, Puzzle, Reply, Rules, SCHEMA, Scope, Source, Start, StatusWord, Table,
    Tries,
};
pub use report::{Answer, Finding, Report, Step};
pub use select::Filter;
pub use verify::{Options, verify};
