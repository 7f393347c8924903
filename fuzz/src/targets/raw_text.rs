//! Any text as the raw notation: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Raw, 1_000, "raw");
