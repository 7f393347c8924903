//! Any text as 5DFEN: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Fen5d, 4_000, "fen5d");
