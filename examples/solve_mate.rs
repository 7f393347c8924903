//! Proves or refutes a mate in two, and prints every key with its evidence: `cargo run --example solve_mate`.

use std::error::Error;

use worldlines::notation::{fen5d, pgn5d};
use worldlines::search::{Budget, Solve, Verdict, solve};

fn main() -> Result<(), Box<dyn Error>> {
    let position = fen5d::parse("[4/3k/KR1R/3r:0:1:w]").into_result()?;
    // One step is a few microseconds of work. With a budget the answer is the same on every machine.
    let solution = solve(&position, Solve { mate_in: 2, all: true, budget: Budget::steps(100_000) });
    match solution.verdict {
        Verdict::Proven => println!("mate in {}", solution.shortest.unwrap_or(2)),
        Verdict::Refuted => println!("no mate in 2"),
        Verdict::Undecided => println!("the budget was spent first"),
    }
    for class in &solution.keys {
        println!("key: {}", pgn5d::action_text(&position, class.key()));
    }
    Ok(())
}
