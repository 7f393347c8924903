//! The notation proposed for *Chess Evolved Online*, a different game: text to moves and back, without its
//! rules.
//!
//! The proposal describes single moves only: no start position, no numbers, no players, no result. So this
//! module has no games, only [`Entry`]s, one in each line:
//!
//! ```text
//! KNd4e6          a knight goes from d4 to e6
//! gxh6#           a pawn captures on h6 and freezes
//! saxd5;sae6      a samurai captures on its way and then moves
//! PDa8,KKe8       a paladin and the king change places
//! DYe4!=sg        a dryad turns the enemy on e4 into a sapling
//! CT#c3,c4        a comet freezes two squares
//! LS-BB+e6        a lifestone recovers a bishop of level 1
//! KNxe3=sl=d2,f2  a knight captures a giantslime, and slimes appear
//! ```
//!
//! No other notation has such moves, and this one holds no game of 5D or orthodox chess, even where its texts
//! look alike: `KNe6` has no board, no origin and no player. So an entry is converted into its own strict
//! form only.
//!
//! # Relaxations
//!
//! [`write()`] prints one form of each entry. [`parse()`] accepts more, with a warning for each:
//!
//! * a code in the wrong case, if nothing else fits: the proposal itself writes `ls-BB+e6`;
//! * `\` for `/`, since the proposal's text has the one and its example the other;
//! * blanks or a comma between an automatic capture and the move after it, instead of `;`.
//!
//! Without a warning: blanks around an entry and its separators, empty lines.
//!
//! # Two meanings
//!
//! Some texts have two meanings, and no position is there to decide. One of them is chosen, and the text is
//! listed as an [`Ambiguity`]:
//!
//! * `RG` is the code of the ranger and of the royalguard. A magic capture, `RG/e4`, is the ranger's.
//! * `axe4` is an axeman that moves, or a pawn of the a-file that captures; `axxe4` is an axeman that
//!   captures, or such a pawn that captures and dies. They are read as the axeman's. A pawn's move is written
//!   with its rank, `a4xe5`.

mod entry;
mod syntax;
mod table;
#[cfg(test)]
mod tests;
mod write;

use crate::notation::common::Head;
use crate::notation::common::{Parsed, Span, WriteError};

pub use entry::{Change, Entry, Manner, Move, Origin, Spell, Transfer};
pub use table::{Code, Group, Names, UNITS, Unit, UnitName};

/// A pawn of the a-file; its captures look like moves of an axeman.
const A_FILE: Origin = Origin { file: Some(0), rank: None };
/// The text between the capture of a giantslime and the squares of its slimes.
const SLIMES: &str = "=sl=";

/// A text with two meanings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ambiguity {
    /// A code of two units.
    Unit {
        /// The code.
        code: Code,
        /// The names of both units.
        names: [&'static str; 2],
    },
    /// The move of an axeman, or the capture of a pawn.
    AxemanOrPawn {
        /// The meaning that was chosen.
        axeman: Transfer,
        /// The other meaning.
        pawn: Transfer,
    },
}

/// The entries of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// The entries, in order.
    pub entries: Vec<Entry>,
    /// The texts with two meanings, and their places.
    pub ambiguities: Vec<(Span, Ambiguity)>,
}

/// The entries of a text.
///
/// ```
/// use worldlines::notation::ceo;
///
/// let error = ceo::parse("KNxde6\nls-BB+e6").into_result().unwrap_err();
/// assert_eq!((error.class.name(), error.span().start), ("malformed", 3));
/// let entries = ceo::parse("KNdxe6\nls-BB+e6").into_result().unwrap();
/// assert_eq!(ceo::write(&entries.entries).unwrap(), "KNdxe6\nLS-BB+e6\n");
/// ```
///
pub fn parse(text: &str) -> Parsed<Entries> {
    syntax::parse(text)
}

/// The entries in canonical form, one in each line.
///
/// # Errors
///
/// When an entry has no text of its own: a change into a pawn or the recovery of a pawn, a capture by a pawn
/// without its file, or by one of the a-file without its rank. Also for entries that [`parse()`] refuses: an
/// automatic capture that captures nothing, a swap that captures, an empty list of frozen squares.
pub fn write(entries: &[Entry]) -> Result<String, WriteError> {
    let mut text = String::new();
    for (index, entry) in entries.iter().enumerate() {
        let unwritable = |reason: &str| WriteError { reason: reason.into(), action: Some(index) };
        write::entry(&mut text, entry).map_err(unwritable)?;
        text.push('\n');
    }
    Ok(text)
}

/// The message that no game can be written in this notation, or read from it.
pub const ANOTHER_GAME: &str =
    "Chess Evolved Online is another game: its moves cannot be read or written in any other notation";

/// Whether a text with this beginning is in this notation: its first lines are entries, and one of them has a
/// code in the right case.
pub fn detect(bytes: &[u8]) -> bool {
    let head = Head::of(bytes);
    let lines = head.lines(DETECTED_LINES);
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let Parsed { value, warnings, error, .. } = parse(&text);
    let entries = value.unwrap_or_default().entries;
    let has_code = |entry: &Entry| match &entry.main {
        Move::Transfer(transfer) | Move::Swap(transfer, _) => transfer.unit.is_some(),
        _ => true,
    };
    error.is_none()
        && head.headers.is_empty()
        && entries.iter().any(has_code)
        && (entries.len() > 1 || warnings.iter().all(|warning| warning.code != "wrong-case"))
}

/// The number of lines that detection reads.
const DETECTED_LINES: usize = 16;
