//! Any text as 5DPGN: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Pgn5d, 2_000, "pgn5d");
