//! Words about what a drawing does not show: pieces that have not moved yet.

use std::fmt;

use super::Puzzle;
use crate::state::{Board, Position};
use crate::types::{Color, PieceKind, Square};

/// Pieces of each player that have not moved yet, as `Kd5`, or if there are several boards, with their board: `(0T2)Kd5`.
///
/// Displays as `Not moved yet: White's Ra5, Kd5; Black's Pc6`, or as nothing if there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unmoved {
    /// White's pieces.
    pub white: Vec<String>,
    /// Black's pieces.
    pub black: Vec<String>,
}

impl fmt::Display for Unmoved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = [(Color::White, &self.white), (Color::Black, &self.black)];
        let told = players.into_iter().filter(|(_, pieces)| !pieces.is_empty());
        for (at, (color, pieces)) in told.enumerate() {
            let before = if at == 0 { "Not moved yet: " } else { "; " };
            write!(f, "{before}{}'s {}", color.name(), pieces.join(", "))?;
        }
        Ok(())
    }
}

/// The unmoved pieces of boards that an author set up, as far as castling and double steps depend on them.
/// `None` if there are none, or if the game began with a variant, whose pieces stand at home.
///
/// Of the boards only the last of each timeline count. A king and a rook are told where they share a rank.
pub fn unmoved(puzzle: &Puzzle, start: &Position) -> Option<Unmoved> {
    puzzle.start.value.fen.as_ref()?;
    let is_single = start.multiverse().range().iter().count() == 1;
    let of = |color: Color| {
        let mut names = Vec::new();
        for (at, board) in start.multiverse().ends() {
            let board_name = match is_single {
                true => String::new(),
                false => format!("({}T{})", start.parity().label(at.timeline), at.half_turn.turn()),
            };
            let unmoved = unmoved_on(board, color);
            names.extend(unmoved.map(|(square, kind)| format!("{board_name}{}{square}", kind.letter())));
        }
        names
    };
    let unmoved = Unmoved { white: of(Color::White), black: of(Color::Black) };
    (!(unmoved.white.is_empty() && unmoved.black.is_empty())).then_some(unmoved)
}

/// The unmoved pieces of a player on a board, as far as they matter.
fn unmoved_on(board: &Board, color: Color) -> impl Iterator<Item = (Square, PieceKind)> {
    let pieces =
        board.pieces().filter(move |(square, piece)| piece.color == color && board.is_unmoved(*square));
    let unmoved: Vec<(Square, PieceKind)> = pieces.map(|(square, piece)| (square, piece.kind)).collect();
    let beside = unmoved.clone();
    let shares_a_rank =
        move |square: Square, kind| beside.iter().any(|(at, it)| *it == kind && at.rank() == square.rank());
    unmoved.into_iter().filter(move |&(square, kind)| match kind {
        PieceKind::King => shares_a_rank(square, PieceKind::Rook),
        PieceKind::Rook => shares_a_rank(square, PieceKind::King),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::load;

    /// The words about a puzzle with these boards.
    fn told(start: &str) -> Option<String> {
        let text = format!(
            "schema: worldlines/puzzle-1\nid: x\ntitle: X\nsource: {{ from: a test }}\nstart: {{ {start} }}\ngoal: {{ mate-in: 1 }}\n\
             solutions:\n  - [\"(0T1)Ra1a2\"]\n"
        );
        let documents = load("x.yaml", text.as_bytes());
        let puzzle = documents[0].puzzle.as_ref().expect("a puzzle");
        unmoved(puzzle, &documents[0].game().expect("a start").end()).map(|unmoved| unmoved.to_string())
    }

    #[test]
    fn pieces_are_told_of_which_castling_or_a_double_step_depends() {
        let rook_and_king = told("size: 5x4, fen: [\"[R*1NK*1/1r*3/3P*1/k*4:0:1:w]\"]");
        assert_eq!(rook_and_king.as_deref(), Some("Not moved yet: White's Pd2, Ra4, Kd4"));
        let both = told("fen: [\"[k*2r*/4/4/3K:-0:1:w]\", \"[k2r*/4/1P*2/3K:+0:1:w]\"], size: 4x4");
        assert_eq!(both.as_deref(), Some("Not moved yet: White's (+0T1)Pb2; Black's (-0T1)Ka4, (-0T1)Rd4"));
        assert_eq!(told("size: 4x4, fen: [\"[k3/4/4/R2K:0:1:w]\"]"), None);
        assert_eq!(told("variant: \"Standard\""), None);
    }
}
