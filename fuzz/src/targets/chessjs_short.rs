//! Any text as the short notation of 5d-chess-js: read as far as it goes, written, and read back equal.

crate::notation_text::target!(ChessJsShort, 1_000, "chessjs");
