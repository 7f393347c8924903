//! Points and rectangles. x grows to the right and y downwards.

/// The side of a square.
pub const SQUARE: i32 = 60;

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area {
    /// Its left edge.
    pub x: i32,
    /// Its upper edge.
    pub y: i32,
    /// From the left to the right edge.
    pub width: i32,
    /// From the upper to the lower edge.
    pub height: i32,
}

/// A point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// From the left.
    pub x: i32,
    /// From above.
    pub y: i32,
}

impl Area {
    /// Its middle.
    pub fn middle(self) -> Point {
        Point { x: self.x + self.width / 2, y: self.y + self.height / 2 }
    }
}
