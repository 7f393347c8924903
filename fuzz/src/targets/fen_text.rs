//! Any text as FEN: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Fen, 4_000, "pgn");
