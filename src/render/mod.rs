//! Displays the multiverse for people.
//!
//! [`text`] is for terminals. For pictures, a [`Layout`] has all places and [`svg`] writes it; other programs
//! may draw the same layout, with the [same pieces](drawing). With the feature `png`, there are pictures of pixels too. [`why`] explains in words why a player has no
//! legal action.
//!
//! ```
//! use worldlines::notation::pgn5d;
//! use worldlines::render::{Layout, Marks, Options, svg};
//!
//! let game = pgn5d::parse("1. Nf3 / Nf6 2. N>>f5").into_result()?;
//! let layout = Layout::new(&game.end(), &Marks::of_game(&game), Options::default());
//! assert_eq!(layout.tiles.len(), 5);
//! assert!(svg(&layout).starts_with("<svg "));
//! # Ok::<(), worldlines::notation::ParseError>(())
//! ```

mod arrow;
mod escape;
mod geometry;
mod layout;
mod legend;
mod marks;
mod pieces;
#[cfg(feature = "png")]
pub mod png;
mod svg;
#[cfg(test)]
mod tests;
mod text;
pub mod why;

pub use arrow::{SHAFT, Shape};
pub use escape::escape;
pub use geometry::{Area, Point, SQUARE};
pub use layout::{DrawnArrow, Duty, FRAME, LABEL, Layout, Options, Row, Tile};
pub use legend::{LegendEntry, how_it_moves};
pub use marks::{Arrow, ArrowKind, Marks};
pub use pieces::{Drawing, drawing};
pub use svg::{STYLE, Sheet, svg};
pub use text::{Frame, text};
