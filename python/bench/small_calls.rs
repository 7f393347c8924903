//! Times of small calls in Rust, for `bench/run.py` to compare with those from Python: a line of a name and nanoseconds for each.

use std::hint::black_box;
use std::time::Instant;

use worldlines::notation::pgn5d;
use worldlines::{Game, Position};

const CALLS: u32 = 1_000;
const ROUNDS: usize = 15;

/// The best of several rounds of a thousand calls.
fn time<T>(name: &str, mut call: impl FnMut() -> T) {
    let round = |_| {
        let begun = Instant::now();
        for _ in 0..CALLS {
            black_box(call());
        }
        begun.elapsed()
    };
    let best = (0..ROUNDS).map(round).min().unwrap_or_default();
    println!("{name} {}", best.as_nanos() / u128::from(CALLS));
}

fn main() {
    let game = pgn5d::parse("1. e3 / f6 2. Qe2 / Nc6").into_result().expect("a game");
    let position = game.end();
    let action = pgn5d::parse_action(&position, "Qh5").expect("it is legal");
    time("status", || position.status());
    time("is_check", || position.is_in_check());
    time("count_actions", || position.count_legal_actions(u64::MAX));
    time("legal_actions", || position.legal_actions().collect::<Vec<_>>());
    time("play", || {
        let mut after = position.clone();
        after.play(&action).is_ok().then_some(after)
    });
    let mut pushed = Game::new(position.clone(), Vec::new()).end();
    time("push_pop", || {
        let undo = pushed.play(&action).expect("it is legal");
        pushed.undo(undo).is_ok()
    });
    time("action_text", || pgn5d::action_text(&position, &action));
    time("parse_action", || pgn5d::parse_action(&position, "Qh5"));
    time("parse_game", || pgn5d::parse("1. e3 / f6 2. Qe2 / Nc6").into_result());
    time("write_game", || pgn5d::write(&game, pgn5d::Marks::None));
    time("make_position", Position::default);
}
