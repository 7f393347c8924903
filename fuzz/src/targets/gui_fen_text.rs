//! Any text as the FEN of the GUI program: read as far as it goes, written, and read back equal.

crate::notation_text::target!(GuiFen, 1_000, "gui_fen");
