//! The two players.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// A player, and the player who is to move on a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Color {
    /// Moves first; creates timelines with rising numbers.
    White,
    /// Creates timelines with falling numbers.
    Black,
}

impl Color {
    /// Both players, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black: the parity of the half-turns on which this player moves.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `w` or `b`, as 5DFEN writes it.
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// The direction in which this player's pawns advance along the ranks: +1 or -1.
    ///
    /// Along the timelines they advance the other way round, towards the opponent's: see
    /// [`Color::timeline_forward`].
    pub const fn rank_forward(self) -> i8 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }

    /// The direction in which this player's pawns advance along the timelines: -1 for White, +1 for Black.
    pub const fn timeline_forward(self) -> i8 {
        -self.rank_forward()
    }

    /// The direction in which this player's new timelines are numbered: +1 for White, -1 for Black.
    pub const fn branch_direction(self) -> i16 {
        match self {
            Color::White => 1,
            Color::Black => -1,
        }
    }
}

impl Color {
    /// The name of the player as sentences have it: `White` or `Black`. [`Display`](fmt::Display) writes it small.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "White",
            Color::Black => "Black",
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// A value for each player, indexed by [`Color`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
