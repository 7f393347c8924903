//! The multiverse for people to look at.

mod text;

pub use text::{Frame, text};
