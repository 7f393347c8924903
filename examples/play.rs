//! Two players at one keyboard, move by move, from standard input: `cargo run --example play`.
//!
//! A line is a move such as `(0T1w)e2e4`, `undo`, or `submit`. This is how a protocol or a graphical board enters actions.

use std::error::Error;
use std::io;

use worldlines::render::{Frame, text as draw};
use worldlines::rules::PartialAction;
use worldlines::state::Position;
use worldlines::types::Move;

fn main() -> Result<(), Box<dyn Error>> {
    let mut action = PartialAction::new(Position::default());
    for line in io::stdin().lines() {
        match line?.trim() {
            "" => continue,
            "undo" => println!(
                "{}",
                action.pop().map_or("nothing to take back".into(), |m| format!("took back {m}"))
            ),
            "submit" => match action.submit() {
                Ok(submitted) => println!("submitted {submitted}"),
                Err(why) => println!("not yet: {why}"),
            },
            text => match text.parse::<Move>() {
                Err(why) => println!("{why}"),
                Ok(m) => match action.push(m) {
                    Ok(()) => println!("{} moves so far", action.moves().len()),
                    Err(why) => println!("{why}"),
                },
            },
        }
    }
    if action.moves().is_empty() {
        print!("{}", draw(&action.into_position(), Frame::ALL));
    }
    Ok(())
}
