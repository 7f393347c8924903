//! Any text as the notation of cwmtt: read as far as it goes, written as 5DPGN, and read back equal.

crate::notation_text::target!(Tn, 1_000, "tn");
