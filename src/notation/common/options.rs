//! What the reader of a text knows beside it.

use crate::state::Position;

/// What the reader or writer of a text knows beside it. Most notations need none of this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The start position, for notations that do not say it. Without, that is the start of `Standard`.
    pub start: Option<Position>,
    /// Coordinates count from 0, in what is read and what is written, in notations in which they usually count from 1.
    pub zero_based: bool,
    /// Which pawns have never moved, in notations that do not say it.
    pub unmoved_pawns: UnmovedPawns,
    /// Compare what the text says about check and mate with what is the case. That takes time.
    pub check_marks: bool,
}

/// Which pawns and brawns have never moved, for notations that do not say it.
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
