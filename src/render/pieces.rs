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
            "M13 53v-3q0-5 6-6 4-5 4.5-11.5H12q-1.5-4.5 3.5-5.5 1.5-13 14.5-13t14.5 13q5 1 3.5 5.5H36.5q.5 6.5 4.5 11.5 6 1 6 6v3z",
            "M20 26.5h20M19 45h22",
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
            "M16 53q-1-9 5-15 7-6 7-11-4 3-8 3-2 5-6 4.5-5-1-3.5-6 2-7 6.5-12L6 1l19.5 9.5q2.5-.5 4.5-.5 18 0 18 27.5 0 9 0 15.5z",
            "M34 17q7 5 7 20M12 3.5l-2.5 3M17 6l-3 4M21.5 8.5l-3 4",
            Some((235, 195, 18)),
        ),
        PieceKind::Dragon => (
            "M16 53v-3q0-4.5 5-4.5 1-2.5 1-4.5-2.5-4.5-6.5 0-1.5-6-8-4L3 10q11 3 15.5 13l5-2.5L19 3l8 7h6l8-7-4.5 17.5 5 2.5Q46 13 57 10l-4.5 27q-6.5-2-8 4-4-4.5-6.5 0 0 2 1 4.5 5 0 5 4.5v3z",
            "M25 15.5l3 2.5M35 15.5l-3 2.5M21 46h18M20.5 28.5L11 34M39.5 28.5L49 34",
            None,
        ),
        PieceKind::Princess => (
            "M14 53v-3q0-4 4-4L9 19l13 10L30 9l8 20 13-10-9 27q4 0 4 4v3z",
            "M19 46h22M17 40.5q13-4 26 0",
            None,
        ),
        PieceKind::Queen => (
            "M14 53v-3q0-4 4-4L9 23a3.6 3.6 0 1 1 3.5-.5l7 8L18 16a3.8 3.8 0 1 1 4 0l5 12 1-16a4 4 0 1 1 4 0l1 16 5-12a3.8 3.8 0 1 1 4 0l-1.5 14.5 7-8a3.6 3.6 0 1 1 3.5.5l-9 23q4 0 4 4v3z",
            "M18 46h24M15.5 40q14.5-5 29 0",
            None,
        ),
        PieceKind::RoyalQueen => (
            "M14 53v-3q0-4 4-4L8 29a3.8 3.8 0 1 1 4-.5l7 5-1-6a3.8 3.8 0 1 1 4 0l5 6V17h-7v-5h7V4h6v8h7v5h-7v16.5l5-6a3.8 3.8 0 1 1 4 0l-1 6 7-5a3.8 3.8 0 1 1 4 .5L42 46q4 0 4 4v3z",
            "M18 46h24M16.5 40.5q13.5-5 27 0",
            None,
        ),
        PieceKind::King => (
            "M14 53v-3q0-4 4-4-1-5-5-10-5-6-2-11 4-6 11-4 4 1 6 4v-8h-5v-4h5V7h4v6h5v4h-5v8q2-3 6-4 7-2 11 4 3 5-2 11-4 5-5 10 4 0 4 4v3z",
            "M18 46h24M17 40.5q13-5 26 0M28 25l2 9 2-9",
            None,
        ),
        PieceKind::CommonKing => (
            "M14 53v-3q0-4 4-4-1-5-5-10-6-6-3-13 4-7 12-5 5 1 8 6 3-5 8-6 8-2 12 5 3 7-3 13-4 5-5 10 4 0 4 4v3z",
            "M18 46h24M17 40.5q13-5 26 0",
            None,
        ),
    };
    Drawing { body, lines, eye }
}
