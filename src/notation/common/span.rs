//! A range of bytes of a text.

use std::ops::Range;

use super::work::look_at;

/// A range of bytes of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`. Offsets beyond 4 GiB are not supported and become `u32::MAX`.
    pub fn new(start: usize, end: usize) -> Span {
        let clamp = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The same range in a larger text, in which this text begins at byte `start`.
    pub fn at(self, start: usize) -> Span {
        Span::new(start.saturating_add(self.start as usize), start.saturating_add(self.end as usize))
    }

    /// The range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text of the range; empty when the range does not fit `text`.
    pub fn of(self, text: &str) -> &str {
        let part = text.get(self.range()).unwrap_or_default();
        look_at(part.len());
        part
    }

    /// The range that covers both ranges and the gap between them.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
