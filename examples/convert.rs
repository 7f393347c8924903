//! Converts a text from any notation to another, and lists the losses: `cargo run --example convert [NOTATION
//! [FILE]]`.

use std::error::Error;
use std::fs;

use worldlines::notation::{Format, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let to: Format = arguments.next().as_deref().unwrap_or("simplified").parse()?;
    let bytes = match arguments.next() {
        Some(path) => fs::read(path)?,
        None => b"[Event \"An evening\"]\n1. (0T1)e2e3 / (0T1)f7f6\n2. (0T2)Qd1h5".to_vec(),
    };
    let from = Format::detect(&bytes).ok_or("no notation of a game")?;
    let parsed = from.parse(&bytes, &Options::default());
    for warning in &parsed.warnings {
        eprint!("{}", warning.excerpt("input", &bytes[..]));
    }
    let written = to.write(&parsed.into_result()?)?;
    print!("{}", String::from_utf8_lossy(&written.bytes));
    for loss in &written.losses {
        eprintln!("lost: {}", loss.what);
    }
    Ok(())
}
