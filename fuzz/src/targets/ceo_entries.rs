//! Generated moves of Chess Evolved Online: written, and read back equal.

use crate::Target;
use crate::ceo;
use crate::seeds::Source;

/// The target.
pub const TARGET: Target = Target { seeds: Source::Bytes, ..Target::of_choices(ceo::entries, 2_000) };
