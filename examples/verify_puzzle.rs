//! Verifies a puzzle file and prints its faults: `cargo run --example verify_puzzle [FILE]`.

use std::error::Error;
use std::fs;

use worldlines::puzzle::{Answer, Options, load, verify};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1);
    let path = path
        .as_deref()
        .unwrap_or(concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/first-steps/scholars-mate.yaml"));
    for document in load(path, &fs::read(path)?) {
        let report = verify(&document, Options::default());
        print!("{}{}", report.steps_text(), report.findings_text());
        if report.answer() == Answer::Fail {
            return Err("something that the puzzle claims is not true".into());
        }
    }
    Ok(())
}
