//! The value of a single board: material, placement of the pieces, safety of the kings, and material that can
//! be won at once.
//!
//! All numbers are hundredths of a pawn.

use super::reach::{CLASSES, attacked, inner, king_steps};
use crate::state::{Board, squares_of};
use crate::types::{ByColor, Color};

const PAWN: i32 = 100;
const BRAWN: i32 = 130;
const KNIGHT: i32 = 330;
const BISHOP: i32 = 400;
const ROOK: i32 = 440;
const UNICORN: i32 = 300;
const DRAGON: i32 = 240;
const PRINCESS: i32 = 900;
const QUEEN: i32 = 1300;
const COMMON_KING: i32 = 320;

/// The value of an attacker of each class of [`attacked`]. The king counts 0: it may only capture undefended
/// pieces.
const ATTACKERS: [i32; CLASSES] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, 0];

/// The value of a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Worth {
    /// White's value minus Black's.
    pub balance: i32,
    /// The material that each player could win here with one move.
    pub gain: ByColor<i32>,
    /// Whether a royal piece of each player is attacked by a piece on this board.
    pub attacked: ByColor<bool>,
}

impl Worth {
    /// The balance for this player.
    pub fn balance_for(&self, color: Color) -> i32 {
        if color == Color::White { self.balance } else { -self.balance }
    }

    pub(super) fn of(board: &Board) -> Worth {
        let squares = board.squares();
        let reach = ByColor(Color::ALL.map(|color| attacked(board, color)));
        let all = ByColor(reach.0.map(|reach| reach.into_iter().fold(0, |all, set| all | set)));
        let rings = [inner(squares), inner(inner(squares)), inner(inner(inner(squares)))];
        let side = |color: Color| {
            material(board, color) + places(board, color, rings) + {
                let mobility = (all[color] & squares & !board.blocked_for(color)).count_ones() as i32;
                2 * mobility + safety(board, color, &reach[!color], all[!color])
            }
        };
        let royals = |color: Color| board.royals() & board.by_color(color);
        Worth {
            balance: side(Color::White) - side(Color::Black),
            gain: ByColor(Color::ALL.map(|color| gain(board, color, &reach[color], all[!color]))),
            attacked: ByColor(Color::ALL.map(|color| royals(color) & all[!color] != 0)),
        }
    }
}

/// The pieces that count as material with their values, the most valuable first.
fn kinds(board: &Board) -> [(i32, u64); 10] {
    let [straight, diagonal, threefold, fourfold] = [1, 2, 3, 4].map(|axes| board.sliders(axes));
    let royals = board.royals();
    let queens = straight & diagonal & threefold & fourfold & !royals;
    let princesses = straight & diagonal & !threefold;
    let brawns = board.brawns();
    [
        (QUEEN, queens),
        (PRINCESS, princesses),
        (ROOK, straight & !diagonal),
        (BISHOP, diagonal & !straight),
        (KNIGHT, board.knights()),
        (COMMON_KING, board.king_steppers() & !royals),
        (UNICORN, threefold & !straight),
        (DRAGON, fourfold & !straight),
        (BRAWN, brawns),
        (PAWN, board.pawns() & !brawns),
    ]
}

fn material(board: &Board, color: Color) -> i32 {
    let own = board.by_color(color);
    kinds(board).into_iter().map(|(worth, set)| worth * (set & own).count_ones() as i32).sum()
}

/// A bonus for knights and bishops in the middle, and for pawns in the middle and far ahead.
fn places(board: &Board, color: Color, rings: [u64; 3]) -> i32 {
    let own = board.by_color(color);
    let count = |set: u64| (set & own).count_ones() as i32;
    let mut sum = 0;
    for ring in rings {
        sum += 9 * count(board.knights() & ring);
        sum += 4 * count((board.sliders(2) | board.sliders(3)) & ring & !board.royals());
        sum -= 12 * count(board.royals() & ring);
    }
    sum += 10 * count(board.pawns() & rings[1]) + 8 * count(board.pawns() & rings[2]);
    let top = (63 - board.squares().leading_zeros() as i32) >> 3;
    for pawn in squares_of(board.pawns() & own) {
        let rank = i32::from(pawn.rank());
        let left = if color == Color::White { top - rank } else { rank };
        sum += match left {
            0 | 1 => 120,
            2 => 50,
            3 => 15,
            _ => 0,
        };
    }
    sum
}

/// The safety of the royal pieces of a player on the board: own pieces around them, minus attacked squares
/// around them.
fn safety(board: &Board, color: Color, reach: &[u64; CLASSES], all: u64) -> i32 {
    let royals = board.royals() & board.by_color(color);
    if royals == 0 {
        return 0;
    }
    let around = king_steps(royals) & board.squares();
    let shield = (around & board.by_color(color)).count_ones() as i32;
    let pressed = (around & all).count_ones() as i32;
    let pressing = reach.iter().filter(|set| *set & around != 0).count() as i32;
    5 * shield - 9 * pressed - 6 * pressing * pressing
}

/// The most that a player wins by a capture on the board if the opponent recaptures whenever possible.
/// Captures of royal pieces do not count.
fn gain(board: &Board, color: Color, reach: &[u64; CLASSES], defended: u64) -> i32 {
    let enemy = board.by_color(!color);
    let all = reach.iter().fold(0, |all, set| all | set);
    let mut most = 0;
    for (worth, set) in kinds(board) {
        if worth <= most {
            break;
        }
        let victims = set & enemy & all;
        if victims & !defended != 0 {
            most = worth;
            continue;
        }
        // The king cannot capture a defended piece.
        let attackers = reach[..CLASSES - 1].iter().zip(ATTACKERS);
        let cheapest = attackers.filter(|(reach, _)| *reach & victims != 0).map(|(_, cost)| cost).min();
        most = most.max(cheapest.map_or(0, |cost| worth - cost));
    }
    most
}

/// A cache of board values of fixed size, in which a new board replaces an old one.
pub(super) struct Worths {
    slots: Vec<(Board, Worth)>,
}

impl Worths {
    const SLOTS: usize = 1 << 13;

    pub fn new() -> Worths {
        let empty = Board::empty(crate::types::BoardSize::new(1, 1).expect("a size"));
        Worths { slots: vec![(empty, Worth::of(&empty)); Worths::SLOTS] }
    }

    pub fn of(&mut self, board: &Board) -> Worth {
        let slot = &mut self.slots[board.mixed() as usize % Worths::SLOTS];
        if slot.0 != *board {
            *slot = (*board, Worth::of(board));
        }
        slot.1
    }
}
