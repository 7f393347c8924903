//! Any text as the JSON of variants: read as far as it goes, written as 5DPGN, and read back equal.

crate::notation_text::target!(VariantsJson, 1_000, "variants_json");
