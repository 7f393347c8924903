//! Random positions for tests.

pub(crate) use super::random::Random;
use crate::state::{Board, Position, Setup, squares_of};
use crate::types::{
    BoardCoordinate, BoardSize, Color, HalfTurn, Parity, Piece, PieceKind, RuleProfile, Timeline,
};

/// This many multiverses, some with few pieces and some with more.
pub(crate) fn multiverses(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut random = Random(seed);
    (0..count).map(move |_| {
        let pieces = 1 + random.below(6);
        multiverse(&mut random, pieces)
    })
}

/// A small multiverse of a few timelines, which end at different turns of either player, with up to `pieces` pieces of any kind
/// on every board.
pub(crate) fn multiverse(random: &mut Random, pieces: usize) -> Position {
    let size = BoardSize::new(2 + random.below(3) as u8, 2 + random.below(2) as u8).expect("a size");
    let squares: Vec<_> = squares_of(size.squares()).collect();
    let parity = [Parity::Odd, Parity::Even][random.below(2)];
    let central = parity.central();
    let (low, high) = (central.lowest.0 - random.below(3) as i16, central.highest.0 + random.below(3) as i16);
    let mut boards = Vec::new();
    for timeline in low..=high {
        let first = 2 + random.below(3) as i16;
        for half_turn in first..=first + random.below(4) as i16 {
            let mut board = Board::empty(size);
            for _ in 0..=random.below(pieces) {
                let color = [Color::White, Color::Black][random.below(2)];
                let kind = PieceKind::ALL[random.below(PieceKind::ALL.len())];
                board.put(squares[random.below(squares.len())], Piece { color, kind }, random.below(2) == 0);
            }
            let half_turn = HalfTurn(half_turn);
            boards.push((BoardCoordinate { timeline: Timeline(timeline), half_turn }, board));
        }
    }
    let profile = RuleProfile { time_travel: random.below(8) > 0, ..RuleProfile::default() };
    Position::from_setup(&Setup { size, parity, profile, boards }).expect("boards without gaps")
}
