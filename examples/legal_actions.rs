//! Counts the legal actions of a position, and lists the first: `cargo run --example legal_actions [GAME]`.

use std::process::ExitCode;

use worldlines::notation::pgn5d;

fn main() -> ExitCode {
    let text = std::env::args().nth(1).unwrap_or_else(|| "1. Nf3 / Nf6 2. N>>f5".to_owned());
    let position = match pgn5d::parse(&text).into_result() {
        Ok(game) => game.end(),
        Err(error) => {
            // An error knows its place: the excerpt shows the line, marks the error, and gives a hint.
            eprintln!("{}", error.excerpt("game", text.as_str()));
            return ExitCode::FAILURE;
        }
    };

    // There can be more actions than anybody can count, so counting has a cap, and listing is lazy.
    let counted = position.count_legal_actions(100_000);
    let more = if counted.capped { "more than " } else { "" };
    println!("{} has {more}{} legal actions, among them:", position.to_move(), counted.count);
    for action in position.legal_actions().take(10) {
        println!("  {}", pgn5d::action_text(&position, &action));
    }
    ExitCode::SUCCESS
}
