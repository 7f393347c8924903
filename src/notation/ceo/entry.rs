//! Entries: the moves of Chess Evolved Online as values.

use std::fmt::{self, Write};

use super::table::{Names, Unit};
use crate::types::Square;

/// The square that a unit comes from, as far as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Origin {
    /// The file, 0 for `a`.
    pub file: Option<u8>,
    /// The rank, 0 for `1`.
    pub rank: Option<u8>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file {
            f.write_char((b'a' + file) as char)?;
        }
        self.rank.map_or(Ok(()), |rank| f.write_char((b'1' + rank) as char))
    }
}

/// The way in which a unit treats its target square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Manner {
    /// It moves there, on foot or by teleport.
    Move,
    /// `x`: it captures.
    Capture,
    /// `xx`: it captures and dies.
    Suicide,
    /// `]`: it would capture, and is blocked.
    Blocked,
    /// `/`: it captures from afar.
    Magic,
}

impl Manner {
    /// Every manner.
    pub const ALL: [Manner; 5] =
        [Manner::Move, Manner::Capture, Manner::Suicide, Manner::Blocked, Manner::Magic];

    /// The sign before the square.
    pub const fn sign(self) -> &'static str {
        match self {
            Manner::Move => "",
            Manner::Capture => "x",
            Manner::Suicide => "xx",
            Manner::Blocked => "]",
            Manner::Magic => "/",
        }
    }
}

/// The change of a unit into another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    /// `!=`: the enemy on the square changes, not the unit that moves.
    pub enemy: bool,
    /// The new unit; `None` for a pawn, for which the proposal has no text.
    pub into: Option<Unit>,
}

/// A move or capture by a unit.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transfer {
    /// The unit; `None` for a pawn.
    pub unit: Option<Unit>,
    /// The square that it comes from, as far as it is written.
    pub origin: Origin,
    /// The kind of move or capture.
    pub manner: Manner,
    /// The target square.
    pub to: Square,
    /// `=NJ`: the unit changes into another one.
    pub change: Option<Change>,
    /// `#`: the unit freezes.
    pub frozen: bool,
    /// `=sl=d2,f2`: the squares on which slimes appear.
    pub slimes: Vec<Square>,
}

impl Transfer {
    /// The unit or units that the code may mean; `None` for a pawn. Only rangers capture by magic.
    pub fn names(&self) -> Option<Names> {
        let names = self.unit?.code.names();
        Some(match names {
            Names::Either([ranger, _]) if self.manner == Manner::Magic => Names::One(ranger),
            _ => names,
        })
    }
}

/// An effect of a unit on another one without moving.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spell {
    /// `%`
    Poison,
    /// `*`
    Petrify,
    /// `>`
    Charm,
    /// `^`
    Purify,
    /// `~`
    Enchant,
}

impl Spell {
    /// Every spell.
    pub const ALL: [Spell; 5] = [Spell::Poison, Spell::Petrify, Spell::Charm, Spell::Purify, Spell::Enchant];

    /// The sign before the square.
    pub const fn sign(self) -> char {
        match self {
            Spell::Poison => '%',
            Spell::Petrify => '*',
            Spell::Charm => '>',
            Spell::Purify => '^',
            Spell::Enchant => '~',
        }
    }
}

/// One move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A unit moves or captures.
    Transfer(Transfer),
    /// Two units swap their squares; the active one comes first.
    Swap(Transfer, Transfer),
    /// A unit casts a spell on a square.
    Spell {
        /// The unit.
        unit: Unit,
        /// The square that it stands on, as far as it is written.
        origin: Origin,
        /// The spell.
        spell: Spell,
        /// The target square.
        to: Square,
    },
    /// `#`: a unit freezes others.
    Freeze {
        /// The unit.
        unit: Unit,
        /// The square that it stands on, as far as it is written.
        origin: Origin,
        /// The squares, at least one.
        squares: Vec<Square>,
    },
    /// `-`: a lifestone recovers a unit.
    Recover {
        /// The level of the lifestone.
        level: u32,
        /// The square that it stands on, as far as it is written.
        origin: Origin,
        /// The recovered unit; `None` for a pawn, for which the proposal has no text.
        unit: Option<Unit>,
        /// The target square.
        to: Square,
    },
}

/// One line: a move, perhaps after an automatic capture.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The automatic capture.
    pub automatic: Option<Transfer>,
    /// The move.
    pub main: Move,
}
