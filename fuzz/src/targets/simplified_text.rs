//! Any text as the simplified notation: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Simplified, 1_000, "simplified");
