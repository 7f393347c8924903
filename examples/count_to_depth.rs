//! Counts the games of a given number of actions from the standard start, as engine authors do to compare
//! rules: `cargo run --release --example count_to_depth [DEPTH]`.

use std::error::Error;

use worldlines::state::Position;

fn main() -> Result<(), Box<dyn Error>> {
    let depth = std::env::args().nth(1).map_or(Ok(2), |text| text.parse())?;
    let mut position = Position::default();
    for depth in 0..=depth {
        println!("{depth} {}", count(&mut position, depth));
    }
    Ok(())
}

fn count(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let actions: Vec<_> = position.legal_actions().collect();
    let mut games = 0;
    for action in actions {
        let undo = position.play(&action).expect("it was listed as legal");
        games += count(position, depth - 1);
        position.undo(undo).expect("nothing else was played since");
    }
    games
}
