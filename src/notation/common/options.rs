//! Options for reading and writing that the text itself does not give.

use crate::state::Position;

/// Options of the reader or writer of a text. Most notations need none of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The start position, for notations that do not say it. `None` means the start of `Standard`.
    pub start: Option<Position>,
    /// Whether coordinates count from 0, in texts read and written, in notations in which they usually count
    /// from 1.
    pub zero_based: bool,
    /// The pawns that count as unmoved, in notations that do not say it.
    pub unmoved_pawns: UnmovedPawns,
    /// Whether to compare the marks for check and mate in the text with the position. This takes time.
    pub check_marks: bool,
}

/// The rule by which pawns and brawns count as unmoved, for notations that do not say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UnmovedPawns {
    /// Those in front of their player's first rank: on the second rank and on the last but one.
    #[default]
    StartRank,
    /// All of them.
    All,
    /// None of them.
    None,
}
