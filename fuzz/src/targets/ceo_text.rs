//! Any text as Chess Evolved Online: read as far as it goes, written, and read back equal.

use crate::Target;
use crate::ceo::Text;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text::<Text>(4_000, "ceo", Source::Ceo);
