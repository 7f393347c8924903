//! Any text as 5DUCI: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Uci5d, 1_000, "uci5d");
