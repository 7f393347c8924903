//! The two editions of 5d-chess-js whose objects are read and written.

/// An edition of 5d-chess-js. They have the same objects, with other numbers and letters in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edition {
    /// 0.3.6, the last that the README describes. Black's extra board of `turn_zero` is turn 1 there, games with `-0` and `+0` have no
    /// numbers, and raw arrays begin with the highest rank.
    Readme,
    /// 1.2.1. Turns have their own numbers, `-0` and `+0` are the timelines -1 and 1, and raw arrays begin with the first rank.
    #[default]
    Current,
}
