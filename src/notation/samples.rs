//! Random games for tests.

use super::{Game, GameResult};
use crate::rules::variants::VARIANTS;
use crate::state::Position;
use crate::types::{Action, Move, PieceKind, Promotions};

/// Numbers that look random and are the same in every run (xorshift64*).
pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

/// A legal action, played; `None` when a few attempts did not find one.
pub(super) fn random_action(position: &mut Position, random: &mut Random) -> Option<Action> {
    for _ in 0..20 {
        let mut made: Vec<Move> = Vec::new();
        for _ in 0..position.multiverse().timelines().count() + 2 {
            let Some(m) = random.pick(&position.pseudo_legal_moves()).copied() else { break };
            position.push(&m);
            made.push(m);
            if position.submit_obstacle().is_none() {
                position.submit_unchecked();
                return Some(Action::new(made));
            }
        }
        for m in made.iter().rev() {
            position.pop(m);
        }
    }
    None
}

pub(super) fn random_game(seed: u64) -> Game {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut setup = VARIANTS[random.below(VARIANTS.len())].setup();
    if random.below(3) == 0 {
        let knights = Promotions::QUEEN.with(PieceKind::Knight);
        setup.profile.promotions = knights.expect("a pawn may become a knight");
    }
    let start = Position::from_setup(&setup).expect("variants are positions");
    let mut position = start.clone();
    let length = random.below(30);
    let actions: Vec<Action> =
        std::iter::from_fn(|| random_action(&mut position, &mut random)).take(length).collect();
    let mut game = Game::new(start, actions);
    game.result = random.pick(&GameResult::ALL).copied().filter(|_| length.is_multiple_of(2));
    if length.is_multiple_of(3) {
        game.headers.push(("White".into(), "a \"b\" \\ é".into()));
    }
    game
}
