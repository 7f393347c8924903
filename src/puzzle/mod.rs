//! Puzzle files: reading them, verifying every claim they make, and saying what is wrong.
//!
//! The format is described in `spec/puzzle-files.md`. [`load`] reads the documents of a file and [`verify`] answers ten
//! questions about each of them; a [`Report`] holds the answers. Nothing here reads or writes files.

pub mod certificate;
mod check;
mod class;
mod fix;
mod lint;
mod load;
mod model;
mod plain;
mod report;
#[cfg(test)]
mod schema;
mod select;
mod start;
mod table;
mod verify;

pub use check::{MAX_ID, MAX_MATE_IN, themes};
pub use fix::{Fixed, certify, fix};
pub use load::{
    CERTIFICATES, Document, File, MAX_DOCUMENTS, MAX_FILE_BYTES, is_puzzle_file, load, refuse_repeated_ids,
};
pub use model::{
    ANY, At, Budget, ClassText, DEFAULT_NODES, Goal, PASS, Puzzle, Refutation, Reply, Rows, Rules, SCHEMA,
    STALEMATE, Scope, Source, Start, Starts, StatusWord, Tries, TryClass,
};
pub use report::{Answer, Finding, Report, Step};
pub use select::Filter;
pub use table::Table;
pub use verify::{Options, verify};
