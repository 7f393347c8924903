//! The shape of an arrow.

use super::geometry::{Point, SQUARE};

/// The thickness of a shaft.
pub const SHAFT: i32 = 12;
/// The length of a head, and half of its width.
const HEAD: f64 = 34.0;
const HALF_HEAD: f64 = 19.0;
/// The distance from the middle of its square at which an arrow begins.
const AWAY: f64 = 12.0;
/// The distance from the middle of its square at which an arrow ends, so that the piece there stays visible.
const BEFORE: f64 = 16.0;
/// The longest straight arrow. Longer ones are bent, so that arrows along a row of boards do not cover each
/// other.
const STRAIGHT: f64 = 500.0;

/// The shape of an arrow, as SVG paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The point where it begins.
    pub from: Point,
    /// The point that it points to: a long arrow ends a little before it.
    pub to: Point,
    /// The line, with the thickness [`SHAFT`].
    pub shaft: String,
    /// The filled triangle.
    pub head: String,
}

/// The arrow between two points.
pub(super) fn shape(from: Point, to: Point) -> Shape {
    let (x, y) = (f64::from(from.x), f64::from(from.y));
    let (dx, dy) = (f64::from(to.x) - x, f64::from(to.y) - y);
    let length = dx.hypot(dy).max(1.0);
    let bend = if length > STRAIGHT { (length * 0.12).min(160.0) } else { 0.0 };
    // The middle of the curve is to the left of the direction: above it for an arrow to the right.
    let (cx, cy) = (x + dx / 2.0 + dy / length * bend, y + dy / 2.0 - dx / length * bend);
    let (tx, ty) = (x + dx, y + dy);
    let along = |px: f64, py: f64| {
        let long = px.hypot(py).max(1.0);
        (px / long, py / long)
    };
    let (sx, sy) = along(cx - x, cy - y);
    let (ex, ey) = along(tx - cx, ty - cy);
    let (ax, ay) = if length > 3.0 * AWAY { (x + sx * AWAY, y + sy * AWAY) } else { (x, y) };
    // Between neighbours there is no room to stay away from the piece.
    let before = if length > 2.0 * f64::from(SQUARE) { BEFORE } else { 0.0 };
    let (tx, ty) = (tx - ex * before, ty - ey * before);
    let head = HEAD.min(length);
    let (bx, by) = (tx - ex * head, ty - ey * head);
    let (lx, ly) = (bx - ey * HALF_HEAD, by + ex * HALF_HEAD);
    let (rx, ry) = (bx + ey * HALF_HEAD, by - ex * HALF_HEAD);
    Shape {
        from,
        to,
        shaft: format!("M{ax:.0} {ay:.0}Q{cx:.0} {cy:.0} {bx:.0} {by:.0}"),
        head: format!("M{tx:.0} {ty:.0}L{lx:.0} {ly:.0}L{rx:.0} {ry:.0}z"),
    }
}
