//! The oracles of the fuzz targets, as a library that knows no fuzzer.
//!
//! Three layers: [`generate`] turns bytes into positions and actions, an oracle in [`oracle`] turns those into "no bug"
//! or a finding, and a target in `fuzz_targets/` is a line of glue. Every oracle also runs in `cargo test`.

pub mod generate;
pub mod oracle;
