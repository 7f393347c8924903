//! Generated moves of Chess Evolved Online: written, and read back equal.

use crate::Target;
use crate::ceo::Entries;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target { seeds: Source::Bytes, ..Target::of_choices::<Entries>(2_000) };
