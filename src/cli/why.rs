//! Why a player has no legal action: the words are those of the board in the browser.

pub use worldlines::render::why::{Reason, checks, reasons};
