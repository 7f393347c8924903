//! Drawings of the pieces, made for this program, each in a square of [`SQUARE`](super::SQUARE) units.

use crate::types::PieceKind;

/// The drawing of a kind of piece. The paths are SVG paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawing {
    /// The outline, filled with the colour of the piece.
    pub body: &'static str,
    /// Lines on it, in the other colour.
    pub lines: &'static str,
    /// The eye, if there is one: its place and its radius, in tenths of a unit.
    pub eye: Option<(i32, i32, i32)>,
}

/// The drawing of a kind of piece.
pub fn drawing(kind: PieceKind) -> Drawing {
    let (body, lines, eye) = match kind {
        PieceKind::Pawn => (
            "M15 53v-3q0-5 6-6 4-5 4.5-12-4.5-2.5-4.5-7.5a9 9 0 0 1 18 0q0 5-4.5 7.5.5 7 4.5 12 6 1 6 6v3z",
            "M23 32h14",
            None,
        ),
        PieceKind::Brawn => (
            "M13 53v-3q0-5 6-6 3-5 3.5-9-5.5-1.5-5.5-7 0-6 6-6.5-1-8 7-13.5 8 5.5 7 13.5 6 .5 6 6.5 0 5.5-5.5 7 .5 4 3.5 9 6 1 6 6v3z",
            "M22 35h16M24 21.5q6 3 12 0M19 44h22",
            None,
        ),
        PieceKind::Knight => (
            "M16 53q-1-9 5-15 7-6 7-11-4 3-8 3-2 5-6 4.5-5-1-3.5-6 2-8 8.5-14-.5-5 1-8.5 3 1.5 5 4.5 21 0 21 27 0 9 0 15.5z",
            "M34 17q7 5 7 20",
            Some((230, 195, 18)),
        ),
        PieceKind::Bishop => (
            "M14 53v-3q0-4 5-4 5 0 6-4-8-4-8-13 0-9 9.5-16.5a4.5 4.5 0 1 1 7 0Q43 20 43 29q0 9-8 13 1 4 6 4 5 0 5 4v3z",
            "M25 42h10M30 20v13M25 26h10",
            None,
        ),
        PieceKind::Rook => (
            "M13 53v-4q0-3 3-3h3l2-20-5-4V10h6v5h5v-5h6v5h5v-5h6v12l-5 4 2 20h3q3 0 3 3v4z",
            "M21 26h18M19 46h22",
            None,
        ),
        PieceKind::Unicorn => (
            "M16 53q-1-9 5-15 7-6 7-11-4 3-8 3-2 5-6 4.5-5-1-3.5-6 2-7 7-12L10 4l13 7.5q2-.5 3-.5 19 0 19 26.5 0 9 0 15.5z",
            "M34 17q7 5 7 20M14.5 8.5l-.5 2M17.5 11l-1 3",
            Some((235, 195, 18)),
        ),
        PieceKind::Dragon => (
            "M15 53q-1-8 4-13 6-6 8-11-5 4-11 3-4 4-8 2 0-6 5-10 5-3 7-8 1-6 8-8L26 2l8 6.5 6-4.5-1 8 8-1-3 7 7 3-5 5 4 5-6 3q1 9 0 19z",
            "M15 26.5q2 1 3-.5M33 19q6 5 6 18",
            Some((250, 180, 19)),
        ),
        PieceKind::Princess => (
            "M16 53v-3q0-4 4-4L13 22a3.8 3.8 0 1 1 4-1l7.5 7 3.5-13.5a4.2 4.2 0 1 1 4 0L35.5 28l7.5-7a3.8 3.8 0 1 1 4 1l-7 24q4 0 4 4v3z",
            "M20 46h20M18.5 40q11.5-4 23 0",
            None,
        ),
        PieceKind::Queen => (
            "M14 53v-3q0-4 4-4L9 23a3.6 3.6 0 1 1 3.5-.5l7 8L18 16a3.8 3.8 0 1 1 4 0l5 12 1-16a4 4 0 1 1 4 0l1 16 5-12a3.8 3.8 0 1 1 4 0l-1.5 14.5 7-8a3.6 3.6 0 1 1 3.5.5l-9 23q4 0 4 4v3z",
            "M18 46h24M15.5 40q14.5-5 29 0",
            None,
        ),
        PieceKind::RoyalQueen => (
            "M14 53v-3q0-4 4-4L9 25a3.6 3.6 0 1 1 3.5-.5l7 7L18 19a3.8 3.8 0 1 1 4 0l5 10 1.2-14h-4.2v-4h4.2V6h3.6v5h4.2v4h-4.2L33 29l5-10a3.8 3.8 0 1 1 4 0l-1.5 12.5 7-7a3.6 3.6 0 1 1 3.5.5l-9 21q4 0 4 4v3z",
            "M18 46h24M15.5 40q14.5-5 29 0",
            None,
        ),
        PieceKind::King => (
            "M14 53v-3q0-4 4-4-1-5-5-10-5-6-2-11 4-6 11-4 4 1 6 4v-8h-5v-4h5V7h4v6h5v4h-5v8q2-3 6-4 7-2 11 4 3 5-2 11-4 5-5 10 4 0 4 4v3z",
            "M18 46h24M17 40.5q13-5 26 0M28 25l2 9 2-9",
            None,
        ),
        PieceKind::CommonKing => (
            "M14 53v-3q0-4 4-4-1-5-5-10-5-6-2-11 4-6 11-4 3 .8 5 3-1.5-3-1.5-6 0-5 4.5-10 4.5 5 4.5 10 0 3-1.5 6 2-2.2 5-3 7-2 11 4 3 5-2 11-4 5-5 10 4 0 4 4v3z",
            "M18 46h24M17 40.5q13-5 26 0M27.5 24l2.5 10 2.5-10",
            None,
        ),
    };
    Drawing { body, lines, eye }
}
