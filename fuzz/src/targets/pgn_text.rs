//! Any text as PGN: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Pgn, 1_000, "pgn");
