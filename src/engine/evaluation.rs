//! The static evaluation of a position for the player to move: its playable boards, the timelines, and check.

use super::worth::Worths;
use crate::state::Position;
use crate::types::Color;

/// The weight of the boards of active and of inactive timelines.
const ACTIVE: i32 = 4;
const INACTIVE: i32 = 1;

/// The value of each timeline that the player has created less than the opponent: it allows one more active
/// timeline.
pub(super) const TIMELINE: i32 = 55;
/// The cost of being in check, and of each attack.
const CHECK: i32 = 45;
const ATTACK: i32 = 15;
/// The largest number of attacks that count.
const MOST_ATTACKS: i32 = 6;

/// The value of a position for the player to move, in hundredths of a pawn.
///
/// The balance of a position is the mean of its boards and not their sum: otherwise the side that is ahead
/// would gain by every branch, which doubles a board. The mean is scaled up with the number of boards, so
/// that a piece does not become worthless among many boards.
pub(super) fn evaluate(position: &Position, worths: &mut Worths) -> i32 {
    let multiverse = position.multiverse();
    let (me, active) = (position.to_move(), multiverse.active());
    let (mut sum, mut weights, mut boards) = (0_i64, 0_i64, 0_i64);
    for (at, board) in multiverse.ends() {
        let worth = worths.of(board);
        let weight = i64::from(if active.contains(at.timeline) { ACTIVE } else { INACTIVE });
        // Only the player to move on a board can win material on it now.
        let mover = at.color();
        let gain = worth.gain[mover] / 2;
        let balance = worth.balance_for(me) + if mover == me { gain } else { -gain };
        sum += weight * i64::from(balance);
        weights += weight;
        boards += i64::from(weight == i64::from(ACTIVE));
    }
    let mean = (sum * (3 + boards) / (4 * weights.max(1))) as i32;
    mean + timelines(position, me) - pressure(position)
}

/// The value of the timelines for a player.
fn timelines(position: &Position, me: Color) -> i32 {
    let (range, central) = (position.multiverse().range(), position.parity().central());
    let white = i32::from(range.highest.0) - i32::from(central.highest.0);
    let black = i32::from(central.lowest.0) - i32::from(range.lowest.0);
    let ahead = if me == Color::White { black - white } else { white - black };
    TIMELINE * ahead.clamp(-4, 4)
}

/// The cost of check for the player to move.
fn pressure(position: &Position) -> i32 {
    match position.checks().len() as i32 {
        0 => 0,
        attacks => CHECK + ATTACK * attacks.min(MOST_ATTACKS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen5d;
    use crate::rules::samples::multiverses;
    use crate::state::{Board, Setup};
    use crate::types::{BoardCoordinate, HalfTurn, Parity, Piece, Square, Timeline};

    fn value(text: &str) -> i32 {
        evaluate(&fen5d::parse(text).into_result().unwrap(), &mut Worths::new())
    }

    /// The same position with the colours swapped, half a turn later.
    fn mirrored(position: &Position) -> Position {
        let setup = position.to_setup();
        let top = (63 - setup.size.squares().leading_zeros() as u8) >> 3;
        let boards = setup.boards.iter().map(|(at, board)| {
            let mut other = Board::empty(setup.size);
            for (square, piece) in board.pieces() {
                let place = Square::new(square.file(), top - square.rank()).unwrap();
                other.put(place, Piece { color: !piece.color, ..piece }, board.is_unmoved(square));
            }
            let timeline = match setup.parity {
                Parity::Odd => -at.timeline.0,
                Parity::Even => -1 - at.timeline.0,
            };
            (BoardCoordinate { timeline: Timeline(timeline), half_turn: HalfTurn(at.half_turn.0 + 1) }, other)
        });
        Position::from_setup(&Setup { boards: boards.collect(), ..setup.clone() }).unwrap()
    }

    #[test]
    fn both_players_see_a_position_alike() {
        let mut worths = Worths::new();
        let mut different = std::collections::BTreeSet::new();
        for position in multiverses(51, 600) {
            let other = mirrored(&position);
            let value = evaluate(&position, &mut worths);
            assert_eq!(value, evaluate(&other, &mut worths), "{position:?} and {other:?}");
            different.insert(value);
        }
        assert!(different.len() > 300, "{}", different.len());
    }

    #[test]
    fn material_threats_timelines_and_check_count() {
        let even = "[k4/5/5/5/4K:0:1:w]";
        let rook = "[k4/5/5/5/1R2K:0:1:w]";
        assert!(value(rook) > value(even) + 300);
        // A queen that can be captured is worth less.
        let (safe, hanging) = ("[k4/5/3q1/5/1R2K:0:1:w]", "[k4/5/1q3/5/1R2K:0:1:w]");
        assert!(value(hanging) > value(safe) + 300);
        // White's own timeline is a disadvantage for White, Black's is not; the boards are the same.
        let own = "[k4/5/5/5/4K:0:1:w] [k4/5/5/5/4K:1:1:w]";
        let theirs = "[k4/5/5/5/4K:0:1:w] [k4/5/5/5/4K:-1:1:w]";
        assert_eq!(value(theirs) - value(own), 2 * TIMELINE);
        let (check, quiet) = ("[k4/5/5/5/r3K:0:1:w]", "[k4/5/5/r4/4K:0:1:w]");
        assert!(value(check) < value(quiet) - CHECK / 2);
    }
}
