//! Debug builds change the squares on which a proof is said not to rely.
//!
//! To play another action that agrees with the current one shows little: most positions have few of them, and they differ on few squares.
//! But the argument in `basis.rs` holds for whatever stands outside the basis, whether or not an action leaves it there. So this module
//! puts other pieces there, and whoever asks looks whether the claim still holds.

use super::basis::Basis;
use super::sieve::ActionSieve;
use crate::rules::random::Random;
use crate::state::{Board, Cell, Position, squares_of};
use crate::types::{BoardCoordinate, Color, HalfTurn};

impl ActionSieve<'_> {
    /// The position after the current action with other pieces where it does not count what stands there, if they differ. The player who
    /// acted may have any piece anywhere, the other one those that he had on the board before; a new timeline may begin with any board.
    /// The action leaves no royal piece open to capture.
    pub(crate) fn disturbed(&self, basis: &Basis, defender: Color) -> Option<Position> {
        let after = self.after();
        let actor = !after.to_move();
        let mut setup = after.to_setup();
        let mut disturbance = Disturbance::new(after, self.steps());
        let mut differs = false;
        for (at, own) in self.made() {
            let before = BoardCoordinate { half_turn: HalfTurn(at.half_turn.0 - 1), ..at };
            let agrees =
                |other: &Board| basis.of(at).is_none_or(|reliance| reliance.agree(&own, other, defender));
            let other = disturbance.of(&own, after.board(before), actor, agrees);
            differs |= other != own;
            setup.boards.iter_mut().filter(|(made, _)| *made == at).for_each(|(_, board)| *board = other);
        }
        let mut position = Position::from_setup(&setup).expect("boards in the same places");
        position.switch_player();
        let is_legal = position.exposed_royal().is_none();
        position.switch_player();
        (differs && is_legal).then_some(position)
    }
}

/// The changes of the boards that an action made.
struct Disturbance {
    random: Random,
    /// One in this many squares: few or most of them.
    one_in: usize,
    /// One way or all.
    ways: &'static [Way],
    /// The pieces that there are.
    pieces: Vec<Cell>,
}

/// The kinds of content that are put on a square.
#[derive(Clone, Copy)]
enum Way {
    Nothing,
    /// The piece that stood there on the board before.
    AsBefore,
    /// A piece that has moved there.
    Moved,
}

impl Disturbance {
    fn new(position: &Position, seed: u64) -> Disturbance {
        const WAYS: [Way; 3] = [Way::Nothing, Way::AsBefore, Way::Moved];
        let cells = |board: &Board| -> Vec<Cell> {
            squares_of(board.squares()).filter_map(|square| board.cell(square)).collect()
        };
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let one_in = 1 << random.below(5);
        let one = random.below(2 * WAYS.len());
        let ways = if one < WAYS.len() { &WAYS[one..=one] } else { &WAYS };
        let pieces = position.multiverse().ends().flat_map(|(_, board)| cells(board)).collect();
        Disturbance { random, one_in, ways, pieces }
    }

    /// A changed board, which still agrees.
    fn of(
        &mut self,
        own: &Board,
        before: Option<&Board>,
        actor: Color,
        agrees: impl Fn(&Board) -> bool,
    ) -> Board {
        let mut changed = *own;
        for square in squares_of(own.squares()) {
            if self.random.below(self.one_in) > 0 {
                continue;
            }
            let piece = self.random.pick(&self.pieces).map(|cell| Cell { unmoved: false, ..*cell });
            let cell = match (self.random.pick(self.ways), before) {
                (Some(Way::Nothing), _) => None,
                (Some(Way::AsBefore), Some(before)) => before.cell(square),
                (_, Some(_)) => piece.filter(|cell| cell.piece.color == actor),
                (_, None) => piece,
            };
            let mut next = changed;
            match cell {
                Some(Cell { piece, unmoved }) => next.put(square, piece, unmoved),
                None => next.remove(square),
            }
            if agrees(&next) {
                changed = next;
            }
        }
        changed
    }
}
