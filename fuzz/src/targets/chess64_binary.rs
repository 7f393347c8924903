//! Any bytes as packed CHESS64: read as far as it goes, written, and read back equal.

crate::notation_text::target!(Chess64Binary, 2_000, "chess64");
