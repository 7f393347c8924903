//! Any text as Hexicube's notation: read as far as it goes, written as 5DPGN, and read back equal.

crate::notation_text::target!(Hexicube, 1_000, "hexicube");
