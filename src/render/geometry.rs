//! Points and rectangles. x grows to the right and y downwards.

/// The side of a square.
pub const SQUARE: i32 = 60;

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// The left edge.
    pub x: i32,
    /// The upper edge.
    pub y: i32,
    /// The distance from the left to the right edge.
    pub width: i32,
    /// The distance from the upper to the lower edge.
    pub height: i32,
}

/// A point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// The distance from the left.
    pub x: i32,
    /// The distance from the top.
    pub y: i32,
}

impl Area {
    /// The middle.
    pub fn middle(self) -> Point {
        Point { x: self.x + self.width / 2, y: self.y + self.height / 2 }
    }
}
