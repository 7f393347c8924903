//! Any text as the notation of 5d-chess-js: read as far as it goes, written, and read back equal.

crate::notation_text::target!(ChessJs, 1_000, "chessjs");
