//! A move of one piece, and an action of one player (`spec/05-actions.md`).

use std::fmt;

use super::{BoardCoordinate, Coordinate, PieceKind};

/// The effect of a move on its target board (R-3.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum MoveKind {
    /// Source and target are one board (R-3.1).
    Physical,
    /// A jump to the playable board of another timeline, which advances with it (`>`, R-3.2).
    Hop,
    /// A jump to a history board, which creates a timeline (`>>`, R-3.3).
    Branch,
}

/// A move of one piece.
///
/// Castling is the king's move of two squares (R-2.17), en passant the pawn's diagonal move to the empty
/// square (R-2.13).
///
/// Shown as `(0T1w)e2e4`, `(0T2w)f3>(1T2w)f5`, `(0T2w)f3>>(0T1w)f5` or `(0T9w)a7a8=Q`; notations have their
/// own forms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The effect on the target board.
    pub kind: MoveKind,
    /// The square that the piece leaves, always on the playable board of a timeline (R-1.4).
    pub from: Coordinate,
    /// The square that it enters.
    pub to: Coordinate,
    /// The promotion of a pawn or brawn on its last rank (R-2.14); `None` for every other move.
    pub promotion: Option<PieceKind>,
}

/// The moves of one player's turn (R-5.1), in canonical form (R-5.8).
///
/// An action is a *set* of physical moves and hops plus an *ordered list* of branches: two actions are equal
/// exactly when they lead to the same multiverse by the same moves, however they were written. The canonical
/// order is the physical moves and hops by source board, then the branches in the order in which they are
/// made.
///
/// ```
/// use worldlines::notation::pgn5d;
///
/// let start = pgn5d::parse("[Board \"Standard - Two Timelines\"]").into_result().unwrap().start;
/// let one = pgn5d::parse_action(&start, "(-0T1)e4 (+0T1)Nf3").unwrap();
/// let other = pgn5d::parse_action(&start, "(+0T1)Ng1f3 (-0T1)e2e4").unwrap();
/// assert_eq!(one, other);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Action(Vec<Move>);

impl Action {
    /// An action with these moves, which may be in any order in which they can be played.
    pub fn new(mut moves: Vec<Move>) -> Action {
        // A stable sort keeps branches, which all compare equal here, in their order.
        moves.sort_by_key(|m| match m.kind {
            MoveKind::Physical | MoveKind::Hop => (false, Some((m.from.board, *m))),
            MoveKind::Branch => (true, None),
        });
        Action(moves)
    }

    /// The moves in canonical order, which is an order in which they can be played.
    pub fn moves(&self) -> &[Move] {
        &self.0
    }

    /// Whether a piece goes to another board (R-3.2, R-3.3).
    pub fn travels(&self) -> bool {
        self.0.iter().any(|m| m.kind != MoveKind::Physical)
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all moves of `part` are among the moves of this action, the branches in the same order.
    pub fn contains(&self, part: &Action) -> bool {
        // Both are in canonical order.
        let mut rest = self.0.iter();
        part.0.iter().all(|m| rest.any(|other| other == m))
    }

    /// The move that leaves this board, if there is one.
    pub fn move_from(&self, board: BoardCoordinate) -> Option<&Move> {
        self.0.iter().find(|m| m.from.board == board)
    }
}

impl From<Vec<Move>> for Action {
    fn from(moves: Vec<Move>) -> Action {
        Action::new(moves)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from)?;
        match self.kind {
            MoveKind::Physical => write!(f, "{}", self.to.square)?,
            MoveKind::Hop => write!(f, ">{}", self.to)?,
            MoveKind::Branch => write!(f, ">>{}", self.to)?,
        }
        match self.promotion {
            Some(kind) => write!(f, "={}", kind.letter()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, m) in self.0.iter().enumerate() {
            write!(f, "{}{m}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}
