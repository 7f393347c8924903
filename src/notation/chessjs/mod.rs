//! stub
mod raw;
mod start;
mod touched;
pub use raw::{Raw, RawTurn};
