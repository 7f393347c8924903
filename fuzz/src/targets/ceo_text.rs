//! Any text as Chess Evolved Online: read as far as it goes, written, and read back equal.

use crate::Target;
use crate::ceo;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target::of_text(ceo::text, 4_000, "ceo", Source::Ceo);
