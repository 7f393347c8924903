//! The pieces that have moved, of every kind.
//!
//! The rules ask that of pawns, brawns, kings and rooks only, so a [`Position`] forgets it for the others. 5d-chess-js
//! keeps it for all of them and writes it into its boards, its raw numbers and its hash.

use std::collections::BTreeMap;

use super::start::Named;
use crate::notation::common::Game;
use crate::state::{Board, Position};
use crate::types::{BoardCoordinate, Color, Coordinate, Move, MoveKind, Piece, PieceKind, Square, Timeline};

/// The squares of every board on which a piece stands that has never moved.
#[derive(Clone, Debug)]
pub(crate) struct Untouched {
    /// For each timeline the half-turn of its first board, and a set of squares for each board.
    rows: BTreeMap<Timeline, (i16, Vec<u64>)>,
}

impl Untouched {
    /// The pieces that have not moved at the start of a game. One of a kind that does not remember moving counts as never moved, unless
    /// the game says otherwise.
    pub fn at_start(game: &Game) -> Untouched {
        let mut untouched = Untouched { rows: BTreeMap::new() };
        for (at, board) in game.start.multiverse().boards() {
            let row = untouched.rows.entry(at.timeline).or_insert((at.half_turn.0, Vec::new()));
            row.1.push(never_moved(board));
        }
        for at in &game.also_moved {
            untouched.touch(at.board, at.square);
        }
        untouched
    }

    /// The position at the end of a game, and what has not moved in it.
    pub fn at_the_end(game: &Game) -> (Position, Untouched) {
        let mut position = game.start.clone();
        let mut untouched = Untouched::at_start(game);
        for action in &game.actions {
            for m in action.moves() {
                untouched.follow(&position, m);
                position.push(m);
            }
            position.switch_player();
        }
        (position, untouched)
    }

    /// Whether the piece on a square of a board has never moved.
    pub fn contains(&self, at: BoardCoordinate, square: Square) -> bool {
        self.board(at) & square.bit() != 0
    }

    fn board(&self, at: BoardCoordinate) -> u64 {
        let board = |(start, boards): &(i16, Vec<u64>)| {
            boards.get(usize::try_from(at.half_turn.0 - start).ok()?).copied()
        };
        self.rows.get(&at.timeline).and_then(board).unwrap_or(0)
    }

    fn touch(&mut self, at: BoardCoordinate, square: Square) {
        if let Some((start, boards)) = self.rows.get_mut(&at.timeline)
            && let Ok(index) = usize::try_from(at.half_turn.0 - *start)
            && let Some(board) = boards.get_mut(index)
        {
            *board &= !square.bit();
        }
    }

    /// Follows a player who passes on a board.
    pub fn repeat(&mut self, at: BoardCoordinate) {
        let board = self.board(at);
        self.append(at.timeline, board);
    }

    /// Follows a move that is about to be made.
    pub fn follow(&mut self, position: &Position, m: &Move) {
        let (from, to) = (m.from.square, m.to.square);
        let mut left = self.board(m.from.board) & !from.bit();
        match m.kind {
            MoveKind::Physical => {
                left &= !to.bit();
                let board = position.board(m.from.board);
                if let Some((rook, crossed)) = board.and_then(|board| board.castling_rook(from, to)) {
                    left &= !(rook.bit() | crossed.bit());
                }
                // A pawn that is captured en passant has moved; what else stands there stays.
            }
            MoveKind::Hop => {
                let arrived = self.board(m.to.board) & !to.bit();
                self.append(m.to.board.timeline, arrived);
            }
            MoveKind::Branch => {
                let arrived = self.board(m.to.board) & !to.bit();
                let created = position.multiverse().next_timeline(position.to_move());
                self.rows.insert(created, (m.to.board.half_turn.next().0, vec![arrived]));
            }
        }
        self.append(m.from.board.timeline, left);
    }

    fn append(&mut self, timeline: Timeline, board: u64) {
        if let Some((_, boards)) = self.rows.get_mut(&timeline) {
            boards.push(board);
        }
    }
}

/// Of the pieces of a text, with whether each has moved, those of which the position forgets that they have.
///
/// None at the start of a variant, where nothing has moved: the README has positive numbers for its knights, and the library for a
/// queen.
pub(super) fn also_moved(
    start: &Position,
    pieces: impl Iterator<Item = (Coordinate, Piece, bool)>,
) -> Vec<Coordinate> {
    if Named::of(start).is_some() {
        return Vec::new();
    }
    let mut moved: Vec<Coordinate> = pieces
        .filter(|(_, piece, moved)| *moved && !piece.kind.tracks_unmoved())
        .map(|(at, ..)| at)
        .collect();
    moved.sort_by_key(|at| (at.board.timeline, at.board.half_turn, at.square.index()));
    moved
}

/// Whether a start position of the library has this piece as moved from the beginning.
pub(super) fn is_moved_queen(piece: Piece) -> bool {
    piece.color == Color::White && matches!(piece.kind, PieceKind::Queen | PieceKind::Princess)
}

fn never_moved(board: &Board) -> u64 {
    let moved =
        board.pieces().filter(|(square, piece)| piece.kind.tracks_unmoved() && !board.is_unmoved(*square));
    let moved = moved.fold(0, |set, (square, _)| set | square.bit());
    (board.by_color(Color::White) | board.by_color(Color::Black)) & !moved
}
