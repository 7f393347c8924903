//! What an entry says.

use std::fmt::{self, Write};

use super::table::{Names, Unit};
use crate::types::Square;

/// Where a unit comes from, as far as that is written.
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

/// How a unit treats the square to which it goes.
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

/// A unit becomes another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    /// `!=`: it is the enemy on the square.
    pub enemy: bool,
    /// What it becomes; `None` for a pawn, for which the proposal has no text.
    pub into: Option<Unit>,
}

/// A unit goes somewhere or captures.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transfer {
    /// Which unit; `None` for a pawn.
    pub unit: Option<Unit>,
    /// Where it comes from, as far as that is written.
    pub origin: Origin,
    /// How.
    pub manner: Manner,
    /// The square.
    pub to: Square,
    /// `=NJ`: what becomes of it.
    pub change: Option<Change>,
    /// `#`: it freezes.
    pub frozen: bool,
    /// `=sl=d2,f2`: where slimes appear.
    pub slimes: Vec<Square>,
}

impl Transfer {
    /// Which unit it is, if it has a code. Only rangers capture by magic.
    pub fn names(&self) -> Option<Names> {
        let names = self.unit?.code.names();
        Some(match names {
            Names::Either([ranger, _]) if self.manner == Manner::Magic => Names::One(ranger),
            _ => names,
        })
    }
}

/// What a unit does to another one without moving.
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
    /// A unit goes somewhere or captures.
    Transfer(Transfer),
    /// Two units change places; the active one comes first.
    Swap(Transfer, Transfer),
    /// A unit casts a spell on a square.
    Spell {
        /// Which unit.
        unit: Unit,
        /// Where it stands, as far as that is written.
        origin: Origin,
        /// Which spell.
        spell: Spell,
        /// The square.
        to: Square,
    },
    /// `#`: a unit freezes others.
    Freeze {
        /// Which unit.
        unit: Unit,
        /// Where it stands, as far as that is written.
        origin: Origin,
        /// The squares, at least one.
        squares: Vec<Square>,
    },
    /// `-`: a lifestone recovers a unit.
    Recover {
        /// The level of the lifestone.
        level: u32,
        /// Where it stands, as far as that is written.
        origin: Origin,
        /// Which unit; `None` for a pawn, for which the proposal has no text.
        unit: Option<Unit>,
        /// The square.
        to: Square,
    },
}

/// One line: a move, after a capture that came by itself if there was one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The automatic capture.
    pub automatic: Option<Transfer>,
    /// The move.
    pub main: Move,
}
