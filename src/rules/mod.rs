//! Rules.

pub mod variants;
