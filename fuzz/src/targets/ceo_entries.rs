//! Moves of Chess Evolved Online that nobody wrote: what is written of them is read back equal.

use crate::Target;
use crate::ceo::Entries;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target { seeds: Source::Bytes, ..Target::of_choices::<Entries>(2_000) };
