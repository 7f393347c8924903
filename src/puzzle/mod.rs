//! Puzzle files: reading them, verifying every claim, and reporting what is wrong.
//!
//! The format is described in `spec/puzzle-files.md`. [`load`] reads the documents of a file. [`verify`]
//! checks each of them step by step ([`Step`]) and returns a [`Report`]. No code here reads or writes files
//! on disk.
//!
//! | file | question |
//! |---|---|
//! | `grammar`, `shape` | which fields has a puzzle file, and what of a file is none of them? |
//! | `yaml`, `deserialize`, `model` | what does the text say? [`Puzzle`], every value with its place |
//! | `load`, `select` | which puzzles are in a file, and which of them are wanted? [`Document`] |
//! | `check` | which fields contradict each other? |
//! | `start`, `resolve` | which position and which actions do the texts mean? [`Resolved`] |
//! | `class`, `table` | which actions does a row of a table match? |
//! | `verify` | is every claim true, and by evidence? [`verify()`] |
//! | [`certificate`] | how is a certificate read and written? |
//! | `fix`, `format` | which text would be complete, and which is canonical? [`fix()`], [`format()`] |
//! | `editor`, `claims` | would an editor print it, and does its point say the truth? [`review`] |
//! | `lint` | could a game reach the start? |
//! | `judge` | is an answer to a puzzle right? [`Judge`] |
//! | `announced` | which mate does a game announce in its header? |
//! | `unmoved` | what does a drawing of the start not show? [`unmoved()`] |
//! | `finding`, `fault`, `report` | how is it told? [`Finding`], [`Report`] |

mod announced;
pub mod certificate;
mod check;
mod claims;
mod class;
mod deserialize;
mod editor;
mod fault;
mod finding;
mod fix;
mod format;
mod grammar;
mod judge;
mod lint;
mod load;
mod model;
mod report;
mod resolve;
#[cfg(test)]
mod schema;
mod select;
mod shape;
mod start;
mod table;
mod unmoved;
mod verify;
mod yaml;

pub use announced::{FALSE_HEADER, PUZZLE_HEADER, announced_mate};
pub use check::{MAX_ID, MAX_MATE_IN, NO_SOLUTIONS, closest, themes};
pub use deserialize::from_yaml;
#[cfg(feature = "compose")]
pub(crate) use editor::without_boards;
pub use editor::{Objection, Review, glance, review};
pub use finding::{Finding, Remark};
pub use fix::{FixError, Fixed, Wanted, certify, fix, repair};
pub use format::{NotFormatted, format};
pub use judge::{Basis, IllegalAnswer, Judge, Judged, Judgement, NoJudge};
pub use lint::{KING_CAPTURABLE, capturable_royal, royal_capture};
pub use load::{
    CERTIFICATES, Document, File, MAX_DOCUMENTS, MAX_FILE_BYTES, RepeatedId, is_puzzle_file, load,
    refuse_repeated_ids,
};
pub use model::{
    ANY, Budget, Change, ClassText, Comment, DEFAULT_NODES, Dual, Duals, Goal, Lesson, Mover, NONE, PASS,
    Puzzle, Refutation, Reply, Rows, Rules, SCHEMA, STALEMATE, Scope, Source, Spanned, Start, Starts,
    StatusWord, Tries, TryClass, Twin,
};
pub use report::{Answer, Report, Step, Support};
pub use resolve::Resolved;
pub use select::Filter;
pub use table::Table;
pub use unmoved::{Unmoved, unmoved};
#[cfg(feature = "oracle")]
pub(crate) use verify::twin::twin_of;
pub use verify::{Options, verify};
