//! An action of a solution: the position before it, its purpose, and the pieces that it moves and captures.

use crate::rules::Check;
use crate::state::Position;
use crate::types::{Action, BoardCoordinate, Coordinate, HalfTurn, Move, MoveKind, Piece, PieceKind};

/// An action of a solution.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// The position before it.
    pub position: &'a Position,
    /// The action.
    pub action: &'a Action,
    /// The purpose of the action.
    pub role: Role,
    /// The most actions that the attacker has left, including this one if it is the attacker's.
    pub left: u32,
}

/// The purpose of an action of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It mates at once.
    Mate,
    /// It forces mate.
    Attack,
    /// It is a defence.
    Defence,
}

/// The position after an action of a solution.
pub(super) fn played(position: &Position, action: &Action) -> Position {
    let mut after = position.clone();
    after.play(action).expect("the actions of a solution are legal");
    after
}

/// The piece of a move.
pub(super) fn mover(position: &Position, m: &Move) -> Option<Piece> {
    position.board(m.from.board)?.get(m.from.square)
}

/// The piece of a move and the way it takes: `N`, `N>` or `N>>`.
pub(super) fn manner(position: &Position, m: &Move) -> String {
    let way = match m.kind {
        MoveKind::Physical => "",
        MoveKind::Hop => ">",
        MoveKind::Branch => ">>",
    };
    format!("{}{way}", mover(position, m).map_or('?', |piece| piece.kind.letter()))
}

/// The coordinate on which a move puts its piece, on the board that it makes.
pub(super) fn landing(position: &Position, m: &Move) -> Coordinate {
    let timeline = match m.kind {
        MoveKind::Branch => position.multiverse().next_timeline(position.to_move()),
        MoveKind::Physical | MoveKind::Hop => m.to.board.timeline,
    };
    let half_turn = m.to.board.half_turn.next();
    Coordinate { board: BoardCoordinate { timeline, half_turn }, square: m.to.square }
}

/// Whether a move, played in this position, puts its piece where a check comes from.
pub(super) fn gives(position: &Position, m: &Move, check: &Check) -> bool {
    let Coordinate { board, square } = landing(position, m);
    (square, board.timeline) == (check.from.square, check.from.board.timeline)
}

/// Whether a piece that was moved goes on to the square from which it came, on whatever board.
pub(super) fn goes_back(position: &Position, first: &Move, then: &Move) -> bool {
    let Coordinate { board, square } = landing(position, first);
    let is_same = (then.from.square, then.from.board.timeline) == (square, board.timeline);
    is_same && then.to.square == first.from.square && first.from.square != square
}

/// The piece that gives a check in this position. It may stand on the board that would exist after a pass.
pub(super) fn checker(position: &Position, check: &Check) -> Option<Piece> {
    let at = check.from.board;
    let earlier = BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - 1), ..at };
    position.board(at).or_else(|| position.board(earlier))?.get(check.from.square)
}

/// Whether a move is castling.
pub(super) fn castles(position: &Position, m: &Move) -> bool {
    m.kind == MoveKind::Physical
        && mover(position, m).is_some_and(|piece| piece.kind == PieceKind::King)
        && m.from.square.file().abs_diff(m.to.square.file()) > 1
}

/// The pieces captured on the squares where an action's moves end; so not en passant.
pub(super) fn captured(position: &Position, action: &Action) -> Vec<PieceKind> {
    let opponent = !position.to_move();
    let at = |m: &Move| position.board(m.to.board)?.get(m.to.square);
    let captured = action.moves().iter().filter_map(at).filter(|piece| piece.color == opponent);
    captured.map(|piece| piece.kind).collect()
}

/// The value of a piece in pawns, precise enough to tell a sacrifice from an exchange.
pub(super) fn worth(kind: PieceKind) -> u32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Brawn => 2,
        PieceKind::Knight | PieceKind::Unicorn | PieceKind::Dragon | PieceKind::CommonKing => 3,
        PieceKind::Bishop => 4,
        PieceKind::Rook => 5,
        PieceKind::Princess => 8,
        PieceKind::Queen => 12,
        PieceKind::RoyalQueen | PieceKind::King => 0,
    }
}
