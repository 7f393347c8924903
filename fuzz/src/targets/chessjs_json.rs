//! Any text as JSON of 5d-chess-js: read as far as it goes, written, and read back equal.

crate::notation_text::target!(ChessJsJson, 500, "chessjs");
